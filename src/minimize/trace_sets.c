#include "minimize/trace_sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Room for `more` further elements, growing by half. */
static void *grow(struct after *a, void *array, uint64_t used, uint64_t more, uint64_t *room, size_t size) {
    if (used + more <= *room) return array;
    uint64_t wanted = *room + *room / 2 + more + 64;
    effort_take(a->effort, (wanted - *room) * size);
    *room = wanted;
    return memory_resize(array, wanted * size);
}

void after_init(struct after *a, const struct joint *j, struct effort *effort) {
    *a = (struct after){.j = j, .effort = effort};
    table_init(&a->table, 256);
    a->found = memory_get(j->lts.states * sizeof *a->found);
    a->stamp = memory_get_zeroed(j->lts.states * sizeof *a->stamp);
    a->room = 64;
    a->row = memory_get(a->room * sizeof *a->row);
    a->row[a->sets++] = (struct after_row){0}; /* AFTER_EMPTY, with no steps; it has a number, but is not looked for */
    a->table.cell[0] = ++a->table.count;
    effort_take(effort, a->room * sizeof *a->row);
    a->member = grow(a, NULL, 0, 1, &a->member_room, sizeof *a->member);
    a->step = grow(a, NULL, 0, 1, &a->step_room, sizeof *a->step);
}

void after_fini(struct after *a) {
    effort_give_back(a->effort, a->room * sizeof *a->row + a->member_room * sizeof *a->member +
                                    a->step_room * sizeof *a->step + a->edge_room * sizeof *a->edge);
    free(a->row);
    free(a->member);
    free(a->step);
    table_fini(&a->table);
    free(a->found);
    free(a->stamp);
    free(a->edge);
    *a = (struct after){0};
}

/* ---- Sets, each once ---- */

static uint32_t hash(const uint32_t *member, uint32_t count) {
    uint64_t h = count;
    for (uint32_t i = 0; i < count; i++) h = (h ^ member[i]) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 32);
    return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

static void add_row(struct after *a, const uint32_t *member, uint32_t count, uint32_t h) {
    uint64_t room = a->room;
    a->row = grow(a, a->row, a->sets, 1, &room, sizeof *a->row);
    a->room = (uint32_t)room;
    a->member = grow(a, a->member, a->members, count, &a->member_room, sizeof *a->member);
    memcpy(a->member + a->members, member, count * sizeof *member);
    a->row[a->sets] = (struct after_row){.members = a->members, .steps = UINT64_MAX, .count = count, .hash = h};
    a->members += count;
    a->sets++;
}

struct wanted {
    const uint32_t *member;
    uint32_t count, hash;
};

static bool same(const void *after, const void *wanted, uint32_t set) {
    const struct after *a = after;
    const struct wanted *w = wanted;
    const struct after_row *r = &a->row[set];
    return r->hash == w->hash && r->count == w->count &&
           memcmp(a->member + r->members, w->member, w->count * sizeof *w->member) == 0;
}

static uint32_t hash_of(const void *after, uint32_t set) { return ((const struct after *)after)->row[set].hash; }

/* The set with these members, which are sorted. */
static uint32_t intern(struct after *a, const uint32_t *member, uint32_t count) {
    if (count == 0) return AFTER_EMPTY;
    assert(count == 1 || member[count - 2] < member[count - 1]); /* sorted, each once */
    struct wanted w = {member, count, hash(member, count)};
    uint32_t *cell = table_find(&a->table, w.hash, same, a, &w);
    if (*cell) return *cell - 1;
    add_row(a, member, count, w.hash);
    return table_put(&a->table, cell, hash_of, a);
}

/* ---- Closing under tau ---- */

static void begin_closure(struct after *a) {
    if (++a->now == 0) {
        memset(a->stamp, 0, a->j->lts.states * sizeof *a->stamp);
        a->now = 1;
    }
}

static void close_over(struct after *a, uint32_t state, uint32_t *count) {
    if (a->stamp[state] == a->now) return;
    uint32_t next = *count;
    a->stamp[state] = a->now;
    a->found[(*count)++] = state;
    for (; next < *count; next++) {
        const struct lts *l = &a->j->lts;
        for (const struct lts_edge *e = lts_begin(l, a->found[next]); e < lts_end(l, a->found[next]); e++) {
            if (e->label != LTS_TAU) break;
            if (a->stamp[e->target] == a->now) continue;
            a->stamp[e->target] = a->now;
            a->found[(*count)++] = e->target;
        }
    }
}

