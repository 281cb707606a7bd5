#include "omega/sequence.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "omega/convert.h"
#include "omega/automaton_graph.h"
#include "omega/trim.h"
#include "base/memory.h"

#define NONE UINT32_MAX
enum { TRIED = 100 }; /* accepting states whose cycles are looked at */

void sequence_fini(struct sequence *s) {
    free(s->at);
    *s = (struct sequence){0};
}

void sequence_add(struct sequence *s, uint64_t valuation) {
    if (s->count == s->room) s->at = memory_resize(s->at, (s->room = s->room ? 2 * s->room : 8) * sizeof *s->at);
    s->at[s->count++] = valuation;
}

/* ---- One that is accepted ---- */

/* A breadth-first search: by which edge, and from where, each state was met first; NONE: it was not. */
struct tree {
    const struct ba *a;
    uint32_t *edge, *from, *queue, met;
};

static void tree_init(struct tree *t, const struct ba *a) {
    t->a = a;
    t->edge = memory_get(3 * (a->states + UINT64_C(1)) * sizeof *t->edge);
    t->from = t->edge + a->states + 1;
    t->queue = t->from + a->states + 1;
}

static void tree_clear(struct tree *t) {
    memset(t->edge, 0xff, t->a->states * sizeof *t->edge);
    t->met = 0;
}

static void tree_visit(struct tree *t, uint32_t from) {
    for (uint32_t e = t->a->first[from]; e < t->a->first[from + 1]; e++) {
        uint32_t to = t->a->edge[e].target;
        if (t->edge[to] != NONE) continue;
        t->edge[to] = e;
        t->from[to] = from;
        assert(t->met < t->a->states);
        t->queue[t->met++] = to;
    }
}

/* From the initial states. Their own edge is a.edges: they begin. */
static void tree_from_start(struct tree *t) {
    tree_clear(t);
    for (uint32_t i = 0; i < t->a->initials; i++) {
        t->edge[t->a->initial[i]] = t->a->edges;
        t->queue[t->met++] = t->a->initial[i];
    }
    for (uint32_t i = 0; i < t->met; i++) tree_visit(t, t->queue[i]);
}

/* From s by at least one edge, until it is met again. */
static bool tree_round(struct tree *t, uint32_t s) {
    tree_clear(t);
    tree_visit(t, s);
    for (uint32_t i = 0; i < t->met && t->edge[s] == NONE; i++) tree_visit(t, t->queue[i]);
    return t->edge[s] != NONE;
}

/* What is read on the way to `last`, which begins at `start` (NONE: at an initial state). */
static void take_way(const struct tree *t, uint32_t start, uint32_t last, struct sequence *out) {
    uint32_t from = out->count;
    for (uint32_t s = last; t->edge[s] != t->a->edges; s = t->from[s]) {
        sequence_add(out, t->a->edge[t->edge[s]].label.value);
        if (t->from[s] == start) break;
    }
    for (uint32_t i = from, j = out->count; i + 1 < j--; i++) {
        uint64_t swap = out->at[i];
        out->at[i] = out->at[j];
        out->at[j] = swap;
    }
}

/* Of the lassos through the accepting states that are nearest, a shortest. */
static bool shortest_lasso(const struct ba *a, struct sequence *out) {
    struct tree stem, round;
    uint32_t tried = 0;
    bool found = false;
    tree_init(&stem, a);
    tree_init(&round, a);
    tree_from_start(&stem);
    for (uint32_t i = 0; i < stem.met && tried < TRIED; i++) {
        uint32_t s = stem.queue[i];
        struct sequence other = {0};
        if (!(a->accept[s] & ACCEPT_INFINITE) || !tree_round(&round, s)) continue;
        tried++;
        take_way(&stem, NONE, s, &other);
        other.cycle = other.count;
        take_way(&round, s, s, &other);
        if (found && other.count >= out->count) {
            sequence_fini(&other);
            continue;
        }
        sequence_fini(out);
        *out = other;
        found = true;
    }
    free(stem.edge);
    free(round.edge);
    return found;
}

bool sequence_accepted(const struct ba *a, struct sequence *out) {
    struct ba by_state, small;
    ba_degeneralise(a, NULL, &by_state);
    ba_trim(&by_state, &small); /* infinite acceptance is left on cycles only */
    bool found = shortest_lasso(&small, out);
    assert(!found || out->cycle < out->count); /* something is read for ever */
    ba_fini(&by_state);
    ba_fini(&small);
    return found;
}

/* ---- Shorter ---- */

static bool is_finite(const struct sequence *s) { return s->cycle == s->count; }

static struct sequence without(const struct sequence *s, uint32_t position) {
    struct sequence r = {0};
    for (uint32_t i = 0; i < s->count; i++)
        if (i != position) sequence_add(&r, s->at[i]);
    r.cycle = position < s->cycle ? s->cycle - 1 : s->cycle;
    return r;
}

/* Takes the other one if it will do. */
static bool take_if(struct sequence *s, struct sequence other, sequence_still *still, const void *context) {
    bool good = other.count > 0 && is_finite(&other) == is_finite(s) && still(context, &other);
    struct sequence swap = *s;
    if (good) {
        *s = other;
        other = swap;
    }
    sequence_fini(&other);
    return good;
}

void sequence_shorten(struct sequence *s, uint32_t propositions, sequence_still *still, const void *context) {
    for (uint32_t i = 0; i < s->count;)
        if (take_if(s, without(s, i), still, context)) i = 0;
        else i++;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t p = 0; p < propositions; p++) {
            uint64_t before = s->at[i];
            s->at[i] &= ~(UINT64_C(1) << p);
            if (s->at[i] != before && !still(context, s)) s->at[i] = before;
        }
}

/* ---- Text ---- */

static void write_valuation(uint64_t valuation, const struct names *propositions, FILE *out) {
    const char *gap = "";
    fputc('{', out);
    for (uint32_t p = 0; p < propositions->count; p++)
        if (valuation >> p & 1) {
            fprintf(out, "%s%s", gap, propositions->text[p]);
            gap = ", ";
        }
    fputc('}', out);
}

void sequence_write(const struct sequence *s, const struct names *propositions, FILE *out) {
    for (uint32_t i = 0; i < s->count; i++) {
        if (i == s->cycle) fputs(i ? " and for ever" : "for ever", out);
        if (i || s->cycle == 0) fputc(' ', out);
        write_valuation(s->at[i], propositions, out);
    }
}
