/* Fair cycles: strong components within strong components (as for Streett automata). */
#include "graph/fair_cycle.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* ---- Strong components of a part ---- */

struct division {
    const struct inside *in;
    uint32_t *part;      /* of each state: which part it belongs to; only edges within a part count */
    uint32_t *component; /* its number, or NONE */
    uint32_t *low, *index, *stack, *way, *at; /* Tarjan's algorithm: `at` is the next edge of a state on the way */
    uint32_t components, met, stacked;
};

static void enter(struct division *x, uint32_t s, uint32_t *depth) {
    x->index[s] = x->low[s] = x->met++;
    x->stack[x->stacked++] = s;
    x->at[s] = x->in->first[s];
    x->way[(*depth)++] = s;
}

static void leave(struct division *x, uint32_t s) {
    uint32_t u;
    if (x->low[s] != x->index[s]) return;
    do {
        u = x->stack[--x->stacked];
        x->component[u] = x->components;
    } while (u != s);
    x->components++;
}

static void components_from(struct division *x, uint32_t s) {
    uint32_t depth = 0;
    enter(x, s, &depth);
    while (depth > 0) {
        uint32_t u = x->way[depth - 1];
        if (x->at[u] == x->in->first[u + 1]) {
            depth--;
            leave(x, u);
            if (depth && x->low[u] < x->low[x->way[depth - 1]]) x->low[x->way[depth - 1]] = x->low[u];
            continue;
        }
        uint32_t v = x->in->edge[x->at[u]++].target;
        if (x->part[v] != x->part[u]) continue;
        if (x->index[v] == NONE) enter(x, v, &depth);
        else if (x->component[v] == NONE && x->index[v] < x->low[u]) x->low[u] = x->index[v];
    }
}

/* The states of the list, all of the same part. */
static void find_components(struct division *x, const uint32_t *list, uint32_t n) {
    x->components = x->met = x->stacked = 0;
    for (uint32_t i = 0; i < n; i++) x->index[list[i]] = x->component[list[i]] = NONE;
    for (uint32_t i = 0; i < n; i++)
        if (x->index[list[i]] == NONE) components_from(x, list[i]);
}

/* ---- What a component offers ---- */

static bool set_has(const struct fair_set *set, const struct product *p, uint32_t transition) {
    uint32_t move = product_move(p, transition);
    return move < p->base->transitions && set->has[move];
}

/* Of the states with member[s], which are strongly connected: what occurs inside, and where sets are enabled. */
struct offer {
    bool accepts;
    bool *occurs, *enabled, *disabled; /* of each set: inside; somewhere; somewhere not */
};

static void look(struct offer *o, const struct inside *in, const struct product *p, const struct fair *f,
                 const uint32_t *list, uint32_t n, const uint32_t *part, uint32_t own) {
    o->accepts = false;
    memset(o->occurs, 0, f->count);
    memset(o->enabled, 0, f->count);
    memset(o->disabled, 0, f->count);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t e = in->first[list[i]]; e < in->first[list[i] + 1]; e++) {
            if (part[in->edge[e].target] != own) continue;
            if (in->edge[e].kind & EDGE_ACCEPTS) o->accepts = true;
            for (uint32_t k = 0; k < f->count; k++)
                if (!o->occurs[k]) o->occurs[k] = set_has(&f->sets[k], p, in->edge[e].transition);
        }
        for (uint32_t k = 0; k < f->count; k++) {
            if (in->enabled[(size_t)list[i] * f->count + k]) o->enabled[k] = true;
            else o->disabled[k] = true;
        }
    }
}

/* ---- The search ---- */

struct hunt {
    const struct inside *in;
    const struct product *p;
    const struct fair *fair;
    struct division x;
    struct offer offer;
    uint32_t *work, work_count; /* parts to be looked at: pairs of first state and count in `order` */
    uint32_t *order;            /* states, those of a part side by side */
    uint32_t next_part;
    uint64_t room;
};

static void add_work(struct hunt *h, uint32_t first, uint32_t count) {
    if (2 * ((uint64_t)h->work_count + 1) > h->room) {
        h->room = h->room ? 2 * h->room : 64;
        h->work = memory_resize(h->work, h->room * sizeof *h->work);
    }
    h->work[2 * h->work_count] = first;
    h->work[2 * h->work_count++ + 1] = count;
}