static int by_number(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

static uint32_t finish_closure(struct after *a, uint32_t count) {
    effort_work(a->effort, 4 * (uint64_t)count);
    if (count > 1) qsort(a->found, count, sizeof *a->found, by_number);
    return intern(a, a->found, count);
}

uint32_t after_start(struct after *a, uint32_t state) {
    uint32_t count = 0;
    begin_closure(a);
    close_over(a, state, &count);
    return finish_closure(a, count);
}

/* ---- Steps ---- */

static int by_label(const void *x, const void *y) {
    const struct lts_edge *a = x, *b = y;
    if (a->label != b->label) return a->label < b->label ? -1 : 1;
    return a->target < b->target ? -1 : a->target > b->target;
}

/* The visible edges of a set, sorted. */
static uint64_t gather(struct after *a, uint32_t set) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < a->row[set].count; i++) {
        uint32_t s = a->member[a->row[set].members + i];
        uint64_t degree = a->j->lts.first[s + 1] - a->j->lts.first[s];
        a->edge = grow(a, a->edge, count, degree, &a->edge_room, sizeof *a->edge);
        for (const struct lts_edge *e = lts_begin(&a->j->lts, s); e < lts_end(&a->j->lts, s); e++)
            if (e->label != LTS_TAU) a->edge[count++] = *e;
    }
    if (count > 1 && a->row[set].count > 1) qsort(a->edge, count, sizeof *a->edge, by_label);
    return count;
}

void after_expand(struct after *a, uint32_t set) {
    if (a->row[set].steps != UINT64_MAX) return;
    uint64_t count = gather(a, set), begin = a->steps;
    effort_work(a->effort, 4 * (count + a->row[set].count));
    for (uint64_t i = 0; i < count;) {
        uint32_t label = a->edge[i].label, found = 0;
        begin_closure(a);
        for (; i < count && a->edge[i].label == label; i++) close_over(a, a->edge[i].target, &found);
        uint32_t to = finish_closure(a, found);
        a->step = grow(a, a->step, a->steps, 1, &a->step_room, sizeof *a->step);
        a->step[a->steps++] = (struct after_step){label, to};
    }
    a->row[set].steps = begin;
    a->row[set].step_count = (uint32_t)(a->steps - begin);
}

uint32_t after_by(const struct after *a, uint32_t set, uint32_t label) {
    const struct after_step *step = after_steps(a, set);
    uint32_t low = 0, high = a->row[set].step_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (step[middle].label < label) low = middle + 1;
        else high = middle;
    }
    return low < a->row[set].step_count && step[low].label == label ? step[low].set : AFTER_EMPTY;
}

/* ---- Questions about sets ---- */

uint32_t after_place(const struct after *a, uint32_t set, uint32_t state) {
    const uint32_t *member = after_members(a, set);
    uint32_t low = 0, high = a->row[set].count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (member[middle] < state) low = middle + 1;
        else high = middle;
    }
    return low < a->row[set].count && member[low] == state ? low : UINT32_MAX;
}

bool after_subset(const struct after *a, uint32_t x, uint32_t y) {
    const uint32_t *p = after_members(a, x), *p_end = p + a->row[x].count;
    const uint32_t *q = after_members(a, y), *q_end = q + a->row[y].count;
    if (x == y) return true;
    if (a->row[x].count > a->row[y].count) return false;
    for (; p < p_end; p++) {
        while (q < q_end && *q < *p) q++;
        if (q == q_end || *q != *p) return false;
    }
    return true;
}

bool after_meet(const struct after *a, uint32_t x, uint32_t y) {
    const uint32_t *p = after_members(a, x), *p_end = p + a->row[x].count;
    const uint32_t *q = after_members(a, y), *q_end = q + a->row[y].count;
    while (p < p_end && q < q_end) {
        if (*p == *q) return true;
        if (*p < *q) p++;
        else q++;
    }
    return false;
}
