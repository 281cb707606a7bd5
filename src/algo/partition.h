/* partition.h: a partition of the numbers 0 to n-1 that is refined by marking and splitting.
 *
 * The elements of a block are a range of `element`, and so are those of any union of blocks that was once one block: a
 * split never moves an element out of the range that it was in. Marked elements come first in their block. Marking
 * costs a constant time, splitting as much as the smaller half has elements.
 */
#ifndef ALGO_PARTITION_H
#define ALGO_PARTITION_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* What is used together lies together. */
struct partition_place {
    uint32_t at;    /* where the element is in `element` */
    uint32_t block; /* which one it is in */
    uint32_t note;  /* 0 at first; for whoever uses the partition */
};
struct partition_block {
    uint32_t first, end; /* its elements are element[first] to element[end - 1] */
    uint32_t marked;
    uint32_t note; /* that of the block it was split from; 0 at first */
};

struct partition {
    uint32_t blocks;
    uint32_t *element; /* all, block by block */
    struct partition_place *place;
    struct partition_block *block;
};

enum { PARTITION_NONE = UINT32_MAX };

/* One block for each number that `class_of` has, in their order; each is below `classes` and occurs. */
void partition_init(struct partition *p, uint32_t n, const uint32_t *class_of, uint32_t classes);
void partition_fini(struct partition *p);

static inline uint32_t partition_block(const struct partition *p, uint32_t x) { return p->place[x].block; }
static inline uint32_t partition_size(const struct partition *p, uint32_t b) {
    return p->block[b].end - p->block[b].first;
}

/* Marks an element; true if it is the first of its block. Marking twice is as good as once. */
static inline bool partition_mark(struct partition *p, uint32_t x) {
    struct partition_place *place = &p->place[x];
    struct partition_block *b = &p->block[place->block];
    uint32_t border = b->first + b->marked, y = p->element[border];
    assert(p->element[place->at] == x && place->at < b->end); /* each array is the other's inverse */
    if (place->at < border) return false;
    p->element[place->at] = y;
    p->place[y].at = place->at;
    p->element[border] = x;
    place->at = border;
    return b->marked++ == 0;
}

/* Separates the marked elements of a block from the others, and unmarks them. The new block, which has the smaller
 * half, or PARTITION_NONE: there were none of one kind. */
uint32_t partition_split(struct partition *p, uint32_t b);

/* The same as an array that a caller may keep: blocks are numbered in the order of their least elements. */
uint32_t *partition_numbers(const struct partition *p, uint32_t n);

#endif
