#include "graph/shortest_cycle.h"

#include <assert.h>
#include <stdlib.h>

enum { STATES_A_CHECK = 256 };
#define NONE UINT32_MAX

/* A search from one state. Layer d of the queue has the states that are met after d edges. */
struct around {
    struct shortest *x;
    const struct edges *e;
    struct region regions[5];
    uint32_t *seen, *on;     /* by number: == round: in this round, met; on a shortest cycle */
    uint32_t *parent, *next; /* by number: the state that it was met from; the next one on a shortest cycle */
    uint32_t *queue;
    struct numbers layer_end;
    uint32_t round;
    uint32_t from;
    uint32_t length; /* of the best cycle so far; NONE: there is none */
    uint64_t nearest;
    uint64_t met; /* states, in all rounds */
    struct stop *stop;
};

static bool around_init(struct around *a, struct shortest *x, struct stop *stop) {
    *a = (struct around){.x = x, .e = &x->s->edge_list, .length = NONE, .nearest = UINT64_MAX, .stop = stop};
    uint32_t **arrays[] = {&a->seen, &a->on, &a->parent, &a->next, &a->queue};
    for (int i = 0; i < 5; i++) {
        if (!space_get(x->s, &a->regions[i], x->s->states * sizeof(uint32_t))) {
            *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for shortest cycles"};
            return false;
        }
        *arrays[i] = (uint32_t *)(void *)a->regions[i].base;
    }
    *stop = (struct stop){.kind = STOP_DONE};
    return true;
}

static void around_fini(struct around *a) {
    for (int i = 0; i < 5; i++) region_fini(&a->regions[i]);
    numbers_fini(&a->layer_end);
}

static bool counts(const struct around *a, uint64_t from, uint64_t edge) {
    return strong_counts(a->x->parts, edge) &&
           strong_of(a->x->parts, EDGES_TARGETS(a->e)[edge]) == strong_of(a->x->parts, from);
}

static bool is_needed(const struct around *a, uint64_t edge) { return !a->x->needed || bitmap_has(a->x->needed, edge); }

/* New successors of a state. True: one of them is where the search began. */
static bool spread(struct around *a, uint32_t state, uint64_t *tail) {
    uint64_t at = edges_begin(a->e, state), end = at + EDGES_COUNTS(a->e)[state];
    bool first = *tail == 0, closed = false;
    for (; at < end; at++) {
        uint32_t to = EDGES_TARGETS(a->e)[at];
        if (!counts(a, state, at) || (first && !is_needed(a, at))) continue;
        closed |= to == a->from;
        if (to == a->from || a->seen[to] == a->round) continue;
        assert(*tail < a->x->s->states);
        a->seen[to] = a->round;
        a->parent[to] = state;
        a->queue[(*tail)++] = to;
    }
    return closed;
}

/* The length of a shortest cycle from a->from that begins with a needed edge and has at most `most` edges; or NONE.
 * Layers up to the one before it is closed are in the queue. */
static uint32_t go_round(struct around *a, uint32_t most) {
    uint64_t head = 0, tail = 0;
    a->layer_end.count = 0;
    if (spread(a, a->from, &tail)) return 1;
    for (uint32_t length = 2; length <= most && head < tail; length++) {
        bool closed = false;
        uint64_t layer = tail;
        numbers_add(&a->layer_end, layer);
        for (; head < layer; head++) closed |= spread(a, a->queue[head], &tail);
        a->met += layer;
        if (closed) return length;
    }
    return NONE;
}

/* An edge that counts to a state on a shortest cycle, or, from the last layer, to the start. NONE: there is none. */
static uint32_t goes_on(const struct around *a, uint32_t state, bool last) {
    uint64_t at = edges_begin(a->e, state), end = at + EDGES_COUNTS(a->e)[state];
    for (; at < end; at++) {
        uint32_t to = EDGES_TARGETS(a->e)[at];
        if (counts(a, state, at) && (last ? to == a->from : to != a->from && a->on[to] == a->round)) return to;
    }
    return NONE;
}

/* Marks all states on cycles of this length from a->from, layer by layer from the last one on. Which is nearest? An
 * edge leads at most one layer on, so one to a state that is marked leads to the layer that was marked last. */
static uint32_t mark_cycles(struct around *a, uint32_t length) {
    uint32_t nearest = a->from;
    for (uint32_t layer = length - 1; layer > 0; layer--) {
        uint64_t begin = layer > 1 ? a->layer_end.at[layer - 2] : 0, end = a->layer_end.at[layer - 1];
        for (uint64_t i = begin; i < end; i++) a->next[a->queue[i]] = goes_on(a, a->queue[i], layer == length - 1);
        for (uint64_t i = begin; i < end; i++) { /* only now, so that edges inside the layer do not count */
            uint32_t state = a->queue[i];
            if (a->next[state] == NONE) continue;
            a->on[state] = a->round;
            if (state < nearest) nearest = state;
        }
    }
    return nearest;
}

