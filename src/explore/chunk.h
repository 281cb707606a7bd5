/* chunk.h: what is done with some consecutive states of a breadth-first level, in this order.
 *
 *     expand   their successors
 *     number   images of the successors, without those that were met recently; long states need room for their parts
 *     insert   the images, into one shard after the other
 *     collect  which successors are new, in order, and what is wrong with them
 *
 * Each chunk is in the hands of one thread, which finds in its caches what it left there. Different threads may do
 * anything with different chunks at the same time, but for this: a shard must be given the images of one chunk after
 * those of the chunk before. So it is the first of equal states that is new, whatever the number of threads; and so is
 * all that follows. A thread must number its chunks in order, too.
 */
#ifndef EXPLORE_CHUNK_H
#define EXPLORE_CHUNK_H

#include <stdatomic.h>

#include "explore/bfs.h"
#include "store/chunk_size.h"
#include "store/sieve.h"

/* What the first source, or new state, with something wrong in this chunk is. */
struct finding {
    enum stop_kind kind;   /* STOP_DONE: nothing */
    uint32_t source;       /* index in the chunk where it was found */
    uint32_t successors;   /* of the chunk up to then */
    uint32_t edges;        /* the same, with those that were left out */
    uint32_t fresh;        /* STOP_BAD_STATE, or a fault in a new state: its index; else UINT32_MAX */
    struct ts_fault fault; /* STOP_FAULT */
};

/* How far it is. */
enum chunk_stage { CHUNK_FREE, CHUNK_EXPANDED, CHUNK_NUMBERED, CHUNK_COLLECTED };

struct chunk {
    _Atomic enum chunk_stage stage;
    uint64_t number;   /* in the order of the search */
    uint64_t first;    /* number of the first source */
    bool begins_level; /* it is the first of a level, and not all of the level before is finished */
    word *items;       /* the sources, as they are on the trail */
    uint8_t *origins;  /* of the sources, and of siblings after the last; NULL: all successors are looked at */
    word *sources;
    struct ts_batch batch; /* expansion */
    uint32_t done;         /* sources that were expanded */
    uint32_t edges;        /* successors of these, without those that were left out; */
    uint32_t total;        /* ... and with them */
    uint32_t left;         /* successors that were not met recently */
    uint64_t *keys;        /* of long states; those of others are quickly computed */
    uint64_t *images;      /* of the successors that are left, by group of shards */
    uint32_t *indices;     /* of these successors */
    uint32_t *begins;      /* of the groups, in `images`; one more at the end, where the last one ends */
    uint64_t *is_fresh;    /* a bit for each successor */
    uint32_t *fresh;       /* indices of successors that are new */
    uint32_t fresh_count;
    bool full; /* a shard could not grow, and some images were not inserted */
    word *fresh_states;
    uint64_t *fresh_keys;
    uint8_t *fresh_origins; /* if there are origins */
    struct ts_batch found;  /* classification of new states */
    uint32_t terminals;
    struct finding finding;
};

/* What one thread needs. */
struct workshop {
    uint32_t *labels;        /* expand: of the successors */
    uint8_t *fired;          /* expand: transitions that have occurred; NULL: not asked */
    bool all_fired;          /* ... are all: nothing more is noted */
    uint64_t *keys, *images; /* number: the same, */
    uint32_t *indices;       /* ... and its indices, if they are to be sorted */
    struct sieve sieve;      /* number: leaves out recent successors */
    uint64_t *picked;        /* insert: the images of one shard */
    uint32_t *places;        /* insert: where in the chunk each is */
    uint32_t *fresh;         /* insert: which of them are new */
};

/* What all chunks of a search have in common. */
struct chunk_plan {
    struct space *s;
    const struct bfs_goals *goals;
    unsigned shards, group_bits; /* the latter of the number of groups of shards */
    bool numbering;              /* long states, which need room for their parts */
    bool origins;                /* successors that are known beforehand are left out: see ts.h */
    uint32_t batch, sources;     /* of a small chunk, and of a large one */
    struct workshop *workshops;  /* one for each thread */
};

void chunk_plan_init(struct chunk_plan *p, struct space *s, const struct bfs_goals *goals);
/* Images are others now: recent ones are forgotten. */
void chunk_plan_forget(struct chunk_plan *p);
void chunk_plan_fini(struct chunk_plan *p);
void chunk_init(struct chunk *c, const struct chunk_plan *p);
void chunk_fini(struct chunk *c);

/* `member` is the thread. What is needed: batch.count, items, origins. */
void chunk_expand(const struct chunk_plan *p, struct chunk *c, unsigned member);
/* The other way to begin: as if it had one source, whose successor is the initial state. */
void chunk_of_initial(const struct chunk_plan *p, struct chunk *c, const word *start);
/* There must be room for the parts of c->edges states: store_reserve. False: there is none in a dictionary of
 * components (store_widen), and the chunk is as it was. */
MUST_BE_USED bool chunk_number(const struct chunk_plan *p, struct chunk *c, unsigned member);
/* Looks which images belong to the shard: how many. Then these are inserted. */
uint32_t chunk_pick(const struct chunk_plan *p, const struct chunk *c, unsigned member, unsigned shard);
void chunk_insert(const struct chunk_plan *p, struct chunk *c, unsigned member, unsigned shard, uint32_t picked);
/* Edges of the sources before this one. */
static inline uint32_t chunk_edges_before(const struct chunk *c, uint32_t source) {
    return source == 0 ? 0 : (c->origins ? c->batch.totals : c->batch.ends)[source - 1];
}
/* False: something was found. */
bool chunk_collect(const struct chunk_plan *p, struct chunk *c, unsigned member);

#endif
