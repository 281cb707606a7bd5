/* expect.h: what onager must answer, worked out from naive graphs. */
#ifndef EXPECT_H
#define EXPECT_H

#include "naive.h"

enum store { EXACT, HASH_COMPACT, BITSTATE, STORES };
extern const char *const store_names[STORES];

/* What the command line says. */
struct options {
    struct naive_mode mode;
    bool deep; /* --order dfs */
    bool fast;
    bool swaps;                                                  /* with symmetry: --swaps */
    bool no_state, no_deadlock, no_may, no_must, no_termination; /* checks that are switched off */
    bool termination;                                            /* --termination */
    bool terminal_not_may, terminal_not_must;
    bool declared;   /* the model says that its progress checks are symmetric */
    bool infinitely; /* --infinitely often --finitely rarely */
    unsigned often;
    uint32_t rarely;
    uint32_t max_states; /* 0: no limit */
    unsigned threads;    /* 0: nothing is said of them */
    enum store store;    /* what is not EXACT is breadth-first */
    uint32_t overflow;   /* not 0: --overflow bitstate, and --max-memory of so many KiB */
};

enum verdict { HOLDS, VIOLATED, INCONCLUSIVE, VERDICTS };
enum property { SAFETY, DEADLOCK, MODEL_ERROR, MAY, MUST, INFINITE, TERMINATION, PROPERTIES, NO_PROPERTY = PROPERTIES };
extern const char *const verdict_names[VERDICTS];
extern const char *const property_names[PROPERTIES + 1];

struct expectation {
    enum verdict verdict;
    enum property property; /* if VIOLATED */
    unsigned also;          /* violations of these properties are right answers too, as bits */
    bool or_inconclusive;   /* and so is this */
    uint32_t states, edges, terminals;
    uint32_t depth;      /* HOLDS, INCONCLUSIVE */
    uint32_t widest;     /* breadth-first: states of a level that was looked at, at most */
    uint32_t state;      /* SAFETY, DEADLOCK, MODEL_ERROR: where, in the graph of the mode */
    uint32_t length;     /* of the execution to there, in states; 0: it is a shortest one */
    bool raises_outside; /* stubborn sets: there are model errors, but none in the reduced graph */
    bool stuck;          /* MAY, MUST: shown by a terminal state, `state`, on the fly */
    bool late;           /* the point of no return may be told too late: to look for it meets a model error */
    bool false_alarm;    /* stubborn sets: progress is out of reach from a state of the reduced graph, but not really */
};

/* `g` is the graph of the mode, `unreduced` the one without stubborn sets (it may be the same). */
struct expectation expect(const struct options *o, const struct naive_graph *g, const struct naive_graph *unreduced);

/* Goals of may progress; what must progress avoids. */
unsigned may_goals(const struct options *o);
bool must_violated(const struct options *o, const struct naive_graph *g);

/* Always may-terminating? */
bool always_may_terminate(const struct naive_graph *g);
/* Is there a state from which none with these flags is reachable? */
bool some_cannot_reach(const struct naive_graph *g, unsigned flags);
bool some_has(const struct naive_graph *g, unsigned flags);

#endif
