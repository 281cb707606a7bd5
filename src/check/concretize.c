#include "check/concretize.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/likeness.h"
#include "store/state_stack.h"

struct builder {
    struct trace *out;
    const struct trace *reduced;
    struct ts *ts;
    struct ts_worker *w;
    struct concrete_gap *gap;
    struct open begins; /* the states in which rounds of the cycle began */
    word *next, *image, *best, *wanted;
    bool moves; /* steps that change the state are better than those that do not */
};

static bool same(const struct builder *b, const word *x, const word *y) {
    return memcmp(x, y, b->ts->words * sizeof(word)) == 0;
}

/* Does t lead from the last state to one with representative b->wanted? Then that is in b->next. */
static bool leads(struct builder *b, uint32_t t) {
    struct ts_fault fault;
    int fired = b->ts->ops->fire(b->w, trace_state(b->out, b->out->count - 1), t, b->next, &fault);
    if (fired > 0 && !representative_at_last(b->ts, b->w, b->next, b->image, &fault)) fired = -1;
    if (fired < 0) b->gap->fault = fault;
    return fired > 0 && same(b, b->image, b->wanted);
}

/* How good is a step to b->next? At the beginning of a new round, best leads to a state where a round has begun
 * before. */
static unsigned merit(const struct builder *b, bool round) {
    bool idles = b->moves && same(b, b->next, trace_state(b->out, b->out->count - 1));
    bool closes = !round || open_find(&b->begins, b->next) != OPEN_NONE;
    return 1u + 2u * !idles + closes;
}

/* The lowest-numbered of the best transitions to a state with the representative of state `to`, into b->next.
 * TS_NONE: there is none. */
static uint32_t find_step(struct builder *b, uint64_t to, bool round) {
    enum { BEST = 4 };
    uint32_t found = TS_NONE;
    unsigned most = 0;
    size_t size = b->ts->words * sizeof(word);
    b->gap->fault.kind = TS_FINE;
    if (!representative_at_last(b->ts, b->w, trace_state(b->reduced, to), b->wanted, &b->gap->fault)) return TS_NONE;
    for (uint32_t t = 0; t < b->ts->transitions && most < BEST; t++) {
        unsigned now = leads(b, t) ? merit(b, round) : 0;
        if (now <= most) continue;
        most = now;
        found = t;
        memcpy(b->best, b->next, size);
    }
    if (found != TS_NONE) memcpy(b->next, b->best, size);
    return found;
}

static enum concrete no_step(struct builder *b, uint64_t from, uint64_t to, uint32_t transition) {
    b->gap->from = from;
    b->gap->to = to;
    b->gap->transition = transition;
    return b->gap->fault.kind == TS_FINE ? CONCRETE_NO_STEP : CONCRETE_FAULT;
}

/* Goes on to states from, from + 1, ..., end - 1 of the reduced execution. */
static enum concrete go(struct builder *b, uint64_t from, uint64_t end) {
    for (uint64_t i = from; i < end; i++) {
        uint32_t t = find_step(b, i, false);
        if (t == TS_NONE) return no_step(b, i - 1, i, b->reduced->transitions[i]);
        trace_add(b->out, t, b->next);
    }
    return CONCRETE_FOUND;
}

/* One round was gone. Goes more of them, until one ends where it or another one began. */
static enum concrete go_round(struct builder *b, uint64_t most) {
    const struct trace *r = b->reduced;
    uint64_t length = r->count - r->cycle;
    if (!open_push(&b->begins, trace_state(b->out, r->cycle))) return CONCRETE_NO_MEMORY;
    for (;;) {
        assert(b->begins.count * length == b->out->count - r->cycle); /* whole rounds */
        uint32_t t = find_step(b, r->cycle, true), known;
        if (t == TS_NONE) return no_step(b, r->count - 1, r->cycle, r->closing);
        if ((known = open_find(&b->begins, b->next)) != OPEN_NONE) {
            b->out->cycle = r->cycle + known * length;
            b->out->closing = t;
            return CONCRETE_FOUND;
        }
        if (b->out->count + length > most) return CONCRETE_OPEN;
        if (!open_push(&b->begins, b->next)) return CONCRETE_NO_MEMORY;
        trace_add(b->out, t, b->next);
        enum concrete gone = go(b, r->cycle + 1, r->count);
        if (gone != CONCRETE_FOUND) return gone;
    }
}

/* The initial state, of which the first state of the reduced execution must be the representative. */
static enum concrete begin(struct builder *b) {
    struct ts_fault *fault = &b->gap->fault;
    fault->kind = TS_FINE;
    if (!b->ts->ops->initial(b->w, b->next, fault) || !b->ts->ops->representative(b->w, b->next, b->image, fault) || //
        !same(b, b->image, trace_state(b->reduced, 0)))
        return no_step(b, TRACE_NONE, 0, TS_NONE);
    trace_add(b->out, TS_NONE, b->next);
    return CONCRETE_FOUND;
}

/* More than the whole process will need, and little enough for a limit on address space. */
static uint64_t bytes_for(const struct ts *ts, uint64_t most) {
    return memory_resident() + (UINT64_C(64) << 20) + 4 * (most + 1024) * (ts->words * sizeof(word) + 16);
}

enum concrete concrete_trace(struct trace *out, const struct trace *reduced, struct ts *ts, struct ts_worker *w,
                             uint64_t most, struct concrete_gap *gap) {
    struct builder b = {.out = out, .reduced = reduced, .ts = ts, .w = w, .gap = gap};
    size_t words = ts->words;
    b.next = memory_get(4 * words * sizeof(word));
    b.image = b.next + words;
    b.best = b.image + words;
    b.wanted = b.best + words;
    b.moves = reduced->no_return != TRACE_NONE;
    enum concrete found = begin(&b);
    if (found == CONCRETE_FOUND) found = go(&b, 1, reduced->count);
    out->no_return = reduced->no_return;
    if (found == CONCRETE_FOUND && reduced->cycle != TRACE_NONE) {
        bool room = open_init(&b.begins, ts->words, true, bytes_for(ts, most));
        found = room ? go_round(&b, most) : CONCRETE_NO_MEMORY;
        open_fini(&b.begins);
        if (found == CONCRETE_OPEN || found == CONCRETE_NO_MEMORY) out->count = reduced->count;
    }
    free(b.next);
    return found;
}
