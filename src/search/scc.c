#include "search/scc.h"

#include <stdlib.h>
#include <string.h>

#include "search/open.h"

/* While the search runs, the number of a slot is
 *     0                  not met yet
 *     OPEN | index       met, its component is not complete; index counts states in the order in which they were met
 *     number             of its component, complete
 */
#define OPEN (UINT64_C(1) << 63)

struct frame {
    uint64_t slot;
    uint64_t low; /* the least index that is known to be reachable from here within open states */
    uint64_t index;
    uint64_t begin, next, end; /* of its successors in `states` and `slots`, counted in states */
};

struct search {
    struct scc *c;
    struct space *s;
    struct stop *stop;
    struct ts_batch batch;
    uint64_t *found;      /* slots of the successors in the batch */
    struct region frames; /* struct frame */
    struct region states; /* successors of the states on the depth-first stack */
    struct region slots;  /* uint64_t: their slots */
    struct region open;   /* uint64_t: slots of open states, Tarjan's stack */
    uint64_t depth, pending, opened;
    uint64_t met, components;
};

static bool no_memory(struct stop *stop) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the strong components"};
    return false;
}

static struct frame *frame_at(const struct search *d, uint64_t i) { return (struct frame *)(void *)d->frames.base + i; }
static uint64_t *slot_at(const struct search *d, uint64_t i) { return (uint64_t *)(void *)d->slots.base + i; }
static uint64_t *open_at(const struct search *d, uint64_t i) { return (uint64_t *)(void *)d->open.base + i; }
static word *state_at(const struct search *d, uint64_t i) {
    return (word *)(void *)d->states.base + i * d->s->ts->words;
}

static uint64_t *number_of(struct search *d, uint64_t slot) { return (uint64_t *)(void *)d->c->component.base + slot; }

static bool is_left_out(const struct scc *c, uint64_t slot) { return c->left_out && bitmap_has(c->left_out, slot); }

/* For one more state, and its successors. */
static bool make_room(struct search *d, uint32_t successors) {
    uint64_t pending = d->pending + successors;
    return open_room(&d->frames, (d->depth + 1) * sizeof(struct frame)) &&
           open_room(&d->states, pending * d->s->ts->words * sizeof(word)) &&
           open_room(&d->slots, pending * sizeof(uint64_t)) && open_room(&d->open, (d->opened + 1) * sizeof(uint64_t));
}

/* Pushes a state: computes its successors. `state` may be in d->states. */
static bool enter(struct search *d, const word *state, uint64_t slot) {
    struct space *s = d->s;
    uint32_t words = s->ts->words;
    d->batch.sources = state;
    d->batch.count = 1;
    if (s->ts->ops->expand(s->worker, &d->batch) < 1) {
        *d->stop = (struct stop){.kind = STOP_FAULT, .state = space_number(s, state), .fault = d->batch.fault};
        return false;
    }
    if (!make_room(d, d->batch.ends[0])) return no_memory(d->stop);
    uint64_t begin = d->pending;
    space_find(s, d->batch.successors, d->batch.ends[0], d->found);
    for (uint32_t e = 0; e < d->batch.ends[0]; e++) {
        uint64_t to = d->found[e];
        if (d->c->excluded && d->c->excluded[d->batch.labels[e]]) continue;
        if (is_left_out(d->c, to)) continue;
        memcpy(state_at(d, d->pending), d->batch.successors + (size_t)e * words, words * sizeof(word));
        *slot_at(d, d->pending++) = to;
    }
    uint64_t index = d->met++;
    *frame_at(d, d->depth++) = (struct frame){slot, index, index, begin, begin, d->pending};
    *number_of(d, slot) = OPEN | index;
    *open_at(d, d->opened++) = slot;
    return true;
}

/* Pops the top state; if it is the root of a component, the component is complete. */
static void leave(struct search *d) {
    struct frame f = *frame_at(d, --d->depth);
    d->pending = f.begin;
    if (f.low == f.index) {
        uint64_t slot;
        d->components++;
        do {
            slot = *open_at(d, --d->opened);
            *number_of(d, slot) = d->components;
        } while (slot != f.slot);
    } else if (f.low < frame_at(d, d->depth - 1)->low) {
        frame_at(d, d->depth - 1)->low = f.low;
    }
}

static bool search_from(struct search *d, const word *state, uint64_t slot) {
    if (!enter(d, state, slot)) return false;
    while (d->depth > 0) {
        struct frame *f = frame_at(d, d->depth - 1);
        if (f->next == f->end) {
            leave(d);
            continue;
        }
        uint64_t to = *slot_at(d, f->next), number = *number_of(d, to);
        const word *successor = state_at(d, f->next++);
        if (number == 0) {
            if (!enter(d, successor, to)) return false;
            if (space_must_stop(d->s, d->c->phase, d->met, d->s->states, d->stop)) return false;
        } else if ((number & OPEN) && (number & ~OPEN) < f->low) {
            f->low = number & ~OPEN;
        }
    }
    return true;
}

