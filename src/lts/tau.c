#include "lts/tau.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A depth-first search over tau edges, after Tarjan: numbers states when they are left, and finds strong components. */
struct walk {
    const struct lts *l;
    uint32_t *found,
        *low;       /* when a state was found, 0: not yet; least `found` that it reaches and that is still open */
    uint32_t *open; /* states whose component is not complete */
    uint32_t *left; /* numbers in the order of leaving */
    bool *cyclic;
    struct frame {
        uint32_t state;
        const struct lts_edge *next;
    } * path;
    uint32_t clock, opened, leaving, depth;
};

static void enter(struct walk *w, uint32_t s) {
    w->found[s] = w->low[s] = ++w->clock;
    w->open[w->opened++] = s;
    w->path[w->depth++] = (struct frame){s, lts_begin(w->l, s)};
}

/* The component of s is complete: it is all that is open above and with s. */
static void close_component(struct walk *w, uint32_t s) {
    bool alone = w->open[w->opened - 1] == s;
    for (uint32_t t = LTS_NONE; t != s;) {
        t = w->open[--w->opened];
        w->low[t] = UINT32_MAX; /* no longer open */
        if (!alone) w->cyclic[t] = true;
    }
}

static void leave(struct walk *w, uint32_t s) {
    w->left[s] = w->leaving++;
    if (w->low[s] == w->found[s]) close_component(w, s);
    if (--w->depth == 0) return;
    uint32_t from = w->path[w->depth - 1].state;
    if (w->low[s] < w->low[from]) w->low[from] = w->low[s];
}

static void walk_from(struct walk *w, uint32_t s) {
    if (w->found[s]) return;
    enter(w, s);
    while (w->depth > 0) {
        struct frame *f = &w->path[w->depth - 1];
        if (f->next == lts_end(w->l, f->state) || f->next->label != LTS_TAU) {
            leave(w, f->state);
            continue;
        }
        uint32_t t = f->next++->target;
        if (!w->found[t]) enter(w, t);
        else if (w->low[t] != UINT32_MAX && w->found[t] < w->low[f->state]) w->low[f->state] = w->found[t];
        if (t == f->state) w->cyclic[t] = true;
    }
}

static void walk_all(struct walk *w, const struct lts *l) {
    size_t n = l->states;
    *w = (struct walk){.l = l};
    w->found = memory_get_zeroed(n * sizeof *w->found);
    w->low = memory_get_zeroed(n * sizeof *w->low);
    w->open = memory_get(n * sizeof *w->open);
    w->left = memory_get(n * sizeof *w->left);
    w->cyclic = memory_get_zeroed(n * sizeof *w->cyclic);
    w->path = memory_get(n * sizeof *w->path);
    for (uint32_t s = 0; s < l->states; s++) walk_from(w, s);
    free(w->found);
    free(w->low);
    free(w->open);
    free(w->path);
}

bool *tau_cycles(const struct lts *l) {
    struct walk w;
    walk_all(&w, l);
    free(w.left);
    return w.cyclic;
}

uint32_t *tau_order(const struct lts *l) {
    struct walk w;
    walk_all(&w, l);
    free(w.cyclic);
    return w.left;
}
