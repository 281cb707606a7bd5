/* Tests of progress by actions: struct ts_progress. */
#include <stdlib.h>

#include "base/text.h"
#include "check/property/property_ops.h"
#include "graph/bottom.h"

/* The execution into the component, and round in it. */
static bool find_lasso(struct check *c, uint64_t node, const struct terminal_set *set) {
    struct trace *trace = &c->a->trace;
    check_forget_trace(c);
    if (!graph_way(&c->graph, node, trace, &c->stop)) return check_stop(c), false;
    trace->no_return = trace->count - 1;
    if (set && !graph_walk_on(&c->graph, &set->states, false, trace, &c->stop)) {
        check_forget_trace(c); /* what there is of it was not replayed */
        return check_stop(c), false;
    }
    return check_believe(c);
}

/* The same with a shortest cycle, of all components where the test fails. An end needs no cycle, and comes first. */
static bool find_shortest(struct check *c, const struct terminal_sets *t, const struct ts_progress *test, uint64_t node,
                          const struct terminal_set **set) {
    if (!c->q->shortest) return find_lasso(c, node, *set);
    if (!test->when && t->dead != TERMINAL_NONE) {
        *set = NULL;
        return find_lasso(c, t->dead, NULL);
    }
    bool *failed = memory_get((t->count + 1) * sizeof *failed);
    for (uint64_t i = 0; i < t->count; i++) failed[i] = terminal_fails(&t->at[i], c->ts, test);
    const struct shortest_lasso q = {.sets = t, .failed = failed};
    check_forget_trace(c);
    enum outcome found = graph_shortest(&c->graph, &q, &c->a->trace, &c->stop);
    free(failed);
    if (found == OUTCOME_FOUND) return check_believe(c);
    check_not_shortest(c);
    return find_lasso(c, node, *set);
}

/* True if no test fails. */
static bool judge(struct check *c, const struct terminal_sets *t) {
    const struct ts *ts = c->ts;
    if (!ts->reduction.stubborn || ts->reduction.progress) census_judge(&c->a->census, ts, t);
    if (!(c->a->checked & PROP_PROGRESS)) return true;
    for (uint32_t i = 0; i < ts->progress_count; i++) {
        const struct ts_progress *test = &ts->progress[i];
        const struct terminal_set *set;
        uint64_t node = terminal_failure(t, ts, test, &set);
        if (node == TERMINAL_NONE) continue;
        if (find_shortest(c, t, test, node, &set))
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
    bool good = graph_bottoms(&c->graph, &t, &c->stop);
    if (!good) check_stop(c);
    good = good && judge(c, &t);
    terminal_fini(&t);
    return good;
}

const struct property_ops ops_PROGRESS = {.ask = check_action_progress};
