/* graph.h: an explicit graph as a transition system, so that searches can be held against naive answers.
 *
 * States are 0, 1, ..., count-1; 0 is the initial one. Each transition leads from a state to at most one state. What a
 * model's functions would answer is stored in tables, which the test fills as it likes.
 */
#ifndef UNIT_GRAPH_H
#define UNIT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/space.h"
#include "ts/ts.h"

#define NO_STATE UINT32_MAX

struct graph {
    struct ts ts; /* the first member: the graph is one */
    uint32_t count;
    uint32_t *next;    /* [state * transitions + t]: where t leads, or NO_STATE */
    uint8_t *classes;  /* by state: TS_BAD | TS_MAY | TS_MUST */
    bool *illegal;     /* by state: check_deadlock complains */
    uint32_t *image;   /* by state: its representative */
    uint64_t *values;  /* by state: which of the propositions p0, p1, ... hold */
    uint32_t *actions; /* by transition: the action, if ts.actions says that there are some; the test's own */
    uint32_t shades;   /* not 0: an action that is seen is that much more where p0 holds */
    bool *observable;  /* by transition, if ts.observable_known; the test's own */
    bool *changes;     /* [p * transitions + t]: t may change proposition p; NULL until graph_changes: not known */
    bool *obliges;     /* [(state * transitions + t) * transitions + u]: t obliges u; NULL until graph_obliges */
    /* Model code fails: fire, when fault_transition (TS_NONE: any) is asked for in fault_state; classify, in
     * fault_class_state; the kind is fault_kind. */
    uint32_t fault_state, fault_transition, fault_class_state;
    enum ts_fault_kind fault_kind;
    _Atomic uint64_t expanded; /* states expanded so far */
    bool keep_edges;           /* graph_space notes the edges of all states */
    unsigned threads;          /* graph_space searches with so many, */
    uint64_t layout_from;      /* ... and this (space.h); 0: as usual */
};

/* Without edges; all classes 0; every state its own image. */
void graph_init(struct graph *g, uint32_t count, uint32_t transitions, uint32_t words);
void graph_fini(struct graph *g);
bool *graph_obliges(struct graph *g, uint32_t s, uint32_t t); /* the row of t in s */
bool *graph_changes(struct graph *g, uint32_t p, uint32_t t);

static inline uint32_t *graph_next(struct graph *g, uint32_t s, uint32_t t) {
    return &g->next[s * g->ts.transitions + t];
}

/* Every transition of every state leads somewhere with the given chance: within `reach` of the state (modulo count), or
 * anywhere if that is 0. */
void graph_randomise(struct graph *g, uint32_t percent, uint32_t reach, uint64_t seed);

/* Numbers of threads, for test number i: often one, as that is quick. */
unsigned graph_threads(uint64_t i);

struct ts_worker *graph_worker(struct graph *g);
void graph_encode(const struct graph *g, uint32_t id, word *out);
uint32_t graph_decode(const struct graph *g, const word *state); /* stops the test if it is no state of the graph */

/* The successors of s in the order in which expand yields them: room for all transitions in each list. */
uint32_t graph_successors(const struct graph *g, uint32_t s, uint32_t *to, uint32_t *labels);

/* Naive breadth-first search: order[i] is the i-th state, level[s] its distance from 0 or NO_STATE. Returns how many
 * are reachable. Both have room for all states. */
uint32_t graph_explore(const struct graph *g, uint32_t *order, uint32_t *level);

/* The whole space of the graph, built by bfs_run without any checks. `max_memory`: 0 for plenty. */
void graph_space(struct space *s, struct graph *g, struct ts_worker *w, uint64_t max_memory);

/* State number i of the space. */
uint32_t graph_number(struct space *s, uint64_t i);
uint64_t graph_slot(struct space *s, uint32_t id);

#endif
