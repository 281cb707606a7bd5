#include "graph/way.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/state_stack.h"

enum { STEPS_A_LOOK = 4096 }; /* steps between two looks at whether it must end */

static bool same(const word *a, const word *b, uint32_t words) { return memcmp(a, b, words * sizeof(word)) == 0; }

static void reverse(struct trace *t) {
    word *swap = memory_get(t->words * sizeof(word));
    size_t size = t->words * sizeof(word);
    for (uint64_t i = 0, j = t->count; i + 1 < j--; i++) {
        memcpy(swap, t->states + i * t->words, size);
        memcpy(t->states + i * t->words, t->states + j * t->words, size);
        memcpy(t->states + j * t->words, swap, size);
        uint32_t label = t->transitions[i];
        t->transitions[i] = t->transitions[j];
        t->transitions[j] = label;
    }
    free(swap);
}

/* Among the states [first, end), the first with an edge to `child`: there must be one. False: *stop says why it was not
 * found. */
static bool find_parent(struct space *s, struct ts_batch *batch, uint64_t first, uint64_t end, const word *child,
                        word *parent, uint64_t *number, uint32_t *label, struct stop *stop) {
    struct walk walk;
    uint32_t words = s->ts->words;
    bool found = false;
    walk_init(&walk, s, false, first, batch->capacity);
    while (!found && walk.at < end && walk_next(&walk, stop)) {
        batch->sources = walk.states;
        batch->count = end - walk.first < walk.count ? (uint32_t)(end - walk.first) : walk.count;
        uint32_t done = s->ts->ops->expand(s->worker, batch);
        for (uint32_t i = 0, edge = 0; i < done && !found; i++)
            for (; edge < batch->ends[i] && !found; edge++)
                if (same(batch->successors + (size_t)edge * words, child, words)) {
                    memcpy(parent, walk.states + (size_t)i * words, words * sizeof(word));
                    *number = walk.first + i;
                    *label = batch->labels[edge];
                    found = true;
                }
        if (done < batch->count) break;
        if (!found && space_interrupted(s, "tracing back", walk.at - first, end - first, stop)) break;
    }
    if (!walk_fini(&walk)) return false;
    if (!found && stop->kind == STOP_DONE)
        *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the way back was not found"};
    return found;
}

bool trace_to(struct trace *t, struct space *s, uint64_t target, struct stop *stop) {
    struct ts_batch batch;
    uint32_t words = s->ts->words, label;
    word *child = memory_get(words * sizeof(word)), *parent = memory_get(words * sizeof(word));
    ts_batch_init(&batch, s->ts, ts_batch_states(s->ts));
    assert(s->levels.count > 0 && s->levels.at[0] == 0); /* relevel.h has seen to that */
    *stop = (struct stop){.kind = STOP_DONE};
    bool found = space_state(s, target, child);
    if (!found) *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
    uint64_t level = s->levels.count;
    while (level > 0 && s->levels.at[level - 1] > target) level--;
    /* Now the target is on level `level - 1`. */
    for (level--; found && level > 0; level--) {
        uint64_t end = s->levels.at[level];
        assert(s->levels.at[level - 1] < end && end <= target);
        found = find_parent(s, &batch, s->levels.at[level - 1], end, child, parent, &target, &label, stop);
        if (!found) break;
        trace_add(t, label, child);
        memcpy(child, parent, words * sizeof(word));
    }
    if (found) trace_add(t, TS_NONE, child);
    reverse(t);
    ts_batch_fini(&batch);
    free(child);
    free(parent);
    return found;
}

/* The walk of trace_walk_on. */
struct walking {
    struct trace *t;
    struct space *s;
    const struct node_set *through;
    bool moving;
    word *next; /* where a step leads to */
    struct ts_fault fault;
};

/* By this transition to w->next? */
static bool can_step(struct walking *w, const word *from, uint32_t u) {
    const struct ts *ts = w->s->ts;
    uint64_t slot;
    int fired = ts->ops->fire(w->s->worker, from, u, w->next, &w->fault);
    if (fired <= 0) return false;
    if (ts->reduction.symmetry && !ts->ops->representative(w->s->worker, w->next, w->next, &w->fault)) return false;
    space_find(w->s, w->next, 1, &slot);
    return slot != STORE_NONE && (!w->through || w->through->has(w->through->context, w->next));
}

/* One step, to w->next. NONE: there is none. GIVEN_UP: w->fault says why. */
static enum outcome step(struct walking *w, uint32_t *label) {
    const struct ts *ts = w->s->ts;
    const word *from = trace_state(w->t, w->t->count - 1);
    *label = TS_NONE;
    for (uint32_t u = 0; u < ts->transitions; u++) {
        bool can = can_step(w, from, u);
        if (w->fault.kind != TS_FINE) return OUTCOME_GIVEN_UP;
        if (!can) continue;
        if (!w->moving || !same(w->next, from, ts->words)) {
            *label = u;
            return OUTCOME_FOUND;
        }
        if (*label == TS_NONE) *label = u;
    }
    if (*label == TS_NONE) return OUTCOME_NONE;
    memcpy(w->next, from, ts->words * sizeof(word));
    return OUTCOME_FOUND;
}

/* False: no memory, or w->fault or *ended says what. */
static bool walk_on(struct walking *w, struct open *seen, struct stop *ended) {
    struct trace *t = w->t;
    uint64_t from = t->count - 1;
    uint32_t label, known;
    bool room = open_push(seen, trace_state(t, from));
    while (room) {
        enum outcome found = step(w, &label);
        if (found != OUTCOME_FOUND) return found == OUTCOME_NONE;
        if ((known = open_find(seen, w->next)) != OPEN_NONE) {
            t->cycle = from + known;
            assert(t->cycle < t->count);
            t->closing = label;
            return true;
        }
        room = open_push(seen, w->next);
        trace_add(t, label, w->next);
        if (t->count % STEPS_A_LOOK == 0 && space_interrupted(w->s, "tracing on", t->count, w->s->states, ended))
            return false;
    }
    return false;
}

bool trace_walk_on(struct trace *t, struct space *s, const struct node_set *through, bool moving, struct stop *stop) {
    struct open seen;
    struct stop ended = {.kind = STOP_DONE};
    struct walking w = {.t = t, .s = s, .through = through, .moving = moving};
    w.next = memory_get(s->ts->words * sizeof(word));
    bool good = open_init(&seen, s->ts->words, true, s->limits.max_memory) && walk_on(&w, &seen, &ended);
    open_fini(&seen);
    free(w.next);
    if (good) return true;
    if (ended.kind != STOP_DONE) *stop = ended;
    else if (w.fault.kind != TS_FINE) *stop = (struct stop){.kind = STOP_FAULT, .fault = w.fault};
    else *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the counterexample"};
    return false;
}
