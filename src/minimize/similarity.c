/* After Henzinger, Henzinger and Kopke: whenever w turns out not to simulate u, those with an edge to w are looked at
 * that were thought to simulate states with such an edge to u. */
#include "minimize/similarity.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Rows of bits: row u, bit w. */
struct matrix {
    uint64_t *bits;
    uint64_t words; /* of a row */
};

static uint64_t *row(const struct matrix *m, uint32_t u) { return m->bits + u * m->words; }
static bool has(const struct matrix *m, uint32_t u, uint32_t w) { return row(m, u)[w / 64] >> w % 64 & 1; }
static void put(struct matrix *m, uint32_t u, uint32_t w) { row(m, u)[w / 64] |= UINT64_C(1) << w % 64; }
static void drop(struct matrix *m, uint32_t u, uint32_t w) { row(m, u)[w / 64] &= ~(UINT64_C(1) << w % 64); }

/* Edges as their targets see them: sorted by label, then source. */
struct back {
    uint64_t *first;
    struct lts_edge *source; /* its "target" is where it comes from */
};

struct similarity {
    const struct lts *l;
    struct effort *effort;
    struct matrix by;     /* who simulates u, as far as is known */
    struct matrix before; /* the same when u was looked at */
    struct back back;
    uint32_t *queue, queued; /* states for which `by` has lost something since */
    bool *waits;
    struct lts_edge *lost; /* of u: who may have lost its edge to where u is simulated, and by which label */
    uint64_t lost_count, lost_room;
    uint32_t *wanted; /* by label: 1 + the last u that an edge with it leads to, while it has not been dealt with */
    uint64_t *able;   /* a set */
};

static struct back turn(const struct lts *l) {
    struct back b = {memory_get_zeroed((l->states + UINT64_C(2)) * sizeof *b.first),
                     memory_get((l->edges + 1) * sizeof *b.source)};
    for (uint64_t i = 0; i < l->edges; i++) b.first[l->edge[i].target + UINT64_C(2)]++;
    for (uint32_t s = 0; s < l->states; s++) b.first[s + UINT64_C(2)] += b.first[s + 1];
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            b.source[b.first[e->target + 1]++] = (struct lts_edge){e->label, s};
    return b;
}

/* ---- The beginning: labels ---- */

/* Each label of u is one of w; with `ready`, the other way round, too. */
static bool fits(const struct lts *l, uint32_t u, uint32_t w, bool ready) {
    const struct lts_edge *e = lts_begin(l, u), *f = lts_begin(l, w);
    if (u == l->end || u == l->error) return u == w;
    if (ready && (w == l->end || w == l->error)) return false;
    while (e < lts_end(l, u)) {
        if (f == lts_end(l, w) || f->label > e->label) return false;
        uint32_t label = f->label;
        if (label == e->label)
            while (e < lts_end(l, u) && e->label == label) e++;
        else if (ready) return false;
        while (f < lts_end(l, w) && f->label == label) f++;
    }
    return !ready || f == lts_end(l, w);
}

/* The states in groups with the same labels: the first of each. group[s]: that of a state. */
static uint32_t *find_groups(const struct lts *l, struct effort *effort, uint32_t *group, uint32_t *count) {
    uint32_t *first = memory_get(l->states * sizeof *first);
    *count = 0;
    for (uint32_t s = 0; s < l->states && !effort_over(effort); s++) {
        group[s] = 0;
        while (group[s] < *count && !fits(l, s, first[group[s]], true)) group[s]++;
        if (group[s] == *count) first[(*count)++] = s;
    }
    return first;
}

static void begin(struct similarity *x, bool ready) {
    const struct lts *l = x->l;
    uint32_t *group = memory_get_zeroed(l->states * sizeof *group), groups;
    uint32_t *first = find_groups(l, x->effort, group, &groups);
    memset(x->before.bits, 0xff, l->states * x->before.words * sizeof *x->before.bits);
    for (uint32_t u = 0; u < l->states && l->states % 64; u++)
        row(&x->before, u)[x->before.words - 1] = (UINT64_C(1) << l->states % 64) - 1;
    for (uint32_t g = 0; g < groups && !effort_over(x->effort); g++)
        for (uint32_t w = 0; w < l->states; w++)
            if (fits(l, first[g], first[group[w]], ready)) put(&x->by, first[g], w);
    for (uint32_t u = 0; u < l->states && !effort_over(x->effort); u++) {
        if (u != first[group[u]]) memcpy(row(&x->by, u), row(&x->by, first[group[u]]), x->by.words * sizeof(uint64_t));
        x->queue[x->queued++] = u;
        x->waits[u] = true;
    }
    free(group);
    free(first);
}

