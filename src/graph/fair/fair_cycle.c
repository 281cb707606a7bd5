/* Fair cycles: strong components within strong components (as for Streett automata). */
#include "graph/fair/fair_cycle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/ways.h"

#define NONE UINT32_MAX

/* ---- Strong components of a part ---- */

struct division {
    const struct inside *in;
    uint32_t *part;      /* of each state: which part it belongs to; only edges within a part count */
    uint32_t *component; /* its number, from 1 on */
    uint32_t components;
};

static bool edges_of(const struct inside *in, uint32_t s, uint32_t *first, uint32_t *count) {
    *first = in->first[s];
    *count = in->first[s + 1] - in->first[s];
    return true;
}

static void close_component(struct division *d, const uint32_t *members, uint64_t n) {
    d->components++;
    for (uint64_t i = 0; i < n; i++) d->component[members[i]] = d->components;
}

#define NAME(x) part_##x
#define GRAPH struct division
#define NODE uint32_t
#define EDGE uint32_t
#define NUMBER(x, v) (x)->g->component[v]
#define ENTER(x, v, by, first, count) ((void)(by), edges_of((x)->g->in, v, first, count))
#define COUNTS(x, v, e) ((x)->g->part[(x)->g->in->target[e]] == (x)->g->part[v])
#define TARGET(x, e) (x)->g->in->target[e]
#define CLOSE(x, members, n) close_component((x)->g, members, n)
#include "algo/components_code.h"

/* The states of the list, all of the same part. */
static void find_components(struct division *d, const uint32_t *list, uint32_t n) {
    struct part_search x = {.g = d};
    d->components = 0;
    for (uint32_t i = 0; i < n; i++) d->component[list[i]] = 0;
    for (uint32_t i = 0; i < n; i++) {
        assert(d->part[list[i]] == d->part[list[0]]);
        if (d->component[list[i]] == 0) part_from(&x, list[i], 0);
    }
    part_fini(&x);
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
            if (part[in->target[e]] != own) continue;
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
    bool *seen, *met; /* fair choice: see choice_covers */
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
    if (f->choice) return choice_covers(h->in, list, count, h->seen, h->met); /* fair to all sets, too */
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
    assert(left < count); /* a state is to blame, or the component would be good */
    if (left) add_work(h, first, left);
    return false;
}

static void sort_by_component(struct hunt *h, uint32_t first, uint32_t count) {
    const uint32_t *component = h->x.component;
    uint32_t components = h->x.components, *order = h->order + first;
    uint32_t *starts = memory_get_zeroed((components + UINT64_C(2)) * sizeof *starts);
    uint32_t *sorted = memory_get(count * sizeof *sorted);
    for (uint32_t i = 0; i < count; i++) starts[component[order[i]] + 1]++;
    for (uint32_t c = 1; c <= components; c++) starts[c + 1] += starts[c];
    for (uint32_t i = 0; i < count; i++) sorted[starts[component[order[i]]]++] = order[i];
    memcpy(order, sorted, count * sizeof *sorted);
    free(sorted);
    free(starts);
}