/* Whether the component that the states are is what is looked for; if some of them are to blame that it is not, the
 * others become a part of their own. */
static bool judge(struct hunt *h, uint32_t first, uint32_t count) {
    const struct fair *f = h->fair;
    uint32_t *list = h->order + first, own = h->x.part[list[0]], left = 0;
    bool good = true, hopeless = false;
    look(&h->offer, h->in, h->p, f, list, count, h->x.part, own);
    if (!h->offer.accepts) return false;
    for (uint32_t k = 0; k < f->count; k++) {
        if (h->offer.occurs[k]) continue;
        if (!f->sets[k].strong) hopeless |= !h->offer.disabled[k];
        else if (h->offer.enabled[k]) good = false;
    }
    if (hopeless || good) return !hopeless;
    /* What is enabled and does not occur must be avoided. */
    uint32_t part = h->next_part++;
    for (uint32_t i = 0; i < count; i++) {
        bool bad = false;
        for (uint32_t k = 0; k < f->count && !bad; k++)
            bad = f->sets[k].strong && !h->offer.occurs[k] && h->in->enabled[(size_t)list[i] * f->count + k];
        if (bad) continue;
        h->x.part[list[i]] = part;
        uint32_t other = list[left];
        list[left++] = list[i];
        list[i] = other;
    }
    if (left) add_work(h, first, left);
    return false;
}

static void sort_by_component(struct hunt *h, uint32_t first, uint32_t count) {
    uint32_t components = h->x.components;
    uint32_t *starts = memory_get_zeroed((components + UINT64_C(1)) * sizeof *starts);
    uint32_t *sorted = memory_get(count * sizeof *sorted);
    for (uint32_t i = 0; i < count; i++) starts[h->x.component[h->order[first + i]] + 1]++;
    for (uint32_t c = 0; c < components; c++) starts[c + 1] += starts[c];
    for (uint32_t i = 0; i < count; i++) sorted[starts[h->x.component[h->order[first + i]]]++] = h->order[first + i];
    memcpy(h->order + first, sorted, count * sizeof *sorted);
    free(sorted);
    free(starts);
}

/* Divides a part into its components, and judges each. */
static bool divide(struct hunt *h, uint32_t first, uint32_t count, uint32_t *found, uint32_t *found_count) {
    find_components(&h->x, h->order + first, count);
    sort_by_component(h, first, count);
    for (uint32_t begin = first, end; begin < first + count; begin = end) {
        uint32_t own = h->next_part++, c = h->x.component[h->order[begin]];
        for (end = begin; end < first + count && h->x.component[h->order[end]] == c; end++)
            h->x.part[h->order[end]] = own;
        if (judge(h, begin, end - begin)) {
            *found = begin;
            *found_count = end - begin;
            return true;
        }
    }
    return false;
}

bool fair_search(const struct inside *in, const struct product *p, const struct fair *fair, bool *keep) {
    if (fair->choice) { /* fair to all sets, too */
        bool covers = choice_covers(in);
        memset(keep, covers, in->states * sizeof *keep);
        return covers;
    }
    size_t n = in->states + UINT64_C(1);
    struct hunt h = {.in = in, .p = p, .fair = fair, .order = memory_get(n * sizeof *h.order), .next_part = 1};
    uint32_t *numbers = memory_get_zeroed(7 * n * sizeof *numbers), first = 0, count = 0;
    h.x = (struct division){in,
                            numbers,
                            numbers + n,
                            numbers + 2 * n,
                            numbers + 3 * n,
                            numbers + 4 * n,
                            numbers + 5 * n,
                            numbers + 6 * n,
                            0,
                            0,
                            0};
    bool *facts = memory_get(3 * (fair->count + UINT64_C(1)));
    h.offer = (struct offer){false, facts, facts + fair->count, facts + 2 * fair->count};
    for (uint32_t i = 0; i < in->states; i++) h.order[i] = i;
    bool found = false;
    add_work(&h, 0, in->states);
    while (!found && h.work_count > 0) {
        h.work_count--;
        found = divide(&h, h.work[2 * h.work_count], h.work[2 * h.work_count + 1], &first, &count);
    }
    for (uint32_t i = 0; found && i < count; i++) keep[h.order[first + i]] = true;
    free(h.work);
    free(h.order);
    free(numbers);
    free(facts);
    return found;
}

/* ---- A cycle through what must occur ---- */

