#include "explore/graph_product.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "algo/components.h"
#include "explore/bfs.h"
#include "explore/graph_product_parts.h"
#include "omega/automaton_graph.h"
#include "ts/valuation.h"

enum {
    MOST_STATES = 64, /* of the automaton: a set of them is a word */
    MOST_VALUES = 16, /* propositions: a valuation is half a word */
    MOST_TABLE = 18,  /* bits of a valuation and a state of the automaton together */
    PIECE = 1 << 12,  /* states that a thread takes at a time */
    ROUND = 1 << 16   /* ... and all threads, between two looks at the clock */
};

bool graph_product_suits(const struct ba *a, const struct ts *model, const struct store_options *store) {
    return a->by_state && a->states <= MOST_STATES && a->propositions.count <= MOST_VALUES &&
           a->propositions.count + bits_for(a->states) <= MOST_TABLE && store->kind == STORE_EXACT &&
           !store->overflow && model->transitions <= EDGES_MOST_COUNT;
}

/* ---- The automaton ---- */

static uint64_t read_value(const struct ba *a, uint32_t state, uint64_t value) {
    uint64_t targets = 0;
    for (const struct ba_edge *e = ba_next(a, state, value, ba_begin(a, state)); e < ba_end(a, state);
         e = ba_next(a, state, value, e + 1))
        targets |= bit(e->target);
    return targets;
}

/* Does it accept whatever it reads, by staying where it is? */
static bool is_universal(const struct graph_product *g, uint32_t q) {
    uint64_t value = 0, values = UINT64_C(1) << g->x->p->propositions;
    while (value < values && (g->next[value << g->shift | q] & bit(q))) value++;
    return value == values && (g->accepts & bit(q));
}

static void find_own(struct graph_product *g, const struct ba *a) {
    struct digraph graph = graph_of_ba(a);
    struct components c;
    components_find(&c, &graph);
    uint64_t *members = memory_get_zeroed((c.count + UINT64_C(1)) * sizeof *members);
    for (uint32_t q = 0; q < a->states; q++) members[c.of[q]] |= bit(q);
    g->own = memory_get_zeroed(((size_t)a->states + 1) * sizeof *g->own);
    for (uint32_t q = 0; q < a->states; q++)
        if (c.cyclic[c.of[q]] && (members[c.of[q]] & g->accepts)) g->own[q] = members[c.of[q]];
    free(members);
    components_fini(&c);
    digraph_fini(&graph);
}

static void prepare(struct graph_product *g) {
    const struct ba *a = g->x->p->ba;
    uint64_t values = UINT64_C(1) << g->x->p->propositions;
    g->shift = bits_for(a->states);
    g->next = memory_get_zeroed((size_t)(values << g->shift) * sizeof *g->next);
    for (uint64_t v = 0; v < values; v++)
        for (uint32_t q = 0; q < a->states; q++) g->next[v << g->shift | q] = read_value(a, q, v);
    for (uint32_t q = 0; q < a->states; q++) {
        if (a->accept[q] & ACCEPT_INFINITE) g->accepts |= bit(q);
        if (a->accept[q] & ACCEPT_FINITE) g->finite |= bit(q);
    }
    for (uint32_t q = 0; q < a->states; q++)
        if (is_universal(g, q)) g->finite |= bit(q);
    find_own(g, a);
}

/* ---- The model ---- */

/* False: there is no graph with edges; the reason is in x->stop. */
static bool build(struct graph_product *g) {
    static const struct bfs_goals goals = {0};
    struct stop *stop = &g->x->stop;
    struct ts_fault fault;
    word *start = memory_get(g->s->ts->words * sizeof(word));
    g->s->edges_kept = g->s->edges_needed = true;
    bool good = g->s->ts->ops->initial(g->s->worker, start, &fault);
    if (good) bfs_run(g->s, start, &goals, stop);
    else *stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
    free(start);
    if (stop->kind != STOP_DONE) return false;
    enum edges_settled edges = edges_settle(g->s, stop);
    if (edges == EDGES_GIVEN_UP) return no_memory(g);
    return edges == EDGES_SETTLED;
}

