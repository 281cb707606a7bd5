/* trace.h: an execution: a sequence of states with the transitions between them, perhaps ending in a cycle.
 *
 *     state 0 -transition[1]-> state 1 -transition[2]-> ... state n-1 [-closing-> state cycle]
 */
#ifndef TS_TRACE_H
#define TS_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"
#include "base/problem.h"
#include "ts/ts.h"

#define TRACE_NONE UINT64_MAX

/* What is known about an execution of which a formula speaks. */
struct trace_notes {
    struct names propositions;
    uint64_t *valuations; /* of each state: bit i is for proposition i */
    uint64_t first;       /* states before this one have no valuation */
    struct names extra;   /* transitions that the model has not, and that leave it where it is; they have the numbers */
    uint32_t extra_from;  /* extra_from, extra_from + 1, ... */
    char **beside;        /* of each state: the state of the tester; or NULL */
    char **seen;          /* then, of the step to each state, and of the closing one: its action; NULL: invisible */
    uint64_t beside_count;
};

struct trace {
    uint32_t words;
    uint64_t count;
    word *states;
    uint32_t *transitions; /* [i] leads to state i; [0] is TS_NONE */
    bool *mapped;          /* [i]: the symmetry map changed the state that transitions[i] led to */
    uint64_t no_return;    /* the first state from which progress is impossible, or TRACE_NONE */
    uint64_t cycle;        /* where the cycle begins, or TRACE_NONE */
    uint32_t closing;      /* the transition from the last state back to `cycle` */
    bool closing_mapped;
    bool swaps; /* states are representatives: a step is a transition, and then the symmetry map */
    uint64_t room;
    struct trace_notes *notes; /* or NULL */
};

void trace_init(struct trace *t, uint32_t words);
void trace_fini(struct trace *t);
void trace_add(struct trace *t, uint32_t transition, const word *state);

static inline const word *trace_state(const struct trace *t, uint64_t i) { return t->states + i * t->words; }

/* The name of a transition, which may be one of the notes. */
void trace_transition_name(const struct trace *t, struct ts *ts, struct ts_worker *w, uint32_t transition, char *buffer,
                           size_t size);

/* Replays the trace on the unreduced system: every step must be a transition that is enabled and leads, up to the
 * symmetry map if the space is symmetric, to the next state. Fills in `mapped`. False: why. */
bool trace_replay(struct trace *t, struct ts *ts, struct ts_worker *w, struct problem *why);

#endif
