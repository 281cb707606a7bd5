#include "graph/edges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/space.h"

enum {
    RECENT_BITS = 15, /* of the number of recent successors */
    AHEAD = 16,       /* how many successors ahead of the one at hand the cache is fetched */
    LEAST = 1 << 16,  /* bytes: regions begin with this */
    HUGE_PAGE = 2 << 20,
    PIECE = 4096,         /* states, or keys, that are looked up by one thread at a time */
    RUN = 1 << 16,        /* edges that are looked at by one thread at a time */
    LOOK_KEYS = 1 << 18,  /* keys that are put in the table between two looks at limits */
    LOOK_EDGES = 1 << 24, /* edges, the same */
    LEAST_KEYS = 1 << 20, /* in a round, unless there are fewer */
    FEW_ROUNDS = 4,       /* ... or that would be more rounds */
    FILTER_BITS = 2       /* log2 of the bits of the filter for each place of the table */
};

/* Keys that get numbers in one round: a small table is in the caches and needs few new pages; but all states are read
 * in each round. */
#ifndef MOST_KEYS
#define MOST_KEYS (UINT64_C(1) << 22)
#endif

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
static uint64_t most_bytes(const struct space *s) {
    return s->edges_needed ? s->limits.max_memory : s->limits.max_memory / 2;
}

static bool grow(const struct space *s, struct region *r, uint64_t bytes) {
    if (bytes <= r->size) return true;
    uint64_t to = bytes < HUGE_PAGE ? 2 * bytes + LEAST : bytes + bytes / 8;
    if (to > HUGE_PAGE) to = (to + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE; /* whole ones, which need not be collapsed */
    if (to > r->reserved) to = r->reserved;
    return to >= bytes && memory_fits(to - r->size, most_bytes(s)) && region_grow(r, to);
}

static bool begin(const struct space *s, struct edges *e) {
    uint64_t most = most_bytes(s) > LEAST ? most_bytes(s) : LEAST;
    e->recent = memory_get_lines(sizeof *e->recent << RECENT_BITS);
    return s->ts->transitions <= EDGES_MOST_COUNT && region_init(&e->targets, most) && region_init(&e->counts, most) &&
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
        assert(batch->ends[i] >= begin && batch->ends[i] - begin <= EDGES_MOST_COUNT); /* ends never decrease */
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
    assert(at_fresh == fresh_count); /* indices of new states ascend, and are indices of successors */
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
    assert(!e->settled && next < UNKNOWN);
    note_counts(e, batch);
    note_targets(e, keys, count, fresh, fresh_count, (uint32_t)next);
}

void edges_change_keys(struct space *s, void (*change)(void *context, uint64_t *keys, uint32_t n), void *context,
                       uint32_t most) {
    struct edges *e = &s->edge_list;
    assert(!e->settled);
    for (uint64_t at = 0, n; at < e->unknown; at += n) {
        n = e->unknown - at < most ? e->unknown - at : most;
        change(context, KEYS(e) + at, (uint32_t)n);
    }
    if (e->recent) memset(e->recent, 0, sizeof *e->recent << RECENT_BITS);
}

/* ---- From keys to numbers ----
 *
 * Keys without numbers are put in a hash table; then all states are held against it, in their order. Few are in it, and
 * a filter of bits says so at once for most others. Many keys are dealt with in several rounds. */

struct settling {
    struct space *s;
    struct edges *e;
    struct region keys;    /* uint64_t: complemented; 0: empty */
    struct region numbers; /* uint32_t: of the states with these keys; NO_NUMBER: not found yet */
    struct region filter;  /* bits; those of keys that are in the table are set */
    unsigned bits;         /* of the number of places in the table; the filter has FILTER bits for each */
    uint64_t *places;      /* of this round: the keys, then where they are, then their numbers */
    uint64_t count;        /* of these */
    uint64_t most;         /* of these in a round */
    const uint64_t *items; /* states to be held against the table: their keys */
    uint64_t first;        /* number of the first of these */
    uint64_t item_count;
    _Atomic bool missing; /* a key is that of no state */
    uint64_t from;        /* number of the first edge that is looked at now */
    uint64_t done;        /* for the progress line: keys in the table, states held against it */
    struct stop *stop;
};

#define NO_NUMBER UINT32_MAX
#define TABLE(l) ((uint64_t *)(void *)(l)->keys.base)
#define NUMBERS(l) ((uint32_t *)(void *)(l)->numbers.base)
#define BITS(l) ((uint64_t *)(void *)(l)->filter.base)

static uint64_t hash_of(uint64_t key) { return key * UINT64_C(0x9fb21c651e98df25); }

/* Where the key is, or should be. */
static uint64_t place_of(const struct settling *l, uint64_t key) {
    uint64_t last = (UINT64_C(1) << l->bits) - 1, place = hash_of(key) >> (64 - l->bits);
    while (TABLE(l)[place] && TABLE(l)[place] != ~key) place = (place + 1) & last;
    return place;
}

static void fetch_place(const struct settling *l, uint64_t key) {
    __builtin_prefetch(&TABLE(l)[hash_of(key) >> (64 - l->bits)]);
    __builtin_prefetch(&NUMBERS(l)[hash_of(key) >> (64 - l->bits)]);
}

static uint64_t bit_of(const struct settling *l, uint64_t key) { return hash_of(key) >> (64 - l->bits - FILTER_BITS); }

/* False: *stop says why. */
static bool goes_on(struct settling *l, uint64_t done) {
    l->done += done;
    return !space_must_stop(l->s, "settling edges", l->done, l->e->unknown + l->s->trail.count, l->stop);
}

/* Puts the keys of this round in the table, and replaces them by their places. */
static bool put_keys(struct settling *l) {
    for (uint64_t i = 0; i < l->count; i++) {
        if (i % LOOK_KEYS == LOOK_KEYS - 1 && !goes_on(l, LOOK_KEYS)) return false;
        uint64_t key = l->places[i], bit = bit_of(l, key);
        fetch_place(l, l->places[i + AHEAD < l->count ? i + AHEAD : i]);
        uint64_t place = place_of(l, key);
        TABLE(l)[place] = ~key;
        NUMBERS(l)[place] = NO_NUMBER;
        BITS(l)[bit / 64] |= UINT64_C(1) << bit % 64;
        l->places[i] = place;
    }
    return true;
}

/* Which of the states the filter does not exclude. Returns how many. */
static uint32_t filter(const struct settling *l, const uint64_t *items, uint32_t count, uint32_t *passed) {
    const struct settling copy = {.bits = l->bits, .filter = l->filter}; /* stays in registers */
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bit = bit_of(&copy, items[i]);
        passed[n] = i;
        n += (uint32_t)(BITS(&copy)[bit / 64] >> bit % 64 & 1);
    }
    return n;
}