static bool search(struct scc *c, struct space *s, struct stop *stop) {
    struct search d = {.c = c, .s = s, .stop = stop};
    struct walk walk;
    uint64_t most = s->limits.max_memory;
    bool good = (region_init_within(&d.frames, most) && region_init_within(&d.states, most) &&
                 region_init_within(&d.slots, most) && region_init_within(&d.open, most)) ||
                no_memory(stop);
    ts_batch_init(&d.batch, s->ts, 1);
    d.found = memory_get((s->ts->transitions + 1) * sizeof *d.found);
    walk_init(&walk, s, false, 0, ts_batch_states(s->ts));
    uint64_t *slots = memory_get(walk.most * sizeof *slots);
    while (good && walk_next(&walk, stop)) {
        space_find(s, walk.states, walk.count, slots);
        for (uint32_t i = 0; good && i < walk.count; i++)
            if (*number_of(&d, slots[i]) == 0 && !is_left_out(c, slots[i]))
                good = search_from(&d, walk.states + (size_t)i * s->ts->words, slots[i]);
    }
    free(slots);
    free(d.found);
    walk_fini(&walk);
    ts_batch_fini(&d.batch);
    region_fini(&d.frames);
    region_fini(&d.states);
    region_fini(&d.slots);
    region_fini(&d.open);
    return good && stop->kind == STOP_DONE;
}

/* ---- On kept edges ---- */

static bool can_use_edges(const struct scc *c, struct space *s) {
    return !c->excluded && !c->left_out && s->edges_kept && edges_settle(s);
}

/* From numbers to slots. */
static bool hand_over(struct scc *c, struct space *s, struct stop *stop) {
    uint64_t *component = (uint64_t *)(void *)c->component.base;
    struct walk walk;
    walk_init(&walk, s, false, 0, ts_batch_states(s->ts));
    uint64_t *slots = memory_get(walk.most * sizeof *slots);
    while (walk_next(&walk, stop)) {
        space_find(s, walk.states, walk.count, slots);
        for (uint32_t i = 0; i < walk.count; i++) component[slots[i]] = strong_of(&c->strong, walk.first + i);
    }
    free(slots);
    walk_fini(&walk);
    return stop->kind == STOP_DONE;
}

static void find_leavable_kept(const struct scc *c, const struct edges *e, struct bitmap *leavable) {
    for (uint64_t i = 0, at = 0; i < e->states; i++) {
        uint32_t component = strong_of(&c->strong, i);
        for (uint64_t end = at + EDGES_COUNTS(e)[i]; at < end; at++)
            if (strong_of(&c->strong, EDGES_TARGETS(e)[at]) != component) bitmap_add(leavable, component);
    }
}

/* ---- Both ---- */

bool scc_run(struct scc *c, struct space *s, struct stop *stop) {
    uint64_t bytes = store_slots(&s->store) * sizeof(uint64_t);
    *stop = (struct stop){.kind = STOP_DONE};
    if (!space_get(s, &c->component, bytes)) return no_memory(stop);
    if (can_use_edges(c, s)) return strong_run(&c->strong, s, c->phase, stop) && hand_over(c, s, stop);
    return search(c, s, stop);
}

void scc_fini(struct scc *c) {
    region_fini(&c->component);
    strong_fini(&c->strong);
}

bool scc_find_leavable(const struct scc *components, struct space *s, struct bitmap *leavable, struct stop *stop) {
    struct walk walk;
    struct ts_batch batch;
    if (components->strong.of.base && s->edges_kept) {
        find_leavable_kept(components, &s->edge_list, leavable);
        return true;
    }
    ts_batch_init(&batch, s->ts, ts_batch_states(s->ts));
    walk_init(&walk, s, false, 0, batch.capacity);
    uint64_t *from = memory_get(walk.most * sizeof *from);
    uint64_t *to = memory_get((size_t)walk.most * s->ts->transitions * sizeof *to);
    while (walk_next(&walk, stop)) {
        batch.sources = walk.states;
        batch.count = walk.count;
        if (s->ts->ops->expand(s->worker, &batch) < walk.count) {
            *stop = (struct stop){.kind = STOP_FAULT, .state = walk.first, .fault = batch.fault};
            break;
        }
        space_find(s, walk.states, walk.count, from);
        space_find(s, batch.successors, batch.ends[walk.count - 1], to);
        for (uint32_t i = 0, e = 0; i < walk.count; i++)
            for (uint64_t component = scc_of(components, from[i]); e < batch.ends[i]; e++)
                if (scc_of(components, to[e]) != component) bitmap_add(leavable, component);
    }
    free(from);
    free(to);
    walk_fini(&walk);
    ts_batch_fini(&batch);
    return stop->kind == STOP_DONE;
}
