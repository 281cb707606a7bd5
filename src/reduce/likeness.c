#include "reduce/likeness.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/audit.h"

enum { DEPTH = 2, PASSES = 64 };

struct look {
    struct ts *ts;
    struct ts_worker *w;
    unsigned checks;
    word *successors[DEPTH + 1]; /* of a state at each depth */
    bool failed;
};

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

/* The different successors of s, into l->successors[depth]. */
static uint32_t successors_of(struct look *l, const word *s, unsigned depth) {
    size_t words = l->ts->words, size = words * sizeof(word);
    struct ts_fault fault;
    uint32_t count = 0;
    for (uint32_t t = 0; t < l->ts->transitions; t++) {
        word *next = l->successors[depth] + count * words;
        int fired = l->ts->ops->fire(l->w, s, t, next, &fault);
        if (fired < 0) l->failed = true;
        if (fired <= 0) continue;
        bool known = false;
        for (uint32_t i = 0; i < count && !known; i++)
            known = memcmp(l->successors[depth] + i * words, next, size) == 0;
        count += !known;
    }
    return count;
}

/* What the checks say. */
static uint64_t answers(struct look *l, const word *s, bool terminal) {
    unsigned progress = ts_has(l->ts, TS_SYMMETRIC_PROGRESS) ? TS_MAY | TS_MUST : 0;
    uint8_t class = 0;
    struct ts_batch b = {.sources = s, .count = 1, .wanted = l->checks & (TS_BAD | progress), .classes = &class};
    const char *message = NULL;
    struct ts_fault fault;
    if (b.wanted && l->ts->ops->classify(l->w, &b) < 1) l->failed = true;
    if (terminal && (l->checks & AUDIT_DEADLOCK) && ts_has(l->ts, TS_CHECK_DEADLOCK) &&
        !l->ts->ops->check(l->w, s, TS_CHECK_DEADLOCK, &message, &fault))
        l->failed = true;
    return (class & b.wanted) | (message ? AUDIT_DEADLOCK : 0u);
}

/* A number that is the same for symmetric states. */
static uint64_t signature(struct look *l, const word *s, unsigned depth) {
    uint32_t count = successors_of(l, s, depth);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count && depth > 0 && !l->failed; i++)
        sum += mix(signature(l, l->successors[depth] + (size_t)i * l->ts->words, depth - 1));
    return mix(sum + mix(count + (answers(l, s, count == 0) << 32)));
}

enum likeness likeness(struct ts *ts, struct ts_worker *w, const word *a, const word *b, unsigned checks) {
    struct look l = {.ts = ts, .w = w, .checks = checks};
    for (unsigned i = 0; i <= DEPTH; i++)
        l.successors[i] = memory_get((size_t)ts->transitions * ts->words * sizeof(word));
    uint64_t of_a = signature(&l, a, DEPTH), of_b = signature(&l, b, DEPTH);
    for (unsigned i = 0; i <= DEPTH; i++) free(l.successors[i]);
    return l.failed ? LIKENESS_UNKNOWN : of_a == of_b ? ALIKE : UNLIKE;
}

bool representative_at_last(struct ts *ts, struct ts_worker *w, const word *in, word *out, struct ts_fault *fault) {
    size_t size = ts->words * sizeof(word);
    word *next = memory_get(2 * size), *first = next + ts->words;
    bool good = ts->ops->representative(w, in, out, fault);
    bool done = false;
    for (unsigned i = 0; good && !done && i < PASSES; i++) {
        good = ts->ops->representative(w, out, next, fault);
        done = good && memcmp(next, out, size) == 0;
        if (good) memcpy(out, next, size);
    }
    memcpy(first, out, size); /* not a fixed point: a cycle, perhaps */
    memcpy(next, out, size);
    for (unsigned i = 0; good && !done && i < PASSES; i++) {
        good = ts->ops->representative(w, next, next, fault);
        done = good && memcmp(next, first, size) == 0;
        if (good && memcmp(next, out, size) < 0) memcpy(out, next, size);
    }
    free(next);
    return good;
}
