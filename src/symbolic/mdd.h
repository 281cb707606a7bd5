/* mdd.h: sets of vectors as multi-valued decision diagrams.
 *
 * A vector has a value for each level 0, 1, ..., levels-1: one of 0 .. size[level]-1. A set is a node on level 0, or
 * MDD_EMPTY; a node of level k stands for a set of vectors of what is left, levels k and below:
 *
 *     word n     the next node with the same hash           a node is known by the place of its first word;
 *     word n+1   level, MARK                                equal sets of one level are the same node;
 *     word n+2.. a child of level k+1 for each value        no node but MDD_EMPTY is the empty set;
 *                                                           children of the last level are MDD_EMPTY or MDD_TRUE
 *
 * Memory. Nodes that nobody needs are collected when the pool is full, then it grows. What is needed is known exactly:
 * nodes below roots (mdd_root), and what operations have in hand, which lies on a stack of their own. So each set that
 * is to outlast the next call that makes nodes must be a root; arguments of the call itself need not be.
 *
 * Giving up. With too little memory, or when `over` says so, m->stopped becomes true; from then on no
 * operation makes a node, and what it returns means nothing. Who has asked must look at m->stopped before he believes
 * any result.
 *
 * Results of operations are kept in a cache, which loses old ones: it is a matter of speed only.
 */
#ifndef SYMBOLIC_MDD_H
#define SYMBOLIC_MDD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef uint32_t mdd; /* a set */

enum { MDD_EMPTY = 0, MDD_TRUE = 1, MDD_FIRST = 4 };

struct mdd_cached {
    uint32_t a, b, c, result; /* c: what was done; 0: nothing is here */
};

struct mdd_limits {
    uint64_t memory;             /* bytes of the whole process; 0: any number */
    uint64_t pool;               /* bytes of nodes; 0: any number */
    uint64_t cache;              /* most entries of the cache, a power of 2, at least 4; 0: 2^24 */
    uint64_t work;               /* lookups in the cache; 0: any number */
    uint32_t first;              /* nodes are collected for the first time when so many were made; 0: 2^20 */
    bool (*over)(void *context); /* asked now and then; may be NULL */
    void *context;
};

enum mdd_reason { MDD_GOES_ON, MDD_NO_MEMORY, MDD_NO_WORK, MDD_OVER };

struct mdd_pool {
    uint32_t levels;
    const uint32_t *size;
    struct mdd_limits limits;
    enum mdd_reason stopped;
    struct region region;
    uint32_t *at;         /* nodes */
    uint64_t end;         /* words that are used, or free again */
    uint64_t collect;     /* when so many nodes were made, they are collected; */
    uint64_t made_before; /* ... since that was done last, with so many in all */
    uint32_t *free;       /* of each level: nodes that are free, chained */
    uint64_t nodes, made, peak, collections;
    uint32_t *bucket, bucket_mask;
    struct mdd_cached *cache;
    uint32_t cache_mask;
    uint64_t lookups, hits, looks;
    uint32_t *stack; /* what operations have in hand */
    uint32_t stack_top, stack_room;
    mdd **root;
    uint32_t roots, root_room;
    uint64_t *selected; /* sets of values that mdd_select was asked for: `selection_words` each */
    uint32_t selections, selection_room, selection_words;
};

/* `size` must last. False: no memory. */
bool mdd_init(struct mdd_pool *m, uint32_t levels, const uint32_t *size, const struct mdd_limits *limits);
void mdd_fini(struct mdd_pool *m);

/* ---- What is needed ---- */

/* *set, which may change, is needed from now on, until it is dropped; the last comes first. */
void mdd_root(struct mdd_pool *m, mdd *set);
void mdd_drop(struct mdd_pool *m, uint32_t count);
void mdd_unroot(struct mdd_pool *m, const mdd *set); /* this one, wherever it is on the list */

/* Collects now. */
void mdd_collect(struct mdd_pool *m);

/* ---- Nodes ---- */

static inline uint32_t mdd_level(const struct mdd_pool *m, mdd a) { return a == MDD_TRUE ? m->levels : m->at[a + 1]; }
static inline mdd mdd_child(const struct mdd_pool *m, mdd a, uint32_t value) { return m->at[a + 2 + value]; }

/* The node with these children, which lie on the stack. */
mdd mdd_make(struct mdd_pool *m, uint32_t level, const uint32_t *children);

/* Room for `count` numbers of nodes on the stack, all MDD_EMPTY; given back in the opposite order. */
uint32_t *mdd_push(struct mdd_pool *m, uint32_t count);
static inline void mdd_pop(struct mdd_pool *m, uint32_t count) { m->stack_top -= count; }

/* ---- The cache, for operations ---- */

enum mdd_operation {
    MDD_UNION = 1,
    MDD_MINUS,
    MDD_INTERSECT,
    MDD_SELECT,       /* b: a selection */
    MDD_IMAGE,        /* c: and a relation */
    MDD_SOURCES,      /* the same */
    MDD_SATURATE,     /* c: and a way */
    MDD_SATURATE_STEP /* c: and a relation */
};
enum { MDD_OPERATION_BITS = 4 };

void mdd_forget(struct mdd_pool *m); /* all of it */
bool mdd_cached(struct mdd_pool *m, uint32_t a, uint32_t b, uint32_t c, mdd *result);
void mdd_cache(struct mdd_pool *m, uint32_t a, uint32_t b, uint32_t c, mdd result);

/* ---- Sets ---- */

mdd mdd_union(struct mdd_pool *m, mdd a, mdd b);
mdd mdd_minus(struct mdd_pool *m, mdd a, mdd b);
mdd mdd_intersect(struct mdd_pool *m, mdd a, mdd b);
mdd mdd_one(struct mdd_pool *m, const uint32_t *vector);
/* The vectors of a that have on this level one of the values in a set of bits. */
mdd mdd_select(struct mdd_pool *m, mdd a, uint32_t level, const uint64_t *values);

bool mdd_has(const struct mdd_pool *m, mdd a, const uint32_t *vector);
/* The number of vectors, in `limbs` limbs. */
void mdd_count(struct mdd_pool *m, mdd a, uint64_t *count, uint32_t limbs);
uint32_t mdd_limbs(const struct mdd_pool *m); /* that hold any number of vectors, times 2^32 */
uint64_t mdd_nodes(struct mdd_pool *m, mdd a);

/* For operations on arguments that the stack has. */
mdd mdd_unite(struct mdd_pool *m, mdd a, mdd b);
mdd mdd_meet(struct mdd_pool *m, mdd a, mdd b);

#endif
