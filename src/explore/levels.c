/* The whole product first, by all threads; then the cycles.
 *
 * The product is built level by level (bfs.h), which gives the same states, in the same order, whatever the number of
 * threads. What is an error by one state ends that at once. Edges are kept in memory, by number. Then
 *
 *     strong components of the whole product, unless only livelocks matter
 *     an accepted cycle is there if an edge inside a component accepts (EDGE_ACCEPTS)
 *     strong components by EDGE_STILL only; a livelock is there if one of them has an edge inside
 *
 * What edges mean is not kept: states that might have such edges, because the automaton accepts there and an edge stays
 * in the component, are expanded again, by all threads. If a shortest cycle is wanted, all of these are, and
 * shortest_cycle.h compares the cycles of both kinds.
 *
 * With fairness, all threads expand the components that have an accepted cycle again (graph/fair/part_sweep.c); fair
 * cycles in them are looked for by one thread, on arrays (graph/fair/fair_cycle.h). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/sweep.h"
#include "explore/bfs.h"
#include "explore/dfs_stack.h"
#include "graph/shortest_cycle.h"
#include "graph/components_edges.h"

enum { MOST_SHOWN = 1 << 16 }; /* states of a component among which a shortest cycle is looked for */

#define NONE UINT64_MAX

/* What a thread has found in states that were expanded again. */
struct hand {
    uint64_t accepts; /* the least number of a state with an accepting edge inside its component */
    bool still;
};

struct levels {
    struct emptiness *x;
    struct space *s;
    struct strong whole, quiet;
    struct bitmap still;   /* by edge: EDGE_STILL, and perhaps on a cycle */
    struct bitmap accepts; /* by edge: EDGE_ACCEPTS, likewise; if a shortest cycle is wanted */
    struct bitmap good;    /* with fairness: by component: EDGE_ACCEPTS inside */
    struct sweep sweep;
    struct hand *hands; /* by thread; in the end, the first has it all */
};

