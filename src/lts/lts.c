#include "lts/lts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

void lts_fini(struct lts *l) {
    free(l->first);
    free(l->edge);
    names_fini(&l->labels);
    *l = (struct lts){.end = LTS_NONE, .error = LTS_NONE};
}

void lts_copy(struct lts *to, const struct lts *from) {
    *to = *from;
    to->first = memory_get((from->states + UINT64_C(1)) * sizeof *to->first);
    to->edge = memory_get((from->edges + 1) * sizeof *to->edge);
    memcpy(to->first, from->first, (from->states + UINT64_C(1)) * sizeof *to->first);
    memcpy(to->edge, from->edge, from->edges * sizeof *to->edge);
    names_copy(&to->labels, &from->labels);
}

void lts_build(struct lts_builder *b) {
    *b = (struct lts_builder){.end = LTS_NONE, .error = LTS_NONE};
    names_init(&b->labels);
    names_add(&b->labels, "tau");
}

void lts_build_with(struct lts_builder *b, const struct names *labels) {
    *b = (struct lts_builder){.end = LTS_NONE, .error = LTS_NONE};
    names_copy(&b->labels, labels);
}

static void have_state(struct lts_builder *b, uint32_t s) {
    if (s >= b->states) b->states = s + 1;
}

void lts_build_grow(struct lts_builder *b) {
    b->room = b->room ? b->room + b->room / 2 : 64;
    b->triples = memory_resize_large(b->triples, b->room * sizeof *b->triples);
}

void lts_build_edge(struct lts_builder *b, uint32_t source, uint32_t label, uint32_t target) {
    if (effort_over(b->effort)) b->count = 0; /* it will have no edges */
    if (b->count == b->room) lts_build_grow(b);
    b->triples[b->count++] = (struct lts_triple){source, label, target};
    have_state(b, source);
    have_state(b, target);
}

/* ---- Edges of a state ---- */

static uint64_t key_of(struct lts_edge e) { return (uint64_t)e.label << 32 | e.target; }

static void sort_many(struct lts_edge *e, size_t n) {
    uint64_t *key = memory_get(n * sizeof *key);
    for (size_t i = 0; i < n; i++) key[i] = key_of(e[i]);
    sort_numbers(key, n);
    for (size_t i = 0; i < n; i++) e[i] = (struct lts_edge){(uint32_t)(key[i] >> 32), (uint32_t)key[i]};
    free(key);
}

size_t lts_sort_edges(struct lts_edge *e, size_t n) {
    enum { FEW = 24 };
    size_t kept = 1;
    if (n == 0) return 0;
    for (size_t i = 1; i < n && n <= FEW; i++) { /* most states have few edges, and in order */
        struct lts_edge x = e[i];
        size_t j = i;
        for (; j > 0 && key_of(x) < key_of(e[j - 1]); j--) e[j] = e[j - 1];
        e[j] = x;
    }
    if (n > FEW) sort_many(e, n);
    while (kept < n && key_of(e[kept - 1]) < key_of(e[kept])) kept++;
    for (size_t i = kept; i < n; i++)
        if (key_of(e[kept - 1]) < key_of(e[i])) e[kept++] = e[i];
    return kept;
}

/* Sorts the edges of each state, and drops repeated ones. */
static void tidy(struct lts *l, struct effort *effort) {
    uint64_t kept = 0;
    for (uint32_t s = 0; s < l->states && !effort_over(effort); s++) {
        struct lts_edge *e = l->edge + l->first[s];
        size_t n = lts_sort_edges(e, (size_t)(l->first[s + 1] - l->first[s]));
        l->first[s] = kept;
        if (l->edge + kept != e) memmove(l->edge + kept, e, n * sizeof *e);
        kept += n;
    }
    l->first[l->states] = l->edges = kept;
}

static void drop_edges(struct lts *l) {
    memset(l->first, 0, (l->states + UINT64_C(1)) * sizeof *l->first);
    l->edges = 0;
}

void lts_tidy(struct lts *l) { tidy(l, NULL); }

/* ---- Finishing ---- */

/* How many edges each state has, in first[s + 2]. Are they in the order of their sources? */
static bool count_edges(const struct lts_builder *b, uint64_t *first) {
    bool ordered = true;
    uint32_t latest = 0;
    for (uint64_t i = 0; i < b->count; i++) {
        uint32_t s = b->triples[i].source;
        ordered &= s >= latest;
        latest = s;
        first[s + UINT64_C(2)]++;
    }
    return ordered;
}

