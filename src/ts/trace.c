#include "ts/trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

static bool same(const word *a, const word *b, uint32_t words) { return memcmp(a, b, words * sizeof(word)) == 0; }

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
    assert(t->cycle == TRACE_NONE || t->cycle < t->count);
    assert(t->no_return == TRACE_NONE || t->no_return < t->count);
    if (t->count && !replay_start(t, ts, w, why)) return false;
    for (uint64_t i = 1; i < t->count; i++)
        if (!replay_step(t, ts, w, i - 1, i, t->transitions[i], &t->mapped[i], why)) return false;
    return t->cycle == TRACE_NONE || replay_step(t, ts, w, t->count - 1, t->cycle, t->closing, &t->closing_mapped, why);
}