/* A piece of the states at hand: gives their numbers to those that are in the table. */
static void number_states(void *context, unsigned member, uint32_t task) {
    struct settling *l = context;
    uint32_t passed[PIECE];
    uint64_t begin = (uint64_t)task * PIECE, left = l->item_count - begin;
    const uint64_t *items = l->items + begin;
    uint32_t n = filter(l, items, left < PIECE ? (uint32_t)left : PIECE, passed);
    (void)member;
    for (uint32_t i = 0; i < n; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): filter has written the first n */
        fetch_place(l, items[passed[i + AHEAD < n ? i + AHEAD : i]]);
        uint64_t place = place_of(l, items[passed[i]]);
        if (TABLE(l)[place]) NUMBERS(l)[place] = (uint32_t)(l->first + begin + passed[i]);
    }
}

static void number_keys(void *context, unsigned member, uint32_t task) {
    struct settling *l = context;
    uint64_t begin = (uint64_t)task * PIECE, end = l->count - begin < PIECE ? l->count : begin + PIECE;
    (void)member;
    for (uint64_t i = begin; i < end; i++) {
        l->places[i] = NUMBERS(l)[l->places[i]];
        if (l->places[i] == NO_NUMBER) l->missing = true;
    }
}

static void number_targets(void *context, unsigned member, uint32_t task) {
    struct settling *l = context;
    uint32_t *targets = EDGES_TARGETS(l->e);
    uint64_t begin = l->from + (uint64_t)task * RUN, end = l->e->count - begin < RUN ? l->e->count : begin + RUN;
    const uint64_t *numbers = KEYS(l->e);
    (void)member;
    for (uint64_t i = begin; i < end; i++)
        if (targets[i] >= UNKNOWN) {
            assert(targets[i] - UNKNOWN < l->e->unknown && numbers[targets[i] - UNKNOWN] < l->e->states);
            targets[i] = (uint32_t)numbers[targets[i] - UNKNOWN];
        }
}

