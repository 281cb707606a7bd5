#include <assert.h>
#include <stdlib.h>

#include "algo/ways.h"
#include "explore/dfs_stack.h"
#include "explore/graph_product_parts.h"
#include "graph/search_stacks.h"

enum {
    STATES_A_CHECK = 1 << 12,
    MOST_SHOWN = 1 << 16 /* states of a component among which a shortest cycle is looked for */
};

/* ---- Strong components of what a cycle may be in ----
 *
 * The states of the automaton that may be on an accepted cycle get new numbers, those of one component one after the
 * other. A node is state of the model << shift | new number. An edge is edge of the model << step | place of the
 * target's state in its component; after the edges of the model come loops, one for each state that nothing follows. */

struct cycles {
    struct graph_product *g;
    const struct edges *e;
    unsigned shift, step;
    uint32_t *state, *first, *end; /* by new number: the state, and which new numbers its component has */
    uint32_t *number;              /* by state: its new number, if own[state] */
    uint32_t states;
    struct search_stacks stacks;
    struct region of;        /* uint32_t: by node */
    uint32_t count;          /* components */
    struct bitmap accepting; /* nodes that accept and are on a cycle */
    bool found;              /* there is one */
    uint32_t to;             /* where the edge at hand leads */
    uint64_t met;
};

static uint32_t *of_node(const struct cycles *c) { return (uint32_t *)(void *)c->of.base; }
static uint32_t model_of(const struct cycles *c, uint32_t node) { return node >> c->shift; }
static uint32_t number_in(const struct cycles *c, uint32_t node) { return node & ((UINT32_C(1) << c->shift) - 1); }

static pair pair_of(const struct cycles *c, uint32_t node) {
    return (pair)model_of(c, node) << c->g->shift | c->state[number_in(c, node)];
}

static uint32_t node_of(const struct cycles *c, pair p) {
    assert(c->g->own[state_in(c->g, p)]);
    return (uint32_t)(p >> c->g->shift << c->shift) | c->number[state_in(c->g, p)];
}

static void list_edges(const struct cycles *c, uint32_t node, uint64_t *first, uint32_t *count) {
    const uint32_t model = model_of(c, node), out = EDGES_COUNTS(c->e)[model];
    *first = (out ? edges_begin(c->e, model) : c->e->count + model) << c->step;
    *count = (out ? out : 1) << c->step;
    if (out == 0) return;
    const uint32_t *to = EDGES_TARGETS(c->e) + (*first >> c->step), number = number_in(c, node);
    for (uint32_t i = 0; i < out; i++) __builtin_prefetch(&of_node(c)[to[i] << c->shift | number]);
}

static bool goes_on(struct cycles *c) {
    struct graph_product *g = c->g;
    return ++c->met % STATES_A_CHECK != 0 ||
           !space_must_stop(g->s, "cycles of the product", c->met, g->count, &g->x->stop);
}

/* Does this edge exist in the product, and lead into the same component of the automaton? */
static inline bool edge_counts(struct cycles *c, uint32_t node, uint64_t edge) {
    const struct graph_product *g = c->g;
    const uint32_t from = number_in(c, node), to = c->first[from] + (uint32_t)(edge & (bit(c->step) - 1));
    const uint64_t at = edge >> c->step;
    const uint32_t model = at < c->e->count ? EDGES_TARGETS(c->e)[at] : (uint32_t)(at - c->e->count);
    const uint64_t after = g->next[(uint64_t)values_of(g)[model] << g->shift | c->state[from]];
    if (to >= c->end[from] || !(after & bit(c->state[to]))) return false;
    c->to = model << c->shift | to;
    assert(bitmap_has(&g->met, pair_of(c, c->to))); /* what a state that was met leads to was met */
    if (c->to == node && (g->accepts & bit(c->state[to]))) {
        bitmap_add(&c->accepting, node);
        c->found = true;
    }
    return true;
}

static void node_close(struct cycles *c, const uint32_t *members, uint64_t n) {
    c->count++;
    for (uint64_t i = 0; i < n; i++) of_node(c)[members[i]] = c->count;
    for (uint64_t i = 0; n > 1 && i < n; i++)
        if (c->g->accepts & bit(c->state[number_in(c, members[i])])) {
            bitmap_add(&c->accepting, members[i]);
            c->found = true;
        }
}

#define NAME(x) node_##x
#define GRAPH struct cycles
#define NODE uint32_t
#define EDGE uint64_t
#define NUMBER(x, v) of_node((x)->g)[v]
#define ENTER(x, v, by, first, count) ((void)(by), list_edges((x)->g, v, first, count), goes_on((x)->g))
#define COUNTS(x, v, e) edge_counts((x)->g, v, e)
#define TARGET(x, e) ((void)(e), (x)->g->to)
#define CLOSE(x, members, n) node_close((x)->g, members, n)
#define MORE(x) (SEARCH_STACKS_MORE(x, &(x)->g->stacks) || no_memory((x)->g->g))
#include "algo/components_code.h"

