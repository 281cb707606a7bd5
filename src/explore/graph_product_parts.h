/* graph_product_parts.h: what the two files of graph_product.h share. */
#ifndef EXPLORE_GRAPH_PRODUCT_PARTS_H
#define EXPLORE_GRAPH_PRODUCT_PARTS_H

#include "base/bitmap.h"
#include "explore/graph_product.h"

#define NONE UINT64_MAX

/* A state of the product: state of the model << shift | state of the automaton. */
typedef uint64_t pair;

/* What a thread has found. */
struct catch {
    pair *at;
    size_t count, room;
    uint64_t edges;
};

struct graph_product {
    struct emptiness *x;
    struct space *s; /* of the model */
    unsigned shift;
    struct region values; /* uint16_t: of each state of the model */
    uint64_t *next;       /* [valuation << shift | state]: what the automaton may be in after reading it */
    uint64_t finite;      /* states of the automaton that accept whatever follows, */
    uint64_t accepts;     /* ... that accept if they are met again and again, */
    uint64_t *own;        /* ... and of each state: its component, if that may be stayed in and has an accepting one */
    struct bitmap met;
    struct region order; /* pair: all that were met, level by level */
    uint64_t count, edges;
    bool reaching; /* the model is done */
    struct numbers levels;
    struct catch *catches; /* by thread */
    /* One run of the team. */
    const word *items;
    uint64_t first;
    uint32_t size;
    _Atomic bool failed;
};

static inline uint16_t *values_of(const struct graph_product *g) { return (uint16_t *)(void *)g->values.base; }
static inline pair *order_of(const struct graph_product *g) { return (pair *)(void *)g->order.base; }
static inline uint64_t bit(uint32_t state) { return UINT64_C(1) << state; }
static inline uint32_t state_in(const struct graph_product *g, pair p) { return (uint32_t)(p & (bit(g->shift) - 1)); }

static inline bool give_up(struct graph_product *g, const char *reason) {
    g->x->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

static inline bool no_memory(struct graph_product *g) {
    return give_up(g, "no memory was left for the product; raise --max-memory");
}

/* How many bits tell so many things apart. */
static inline unsigned bits_for(uint32_t count) {
    unsigned bits = 0;
    while (count > UINT64_C(1) << bits) bits++;
    return bits;
}

/* graph_product.c: the states once more, in the order of one thread: they have the numbers that a breadth-first search
 * gives them. False: x->stop says why not. */
bool graph_product_reach_in_order(struct graph_product *g);
/* The first in [begin, end) of the order that accepts whatever follows, or NONE. */
uint64_t graph_product_finite(const struct graph_product *g, uint64_t begin, uint64_t end);

/* graph_product_cycle.c: looks for an accepted cycle, and shows it in x->found; or the state of the last level that
 * accepts whatever follows. False: x->stop says why not. */
bool graph_product_cycle(struct graph_product *g);
bool graph_product_prefix(struct graph_product *g);

#endif
