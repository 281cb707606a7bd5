#include "minimize/tau_view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lts/lts_components.h"
#include "minimize/determinize.h"

/* ---- Tau as a label ---- */

uint32_t tau_show(struct lts *l) {
    uint32_t label = names_add_new(&l->labels, "tau");
    for (uint64_t i = 0; i < l->edges; i++)
        if (l->edge[i].label == LTS_TAU) l->edge[i].label = label;
    lts_tidy(l);
    return label;
}

uint32_t tau_show_loops(struct lts *l, const bool *loops) {
    struct lts_builder b;
    lts_build_with(&b, &l->labels);
    uint32_t label = names_add_new(&b.labels, "\nloop");
    b.states = l->states;
    b.initial = l->initial;
    b.end = l->end;
    b.error = l->error;
    for (uint32_t s = 0; s < l->states; s++) {
        if (loops[s]) lts_build_edge(&b, s, label, s);
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            if (e->label != LTS_TAU || e->target != s) lts_build_edge(&b, s, e->label, e->target);
    }
    lts_fini(l);
    lts_build_finish(&b, l);
    return label;
}

void tau_hide_last(struct lts *l) {
    struct names fewer;
    uint32_t last = l->labels.count - 1;
    assert(last != LTS_TAU);
    names_init(&fewer);
    for (uint32_t i = 0; i < last; i++) names_add(&fewer, l->labels.text[i]);
    names_fini(&l->labels);
    l->labels = fewer;
    for (uint64_t i = 0; i < l->edges; i++)
        if (l->edge[i].label == last) l->edge[i].label = LTS_TAU;
    lts_tidy(l);
}

/* ---- Tau* a as one edge ---- */

/* The edges that states get, one state's after the other's. */
struct star {
    const struct lts *l;
    uint32_t end, error; /* labels */
    struct lts_edge *edge;
    uint64_t count, room;
    uint64_t *first, *behind; /* by state */
};

static void add_edge(struct star *x, uint32_t label, uint32_t target, struct effort *effort) {
    if (x->count == x->room) {
        uint64_t room = x->room + x->room / 2 + 64;
        effort_take(effort, (room - x->room) * sizeof *x->edge);
        x->edge = memory_resize(x->edge, room * sizeof *x->edge);
        x->room = room;
    }
    x->edge[x->count++] = (struct lts_edge){label, target};
}

static int by_label(const void *a, const void *b) {
    const struct lts_edge *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    return x->target == y->target ? 0 : x->target < y->target ? -1 : 1;
}

/* The edges of a state, whose targets by tau have theirs. */
static void add_state(struct star *x, uint32_t s, struct effort *effort) {
    const struct lts *l = x->l;
    uint64_t begin = x->count, kept = begin;
    if (s == l->end) add_edge(x, x->end, s, effort);
    if (s == l->error) add_edge(x, x->error, s, effort);
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
        if (e->label != LTS_TAU) add_edge(x, e->label, e->target, effort);
        else
            for (uint64_t i = x->first[e->target]; i < x->behind[e->target]; i++)
                add_edge(x, x->edge[i].label, x->edge[i].target, effort);
    }
    if (x->count > begin) qsort(x->edge + begin, x->count - begin, sizeof *x->edge, by_label);
    for (uint64_t i = begin; i < x->count; i++)
        if (kept == begin || by_label(&x->edge[kept - 1], &x->edge[i]) != 0) x->edge[kept++] = x->edge[i];
    x->count = kept;
    x->first[s] = begin;
    x->behind[s] = kept;
}

void tau_star(const struct lts *l, struct effort *effort, struct lts *out) {
    uint32_t *order = tau_targets_first(l);
    struct star x = {.l = l,
                     .first = memory_get_zeroed(l->states * sizeof *x.first),
                     .behind = memory_get_zeroed(l->states * sizeof *x.behind)};
    *out = (struct lts){.states = l->states, .initial = l->initial, .end = LTS_NONE, .error = LTS_NONE};
    names_copy(&out->labels, &l->labels);
    x.end = names_add_new(&out->labels, DETERMINIZE_END);
    x.error = names_add_new(&out->labels, DETERMINIZE_ERROR);
    for (uint32_t i = 0; i < l->states && !effort_over(effort); i++) add_state(&x, order[i], effort);
    out->first = memory_get_zeroed((l->states + UINT64_C(1)) * sizeof *out->first);
    out->edge = memory_get((x.count + 1) * sizeof *out->edge);
    for (uint32_t s = 0; s < l->states && !effort_over(effort); s++) {
        uint64_t n = x.behind[s] - x.first[s];
        if (n > 0) memcpy(out->edge + out->edges, x.edge + x.first[s], n * sizeof *out->edge);
        out->first[s + 1] = out->edges += n;
    }
    assert(effort_over(effort) || out->edges == x.count);
    if (effort_over(effort)) {
        memset(out->first, 0, (l->states + UINT64_C(1)) * sizeof *out->first);
        out->edges = 0;
    }
    effort_give_back(effort, x.room * sizeof *x.edge);
    free(x.edge);
    free(x.first);
    free(x.behind);
    free(order);
}
