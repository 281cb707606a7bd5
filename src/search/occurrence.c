#include "search/occurrence.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "search/fixpoint.h"
#include "search/relevel.h"
#include "search/scc.h"

void occurrence_answer(struct check *c) {
    if (c->stop.kind != STOP_DONE) {
        char *message = text_format("there is such an execution, but it could not be shown: %s",
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

/* Appends to the trace a shortest path, inside the component and without the excluded transitions, from `head` to the
 * state at `goal`. Backward pointers are kept by slot. */
static bool close_cycle(struct check *c, const struct scc *components, const word *head, uint64_t goal) {
    struct space *s = &c->s;
    struct trace *t = &c->a->trace, way;
    struct ts_batch batch;
    struct region back = {0}; /* uint64_t by slot: 1 + index in `way` of the state that led here */
    uint32_t words = c->ts->words;
    uint64_t slot, goal_index = TRACE_NONE;
    struct numbers parents = {0};
    if (!space_get(s, &back, store_slots(&s->store) * 8)) return false;
    uint64_t *seen = (uint64_t *)(void *)back.base;
    trace_init(&way, words);
    ts_batch_init(&batch, c->ts, 1);
    space_find(s, head, 1, &slot);
    uint64_t component = scc_of(components, slot);
    trace_add(&way, c->q->infinitely, head);
    numbers_add(&parents, TRACE_NONE);
    seen[slot] = 1;
    if (slot == goal) goal_index = 0;
    for (uint64_t i = 0; i < way.count && goal_index == TRACE_NONE; i++) {
        batch.sources = trace_state(&way, i);
        batch.count = 1;
        if (c->ts->ops->expand(c->w, &batch) < 1) break;
        for (uint32_t e = 0; e < batch.ends[0] && goal_index == TRACE_NONE; e++) {
            const word *next = batch.successors + (size_t)e * words;
            if (components->excluded[batch.labels[e]]) continue;
            space_find(s, next, 1, &slot);
            if (slot == STORE_NONE || seen[slot] || scc_of(components, slot) != component) continue;
            seen[slot] = 1;
            if (slot == goal) goal_index = way.count;
            trace_add(&way, batch.labels[e], next);
            numbers_add(&parents, i);
        }
    }
    struct numbers order = {0};
    for (uint64_t i = goal_index; i != TRACE_NONE; i = parents.at[i]) numbers_add(&order, i);
    /* The goal is the last state of the stem, so that the cycle closes from there. */
    t->cycle = t->count - 1;
    for (uint64_t k = order.count; k-- > 1;) trace_add(t, way.transitions[order.at[k]], trace_state(&way, order.at[k]));
    t->closing = goal_index != TRACE_NONE ? way.transitions[goal_index] : TS_NONE;
    numbers_fini(&order);
    numbers_fini(&parents);
    region_fini(&back);
    trace_fini(&way);
    ts_batch_fini(&batch);
    return goal_index != TRACE_NONE;
}

/* There is an edge inside a component: the counterexample goes there and round. */
static void answer_cycle(struct check *c, const struct scc *components, uint64_t number, const word *head) {
    struct trace *t = &c->a->trace;
    uint64_t goal;
    if (c->stop.kind == STOP_DONE && trace_to(t, &c->s, number, &c->stop)) {
        space_find(&c->s, trace_state(t, t->count - 1), 1, &goal);
        if (!close_cycle(c, components, head, goal)) c->stop.kind = STOP_LIMIT;
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
