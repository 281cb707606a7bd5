#include "search/edges.h"

#include <stdlib.h>
#include <string.h>

#include "search/space.h"

enum {
    RECENT_BITS = 15, /* of the number of recent successors */
    AHEAD = 16,       /* how many successors ahead of the one at hand the cache is fetched */
    LEAST = 1 << 16,  /* bytes: regions begin with this */
    HUGE_PAGE = 2 << 20,
    PIECE = 4096,      /* states, or keys, that are looked up at a time */
    PIECES_EACH = 16,  /* for each thread, if there are several */
    RUN = 1 << 16,     /* edges that are looked at by one thread at a time */
    MOST_COUNT = 65535 /* successors of a state */
};

/* A target from here on stands for a key: that of number target - UNKNOWN. */
#define UNKNOWN (UINT32_C(1) << 31)

#define KEYS(e) ((uint64_t *)(void *)(e)->keys.base)

/* ---- Memory ---- */

static void forget_recent(struct edges *e) {
    free(e->recent);
    e->recent = NULL;
}

void edges_drop(struct space *s) {
    struct edges *e = &s->edge_list;
    region_fini(&e->targets);
    region_fini(&e->counts);
    region_fini(&e->starts);
    region_fini(&e->keys);
    forget_recent(e);
    *e = (struct edges){0};
    s->edges_kept = false;
}

/* At most half of the memory is for all that is there while edges are kept: then the states can still become twice as
 * many without them. */
static uint64_t most_bytes(const struct space *s) { return s->limits.max_memory / 2; }

static bool grow(const struct space *s, struct region *r, uint64_t bytes) {
    if (bytes <= r->size) return true;
    uint64_t to = bytes < HUGE_PAGE ? 2 * bytes + LEAST : bytes + bytes / 8;
    if (to > HUGE_PAGE) to = (to + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE; /* whole ones, which need not be collapsed */
    return memory_resident() + (bytes - r->size) <= most_bytes(s) &&
           region_grow(r, to < r->reserved ? to : r->reserved);
}

static bool begin(const struct space *s, struct edges *e) {
    uint64_t most = most_bytes(s) > LEAST ? most_bytes(s) : LEAST;
    e->recent = memory_get_lines(sizeof *e->recent << RECENT_BITS);
    return s->ts->transitions <= MOST_COUNT && region_init(&e->targets, most) && region_init(&e->counts, most) &&
           region_init(&e->starts, most) && region_init(&e->keys, most);
}

/* Room for the successors of a batch. False: there is none. */
static bool make_room(const struct space *s, struct edges *e, uint64_t states, uint64_t edges) {
    if (!e->targets.base && !begin(s, e)) return false;
    return e->states + states < UNKNOWN && e->unknown + edges < UNKNOWN &&
           grow(s, &e->targets, (e->count + edges) * sizeof(uint32_t)) &&
           grow(s, &e->counts, (e->states + states) * sizeof(uint16_t)) &&
           grow(s, &e->starts, ((e->states + states) / 64 + 1) * sizeof(uint64_t)) &&
           grow(s, &e->keys, (e->unknown + edges) * sizeof(uint64_t));
}

/* ---- Noting ---- */

static void note_counts(struct edges *e, const struct ts_batch *batch) {
    uint16_t *counts = EDGES_COUNTS(e);
    for (uint32_t i = 0, begin = 0; i < batch->count; begin = batch->ends[i++], e->states++) {
        if (e->states % 64 == 0) EDGES_STARTS(e)[e->states / 64] = e->count + begin;
        counts[e->states] = (uint16_t)(batch->ends[i] - begin);
    }
}

static struct edges_recent *recent_of(const struct edges *e, uint64_t key) {
    return &e->recent[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECENT_BITS)];
}

/* Without branches: which of the three ways to know a target applies cannot be foreseen. */
static void note_targets(struct edges *e, const uint64_t *keys, uint32_t count, const uint32_t *fresh,
                         uint32_t fresh_count, uint32_t next) {
    const struct edges copy = {.recent = e->recent}; /* stays in registers */
    uint32_t *targets = EDGES_TARGETS(e) + e->count, next_unknown = UNKNOWN + (uint32_t)e->unknown, at_fresh = 0;
    uint64_t *unknown = KEYS(e) + e->unknown;
    uint32_t next_fresh = fresh_count ? *fresh : UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key = keys[i];
        struct edges_recent *at = recent_of(&copy, key);
        __builtin_prefetch(recent_of(&copy, keys[i + AHEAD < count ? i + AHEAD : i]));
        uint32_t is_fresh = i == next_fresh, is_known = at->key == ~key, is_unknown = !(is_fresh | is_known);
        uint32_t target = next_unknown ^ ((next_unknown ^ next) & -is_fresh);
        target ^= (target ^ at->target) & -is_known;
        *unknown = key;
        unknown += is_unknown;
        next_unknown += is_unknown;
        next += is_fresh;
        at_fresh += is_fresh;
        next_fresh = at_fresh < fresh_count ? fresh[at_fresh] : UINT32_MAX;
        at->key = ~key;
        at->target = targets[i] = target;
    }
    e->count += count;
    e->unknown = next_unknown - UNKNOWN;
}

