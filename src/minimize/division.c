#include "minimize/division.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/bisimulation.h"

static bool by_branching(const struct division *d) {
    return d->relation == RELATION_BRANCHING || d->relation == RELATION_BRANCHING_DIV;
}

/* ---- Set-up ---- */

static void make_sets(struct division *d) {
    const struct lts *l = d->l;
    d->set = memory_get_large_zeroed(l->states * sizeof *d->set);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s) && e->label == LTS_TAU; e++)
            d->set[e->target].wanted = true;
}

/* Parts at the beginning. */
static void count_parts(struct division *d, uint32_t parts) {
    d->count = parts;
    d->room = parts + 64;
    d->parts = memory_get_zeroed(d->room * sizeof *d->parts);
    for (uint32_t p = 0; p < parts; p++) d->parts[p] = (struct division_part){.parent = p, .group = DIVISION_NONE};
    for (uint32_t s = 0; s < d->l->states; s++) d->parts[d->part[s]].size++;
}

void division_init_from(struct division *d, const struct lts *l, enum lts_relation relation, uint32_t *part,
                        uint32_t parts, struct effort *effort) {
    *d = (struct division){.l = l, .relation = relation, .effort = effort, .part = part};
    count_parts(d, parts);
    if (by_branching(d)) make_sets(d);
    d->alone = memory_get(l->states);
    for (uint32_t s = 0; s < l->states; s++) d->alone[s] = d->parts[part[s]].size == 1;
    d->busy = memory_get_large(l->states * sizeof *d->busy);
    for (uint32_t s = 0; s < l->states; s++) d->busy[d->busy_count++] = s;
    d->hash = memory_get_large(l->states * sizeof *d->hash);
    d->group = memory_get_large(l->states * sizeof *d->group);
    d->changed = memory_get_large(l->states * sizeof *d->changed);
    d->mask = 1023;
    d->table = memory_get_zeroed((d->mask + UINT64_C(1)) * sizeof *d->table);
}

void division_init(struct division *d, const struct lts *l, enum lts_relation relation, const uint8_t *divergent,
                   struct effort *effort) {
    uint8_t *kind = memory_get(l->states);
    uint32_t *part = memory_get_large(l->states * sizeof *part), parts = lts_kinds(l, kind);
    for (uint32_t s = 0; s < l->states; s++) part[s] = kind[s];
    free(kind);
    division_init_from(d, l, relation, part, parts, effort);
    d->divergent = divergent;
}

void division_fini(struct division *d) {
    effort_give_back(d->effort, (d->list_room + d->edge_room + d->kept_room) * sizeof(uint64_t));
    uint32_t *plain[] = {d->part, d->group, d->table, d->changed, d->dirty, d->busy, d->taus_end, d->back, d->source};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) free(plain[i]);
    uint64_t *wide[] = {d->kept, d->hash, d->list, d->edge};
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) free(wide[i]);
    free(d->parts);
    free(d->set);
    free(d->alone);
    tau_search_fini(&d->search);
    free(d->groups);
    free(d->is_dirty);
    *d = (struct division){0};
}

/* ---- States with equal part and signature ---- */

static uint64_t key_of(uint32_t part, uint64_t hash) { return division_mix(hash + part); }

static void rehash(struct division *d) {
    free(d->table);
    d->mask = 4 * d->mask + 3;
    d->table = memory_get_large_zeroed((d->mask + UINT64_C(1)) * sizeof *d->table);
    for (uint32_t g = 0; g < d->group_count; g++) {
        uint32_t place = (uint32_t)key_of(d->groups[g].part, d->groups[g].hash) & d->mask;
        while (d->table[place]) place = (place + 1) & d->mask;
        d->table[place] = g + 1;
    }
}

static uint32_t group_of(struct division *d, uint32_t part, uint64_t hash) {
    uint32_t place = (uint32_t)key_of(part, hash) & d->mask, g;
    for (; (g = d->table[place]) != 0; place = (place + 1) & d->mask)
        if (d->groups[g - 1].hash == hash && d->groups[g - 1].part == part) return g - 1;
    MAKE_ROOM(d->groups, d->group_count, d->group_room);
    d->groups[d->group_count] = (struct division_group){.hash = hash, .part = part};
    d->table[place] = ++d->group_count;
    if (d->group_count > d->mask / 2) rehash(d);
    return d->group_count - 1;
}

