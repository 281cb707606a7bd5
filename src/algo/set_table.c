#include "algo/set_table.h"

#include <assert.h>
#include <string.h>

struct list {
    const uint32_t *member;
    uint32_t count;
};

static uint32_t hash_list(const uint32_t *member, uint32_t count) {
    uint64_t h = count;
    for (uint32_t i = 0; i < count; i++) {
        h = (h ^ member[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return (uint32_t)(h * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

static bool same(const void *sets, const void *wanted, uint32_t number) {
    const struct set_table *s = sets;
    const struct list *l = wanted;
    return set_table_size(s, number) == l->count &&
           (l->count == 0 || memcmp(set_table_members(s, number), l->member, l->count * sizeof *l->member) == 0);
}

static uint32_t hash_of(const void *sets, uint32_t number) {
    const struct set_table *s = sets;
    return hash_list(set_table_members(s, number), set_table_size(s, number));
}

void set_table_init(struct set_table *s) {
    *s = (struct set_table){.member_room = 64, .first_room = 64};
    table_init(&s->table, 256);
    s->member = memory_get(s->member_room * sizeof *s->member);
    s->first = memory_get(s->first_room * sizeof *s->first);
    s->first[0] = 0;
}

void set_table_fini(struct set_table *s) {
    table_fini(&s->table);
    free(s->member);
    free(s->first);
    *s = (struct set_table){0};
}

static void append(struct set_table *s, const uint32_t *member, uint32_t count) {
    assert(s->first[s->table.count] == s->members); /* lists lie one after the other */
    if (s->members + count > s->member_room) {
        s->member_room = s->members + s->members / 2 + count;
        s->member = memory_resize(s->member, s->member_room * sizeof *s->member);
    }
    if (s->table.count + 2 > s->first_room) {
        s->first_room *= 2;
        s->first = memory_resize(s->first, s->first_room * sizeof *s->first);
    }
    if (count) memcpy(s->member + s->members, member, count * sizeof *member);
    s->members += count;
    s->first[s->table.count + 1] = s->members;
}

uint32_t set_table_number(struct set_table *s, const uint32_t *member, uint32_t count) {
    struct list wanted = {member, count};
    uint32_t *cell = table_find(&s->table, hash_list(member, count), same, s, &wanted);
    if (*cell) return *cell - 1;
    append(s, member, count);
    return table_put(&s->table, cell, hash_of, s);
}

uint64_t set_table_bytes(const struct set_table *s) {
    return s->member_room * sizeof *s->member + s->first_room * sizeof *s->first + table_bytes(&s->table);
}
