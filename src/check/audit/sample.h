/* sample.h: hand-written rules, audited on a sample of the states that a search has found.
 *
 * A reduced search is as good as the rules that reduce it. So, before its answer is given, some of its states are
 * looked at once more, in the unreduced system: is the stubborn set that was fired there one (reduce/audit.h, D1 and
 * D2), and are a state and its representative alike? Only sets that the search uses are audited, closed under the
 * obligations. The states of the trail are representatives already; so the map is audited on states that few
 * transitions lead to from there, and on executions that begin in the initial state. So are the claims of the model
 * about what can be seen (.observable) and what changes propositions (CHANGES): sets that rest on them keep the search
 * away from states where they may be wrong.
 *
 * Which states, and how much of what is outside a set, depends on the trail and on counts only, so that the sample is
 * the same in every run, with any number of threads. The work is bounded by a share of that of the search.
 *
 * If the model is watched, states of the space are those of a product, and the sets are what its worker chooses
 * (sample_view).
 */
#ifndef CHECK_AUDIT_SAMPLE_H
#define CHECK_AUDIT_SAMPLE_H

#include "reduce/audit.h"
#include "graph/space.h"

/* What a state of the space is, if it is not one of the model. */
struct sample_view {
    struct ts *ts; /* the model, and a worker of it */
    struct ts_worker *worker;
    void *context;
    /* The model's state in `item`, and the set that is used there, by transition, disabled members too; *enabled of
     * them can be fired. NONE: there is none, for nothing is left out there. GIVEN_UP: model code failed, see *fault.
     * */
    enum outcome (*look)(void *context, const word *item, word *state, bool *set, uint32_t *enabled,
                         struct ts_fault *fault);
};

struct sample_question {
    bool obligations, symmetry;     /* which rules */
    bool observable, changes;       /* which claims: what .observable says, what CHANGES says */
    bool with_check;                /* obligations must account for check_state */
    unsigned checks;                /* that must be symmetric: see audit_ask */
    bool violated;                  /* an error is known: none that the model raises is told */
    uint64_t edges;                 /* of the search */
    const struct sample_view *view; /* NULL: the space is one of the model */
};

enum sample_result {
    SAMPLE_FINE,    /* nothing is wrong with what was looked at */
    SAMPLE_WRONG,   /* a rule is wrong: `finding` */
    SAMPLE_MODEL,   /* model code crashed, or broke a rule, in a state that the search did not visit: finding.model */
    SAMPLE_RAISED,  /* the model raised an error where the search did not meet it: finding.model */
    SAMPLE_STOPPED, /* nothing was found so far: `stopped` */
};

struct sample {
    enum sample_result result;
    uint64_t states, checks; /* audited */
    const char *stopped;     /* why the rest of the sample was not looked at */
    bool advice;             /* symmetric states seem to have different representatives */
    /* WRONG, MODEL, RAISED: the finding, with its own copies; the state of the trail where it was, or the initial
     * state (SAMPLE_INITIAL); transitions of the unreduced system that lead from there to `state`. Model code failed at
     * the end of finding.outside, which leads on from there. */
    struct audit_finding finding;
    uint64_t number;
    uint32_t way[64];
    uint32_t way_count;
    word *state;
};

#define SAMPLE_INITIAL UINT64_MAX

/* Does the system fire stubborn sets by hand-written obligations? Those of networks are derived, and kept by other
 * means. */
static inline bool sample_has_obligations(const struct ts *ts) {
    return ts->reduction.stubborn && ts_has(ts, TS_OBLIGATIONS) && !ts->whole_counts;
}

void sample_take(struct sample *a, struct space *s, const struct sample_question *q);
void sample_fini(struct sample *a);

/* SAMPLE_WRONG: the finding, in one line; to be freed. `w` is a worker of the model. */
char *sample_describe(const struct sample *a, struct ts *ts, struct ts_worker *w);

#endif
