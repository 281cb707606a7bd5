/* cube_table.h: all cubes of derived facts, many at a time.
 *
 * Items are the cubes of members, and after them conflict cubes. For each value of a variable, a row of bits tells
 * which items allow it; those that do not ask for the variable allow all of its values. So the rows of the values that
 * a variable has, united, and intersected for all variables, tell which items are alive in a set of states.
 */
#ifndef DERIVE_CUBE_TABLE_H
#define DERIVE_CUBE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct derived;

/* 256 items, as two vectors that every processor of this kind has registers for. */
enum { BLOCK_WORDS = 4, BLOCK_ITEMS = 64 * BLOCK_WORDS };
typedef uint64_t item_half __attribute__((vector_size(16)));
struct item_block {
    item_half low, high;
};

struct cube_table {
    uint32_t cubes, items, blocks;
    uint32_t words;   /* of vectors of slots */
    uint64_t *set;    /* item i from word i * words on: what it allows */
    uint64_t *stores; /* cube i from word i * words on: the slots of what it stores; all possible ones: anything */
    bool *anything;   /* ... what it stores is not known */
    uint32_t *member; /* of each cube */
    struct item_pair {
        uint32_t a, b;
    } * pair;                      /* of conflict cube i, which is item cubes + i */
    struct item_block *cubes_of;   /* of member m from block m * blocks on: its cubes */
    struct item_block *conflicts;  /* the same: the conflict cubes that it has a part in */
    struct item_block *every_cube; /* of any member */
    /* Places: pairs of a block and a variable that its items ask for. Those of block b are from from[b] to from[b + 1]
     * - 1; those of variable x are at[at_from[x]] up to at_from[x + 1]. */
    uint32_t *from, places;
    uint32_t *at_from;
    struct item_place {
        uint32_t place, block;
    } * at;
    /* Of value v of variable x, at its j-th place: what the items of that block allow, allows[row[x] + v * (number of
     * places of x) + j]. */
    struct item_block *allows;
    uint64_t *row;
};

void cube_table_init(struct cube_table *t, const struct derived *d);
void cube_table_fini(struct cube_table *t);

static inline struct item_block item_block_and(struct item_block a, struct item_block b) {
    return (struct item_block){a.low & b.low, a.high & b.high};
}
static inline struct item_block item_block_or(struct item_block a, struct item_block b) {
    return (struct item_block){a.low | b.low, a.high | b.high};
}
static inline struct item_block item_block_without(struct item_block a, struct item_block b) {
    return (struct item_block){a.low & ~b.low, a.high & ~b.high};
}
static inline bool item_block_some(struct item_block b) {
    item_half any = b.low | b.high;
    return (any[0] | any[1]) != 0;
}
static inline uint64_t item_block_word(struct item_block b, uint32_t w) { return w < 2 ? b.low[w] : b.high[w - 2]; }
/* Of value v of variable x, at each of its places. */
static inline const struct item_block *cube_table_row(const struct cube_table *t, uint32_t x, uint64_t v) {
    return t->allows + t->row[x] + v * (t->at_from[x + 1] - t->at_from[x]);
}
static inline const uint64_t *cube_table_set(const struct cube_table *t, uint32_t item) {
    return t->set + (uint64_t)item * t->words;
}

#endif