/* ---- Rounds ---- */

static bool leads_into(const struct similarity *x, uint32_t w, uint32_t label, uint32_t u) {
    const struct lts_edge *e = lts_begin(x->l, w), *end = lts_end(x->l, w);
    for (; e < end && e->label <= label; e++)
        if (e->label == label && has(&x->by, u, e->target)) return true;
    return false;
}

static void wait(struct similarity *x, uint32_t u) {
    if (x->waits[u]) return;
    x->waits[u] = true;
    x->queue[x->queued++] = u;
}

/* Who has an edge to what does not simulate u any more, with a label of an edge to u. */
static void collect(struct similarity *x, uint32_t u) {
    const uint64_t *now = row(&x->by, u), *then = row(&x->before, u);
    x->lost_count = 0;
    for (uint64_t i = 0; i < x->by.words; i++)
        for (uint64_t gone = then[i] & ~now[i]; gone; gone &= gone - 1) {
            uint64_t w = 64 * i + (uint64_t)__builtin_ctzll(gone);
            for (uint64_t k = x->back.first[w]; k < x->back.first[w + 1]; k++) {
                if (x->wanted[x->back.source[k].label] != u + 1) continue;
                MAKE_ROOM(x->lost, x->lost_count, x->lost_room);
                x->lost[x->lost_count++] = x->back.source[k];
            }
        }
}

/* One after the other of those: can it still answer an edge to u? */
static void ask_each(struct similarity *x, uint32_t u, const struct lts_edge *into, const struct lts_edge *end) {
    collect(x, u);
    memcpy(row(&x->before, u), row(&x->by, u), x->by.words * sizeof *x->able);
    for (uint64_t i = 0; i < x->lost_count; i++) {
        uint32_t label = x->lost[i].label, w = x->lost[i].target;
        bool asked = false;
        for (const struct lts_edge *e = into; e < end; e++) {
            if (e->label != label || !has(&x->by, e->target, w)) continue;
            if (!asked && leads_into(x, w, label, u)) break;
            asked = true;
            drop(&x->by, e->target, w);
            wait(x, e->target);
        }
    }
}

/* Who has an edge with the label to what simulates u. */
static void find_able(struct similarity *x, uint32_t u, uint32_t label) {
    const uint64_t *now = row(&x->by, u);
    memset(x->able, 0, x->by.words * sizeof *x->able);
    for (uint64_t i = 0; i < x->by.words; i++)
        for (uint64_t left = now[i]; left; left &= left - 1) {
            uint64_t w = 64 * i + (uint64_t)__builtin_ctzll(left);
            for (uint64_t k = x->back.first[w]; k < x->back.first[w + 1]; k++) {
                uint32_t from = x->back.source[k].target;
                if (x->back.source[k].label == label) x->able[from / 64] |= UINT64_C(1) << from % 64;
            }
        }
}

/* All at once, label by label. */
static void ask_all(struct similarity *x, uint32_t u, const struct lts_edge *into, const struct lts_edge *end) {
    memcpy(row(&x->before, u), row(&x->by, u), x->by.words * sizeof *x->able);
    for (const struct lts_edge *e = into; e < end; e++) {
        if (x->wanted[e->label] != u + 1) continue; /* it was looked at */
        x->wanted[e->label] = 0;
        find_able(x, u, e->label);
        for (const struct lts_edge *f = e; f < end; f++) {
            if (f->label != e->label) continue;
            uint64_t *bits = row(&x->by, f->target), changed = 0;
            for (uint64_t i = 0; i < x->by.words; i++) {
                changed |= bits[i] & ~x->able[i];
                bits[i] &= x->able[i];
            }
            if (changed) wait(x, f->target);
        }
    }
}

