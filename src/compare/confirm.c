#include "compare/confirm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A set of states, as a mark for each. */
static bool *marks(const struct lts *l) { return memory_get_zeroed(l->states * sizeof(bool)); }

/* The same with a list of its members. */
struct crowd {
    bool *in;
    uint32_t *member, count;
};

static void add(struct crowd *c, uint32_t s) {
    if (c->in[s]) return;
    c->in[s] = true;
    c->member[c->count++] = s;
}

static void empty(struct crowd *c) {
    for (uint32_t i = 0; i < c->count; i++) c->in[c->member[i]] = false;
    c->count = 0;
}

static void close_under_tau(const struct lts *l, struct crowd *c) {
    for (uint32_t i = 0; i < c->count; i++)
        for (const struct lts_edge *e = lts_begin(l, c->member[i]); e < lts_end(l, c->member[i]); e++)
            if (e->label == LTS_TAU) add(c, e->target);
}

/* Where the label leads; `from` is empty afterwards. */
static void step(const struct lts *l, struct crowd *from, uint32_t label, struct crowd *to) {
    for (uint32_t i = 0; i < from->count; i++)
        for (const struct lts_edge *e = lts_begin(l, from->member[i]); e < lts_end(l, from->member[i]); e++)
            if (e->label == label) add(to, e->target);
    close_under_tau(l, to);
    empty(from);
}

/* Is a member marked? */
static bool meets(const struct crowd *c, const bool *marked) {
    for (uint32_t i = 0; i < c->count; i++)
        if (marked[c->member[i]]) return true;
    return false;
}

static struct crowd crowd_of(const struct lts *l) {
    return (struct crowd){marks(l), memory_get(l->states * sizeof(uint32_t)), 0};
}

static void swap(struct crowd *x, struct crowd *y) {
    struct crowd was = *x;
    *x = *y;
    *y = was;
}

static void crowd_fini(struct crowd *c) {
    free(c->in);
    free(c->member);
}

/* after(root, trace). *met: whether a state was marked there, or on the way; NULL: nobody asks. */
static struct crowd after_trace(const struct lts *l, uint32_t root, const struct word *trace, const bool *marked,
                                bool *met) {
    struct crowd here = crowd_of(l), next = crowd_of(l);
    add(&here, root);
    close_under_tau(l, &here);
    for (uint32_t i = 0; i < trace->length; i++) {
        if (met && !*met) *met = meets(&here, marked);
        step(l, &here, trace->label[i], &next);
        swap(&here, &next);
    }
    if (met && !*met) *met = meets(&here, marked);
    crowd_fini(&next);
    return here;
}

bool confirm_trace(const struct lts *l, uint32_t root, const struct word *trace) {
    struct crowd after = after_trace(l, root, trace, NULL, NULL);
    crowd_fini(&after);
    return after.count > 0;
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
    struct crowd after = after_trace(l, root, trace, NULL, NULL);
    bool found = false;
    for (uint32_t i = 0; i < after.count && !found; i++) found = is_stable_and_refuses(l, after.member[i], refused);
    crowd_fini(&after);
    return found;
}

/* ---- Edges, turned round ---- */

struct turned {
    uint64_t *first;         /* states + 2 */
    struct lts_edge *source; /* its "target" is where it comes from */
};

static struct turned turn(const struct lts *l) {
    struct turned t = {memory_get_zeroed((l->states + UINT64_C(2)) * sizeof *t.first), NULL};
    for (uint64_t i = 0; i < l->edges; i++) t.first[l->edge[i].target + UINT64_C(2)]++;
    for (uint32_t s = 0; s < l->states; s++) t.first[s + UINT64_C(2)] += t.first[s + 1];
    t.source = memory_get((l->edges + 1) * sizeof *t.source);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            t.source[t.first[e->target + 1]++] = (struct lts_edge){e->label, s};
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
    for (uint64_t i = 0; i < l->edges; i++)
        if (back.source[i].label == LTS_TAU) left[back.source[i].target]++;
    for (uint32_t s = 0; s < l->states; s++) {
        stays[s] = left[s] > 0;
        if (!stays[s]) stack[depth++] = s;
    }
    while (depth > 0) {
        uint32_t gone = stack[--depth];
        for (uint64_t i = back.first[gone]; i < back.first[gone + 1]; i++) {
            uint32_t s = back.source[i].target;
            assert(back.source[i].label != LTS_TAU || left[s] > 0);
            if (back.source[i].label != LTS_TAU || --left[s] > 0) continue;
            stays[s] = false;
            stack[depth++] = s;
        }
    }
    turned_fini(&back);
    free(left);
    free(stack);
    return stays;
}

