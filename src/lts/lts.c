#include "lts/lts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

void lts_build_edge(struct lts_builder *b, uint32_t source, uint32_t label, uint32_t target) {
    if (effort_over(b->effort)) b->count = 0; /* it will have no edges */
    if (b->count == b->room) {
        b->room = b->room ? b->room + b->room / 2 : 64;
        b->triples = memory_resize(b->triples, b->room * sizeof *b->triples);
    }
    b->triples[b->count++] = (struct lts_triple){source, label, target};
    have_state(b, source);
    have_state(b, target);
}

static int by_label_and_target(const void *a, const void *b) {
    const struct lts_edge *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    return x->target == y->target ? 0 : x->target < y->target ? -1 : 1;
}

/* Sorts the edges of each state, and drops repeated ones. */
static void tidy(struct lts *l, struct effort *effort) {
    uint64_t kept = 0;
    for (uint32_t s = 0; s < l->states && !effort_over(effort); s++) {
        struct lts_edge *e = l->edge + l->first[s], *end = l->edge + l->first[s + 1];
        qsort(e, (size_t)(end - e), sizeof *e, by_label_and_target);
        l->first[s] = kept;
        for (; e < end; e++)
            if (kept == l->first[s] || by_label_and_target(&l->edge[kept - 1], e) != 0) l->edge[kept++] = *e;
    }
    l->first[l->states] = l->edges = kept;
}

static void drop_edges(struct lts *l) {
    memset(l->first, 0, (l->states + UINT64_C(1)) * sizeof *l->first);
    l->edges = 0;
}

void lts_tidy(struct lts *l) { tidy(l, NULL); }

void lts_build_finish(struct lts_builder *b, struct lts *l) {
    have_state(b, b->initial);
    *l =
        (struct lts){.states = b->states, .initial = b->initial, .end = b->end, .error = b->error, .labels = b->labels};
    l->first = memory_get_zeroed((l->states + UINT64_C(2)) * sizeof *l->first);
    l->edge = memory_get((b->count + 1) * sizeof *l->edge);
    for (uint64_t i = 0; i < b->count; i++) l->first[b->triples[i].source + 2]++;
    for (uint32_t s = 0; s < l->states; s++) l->first[s + 2] += l->first[s + 1];
    for (uint64_t i = 0; i < b->count; i++) {
        const struct lts_triple *t = &b->triples[i];
        l->edge[l->first[t->source + 1]++] = (struct lts_edge){t->label, t->target};
    }
    free(b->triples);
    tidy(l, b->effort);
    if (effort_over(b->effort)) drop_edges(l);
    *b = (struct lts_builder){0};
}

void lts_reachable(const struct lts *l, struct lts *out) {
    uint32_t *number = memory_get(l->states * sizeof *number), *queue = memory_get(l->states * sizeof *queue);
    struct lts_builder b;
    uint32_t found = 1;
    memset(number, 0xff, l->states * sizeof *number);
    lts_build_with(&b, &l->labels);
    number[l->initial] = 0;
    queue[0] = l->initial;
    for (uint32_t i = 0; i < found; i++) {
        for (const struct lts_edge *e = lts_begin(l, queue[i]); e < lts_end(l, queue[i]); e++) {
            if (number[e->target] == LTS_NONE) {
                number[e->target] = found;
                queue[found++] = e->target;
            }
            lts_build_edge(&b, i, e->label, number[e->target]);
        }
    }
    b.states = found;
    if (l->end != LTS_NONE) b.end = number[l->end];
    if (l->error != LTS_NONE) b.error = number[l->error];
    lts_build_finish(&b, out);
    free(number);
    free(queue);
}