static void valuate_piece(void *context, unsigned member, uint32_t task) {
    struct graph_product *g = context;
    const struct product *p = g->x->p;
    uint32_t begin = task * PIECE, count = g->size - begin < PIECE ? g->size - begin : PIECE;
    word *states = memory_get((size_t)count * g->s->ts->words * sizeof(word));
    uint64_t *values = memory_get(count * sizeof *values);
    struct ts_fault fault;
    space_states(g->s, member, g->items + (size_t)begin * space_item_words(g->s), count, states);
    if (!valuation_get(p->base, g->s->members[member].worker, states, count, p->wanted, p->propositions, values,
                       &fault))
        atomic_store(&g->failed, true);
    else
        for (uint32_t i = 0; i < count; i++) values_of(g)[g->first + begin + i] = (uint16_t)values[i];
    free(values);
    free(states);
}

static bool valuate(struct graph_product *g) {
    struct space *s = g->s;
    if (!space_get(s, &g->values, (s->states + 1) * sizeof(uint16_t))) return no_memory(g);
    for (g->first = 0; g->x->p->propositions && g->first < s->states; g->first += g->size) {
        g->items = trail_read(&s->trail, g->first, ROUND, &g->size);
        if (!g->items) return give_up(g, "the file of states could not be read back");
        team_run(&s->team, (g->size + PIECE - 1) / PIECE, valuate_piece, g);
        if (atomic_load(&g->failed)) return give_up(g, "model code failed when propositions were asked for");
        if (space_must_stop(s, "propositions", g->first, s->states, &g->x->stop)) return false;
    }
    return true;
}

/* ---- The states of the product ---- */

static bool is_shared(const struct graph_product *g) { return g->s->team.size > 1; }

/* Was it new? */
static bool meet(struct graph_product *g, pair p) {
    uint64_t *at = (uint64_t *)(void *)g->met.bits.base + p / 64, mask = UINT64_C(1) << p % 64;
    assert(p < g->met.size);
    if (__atomic_load_n(at, __ATOMIC_RELAXED) & mask) return false;
    if (is_shared(g)) return !(__atomic_fetch_or(at, mask, __ATOMIC_RELAXED) & mask);
    *at |= mask;
    return true;
}

static void add(struct catch *c, pair p) {
    MAKE_ROOM(c->at, c->count, c->room);
    c->at[c->count++] = p;
}

/* The automaton is in one of `states` when the model is in `model`. */
static void arrive(struct graph_product *g, struct catch *c, uint64_t model, uint64_t states) {
    for (; states; states &= states - 1, c->edges++) {
        pair p = model << g->shift | (uint64_t)__builtin_ctzll(states);
        if (meet(g, p)) add(c, p);
    }
}

/* A state of the model that nothing follows goes on by itself for ever. */
static void step(struct graph_product *g, struct catch *c, pair p, uint64_t *begin, uint64_t *last) {
    const struct edges *e = &g->s->edge_list;
    uint64_t model = p >> g->shift;
    uint32_t q = state_in(g, p), count = EDGES_COUNTS(e)[model];
    if (model != *last) *begin = model == *last + 1 ? *begin + EDGES_COUNTS(e)[*last] : edges_begin(e, model);
    *last = model;
    assert(*begin == edges_begin(e, model));
    const uint32_t *to = EDGES_TARGETS(e) + *begin;
    const uint16_t *values = values_of(g);
    for (uint32_t k = 0; k < count; k++) arrive(g, c, to[k], g->next[(uint64_t)values[to[k]] << g->shift | q]);
    if (count == 0) arrive(g, c, model, g->next[(uint64_t)values[model] << g->shift | q]);
}

static void step_piece(void *context, unsigned member, uint32_t task) {
    struct graph_product *g = context;
    uint32_t begin = task * PIECE, end = g->size - begin < PIECE ? g->size : begin + PIECE;
    const pair *at = order_of(g) + g->first;
    uint64_t edge = 0, last = NONE - 1;
    for (uint32_t i = begin; i < end; i++) step(g, &g->catches[member], at[i], &edge, &last);
}

