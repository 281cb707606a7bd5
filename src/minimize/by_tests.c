/* Reductions that keep what tests see: failures of several kinds, and fair testing. They need not give the least LTS.
 *
 * Tree failures are pairs of a trace w and a set K of words such that after w the LTS may be in a state that can
 * execute no word of K. Weakly bisimilar states can execute the same words, and for every state after w in one LTS
 * there is a bisimilar one after w in the other; so weak bisimilarity keeps tree failures, and hence fair testing
 * equivalence, which is coarser. It does not keep stable failures, since it does not see divergence; branching
 * bisimilarity with divergences does: in a class with a stable state, no state diverges, and every one gets invisibly
 * to a stable one with the same visible edges.
 *
 * Both have one more step. Let s be a state, not the initial one, whose edges are all tau-edges, none of them to
 * itself. Then edges to s can be led to all its successors instead, and s vanishes: there are the same traces w; s was
 * after w only if its successors were; s is not stable, so it has no stable failures; whatever a successor of s
 * executes, so can s, so what s refuses, its successor refuses; and s diverges only if a successor does. That is done
 * where it does not add edges, and then bisimilarity is tried again, until nothing changes. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/steps.h"

/* Steps that weak bisimilarity may take here: about half a minute. */
static const uint64_t weak_budget = UINT64_C(1000000000);

/* ---- States that only choose ---- */

static bool only_taus(const struct lts *l, uint32_t s) {
    if (s == l->initial || l->first[s] == l->first[s + 1]) return false;
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        if (e->label != LTS_TAU || e->target == s) return false;
    return true;
}

/* Which states vanish: none that leads to another that does. How many. */
static uint32_t choose_choosers(const struct lts *l, uint8_t *vanishes) {
    uint64_t *in = memory_get_zeroed(l->states * sizeof *in);
    uint32_t count = 0;
    for (uint64_t i = 0; i < l->edges; i++) in[l->edge[i].target]++;
    for (uint32_t s = l->states; s-- > 0;) {
        uint64_t out = l->first[s + 1] - l->first[s];
        if (!only_taus(l, s) || in[s] * out > in[s] + out) continue;
        vanishes[s] = 1;
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            if (vanishes[e->target]) vanishes[s] = 0;
        count += vanishes[s];
    }
    free(in);
    return count;
}

/* The same without states that only choose; false: there were none. */
static bool drop_choosers(const struct lts *l, struct lts *out) {
    uint8_t *vanishes = memory_get_zeroed(l->states);
    struct lts_builder b;
    struct lts whole;
    bool some = choose_choosers(l, vanishes) > 0;
    if (some) {
        lts_build_with(&b, &l->labels);
        b.states = l->states;
        b.initial = l->initial;
        b.end = l->end;
        b.error = l->error;
        for (uint32_t s = 0; s < l->states; s++)
            for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s) && !vanishes[s]; e++) {
                if (!vanishes[e->target]) lts_build_edge(&b, s, e->label, e->target);
                else
                    for (const struct lts_edge *f = lts_begin(l, e->target); f < lts_end(l, e->target); f++)
                        lts_build_edge(&b, s, e->label, f->target);
            }
        lts_build_finish(&b, &whole);
        lts_reachable(&whole, out);
        lts_fini(&whole);
    }
    free(vanishes);
    return some;
}

/* ---- Until nothing changes ---- */

static bool same(const struct lts *a, const struct lts *b) {
    return a->states == b->states && a->edges == b->edges && a->initial == b->initial &&
           memcmp(a->first, b->first, (a->states + UINT64_C(1)) * sizeof *a->first) == 0 &&
           memcmp(a->edge, b->edge, a->edges * sizeof *a->edge) == 0;
}

static void replace(struct lts *l, struct lts *by) {
    lts_fini(l);
    *l = *by;
}

static void bisimilar(const struct lts *l, bool divergences, struct effort *effort, struct lts *out) {
    if (divergences) reduce_branching(l, true, effort, out);
    else reduce_weak(l, weak_budget, effort, out);
}

static void reduce(const struct lts *l, bool divergences, struct effort *effort, struct lts *out) {
    struct lts next;
    bisimilar(l, divergences, effort, out);
    for (bool changed = true; changed && !effort_look(effort);) {
        changed = false;
        while (drop_choosers(out, &next)) {
            replace(out, &next);
            changed = true;
        }
        if (!changed) return;
        bisimilar(out, divergences, effort, &next);
        changed = !same(out, &next);
        replace(out, &next);
    }
}

void reduce_for_failures(const struct lts *l, struct effort *effort, struct lts *out) { reduce(l, true, effort, out); }

void reduce_for_fair_testing(const struct lts *l, struct effort *effort, struct lts *out) {
    reduce(l, false, effort, out);
}