static bool give_up(struct levels *l, const char *reason) {
    l->x->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

/* ---- The product ---- */

/* What the search has stopped at is an error by itself. */
static bool take_state(struct levels *l, enum found_kind kind) {
    struct emptiness *x = l->x;
    word *state = memory_get(x->p->ts.words * sizeof(word));
    struct ts_fault fault = x->stop.fault;
    if (!space_state(l->s, x->stop.state, state)) {
        give_up(l, "the file of states could not be read back");
    } else if (kind == FOUND_NOTHING) {
        emptiness_fault(x, state, &fault);
    } else {
        x->stop = (struct stop){.kind = STOP_DONE};
        x->found.kind = kind;
        found_add(&x->found, x->p, state);
    }
    free(state);
    return false;
}

/* True: all of it is there, and no error by one state. */
static bool build(struct levels *l) {
    static const struct bfs_goals goals = {.check_deadlock = true, .classes = TS_BAD};
    struct emptiness *x = l->x;
    struct ts_fault fault;
    word *start = memory_get(x->p->ts.words * sizeof(word));
    l->s->edges_kept = l->s->edges_needed = true;
    bool good = l->s->ts->ops->initial(l->s->worker, start, &fault);
    if (good) bfs_run(l->s, start, &goals, &x->stop);
    else x->stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
    free(start);
    if (!good) return false;
    if (x->stop.kind == STOP_BAD_STATE) return take_state(l, FOUND_PREFIX);
    if (x->stop.kind == STOP_DEADLOCK) return take_state(l, FOUND_END);
    if (x->stop.kind == STOP_FAULT) return take_state(l, FOUND_NOTHING);
    if (x->stop.kind != STOP_DONE && l->s->edges_kept) return false;
    enum edges_settled edges = x->stop.kind == STOP_DONE ? edges_settle(l->s, &x->stop) : EDGES_GIVEN_UP;
    if (edges == EDGES_SETTLED) return true;
    if (edges == EDGES_GIVEN_UP)
        return give_up(l,
                       "no memory was left for the edges of the product, which 'levels' keeps; raise --max-memory, or "
                       "take another algorithm");
    return false;
}

/* ---- What edges mean ---- */

/* May there be a cycle with both of them? */
static bool together(const struct levels *l, uint64_t a, uint64_t b) {
    return l->x->only_livelocks || strong_of(&l->whole, a) == strong_of(&l->whole, b);
}

static bool stays(const void *context, uint64_t state) {
    const struct levels *l = context;
    const struct edges *e = &l->s->edge_list;
    const uint32_t *target = EDGES_TARGETS(e) + edges_begin(e, state), *end = target + EDGES_COUNTS(e)[state];
    while (target < end && !together(l, state, *target)) target++;
    return target < end;
}

static bool accepts(void *context, unsigned member, const struct sweep_state *x) {
    const struct levels *l = context;
    (void)member;
    return product_accept(l->x->p, x->state) & (ACCEPT_INFINITE | ACCEPT_LIVELOCK);
}

/* `kinds`: of the edges of a state. */
static void take_edges(struct levels *l, struct hand *h, uint64_t state, const uint8_t *kinds) {
    const struct edges *e = &l->s->edge_list;
    uint64_t begin = edges_begin(e, state);
    for (uint32_t k = 0; k < EDGES_COUNTS(e)[state]; k++) {
        if (!kinds[k] || !together(l, state, EDGES_TARGETS(e)[begin + k])) continue;
        if ((kinds[k] & EDGE_ACCEPTS) && state < h->accepts) h->accepts = state;
        if ((kinds[k] & EDGE_ACCEPTS) && l->x->shortest) bitmap_add_shared(&l->accepts, begin + k);
        if ((kinds[k] & EDGE_ACCEPTS) && l->x->fair) bitmap_add_shared(&l->good, strong_of(&l->whole, state));
        if (!(kinds[k] & EDGE_STILL)) continue;
        bitmap_add_shared(&l->still, begin + k);
        h->still = true;
    }
}

static void take(void *context, unsigned member, const struct sweep_batch *x) {
    struct levels *l = context;
    const uint8_t *kinds = product_view(l->s->members[member].worker).edges;
    for (uint32_t i = 0; i < x->count; i++) take_edges(l, &l->hands[member], x->numbers[i], kinds + sweep_begin(x, i));
}

/* All that the threads have found, into the first. */
static void put_together(struct levels *l) {
    struct hand *all = &l->hands[0];
    for (unsigned i = 1; i < l->s->team.size; i++) {
        struct hand *h = &l->hands[i];
        if (h->accepts < all->accepts) all->accepts = h->accepts;
        all->still |= h->still;
    }
}

/* Looks at all states, or, unless the cycle must be a shortest or a fair one, until some have an accepted cycle. */
static bool look_at_states(struct levels *l) {
    struct emptiness *x = l->x;
    l->hands = memory_get(l->s->team.size * sizeof *l->hands);
    for (unsigned i = 0; i < l->s->team.size; i++) l->hands[i] = (struct hand){.accepts = NONE};
    l->sweep = (struct sweep){.s = l->s,
                              .phase = "cycles",
                              .context = l,
                              .need = SWEEP_STATES | SWEEP_EDGES | SWEEP_LABELS,
                              .wants = stays,
                              .suits = accepts,
                              .take = take};
    sweep_init(&l->sweep);
    uint64_t edges = l->s->edge_list.count + 1;
    if (!space_get_bits(l->s, &l->still, edges) || (x->shortest && !space_get_bits(l->s, &l->accepts, edges)) ||
        (x->fair && !space_get_bits(l->s, &l->good, l->s->states + 1)))
        return give_up(l, "no memory was left for the edges");
    enum sweep_end end = SWEEP_MORE;
    bool all = x->shortest || x->fair;
    while ((all || l->hands[0].accepts == NONE) && (end = sweep_next(&l->sweep, &x->stop)) == SWEEP_MORE)
        put_together(l);
    x->twice = l->sweep.expanded;
    if (end != SWEEP_GIVEN_UP) return true;
    if (x->stop.kind == STOP_FAULT) take_state(l, FOUND_NOTHING);
    return false;
}

/* ---- What was found ---- */

static bool add_numbers(struct levels *l, const struct numbers *numbers) {
    struct emptiness *x = l->x;
    word *state = memory_get(x->p->ts.words * sizeof(word));
    bool good = true;
    for (size_t i = 0; i < numbers->count && good; i++) {
        good = space_state(l->s, numbers->at[i], state);
        if (good) found_add(&x->found, x->p, state);
    }
    free(state);
    return good || give_up(l, "the file of states could not be read back");
}

/* The first edge from a state that stays in its component and has what is wanted. */
static bool find_edge(struct levels *l, const struct strong *c, uint64_t state, uint8_t wanted, uint32_t *target) {
    const struct edges *e = &l->s->edge_list;
    uint64_t begin = edges_begin(e, state);
    if (!sweep_one(&l->sweep, state, &l->x->stop)) return false;
    const uint8_t *kinds = product_view(l->s->worker).edges;
    for (uint32_t k = 0; k < EDGES_COUNTS(e)[state]; k++) {
        *target = EDGES_TARGETS(e)[begin + k];
        if ((kinds[k] & wanted) && strong_of(c, *target) == strong_of(c, state)) return true;
    }
    return give_up(l, "the cycle was not found again");
}

/* There is a cycle from this state. Its component, or if that is large, a cycle. */
static bool take_cycle(struct levels *l, const struct strong *c, uint64_t state, enum found_kind kind) {
    struct numbers some = {0};
    uint32_t target = 0;
    for (uint64_t i = 0; i < l->s->states && some.count <= MOST_SHOWN; i++)
        if (strong_of(c, i) == strong_of(c, state)) numbers_add(&some, i);
    bool good = true;
    assert(some.count > 0);
    if (some.count > MOST_SHOWN) {
        some.count = 0;
        good = find_edge(l, c, state, kind == FOUND_CYCLE ? EDGE_ACCEPTS : EDGE_STILL, &target) &&
               strong_way(c, l->s, target, (uint32_t)state, &some, &l->x->stop);
    }
    assert(!good || some.count > 0);
    good = good && add_numbers(l, &some);
    if (good) l->x->found.kind = kind;
    numbers_fini(&some);
    return good;
}

/* A cycle of edges that are all still. */
static bool find_livelock(struct levels *l) {
    const struct edges *e = &l->s->edge_list;
    l->quiet.edges = &l->still;
    if (!strong_run(&l->quiet, l->s, "livelocks", &l->x->stop)) return false;
    for (uint64_t i = 0, at = 0; i < e->states; i++)
        for (uint64_t end = at + EDGES_COUNTS(e)[i]; at < end; at++)
            if (bitmap_has(&l->still, at) && strong_of(&l->quiet, EDGES_TARGETS(e)[at]) == strong_of(&l->quiet, i))
                return take_cycle(l, &l->quiet, i, FOUND_LIVELOCK);
    return true;
}

/* ---- Fair cycles ---- */

/* The states of components with an accepted cycle. */
static bool find_members(struct levels *l, struct bitmap *members) {
    if (!space_get_bits(l->s, members, l->s->states + 1)) return give_up(l, "no memory was left for fair cycles");
    for (uint64_t i = 0; i < l->s->states; i++)
        if (bitmap_has(&l->good, strong_of(&l->whole, i))) bitmap_add(members, i);
    return bitmap_count_ranks(members) || give_up(l, "no memory was left for fair cycles");
}

/* The members in their order, so that their places are those of the part. */
static uint32_t *list_members(const struct bitmap *members, uint32_t count) {
    uint32_t *list = memory_get((count + UINT64_C(1)) * sizeof *list), n = 0;
    for (uint64_t i = 0; i < members->size; i++)
        if (bitmap_has(members, i)) list[n++] = (uint32_t)i;
    return list;
}

/* There is one. If it cannot be shown, that is found all the same. */
static void take_fair(struct levels *l, const struct inside *in, const bool *keep, const struct bitmap *members) {
    struct emptiness *x = l->x;
    struct numbers cycle = {0}, states = {0};
    x->found.kind = FOUND_FAIR;
    if (fair_cycle(in, l->s, x->p, x->fair, keep, &cycle, &x->found.unshown)) {
        uint32_t *list = list_members(members, in->states);
        for (size_t i = 0; i < cycle.count; i++) {
            numbers_add(&states, list[inside_source(in, cycle.at[i])]);
            numbers_add(&x->found.labels, in->edge[cycle.at[i]].transition);
        }
        add_numbers(l, &states);
        free(list);
    }
    numbers_fini(&cycle);
    numbers_fini(&states);
}

static void find_fair(struct levels *l) {
    struct emptiness *x = l->x;
    struct bitmap members = {0};
    struct inside in = {0};
    if (find_members(l, &members) && inside_sweep(&in, l->s, x->p, &l->whole, &members, x->fair, &x->stop)) {
        bool *keep = memory_get_zeroed(in.states + UINT64_C(1));
        if (fair_search(&in, l->s, x->p, x->fair, keep, &x->stop) == OUTCOME_FOUND) take_fair(l, &in, keep, &members);
        free(keep);
    }
    x->twice += in.states;
    inside_fini(&in);
    bitmap_fini(&members);
}

/* ---- Shortest cycles ---- */

static bool take_shortest(struct levels *l, const struct shortest *x, enum found_kind kind) {
    if (!add_numbers(l, &x->cycle)) return false;
    l->x->found.kind = kind;
    return true;
}

/* Of both kinds. The quiet components are there if there is an edge that is still. */
static enum outcome find_shortest(struct levels *l) {
    struct stop *stop = &l->x->stop;
    struct shortest accepted = {.s = l->s, .parts = &l->whole, .needed = &l->accepts};
    struct shortest livelock = {.s = l->s, .parts = &l->quiet};
    enum outcome one = OUTCOME_NONE, other = OUTCOME_NONE;
    l->quiet.edges = &l->still;
    if (l->hands[0].accepts != NONE) one = shortest_cycle(&accepted, stop);
    if (l->hands[0].still && one != OUTCOME_GIVEN_UP)
        other = strong_run(&l->quiet, l->s, "livelocks", stop) ? shortest_cycle(&livelock, stop) : OUTCOME_GIVEN_UP;
    enum outcome result = one == OUTCOME_GIVEN_UP ? one : other;
    if (result != OUTCOME_GIVEN_UP && (one == OUTCOME_FOUND || other == OUTCOME_FOUND)) {
        bool first = other != OUTCOME_FOUND || (one == OUTCOME_FOUND && shortest_better(&accepted, &livelock));
        result = take_shortest(l, first ? &accepted : &livelock, first ? FOUND_CYCLE : FOUND_LIVELOCK)
                     ? OUTCOME_FOUND
                     : OUTCOME_GIVEN_UP;
    }
    shortest_fini(&accepted);
    shortest_fini(&livelock);
    return result;
}

/* If that was given up, any cycle is better than none. */
static void find_cycle(struct levels *l) {
    struct emptiness *x = l->x;
    if (x->shortest) {
        if (find_shortest(l) != OUTCOME_GIVEN_UP) return;
        x->not_shortest = x->stop.reason;
        x->stop = (struct stop){.kind = STOP_DONE};
        l->s->limits.deadline =
            0; /* there is an error: what is left to do takes little time, and it is worth showing */
        strong_fini(&l->quiet);
        l->quiet = (struct strong){0};
    }
    if (x->fair && l->hands[0].accepts != NONE) find_fair(l);
    else if (l->hands[0].accepts != NONE) take_cycle(l, &l->whole, l->hands[0].accepts, FOUND_CYCLE);
    else if (l->hands[0].still) find_livelock(l);
}

const char *emptiness_no_levels(const struct store_options *store) {
    if (store->kind == STORE_EXACT && !store->overflow) return NULL;
    return "'levels' needs an exact store of whole states: leave --store and --overflow out, or take "
           "another algorithm";
}

void emptiness_levels(struct emptiness *x) {
    struct levels l = {.x = x, .s = x->s};
    x->stop = (struct stop){.kind = STOP_DONE};
    if (build(&l) && (x->only_livelocks || strong_run(&l.whole, l.s, "components", &x->stop)) && look_at_states(&l))
        find_cycle(&l);
    strong_fini(&l.whole);
    strong_fini(&l.quiet);
    bitmap_fini(&l.still);
    bitmap_fini(&l.accepts);
    bitmap_fini(&l.good);
    sweep_fini(&l.sweep);
    free(l.hands);
}