/* What all threads have found comes after what there is. */
static bool put_together(struct graph_product *g) {
    for (unsigned i = 0; i < g->s->team.size; i++) {
        struct catch *c = &g->catches[i];
        size_t size = (g->count + c->count) * sizeof(pair);
        if (size > g->order.size && !region_grow(&g->order, size + size / 2)) return no_memory(g);
        if (c->count) memcpy(order_of(g) + g->count, c->at, c->count * sizeof(pair));
        g->count += c->count;
        g->edges += c->edges;
        c->count = c->edges = 0;
    }
    return true;
}

/* One level: all that [begin, end) leads to. */
static bool next_level(struct graph_product *g, uint64_t begin, uint64_t end) {
    for (g->first = begin; g->first < end; g->first += g->size) {
        g->size = end - g->first < ROUND ? (uint32_t)(end - g->first) : ROUND;
        team_run(&g->s->team, (g->size + PIECE - 1) / PIECE, step_piece, g);
        if (!put_together(g)) return false;
        if (space_must_stop(g->s, "product", g->first, g->count, &g->x->stop)) return false;
    }
    return true;
}

/* The first in [begin, end) that accepts whatever follows, or NONE. */
uint64_t graph_product_finite(const struct graph_product *g, uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; g->finite && i < end; i++)
        if (g->finite & bit(state_in(g, order_of(g)[i]))) return i;
    return NONE;
}

static void forget(struct graph_product *g) {
    bitmap_fini(&g->met);
    region_fini(&g->order);
    numbers_fini(&g->levels);
    g->count = g->edges = 0;
}

/* All of it; *finite: one of the last level accepts whatever follows. The root, which is no pair, is a level of its own
 * and is not counted here. */
static bool reach(struct graph_product *g, bool *finite) {
    const struct ba *a = g->x->p->ba;
    struct catch *c = &g->catches[0];
    g->reaching = true;
    if (!space_get_bits(g->s, &g->met, (g->s->states << g->shift) + 1) ||
        !region_init_within(&g->order, g->s->limits.max_memory))
        return no_memory(g);
    for (uint32_t i = 0; i < a->initials; i++)
        arrive(g, c, 0, g->next[(uint64_t)values_of(g)[0] << g->shift | a->initial[i]]);
    if (!put_together(g)) return false;
    for (uint64_t begin = 0, end; begin < g->count && !*finite; begin = end) {
        end = g->count;
        numbers_add(&g->levels, begin);
        *finite = graph_product_finite(g, begin, end) != NONE;
        if (!*finite && !next_level(g, begin, end)) return false;
    }
    return true;
}

/* Once more, in the order of one thread: the states have the numbers that a breadth-first search gives them. */
bool graph_product_reach_in_order(struct graph_product *g) {
    unsigned size = g->s->team.size;
    bool finite = false;
    if (size == 1) return true;
    forget(g);
    g->s->team.size = 1;
    bool good = reach(g, &finite);
    g->s->team.size = size;
    return good;
}

/* The root is a state, too, and a level. Before there is a product, the states of the model are what was done. */
static void take_counts(struct graph_product *g) {
    struct space *s = g->x->s;
    s->states = g->reaching ? g->count + 1 : g->s->states;
    s->edges = g->reaching ? g->edges : g->s->edges;
    numbers_add(&s->levels, 0);
    for (size_t i = 0; i < g->levels.count; i++) numbers_add(&s->levels, g->levels.at[i] + 1);
}

enum outcome graph_product_search(struct emptiness *x, struct space *model) {
    struct graph_product g = {.x = x, .s = model};
    bool finite = false;
    x->stop = (struct stop){.kind = STOP_DONE};
    g.catches = memory_get_zeroed(model->team.size * sizeof *g.catches);
    prepare(&g);
    bool good =
        build(&g) && valuate(&g) && reach(&g, &finite) && (finite ? graph_product_prefix(&g) : graph_product_cycle(&g));
    take_counts(&g);
    if (!good && (x->stop.kind != STOP_LIMIT || !limits_over(&model->limits)))
        x->stop = (struct stop){.kind = STOP_DONE};
    for (unsigned i = 0; i < model->team.size; i++) free(g.catches[i].at);
    free(g.catches);
    forget(&g);
    region_fini(&g.values);
    free(g.next);
    free(g.own);
    if (!good) return OUTCOME_GIVEN_UP;
    return x->found.kind == FOUND_NOTHING ? OUTCOME_NONE : OUTCOME_FOUND;
}
