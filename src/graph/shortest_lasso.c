/* Executions without progress whose cycle is as short as possible, and that get there by the shortest way. */
#include "graph/shortest_lasso.h"

#include <assert.h>
#include <stdlib.h>

#include "graph/sweep.h"
#include "graph/bottom.h"
#include "graph/shortest_cycle.h"
#include "graph/way.h"

struct hunt {
    struct space *s;
    struct stop *stop;
    const struct edges *e;
    struct strong parts;
    struct bitmap unmarked; /* by number: states that a fixpoint has not marked */
    struct bitmap allowed;  /* by edge: may be on the cycle */
    struct bitmap left;     /* by component: it can be left */
    struct bitmap several;  /* by component: it has more than one state; of sets: it is one of them */
    struct shortest shortest;
};

static bool give_up(struct hunt *h, const char *reason) {
    *h->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

static bool get_bits(struct hunt *h, struct bitmap *b, uint64_t size) {
    return space_get_bits(h->s, b, size + 1) || give_up(h, "no memory was left for shortest cycles");
}

/* The edges are in memory, and states are in breadth-first order. */
static bool hunt_init(struct hunt *h, struct space *s, struct stop *stop) {
    *h = (struct hunt){.s = s, .stop = stop, .e = &s->edge_list};
    *stop = (struct stop){.kind = STOP_DONE};
    if (s->levels.count == 0 || !s->edges_kept || edges_settle(s, stop) != EDGES_SETTLED)
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

struct translation {
    const struct fixpoint *f;
    struct bitmap *unmarked;
};

static void take_unmarked(void *context, unsigned member, const struct sweep_batch *x) {
    const struct translation *t = context;
    (void)member;
    for (uint32_t i = 0; i < x->count; i++)
        if (fixpoint_unmarked(t->f, x->slots[i])) bitmap_add_shared(t->unmarked, x->numbers[i]);
}

/* Marks are by slot. */
static bool find_unmarked(struct hunt *h, const struct fixpoint *f) {
    struct translation t = {f, &h->unmarked};
    struct sweep w = {.s = h->s, .phase = "shortest cycle", .context = &t, .need = SWEEP_SLOTS, .take = take_unmarked};
    if (!get_bits(h, &h->unmarked, h->s->states)) return false;
    sweep_init(&w);
    bool good = sweep_all(&w, h->stop);
    sweep_fini(&w);
    return good;
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
    if (!strong_run(&h->parts, h->s, "components", h->stop)) return false;
    for_edges(h, look_at_component);
    for_edges(h, allow_bottom);
    h->parts.edges = &h->allowed;
    return true;
}

/* ---- The execution ---- */

/* From the last state of the trace, which is the first of the cycle, round. */
static bool add_cycle(struct hunt *h, struct trace *t) {
    const struct numbers *cycle = &h->shortest.cycle;
    struct stop *stop = h->stop;
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
        assert(k < at + EDGES_COUNTS(h->e)[from]); /* it is an edge of the cycle */
        if (i + 1 < cycle->count) trace_add(t, x->edges->labels[k - at], state);
        else t->closing = x->edges->labels[k - at];
    }
    free(state);
    sweep_fini(&w);
    return good;
}

/* Since which state of the trace have all been in the set? */
static uint64_t since_when(const struct node_set *set, const struct trace *t) {
    uint64_t i = t->count;
    while (i > 0 && set->has(set->context, trace_state(t, i - 1))) i--;
    return i;
}

static enum outcome find_execution(struct hunt *h, struct trace *t) {
    h->shortest.s = h->s;
    h->shortest.parts = &h->parts;
    enum outcome found = shortest_cycle(&h->shortest, h->stop);
    if (found != OUTCOME_FOUND) return found;
    assert(h->shortest.cycle.count > 0);
    return trace_to(t, h->s, h->shortest.cycle.at[0], h->stop) && add_cycle(h, t) ? found : OUTCOME_GIVEN_UP;
}

enum outcome shortest_unmarked(struct space *s, const struct fixpoint *f, const struct node_set *unmarked,
                               struct trace *t, struct stop *stop) {
    struct hunt h;
    bool good = hunt_init(&h, s, stop) && find_unmarked(&h, f);
    if (good && f->kind == BACKWARD_ALL) {
        for_edges(&h, allow_unmarked);
        h.parts.edges = &h.allowed;
        good = strong_run(&h.parts, h.s, "components", stop);
    } else if (good) {
        good = find_bottoms(&h);
    }
    enum outcome found = good ? find_execution(&h, t) : OUTCOME_GIVEN_UP;
    if (found == OUTCOME_FOUND) t->no_return = since_when(unmarked, t);
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
static uint64_t first_inside(const struct terminal_sets *sets, const struct trace *t) {
    for (uint64_t i = 0; i < sets->count; i++) {
        const struct node_set *states = &sets->at[i].states;
        if (states->has(states->context, trace_state(t, t->count - 1))) return since_when(states, t);
    }
    return t->count - 1;
}

enum outcome shortest_in_sets(struct space *s, const struct terminal_sets *sets, const bool *failed, struct trace *t,
                              struct stop *stop) {
    struct hunt h;
    bool good = hunt_init(&h, s, stop) && get_bits(&h, &h.several, h.s->states + 1) &&
                strong_run(&h.parts, h.s, "components", stop);
    if (good) allow_sets(&h, sets, failed);
    enum outcome found = good ? find_execution(&h, t) : OUTCOME_GIVEN_UP;
    if (found == OUTCOME_FOUND) t->no_return = first_inside(sets, t);
    hunt_fini(&h);
    return found;
}
