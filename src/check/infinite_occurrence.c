#include "check/infinite_occurrence.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/backward.h"
#include "graph/relevel.h"
#include "graph/components.h"

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

/* Is an edge inside a component? */
static bool is_inside(struct space *s, const struct scc *components, const word *tail, const word *head) {
    uint64_t from, to;
    space_find(s, tail, 1, &from);
    space_find(s, head, 1, &to);
    return from != STORE_NONE && to != STORE_NONE && scc_of(components, from) != 0 &&
           scc_of(components, from) == scc_of(components, to);
}

/* Looks for an edge of `infinitely` inside a component. *number: its tail; *head: its head. */
static enum outcome find_any_edge(struct check *c, const struct scc *components, uint64_t *number, word *head) {
    struct space *s = &c->s;
    struct walk walk;
    struct ts_batch batch;
    uint32_t words = c->ts->words;
    bool found = false, fails = false;
    ts_batch_init(&batch, c->ts, ts_batch_states(c->ts));
    walk_init(&walk, s, false, 0, batch.capacity);
    while (!found && !fails && walk_next(&walk, &c->stop)) {
        batch.sources = walk.states;
        batch.count = walk.count;
        uint32_t done = c->ts->ops->expand(c->w, &batch);
        for (uint32_t i = 0, e = 0; i < done && !found; i++)
            for (; e < batch.ends[i] && !found; e++) {
                const word *next = batch.successors + (size_t)e * words;
                if (batch.labels[e] != c->q->infinitely) continue;
                found = is_inside(s, components, walk.states + (size_t)i * words, next);
                *number = walk.first + i;
                memcpy(head, next, words * sizeof(word));
            }
        fails = !found && done < walk.count;
        if (fails) c->stop = (struct stop){.kind = STOP_FAULT, .state = walk.first + done, .fault = batch.fault};
    }
    ts_batch_fini(&batch);
    if (!walk_fini(&walk) || fails) return OUTCOME_GIVEN_UP;
    return found ? OUTCOME_FOUND : OUTCOME_NONE;
}

/* The first one: the nearest, that is, if the order is by levels. FOUND: c->stop may say why it cannot be shown. */
static enum outcome find_edge(struct check *c, const struct scc *components, uint64_t *number, word *head) {
    enum outcome any = find_any_edge(c, components, number, head);
    if (any != OUTCOME_FOUND || c->s.levels.count > 0) return any;
    if (space_relevel(&c->s, NULL, &c->stop) && find_any_edge(c, components, number, head) == OUTCOME_NONE)
        c->stop = (struct stop){.kind = STOP_LIMIT, .reason = "it was not found again"};
    return OUTCOME_FOUND;
}

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

bool check_occurrence(struct check *c) {
    enum occurrence kept = occurrence_kept(c);
    if (kept != OCCURRENCE_UNKNOWN) return kept == OCCURRENCE_NONE;
    return ask_expanding(c);
}
