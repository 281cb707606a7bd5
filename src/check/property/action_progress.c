/* Tests of progress by actions: struct ts_progress. */
#include <stdlib.h>

#include "base/text.h"
#include "check/property/property_ops.h"
#include "graph/relevel.h"
#include "check/property/shortest_progress.h"
#include "graph/bottom.h"

struct place {
    const struct terminal_sets *sets;
    uint64_t component;
};

static bool inside(const void *context, const word *state, uint64_t slot) {
    (void)state;
    const struct place *p = context;
    return scc_of(&p->sets->components, slot) == p->component;
}

/* The execution into the component, and round in it. */
static bool find_lasso(struct check *c, const struct terminal_sets *t, uint64_t number,
                       const struct terminal_set *set) {
    struct trace *trace = &c->a->trace;
    check_forget_trace(c);
    if (!trace_to(trace, &c->s, number, &c->stop)) return check_stop(c), false;
    trace->no_return = trace->count - 1;
    struct place place = {t, set ? set->component : 0};
    if (set && !trace_walk_on(trace, &c->s, inside, &place, &c->stop)) {
        check_forget_trace(c); /* what there is of it was not replayed */
        return check_stop(c), false;
    }
    return check_believe(c);
}

/* The same with a shortest cycle, of all components where the test fails. An end needs no cycle, and comes first. */
static bool find_shortest(struct check *c, const struct terminal_sets *t, const struct ts_progress *test,
                          uint64_t number, const struct terminal_set **set) {
    if (!c->q->shortest) return find_lasso(c, t, number, *set);
    if (!test->when && t->dead != TERMINAL_NONE) {
        *set = NULL;
        return find_lasso(c, t, t->dead, NULL);
    }
    bool *failed = memory_get((t->count + 1) * sizeof *failed);
    for (uint64_t i = 0; i < t->count; i++) failed[i] = terminal_fails(&t->at[i], c->ts, test);
    enum outcome found = shortest_in_sets(c, t, failed);
    free(failed);
    if (found == OUTCOME_FOUND) return check_believe(c);
    check_not_shortest(c);
    return find_lasso(c, t, number, *set);
}

/* True if no test fails. */
static bool judge(struct check *c, const struct terminal_sets *t) {
    const struct ts *ts = c->ts;
    if (!ts->reduction.stubborn || ts->reduction.progress) census_judge(&c->a->census, ts, t);
    if (!(c->a->checked & PROP_PROGRESS)) return true;
    for (uint32_t i = 0; i < ts->progress_count; i++) {
        const struct ts_progress *test = &ts->progress[i];
        const struct terminal_set *set;
        uint64_t number = terminal_failure(t, ts, test, &set);
        if (number == TERMINAL_NONE) continue;
        if (find_shortest(c, t, test, number, &set))
            check_answer(c, VERDICT_VIOLATED, PROP_PROGRESS,
                         text_format("%s: progress %s: %s", property_headline(PROP_PROGRESS), test->name,
                                     set ? "from the state after ==========, none of its actions can occur any more"
                                         : "in the last state nothing can occur any more"));
        return false;
    }
    return true;
}

bool check_action_progress(struct check *c) {
    struct terminal_sets t;
    if (c->s.levels.count == 0 && !space_relevel(&c->s, NULL, &c->stop)) return check_stop(c), false;
    bool good = terminal_run(&t, &c->s, &c->stop);
    if (!good) check_stop(c);
    good = good && judge(c, &t);
    terminal_fini(&t);
    return good;
}

const struct property_ops ops_PROGRESS = {.ask = check_action_progress};
