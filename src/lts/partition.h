/* partition.h: a partition of the numbers 0 to n-1 that is refined by marking and splitting.
 *
 * The elements of a block are a range of `element`, and so are those of any union of blocks that was once one block: a
 * split never moves an element out of the range that it was in. Marked elements come first in their block. Marking costs
 * a constant time, splitting as much as the smaller half has elements.
 */
#ifndef LTS_PARTITION_H
#define LTS_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

struct partition {
    uint32_t blocks;
    uint32_t *element;              /* all, block by block */
    uint32_t *place;                /* where an element is in `element` */
    uint32_t *block;                /* of an element */
    uint32_t *first, *end, *marked; /* of a block */
};

enum { PARTITION_NONE = UINT32_MAX };

/* One block for each number that `class_of` has, in their order; each is below `classes` and occurs. */
void partition_init(struct partition *p, uint32_t n, const uint8_t *class_of, uint32_t classes);
void partition_fini(struct partition *p);

static inline uint32_t partition_size(const struct partition *p, uint32_t b) { return p->end[b] - p->first[b]; }

static inline void partition_swap(struct partition *p, uint32_t i, uint32_t j) {
    uint32_t x = p->element[i], y = p->element[j];
    p->element[i] = y;
    p->place[y] = i;
    p->element[j] = x;
    p->place[x] = j;
}

/* Marks an element; true if it is the first of its block. Marking twice is as good as once. */
static inline bool partition_mark(struct partition *p, uint32_t x) {
    uint32_t b = p->block[x], border = p->first[b] + p->marked[b];
    if (p->place[x] < border) return false;
    partition_swap(p, p->place[x], border);
    return p->marked[b]++ == 0;
}

/* Separates the marked elements of a block from the others, and unmarks them. The new block, which has the smaller half,
 * or PARTITION_NONE: there were none of one kind. */
uint32_t partition_split(struct partition *p, uint32_t b);

/* The same as an array that a caller may keep: blocks are numbered in the order of their least elements. */
uint32_t *partition_numbers(const struct partition *p, uint32_t n);

#endif