bool confirm_divergence(const struct lts *l, uint32_t root, const struct word *trace) {
    bool *can_diverge = divergent(l);
    struct crowd after = after_trace(l, root, trace, NULL, NULL);
    bool found = meets(&after, can_diverge);
    crowd_fini(&after);
    free(can_diverge);
    return found;
}

bool confirm_divergence_of_prefix(const struct lts *l, uint32_t root, const struct word *trace) {
    bool *can_diverge = divergent(l), found = false;
    struct crowd after = after_trace(l, root, trace, can_diverge, &found);
    crowd_fini(&after);
    free(can_diverge);
    return found;
}

/* ---- Tree failures ---- */

/* Which states of a set can do a word: forward, with all states that it leads to, label by label, and then back through
 * these alone. A layer is what is there after so many labels. */
struct layers {
    uint32_t *state;
    uint64_t *first; /* of a layer; one more than there are layers */
    uint64_t room;
};

static void add_layer(struct layers *y, uint32_t i, const struct crowd *c) {
    y->first[i + 1] = y->first[i] + c->count;
    if (y->first[i + 1] > y->room) {
        y->room = 2 * y->first[i + 1];
        y->state = memory_resize(y->state, y->room * sizeof *y->state);
    }
    if (c->count) memcpy(y->state + y->first[i], c->member, c->count * sizeof *c->member);
}

static void go_forward(const struct lts *l, const struct crowd *from, const struct word *w, struct layers *y) {
    struct crowd here = crowd_of(l), next = crowd_of(l);
    *y = (struct layers){.first = memory_get_zeroed((w->length + UINT64_C(2)) * sizeof *y->first)};
    for (uint32_t i = 0; i < from->count; i++) add(&here, from->member[i]);
    add_layer(y, 0, &here);
    for (uint32_t i = 0; i < w->length; i++) {
        step(l, &here, w->label[i], &next);
        add_layer(y, i + 1, &next);
        swap(&here, &next);
    }
    crowd_fini(&here);
    crowd_fini(&next);
}

static bool leads_into(const struct lts *l, uint32_t s, uint32_t label, const bool *set) {
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        if (e->label == label && set[e->target]) return true;
    return false;
}

/* Those of layer i from where the label leads to `able`, perhaps after tau edges. The layer is closed under these. */
static void step_back(const struct lts *l, const struct turned *back, const struct layers *y, uint32_t i,
                      uint32_t label, const struct crowd *able, bool *in_layer, struct crowd *out) {
    for (uint64_t k = y->first[i]; k < y->first[i + 1]; k++) {
        in_layer[y->state[k]] = true;
        if (leads_into(l, y->state[k], label, able->in)) add(out, y->state[k]);
    }
    for (uint32_t m = 0; m < out->count; m++)
        for (uint64_t k = back->first[out->member[m]]; k < back->first[out->member[m] + 1]; k++)
            if (back->source[k].label == LTS_TAU && in_layer[back->source[k].target]) add(out, back->source[k].target);
    for (uint64_t k = y->first[i]; k < y->first[i + 1]; k++) in_layer[y->state[k]] = false;
}

/* Adds to `able` the states of the set, which is closed under tau, that can do the word. */
static void add_able(const struct lts *l, const struct turned *back, const struct crowd *set, const struct word *w,
                     bool *able) {
    struct layers y;
    struct crowd here = crowd_of(l), before = crowd_of(l);
    bool *in_layer = marks(l);
    go_forward(l, set, w, &y);
    for (uint64_t k = y.first[w->length]; k < y.first[w->length + 1]; k++) add(&here, y.state[k]);
    for (uint32_t i = w->length; i-- > 0;) {
        step_back(l, back, &y, i, w->label[i], &here, in_layer, &before);
        empty(&here);
        swap(&here, &before);
    }
    for (uint32_t i = 0; i < here.count; i++) able[here.member[i]] = true;
    crowd_fini(&here);
    crowd_fini(&before);
    free(in_layer);
    free(y.state);
    free(y.first);
}

bool confirm_tree_failure(const struct lts *l, uint32_t root, const struct word *trace, const struct word *words,
                          uint32_t count) {
    struct turned back = turn(l);
    struct crowd after = after_trace(l, root, trace, NULL, NULL);
    bool *able = marks(l), found = false;
    for (uint32_t i = 0; i < count; i++) add_able(l, &back, &after, &words[i], able);
    for (uint32_t i = 0; i < after.count && !found; i++) found = !able[after.member[i]];
    crowd_fini(&after);
    turned_fini(&back);
    free(able);
    return found;
}
