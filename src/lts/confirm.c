#include "lts/confirm.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A set of states, as a mark for each. */
static bool *marks(const struct lts *l) { return memory_get_zeroed(l->states * sizeof(bool)); }

static void close_under_tau(const struct lts *l, bool *set) {
    uint32_t *stack = memory_get(l->states * sizeof *stack), depth = 0;
    for (uint32_t s = 0; s < l->states; s++)
        if (set[s]) stack[depth++] = s;
    while (depth > 0) {
        uint32_t s = stack[--depth];
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            if (e->label == LTS_TAU && !set[e->target]) {
                set[e->target] = true;
                stack[depth++] = e->target;
            }
    }
    free(stack);
}

static void step(const struct lts *l, bool **set, uint32_t label) {
    bool *next = marks(l);
    for (uint32_t s = 0; s < l->states; s++)
        if ((*set)[s])
            for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
                if (e->label == label) next[e->target] = true;
    close_under_tau(l, next);
    free(*set);
    *set = next;
}

/* after(root, the first `length` labels of the trace) */
static bool *after_trace(const struct lts *l, uint32_t root, const struct word *trace, uint32_t length) {
    bool *set = marks(l);
    set[root] = true;
    close_under_tau(l, set);
    for (uint32_t i = 0; i < length; i++) step(l, &set, trace->label[i]);
    return set;
}

bool confirm_trace(const struct lts *l, uint32_t root, const struct word *trace) {
    bool *set = after_trace(l, root, trace, trace->length);
    bool found = memchr(set, true, l->states) != NULL;
    free(set);
    return found;
}

static bool has_label(const struct lts *l, uint32_t s, uint32_t label) {
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        if (e->label == label) return true;
    return false;
}

static bool is_stable_and_refuses(const struct lts *l, uint32_t s, const struct word *refused) {
    if (has_label(l, s, LTS_TAU)) return false;
    for (uint32_t i = 0; i < refused->length; i++)
        if (has_label(l, s, refused->label[i])) return false;
    return true;
}

bool confirm_failure(const struct lts *l, uint32_t root, const struct word *trace, const struct word *refused) {
    bool *set = after_trace(l, root, trace, trace->length), found = false;
    for (uint32_t s = 0; s < l->states && !found; s++) found = set[s] && is_stable_and_refuses(l, s, refused);
    free(set);
    return found;
}

/* ---- Tau edges, turned round ---- */

struct turned {
    uint64_t *first; /* states + 2 */
    uint32_t *source;
};

static struct turned turn(const struct lts *l) {
    struct turned t = {memory_get_zeroed((l->states + UINT64_C(2)) * sizeof *t.first), NULL};
    for (uint64_t i = 0; i < l->edges; i++)
        if (l->edge[i].label == LTS_TAU) t.first[l->edge[i].target + UINT64_C(2)]++;
    for (uint32_t s = 0; s < l->states; s++) t.first[s + UINT64_C(2)] += t.first[s + 1];
    t.source = memory_get((t.first[l->states + 1] + 1) * sizeof *t.source);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            if (e->label == LTS_TAU) t.source[t.first[e->target + 1]++] = s;
    return t;
}

static void turned_fini(struct turned *t) {
    free(t->first);
    free(t->source);
}

/* ---- Divergence ---- */

/* Takes states away that have no tau edge to one that is left. Those that stay can go on for ever. */
static bool *divergent(const struct lts *l) {
    struct turned back = turn(l);
    bool *stays = memory_get(l->states * sizeof *stays);
    uint32_t *left = memory_get_zeroed(l->states * sizeof *left), *stack = memory_get(l->states * sizeof *stack);
    uint32_t depth = 0;
    for (uint64_t i = 0; i < back.first[l->states]; i++) left[back.source[i]]++;
    for (uint32_t s = 0; s < l->states; s++) {
        stays[s] = left[s] > 0;
        if (!stays[s]) stack[depth++] = s;
    }
    while (depth > 0) {
        uint32_t gone = stack[--depth];
        for (uint64_t i = back.first[gone]; i < back.first[gone + 1]; i++) {
            uint32_t s = back.source[i];
            if (--left[s] > 0) continue;
            stays[s] = false;
            stack[depth++] = s;
        }
    }
    turned_fini(&back);
    free(left);
    free(stack);
    return stays;
}

static bool diverges_after(const struct lts *l, const bool *can_diverge, uint32_t root, const struct word *trace,
                           uint32_t length) {
    bool *set = after_trace(l, root, trace, length), found = false;
    for (uint32_t s = 0; s < l->states && !found; s++) found = set[s] && can_diverge[s];
    free(set);
    return found;
}

bool confirm_divergence(const struct lts *l, uint32_t root, const struct word *trace) {
    bool *can_diverge = divergent(l), found = diverges_after(l, can_diverge, root, trace, trace->length);
    free(can_diverge);
    return found;
}

bool confirm_divergence_of_prefix(const struct lts *l, uint32_t root, const struct word *trace) {
    bool *can_diverge = divergent(l), found = false;
    for (uint32_t i = 0; i <= trace->length && !found; i++) found = diverges_after(l, can_diverge, root, trace, i);
    free(can_diverge);
    return found;
}

/* ---- Tree failures ---- */

/* From the states of the set, back over tau edges. */
static void close_backward(const struct lts *l, bool *set) {
    struct turned back = turn(l);
    uint32_t *stack = memory_get(l->states * sizeof *stack), depth = 0;
    for (uint32_t s = 0; s < l->states; s++)
        if (set[s]) stack[depth++] = s;
    while (depth > 0) {
        uint32_t to = stack[--depth];
        for (uint64_t i = back.first[to]; i < back.first[to + 1]; i++)
            if (!set[back.source[i]]) {
                set[back.source[i]] = true;
                stack[depth++] = back.source[i];
            }
    }
    turned_fini(&back);
    free(stack);
}

/* Adds to `able` the states that can do the word: from its last label back to its first. */
static void add_able(const struct lts *l, const struct word *w, bool *able) {
    bool *set = marks(l);
    memset(set, true, l->states);
    for (uint32_t i = w->length; i-- > 0;) {
        bool *before = marks(l);
        for (uint32_t s = 0; s < l->states; s++)
            for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
                if (e->label == w->label[i] && set[e->target]) before[s] = true;
        close_backward(l, before);
        free(set);
        set = before;
    }
    for (uint32_t s = 0; s < l->states; s++) able[s] |= set[s];
    free(set);
}

bool confirm_tree_failure(const struct lts *l, uint32_t root, const struct word *trace, const struct word *words,
                          uint32_t count) {
    bool *set = after_trace(l, root, trace, trace->length), *able = marks(l), found = false;
    for (uint32_t i = 0; i < count; i++) add_able(l, &words[i], able);
    for (uint32_t s = 0; s < l->states && !found; s++) found = set[s] && !able[s];
    free(set);
    free(able);
    return found;
}