/* The cycle through a state that is on one, from that state on. */
static void take_cycle(struct around *a, uint32_t length, uint32_t nearest) {
    struct numbers *cycle = &a->x->cycle, before = {0};
    uint32_t via = nearest;
    if (nearest == a->from && length > 1) /* the first layer was met by needed edges */
        for (uint64_t i = 0; via == nearest; i++)
            if (a->on[a->queue[i]] == a->round) via = a->queue[i];
    cycle->count = 0;
    if (via != nearest) numbers_add(cycle, nearest);
    for (uint32_t s = via; s != a->from; s = a->next[s]) numbers_add(cycle, s);
    if (via == nearest) numbers_add(cycle, a->from);
    for (uint32_t s = via; via == nearest && s != a->from && a->parent[s] != a->from; s = a->parent[s])
        numbers_add(&before, a->parent[s]);
    while (before.count > 0) numbers_add(cycle, before.at[--before.count]);
    assert(cycle->count == length && cycle->at[0] == nearest);
    numbers_fini(&before);
}

/* Cycles from one state. */
static void try_state(struct around *a, uint32_t state, uint32_t most) {
    a->round++;
    a->from = state;
    uint32_t length = go_round(a, most < a->length ? most : a->length);
    if (length == NONE) return;
    uint32_t nearest = mark_cycles(a, length);
    if (length == a->length && nearest >= a->nearest) return;
    a->length = length;
    a->nearest = nearest;
    take_cycle(a, length, nearest);
}

/* How many edges of a state count; *last is one of them. *all: all of these are needed. */
static uint32_t count_edges(const struct around *a, uint64_t state, uint64_t *last, bool *all) {
    uint64_t at = edges_begin(a->e, state), end = at + EDGES_COUNTS(a->e)[state];
    uint32_t count = 0;
    *all = true;
    for (; at < end; at++) {
        if (!counts(a, state, at)) continue;
        count++;
        *last = at;
        *all &= is_needed(a, at);
    }
    return count;
}

/* Must cycles be looked for from this state? There is a needed edge. And if there is one edge only, each of its cycles
 * goes through the next state: they are found from there, if all edges of that are needed. That this one has a greater
 * number makes sure that of a cycle, not all states are left out. */
static bool begins(const struct around *a, uint64_t state) {
    uint64_t at = edges_begin(a->e, state), end = at + EDGES_COUNTS(a->e)[state], last, other;
    bool all;
    while (at < end && !(counts(a, state, at) && is_needed(a, at))) at++;
    if (at == end || count_edges(a, state, &last, &all) > 1) return at < end;
    uint32_t next = EDGES_TARGETS(a->e)[last];
    return next <= state || count_edges(a, next, &other, &all) == 0 || !all;
}

/* All states, to this distance. *any: some had a needed edge. False: it was interrupted, or a limit was reached. */
static bool try_all(struct around *a, uint32_t most, bool *any) {
    struct space *s = a->x->s;
    *any = false;
    for (uint64_t i = 0, since = 0; i < s->states; i++) {
        if (begins(a, i)) {
            *any = true;
            if (a->round == UINT32_MAX - 1) {
                for (uint64_t k = 0; k < s->states; k++) a->seen[k] = a->on[k] = 0;
                a->round = 0;
            }
            try_state(a, (uint32_t)i, most);
        }
        if (++since + a->met < STATES_A_CHECK) continue;
        since = a->met = 0;
        if (space_must_stop(s, "shortest cycle", i, s->states, a->stop)) return false;
    }
    return true;
}

enum outcome shortest_cycle(struct shortest *x, struct stop *stop) {
    struct around a;
    bool any = true, good = around_init(&a, x, stop);
    for (uint32_t most = 1; good && any && a.length == NONE; most *= 2) good = try_all(&a, most, &any);
    around_fini(&a);
    if (!good) return OUTCOME_GIVEN_UP;
    return a.length == NONE ? OUTCOME_NONE : OUTCOME_FOUND;
}

void shortest_fini(struct shortest *x) { numbers_fini(&x->cycle); }

bool shortest_better(const struct shortest *a, const struct shortest *b) {
    if (a->cycle.count != b->cycle.count) return a->cycle.count < b->cycle.count;
    return a->cycle.at[0] < b->cycle.at[0];
}
