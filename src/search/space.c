#include "search/space.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum {
    PULSES = 256,          /* the clock is read once in so many calls */
    KEEP_BYTES = 16 << 20, /* of the trail, in memory */
};

bool space_init(struct space *s, struct ts *ts, struct ts_worker *worker, const struct limits *limits,
                struct problem *why) {
    *s = (struct space){.ts = ts, .worker = worker, .limits = *limits};
    /* What is not the table: the program itself, the newest part of the trail, and one mark for each slot. */
    uint64_t trail = limits->max_memory / 8 < KEEP_BYTES ? limits->max_memory / 8 : KEEP_BYTES;
    uint64_t rest = memory_resident() + trail + trail / 4;
    uint64_t left = limits->max_memory > rest ? limits->max_memory - rest : 0;
    if (!table_init(&s->table, ts->bits, left / 64 * 62))
        return problem_set(why, EXIT_INCONCLUSIVE, "no memory for the states");
    trail_init_items(&s->trail, ts->words * (uint32_t)sizeof(word), trail);
    trail_init(&s->edge_file, 1);
    return true;
}

void space_fini(struct space *s) {
    table_fini(&s->table);
    trail_fini(&s->trail);
    trail_fini(&s->edge_file);
    numbers_fini(&s->levels);
}

uint64_t space_depth(const struct space *s) {
    return s->deepest || !s->levels.count ? s->deepest : s->levels.count - 1;
}

uint64_t space_number(struct space *s, const word *state) {
    uint32_t count;
    for (uint64_t i = 0; i < s->trail.count; i++) {
        const word *other = trail_read(&s->trail, i, 1, &count);
        if (other && memcmp(other, state, s->ts->words * sizeof(word)) == 0) return i;
    }
    return 0;
}

static bool limit_reached(struct stop *stop, const char *reason) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return true;
}

bool space_must_stop(struct space *s, const char *phase, uint64_t done, uint64_t all, struct stop *stop) {
    if (s->limits.interrupted && *s->limits.interrupted) return limit_reached(stop, "interrupted");
    if (s->limits.max_states && s->states > s->limits.max_states)
        return limit_reached(stop, "the limit on states (--max-states) was reached");
    if (s->pulse++ % PULSES != 0) return false;
    double now = clock_seconds();
    if (s->limits.deadline > 0 && now > s->limits.deadline)
        return limit_reached(stop, "the limit on time (--time) was reached");
    if (memory_resident() > s->limits.max_memory)
        return limit_reached(stop, "the limit on memory (--max-memory) was reached");
    if (s->ticker.tick && now >= s->next_tick) {
        if (s->next_tick > 0) s->ticker.tick(s->ticker.context, s, phase, done, all);
        s->next_tick = now + 0.2;
    }
    return false;
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
    const word *states = trail_read(trail, first, room < w->most ? (uint32_t)room : w->most, &w->count);
    if (!states) {
        *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
        return false;
    }
    memcpy(w->states, states, (size_t)w->count * w->space->ts->words * sizeof(word));
    w->first = first;
    w->at = w->backward ? first : first + w->count;
    return true;
}

void walk_fini(struct walk *w) { free(w->states); }
