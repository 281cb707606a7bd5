/* report.h: what the cross tests have met. */
#ifndef REPORT_H
#define REPORT_H

#include "expect.h"

enum { MODES = 4 };
extern const char *const mode_names[MODES];

/* What happened, one for each job, in memory that all share. */
struct statistics {
    uint64_t passed, failed;
    uint64_t models, terminating, symmetric, states, largest;
    uint64_t verdicts[MODES][VERDICTS], properties[MODES][PROPERTIES];
    uint64_t deep_traps, limited, shared, overflowed, repeats, wide_repeats, traces, replays, typical, false_alarms,
        missed_by_reduction;
    uint64_t must[VERDICTS], must_reduced; /* with sets that preserve must progress */
    uint64_t errors[2],
        errors_missed[2]; /* [the rules account for errors]: models that raise some; missed though it ends */
    uint64_t reduced_models[MODES];
    uint64_t stores[STORES][VERDICTS];
    double reduction[MODES]; /* sum of reduced states / full states over models with some hundred states */
    uint64_t audits[2][2];   /* [an error was planted][the naive audit finds something] */
    /* models whose rules were audited in a check; with sets in use, or a map, that are wrong, and no other error was
     * found; of these, how many the check has told */
    uint64_t examined[RM_MUTATIONS], wrong_rules[RM_MUTATIONS], caught[RM_MUTATIONS];
    uint64_t planted[RM_MUTATIONS], noticed[RM_MUTATIONS], verdict_changed[RM_MUTATIONS];
};

/* Prints what was met. Returns how much was never met. */
unsigned report(const struct statistics *all, unsigned jobs);

#endif
