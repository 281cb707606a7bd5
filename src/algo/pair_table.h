/* pair_table.h: items that begin with two numbers, found by these.
 *
 * The items are an array of the caller's, of structs whose first members are the two numbers (uint32_t). An item is
 * added at the end of the array, and then made known here. Numbers of items do not change.
 */
#ifndef ALGO_PAIR_TABLE_H
#define ALGO_PAIR_TABLE_H

#include "algo/table.h"

enum { TWINS_NONE = UINT32_MAX };

struct twins {
    struct table table;
    size_t size; /* of an item */
};

void twins_init(struct twins *t, size_t size);
void twins_fini(struct twins *t);

/* The number of the item, or TWINS_NONE. */
uint32_t twins_find(const struct twins *t, const void *items, uint32_t x, uint32_t y);

/* The last one of so many items is new. */
void twins_add(struct twins *t, const void *items, uint32_t count);

#endif
