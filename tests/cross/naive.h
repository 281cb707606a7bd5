/* naive.h: an independent checker of random models, written for simplicity.
 *
 * It shares the description of the model with the onager side, and nothing else: states are arrays of small values in a
 * plain hash table, stubborn sets come from a recursive textbook version of Tarjan's algorithm, and the questions are
 * answered by repeating a step until nothing changes. Where the graph is small, every answer is also computed literally
 * from its definition, by a search from each state, and the two must be equal (naive_self_check).
 *
 * A graph is always built as a whole: errors do not stop it.
 */
#ifndef NAIVE_H
#define NAIVE_H

#include "random_model.h"

struct naive_mode {
    bool stubborn, symmetry;
    bool forward; /* --scan forward */
    bool must;    /* with stubborn, without symmetry: sets that preserve must progress */
};

enum naive_flag {
    NAIVE_BAD = 1,
    NAIVE_TERMINAL = 2,
    NAIVE_ILLEGAL_END = 4, /* terminal, and the model says that it must not end here */
    NAIVE_MAY = 8,         /* what the model's may_progress and must_progress say */
    NAIVE_MUST = 16,
    NAIVE_RAISES_FIRE = 32,  /* model_error is called when this state is expanded, */
    NAIVE_RAISES_STATE = 64, /* when it is checked, */
    NAIVE_RAISES_END = 128,  /* when it is found to be terminal */
};

struct naive_edge {
    uint32_t from, to;
    uint8_t label;
};

struct naive_graph {
    const struct rm_model *model;
    struct naive_mode mode;
    uint32_t states, edges;
    uint32_t depth;            /* of the deepest state */
    uint8_t (*state)[RM_VARS]; /* in breadth-first order */
    uint32_t *depth_of;
    uint8_t *flags;
    struct naive_edge *edge; /* those of a state stand together, in the order of firing */
    uint32_t *first_edge;    /* states + 1 */
    uint32_t *table;         /* open addressing: state number + 1, or 0 */
    uint32_t table_size;
};

void naive_build(struct naive_graph *g, const struct rm_model *m, struct naive_mode mode);
void naive_free(struct naive_graph *g);
/* UINT32_MAX: not there. */
uint32_t naive_find(const struct naive_graph *g, const uint8_t *s);

/* For each state: is a state with one of these flags reachable (in 0 or more steps)? To be freed. */
bool *naive_can_reach(const struct naive_graph *g, unsigned flags);
/* Is there a cycle without states that have one of these flags? */
bool naive_cycle_avoiding(const struct naive_graph *g, unsigned flags);
/* Is there a cycle on which `often` occurs and no member of `rarely` does? */
bool naive_infinitely(const struct naive_graph *g, unsigned often, uint32_t rarely);

/* Audits of a model, on its full graph. NULL, or what is wrong.
 * Obligations: for every state s and transition t, let U be what the rules force into a set with t.
 * Every member of U must keep D1 and D2 with respect to all words of transitions outside U. Symmetry: a state and its
 * representative must have successors with the same representatives, and the checks must answer the same. */
const char *naive_audit_obligations(const struct naive_graph *full);
/* The same, of the sets only that a reduced graph without symmetry uses. */
const char *naive_audit_used(const struct naive_graph *full, const struct naive_graph *reduced);
const char *naive_audit_symmetry(const struct naive_graph *full, bool declared);
/* How many orbits the states of a full graph form, found by trying all permutations of processes. */
uint32_t naive_orbits(const struct naive_graph *full);

/* Graphs with at most this many states are checked a second time, literally. Returns a complaint or NULL. */
enum { NAIVE_SMALL = 250 };
const char *naive_self_check(const struct naive_graph *g, unsigned often, uint32_t rarely);

#endif
