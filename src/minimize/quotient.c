/* Making many states one: collapsing components, quotients. */
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
    enum inner_taus inner;
    const uint8_t *divergent;
    struct lts *out;
    uint32_t *representative; /* of a block */
    uint32_t *number, *queue; /* breadth-first number of a block, and the other way round */
    uint64_t room;            /* for edges */
};

static bool is_inner(const struct quotient *q, uint32_t s, const struct lts_edge *e) {
    return e->label == LTS_TAU && q->block[e->target] == q->block[s];
}

static bool has_inner_tau(const struct quotient *q, uint32_t s) {
    for (const struct lts_edge *e = lts_begin(q->lts, s); e < lts_end(q->lts, s) && e->label == LTS_TAU; e++)
        if (is_inner(q, s, e)) return true;
    return false;
}

/* If inner taus vanish, a state without them: it has edges to wherever its block gets. */
static void choose_representatives(struct quotient *q, uint32_t blocks) {
    memset(q->representative, 0xff, blocks * sizeof *q->representative);
    for (uint32_t s = 0; s < q->lts->states; s++) {
        uint32_t *r = &q->representative[q->block[s]];
        if (*r == NONE && (q->inner == INNER_TAUS_STAY || !has_inner_tau(q, s))) *r = s;
    }
}

/* Adds the edges of a block, to blocks. How many. */
static size_t add_edges(struct quotient *q, uint32_t s, bool divergent) {
    const struct lts *l = q->lts;
    uint64_t most = q->out->edges + (l->first[s + 1] - l->first[s]) + 1;
    if (most > q->room) {
        q->room = most + most / 2;
        q->out->edge = memory_resize(q->out->edge, q->room * sizeof *q->out->edge);
    }
    struct lts_edge *to = q->out->edge + q->out->edges;
    size_t n = 0;
    if (divergent) to[n++] = (struct lts_edge){LTS_TAU, q->block[s]};
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        if (q->inner == INNER_TAUS_STAY || !is_inner(q, s, e))
            to[n++] = (struct lts_edge){e->label, q->block[e->target]};
    return lts_sort_edges(to, n);
}

/* Numbers the blocks breadth first and collects their edges. How many blocks are reachable. */
static uint32_t explore(struct quotient *q, const uint8_t *divergent_block) {
    uint32_t found = 1;
    q->number[q->block[q->lts->initial]] = 0;
    q->queue[0] = q->block[q->lts->initial];
    for (uint32_t i = 0; i < found; i++) {
        uint32_t b = q->queue[i];
        size_t n = add_edges(q, q->representative[b], divergent_block && divergent_block[b]);
        struct lts_edge *e = q->out->edge + q->out->edges;
        q->out->first[i] = q->out->edges;
        for (size_t j = 0; j < n; j++) {
            if (q->number[e[j].target] == NONE) {
                q->number[e[j].target] = found;
                q->queue[found++] = e[j].target;
            }
            e[j].target = q->number[e[j].target];
        }
        lts_sort_edges(e, n);
        q->out->edges += n;
    }
    q->out->first[found] = q->out->edges;
    return found;
}

static uint8_t *divergent_blocks(const struct quotient *q, uint32_t blocks) {
    if (!q->divergent) return NULL;
    uint8_t *divergent = memory_get_zeroed(blocks);
    for (uint32_t s = 0; s < q->lts->states; s++)
        if (q->divergent[s]) divergent[q->block[s]] = 1;
    return divergent;
}

void lts_quotient(const struct lts *l, const uint32_t *block, uint32_t blocks, enum inner_taus inner,
                  const uint8_t *divergent, struct lts *out) {
    struct quotient q = {.lts = l, .block = block, .inner = inner, .divergent = divergent, .out = out};
    size_t bytes = blocks * sizeof(uint32_t);
    uint8_t *divergent_block = divergent_blocks(&q, blocks);
    q.representative = memory_get_large(bytes);
    q.number = memset(memory_get_large(bytes), 0xff, bytes);
    q.queue = memory_get(bytes);
    *out = (struct lts){.end = LTS_NONE, .error = LTS_NONE};
    out->first = memory_get((blocks + UINT64_C(1)) * sizeof *out->first);
    choose_representatives(&q, blocks);
    out->states = explore(&q, divergent_block);
    out->first = memory_resize(out->first, (out->states + UINT64_C(1)) * sizeof *out->first);
    out->edge = memory_resize(out->edge, (out->edges + 1) * sizeof *out->edge);
    if (l->end != LTS_NONE) out->end = q.number[block[l->end]];
    if (l->error != LTS_NONE) out->error = q.number[block[l->error]];
    names_copy(&out->labels, &l->labels);
    free(divergent_block);
    free(q.representative);
    free(q.number);
    free(q.queue);
}