/* New numbers for the states of the automaton that are on accepted cycles of it. */
static void number_automaton(struct cycles *c, uint32_t states) {
    const struct graph_product *g = c->g;
    uint32_t most = 1;
    c->number = memory_get_zeroed(4 * (states + UINT64_C(1)) * sizeof *c->number);
    c->state = c->number + states + 1;
    c->first = c->state + states + 1;
    c->end = c->first + states + 1;
    for (uint32_t q = 0; q < states; q++) {
        uint64_t rest = g->own[q];
        if (!rest || (rest & (bit(q) - 1))) continue; /* none, or it was dealt with */
        uint32_t first = c->states;
        for (; rest; rest &= rest - 1) c->state[c->states++] = (uint32_t)__builtin_ctzll(rest);
        for (uint32_t i = first; i < c->states; i++) {
            c->number[c->state[i]] = i;
            c->first[i] = first;
            c->end[i] = c->states;
        }
        if (c->states - first > most) most = c->states - first;
    }
    c->step = bits_for(most);
    c->shift = bits_for(c->states);
}

/* False: no memory, or the limits are met. */
static bool find_components(struct cycles *c) {
    struct graph_product *g = c->g;
    struct node_search x = {.g = c};
    uint64_t nodes = (g->s->states + 1) << c->shift;
    if (nodes >= UINT64_C(1) << 31) return no_memory(g);
    bool good = (space_get(g->s, &c->of, nodes * sizeof(uint32_t)) && space_get_bits(g->s, &c->accepting, nodes) &&
                 search_stacks_init(&c->stacks, g->s->limits.max_memory)) ||
                no_memory(g);
    for (uint64_t i = 0; good && i < g->count; i++) {
        pair p = order_of(g)[i];
        if (g->own[state_in(g, p)] && of_node(c)[node_of(c, p)] == 0) good = node_from(&x, node_of(c, p), 0);
    }
    search_stacks_fini(&c->stacks);
    return good;
}

/* ---- What was found ---- */

static bool add_found(struct graph_product *g, pair p, bool way) {
    struct emptiness *x = g->x;
    word *model = memory_get(g->s->ts->words * sizeof(word)), *state = memory_get(x->p->ts.words * sizeof(word));
    bool good = space_state(g->s, p >> g->shift, model);
    uint32_t fresh[1], count = 0;
    if (good) product_pack(x->p, model, 0, state_in(g, p), state);
    if (good && !way) found_add(&x->found, x->p, state);
    if (good) {
        space_insert(x->s, state, 1, fresh, &count);
        if (count) space_add(x->s, state);
    }
    free(model);
    free(state);
    return good || give_up(g, "the file of states could not be read back");
}

static bool leads_to(const struct graph_product *g, pair p, pair wanted) {
    const struct edges *e = &g->s->edge_list;
    uint64_t model = p >> g->shift, to = wanted >> g->shift;
    uint32_t count = EDGES_COUNTS(e)[model];
    if (!(g->next[(uint64_t)values_of(g)[to] << g->shift | state_in(g, p)] & bit(state_in(g, wanted)))) return false;
    if (count == 0) return to == model;
    const uint32_t *target = EDGES_TARGETS(e) + edges_begin(e, model);
    for (uint32_t k = 0; k < count; k++)
        if (target[k] == to) return true;
    return false;
}

/* The states on a shortest way to number `at` of the order, into the set of those that were met. */
static bool add_way(struct graph_product *g, uint64_t at) {
    pair wanted = order_of(g)[at];
    size_t level = g->levels.count;
    while (g->levels.at[--level] > at) {}
    for (;; level--) {
        if (!add_found(g, wanted, true)) return false;
        if (level == 0) return true;
        uint64_t i = g->levels.at[level - 1];
        while (!leads_to(g, order_of(g)[i], wanted)) i++;
        assert(i < g->levels.at[level]); /* found on the level before */
        wanted = order_of(g)[i];
    }
}

/* One component, as a graph. */
struct part {
    struct cycles *c;
    uint32_t component;
    struct bitmap members; /* nodes; with ranks */
    uint32_t *list;        /* the same, in the order of their numbers */
    struct digraph graph;
    uint32_t node; /* a cycle through this one is looked for */
};

/* The members of the component that a node leads to, if `to` is not NULL; how many there are. */
static uint32_t part_edges(const struct part *p, uint32_t node, uint32_t *to) {
    uint64_t edge;
    uint32_t count, made = 0;
    list_edges(p->c, node, &edge, &count);
    for (; count > 0; edge++, count--) {
        if (!edge_counts(p->c, node, edge) || of_node(p->c)[p->c->to] != p->component) continue;
        if (to) to[made] = (uint32_t)bitmap_rank(&p->members, p->c->to);
        made++;
    }
    return made;
}

