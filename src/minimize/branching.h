/* branching.h: what the parts of bisimulation_branching share. branching.c tells how it works.
 *
 * A tau-edge is *inert* while both of its ends are in the same block. A state without inert edges is a *bottom* state
 * of its block; every state gets to one by inert edges. The elements of a block are its marked bottom states, its other
 * bottom states, and then the rest.
 *
 * A *slice* is all bundles of the states of one block that have the same label and territory; those of bottom states
 * come first in it. A block has a list of slices.
 */
#ifndef MINIMIZE_BRANCHING_H
#define MINIMIZE_BRANCHING_H

#include "minimize/bundles.h"
#include "lts/lts.h"

enum { NONE = UINT32_MAX };

struct bundle {
    uint32_t state, slice;
    uint32_t next, previous; /* in its slice */
    uint32_t sibling;        /* the next bundle of the state */
};

struct slice {
    uint32_t head, tail, block;
    uint32_t next, previous;  /* in its block; `next` also in the list of those that are free */
    uint32_t moved, moved_at; /* where bundles of it went in split number `moved_at`; of a new one: its origin */
    bool pending;             /* it may be that some bottom states have no bundle in it */
};

/* A tau-edge, as its target sees it, and as its source does. */
struct tau_in {
    uint32_t source, bundle; /* NONE: inside a territory */
};
struct tau_out {
    uint32_t target, in; /* number of the other view */
};

/* One of two searches that run side by side. */
struct search {
    uint32_t *list, count, at; /* what was found; those before `at` have been dealt with but for edges from `edge` on */
    uint32_t edge;
    uint32_t seed; /* what is to be tried next as a starting point */
    uint64_t work;
    bool finished, too_large;
};

struct branching_state {
    uint32_t place; /* in `element` */
    uint32_t block;
    uint32_t inert;   /* how many inert edges leave it */
    uint32_t bundles; /* the first one */
    uint32_t left;    /* how many inert edges have not been found to miss the splitter; 0: no matter */
    uint8_t side;     /* which search has found it */
    uint8_t crosses;  /* it is in `crossing` */
};

struct branching_block {
    uint32_t first, end; /* its elements are element[first] to element[end - 1] */
    uint32_t bottoms, marked;
    uint32_t slices; /* the first one */
    uint32_t territory;
};

struct branching {
    const struct lts *lts;
    struct arrows arrows; /* visible ones, and the counts of all bundles */
    struct bundle *bundle;
    struct slice *slice;
    uint32_t slices, slice_room, free_slice;
    uint32_t *tau_in_first, *tau_out_first; /* of a state */
    struct tau_in *tau_in;
    struct tau_out *tau_out;
    struct branching_state *state;
    uint32_t *element; /* all states, block by block */
    struct branching_block *block;
    struct {
        uint32_t from, to;
    } * territory; /* range of elements */
    uint32_t blocks, splits, territories;
    uint32_t *work, working;                  /* territories with several blocks */
    uint32_t *pending, waiting, waiting_room; /* slices */
    /* Searches. */
    struct search reach, miss;        /* those that get to the splitter, and those that do not */
    uint32_t *counted, counted_count; /* states whose `left` is not 0 */
    /* After a split: states of one part that have a tau-edge into the other. */
    uint32_t *crossing, crossing_count;
    uint32_t tracked[2]; /* slices that branching_refine follows to the block that it returns; NONE: none */
};

static inline bool is_bottom(const struct branching *g, uint32_t s) { return g->state[s].inert == 0; }

static inline bool several_blocks(const struct branching *g, uint32_t x) {
    return g->block[g->state[g->element[g->territory[x].from]].block].end < g->territory[x].to;
}

/* Bundles and slices. */
uint32_t branching_new_slice(struct branching *g, uint32_t block);
void branching_drop_if_empty(struct branching *g, uint32_t slice);
void branching_unlink(struct branching *g, uint32_t bundle);
void branching_link(struct branching *g, uint32_t bundle, uint32_t slice); /* to where its state belongs in it */
uint32_t branching_new_bundle(struct branching *g, uint32_t state, uint32_t count, uint32_t slice);
void branching_set_pending(struct branching *g, uint32_t slice);
/* After a split: the slice, or what came out of it, if that is in the block, else NONE. */
uint32_t branching_follow(const struct branching *g, uint32_t slice, uint32_t block);
void branching_mark(struct branching *g, uint32_t s); /* not marked before */

/* Moves the n states listed out of their block into a new one, which is returned. */
uint32_t branching_split_off(struct branching *g, uint32_t block, const uint32_t *states, uint32_t n);
/* After that: edges from `upper` to `lower`, which were inert, are not any more. Fills `crossing`. */
void branching_cut(struct branching *g, uint32_t upper, uint32_t lower, const uint32_t *states, uint32_t n,
                   bool lower_is_new);

/* Splits a block in those states that get to the slice by inert edges and those that do not. The bottom states with a
 * bundle in it must be marked; they are not afterwards. Returns the block of those states that get to the slice and for
 * which nothing else has changed, and follows `tracked` there; of all others, slices may be pending. NONE: there are no
 * such states. */
uint32_t branching_refine(struct branching *g, uint32_t block, uint32_t slice);

#endif
