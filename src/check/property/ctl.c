/* Computation tree logic: the graph answers, and shows what an execution can show. */
#include "omega/ctl/ctl.h"

#include <stdlib.h>

#include "base/text.h"
#include "check/property/property_ops.h"
#include "ts/valuation.h"

static bool read_options(struct questions *q, struct ts *ts, struct ts_worker *w, struct problem *why) {
    struct ctl f;
    (void)w;
    bool good = ctl_parse(&f, q->what[PROPERTY_CTL], why);
    if (good && ts->whole_counts && f.names.count > 0)
        good = problem_set(why, EXIT_BAD_INPUT,
                           "--ctl needs propositions of states, and %s has none: fluents and actions of processes are "
                           "for --ltl only; leave --ctl out",
                           ts->path);
    for (uint32_t i = 0; good && i < f.names.count; i++)
        good = valuation_find(ts, f.names.text[i]) != TS_NONE || valuation_lacks(ts, f.names.text[i], why);
    ctl_fini(&f);
    return good;
}

static bool ask(struct check *c) {
    struct ctl f;
    struct problem why = {0};
    word *start = memory_get(c->ts->words * sizeof *start);
    bool ready = ctl_parse(&f, c->q->what[PROPERTY_CTL], &why) && check_start(c, start);
    enum outcome found = OUTCOME_GIVEN_UP;
    if (ready) {
        check_forget_trace(c);
        trace_add(&c->a->trace, TS_NONE, start);
        found = graph_ctl(&c->graph, &f, &c->a->trace, &c->stop);
        if (found != OUTCOME_FOUND) check_forget_trace(c);
        if (found == OUTCOME_GIVEN_UP) check_stop(c);
        if (found == OUTCOME_FOUND && check_believe(c))
            check_answer(c, VERDICT_VIOLATED, PROP_CTL,
                         text_format("%s: %s", property_headline(PROP_CTL), c->q->what[PROPERTY_CTL]));
    }
    ctl_fini(&f);
    problem_fini(&why);
    free(start);
    return found == OUTCOME_NONE;
}

const struct property_ops ops_CTL = {.options = read_options, .ask = ask};
