#include "model/c/reading/points.h"

#include <assert.h>
#include <string.h>

void points_init(struct points *p, uint32_t variables) {
    *p = (struct points){.words = (variables + 63) / 64};
    arena_init(&p->arena);
    table_init(&p->by_record, 256);
    table_init(&p->by_start, 256);
}

void points_fini(struct points *p) {
    arena_fini(&p->arena);
    table_fini(&p->by_record);
    table_fini(&p->by_start);
    free(p->entries);
    free(p->known);
    free(p->edges);
    free(p->stack);
    *p = (struct points){.round = 0};
}

/* ---- Records ---- */

static uint32_t hash_bytes(const uint8_t *bytes, uint32_t size) {
    uint64_t h = size * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < size; i += 8) {
        uint64_t x = 0;
        memcpy(&x, bytes + i, size - i < 8 ? size - i : 8);
        h = (h ^ x) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    return (uint32_t)(h ^ h >> 29);
}

static uint32_t record_hash(const void *points, uint32_t number) {
    const struct points *p = points;
    return p->entries[p->known[number]].hash;
}

static bool record_same(const void *points, const void *wanted, uint32_t number) {
    const struct points *p = points;
    const struct point_entry *w = wanted, *e = &p->entries[p->known[number]];
    return e->hash == w->hash && e->size == w->size && memcmp(e->record, w->record, e->size) == 0;
}

point points_add(struct points *p, const void *record, uint32_t size, bool shared, bool *is_new) {
    struct point_entry wanted = {.record = record, .size = size, .last_edge = POINT_NONE};
    uint32_t *cell = NULL;
    if (shared) {
        wanted.hash = hash_bytes(record, size);
        cell = table_find(&p->by_record, wanted.hash, record_same, p, &wanted);
        if (*cell) return *is_new = false, p->known[*cell - 1];
    }
    uint8_t *copy = arena_get(&p->arena, size);
    memcpy(copy, record, size);
    wanted.record = copy;
    MAKE_ROOM(p->entries, p->count, p->room);
    p->entries[p->count] = wanted;
    if (shared) {
        MAKE_ROOM(p->known, p->by_record.count, p->known_room);
        p->known[p->by_record.count] = p->count;
        table_put(&p->by_record, cell, record_hash, p);
    }
    *is_new = true;
    return p->count++;
}

/* ---- Steps ---- */

static uint32_t edge_hash(const void *edges, uint32_t number) {
    const struct point_edge *e = (const struct point_edge *)edges + number;
    uint64_t h = (e->value * UINT64_C(0x9e3779b97f4a7c15) ^ e->from) * UINT64_C(0xff51afd7ed558ccd);
    return (uint32_t)(h >> 32);
}

static bool edge_same(const void *edges, const void *wanted, uint32_t number) {
    const struct point_edge *e = (const struct point_edge *)edges + number, *w = wanted;
    return e->from == w->from && e->value == w->value;
}

static uint32_t *find_step(const struct points *p, const struct point_edge *wanted) {
    return table_find(&p->by_start, edge_hash(wanted, 0), edge_same, p->edges, wanted);
}

point points_step(const struct points *p, point from, uint64_t value) {
    uint32_t cell = *find_step(p, &(struct point_edge){.from = from, .value = value});
    return cell ? p->edges[cell - 1].to : POINT_NONE;
}

/* ---- What was asked for ---- */

static bool has_all(const uint64_t *set, const uint64_t *part, uint32_t words) {
    for (uint32_t i = 0; i < words; i++)
        if (part[i] & ~set[i]) return false;
    return true;
}

static void push(struct points *p, uint32_t *height, point x) {
    MAKE_ROOM(p->stack, *height, p->stack_room);
    p->stack[(*height)++] = x;
}

/* The variables in `more` are asked for on a way to x, too: if `commit`, notes that in all that follows. Else returns
 * one of them that is asked for there again, or POINT_NONE. */
static uint32_t spread(struct points *p, point x, const uint64_t *more, bool commit) {
    uint32_t height = 0;
    p->round++;
    push(p, &height, x);
    while (height > 0) {
        struct point_entry *e = &p->entries[p->stack[--height]];
        if (e->round == p->round || (e->asked && has_all(e->asked, more, p->words))) continue;
        e->round = p->round;
        uint32_t v = e->view.variable;
        if (e->view.kind != POINT_READ) continue;
        if (more[v / 64] >> (v % 64) & 1) return v;
        if (commit && !e->asked) e->asked = arena_get(&p->arena, p->words * sizeof *e->asked);
        for (uint32_t i = 0; commit && i < p->words; i++) e->asked[i] |= more[i];
        for (uint32_t k = e->last_edge; k != POINT_NONE; k = p->edges[k].previous) push(p, &height, p->edges[k].to);
    }
    return POINT_NONE;
}

static uint32_t note_asked(struct points *p, point from, point to) {
    struct point_entry *e = &p->entries[from];
    uint64_t own[16], *more = p->words <= 16 ? own : memory_get(p->words * sizeof *more);
    for (uint32_t i = 0; i < p->words; i++) more[i] = e->asked ? e->asked[i] : 0;
    more[e->view.variable / 64] |= UINT64_C(1) << e->view.variable % 64;
    uint32_t twice = spread(p, to, more, false);
    if (twice == POINT_NONE) spread(p, to, more, true);
    if (more != own) free(more);
    return twice;
}

uint32_t points_note_step(struct points *p, point from, uint64_t value, point to) {
    struct point_edge edge = {.from = from, .value = value, .to = to, .previous = p->entries[from].last_edge};
    uint32_t twice = p->entries[from].merged ? note_asked(p, from, to) : POINT_NONE;
    if (twice != POINT_NONE) return twice;
    MAKE_ROOM(p->edges, p->edge_count, p->edge_room);
    uint32_t *cell = find_step(p, &edge);
    p->edges[p->edge_count++] = edge;
    assert(p->by_start.count == p->edge_count - 1); /* numbers in the table are those of edges */
    p->entries[from].last_edge = table_put(&p->by_start, cell, edge_hash, p->edges);
    return POINT_NONE;
}