static uint64_t count_bits(const uint64_t *bits, uint64_t words) {
    uint64_t n = 0;
    for (uint64_t i = 0; i < words; i++) n += (uint64_t)__builtin_popcountll(bits[i]);
    return n;
}

/* Some states do not simulate u any more: what becomes of those that simulate who has an edge to u? The way that looks
 * at fewer states. */
static void look_at(struct similarity *x, uint32_t u) {
    const struct lts_edge *into = x->back.source + x->back.first[u],
                          *end = x->back.source + x->back.first[u + UINT64_C(1)];
    uint64_t left = count_bits(row(&x->by, u), x->by.words), had = count_bits(row(&x->before, u), x->by.words);
    for (const struct lts_edge *e = into; e < end; e++) x->wanted[e->label] = u + 1;
    if (left < had - left) ask_all(x, u, into, end);
    else ask_each(x, u, into, end);
}

static void refine(struct similarity *x) {
    while (x->queued > 0 && !effort_over(x->effort)) {
        uint32_t u = x->queue[--x->queued];
        x->waits[u] = false;
        look_at(x, u);
    }
}

/* ---- The quotient ---- */

static bool equal(const struct similarity *x, uint32_t s, uint32_t t) { return has(&x->by, s, t) && has(&x->by, t, s); }

/* For each state, the least that is equal to it. */
static uint32_t *representatives(const struct similarity *x) {
    uint32_t *of = memory_get(x->l->states * sizeof *of);
    for (uint32_t s = 0; s < x->l->states; s++) {
        assert((x->effort && x->effort->over) || has(&x->by, s, s));
        of[s] = s;
        for (uint32_t t = 0; t < s && of[s] == s && !effort_over(x->effort); t++)
            if (of[t] == t && equal(x, s, t)) of[s] = t;
    }
    return of;
}

/* Another edge of the state, with the same label, does all that this one does, and more. */
static bool is_little(const struct similarity *x, uint32_t s, const struct lts_edge *e) {
    for (const struct lts_edge *f = lts_begin(x->l, s); f < lts_end(x->l, s) && f->label <= e->label; f++)
        if (f->label == e->label && has(&x->by, e->target, f->target) && !has(&x->by, f->target, e->target))
            return true;
    return false;
}

static void make_quotient(const struct similarity *x, struct lts *out) {
    const struct lts *l = x->l;
    uint32_t *of = representatives(x);
    struct lts_builder b;
    struct lts whole;
    lts_build_with(&b, &l->labels);
    b.states = l->states;
    b.initial = of[l->initial];
    b.end = l->end;
    b.error = l->error;
    b.effort = x->effort;
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s) && of[s] == s; e++)
            if (!is_little(x, s, e)) lts_build_edge(&b, s, e->label, of[e->target]);
    lts_build_finish(&b, &whole);
    lts_reachable(&whole, out);
    lts_fini(&whole);
    free(of);
}

static bool too_large(struct similarity *x) {
    uint64_t bytes = 2 * (uint64_t)x->l->states * x->by.words * sizeof *x->by.bits;
    return effort_look(x->effort) || !effort_allows(x->effort, bytes);
}

void similarity_quotient(const struct lts *l, bool ready, struct effort *effort, struct lts *out) {
    struct similarity x = {.l = l, .effort = effort};
    x.by.words = x.before.words = (l->states + UINT64_C(63)) / 64;
    if (too_large(&x)) {
        lts_reachable(l, out);
        return;
    }
    x.by.bits = memory_get_large_zeroed(l->states * x.by.words * sizeof *x.by.bits);
    x.before.bits = memory_get_large(l->states * x.by.words * sizeof *x.by.bits);
    x.queue = memory_get(l->states * sizeof *x.queue);
    x.waits = memory_get_zeroed(l->states * sizeof *x.waits);
    x.wanted = memory_get_zeroed(l->labels.count * sizeof *x.wanted);
    x.able = memory_get(x.by.words * sizeof *x.able);
    x.back = turn(l);
    begin(&x, ready);
    refine(&x);
    make_quotient(&x, out);
    free(x.by.bits);
    free(x.before.bits);
    free(x.queue);
    free(x.waits);
    free(x.wanted);
    free(x.able);
    free(x.lost);
    free(x.back.first);
    free(x.back.source);
}
