/* reach.h: the reach of a state (reduce/derived/sets.h): the values that variables may have while only outsiders occur,
 * and the cubes that are alive in it.
 *
 * It grows while members leave the set; and it can be set back to what it was at a mark. Cubes are looked at as blocks
 * of rows (derive/cube_table.h); an item that has come up is not looked for again.
 */
#ifndef REDUCE_DERIVED_REACH_H
#define REDUCE_DERIVED_REACH_H

#include "derive/derived.h"

/* What an attempt changes, but for values of single variables. */
struct reach_blocks {
    struct item_block *alive; /* in blocks that are not stale */
    struct item_block *done;  /* have come up */
    struct item_block *asked; /* are of interest */
    bool *stale;
    uint64_t *values; /* slots */
};

struct reach {
    const struct derived *d;
    const struct cube_table *table;
    struct reach_blocks now, then;
    struct item_block *open; /* by place: what the values of the variable allow */
    struct reach_change {
        uint32_t place;
        struct item_block old;
    } * changes; /* since the mark; there is room for all that can be */
    uint32_t change_count;
    uint64_t *fresh; /* slots that are to be added */
    bool grown;      /* since it was last set to false */
};

void reach_init(struct reach *r, const struct derived *d);
void reach_fini(struct reach *r);

/* Begins with the values of a packed state. False: by the facts, they cannot stand together. */
bool reach_enter(struct reach *r, const uint64_t *state);
/* Then, which cubes are alive. */
const struct item_block *reach_alive(struct reach *r);

/* From now on the items of these blocks, all of the table's, are of interest. */
void reach_ask(struct reach *r, const struct item_block *items);
void reach_ask_not(struct reach *r, const struct item_block *items);
void reach_ask_none(struct reach *r);

/* The items of block b that are alive, of interest, and have not come up before. False: none. */
bool reach_come_up(struct reach *r, uint32_t b, struct item_block *up);

/* Values that may be stored: added by reach_grow. */
void reach_store(struct reach *r, uint32_t cube);
void reach_store_effect(struct reach *r, uint32_t effect); /* or EFFECT_VAGUE */
void reach_grow(struct reach *r);

void reach_mark(struct reach *r);
void reach_go_back(struct reach *r);

#endif
