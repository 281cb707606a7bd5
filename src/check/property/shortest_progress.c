/* Executions without progress whose cycle is as short as possible, and that get there by the shortest way. */
#include "check/property/shortest_progress.h"

#include <stdlib.h>

#include "graph/sweep.h"
#include "graph/shortest_cycle.h"

struct hunt {
    struct check *c;
    struct space *s;
    const struct edges *e;
    struct strong parts;
    struct bitmap unmarked; /* by number: states that a fixpoint has not marked */
    struct bitmap allowed;  /* by edge: may be on the cycle */
    struct bitmap left;     /* by component: it can be left */
    struct bitmap several;  /* by component: it has more than one state; of sets: it is one of them */
    struct shortest shortest;
};

static bool give_up(struct hunt *h, const char *reason) {
    h->c->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

static bool get_bits(struct hunt *h, struct bitmap *b, uint64_t size) {
    return space_get_bits(h->s, b, size + 1) || give_up(h, "no memory was left for shortest cycles");
}

/* The edges are in memory, and states are in breadth-first order. */
static bool hunt_init(struct hunt *h, struct check *c) {
    *h = (struct hunt){.c = c, .s = &c->s, .e = &c->s.edge_list};
    c->stop = (struct stop){.kind = STOP_DONE};
    if (c->s.levels.count == 0 || !c->s.edges_kept || edges_settle(&c->s, &c->stop) != EDGES_SETTLED)
        return give_up(h, "the edges of the state space did not stay in memory");
    return get_bits(h, &h->allowed, h->e->count);
}

static void hunt_fini(struct hunt *h) {
    strong_fini(&h->parts);
    bitmap_fini(&h->unmarked);
    bitmap_fini(&h->allowed);
    bitmap_fini(&h->left);
    bitmap_fini(&h->several);
    shortest_fini(&h->shortest);
}

/* ---- Which edges may be on the cycle ---- */

/* Marks are by slot. */
static bool find_unmarked(struct hunt *h, const struct fixpoint *f) {
    struct walk w;
    struct stop *stop = &h->c->stop;
    if (!get_bits(h, &h->unmarked, h->s->states)) return false;
    walk_init(&w, h->s, false, 0, 256);
    while (walk_next(&w, stop)) {
        uint64_t slots[256];
        space_find(h->s, w.states, w.count, slots);
        for (uint32_t i = 0; i < w.count; i++)
            if (!bitmap_has(&f->marked, slots[i])) bitmap_add(&h->unmarked, w.first + i);
    }
    return walk_fini(&w);
}

static bool is_inside(const struct hunt *h, uint64_t from, uint64_t to) {
    return strong_of(&h->parts, from) == strong_of(&h->parts, to);
}

/* Calls for each edge: from a state, at this place, to a state. */
static void for_edges(struct hunt *h, void (*f)(struct hunt *h, uint64_t from, uint64_t edge, uint64_t to)) {
    for (uint64_t i = 0, at = 0; i < h->s->states; i++)
        for (uint64_t end = at + EDGES_COUNTS(h->e)[i]; at < end; at++) f(h, i, at, EDGES_TARGETS(h->e)[at]);
}

static void allow_unmarked(struct hunt *h, uint64_t from, uint64_t edge, uint64_t to) {
    if (bitmap_has(&h->unmarked, from) && bitmap_has(&h->unmarked, to)) bitmap_add(&h->allowed, edge);
}

static void look_at_component(struct hunt *h, uint64_t from, uint64_t edge, uint64_t to) {
    (void)edge;
    if (!is_inside(h, from, to)) bitmap_add(&h->left, strong_of(&h->parts, from));
    else if (from != to) bitmap_add(&h->several, strong_of(&h->parts, from));
}

/* Inside a component that cannot be left. One that goes nowhere shows nothing, if there are others (continuation.h). */
static void allow_bottom(struct hunt *h, uint64_t from, uint64_t edge, uint64_t to) {
    uint32_t part = strong_of(&h->parts, from);
    if (!bitmap_has(&h->unmarked, from) || bitmap_has(&h->left, part)) return;
    if (from != to || !bitmap_has(&h->several, part)) bitmap_add(&h->allowed, edge);
}

static bool find_bottoms(struct hunt *h) {
    if (!get_bits(h, &h->left, h->s->states + 1) || !get_bits(h, &h->several, h->s->states + 1)) return false;
    if (!strong_run(&h->parts, h->s, "components", &h->c->stop)) return false;
    for_edges(h, look_at_component);
    for_edges(h, allow_bottom);
    h->parts.edges = &h->allowed;
    return true;
}

/* ---- The execution ---- */

/* From the last state of the trace, which is the first of the cycle, round. */
static bool add_cycle(struct hunt *h, struct trace *t) {
    const struct numbers *cycle = &h->shortest.cycle;
    struct stop *stop = &h->c->stop;
    struct sweep w = {.s = h->s, .phase = "shortest cycle", .need = SWEEP_EDGES | SWEEP_LABELS};
    word *state = memory_get(t->words * sizeof(word));
    bool good = true;
    sweep_init(&w);
    t->cycle = t->count - 1;
    for (size_t i = 0; i < cycle->count && good; i++) {
        uint64_t from = cycle->at[i], to = cycle->at[(i + 1) % cycle->count], at = edges_begin(h->e, from), k = at;
        const struct sweep_batch *x = sweep_one(&w, from, stop);
        good = x && (space_state(h->s, to, state) || give_up(h, "the file of states could not be read back"));
        if (!good) break;
        while (EDGES_TARGETS(h->e)[k] != to) k++;
        if (i + 1 < cycle->count) trace_add(t, x->edges->labels[k - at], state);
        else t->closing = x->edges->labels[k - at];
    }
    free(state);
    sweep_fini(&w);
    return good;
}

/* From where on is there no marked state any more? */
static uint64_t last_marked(struct hunt *h, const struct fixpoint *f, const struct trace *t) {
    uint64_t i = t->count, slot;
    for (; i > 0; i--) {
        space_find(h->s, trace_state(t, i - 1), 1, &slot);
        if (bitmap_has(&f->marked, slot)) break;
    }
    return i;
}

static enum outcome find_execution(struct hunt *h) {
    struct check *c = h->c;
    h->shortest.s = h->s;
    h->shortest.parts = &h->parts;
    enum outcome found = shortest_cycle(&h->shortest, &c->stop);
    if (found != OUTCOME_FOUND) return found;
    check_forget_trace(c);
    if (trace_to(&c->a->trace, h->s, h->shortest.cycle.at[0], &c->stop) && add_cycle(h, &c->a->trace)) return found;
    check_forget_trace(c);
    return OUTCOME_GIVEN_UP;
}

enum outcome shortest_progress(struct check *c, const struct fixpoint *f) {
    struct hunt h;
    bool good = hunt_init(&h, c) && find_unmarked(&h, f);
    if (good && f->kind == FIXPOINT_ALL) {
        for_edges(&h, allow_unmarked);
        h.parts.edges = &h.allowed;
        good = strong_run(&h.parts, h.s, "components", &c->stop);
    } else if (good) {
        good = find_bottoms(&h);
    }
    enum outcome found = good ? find_execution(&h) : OUTCOME_GIVEN_UP;
    if (found == OUTCOME_FOUND) c->a->trace.no_return = last_marked(&h, f, &c->a->trace);
    hunt_fini(&h);
    return found;
}

/* The edges inside the components of these sets. */
static void allow_sets(struct hunt *h, const struct terminal_sets *t, const bool *failed) {
    for (uint64_t i = 0; i < t->count; i++)
        if (failed[i]) bitmap_add(&h->several, strong_of(&h->parts, t->at[i].first));
    for (uint64_t i = 0, at = 0; i < h->s->states; at += EDGES_COUNTS(h->e)[i++])
        for (uint32_t k = 0; k < EDGES_COUNTS(h->e)[i] && bitmap_has(&h->several, strong_of(&h->parts, i)); k++)
            bitmap_add(&h->allowed, at + k);
    h->parts.edges = &h->allowed;
}

/* Where does the trace enter the component that it ends in? */
static uint64_t first_inside(struct hunt *h, const struct terminal_sets *t, const struct trace *trace) {
    uint64_t i = trace->count, slot, part = 0;
    for (; i > 0; i--) {
        space_find(h->s, trace_state(trace, i - 1), 1, &slot);
        if (i == trace->count) part = scc_of(&t->components, slot);
        else if (scc_of(&t->components, slot) != part) break;
    }
    return i;
}

enum outcome shortest_in_sets(struct check *c, const struct terminal_sets *t, const bool *failed) {
    struct hunt h;
    bool good = hunt_init(&h, c) && get_bits(&h, &h.several, h.s->states + 1) &&
                strong_run(&h.parts, h.s, "components", &c->stop);
    if (good) allow_sets(&h, t, failed);
    enum outcome found = good ? find_execution(&h) : OUTCOME_GIVEN_UP;
    if (found == OUTCOME_FOUND) c->a->trace.no_return = first_inside(&h, t, &c->a->trace);
    hunt_fini(&h);
    return found;
}
