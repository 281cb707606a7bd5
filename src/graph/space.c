#include "graph/space.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "graph/layout.h"
#include "store/chunk_size.h"

enum {
    MOST_CALLS = 256,      /* of space_must_stop, between two readings of the clock */
    KEEP_BYTES = 8 << 20,  /* of the trail, in memory */
    LEAST_BYTES = 1 << 20, /* of the store: enough to begin with; the limit will be noticed soon */
    SLACK_BYTES = 1 << 19, /* for each thread, of small things that nobody counts */
};

/* Workers live in the threads that use them. */
static void make_member(void *context, unsigned member, uint32_t task) {
    struct space *s = context;
    (void)task;
    if (member > 0) s->members[member].worker = s->ts->ops->worker_new(s->ts);
    store_view_init(&s->members[member].view, &s->store);
}

static void free_member(void *context, unsigned member, uint32_t task) {
    struct space *s = context;
    (void)task;
    if (member > 0) s->ts->ops->worker_free(s->members[member].worker);
    store_view_fini(&s->members[member].view);
}

/* A store that is never full takes all that it may, and the search is to go on then: so enough must be left for what
 * grows besides, and half of all for the stacks of a depth-first search. */
static uint64_t part_of_endless(uint64_t left, const struct means *means) {
    uint64_t slack = (uint64_t)SLACK_BYTES * (means->threads ? means->threads : 1);
    left -= slack < left / 4 ? slack : left / 4;
    return means->deep ? left / 2 : left;
}

bool limits_over(const struct limits *l) {
    return (l->interrupted && *l->interrupted) || (l->deadline > 0 && clock_seconds() > l->deadline);
}

/* For tests: with small state spaces, too. */
static uint64_t layout_from(void) {
    const char *chosen = getenv("ONAGER_LAYOUT_FROM");
    return chosen ? strtoull(chosen, NULL, 10) : LAYOUT_FROM;
}

bool space_init(struct space *s, struct ts *ts, struct ts_worker *worker, const struct limits *limits,
                const struct means *means, struct problem *why) {
    static const struct means plain = {0};
    if (!means) means = &plain;
    *s = (struct space){.ts = ts, .worker = worker, .limits = *limits, .layout_from = layout_from()};
    /* What is not the store: the program itself, the newest part of the trail, and one mark for each slot. What is
     * really used is watched besides. */
    uint64_t trail = limits->max_memory / 8 < KEEP_BYTES ? limits->max_memory / 8 : KEEP_BYTES;
    uint64_t rest = memory_resident() + trail + trail / 4 + chunk_bytes(ts, means->threads, limits->max_memory);
    uint64_t left = limits->max_memory > rest + LEAST_BYTES ? limits->max_memory - rest : LEAST_BYTES;
    struct store_options store = means->store;
    if (left > LEAST_BYTES) store.process_bytes = limits->max_memory;
    if (store.overflow || store.kind == STORE_BITSTATE) left = part_of_endless(left, means);
    if (means->threads > 1)
        for (store.shards = 1; store.shards < means->threads;) store.shards *= 2;
    if (!store_init(&s->store, ts->bits, left / 64 * 62, &store))
        return problem_set(why, EXIT_INCONCLUSIVE,
                           "no memory for the states: give a smaller --max-memory, " MEMORY_ADVICE);
    trail_init_items(&s->trail, space_item_words(s) * (uint32_t)sizeof(word), trail);
    team_init(&s->team, means->threads ? means->threads : 1);
    s->members = memory_get_zeroed(s->team.size * sizeof *s->members);
    s->members[0].worker = worker;
    team_each(&s->team, make_member, s);
    return true;
}

void space_fini(struct space *s) {
    team_each(&s->team, free_member, s);
    team_fini(&s->team);
    free(s->members);
    store_fini(&s->store);
    trail_fini(&s->trail);
    edges_drop(s);
    numbers_fini(&s->levels);
}

uint32_t space_item_words(const struct space *s) { return store_gives_back(&s->store) ? 1 : s->ts->words; }

void space_states(struct space *s, unsigned member, const word *items, uint32_t n, word *states) {
    if (store_gives_back(&s->store)) store_states(&s->store, &s->members[member].view, items, n, states);
    else memcpy(states, items, (size_t)n * s->ts->words * sizeof(word));
}

bool space_state(struct space *s, uint64_t number, word *state) {
    uint32_t one;
    assert(number < s->trail.count);
    const word *item = trail_read(&s->trail, number, 1, &one);
    if (item) space_states(s, 0, item, 1, state);
    return item != NULL;
}

uint32_t space_insert(struct space *s, const word *states, uint32_t n, uint32_t *fresh, uint32_t *fresh_count) {
    return store_insert(&s->store, &s->members[0].view, states, n, fresh, fresh_count);
}

void space_add(struct space *s, const word *state) { space_add_to(s, &s->trail, state); }

void space_add_to(struct space *s, struct trail *trail, const word *state) {
    uint64_t key;
    bool keys = store_gives_back(&s->store);
    if (keys) store_known_keys(&s->store, &s->members[0].view, state, 1, &key);
    trail_add(trail, keys ? &key : state);
}