static void empty_table(struct division *d) {
    if (d->group_count > d->mask / 16) memset(d->table, 0, (d->mask + UINT64_C(1)) * sizeof *d->table);
    else
        for (uint32_t g = 0; g < d->group_count; g++) {
            uint32_t place = (uint32_t)key_of(d->groups[g].part, d->groups[g].hash) & d->mask;
            while (d->table[place]) {
                d->table[place] = 0;
                place = (place + 1) & d->mask;
            }
        }
    d->group_count = 0;
}

static uint32_t new_part(struct division *d, const struct division_group *g) {
    MAKE_ROOM(d->parts, d->count, d->room);
    assert(d->parts[g->part].size > g->size); /* some state keeps the old number */
    d->parts[d->count] = (struct division_part){
        .parent = g->part, .round = d->rounds, .size = g->size, .group = DIVISION_NONE, .hash = g->hash};
    d->parts[g->part].size -= g->size;
    return d->count++;
}

/* Of the groups that a part is divided into, the largest keeps its number; but states that belong to no group are not
 * touched, so that they keep it if there are any. */
static void number_groups(struct division *d) {
    struct division_group *groups = d->groups;
    for (uint32_t g = 0; g < d->group_count; g++) {
        uint32_t *best = &d->parts[groups[g].part].group;
        if (*best == DIVISION_NONE || groups[*best].size < groups[g].size) *best = g;
    }
    for (uint32_t g = 0; g < d->group_count; g++)
        if (d->parts[groups[g].part].group != g) groups[g].id = new_part(d, &groups[g]);
    for (uint32_t g = 0; g < d->group_count; g++) {
        struct division_part *part = &d->parts[groups[g].part];
        if (part->group != g) continue;
        part->group = DIVISION_NONE;
        if (part->size > groups[g].size) {
            groups[g].id = new_part(d, &groups[g]);
        } else {
            groups[g].id = groups[g].part;
            part->hash = groups[g].hash;
        }
    }
}

static void move(struct division *d, uint32_t s) {
    assert(d->group[s] < d->group_count);
    const struct division_group *g = &d->groups[d->group[s]];
    d->alone[s] = g->size == 1;
    if (g->id == d->part[s]) return;
    d->part[s] = g->id;
    d->changed[d->changed_count++] = s;
}

/* ---- Rounds ---- */

enum { AHEAD = 16 }; /* how far memory is asked for */

static void find_busy(struct division *d) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->busy_count; i++)
        if (!d->alone[d->busy[i]]) d->busy[kept++] = d->busy[i];
    d->busy_count = kept;
}

static void join_group(struct division *d, uint32_t s) {
    d->group[s] = group_of(d, d->part[s], d->hash[s]);
    d->groups[d->group[s]].size++;
}

static void refine_all(struct division *d) {
    find_busy(d);
    d->kept_count = 0;
    if (d->relation == RELATION_WEAK) division_sign_weakly(d, d->busy, d->busy_count);
    else division_sign(d, d->busy, d->busy_count);
    if (division_over(d)) return;
    for (uint32_t i = 0; i < d->busy_count; i++) {
        if (i + AHEAD < d->busy_count) {
            uint32_t next = d->busy[i + AHEAD];
            __builtin_prefetch(&d->table[key_of(d->part[next], d->hash[next]) & d->mask]);
        }
        join_group(d, d->busy[i]);
    }
    number_groups(d);
    d->changed_count = 0;
    for (uint32_t i = 0; i < d->busy_count; i++) move(d, d->busy[i]);
    empty_table(d);
}

static void make_back(struct division *d) {
    const struct lts *l = d->l;
    find_busy(d);
    d->back = memory_get_large_zeroed((l->states + UINT64_C(2)) * sizeof *d->back);
    d->taus_end = memory_get_large(l->states * sizeof *d->taus_end);
    d->dirty = memory_get_large(l->states * sizeof *d->dirty);
    d->is_dirty = memory_get_zeroed(l->states);
    for (uint32_t i = 0; i < d->busy_count; i++)
        for (const struct lts_edge *e = lts_begin(l, d->busy[i]); e < lts_end(l, d->busy[i]); e++)
            d->back[e->target + UINT64_C(2)]++;
    for (uint32_t s = 0; s < l->states; s++) d->back[s + UINT64_C(2)] += d->back[s + UINT64_C(1)];
    d->source = memory_get_large((d->back[l->states + UINT64_C(1)] + UINT64_C(1)) * sizeof *d->source);
    for (int taus = 1; taus >= 0; taus--) {
        for (uint32_t i = 0; i < d->busy_count; i++)
            for (const struct lts_edge *e = lts_begin(l, d->busy[i]); e < lts_end(l, d->busy[i]); e++)
                if ((e->label == LTS_TAU) == taus) d->source[d->back[e->target + UINT64_C(1)]++] = d->busy[i];
        for (uint32_t s = 0; s < l->states && taus; s++) d->taus_end[s] = d->back[s + UINT64_C(1)];
    }
    d->work += l->edges + l->states;
}

