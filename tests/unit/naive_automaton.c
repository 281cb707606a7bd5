#include "naive_automaton.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_NODES = 4000 };

struct naive_node {
    uint32_t state, automaton;
    uint64_t value;
};

struct naive_edge {
    uint32_t from, to;
    uint64_t marks;
    bool changes;
};

struct naive {
    const struct graph *g;
    const struct naive_actions *actions;
    const struct hoa *h;
    struct naive_node node[MOST_NODES];
    uint32_t nodes;
    struct naive_edge *edge;
    uint32_t edges, room;
};

static const uint8_t *accept_of(const struct hoa *h) { return h->testing ? h->ta.accept : h->ba.accept; }

static uint32_t node_of(struct naive *x, uint32_t state, uint64_t value, uint32_t automaton) {
    for (uint32_t i = 0; i < x->nodes; i++)
        if (x->node[i].state == state && x->node[i].value == value && x->node[i].automaton == automaton) return i;
    if (x->nodes == MOST_NODES) abort();
    x->node[x->nodes] = (struct naive_node){state, automaton, value};
    return x->nodes++;
}

static void add_edge(struct naive *x, struct naive_edge e) {
    if (x->edges == x->room) {
        x->room = x->room ? 2 * x->room : 64;
        x->edge = memory_resize(x->edge, x->room * sizeof *x->edge);
    }
    x->edge[x->edges++] = e;
}

/* The graph is in `state`, with `value`, and the automaton, which was in q, reads it. */
static void read_ba(struct naive *x, uint32_t q, uint32_t state, uint64_t value, uint32_t from) {
    const struct ba *a = &x->h->ba;
    for (uint32_t i = a->first[q]; i < a->first[q + 1]; i++) {
        if (((value ^ a->edge[i].label.value) & a->edge[i].label.care) != 0) continue;
        uint32_t to = node_of(x, state, value, a->edge[i].target);
        if (from != NO_STATE) add_edge(x, (struct naive_edge){from, to, a->edge[i].marks, true});
    }
}

static void read_ta(struct naive *x, uint32_t from, uint32_t state, uint64_t value) {
    const struct ta *a = &x->h->ta;
    struct naive_node n = x->node[from];
    if (n.value == value) add_edge(x, (struct naive_edge){from, node_of(x, state, value, n.automaton), 0, false});
    for (uint32_t i = a->first[n.automaton]; n.value != value && i < a->first[n.automaton + 1]; i++)
        if (a->edge[i].change == (n.value ^ value))
            add_edge(x, (struct naive_edge){from, node_of(x, state, value, a->edge[i].target), 0, true});
}

static void begin(struct naive *x, uint32_t state, uint64_t value) {
    const struct hoa *h = x->h;
    for (uint32_t i = 0; h->testing && i < h->ta.initials; i++)
        if (h->ta.initial[i].value == value) node_of(x, state, value, h->ta.initial[i].state);
    for (uint32_t i = 0; !h->testing && i < h->ba.initials; i++) read_ba(x, h->ba.initial[i], state, value, NO_STATE);
}

static uint64_t value_after(const struct naive *x, uint64_t before, uint32_t t, uint32_t state) {
    const struct naive_actions *a = x->actions;
    return a ? (before & ~a->momentary & ~a->ends[t]) | a->begins[t] : x->g->values[state];
}

static uint32_t target_of(const struct naive *x, uint32_t state, uint32_t t) {
    return x->g->next[state * x->g->ts.transitions + t];
}

static bool is_terminal(const struct naive *x, uint32_t state) {
    for (uint32_t t = 0; t < x->g->ts.transitions; t++)
        if (target_of(x, state, t) != NO_STATE) return false;
    return true;
}

static void build(struct naive *x) {
    uint32_t transitions = x->g->ts.transitions;
    if (!x->actions) begin(x, 0, x->g->values[0]);
    for (uint32_t t = 0; x->actions && t < transitions; t++)
        if (target_of(x, 0, t) != NO_STATE) begin(x, target_of(x, 0, t), value_after(x, x->actions->initially, t, 0));
    for (uint32_t i = 0; i < x->nodes; i++)
        for (uint32_t t = 0; t < transitions; t++) {
            uint32_t to = target_of(x, x->node[i].state, t);
            if (to == NO_STATE) continue;
            uint64_t value = value_after(x, x->node[i].value, t, to);
            if (x->h->testing) read_ta(x, i, to, value);
            else read_ba(x, x->node[i].automaton, to, value, i);
        }
}

/* reach[a * nodes + b]: from a to b in one step or more, by edges that change the valuation or, if `still`, do not. */
static bool *closure(const struct naive *x, bool still) {
    size_t n = x->nodes;
    bool *reach = memory_get_zeroed(n * n + 1);
    for (uint32_t e = 0; e < x->edges; e++)
        if (!still || !x->edge[e].changes) reach[x->edge[e].from * n + x->edge[e].to] = true;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; reach[i * n + k] && j < n; j++) reach[i * n + j] |= reach[k * n + j];
    return reach;
}

/* Are there, in one component, edges of all sets (ba); an infinite acceptance state and a change (ta)? */
static bool accepts_infinitely(const struct naive *x) {
    size_t n = x->nodes;
    bool *reach = closure(x, false), found = false;
    for (size_t a = 0; a < n && !found; a++) {
        uint64_t marks = 0, all = x->h->testing || x->h->ba.sets == 0 ? 0 : propositions_mask(x->h->ba.sets);
        bool changes = false, infinite = false;
        if (!reach[a * n + a]) continue;
        for (uint32_t e = 0; e < x->edges; e++) {
            size_t from = x->edge[e].from, to = x->edge[e].to;
            if (!reach[a * n + from] || !reach[to * n + a]) continue;
            marks |= x->edge[e].marks;
            changes |= x->edge[e].changes;
            infinite |= (accept_of(x->h)[x->node[from].automaton] & ACCEPT_INFINITE) != 0;
        }
        found = x->h->testing ? changes && infinite : (marks & all) == all;
    }
    free(reach);
    return found;
}

static bool has_livelock(const struct naive *x) {
    bool *reach = closure(x, true), found = false;
    for (size_t a = 0; a < x->nodes; a++)
        if (reach[a * x->nodes + a] && (accept_of(x->h)[x->node[a].automaton] & ACCEPT_LIVELOCK)) found = true;
    free(reach);
    return found;
}

/* Before anything is read. */
static bool accepts_nothing_read(const struct naive *x) {
    for (uint32_t i = 0; !x->h->testing && i < x->h->ba.initials; i++) {
        uint8_t accept = x->h->ba.accept[x->h->ba.initial[i]];
        if (accept & ACCEPT_FINITE) return true;
        if (x->actions && is_terminal(x, 0) && (accept & ACCEPT_DEADLOCK)) return true;
    }
    return false;
}

bool naive_accepted(const struct graph *g, const struct naive_actions *actions, const struct hoa *h) {
    struct naive *x = memory_get_zeroed(sizeof *x);
    x->g = g;
    x->actions = actions;
    x->h = h;
    build(x);
    bool found = accepts_nothing_read(x) || accepts_infinitely(x) || (h->testing && has_livelock(x));
    for (uint32_t i = 0; i < x->nodes; i++) {
        uint8_t accept = accept_of(h)[x->node[i].automaton];
        found |= (accept & ACCEPT_FINITE) || ((accept & ACCEPT_DEADLOCK) && is_terminal(x, x->node[i].state));
    }
    free(x->edge);
    free(x);
    return found;
}