void space_find(struct space *s, const word *states, uint32_t n, uint64_t *slots) {
    store_find(&s->store, &s->members[0].view, states, n, slots);
}

uint64_t space_depth(const struct space *s) {
    return s->deepest || !s->levels.count ? s->deepest : s->levels.count - 1;
}

enum outcome space_number(struct space *s, const word *state, uint64_t *number, struct stop *stop) {
    struct walk walk;
    bool found = false;
    walk_init(&walk, s, false, 0, 256);
    while (!found && walk_next(&walk, stop))
        for (uint32_t i = 0; i < walk.count && !found; i++) {
            found = memcmp(walk.states + (size_t)i * s->ts->words, state, s->ts->words * sizeof(word)) == 0;
            if (found) *number = walk.first + i;
        }
    if (!walk_fini(&walk)) return OUTCOME_GIVEN_UP;
    return found ? OUTCOME_FOUND : OUTCOME_NONE;
}

bool space_get(const struct space *s, struct region *r, size_t bytes) {
    return region_get_within(r, bytes, s->limits.max_memory);
}

bool space_get_bits(const struct space *s, struct bitmap *b, uint64_t size) {
    return memory_fits(size / 8, s->limits.max_memory) && bitmap_init(b, size);
}

static bool limit_reached(struct stop *stop, const char *reason) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return true;
}

/* Often enough for limits and the progress line, also where model code is slow; and not so often that it costs. */
static void set_pace(struct space *s, double now) {
    double since = now - s->last_clock;
    s->last_clock = now;
    if (since > 0.05) s->calls_a_clock /= 4;
    else if (since < 0.01 && s->calls_a_clock < MOST_CALLS) s->calls_a_clock *= 2;
    if (s->calls_a_clock == 0) s->calls_a_clock = 1;
    s->calls_until_clock = s->calls_a_clock - 1;
}

bool space_must_stop(struct space *s, const char *phase, uint64_t done, uint64_t all, struct stop *stop) {
    if (s->limits.interrupted && *s->limits.interrupted) return limit_reached(stop, "interrupted");
    if (s->limits.max_states && s->states > s->limits.max_states)
        return limit_reached(stop, "the limit on states (--max-states) was reached");
    if (phase != s->last_phase) s->calls_a_clock = s->calls_until_clock = 0; /* calls may take much longer now */
    s->last_phase = phase;
    if (s->calls_until_clock > 0) return s->calls_until_clock--, false;
    double now = clock_seconds();
    set_pace(s, now);
    if (s->limits.deadline > 0 && now > s->limits.deadline)
        return limit_reached(stop, "the limit on time (--time) was reached");
    if (!memory_fits(0, s->limits.max_memory))
        return limit_reached(stop, "the limit on memory (--max-memory) was reached");
    if (s->saver.save && now > s->saver.next) s->save_due = true;
    if (s->ticker.tick && now >= s->next_tick) {
        if (s->next_tick > 0) s->ticker.tick(s->ticker.context, s, phase, done, all);
        s->next_tick = now + 0.2;
    }
    return false;
}

bool space_interrupted(struct space *s, const char *phase, uint64_t done, uint64_t all, struct stop *stop) {
    struct stop now;
    bool ends = space_must_stop(s, phase, done, all, &now) && s->limits.interrupted && *s->limits.interrupted;
    if (ends) limit_reached(stop, "interrupted");
    return ends;
}

void space_save(struct space *s, uint64_t expanded, uint64_t level_end, const struct bitmap *marked) {
    s->save_due = false;
    if (s->saver.save) s->saver.save(s->saver.context, s, expanded, level_end, marked);
}

void walk_init(struct walk *w, struct space *s, bool backward, uint64_t from, uint32_t most) {
    *w = (struct walk){
        .space = s,
        .backward = backward,
        .at = backward ? s->trail.count : from,
        .most = most,
        .states = memory_get((size_t)most * s->ts->words * sizeof(word)),
    };
}

bool walk_next(struct walk *w, struct stop *stop) {
    struct trail *trail = &w->space->trail;
    uint64_t first = w->at, room = trail->count - w->at;
    if (w->backward) {
        if (w->at == 0) return false;
        /* Batches end at the borders of the trail's parts, so that one part is read at a time. */
        uint64_t part = (w->at - 1) / trail->part_items * trail->part_items;
        first = w->at - part > w->most ? w->at - w->most : part;
        room = w->at - first;
    } else if (room == 0) {
        return false;
    }
    const word *items = trail_read(trail, first, room < w->most ? (uint32_t)room : w->most, &w->count);
    if (!items) {
        *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
        w->failed = true;
        return false;
    }
    space_states(w->space, 0, items, w->count, w->states);
    assert(w->count > 0 && (!w->backward || w->count == room)); /* backward, nothing may be passed over */
    w->first = first;
    w->at = w->backward ? first : first + w->count;
    return true;
}

bool walk_fini(struct walk *w) {
    free(w->states);
    return !w->failed;
}
