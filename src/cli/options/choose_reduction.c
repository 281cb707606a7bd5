#include "cli/options/choose_reduction.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "prop/property.h"
#include "reduce/estimate.h"

enum { SAMPLE = 2000 }; /* states */
#define PATIENCE 2.0    /* seconds, for what nobody has asked for */

/* The model with stubborn sets that preserve what is checked. NULL: *why, to be freed. */
static struct ts *open_reduced(const struct options *o, unsigned checks, model_opener *open, char **why) {
    struct problem problem = {0};
    struct options own = *o;
    own.stubborn = true;
    own.reduce = 0;
    own.rules = OPTION_RULES_DERIVED;
    struct ts *ts = open(&own, &problem);
    bool ends = (checks & PROP_TERMINATION) != 0;
    const char *gap = ts ? property_gap(checks, &ts->reduction, ends, property_symmetric(ts)) : problem.text;
    if (ts && gap && !ends && property_needs_termination(checks, &ts->reduction))
        gap = "they preserve all that is checked only if the model is always may-terminating: with --termination, that "
              "is checked, too";
    if (ts && !gap && !ts->reduction.stubborn) gap = "there are none for this check";
    if (gap) *why = memory_copy_string(gap);
    if (gap && ts) ts->ops->close(ts);
    problem_fini(&problem);
    return gap ? NULL : ts;
}

static char *describe(const struct reduction_estimate *e) {
    if (e->enabled == 0) return memory_copy_string("nothing is enabled in the sample");
    return text_format("they fire %.0f %% of the enabled transitions in %s%llu states",
                       100. * (double)e->fired / (double)e->enabled, e->whole ? "all " : "a sample of ",
                       (unsigned long long)e->states);
}

/* With stubborn sets, if they pay; else NULL. *said: why; to be freed. */
static struct ts *try_reduced(const struct options *o, unsigned checks, model_opener *open, char **said) {
    char *why = NULL;
    struct ts *reduced = open_reduced(o, checks, open, &why);
    if (!reduced) {
        *said = text_format("no stubborn sets: %s", why);
        free(why);
        return NULL;
    }
    struct reduction_estimate e = reduction_estimate(reduced, SAMPLE);
    bool pays = reduction_pays(&e);
    char *found = describe(&e);
    *said = text_format("%s: %s", pays ? "stubborn sets" : "no stubborn sets", found);
    free(found);
    if (!pays) reduced->ops->close(reduced);
    return pays ? reduced : NULL;
}

char *choose_reduction(struct options *o, struct ts **ts, unsigned checks, model_opener *open, struct problem *why) {
    char *said;
    if (o->ltl || o->assertion || o->automaton || o->tester || o->refines || o->order == ORDER_RANDOM)
        return memory_copy_string("no stubborn sets: they are tried for the checks of the model itself only");
    if ((*ts)->asset) return memory_copy_string("no stubborn sets: the model is in ASSET's language");
    (*ts)->ops->close(*ts);
    *ts = try_reduced(o, checks, open, &said);
    if (*ts) {
        o->stubborn = true;
        o->rules = OPTION_RULES_DERIVED;
    } else *ts = open(o, why);
    return said;
}

char *suggest_reduction(const struct options *o, unsigned checks, model_opener *open) {
    char *why = NULL, *said = NULL;
    struct options hurried = *o;
    if (!(o->time > 0)) {
        double now = clock_seconds();
        hurried.time = PATIENCE + (now - o->began) / 10;
        hurried.began = now;
    }
    struct ts *reduced = open_reduced(&hurried, checks, open, &why);
    free(why);
    if (!reduced) return NULL;
    struct reduction_estimate e = reduction_estimate(reduced, SAMPLE);
    char *found = describe(&e);
    if (reduction_pays(&e) && e.whole)
        said = text_format("with --stubborn, %llu states would have done", (unsigned long long)e.states);
    else if (reduction_pays(&e)) said = text_format("stubborn sets (--stubborn) would leave states out: %s", found);
    free(found);
    reduced->ops->close(reduced);
    return said;
}
