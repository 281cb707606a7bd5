#include "model/c/reading/points.h"

#include <string.h>

void points_init(struct points *p) {
    *p = (struct points){.round = 0};
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

/* ---- Circles ----
 *
 * Levels increase along every edge. So a new edge to a higher level closes no circle; else its target is raised, and
 * what follows it. */

static void push(struct points *p, uint32_t *height, point x) {
    MAKE_ROOM(p->stack, *height, p->stack_room);
    p->stack[(*height)++] = x;
}

static bool leads_to(struct points *p, point from, point to) {
    uint32_t height = 0;
    p->round++;
    push(p, &height, from);
    while (height > 0) {
        point x = p->stack[--height];
        if (x == to) return true;
        if (p->entries[x].round == p->round) continue;
        p->entries[x].round = p->round;
        for (uint32_t e = p->entries[x].last_edge; e != POINT_NONE; e = p->edges[e].previous)
            if (p->entries[p->edges[e].to].level <= p->entries[to].level) push(p, &height, p->edges[e].to);
    }
    return false;
}

static void raise(struct points *p, point x, uint32_t level) {
    uint32_t height = 0;
    p->entries[x].level = level;
    push(p, &height, x);
    while (height > 0) {
        point y = p->stack[--height];
        uint32_t least = p->entries[y].level + 1;
        for (uint32_t e = p->entries[y].last_edge; e != POINT_NONE; e = p->edges[e].previous) {
            struct point_entry *next = &p->entries[p->edges[e].to];
            if (next->level >= least) continue;
            next->level = least;
            push(p, &height, p->edges[e].to);
        }
    }
}

bool points_note_step(struct points *p, point from, uint64_t value, point to) {
    struct point_edge edge = {.from = from, .value = value, .to = to, .previous = p->entries[from].last_edge};
    if (p->entries[to].level <= p->entries[from].level) {
        if (leads_to(p, to, from)) return false;
        raise(p, to, p->entries[from].level + 1);
    }
    MAKE_ROOM(p->edges, p->edge_count, p->edge_room);
    uint32_t *cell = find_step(p, &edge);
    p->edges[p->edge_count++] = edge;
    p->entries[from].last_edge = table_put(&p->by_start, cell, edge_hash, p->edges);
    return true;
}