struct tour {
    const struct inside *in;
    const struct product *p;
    const struct fair *fair;
    const bool *keep;
    uint32_t *from, *queue; /* of a breadth-first search: the edge by which a state was reached, and its source */
    uint32_t *source;
    struct numbers *cycle;
    uint32_t at;
};

/* Goals: 0: an edge that accepts; 1 + k: set k is treated fairly. */
static bool edge_meets(const struct tour *t, uint32_t goal, const struct inside_edge *e) {
    return goal == 0 ? (e->kind & EDGE_ACCEPTS) != 0 : set_has(&t->fair->sets[goal - 1], t->p, e->transition);
}

static bool occurs_inside(const struct tour *t, uint32_t goal) {
    for (uint32_t s = 0; s < t->in->states; s++)
        for (uint32_t e = t->in->first[s]; t->keep[s] && e < t->in->first[s + 1]; e++)
            if (t->keep[t->in->edge[e].target] && edge_meets(t, goal, &t->in->edge[e])) return true;
    return false;
}

static void append_way(struct tour *t, uint32_t to) {
    size_t begin = t->cycle->count;
    for (uint32_t s = to; s != t->at; s = t->source[s]) numbers_add(t->cycle, t->from[s]);
    for (size_t i = begin, j = t->cycle->count; i + 1 < j--; i++) {
        uint64_t swap = t->cycle->at[i];
        t->cycle->at[i] = t->cycle->at[j];
        t->cycle->at[j] = swap;
    }
    t->at = to;
}

/* Goes to the nearest edge that meets the goal and takes it; `home` not NONE: goes there instead. `by_state`: to a
 * state where set goal - 1 is disabled. */
static void go(struct tour *t, uint32_t goal, bool by_state, uint32_t home) {
    const struct inside *in = t->in;
    uint32_t head = 0, tail = 0;
    memset(t->from, 0xff, in->states * sizeof *t->from);
    t->queue[tail++] = t->at;
    t->source[t->at] = t->at;
    t->from[t->at] = 0;
    while (head < tail) {
        uint32_t s = t->queue[head++];
        if (s == home || (by_state && !in->enabled[(size_t)s * t->fair->count + goal - 1])) {
            append_way(t, s);
            return;
        }
        for (uint32_t e = in->first[s]; e < in->first[s + 1]; e++) {
            uint32_t to = in->edge[e].target;
            if (!t->keep[to]) continue;
            if (home == NONE && !by_state && edge_meets(t, goal, &in->edge[e])) {
                append_way(t, s);
                numbers_add(t->cycle, e);
                t->at = to;
                return;
            }
            if (t->from[to] != NONE) continue;
            t->from[to] = e;
            t->source[to] = s;
            t->queue[tail++] = to;
        }
    }
}

/* An edge that accepts: where the cycle begins. */
static uint32_t first_edge(const struct tour *t, uint32_t *source) {
    for (uint32_t s = 0; s < t->in->states; s++)
        for (uint32_t e = t->in->first[s]; t->keep[s] && e < t->in->first[s + 1]; e++)
            if (t->keep[t->in->edge[e].target] && edge_meets(t, 0, &t->in->edge[e])) return *source = s, e;
    return *source = 0;
}

bool fair_cycle(const struct inside *in, struct space *s, const struct product *p, const struct fair *fair,
                const bool *keep, struct numbers *cycle, struct stop *stop) {
    if (fair->choice) return choice_cycle(in, s, cycle, stop);
    struct tour t = {.in = in, .p = p, .fair = fair, .keep = keep, .cycle = cycle};
    t.from = memory_get(3 * (in->states + UINT64_C(1)) * sizeof *t.from);
    t.queue = t.from + in->states;
    t.source = t.queue + in->states;
    uint32_t home, edge = first_edge(&t, &home);
    numbers_add(cycle, edge);
    t.at = in->edge[edge].target;
    for (uint32_t k = 0; k < fair->count; k++) {
        bool done = false, occurs = occurs_inside(&t, k + 1);
        for (size_t i = 0; i < cycle->count && !done; i++) done = edge_meets(&t, k + 1, &in->edge[cycle->at[i]]);
        if (done || (fair->sets[k].strong && !occurs)) continue;
        go(&t, k + 1, !occurs, NONE);
    }
    go(&t, 0, false, home);
    free(t.from);
    return true;
}
