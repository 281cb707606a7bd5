#include "graph/fair/fair_execution.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A state of the cycle, and the transition that is taken there. */
struct taken {
    const word *state;
    size_t bytes; /* of a state */
    uint32_t transition;
};

struct look {
    const struct trace *t;
    struct ts *ts;
    struct ts_worker *w;
    word *next;
    struct taken *taken; /* by state, then by transition */
    uint64_t count;
};

enum enabled { ENABLED, DISABLED, FAILED };

/* Of the model, and actions that are free to occur at any time. */
static uint32_t transitions(const struct look *l) {
    return l->ts->transitions + (l->t->notes ? l->t->notes->extra.count : 0);
}

static enum enabled is_enabled(const struct look *l, const word *state, uint32_t transition) {
    struct ts_fault fault;
    if (transition >= l->ts->transitions) return ENABLED;
    int fired = l->ts->ops->fire(l->w, state, transition, l->next, &fault);
    return fired < 0 ? FAILED : fired ? ENABLED : DISABLED;
}

static int compare(const void *a, const void *b) {
    const struct taken *x = a, *y = b;
    int order = memcmp(x->state, y->state, x->bytes);
    return order ? order : (x->transition > y->transition) - (x->transition < y->transition);
}

static void list_taken(struct look *l) {
    const struct trace *t = l->t;
    assert(t->cycle < t->count);
    l->count = t->count - t->cycle;
    l->taken = memory_get(l->count * sizeof *l->taken);
    for (uint64_t i = 0; i < l->count; i++) {
        uint64_t at = t->cycle + i;
        l->taken[i] = (struct taken){trace_state(t, at), t->words * sizeof(word),
                                     at + 1 < t->count ? t->transitions[at + 1] : t->closing};
    }
    qsort(l->taken, l->count, sizeof *l->taken, compare);
}

static bool same_state(const struct taken *a, const struct taken *b) {
    return memcmp(a->state, b->state, a->bytes) == 0;
}

/* ---- Fair choice ---- */

/* In each state of the cycle, all that is enabled must be taken somewhere in it. */
static const char *wrong_choice(const struct look *l) {
    for (uint64_t i = 0; i < l->count; i++) {
        if (i > 0 && same_state(&l->taken[i - 1], &l->taken[i])) continue;
        for (uint32_t k = 0; k < transitions(l); k++) {
            struct taken wanted = {l->taken[i].state, l->taken[i].bytes, k};
            enum enabled enabled = is_enabled(l, wanted.state, k);
            if (enabled == FAILED) return "the model fails where it did not before";
            if (enabled == ENABLED && !bsearch(&wanted, l->taken, l->count, sizeof wanted, compare))
                return "a transition that is enabled in a state of its cycle is never taken there";
        }
    }
    return NULL;
}

/* ---- Sets ---- */

static enum enabled set_enabled(const struct look *l, const struct fair_set *set, const word *state) {
    for (uint32_t k = 0; k < l->ts->transitions; k++) {
        enum enabled enabled = set->has[k] ? is_enabled(l, state, k) : DISABLED;
        if (enabled != DISABLED) return enabled;
    }
    return DISABLED;
}

static bool occurs(const struct look *l, const struct fair_set *set) {
    for (uint64_t i = 0; i < l->count; i++)
        if (l->taken[i].transition < l->ts->transitions && set->has[l->taken[i].transition]) return true;
    return false;
}

static const char *wrong_to(const struct look *l, const struct fair_set *set) {
    bool always = true, ever = false;
    if (occurs(l, set)) return NULL;
    for (uint64_t i = 0; i < l->count; i++) {
        enum enabled enabled = set_enabled(l, set, l->taken[i].state);
        if (enabled == FAILED) return "the model fails where it did not before";
        always &= enabled == ENABLED;
        ever |= enabled == ENABLED;
    }
    return (set->strong ? ever : always) ? "it is not fair to a set of transitions" : NULL;
}

/* ---- The whole ---- */

bool fair_trace_ends(const struct trace *t, struct ts *ts, struct ts_worker *w) {
    struct look l = {t, ts, w, memory_get(ts->words * sizeof(word)), NULL, 0};
    bool ends = true;
    for (uint32_t k = 0; k < ts->transitions && ends; k++)
        ends = is_enabled(&l, trace_state(t, t->count - 1), k) == DISABLED;
    free(l.next);
    return ends;
}

const char *fair_trace_wrong(const struct trace *t, const struct fair *f, struct ts *ts, struct ts_worker *w) {
    if (t->cycle == TRACE_NONE) return fair_trace_ends(t, ts, w) ? NULL : "it does not end in the last state";
    struct look l = {t, ts, w, memory_get(ts->words * sizeof(word)), NULL, 0};
    list_taken(&l);
    const char *wrong = f->choice ? wrong_choice(&l) : NULL;
    for (uint32_t k = 0; !wrong && k < f->count; k++) wrong = wrong_to(&l, &f->sets[k]);
    free(l.taken);
    free(l.next);
    return wrong;
}
