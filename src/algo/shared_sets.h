/* shared_sets.h: sets of numbers that share what they have in common, and maps from labels to such sets.
 *
 * A set is a number itself. Equal sets have equal numbers, so that comparing them costs nothing; the union of a large
 * set and a small one costs little more than the small one. (They are Patricia tries, each node of which exists once.)
 * Sets are never changed. A map is used like a set; the union of two maps has for each label the union of the sets of
 * both.
 */
#ifndef ALGO_SHARED_SETS_H
#define ALGO_SHARED_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SETS_EMPTY = 0 };

struct sets {
    struct sets_node *node;
    uint32_t count, room;
    uint32_t *table, mask; /* open addressing: a node, or 0 */
    struct sets_union *recent;
    uint64_t work; /* nodes visited */
};

void sets_init(struct sets *s);
void sets_fini(struct sets *s);

uint32_t sets_single(struct sets *s, uint32_t member);
uint32_t sets_labelled(struct sets *s, uint32_t label, uint32_t set); /* a map; `set` is not empty */
uint32_t sets_union(struct sets *s, uint32_t x, uint32_t y);
uint32_t sets_union_of(struct sets *s, uint32_t *sets, size_t n); /* spoils the list */

bool sets_has(const struct sets *s, uint32_t set, uint32_t member);
uint32_t sets_of_label(const struct sets *s, uint32_t map, uint32_t label); /* SETS_EMPTY: the map has no such label */

/* Forgets all sets but those listed, which get new numbers. There are several lists, each of n. */
void sets_keep(struct sets *s, uint32_t **lists, size_t list_count, size_t n);

#endif
