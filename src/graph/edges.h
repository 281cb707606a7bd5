/* edges.h: the successors of all states of a space, in memory, for questions that are asked after the search.
 *
 * A search that knows that such questions will come notes the successors of every state while it has them, as numbers.
 * A new state gets the next number; one that was met a short while ago is found in a small cache. The others are noted
 * by their keys, and get numbers all together when the first question is asked (edges_settle).
 *
 * If they would take too much of the memory that the program may use, they are given up (space.edges_kept becomes
 * false). Then states have to be expanded again.
 *
 *     targets   | successors of state 0 | of state 1 | ...
 *     counts    how many each state has
 *     starts    where those of every 64th state begin
 */
#ifndef GRAPH_EDGES_H
#define GRAPH_EDGES_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "ts/ts.h"

struct space;
struct stop;

struct edges {
    struct region targets; /* uint32_t: numbers of successors */
    struct region counts;  /* uint16_t: of each state */
    struct region starts;  /* uint64_t: of states 0, 64, 128, ... */
    struct region keys;    /* uint64_t: of successors whose numbers are not known yet */
    uint64_t count;        /* edges */
    uint64_t states;
    uint64_t unknown; /* keys */
    struct edges_recent {
        uint64_t key; /* complemented; 0: none */
        uint32_t target;
    } * recent; /* cache: what was noted for this key */
    bool settled;
};

enum { EDGES_MOST_COUNT = 65535 }; /* successors of a state, and transitions of a system */

#define EDGES_TARGETS(e) ((uint32_t *)(void *)(e)->targets.base)
#define EDGES_COUNTS(e) ((uint16_t *)(void *)(e)->counts.base)
#define EDGES_STARTS(e) ((uint64_t *)(void *)(e)->starts.base)

/* Notes the successors of a batch that was expanded, by their keys. Those with indices fresh[0], fresh[1], ... are new:
 * they are states number `next`, next + 1, .... */
void edges_note(struct space *s, const struct ts_batch *batch, const uint64_t *keys, const uint32_t *fresh,
                uint32_t fresh_count, uint64_t next);

/* Keys are others now: `change` replaces old ones, up to `most` at a time. Before edges_settle. */
void edges_change_keys(struct space *s, void (*change)(void *context, uint64_t *keys, uint32_t n), void *context,
                       uint32_t most);

enum edges_settled {
    EDGES_SETTLED,
    EDGES_GIVEN_UP, /* there are none any more: states must be expanded again */
    EDGES_STOPPED,  /* the same, and the question is not to be answered: *stop says why */
};

/* To be called when the space is complete: now all successors are known by their numbers. */
enum edges_settled edges_settle(struct space *s, struct stop *stop);

/* After edges_settle: where the successors of a state begin among the targets. */
static inline uint64_t edges_begin(const struct edges *e, uint64_t state) {
    assert(state < e->states);
    uint64_t at = EDGES_STARTS(e)[state / 64];
    for (uint64_t i = state / 64 * 64; i < state; i++) at += EDGES_COUNTS(e)[i];
    return at;
}

/* Gives them up. */
void edges_drop(struct space *s);

#endif
