/* Making many states one: collapsing components, quotients. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/bisimulation.h"

enum { NONE = UINT32_MAX };

/* ---- Collapsing ---- */

void tau_collapse(const struct lts *l, const uint32_t *block, uint32_t blocks, struct lts *out) {
    *out = (struct lts){.states = blocks, .initial = block[l->initial], .end = LTS_NONE, .error = LTS_NONE};
    if (l->end != LTS_NONE) out->end = block[l->end];
    if (l->error != LTS_NONE) out->error = block[l->error];
    names_copy(&out->labels, &l->labels);
    out->first = memory_get_zeroed((blocks + UINT64_C(2)) * sizeof *out->first);
    out->edge = memory_get_large((l->edges + 1) * sizeof *out->edge);
    for (uint32_t s = 0; s < l->states; s++) out->first[block[s] + 2] += l->first[s + 1] - l->first[s];
    for (uint32_t b = 0; b < blocks; b++) out->first[b + 2] += out->first[b + 1];
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            out->edge[out->first[block[s] + 1]++] = (struct lts_edge){e->label, block[e->target]};
    uint64_t kept = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        struct lts_edge *e = out->edge + out->first[b];
        size_t n = lts_sort_edges(e, (size_t)(out->first[b + 1] - out->first[b]));
        out->first[b] = kept;
        for (size_t i = 0; i < n; i++)
            if (e[i].label != LTS_TAU || e[i].target != b) out->edge[kept++] = e[i];
    }
    out->first[blocks] = out->edges = kept;
}

/* ---- Quotients ---- */

struct quotient {
    const struct lts *lts;
    const uint32_t *block;
    uint32_t blocks;
    enum inner_taus inner;
    const uint8_t *divergent;
};

static bool is_inner(const struct quotient *q, uint32_t s, const struct lts_edge *e) {
    return e->label == LTS_TAU && q->block[e->target] == q->block[s];
}

static bool has_inner_tau(const struct quotient *q, uint32_t s) {
    for (const struct lts_edge *e = lts_begin(q->lts, s); e < lts_end(q->lts, s) && e->label == LTS_TAU; e++)
        if (e->target != s && is_inner(q, s, e)) return true;
    return false;
}

/* A state of each block. If inner taus vanish, one without them: it has edges to wherever its block gets. */
static uint32_t *choose_representatives(const struct quotient *q) {
    uint32_t *representative = memory_get_large(q->blocks * sizeof *representative);
    memset(representative, 0xff, q->blocks * sizeof *representative);
    for (uint32_t s = 0; s < q->lts->states; s++) {
        uint32_t *r = &representative[q->block[s]];
        if (*r == NONE && (q->inner == INNER_TAUS_STAY || !has_inner_tau(q, s))) *r = s;
    }
    return representative;
}

static uint8_t *divergent_blocks(const struct quotient *q) {
    uint8_t *divergent = memory_get_zeroed(q->blocks);
    for (uint32_t s = 0; q->divergent && s < q->lts->states; s++)
        if (q->divergent[s]) divergent[q->block[s]] = 1;
    return divergent;
}

/* The edges of a block, to blocks. How many. */
static size_t make_row(const struct quotient *q, uint32_t s, bool divergent, struct lts_edge *to) {
    const struct lts *l = q->lts;
    size_t n = 0;
    if (divergent) to[n++] = (struct lts_edge){LTS_TAU, q->block[s]};
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        if (q->inner == INNER_TAUS_STAY || !is_inner(q, s, e))
            to[n++] = (struct lts_edge){e->label, q->block[e->target]};
    return lts_sort_edges(to, n);
}

static void make_rows(const struct quotient *q, struct lts *out) {
    uint32_t *representative = choose_representatives(q);
    uint8_t *divergent = divergent_blocks(q);
    uint64_t most = 0;
    for (uint32_t b = 0; b < q->blocks; b++) {
        assert(representative[b] != NONE); /* without cycles of tau-edges, some state has no inner one */
        most += divergent[b] + q->lts->first[representative[b] + UINT64_C(1)] - q->lts->first[representative[b]];
    }
    out->first = memory_get_large((q->blocks + UINT64_C(1)) * sizeof *out->first);
    out->edge = memory_get_large((most + 1) * sizeof *out->edge);
    for (uint32_t b = 0; b < q->blocks; b++) {
        out->first[b] = out->edges;
        out->edges += make_row(q, representative[b], divergent[b], out->edge + out->edges);
    }
    out->first[q->blocks] = out->edges;
    free(representative);
    free(divergent);
}

/* Is there a state whose tau-edge to itself must go, or come? */
static bool loops_matter(const struct lts *l, enum inner_taus inner, const uint8_t *divergent) {
    for (uint32_t s = 0; s < l->states && inner == INNER_TAUS_VANISH; s++) {
        if (divergent && divergent[s]) return true;
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s) && e->label == LTS_TAU; e++)
            if (e->target == s) return true;
    }
    return false;
}

/* If there are as many blocks as states, whatever their numbers, most LTSs are their own quotients. */
void lts_quotient(const struct lts *l, const uint32_t *block, uint32_t blocks, enum inner_taus inner,
                  const uint8_t *divergent, struct lts *out) {
    struct quotient q = {.lts = l, .block = block, .blocks = blocks, .inner = inner, .divergent = divergent};
    if (blocks == l->states && !loops_matter(l, inner, divergent)) {
        lts_reachable(l, out);
        return;
    }
    struct lts all = {.states = blocks, .initial = block[l->initial], .end = l->end, .error = l->error};
    if (l->end != LTS_NONE) all.end = block[l->end];
    if (l->error != LTS_NONE) all.error = block[l->error];
    make_rows(&q, &all);
    names_copy(&all.labels, &l->labels);
    lts_reachable(&all, out);
    lts_fini(&all);
}
