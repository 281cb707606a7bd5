#include "check/property/infinite_occurrence.h"

#include "check/property/property_ops.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/backward.h"
#include "graph/relevel.h"
#include "graph/components.h"
#include "graph/sweep.h"

enum { STATES_A_LOOK = 64 };

void occurrence_answer(struct check *c) {
    if (c->stop.kind != STOP_DONE) {
        char *message = text_format("violated, but the execution cannot be shown: %s",
                                    c->stop.kind == STOP_FAULT ? c->stop.fault.text
                                    : c->stop.reason           ? c->stop.reason
                                                               : "no memory was left");
        check_forget_trace(c);
        check_inconclusive(c, message);
        free(message);
    } else if (check_believe(c)) {
        char name[128];
        c->ts->ops->transition_name(c->w, c->q->infinitely, name, sizeof name);
        check_answer(c, VERDICT_VIOLATED, PROP_INFINITE,
                     text_format("%s: transition %u (%s) can occur again and again, for ever",
                                 property_headline(PROP_INFINITE), c->q->infinitely, name));
    }
}

/* ---- Looking for an edge ---- */

#define NONE UINT64_MAX

/* What all threads look for: an edge of the transition inside a component. */
struct hunt {
    struct check *c;
    const struct scc *components;
    uint64_t *first; /* by thread: the least number of a state that has one */
};

