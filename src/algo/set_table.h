/* set_table.h: lists of numbers, such as sorted members of sets, each of which is kept once and known by a number. */
#ifndef ALGO_SET_TABLE_H
#define ALGO_SET_TABLE_H

#include "algo/table.h"

struct set_table {
    struct table table;
    uint32_t *member; /* of all lists, one after the other */
    uint64_t members, member_room;
    uint64_t *first; /* where each begins; one more than there are lists */
    uint32_t first_room;
};

void set_table_init(struct set_table *s);
void set_table_fini(struct set_table *s);

/* The number of a list: an old one, or the next. */
uint32_t set_table_number(struct set_table *s, const uint32_t *member, uint32_t count);

static inline uint32_t set_table_count(const struct set_table *s) { return s->table.count; }
static inline uint32_t set_table_size(const struct set_table *s, uint32_t set) {
    return (uint32_t)(s->first[set + 1] - s->first[set]);
}
/* Valid until another list is new. */
static inline const uint32_t *set_table_members(const struct set_table *s, uint32_t set) {
    return s->member + s->first[set];
}

uint64_t set_table_bytes(const struct set_table *s);

#endif