void edges_note(struct space *s, const struct ts_batch *batch, const uint64_t *keys, const uint32_t *fresh,
                uint32_t fresh_count, uint64_t next) {
    struct edges *e = &s->edge_list;
    uint32_t count = batch->count ? batch->ends[batch->count - 1] : 0;
    if (!make_room(s, e, batch->count, count + 1)) {
        edges_drop(s);
        return;
    }
    note_counts(e, batch);
    note_targets(e, keys, count, fresh, fresh_count, (uint32_t)next);
}

/* ---- From keys to numbers ---- */

struct settling {
    struct space *s;
    struct edges *e;
    struct region numbers; /* uint32_t by slot */
    uint64_t *items;       /* states to be looked up: their keys, then their slots */
    uint64_t first, count; /* the numbers of these; or which of the keys, or edges */
    _Atomic bool missing;  /* a state is not there */
};

#define NUMBERS(l) ((uint32_t *)(void *)(l)->numbers.base)

/* Looks up up to PIECE keys, in place. Returns how many. */
static uint32_t look_up(struct settling *l, uint64_t *keys, uint32_t task) {
    uint64_t begin = (uint64_t)task * PIECE, left = l->count - begin;
    uint32_t n = left < PIECE ? (uint32_t)left : PIECE;
    store_find_keys(&l->s->store, keys + begin, n, keys + begin);
    for (uint32_t i = 0; i < n; i++)
        if (keys[begin + i] >= store_slots(&l->s->store)) l->missing = true;
    return l->missing ? 0 : n;
}

static void note_numbers(void *context, unsigned member, uint32_t task) {
    struct settling *l = context;
    uint32_t n = look_up(l, l->items, task), *numbers = NUMBERS(l);
    const uint64_t *slots = l->items + (uint64_t)task * PIECE;
    (void)member;
    for (uint32_t i = 0; i < n; i++) numbers[slots[i]] = (uint32_t)(l->first + (uint64_t)task * PIECE + i);
}

static void number_keys(void *context, unsigned member, uint32_t task) {
    struct settling *l = context;
    uint32_t n = look_up(l, l->items, task);
    uint64_t *slots = l->items + (uint64_t)task * PIECE;
    (void)member;
    for (uint32_t i = 0; i < n; i++) slots[i] = NUMBERS(l)[slots[i]];
}

static void number_targets(void *context, unsigned member, uint32_t task) {
    struct settling *l = context;
    uint32_t *targets = EDGES_TARGETS(l->e);
    uint64_t begin = (uint64_t)task * RUN, end = l->count - begin < RUN ? l->count : begin + RUN;
    const uint64_t *numbers = KEYS(l->e);
    (void)member;
    for (uint64_t i = begin; i < end; i++)
        if (targets[i] >= UNKNOWN) targets[i] = (uint32_t)numbers[targets[i] - UNKNOWN];
}

static uint32_t tasks(uint64_t count, uint64_t each) { return (uint32_t)((count + each - 1) / each); }

/* Which number is in which slot. */
static bool number_slots(struct settling *l) {
    struct trail *trail = &l->s->trail;
    uint64_t most = (uint64_t)PIECE * (l->s->team.size > 1 ? PIECES_EACH * l->s->team.size : 1);
    bool good = true;
    l->items = memory_get(most * sizeof *l->items);
    for (l->first = 0; good && l->first < trail->count; l->first += l->count) {
        uint32_t some;
        const void *items = trail_read(trail, l->first, (uint32_t)most, &some);
        good = items != NULL;
        if (!good) break;
        memcpy(l->items, items, some * sizeof *l->items);
        l->count = some;
        team_run(&l->s->team, tasks(some, PIECE), note_numbers, l);
        good = !l->missing;
    }
    free(l->items);
    return good;
}

/* Replaces the keys by numbers, and then what stands for them among the targets. */
static bool use_numbers(struct settling *l) {
    l->items = KEYS(l->e);
    l->count = l->e->unknown;
    team_run(&l->s->team, tasks(l->count, PIECE), number_keys, l);
    if (l->missing) return false;
    l->count = l->e->count;
    team_run(&l->s->team, tasks(l->count, RUN), number_targets, l);
    return true;
}

bool edges_settle(struct space *s) {
    struct edges *e = &s->edge_list;
    struct settling l = {.s = s, .e = e};
    uint64_t bytes = store_slots(&s->store) * sizeof(uint32_t);
    if (e->settled) return true;
    bool good = e->states == s->trail.count && s->store.kind == STORE_EXACT &&
                memory_resident() + bytes < s->limits.max_memory && region_init(&l.numbers, bytes) &&
                region_grow(&l.numbers, bytes) && number_slots(&l) && use_numbers(&l);
    region_fini(&l.numbers);
    if (!good) {
        edges_drop(s);
        return false;
    }
    forget_recent(e);
    region_fini(&e->keys);
    return e->settled = true;
}