/* The index of the first such edge of state i of the batch, or where its edges end. */
static uint32_t edge_inside(const struct hunt *h, const struct sweep_batch *x, uint32_t i, uint64_t slot) {
    uint64_t component = scc_of(h->components, slot);
    uint32_t e = sweep_begin(x, i), end = sweep_end(x, i);
    while (e < end && (component == 0 || x->edges->labels[e] != h->c->q->infinitely ||
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
    for (unsigned k = 0; k < h->c->s.team.size; k++)
        if (h->first[k] < first) first = h->first[k];
    return first;
}

/* Copies the state that the first such edge of state `number` leads to. False: c->stop says why not. */
static bool find_head(const struct hunt *h, struct sweep *w, uint64_t number, word *head) {
    struct check *c = h->c;
    uint64_t slot;
    const struct sweep_batch *x = sweep_one(w, number, &c->stop);
    if (!x) return false;
    space_find(&c->s, x->states, 1, &slot);
    uint32_t e = edge_inside(h, x, 0, slot);
    if (e == sweep_end(x, 0)) {
        c->stop = (struct stop){.kind = STOP_LIMIT, .reason = "it was not found again"};
        return false;
    }
    memcpy(head, x->edges->successors + (size_t)e * c->ts->words, c->ts->words * sizeof(word));
    return true;
}

/* *number: its tail; *head: its head. FOUND: there is one; c->stop may say why it cannot be shown. `again`: it was seen
 * already, so that it is worth showing beyond a limit. */
static enum outcome find_any_edge(struct check *c, const struct scc *components, bool again, uint64_t *number,
                                  word *head) {
    struct hunt h = {c, components, memory_get(c->s.team.size * sizeof *h.first)};
    struct sweep w = {.s = &c->s,
                      .phase = OCCURRENCE_PHASE,
                      .context = &h,
                      .need = SWEEP_SLOTS | SWEEP_EDGES | SWEEP_LABELS,
                      .to = SWEEP_TO_SLOTS,
                      .showing = again,
                      .take = look_inside};
    enum sweep_end end = SWEEP_MORE;
    for (unsigned k = 0; k < c->s.team.size; k++) h.first[k] = NONE;
    sweep_init(&w);
    while (first_of_all(&h) == NONE && (end = sweep_next(&w, &c->stop)) == SWEEP_MORE) {}
    *number = first_of_all(&h);
    /* Where model code fails after it does not matter. */
    if (*number != NONE && c->stop.kind == STOP_FAULT && *number < c->stop.state) end = SWEEP_MORE;
    if (*number != NONE && end != SWEEP_GIVEN_UP) find_head(&h, &w, *number, head);
    sweep_fini(&w);
    free(h.first);
    if (*number != NONE) return OUTCOME_FOUND;
    return end == SWEEP_GIVEN_UP ? OUTCOME_GIVEN_UP : OUTCOME_NONE;
}

/* The first one: the nearest, that is, if the order is by levels. */
static enum outcome find_edge(struct check *c, const struct scc *components, uint64_t *number, word *head) {
    enum outcome any = find_any_edge(c, components, false, number, head);
    if (any != OUTCOME_FOUND || c->stop.kind != STOP_DONE || c->s.levels.count > 0) return any;
    if (space_relevel(&c->s, NULL, &c->stop) && find_any_edge(c, components, true, number, head) == OUTCOME_NONE)
        c->stop = (struct stop){.kind = STOP_LIMIT, .reason = "it was not found again"};
    return OUTCOME_FOUND;
}

/* ---- Showing it ---- */

/* A breadth-first search inside a component, without the excluded transitions. */
struct round {
    struct check *c;
    const struct scc *components;
    uint64_t component;
    uint64_t goal;          /* slot */
    struct bitmap seen;     /* by slot */
    struct trace met;       /* states, and by which transition */
    struct numbers parents; /* of each, by index */
    uint64_t goal_index;    /* TRACE_NONE: not met yet */
};

static void meet(struct round *r, uint64_t parent, uint32_t label, const word *state) {
    uint64_t slot;
    space_find(&r->c->s, state, 1, &slot);
    if (slot == STORE_NONE || bitmap_has(&r->seen, slot) || scc_of(r->components, slot) != r->component) return;
    bitmap_add(&r->seen, slot);
    if (slot == r->goal) r->goal_index = r->met.count;
    trace_add(&r->met, label, state);
    numbers_add(&r->parents, parent);
}

/* False: c->stop says why the goal was not met. */
static bool search_round(struct round *r) {
    struct check *c = r->c;
    struct ts_batch batch;
    ts_batch_init(&batch, c->ts, 1);
    for (uint64_t i = 0; i < r->met.count && r->goal_index == TRACE_NONE && c->stop.kind == STOP_DONE; i++) {
        batch.sources = trace_state(&r->met, i);
        batch.count = 1;
        if (c->ts->ops->expand(c->w, &batch) < 1) {
            c->stop = (struct stop){.kind = STOP_FAULT, .fault = batch.fault};
            break;
        }
        for (uint32_t e = 0; e < batch.ends[0] && r->goal_index == TRACE_NONE; e++)
            if (!r->components->excluded[batch.labels[e]])
                meet(r, i, batch.labels[e], batch.successors + (size_t)e * c->ts->words);
        if (i % STATES_A_LOOK == 0) space_interrupted(&c->s, OCCURRENCE_PHASE, i, c->s.states, &c->stop);
    }
    ts_batch_fini(&batch);
    if (r->goal_index == TRACE_NONE && c->stop.kind == STOP_DONE)
        c->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the cycle was not found again"};
    return r->goal_index != TRACE_NONE && c->stop.kind == STOP_DONE;
}

/* The goal is the last state of the stem, so that the cycle closes from there. */
static void add_round(struct trace *t, const struct round *r) {
    struct numbers order = {0};
    for (uint64_t i = r->goal_index; i != TRACE_NONE; i = r->parents.at[i]) numbers_add(&order, i);
    t->cycle = t->count - 1;
    for (uint64_t k = order.count; k-- > 1;)
        trace_add(t, r->met.transitions[order.at[k]], trace_state(&r->met, order.at[k]));
    t->closing = r->met.transitions[r->goal_index];
    numbers_fini(&order);
}

/* Appends to the trace a shortest path, inside the component and without the excluded transitions, from `head` to the
 * state at `goal`. If that cannot be shown, c->stop says why. */
static void close_cycle(struct check *c, const struct scc *components, const word *head, uint64_t goal) {
    struct round r = {.c = c, .components = components, .goal = goal, .goal_index = TRACE_NONE};
    uint64_t slot;
    if (!space_get_bits(&c->s, &r.seen, store_slots(&c->s.store))) {
        c->stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left"};
        return;
    }
    trace_init(&r.met, c->ts->words);
    space_find(&c->s, head, 1, &slot);
    r.component = scc_of(components, slot);
    meet(&r, TRACE_NONE, c->q->infinitely, head);
    if (search_round(&r)) add_round(&c->a->trace, &r);
    numbers_fini(&r.parents);
    bitmap_fini(&r.seen);
    trace_fini(&r.met);
}

/* There is an edge inside a component: the counterexample goes there and round. */
static void answer_cycle(struct check *c, const struct scc *components, uint64_t number, const word *head) {
    struct trace *t = &c->a->trace;
    uint64_t goal;
    if (c->stop.kind == STOP_DONE && trace_to(t, &c->s, number, &c->stop)) {
        space_find(&c->s, trace_state(t, t->count - 1), 1, &goal);
        close_cycle(c, components, head, goal);
    }
    occurrence_answer(c);
}

/* States that come to an end whatever happens are on no cycle. All threads find them first; what is left, if anything,
 * is for the search for components. */
static bool ask_expanding(struct check *c) {
    const bool *excluded = c->q->finitely;
    struct fixpoint ends = {.kind = FIXPOINT_ALL,
                            .terminal_is_target = true,
                            .excluded = excluded,
                            .phase = OCCURRENCE_PHASE,
                            .marked = c->position.marked};
    struct scc components = {.excluded = excluded, .left_out = &ends.marked, .phase = OCCURRENCE_PHASE};
    uint64_t number;
    word *head = memory_get(c->ts->words * sizeof(word));
    c->position.marked = (struct bitmap){0};
    bool fine = fixpoint_run(&ends, &c->s, &c->stop) && (ends.unmarked == 0 || scc_run(&components, &c->s, &c->stop));
    enum outcome edge = !fine                ? OUTCOME_GIVEN_UP
                        : ends.unmarked == 0 ? OUTCOME_NONE
                                             : find_edge(c, &components, &number, head);
    if (edge == OUTCOME_GIVEN_UP) check_stop(c);
    else if (edge == OUTCOME_FOUND) answer_cycle(c, &components, number, head);
    fixpoint_fini(&ends);
    scc_fini(&components);
    free(head);
    return edge == OUTCOME_NONE;
}

static bool ask(struct check *c) {
    enum occurrence kept = occurrence_kept(c);
    if (kept != OCCURRENCE_UNKNOWN) return kept == OCCURRENCE_NONE;
    return ask_expanding(c);
}

/* The transitions that a list names. */
static bool parse_transitions(const char *list, struct ts *ts, struct ts_worker *w, bool *set, struct problem *why) {
    char *copy = memory_copy_string(list), *rest = copy;
    bool good = true;
    for (char *name; good && (name = strsep(&rest, ","));) {
        uint32_t t = ts_find_transition(ts, w, name);
        if (t == TS_NONE) good = ts_lacks_transition(ts, w, name, why);
        else set[t] = true;
    }
    free(copy);
    return good;
}

/* --infinitely T --finitely U,... */
static bool read_options(struct questions *q, struct ts *ts, struct ts_worker *w, struct problem *why) {
    const char *what = q->what[PROPERTY_INFINITE], *besides = q->besides[PROPERTY_INFINITE];
    q->infinitely = ts_find_transition(ts, w, what);
    if (q->infinitely == TS_NONE) return ts_lacks_transition(ts, w, what, why);
    q->made = memory_get_zeroed(ts->transitions);
    q->finitely = q->made;
    if (besides && !parse_transitions(besides, ts, w, q->made, why)) return false;
    return !q->finitely[q->infinitely] ||
           problem_set(why, EXIT_BAD_INPUT, "transition '%s' is both in --infinitely and in --finitely", what);
}

const struct property_ops ops_INFINITE = {.options = read_options, .ask = ask};