/* False: no memory. */
static bool part_graph(struct part *p, uint32_t nodes) {
    struct graph_product *g = p->c->g;
    uint64_t edges = 0;
    uint32_t at = 0, n = 0;
    p->list = memory_get((nodes + UINT64_C(1)) * sizeof *p->list);
    for (uint64_t v = 0; v < p->members.size; v++)
        if (bitmap_has(&p->members, v)) p->list[n++] = (uint32_t)v;
    assert(n == nodes);
    for (uint32_t i = 0; i < nodes; i++) {
        edges += part_edges(p, p->list[i], NULL);
        if (!goes_on(p->c)) return false;
    }
    uint64_t bytes = (edges + 4 * (uint64_t)nodes) * sizeof(uint32_t);
    if (edges >= UINT32_MAX || !memory_fits(bytes, g->s->limits.max_memory)) return no_memory(g);
    p->graph = digraph_new(nodes, (uint32_t)edges);
    for (uint32_t i = 0; i < nodes; i++) {
        p->graph.own_first[i] = at;
        at += part_edges(p, p->list[i], p->graph.own_target + at);
    }
    p->graph.own_first[nodes] = at;
    return true;
}

static bool closes(void *context, uint32_t edge) {
    const struct part *p = context;
    return p->graph.target[edge] == p->node;
}

/* A shortest cycle through a node, within its component: all its nodes are added. */
static bool add_cycle(struct part *p, uint32_t nodes, uint32_t node) {
    struct graph_product *g = p->c->g;
    struct ways_wish wish = {.context = p, .ends_by = closes};
    struct numbers way = {0};
    struct ways w;
    uint32_t end;
    if (!bitmap_count_ranks(&p->members)) return no_memory(g);
    if (!part_graph(p, nodes)) return false;
    p->node = (uint32_t)bitmap_rank(&p->members, node);
    ways_init(&w, &p->graph);
    bool good = ways_find(&w, p->node, &wish, &way, &end) == OUTCOME_FOUND;
    assert(good); /* a component that is on a cycle */
    for (size_t i = 0; good && i < way.count; i++)
        good = add_found(g, pair_of(p->c, p->list[p->graph.target[way.at[i]]]), false);
    ways_fini(&w);
    numbers_fini(&way);
    return good;
}

/* The members of a component that were met, in breadth-first order; of a large one, a cycle through `node`. */
static bool add_component(struct cycles *c, uint32_t node) {
    struct graph_product *g = c->g;
    struct part p = {.c = c, .component = of_node(c)[node]};
    uint32_t nodes = 0;
    bool good = space_get_bits(g->s, &p.members, c->accepting.size) || no_memory(g);
    for (uint64_t i = 0; i < g->count && good; i++) {
        pair at = order_of(g)[i];
        if (!g->own[state_in(g, at)] || of_node(c)[node_of(c, at)] != p.component) continue;
        bitmap_add(&p.members, node_of(c, at));
        nodes++;
    }
    if (good && nodes > MOST_SHOWN) good = add_cycle(&p, nodes, node);
    for (uint64_t i = 0; i < g->count && good && nodes <= MOST_SHOWN; i++) {
        pair at = order_of(g)[i];
        if (g->own[state_in(g, at)] && bitmap_has(&p.members, node_of(c, at))) good = add_found(g, at, false);
    }
    bitmap_fini(&p.members);
    free(p.list);
    digraph_fini(&p.graph);
    return good;
}

/* The component of the first state, in breadth-first order, that accepts and is on a cycle. */
static bool show_cycle(struct cycles *c) {
    struct graph_product *g = c->g;
    if (!graph_product_reach_in_order(g)) return false;
    for (uint64_t at = 0;; at++) {
        assert(at < g->count); /* find_components has seen one */
        pair p = order_of(g)[at];
        if (!g->own[state_in(g, p)] || !bitmap_has(&c->accepting, node_of(c, p))) continue;
        if (!add_component(c, node_of(c, p)) || !add_way(g, at)) return false;
        g->x->found.kind = FOUND_CYCLE;
        return true;
    }
}

bool graph_product_cycle(struct graph_product *g) {
    struct cycles c = {.g = g, .e = &g->s->edge_list};
    number_automaton(&c, g->x->p->ba->states);
    bool good = c.states == 0 || (find_components(&c) && (!c.found || show_cycle(&c)));
    bitmap_fini(&c.accepting);
    region_fini(&c.of);
    free(c.number);
    return good;
}

bool graph_product_prefix(struct graph_product *g) {
    if (!graph_product_reach_in_order(g)) return false;
    uint64_t at = graph_product_finite(g, g->levels.at[g->levels.count - 1], g->count);
    bool good = add_found(g, order_of(g)[at], false) && add_way(g, at);
    if (good) g->x->found.kind = FOUND_PREFIX;
    return good;
}
