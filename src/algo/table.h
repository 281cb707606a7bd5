/* table.h: which number a thing has. Things get the numbers 0, 1, 2, ... in the order in which they are put in; they
 * are not kept here, but in an array of the caller's, and found by their contents: "find this, else give it the next
 * number".
 *
 *     uint32_t *cell = table_find(&t, hash, same, things, &wanted);
 *     if (*cell) return *cell - 1;
 *     ... add the thing to the array ...
 *     return table_put(&t, cell, hash_of, things);
 *
 * Both calls are compiled into the caller, and with them the functions that they are given.
 */
#ifndef ALGO_TABLE_H
#define ALGO_TABLE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"

struct table {
    uint32_t *cell, mask; /* open addressing: a number + 1, or 0 */
    uint32_t count;       /* things */
};

/* Is the thing with this number what is wanted? And its hash, of which the low bits must be good. */
typedef bool table_same(const void *things, const void *wanted, uint32_t number);
typedef uint32_t table_hash(const void *things, uint32_t number);

#define TABLE_INLINE static inline __attribute__((always_inline))

/* `cells` is a power of 2; there are more as they are needed. */
static inline void table_init(struct table *t, uint32_t cells) {
    assert(cells > 0 && (cells & (cells - 1)) == 0);
    *t = (struct table){.cell = memory_get_zeroed(cells * sizeof *t->cell), .mask = cells - 1};
}

static inline void table_fini(struct table *t) {
    free(t->cell);
    *t = (struct table){0};
}

static inline uint64_t table_bytes(const struct table *t) { return (t->mask + UINT64_C(1)) * sizeof *t->cell; }

/* The cell of the thing, which holds its number + 1; or, with 0, the one where it goes if it is put in now. */
TABLE_INLINE uint32_t *table_find(const struct table *t, uint32_t hash, table_same *same, const void *things,
                                  const void *wanted) {
    uint32_t at = hash & t->mask;
    while (t->cell[at] && !same(things, wanted, t->cell[at] - 1)) at = (at + 1) & t->mask;
    return &t->cell[at];
}

/* The thing for which `cell` was found is among the caller's now. Its number. */
TABLE_INLINE uint32_t table_put(struct table *t, uint32_t *cell, table_hash *hash_of, const void *things) {
    assert(*cell == 0 && t->count <= t->mask); /* so that every search ends at an empty cell */
    *cell = ++t->count;
    if (__builtin_expect(t->count > t->mask / 2, 0)) {
        struct table larger;
        table_init(&larger, 2 * (t->mask + 1));
        for (; larger.count < t->count; larger.count++) {
            uint32_t at = hash_of(things, larger.count) & larger.mask;
            while (larger.cell[at]) at = (at + 1) & larger.mask;
            larger.cell[at] = larger.count + 1;
        }
        free(t->cell);
        *t = larger;
    }
    return t->count - 1;
}

#endif
