/* relation.h: relations between vectors, as decision diagrams that leave out levels where nothing happens.
 *
 * A node has a level and entries (from, to, next): the value changes from `from` to `to`, and the levels below are
 * related by `next`. Where a level is left out, its value is any, and stays. RELATION_NONE relates nothing,
 * RELATION_SAME each vector to itself. Equal nodes are one, and a node that relates each value of its level to itself,
 * and goes on in one way, is left out; so equal relations have the same number.
 *
 * Relations are few beside sets, and are not collected. Beyond `most` nodes, the pool is full: r->full, and all that is
 * made is RELATION_NONE.
 */
#ifndef SYMBOLIC_RELATION_H
#define SYMBOLIC_RELATION_H

#include <stdbool.h>
#include <stdint.h>

#include "algo/pair_table.h"
#include "algo/table.h"

typedef uint32_t relation;

enum { RELATION_NONE = 0, RELATION_SAME = 1 };

struct relation_entry {
    uint32_t from, to;
    relation next;
};

struct relation_node {
    uint32_t level, first, count; /* entries, sorted by from and to */
    relation inverse;             /* RELATION_NONE: not made yet */
};

/* Found again by two numbers. */
struct relation_pair {
    uint32_t a, b;
    relation result;
};

struct relations {
    uint32_t levels;
    const uint32_t *size; /* values of each level */
    struct relation_node *node;
    struct relation_entry *entry;
    uint32_t count, room, entries, entry_room, most;
    bool full;
    struct table table;
    struct relation_pair *united;
    uint32_t united_count, united_room;
    struct twins united_table;
};

void relations_init(struct relations *r, uint32_t levels, const uint32_t *size, uint32_t most);
void relations_fini(struct relations *r);

static inline uint32_t relation_level(const struct relations *r, relation x) {
    return x <= RELATION_SAME ? r->levels : r->node[x].level;
}

/* Entries in any order, none twice; those with `next` RELATION_NONE are left out. */
relation relation_make(struct relations *r, uint32_t level, struct relation_entry *entries, uint32_t count);

/* x, and on this level any value becomes `value`. x must not have that level, nor one above it. */
relation relation_store(struct relations *r, relation x, uint32_t level, uint32_t value);

/* Those pairs of x whose first vector has on this level one of the values in a set of bits. */
relation relation_restrict(struct relations *r, relation x, uint32_t level, const uint64_t *values);

relation relation_union(struct relations *r, relation a, relation b);
relation relation_inverse(struct relations *r, relation x);

#endif