/* Divides a part into its components, and judges each. */
static bool divide(struct hunt *h, uint32_t first, uint32_t count, uint32_t *found, uint32_t *found_count) {
    find_components(&h->x, h->order + first, count);
    sort_by_component(h, first, count);
    for (uint32_t begin = first, end; begin < first + count; begin = end) {
        uint32_t own = h->next_part++, c = h->x.component[h->order[begin]];
        assert(c >= 1 && c <= h->x.components);
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

enum outcome fair_search(const struct inside *in, struct space *s, const struct product *p, const struct fair *fair,
                         bool *keep, struct stop *stop) {
    size_t n = in->states + UINT64_C(1);
    struct hunt h = {.in = in, .p = p, .fair = fair, .order = memory_get(n * sizeof *h.order), .next_part = 1};
    uint32_t *numbers = memory_get_zeroed(2 * n * sizeof *numbers), first = 0, count = 0;
    h.x = (struct division){.in = in, .part = numbers, .component = numbers + n};
    bool *facts = memory_get(3 * (fair->count + UINT64_C(1)));
    h.offer = (struct offer){false, facts, facts + fair->count, facts + 2 * fair->count};
    for (uint32_t i = 0; i < in->states; i++) h.order[i] = i;
    h.seen = memory_get_zeroed(in->below.edges + UINT64_C(1));
    h.met = memory_get_zeroed(in->below.models.count + UINT64_C(1));
    bool found = false, given_up = false;
    add_work(&h, 0, in->states);
    while (!found && !given_up && h.work_count > 0) {
        h.work_count--;
        found = divide(&h, h.work[2 * h.work_count], h.work[2 * h.work_count + 1], &first, &count);
        given_up = !found && space_must_stop(s, "fair cycles", 0, in->states, stop);
    }
    for (uint32_t i = 0; found && i < count; i++) keep[h.order[first + i]] = true;
    free(h.work);
    free(h.order);
    free(numbers);
    free(facts);
    free(h.seen);
    free(h.met);
    return given_up ? OUTCOME_GIVEN_UP : found ? OUTCOME_FOUND : OUTCOME_NONE;
}

/* ---- A cycle through what must occur ---- */

struct tour {
    const struct inside *in;
    const struct product *p;
    const struct fair *fair;
    const bool *keep;
    struct ways ways;
    struct numbers *cycle;
    uint32_t at;
    uint32_t goal; /* 0: an edge that accepts; 1 + k: set k is treated fairly */
    uint32_t home;
};

static bool edge_meets(const struct tour *t, uint32_t goal, uint32_t edge) {
    const struct inside_edge *e = &t->in->edge[edge];
    return goal == 0 ? (e->kind & EDGE_ACCEPTS) != 0 : set_has(&t->fair->sets[goal - 1], t->p, e->transition);
}

/* The first edge inside that meets the goal, or NONE. */
static uint32_t first_edge(const struct tour *t, uint32_t goal, uint32_t *source) {
    for (uint32_t s = 0; s < t->in->states; s++)
        for (uint32_t e = t->in->first[s]; t->keep[s] && e < t->in->first[s + 1]; e++)
            if (t->keep[t->in->target[e]] && edge_meets(t, goal, e)) return *source = s, e;
    return *source = 0, NONE;
}

static bool stays_inside(void *tour, uint32_t edge) {
    const struct tour *t = tour;
    return t->keep[t->in->target[edge]];
}

static bool meets_goal(void *tour, uint32_t edge) {
    const struct tour *t = tour;
    return edge_meets(t, t->goal, edge);
}

static bool disabled_at(void *tour, uint32_t state) {
    const struct tour *t = tour;
    return !t->in->enabled[(size_t)state * t->fair->count + t->goal - 1];
}

static bool is_home(void *tour, uint32_t state) { return state == ((const struct tour *)tour)->home; }

/* Goes to the nearest edge of that kind and takes it, or to the nearest such state. */
static void go(struct tour *t, bool (*by)(void *, uint32_t), bool (*at)(void *, uint32_t)) {
    struct ways_wish wish = {.context = t, .takes = stays_inside, .ends_by = by, .ends_at = at};
    uint32_t end;
    if (ways_find(&t->ways, t->at, &wish, t->cycle, &end) == OUTCOME_FOUND) t->at = end;
}

bool fair_cycle(const struct inside *in, struct space *s, const struct product *p, const struct fair *fair,
                const bool *keep, struct numbers *cycle, struct stop *stop) {
    if (fair->choice) return choice_cycle(in, s, keep, cycle, stop);
    struct digraph graph = inside_graph(in);
    struct tour t = {.in = in, .p = p, .fair = fair, .keep = keep, .cycle = cycle};
    uint32_t edge = first_edge(&t, 0, &t.home), other;
    ways_init(&t.ways, &graph);
    assert(edge != NONE);
    numbers_add(cycle, edge);
    t.at = in->target[edge];
    for (t.goal = 1; t.goal <= fair->count; t.goal++) {
        bool done = false, occurs = first_edge(&t, t.goal, &other) != NONE;
        for (size_t i = 0; i < cycle->count && !done; i++) done = edge_meets(&t, t.goal, (uint32_t)cycle->at[i]);
        if (done || (fair->sets[t.goal - 1].strong && !occurs)) continue;
        go(&t, occurs ? meets_goal : NULL, occurs ? NULL : disabled_at);
    }
    go(&t, NULL, is_home);
    assert(t.at == t.home); /* it is a cycle */
    ways_fini(&t.ways);
    return true;
}
