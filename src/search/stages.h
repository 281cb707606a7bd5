/* stages.h: what is done with the states of a breadth-first level, a block of chunks at a time.
 *
 *     expand   chunks: successors of the sources, their images
 *     number   chunks: the same for long states, whose images need room for their parts before
 *     insert   shards: the images of all chunks, in the order of the chunks
 *     collect  chunks: which successors are new, in order, and what is wrong with them
 *
 * A stage of a block consists of tasks that may be done by any thread in any order. Tasks of different stages of
 * different blocks do not touch each other's data either, so that a block can be expanded while the block before it is
 * inserted and the one before that is collected. But a stage must be complete before the next stage of the same block,
 * and before the same stage of the next block.
 *
 * Shards are in groups of a few. The images of a chunk are sorted by groups, if there is more than one; to pick its own
 * from those of its group costs a shard less than to have them sorted, as what one thread has written and another one
 * reads is expensive to write again.
 *
 * Since each shard sees its images in order, it is the first of equal states that is new, whatever the number of
 * threads; so is all that follows.
 */
#ifndef SEARCH_STAGES_H
#define SEARCH_STAGES_H

#include <stdatomic.h>

#include "search/bfs.h"
#include "search/sieve.h"

/* What the first source, or new state, with something wrong in this chunk is. */
struct finding {
    enum stop_kind kind;   /* STOP_DONE: nothing */
    uint32_t source;       /* index in the chunk where it was found */
    uint32_t edge;         /* edges of the chunk up to then */
    uint32_t fresh;        /* STOP_BAD_STATE, or a fault in a new state: its index; else UINT32_MAX */
    struct ts_fault fault; /* STOP_FAULT */
};

struct chunk {
    uint64_t first; /* number of the first source */
    word *items;    /* the sources, as they are on the trail */
    word *sources;
    struct ts_batch batch; /* expansion */
    uint32_t done;         /* sources that were expanded */
    uint32_t edges;        /* successors of these */
    uint32_t left;         /* successors that were not met recently */
    uint64_t *keys;        /* of long states; those of others are quickly computed */
    uint64_t *images;      /* of the successors that are left, by group */
    uint32_t *indices;     /* of these successors */
    uint32_t *begins;      /* of the groups, in `images`; one more at the end, where the last one ends */
    uint64_t *marks;       /* of each shard: a bit for each of the images: whether it is new */
    uint64_t *is_fresh;    /* a bit for each successor */
    uint32_t *fresh;       /* indices of successors that are new */
    uint32_t fresh_count;
    word *fresh_states;
    uint64_t *fresh_keys;
    struct ts_batch found; /* classification of new states */
    uint32_t terminals;
    struct finding finding;
};

struct block {
    struct chunk *chunks;
    uint32_t count;              /* chunks that are in use */
    bool alone;                  /* one chunk, and no other block: there is nothing to share out, and nothing to sort */
    unsigned stage;              /* the next one */
    _Atomic bool full;           /* a shard could not grow */
    _Atomic uint32_t last_chunk; /* the search ends there, or before: those after it need not be looked at */
};

struct workshop {
    uint32_t *labels;        /* expand: of the successors of a chunk */
    uint64_t *keys, *images; /* expand: the same, */
    uint32_t *indices;       /* ... and its indices, if they are to be sorted */
    struct sieve sieve;      /* expand: leaves out recent successors */
    uint32_t next_task;      /* expand: all chunks of this block that went through the sieve are below this */
    uint64_t *gathered;      /* insert: the images of one shard */
    uint32_t *places;        /* insert: where in its chunk each was */
    uint32_t *chunk_ends;    /* insert: where those of each chunk end */
    uint32_t *fresh;         /* insert: which of them are new */
};

enum {
    MOST_STAGES = 4,
    MOST_BLOCKS = MOST_STAGES + 2, /* under way: one more is read, and one more is finished */
    CHUNKS_EACH = 8, /* in a block, for each thread: small enough for the caches, large enough for few rounds */
};

struct stages {
    struct space *s;
    const struct bfs_goals *goals;
    unsigned shards, group_bits; /* the latter of the number of groups */
    uint32_t mark_words;         /* for each shard, in a chunk */
    bool numbering;              /* long states: there is a stage for their numbers */
    unsigned count;              /* of stages */
    uint32_t chunk_sources, chunk_room;
    struct workshop *workshops; /* one for each thread */
};

void stages_init(struct stages *g, struct space *s, const struct bfs_goals *goals);
void stages_fini(struct stages *g);
void block_init(struct block *k, const struct stages *g);
void block_fini(struct block *k, const struct stages *g);

/* A block whose chunks have been filled begins with its first stage. */
void block_begin(struct block *k, uint32_t count, bool alone);

/* How many tasks the next stage of a block has, and one of them. To be called when a stage begins: stage_begin. */
uint32_t stage_tasks(const struct stages *g, const struct block *k);
void stage_begin(struct stages *g, const struct block *k);
void stage_task(struct stages *g, struct block *k, unsigned member, uint32_t task);
/* The stage is complete. False: there is no memory for what comes next. */
bool stage_end(struct stages *g, struct block *k);

/* Of the initial state, as if it were the only successor of nothing, in a block of its own. */
void block_of_initial(struct stages *g, struct block *k, const word *start);

#endif