/* Edges are smaller than triples, and can be put in their place. */
static struct lts_edge *edges_in_place(struct lts_builder *b) {
    char *at = (char *)b->triples;
    for (uint64_t i = 0; i < b->count; i++) {
        struct lts_triple t;
        memcpy(&t, at + i * sizeof t, sizeof t);
        struct lts_edge e = {t.label, t.target};
        memcpy(at + i * sizeof e, &e, sizeof e);
    }
    return memory_resize(at, (b->count + 1) * sizeof(struct lts_edge));
}

static struct lts_edge *edges_by_source(struct lts_builder *b, uint64_t *first) {
    struct lts_edge *edge = memory_get_large((b->count + 1) * sizeof *edge);
    for (uint64_t i = 0; i < b->count; i++) {
        const struct lts_triple *t = &b->triples[i];
        edge[first[t->source + UINT64_C(1)]++] = (struct lts_edge){t->label, t->target};
    }
    free(b->triples);
    return edge;
}

void lts_build_finish(struct lts_builder *b, struct lts *l) {
    have_state(b, b->initial);
    *l =
        (struct lts){.states = b->states, .initial = b->initial, .end = b->end, .error = b->error, .labels = b->labels};
    l->first = memory_get_large_zeroed((l->states + UINT64_C(2)) * sizeof *l->first);
    bool ordered = count_edges(b, l->first);
    for (uint32_t s = 0; s < l->states; s++) l->first[s + UINT64_C(2)] += l->first[s + UINT64_C(1)];
    l->edge = ordered ? edges_in_place(b) : edges_by_source(b, l->first);
    if (ordered) memmove(l->first, l->first + 1, (l->states + UINT64_C(1)) * sizeof *l->first);
    assert(l->first[l->states] == b->count);
    assert((b->end == LTS_NONE || b->end < b->states) && (b->error == LTS_NONE || b->error < b->states));
    tidy(l, b->effort);
    if (effort_over(b->effort)) drop_edges(l);
    *b = (struct lts_builder){0};
}

/* ---- What can be reached ---- */

/* How far ahead memory is asked for, in states of the queue. */
enum { ROW_AHEAD = 12, EDGES_AHEAD = 8, NUMBERS_AHEAD = 4 };

/* What the search will look at soon. */
static void look_ahead(const struct lts *l, const uint32_t *queue, const uint32_t *number) {
    __builtin_prefetch(&l->first[queue[ROW_AHEAD]]);
    __builtin_prefetch(lts_begin(l, queue[EDGES_AHEAD]));
    for (const struct lts_edge *e = lts_begin(l, queue[NUMBERS_AHEAD]); e < lts_end(l, queue[NUMBERS_AHEAD]); e++)
        __builtin_prefetch(&number[e->target], 1);
}

/* Adds the edges of the i-th state of the queue, and puts what they lead to into the queue. */
static void add_row(const struct lts *l, uint32_t i, uint32_t *queue, uint32_t *number, struct lts *out) {
    struct lts_edge *row = out->edge + out->edges, *to = row;
    out->first[i] = out->edges;
    for (const struct lts_edge *e = lts_begin(l, queue[i]); e < lts_end(l, queue[i]); e++) {
        if (number[e->target] == LTS_NONE) {
            queue[out->states] = e->target;
            number[e->target] = out->states++;
        }
        *to++ = (struct lts_edge){e->label, number[e->target]};
    }
    assert(out->edges + (uint64_t)(to - row) <= l->edges);
    out->edges += lts_sort_edges(row, (size_t)(to - row));
}

void lts_reachable(const struct lts *l, struct lts *out) {
    size_t bytes = l->states * sizeof(uint32_t);
    uint32_t *number = memset(memory_get_large(bytes), 0xff, bytes), *queue = memory_get_large(bytes);
    *out = (struct lts){.states = 1, .end = LTS_NONE, .error = LTS_NONE};
    out->first = memory_get_large((l->states + UINT64_C(1)) * sizeof *out->first);
    out->edge = memory_get_large((l->edges + 1) * sizeof *out->edge);
    number[l->initial] = 0;
    queue[0] = l->initial;
    for (uint32_t i = 0; i < out->states; i++) {
        if (i + ROW_AHEAD < out->states) look_ahead(l, queue + i, number);
        add_row(l, i, queue, number, out);
    }
    out->first[out->states] = out->edges;
    out->first = memory_resize(out->first, (out->states + UINT64_C(1)) * sizeof *out->first);
    out->edge = memory_resize(out->edge, (out->edges + 1) * sizeof *out->edge);
    if (l->end != LTS_NONE) out->end = number[l->end];
    if (l->error != LTS_NONE) out->error = number[l->error];
    names_copy(&out->labels, &l->labels);
    free(number);
    free(queue);
}