static uint32_t tasks(uint64_t count, uint64_t each) { return (uint32_t)((count + each - 1) / each); }

/* From keys to numbers, for the keys from number `first` on. */
static bool settle_some(struct settling *l, uint64_t first) {
    struct trail *trail = &l->s->trail;
    uint64_t left = l->e->unknown - first;
    l->places = KEYS(l->e) + first;
    l->count = left < l->most ? left : l->most;
    if (!put_keys(l)) return false;
    for (l->first = 0; l->first < trail->count; l->first += l->item_count) {
        uint32_t count;
        l->items = trail_read(trail, l->first, UINT32_MAX, &count);
        l->item_count = count;
        if (!l->items) return false;
        team_run(&l->s->team, tasks(count, PIECE), number_states, l);
        if (!goes_on(l, count)) return false;
    }
    team_run(&l->s->team, tasks(l->count, PIECE), number_keys, l);
    return !l->missing;
}

static bool table_init(struct settling *l) {
    l->most = (l->e->unknown + FEW_ROUNDS - 1) / FEW_ROUNDS;
    if (l->most < LEAST_KEYS) l->most = LEAST_KEYS;
    if (l->most > MOST_KEYS) l->most = MOST_KEYS;
    uint64_t keys = l->e->unknown < l->most ? l->e->unknown : l->most;
    for (l->bits = 6; UINT64_C(1) << l->bits < 2 * keys;) l->bits++;
    uint64_t places = UINT64_C(1) << l->bits, bytes = places * (sizeof(uint64_t) + sizeof(uint32_t) + 1);
    return memory_fits(bytes, l->s->limits.max_memory) && region_init(&l->keys, places * sizeof(uint64_t)) &&
           region_init(&l->numbers, places * sizeof(uint32_t)) && region_init(&l->filter, (places << FILTER_BITS) / 8);
}

static void table_fini(struct settling *l) {
    region_fini(&l->keys);
    region_fini(&l->numbers);
    region_fini(&l->filter);
}

/* All of it, or nothing, is grown at a time: then it is empty. */
static bool table_clear(struct settling *l) {
    uint64_t places = UINT64_C(1) << l->bits;
    region_shrink(&l->keys, 0);
    region_shrink(&l->filter, 0);
    return region_grow(&l->keys, places * sizeof(uint64_t)) && region_grow(&l->numbers, places * sizeof(uint32_t)) &&
           region_grow(&l->filter, (places << FILTER_BITS) / 8);
}

static bool settle_targets(struct settling *l) {
    for (l->from = 0; l->from < l->e->count; l->from += LOOK_EDGES) {
        uint64_t left = l->e->count - l->from;
        team_run(&l->s->team, tasks(left < LOOK_EDGES ? left : LOOK_EDGES, RUN), number_targets, l);
        if (!goes_on(l, 0)) return false;
    }
    return true;
}

enum edges_settled edges_settle(struct space *s, struct stop *stop) {
    struct edges *e = &s->edge_list;
    struct settling l = {.s = s, .e = e, .stop = stop};
    *stop = (struct stop){.kind = STOP_DONE};
    assert(s->edges_kept); /* what was given up is not asked for */
    if (e->settled) return EDGES_SETTLED;
    bool good = e->states == s->trail.count && table_init(&l);
    for (uint64_t first = 0; good && first < e->unknown; first += l.most)
        good = table_clear(&l) && settle_some(&l, first);
    good = good && settle_targets(&l);
    table_fini(&l);
    if (!good) {
        edges_drop(s);
        return stop->kind == STOP_DONE ? EDGES_GIVEN_UP : EDGES_STOPPED;
    }
    forget_recent(e);
    region_fini(&e->keys);
    e->settled = true;
    return EDGES_SETTLED;
}
