#include "graph/trace.h"

#include <stdlib.h>
#include <string.h>

#include "store/state_stack.h"

void trace_init(struct trace *t, uint32_t words) {
    *t = (struct trace){.words = words, .no_return = TRACE_NONE, .cycle = TRACE_NONE, .closing = TS_NONE};
}

void trace_fini(struct trace *t) {
    free(t->states);
    free(t->transitions);
    free(t->mapped);
    if (t->notes) {
        names_fini(&t->notes->propositions);
        names_fini(&t->notes->extra);
        free(t->notes->valuations);
        for (uint64_t i = 0; i < t->notes->beside_count; i++) free(t->notes->beside[i]);
        for (uint64_t i = 0; t->notes->seen && i <= t->count; i++) free(t->notes->seen[i]);
        free(t->notes->beside);
        free(t->notes->seen);
        free(t->notes);
    }
    *t = (struct trace){0};
}

void trace_add(struct trace *t, uint32_t transition, const word *state) {
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->states = memory_resize(t->states, t->room * t->words * sizeof(word));
        t->transitions = memory_resize(t->transitions, t->room * sizeof *t->transitions);
        t->mapped = memory_resize(t->mapped, t->room * sizeof *t->mapped);
    }
    memcpy(t->states + t->count * t->words, state, t->words * sizeof(word));
    t->transitions[t->count] = transition;
    t->mapped[t->count++] = false;
}

static bool is_extra(const struct trace *t, uint32_t transition) {
    return t->notes && transition >= t->notes->extra_from && transition - t->notes->extra_from < t->notes->extra.count;
}

void trace_transition_name(const struct trace *t, struct ts *ts, struct ts_worker *w, uint32_t transition, char *buffer,
                           size_t size) {
    if (is_extra(t, transition)) snprintf(buffer, size, "%s", t->notes->extra.text[transition - t->notes->extra_from]);
    else ts->ops->transition_name(w, transition, buffer, size);
}

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

enum { STEPS_A_LOOK = 4096 }; /* steps between two looks at whether it must end */

static bool same(const word *a, const word *b, uint32_t words) { return memcmp(a, b, words * sizeof(word)) == 0; }

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
    *stop = (struct stop){.kind = STOP_DONE};
    bool found = space_state(s, target, child);
    if (!found) *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
    uint64_t level = s->levels.count;
    while (level > 0 && s->levels.at[level - 1] > target) level--;
    /* Now the target is on level `level - 1`. */
    for (level--; found && level > 0; level--) {
        uint64_t end = s->levels.at[level];
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

/* One step of trace_walk_on, to *next. */
static bool step(struct trace *t, struct space *s, trace_allowed *allowed, const void *context, word *next,
                 uint32_t *label, struct ts_fault *fault) {
    const struct ts *ts = s->ts;
    for (uint32_t u = 0; u < ts->transitions; u++) {
        uint64_t slot;
        int fired = ts->ops->fire(s->worker, trace_state(t, t->count - 1), u, next, fault);
        if (fired < 0) return false;
        if (fired && ts->reduction.symmetry && !ts->ops->representative(s->worker, next, next, fault)) return false;
        if (!fired) continue;
        space_find(s, next, 1, &slot);
        if (slot == STORE_NONE || !allowed(context, next, slot)) continue;
        *label = u;
        return true;
    }
    return false;
}

/* False: no memory, or *ended says what. */
static bool walk_on(struct trace *t, struct space *s, trace_allowed *allowed, const void *context, struct open *seen,
                    word *next, struct ts_fault *fault, struct stop *ended) {
    uint64_t from = t->count - 1;
    uint32_t label, known;
    bool room = open_push(seen, trace_state(t, from));
    while (room && step(t, s, allowed, context, next, &label, fault)) {
        if ((known = open_find(seen, next)) != OPEN_NONE) {
            t->cycle = from + known;
            t->closing = label;
            return true;
        }
        room = open_push(seen, next);
        trace_add(t, label, next);
        if (t->count % STEPS_A_LOOK == 0 && space_interrupted(s, "tracing on", t->count, s->states, ended))
            return false;
    }
    return room;
}

bool trace_walk_on(struct trace *t, struct space *s, trace_allowed *allowed, const void *context, struct stop *stop) {
    struct open seen;
    struct ts_fault fault = {.kind = TS_FINE};
    struct stop ended = {.kind = STOP_DONE};
    word *next = memory_get(s->ts->words * sizeof(word));
    bool room = open_init(&seen, s->ts->words, true, s->limits.max_memory) &&
                walk_on(t, s, allowed, context, &seen, next, &fault, &ended);
    open_fini(&seen);
    free(next);
    if (ended.kind != STOP_DONE) *stop = ended;
    else if (!room) *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the counterexample"};
    else if (fault.kind != TS_FINE) *stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
    return room && fault.kind == TS_FINE;
}

static bool replay_step(const struct trace *t, struct ts *ts, struct ts_worker *w, uint64_t from, uint64_t to,
                        uint32_t transition, bool *mapped, struct problem *why) {
    struct ts_fault fault;
    word *next = memory_get(2 * t->words * sizeof(word)), *image = next + t->words;
    const word *wanted = trace_state(t, to);
    bool good = false;
    if (is_extra(t, transition)) {
        good = same(trace_state(t, from), wanted, t->words);
        free(next);
        return good || problem_set(why, EXIT_INTERNAL, "replay: the model has moved by itself before state %llu",
                                   (unsigned long long)to);
    }
    int fired = ts->ops->fire(w, trace_state(t, from), transition, next, &fault);
    *mapped = false;
    if (fired < 0) {
        problem_set(why, EXIT_INTERNAL, "replay: step %llu: %s", (unsigned long long)to, fault.text);
    } else if (!fired) {
        problem_set(why, EXIT_INTERNAL, "replay: transition %u is not enabled in state %llu", transition,
                    (unsigned long long)from);
    } else if (same(next, wanted, t->words)) {
        good = true;
    } else if (ts->reduction.symmetry && ts->ops->representative(w, next, image, &fault) &&
               same(image, wanted, t->words)) {
        good = *mapped = true;
    } else {
        problem_set(why, EXIT_INTERNAL,
                    "replay: transition %u leads from state %llu to a state that is not the next one", transition,
                    (unsigned long long)from);
    }
    free(next);
    return good;
}

/* The first state must be the initial state. */
static bool replay_start(struct trace *t, struct ts *ts, struct ts_worker *w, struct problem *why) {
    struct ts_fault fault;
    word *start = memory_get(2 * t->words * sizeof(word)), *image = start + t->words;
    bool good = ts->ops->initial(w, start, &fault);
    if (good && ts->reduction.symmetry) {
        good = ts->ops->representative(w, start, image, &fault);
        t->mapped[0] = !same(start, image, t->words);
        start = memcpy(start, image, t->words * sizeof(word));
    }
    good = good && same(start, trace_state(t, 0), t->words);
    free(start);
    return good || problem_set(why, EXIT_INTERNAL, "replay: the first state is not the initial state");
}

bool trace_replay(struct trace *t, struct ts *ts, struct ts_worker *w, struct problem *why) {
    if (t->count && !replay_start(t, ts, w, why)) return false;
    for (uint64_t i = 1; i < t->count; i++)
        if (!replay_step(t, ts, w, i - 1, i, t->transitions[i], &t->mapped[i], why)) return false;
    return t->cycle == TRACE_NONE || replay_step(t, ts, w, t->count - 1, t->cycle, t->closing, &t->closing_mapped, why);
}
