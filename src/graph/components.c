#include "graph/components.h"

#include <stdlib.h>
#include <string.h>

#include "graph/sweep.h"
#include "store/state_stack.h"

enum {
    ROUND = 1 << 16, /* states that are read at a time */
    PIECE = 1 << 10  /* of these, by one thread at a time */
};

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

static bool incomplete(struct stop *stop) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the state space is not complete"};
    return false;
}

/* Model code failed in a state. If it is not known which, that is no fault that could be shown. */
static bool fault(struct search *d, const word *state) {
    uint64_t number;
    switch (space_number(d->s, state, &number, d->stop)) {
    case OUTCOME_FOUND: *d->stop = (struct stop){.kind = STOP_FAULT, .state = number, .fault = d->batch.fault}; break;
    case OUTCOME_NONE: incomplete(d->stop); break;
    case OUTCOME_GIVEN_UP: break;
    }
    return false;
}

/* Pushes a state: computes its successors. `state` may be in d->states. */
static bool enter(struct search *d, const word *state, uint64_t slot) {
    struct space *s = d->s;
    uint32_t words = s->ts->words;
    d->batch.sources = state;
    d->batch.count = 1;
    if (s->ts->ops->expand(s->worker, &d->batch) < 1) return fault(d, state);
    if (!make_room(d, d->batch.ends[0])) return no_memory(d->stop);
    uint64_t begin = d->pending;
    space_find(s, d->batch.successors, d->batch.ends[0], d->found);
    for (uint32_t e = 0; e < d->batch.ends[0]; e++) {
        uint64_t to = d->found[e];
        if (to == STORE_NONE) return incomplete(d->stop);
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
    good = walk_fini(&walk) && good;
    ts_batch_fini(&d.batch);
    region_fini(&d.frames);
    region_fini(&d.states);
    region_fini(&d.slots);
    region_fini(&d.open);
    return good;
}

/* ---- On kept edges ---- */

static enum edges_settled try_edges(const struct scc *c, struct space *s, struct stop *stop) {
    return !c->excluded && !c->left_out && s->edges_kept ? edges_settle(s, stop) : EDGES_GIVEN_UP;
}

static uint32_t pieces(uint64_t states) { return (uint32_t)((states + PIECE - 1) / PIECE); }

/* Some states, whose components go from numbers to slots. */
struct handing {
    const struct scc *c;
    const struct space *s;
    const uint64_t *items; /* their keys */
    uint64_t first;
    uint32_t count;
};

static void hand_over_piece(void *context, unsigned member, uint32_t task) {
    const struct handing *h = context;
    uint64_t *component = (uint64_t *)(void *)h->c->component.base, slots[PIECE];
    uint32_t begin = task * PIECE, n = h->count - begin < PIECE ? h->count - begin : PIECE;
    (void)member;
    store_find_keys(&h->s->store, h->items + begin, n, slots);
    for (uint32_t i = 0; i < n; i++) component[slots[i]] = strong_of(&h->c->strong, h->first + begin + i);
}

static bool hand_over(struct scc *c, struct space *s, struct stop *stop) {
    struct handing h = {.c = c, .s = s};
    for (; h.first < s->states; h.first += h.count) {
        h.items = trail_read(&s->trail, h.first, ROUND, &h.count);
        if (!h.items) {
            *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
            return false;
        }
        team_run(&s->team, pieces(h.count), hand_over_piece, &h);
        if (space_must_stop(s, c->phase, h.first, s->states, stop)) return false;
    }
    return true;
}

/* ---- Components that can be left ---- */

struct leaving {
    const struct scc *c;
    struct space *s;
    struct bitmap *leavable; /* all threads add to it */
};

static void leave_piece(void *context, unsigned member, uint32_t task) {
    const struct leaving *l = context;
    const struct edges *e = &l->s->edge_list;
    uint64_t i = (uint64_t)task * PIECE, end = e->states - i < PIECE ? e->states : i + PIECE;
    (void)member;
    for (uint64_t at = edges_begin(e, i), next; i < end; i++, at = next) {
        uint32_t component = strong_of(&l->c->strong, i);
        next = at + EDGES_COUNTS(e)[i];
        if (bitmap_has(l->leavable, component)) continue;
        while (at < next && strong_of(&l->c->strong, EDGES_TARGETS(e)[at]) == component) at++;
        if (at < next) bitmap_add_shared(l->leavable, component);
    }
}

/* The same of a state that was expanded again. */
static void leave_state(void *context, unsigned member, const struct again_state *x) {
    const struct leaving *l = context;
    uint64_t component = scc_of(l->c, x->slot);
    uint32_t e = x->begin;
    (void)member;
    while (e < x->end && scc_of(l->c, x->to_slots[e]) == component) e++;
    if (e < x->end && !bitmap_has(l->leavable, component)) bitmap_add_shared(l->leavable, component);
}

bool scc_find_leavable(const struct scc *c, struct space *s, struct bitmap *leavable, struct stop *stop) {
    struct leaving l = {c, s, leavable};
    if (c->strong.of.base && s->edges_kept) {
        team_run(&s->team, pieces(s->edge_list.states), leave_piece, &l);
        return true;
    }
    struct again again = {
        .s = s, .phase = c->phase, .context = &l, .take = leave_state, .slot = true, .to_slots = true};
    again_init(&again);
    bool good = again_all(&again, stop);
    again_fini(&again);
    return good;
}

/* ---- Both ---- */

bool scc_run(struct scc *c, struct space *s, struct stop *stop) {
    uint64_t bytes = store_slots(&s->store) * sizeof(uint64_t);
    *stop = (struct stop){.kind = STOP_DONE};
    if (!space_get(s, &c->component, bytes)) return no_memory(stop);
    switch (try_edges(c, s, stop)) {
    case EDGES_SETTLED: return strong_run(&c->strong, s, c->phase, stop) && hand_over(c, s, stop);
    case EDGES_STOPPED: return false;
    default: return search(c, s, stop);
    }
}

void scc_fini(struct scc *c) {
    region_fini(&c->component);
    strong_fini(&c->strong);
}
