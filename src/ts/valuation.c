#include "ts/valuation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { MOST_WANTED = 64, AT_A_TIME = 64, LISTED = 20 /* names in a message */ };

/* In the order of their numbers, after the declared ones. */
static const struct implied {
    enum ts_feature feature;
    uint8_t class;
} implied[] = {{TS_MUST_PROGRESS, TS_MUST}, {TS_MAY_PROGRESS, TS_MAY}};
enum { IMPLIED = sizeof implied / sizeof implied[0] };

bool valuation_any(const struct ts *ts) {
    return ts->propositions > 0 || ts_has(ts, TS_MUST_PROGRESS) || ts_has(ts, TS_MAY_PROGRESS);
}

uint32_t valuation_find(const struct ts *ts, const char *name) {
    for (uint32_t i = 0; i < ts->propositions; i++)
        if (strcmp(ts->proposition_names[i], name) == 0) return i;
    for (uint32_t i = 0; i < IMPLIED; i++)
        if (ts_has(ts, implied[i].feature) && strcmp(ts_feature_name(implied[i].feature), name) == 0)
            return ts->propositions + i;
    return TS_NONE;
}

static bool undeclared(const struct ts *ts, const char *name, struct problem *why) {
    if (ts->asset)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s: a question can speak of must_progress and may_progress, if chk_must_progress and "
                           "chk_may_progress are on, and of nothing else in ASSET's language; so there is no '%s'",
                           ts->path, name);
    return problem_set(why, EXIT_BAD_INPUT,
                       "%s has no propositions; declare some, for example\n    PROPOSITION(%s) { return s->...; "
                       "}",
                       ts->path, text_is_identifier(name) ? name : "p");
}

bool valuation_lacks(const struct ts *ts, const char *name, struct problem *why) {
    if (ts->propositions == 0) return undeclared(ts, name, why);
    const char *near = text_nearest(name, ts->proposition_names, ts->propositions);
    char *list = memory_copy_string("");
    for (uint32_t i = 0; i < ts->propositions && i < LISTED; i++) {
        char *longer = text_format("%s%s%s", list, i ? ", " : "", ts->proposition_names[i]);
        free(list);
        list = longer;
    }
    problem_set(why, EXIT_BAD_INPUT, "%s has no proposition '%s'%s%s%s; it has %s%s", ts->path, name,
                near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "", list,
                ts->propositions > LISTED ? ", ..." : "");
    free(list);
    return false;
}

uint32_t valuation_of_class(const struct ts *ts, unsigned class) {
    return ts->propositions + (class == implied[0].class ? 0 : 1);
}

const char *valuation_name(const struct ts *ts, uint32_t number) {
    if (number < ts->propositions) return ts->proposition_names[number];
    assert(number - ts->propositions < IMPLIED);
    return ts_feature_name(implied[number - ts->propositions].feature);
}

/* Adds those that are not declared to *out; `first` is the number of the first state, for faults. */
static bool add_implied(struct ts *ts, struct ts_worker *w, const word *states, uint32_t first, uint32_t count,
                        const uint32_t *wanted, uint32_t wanted_count, uint64_t *out, struct ts_fault *fault) {
    uint8_t classes[AT_A_TIME] = {0};
    struct ts_batch batch = {.sources = states + (size_t)first * ts->words,
                             .count = count,
                             .capacity = AT_A_TIME,
                             .classes = classes,
                             .fault = {.kind = TS_FINE}};
    for (uint32_t i = 0; i < wanted_count; i++)
        if (wanted[i] >= ts->propositions) batch.wanted |= implied[wanted[i] - ts->propositions].class;
    if (ts->ops->classify(w, &batch) < count) {
        *fault = batch.fault;
        fault->source += first;
        return false;
    }
    for (uint32_t i = 0; i < wanted_count; i++)
        for (uint32_t k = 0; k < count && wanted[i] >= ts->propositions; k++)
            if (classes[k] & implied[wanted[i] - ts->propositions].class) out[first + k] |= UINT64_C(1) << i;
    return true;
}

/* The declared ones, each at its place. */
static bool get_declared(struct ts *ts, struct ts_worker *w, const word *states, uint32_t count, const uint32_t *wanted,
                         uint32_t wanted_count, uint64_t *out, struct ts_fault *fault) {
    uint32_t some[MOST_WANTED], at[MOST_WANTED], n = 0;
    assert(wanted_count <= MOST_WANTED); /* a valuation is one word */
    for (uint32_t i = 0; i < wanted_count; i++)
        if (wanted[i] < ts->propositions) at[n] = i, some[n++] = wanted[i];
    if (n == 0) {
        memset(out, 0, count * sizeof *out);
        return true;
    }
    if (!ts->ops->valuate(w, states, count, some, n, out, fault)) return false;
    if (n == wanted_count) return true;
    for (uint32_t k = 0; k < count; k++) {
        uint64_t spread = 0;
        for (uint32_t i = 0; i < n; i++) spread |= (out[k] >> i & 1) << at[i];
        out[k] = spread;
    }
    return true;
}

bool valuation_get(struct ts *ts, struct ts_worker *w, const word *states, uint32_t count, const uint32_t *wanted,
                   uint32_t wanted_count, uint64_t *out, struct ts_fault *fault) {
    bool all_declared = true;
    for (uint32_t i = 0; i < wanted_count; i++) all_declared &= wanted[i] < ts->propositions;
    if (!get_declared(ts, w, states, count, wanted, wanted_count, out, fault)) return false;
    for (uint32_t first = 0; first < count && !all_declared; first += AT_A_TIME) {
        uint32_t some = count - first < AT_A_TIME ? count - first : AT_A_TIME;
        if (!add_implied(ts, w, states, first, some, wanted, wanted_count, out, fault)) return false;
    }
    return true;
}

/* Adds TS_NAMED to the classes of some of the first `count` states. Returns how many are done. */
static uint32_t add_named(struct ts *ts, struct ts_worker *w, struct ts_batch *batch, uint32_t count) {
    uint64_t holds[AT_A_TIME];
    assert(ts->named < ts->propositions + IMPLIED); /* whoever asks for the class has set it */
    for (uint32_t first = 0; first < count; first += AT_A_TIME) {
        uint32_t some = count - first < AT_A_TIME ? count - first : AT_A_TIME;
        const word *states = batch->sources + (size_t)first * ts->words;
        if (!valuation_get(ts, w, states, some, &ts->named, 1, holds, &batch->fault)) {
            batch->fault.source += first;
            return batch->fault.source;
        }
        for (uint32_t k = 0; k < some; k++)
            if (holds[k] & 1) batch->classes[first + k] |= TS_NAMED;
    }
    return count;
}

uint32_t valuation_classify(struct ts *ts, struct ts_worker *w, struct ts_batch *batch) {
    if (!(batch->wanted & TS_NAMED)) return ts->ops->classify(w, batch);
    uint32_t wanted = batch->wanted, done = batch->count;
    batch->wanted &= ~(uint32_t)TS_NAMED;
    memset(batch->classes, 0, batch->count);
    if (batch->wanted) done = ts->ops->classify(w, batch);
    batch->wanted = wanted;
    return add_named(ts, w, batch, done);
}

bool valuation_symmetric(const struct ts *ts, uint32_t number) {
    return number >= ts->propositions && ts_has(ts, TS_SYMMETRIC_PROGRESS);
}
