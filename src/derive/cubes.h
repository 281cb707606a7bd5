/* cubes.h: conditions on states as products: a set of values for each variable. */
#ifndef DERIVE_CUBES_H
#define DERIVE_CUBES_H

#include "derive/slots.h"

/* ---- While they are made: a list of vectors, each with a tag ---- */

struct cube_list {
    const struct slots *slots;
    uint64_t *set; /* cube i from word i * slots->words on */
    uint32_t *tag;
    uint32_t count, room;
};

void cube_list_init(struct cube_list *l, const struct slots *slots);
void cube_list_fini(struct cube_list *l);
void cube_list_add(struct cube_list *l, const uint64_t *set, uint32_t tag);
/* Cubes with the same tag that differ in one variable become one. */
void cube_list_merge(struct cube_list *l);
/* One cube for all of a tag: their hull. */
void cube_list_hull(struct cube_list *l);

/* ---- Many cubes, that do not change ---- */

/* What a set must have for a cube to be alive in it: a common bit of each field of a word; or, of a large variable, a
 * common bit in one of 1 + `more` words. */
struct cube_test {
    uint16_t word, more;
    bool large;
    uint64_t bits;
};

struct value_cubes {
    const struct slots *slots;
    uint32_t *first; /* test of each cube; one more than there are cubes */
    struct cube_test *test;
    uint32_t *tag;
    uint32_t count, room, tests, test_room;
};

void value_cubes_init(struct value_cubes *c, const struct slots *slots);
void value_cubes_fini(struct value_cubes *c);
/* The states of `set`, of which `possible` are all that there are. Returns its number. */
uint32_t value_cubes_add(struct value_cubes *c, const uint64_t *set, const uint64_t *possible, uint32_t tag);

#endif
