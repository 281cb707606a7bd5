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
 * in the component, are expanded again, by all threads. */
#include <stdlib.h>
#include <string.h>

#include "search/bfs.h"
#include "search/strong.h"
#include "search/descent.h"

enum {
    ROUND = 1 << 16,     /* states that are looked at before it is asked whether something was found */
    PIECE = 1 << 10,     /* of these, by one thread at a time */
    MOST_SHOWN = 1 << 16 /* states of a component among which a shortest cycle is looked for */
};

#define NONE UINT64_MAX

/* What a thread needs to look at states again. */
struct hand {
    struct ts_batch batch;
    word *states;
    uint32_t *numbers;
    uint64_t accepts; /* the least number of a state with an accepting edge inside its component */
    uint64_t again;   /* states that were expanded */
    bool still, differs;
    uint64_t failed; /* in the state with this number: */
    struct ts_fault fault;
};

struct levels {
    struct emptiness *x;
    struct space *s;
    struct strong whole, quiet;
    struct bitmap still;   /* by edge: EDGE_STILL, and perhaps on a cycle */
    struct hand *hands;    /* by thread */
    const uint64_t *items; /* the states at hand, as they are on the trail */
    uint64_t first;        /* number of the first of these */
    uint32_t count;
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
    if (x->stop.kind == STOP_DONE && edges_settle(l->s)) return true;
    if (!l->s->edges_kept)
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

static bool stays(const struct levels *l, uint64_t state) {
    const struct edges *e = &l->s->edge_list;
    const uint32_t *target = EDGES_TARGETS(e) + edges_begin(e, state), *end = target + EDGES_COUNTS(e)[state];
    while (target < end && !together(l, state, *target)) target++;
    return target < end;
}

/* The edges of a state that was expanded again; they come as they came before. */
static void take_edges(struct levels *l, struct hand *h, uint64_t state, const uint8_t *kinds, uint32_t count) {
    const struct edges *e = &l->s->edge_list;
    uint64_t begin = edges_begin(e, state);
    if (EDGES_COUNTS(e)[state] != count) {
        h->differs = true;
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        if (!kinds[k] || !together(l, state, EDGES_TARGETS(e)[begin + k])) continue;
        if ((kinds[k] & EDGE_ACCEPTS) && state < h->accepts) h->accepts = state;
        if (!(kinds[k] & EDGE_STILL)) continue;
        bitmap_add_shared(&l->still, begin + k);
        h->still = true;
    }
}

static void expand_again(struct levels *l, unsigned member) {
    struct hand *h = &l->hands[member];
    struct ts_worker *w = l->s->members[member].worker;
    h->batch.sources = h->states;
    uint32_t done = h->batch.count ? l->s->ts->ops->expand(w, &h->batch) : 0;
    if (done < h->batch.count && h->numbers[done] < h->failed) {
        h->failed = h->numbers[done];
        h->fault = h->batch.fault;
    }
    const uint8_t *kinds = product_view(w).edges;
    for (uint32_t i = 0, begin = 0; i < done; begin = h->batch.ends[i++])
        take_edges(l, h, h->numbers[i], kinds + begin, h->batch.ends[i] - begin);
    h->again += done;
    h->batch.count = 0;
}

static void look_at_piece(void *context, unsigned member, uint32_t task) {
    struct levels *l = context;
    struct hand *h = &l->hands[member];
    uint32_t begin = task * PIECE, end = l->count - begin < PIECE ? l->count : begin + PIECE;
    for (uint32_t i = begin; i < end; i++) {
        word *state = h->states + (size_t)h->batch.count * l->s->ts->words;
        if (!stays(l, l->first + i)) continue;
        space_states(l->s, member, l->items + i, 1, state);
        if (!(product_accept(l->x->p, state) & (ACCEPT_INFINITE | ACCEPT_LIVELOCK))) continue;
        h->numbers[h->batch.count++] = (uint32_t)(l->first + i);
        if (h->batch.count == h->batch.capacity) expand_again(l, member);
    }
    expand_again(l, member);
}

static void make_hand(void *context, unsigned member, uint32_t task) {
    struct levels *l = context;
    struct hand *h = &l->hands[member];
    (void)task;
    *h = (struct hand){.accepts = NONE, .failed = NONE};
    ts_batch_init(&h->batch, l->s->ts, ts_batch_states(l->s->ts));
    h->batch.count = 0;
    h->states = memory_get((size_t)h->batch.capacity * l->s->ts->words * sizeof(word));
    h->numbers = memory_get(h->batch.capacity * sizeof *h->numbers);
}

static void free_hands(struct levels *l) {
    for (unsigned i = 0; l->hands && i < l->s->team.size; i++) {
        ts_batch_fini(&l->hands[i].batch);
        free(l->hands[i].states);
        free(l->hands[i].numbers);
    }
    free(l->hands);
}

/* All that the threads have found, into the first. False: something went wrong. */
static bool put_together(struct levels *l) {
    struct hand *all = &l->hands[0];
    for (unsigned i = 1; i < l->s->team.size; i++) {
        struct hand *h = &l->hands[i];
        if (h->accepts < all->accepts) all->accepts = h->accepts;
        if (h->failed < all->failed) all->failed = h->failed, all->fault = h->fault;
        all->still |= h->still;
        all->differs |= h->differs;
        all->again += h->again;
        h->again = 0;
    }
    l->x->twice = all->again;
    if (all->differs) return give_up(l, "the model did not do the same again when a state was expanded a second time");
    if (all->failed == NONE) return true;
    l->x->stop = (struct stop){.kind = STOP_FAULT, .state = all->failed, .fault = all->fault};
    return take_state(l, FOUND_NOTHING);
}

/* Looks at all states, or until a round has found an accepted cycle. */
static bool look_at_states(struct levels *l) {
    struct space *s = l->s;
    l->hands = memory_get_zeroed(s->team.size * sizeof *l->hands);
    team_each(&s->team, make_hand, l);
    if (!bitmap_init(&l->still, s->edge_list.count + 1)) return give_up(l, "no memory was left for the edges");
    for (l->first = 0; l->first < s->states && l->hands[0].accepts == NONE; l->first += l->count) {
        l->items = trail_read(&s->trail, l->first, ROUND, &l->count);
        if (!l->items) return give_up(l, "the file of states could not be read back");
        team_run(&s->team, (l->count + PIECE - 1) / PIECE, look_at_piece, l);
        if (!put_together(l) || space_must_stop(s, "cycles", l->first, s->states, &l->x->stop)) return false;
    }
    return true;
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
    struct hand *h = &l->hands[0];
    uint64_t begin = edges_begin(e, state);
    if (!space_state(l->s, state, h->states)) return give_up(l, "the file of states could not be read back");
    h->batch.sources = h->states;
    h->batch.count = 1;
    if (l->s->ts->ops->expand(l->s->worker, &h->batch) < 1 || h->batch.ends[0] != EDGES_COUNTS(e)[state])
        return give_up(l, "the model did not do the same again when a state was expanded a second time");
    const uint8_t *kinds = product_view(l->s->worker).edges;
    for (uint32_t k = 0; k < h->batch.ends[0]; k++) {
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
    if (some.count > MOST_SHOWN) {
        some.count = 0;
        good = find_edge(l, c, state, kind == FOUND_CYCLE ? EDGE_ACCEPTS : EDGE_STILL, &target) &&
               (strong_way(c, l->s, target, (uint32_t)state, &some) || emptiness_no_memory(l->x));
    }
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

const char *emptiness_no_levels(const struct store_options *store) {
    if (store->kind == STORE_EXACT && !store->overflow) return NULL;
    return "'levels' looks for cycles in the whole product, where no state may be taken for another: leave --store and "
           "--overflow out, or take another algorithm";
}

void emptiness_levels(struct emptiness *x) {
    struct levels l = {.x = x, .s = x->s};
    x->stop = (struct stop){.kind = STOP_DONE};
    if (build(&l) && (x->only_livelocks || strong_run(&l.whole, l.s, "components", &x->stop)) && look_at_states(&l)) {
        if (l.hands[0].accepts != NONE) take_cycle(&l, &l.whole, l.hands[0].accepts, FOUND_CYCLE);
        else if (l.hands[0].still) find_livelock(&l);
    }
    strong_fini(&l.whole);
    strong_fini(&l.quiet);
    bitmap_fini(&l.still);
    free_hands(&l);
}
