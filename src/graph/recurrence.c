#include "graph/recurrence.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/backward/backward.h"
#include "graph/components.h"
#include "graph/relevel.h"
#include "graph/sweep.h"
#include "graph/way.h"

/* ---- Looking for an edge ---- */

#define NONE UINT64_MAX

/* What all threads look for: an edge of the transition inside a component. */
struct hunt {
    const struct recurring *o;
    const struct scc *components;
    uint64_t *first; /* by thread: the least number of a state that has one */
};

/* The index of the first such edge of state i of the batch, or where its edges end. */
static uint32_t edge_inside(const struct hunt *h, const struct sweep_batch *x, uint32_t i, uint64_t slot) {
    uint64_t component = scc_of(h->components, slot);
    uint32_t e = sweep_begin(x, i), end = sweep_end(x, i);
    while (e < end && (component == 0 || x->edges->labels[e] != h->o->q->transition ||
                       scc_of(h->components, x->to[e]) != component))
        e++;
    return e;
}

static void look_inside(void *context, unsigned member, const struct sweep_batch *x) {
    const struct hunt *h = context;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->numbers[i] < h->first[member] && edge_inside(h, x, i, x->slots[i]) < sweep_end(x, i))
            h->first[member] = x->numbers[i];
}

static uint64_t first_of_all(const struct hunt *h) {
    uint64_t first = NONE;
    for (unsigned k = 0; k < h->o->s->team.size; k++)
        if (h->first[k] < first) first = h->first[k];
    return first;
}

/* Copies the state that the first such edge of state `number` leads to. False: *o->stop says why not. */
static bool find_head(const struct hunt *h, struct sweep *w, uint64_t number, word *head) {
    const struct recurring *o = h->o;
    uint64_t slot;
    const struct sweep_batch *x = sweep_one(w, number, o->stop);
    if (!x) return false;
    space_find(o->s, x->states, 1, &slot);
    uint32_t e = edge_inside(h, x, 0, slot);
    if (e == sweep_end(x, 0)) {
        *o->stop = (struct stop){.kind = STOP_LIMIT, .reason = "it was not found again"};
        return false;
    }
    memcpy(head, x->edges->successors + (size_t)e * o->s->ts->words, o->s->ts->words * sizeof(word));
    return true;
}

/* *number: its tail; *head: its head. FOUND: there is one; *o->stop may say why it cannot be shown. `again`: it was
 * seen already, so that it is worth showing beyond a limit. */
static enum outcome find_any_edge(const struct recurring *o, const struct scc *components, bool again, uint64_t *number,
                                  word *head) {
    struct hunt h = {o, components, memory_get(o->s->team.size * sizeof *h.first)};
    struct sweep w = {.s = o->s,
                      .phase = o->q->phase,
                      .context = &h,
                      .need = SWEEP_SLOTS | SWEEP_EDGES | SWEEP_LABELS,
                      .to = SWEEP_TO_SLOTS,
                      .showing = again,
                      .take = look_inside};
    enum sweep_end end = SWEEP_MORE;
    for (unsigned k = 0; k < o->s->team.size; k++) h.first[k] = NONE;
    sweep_init(&w);
    while (first_of_all(&h) == NONE && (end = sweep_next(&w, o->stop)) == SWEEP_MORE) {}
    *number = first_of_all(&h);
    /* Where model code fails after it does not matter. */
    if (*number != NONE && o->stop->kind == STOP_FAULT && *number < o->stop->state) end = SWEEP_MORE;
    if (*number != NONE && end != SWEEP_GIVEN_UP) find_head(&h, &w, *number, head);
    sweep_fini(&w);
    free(h.first);
    if (*number != NONE) return OUTCOME_FOUND;
    return end == SWEEP_GIVEN_UP ? OUTCOME_GIVEN_UP : OUTCOME_NONE;
}

/* The first one: the nearest, that is, if the order is by levels. */
static enum outcome find_edge(const struct recurring *o, const struct scc *components, uint64_t *number, word *head) {
    enum outcome any = find_any_edge(o, components, false, number, head);
    if (any != OUTCOME_FOUND || o->stop->kind != STOP_DONE || o->s->levels.count > 0) return any;
    if (space_relevel(o->s, NULL, o->stop) && find_any_edge(o, components, true, number, head) == OUTCOME_NONE)
        *o->stop = (struct stop){.kind = STOP_LIMIT, .reason = "it was not found again"};
    return OUTCOME_FOUND;
}

/* ---- Showing it ---- */

/* A breadth-first search inside a component, without the excluded transitions: all threads expand what was met. */
struct round {
    const struct recurring *o;
    const struct scc *components;
    uint64_t component;
    uint64_t goal;          /* slot */
    struct bitmap seen;     /* by slot */
    struct trail met;       /* states */
    struct numbers parents; /* of each, by index, and */
    struct numbers labels;  /* ... by which transition it was met */
    uint64_t goal_index;    /* TRACE_NONE: not met yet */
};

static void meet(struct round *r, uint64_t parent, uint32_t label, const word *state, uint64_t slot) {
    if (bitmap_has(&r->seen, slot) || scc_of(r->components, slot) != r->component) return;
    assert(parent == TRACE_NONE || parent < r->met.count);
    bitmap_add(&r->seen, slot);
    if (slot == r->goal) r->goal_index = r->met.count;
    space_add_to(r->o->s, &r->met, state);
    numbers_add(&r->parents, parent);
    numbers_add(&r->labels, label);
}