static void soil(struct division *d, uint32_t s) {
    if (d->is_dirty[s] || d->alone[s]) return;
    d->is_dirty[s] = 1;
    d->dirty[d->dirty_count++] = s;
}

static bool has_taus(const struct lts *l, uint32_t s) {
    return lts_begin(l, s) < lts_end(l, s) && lts_begin(l, s)->label == LTS_TAU;
}

static int by_number(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

static void sort_dirty(struct division *d) {
    if (d->dirty_count < d->busy_count / 16) {
        qsort(d->dirty, d->dirty_count, sizeof *d->dirty, by_number);
        return;
    }
    d->dirty_count = 0;
    for (uint32_t i = 0; i < d->busy_count; i++)
        if (d->is_dirty[d->busy[i]]) d->dirty[d->dirty_count++] = d->busy[i];
}

/* The states whose signature may have changed. By branching, in ascending order. */
static void find_dirty(struct division *d) {
    d->dirty_count = 0;
    for (uint32_t i = 0; i < d->changed_count; i++) {
        uint32_t s = d->changed[i];
        if (by_branching(d) && has_taus(d->l, s)) soil(d, s);
        for (uint32_t k = d->back[s]; k < d->back[s + UINT64_C(1)]; k++) soil(d, d->source[k]);
        d->work += d->back[s + UINT64_C(1)] - d->back[s];
    }
    if (!by_branching(d)) return;
    for (uint32_t i = 0; i < d->dirty_count; i++) {
        uint32_t s = d->dirty[i];
        for (uint32_t k = d->back[s]; k < d->taus_end[s]; k++)
            if (d->part[d->source[k]] == d->part[s]) soil(d, d->source[k]);
    }
    sort_dirty(d);
}

static void refine_some(struct division *d) {
    if (!d->back) make_back(d);
    find_dirty(d);
    division_sign(d, d->dirty, d->dirty_count);
    for (uint32_t i = 0; i < d->dirty_count; i++) {
        uint32_t s = d->dirty[i];
        d->is_dirty[s] = 0;
        d->group[s] = DIVISION_NONE;
        if (d->hash[s] != d->parts[d->part[s]].hash) join_group(d, s);
    }
    number_groups(d);
    d->changed_count = 0;
    for (uint32_t i = 0; i < d->dirty_count; i++)
        if (d->group[d->dirty[i]] != DIVISION_NONE) move(d, d->dirty[i]);
    empty_table(d);
}

bool division_refine(struct division *d) {
    uint32_t before = d->count;
    if (effort_look(d->effort) || division_over(d)) return false;
    bool few = d->rounds > 1 && d->relation != RELATION_WEAK && d->changed_count < d->busy_count / 16;
    d->rounds++;
    if (few) refine_some(d);
    else refine_all(d);
    return d->count > before;
}

/* A round that takes much for little is not worth it, unless there are only a few. */
void division_hurry(struct division *d) {
    enum { ROUNDS = 12, WORK_A_PART = 256, WORK_A_CHANGE = 4096, POOR_ROUNDS = 3 };
    uint64_t size = d->l->edges + d->l->states;
    for (unsigned poor = 0; poor < POOR_ROUNDS;) {
        uint64_t work = d->work;
        if (!division_refine(d)) {
            d->stable = !division_over(d) && division_is_stable(d);
            return;
        }
        poor += d->work - work > size / 64 + WORK_A_CHANGE * (uint64_t)d->changed_count;
        if (d->work > ROUNDS * size + WORK_A_PART * (uint64_t)d->count) return;
    }
}

uint32_t division_apart(const struct division *d, uint32_t x, uint32_t y) {
    uint32_t p = d->part[x], q = d->part[y], round = 0;
    while (p != q) {
        uint32_t *later = p > q ? &p : &q;
        if (d->parts[*later].round == 0) break; /* they were apart at the beginning */
        round = d->parts[*later].round;
        *later = d->parts[*later].parent;
    }
    return round;
}