/* False: the goal was met. */
static bool put_met(void *context, const struct sweep_batch *x) {
    struct round *r = context;
    const struct ts_batch *edges = x->edges;
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t e = sweep_begin(x, i); e < sweep_end(x, i) && r->goal_index == TRACE_NONE; e++)
            if (!r->components->excluded[edges->labels[e]])
                meet(r, x->numbers[i], edges->labels[e], edges->successors + (size_t)e * r->o->s->ts->words, x->to[e]);
    return r->goal_index == TRACE_NONE;
}

/* False: *o->stop says why the goal was not met. */
static bool search_round(struct round *r) {
    struct stop *stop = r->o->stop;
    struct sweep w = {.s = r->o->s,
                      .phase = r->o->q->phase,
                      .context = r,
                      .need = SWEEP_EDGES | SWEEP_LABELS,
                      .to = SWEEP_TO_SLOTS,
                      .trail = &r->met,
                      .showing = true,
                      .put = put_met};
    bool more = r->goal_index == TRACE_NONE;
    sweep_init(&w);
    while (more && w.next < r->met.count) {
        sweep_again(&w, w.next, r->met.count);
        more = sweep_all(&w, stop);
    }
    sweep_fini(&w);
    if (r->goal_index != TRACE_NONE) return true;
    if (stop->kind == STOP_DONE) *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the cycle was not found again"};
    return false;
}

/* The goal is the last state of the stem, so that the cycle closes from there. */
static void add_round(struct trace *t, struct round *r) {
    struct numbers order = {0};
    struct space *s = r->o->s;
    word *state = memory_get(s->ts->words * sizeof(word));
    for (uint64_t i = r->goal_index; i != TRACE_NONE; i = r->parents.at[i]) numbers_add(&order, i);
    t->cycle = t->count - 1;
    for (uint64_t k = order.count; k-- > 1;) {
        uint32_t one;
        const void *item = trail_read(&r->met, order.at[k], 1, &one);
        if (!item) {
            *r->o->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
            break;
        }
        space_states(s, 0, item, 1, state);
        trace_add(t, (uint32_t)r->labels.at[order.at[k]], state);
    }
    t->closing = (uint32_t)r->labels.at[r->goal_index];
    numbers_fini(&order);
    free(state);
}

/* Appends to the trace a shortest path, inside the component and without the excluded transitions, from `head` to the
 * state at `goal`. If that cannot be shown, *o->stop says why. */
static void close_cycle(const struct recurring *o, const struct scc *components, const word *head, uint64_t goal) {
    struct round r = {.o = o, .components = components, .goal = goal, .goal_index = TRACE_NONE};
    uint64_t slot;
    if (!space_get_bits(o->s, &r.seen, store_slots(&o->s->store))) {
        *o->stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left"};
        return;
    }
    trail_init(&r.met, space_item_words(o->s));
    space_find(o->s, head, 1, &slot);
    r.component = scc_of(components, slot);
    assert(r.component != 0 && scc_of(components, goal) == r.component); /* the edge is inside a component */
    meet(&r, TRACE_NONE, o->q->transition, head, slot);
    if (search_round(&r)) add_round(o->t, &r);
    numbers_fini(&r.parents);
    numbers_fini(&r.labels);
    bitmap_fini(&r.seen);
    trail_fini(&r.met);
}

/* There is an edge inside a component: the execution goes there and round. */
static void show_cycle(const struct recurring *o, const struct scc *components, uint64_t number, const word *head) {
    uint64_t goal;
    if (o->stop->kind != STOP_DONE || !trace_to(o->t, o->s, number, o->stop)) return;
    space_find(o->s, trace_state(o->t, o->t->count - 1), 1, &goal);
    close_cycle(o, components, head, goal);
}

/* States that come to an end whatever happens are on no cycle. All threads find them first; what is left, if anything,
 * is for the search for components. */
static enum outcome find_expanding(const struct recurring *o, struct bitmap *marked) {
    struct fixpoint ends = {.kind = BACKWARD_ALL,
                            .terminal_is_target = true,
                            .excluded = o->q->excluded,
                            .phase = o->q->phase,
                            .marked = *marked};
    struct scc components = {.excluded = o->q->excluded, .left_out = &ends.marked, .phase = o->q->phase};
    uint64_t number;
    word *head = memory_get(o->s->ts->words * sizeof(word));
    *marked = (struct bitmap){0};
    bool fine = fixpoint_run(&ends, o->s, o->stop) && (ends.unmarked == 0 || scc_run(&components, o->s, o->stop));
    enum outcome edge = !fine                ? OUTCOME_GIVEN_UP
                        : ends.unmarked == 0 ? OUTCOME_NONE
                                             : find_edge(o, &components, &number, head);
    if (edge == OUTCOME_FOUND) show_cycle(o, &components, number, head);
    fixpoint_fini(&ends);
    scc_fini(&components);
    free(head);
    return edge;
}

enum outcome recurrence_find(struct space *s, const struct recurrence *q, struct bitmap *marked, struct trace *t,
                             struct stop *stop) {
    const struct recurring o = {s, q, t, stop};
    enum recurs kept = recurrence_kept(&o);
    *stop = kept == RECURS_UNKNOWN ? (struct stop){.kind = STOP_DONE} : *stop;
    if (kept == RECURS_UNKNOWN) return find_expanding(&o, marked);
    bitmap_fini(marked);
    return kept == RECURS_NOT ? OUTCOME_NONE : kept == RECURS ? OUTCOME_FOUND : OUTCOME_GIVEN_UP;
}
