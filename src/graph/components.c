#include "graph/components.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/search_stacks.h"
#include "graph/sweep.h"

enum {
    ROUND = 1 << 16, /* states that are read at a time */
    PIECE = 1 << 10  /* of these, by one thread at a time */
};

/* ---- By expanding ---- */

#define ROOT UINT64_MAX /* instead of the edge that led to a state */

/* Nodes are slots. The edges of the states on the depth-first stack are a stack themselves, `states` and `slots`: those
 * of a state begin where those of the state before it end. */
struct expanded {
    struct scc *c;
    struct space *s;
    struct stop *stop;
    struct ts_batch batch;
    const word *root;
    uint64_t *number; /* by slot: c->component */
    uint64_t *found;  /* slots of the successors in the batch */
    struct search_stacks stacks;
    struct region states; /* successors of the states on the depth-first stack */
    struct region slots;  /* uint64_t: their slots */
    uint64_t met, components;
};

static bool no_memory(struct stop *stop) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the strong components"};
    return false;
}

static uint64_t *slot_at(const struct expanded *g, uint64_t i) { return (uint64_t *)(void *)g->slots.base + i; }
static word *state_at(const struct expanded *g, uint64_t i) {
    return (word *)(void *)g->states.base + i * g->s->ts->words;
}

static bool is_left_out(const struct scc *c, uint64_t slot) { return c->left_out && bitmap_has(c->left_out, slot); }

static bool incomplete(struct stop *stop) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the state space is not complete"};
    return false;
}

/* Model code failed in a state. If it is not known which, that is no fault that could be shown. */
static bool fault(struct expanded *g, const word *state) {
    uint64_t number;
    switch (space_number(g->s, state, &number, g->stop)) {
    case OUTCOME_FOUND: *g->stop = (struct stop){.kind = STOP_FAULT, .state = number, .fault = g->batch.fault}; break;
    case OUTCOME_NONE: incomplete(g->stop); break;
    case OUTCOME_GIVEN_UP: break;
    }
    return false;
}

/* The edges of the batch that count go on the stack from `at` on. */
static bool push_edges(struct expanded *g, uint64_t at, uint32_t *count) {
    uint32_t words = g->s->ts->words, all = g->batch.ends[0];
    if (!open_room(&g->states, (at + all) * words * sizeof(word)) ||
        !open_room(&g->slots, (at + all) * sizeof(uint64_t)))
        return no_memory(g->stop);
    space_find(g->s, g->batch.successors, all, g->found);
    *count = 0;
    for (uint32_t e = 0; e < all; e++) {
        uint64_t to = g->found[e];
        if (to == STORE_NONE) return incomplete(g->stop);
        assert(to < store_slots(&g->s->store));
        if (g->c->excluded && g->c->excluded[g->batch.labels[e]]) continue;
        if (is_left_out(g->c, to)) continue;
        memcpy(state_at(g, at + *count), g->batch.successors + (size_t)e * words, words * sizeof(word));
        *slot_at(g, at + (*count)++) = to;
    }
    return true;
}

static bool expanded_edges(struct expanded *g, uint64_t by, uint64_t first, uint32_t *count) {
    g->batch.sources = by == ROOT ? g->root : state_at(g, by);
    g->batch.count = 1;
    if (g->s->ts->ops->expand(g->s->worker, &g->batch) < 1) return fault(g, g->batch.sources);
    if (!push_edges(g, first, count)) return false;
    g->met++;
    return !space_must_stop(g->s, g->c->phase, g->met, g->s->states, g->stop);
}

static void expanded_close(struct expanded *g, const uint64_t *members, uint64_t n) {
    g->components++;
    assert(g->components <= g->s->states); /* less than the numbers of open states, as components_code.h wants it */
    for (uint64_t i = 0; i < n; i++) g->number[members[i]] = g->components;
}

#define NAME(x) expanded_##x
#define GRAPH struct expanded
#define NODE uint64_t
#define EDGE uint64_t
#define NUMBER(x, v) (x)->g->number[v]
#define ENTER(x, v, by, first, count)                                                                                  \
    (*(first) = (x)->depth ? (x)->frames[(x)->depth - 1].next + (x)->frames[(x)->depth - 1].left : 0,                  \
     expanded_edges((x)->g, by, *(first), count))
#define COUNTS(x, v, e) true
#define TARGET(x, e) *slot_at((x)->g, e)
#define CLOSE(x, members, n) expanded_close((x)->g, members, n)
#define MORE(x) (SEARCH_STACKS_MORE(x, &(x)->g->stacks) || no_memory((x)->g->stop))
#include "algo/components_code.h"

static bool search_all(struct expanded *g) {
    struct expanded_search x = {.g = g};
    struct walk walk;
    bool good = true;
    walk_init(&walk, g->s, false, 0, ts_batch_states(g->s->ts));
    uint64_t *slots = memory_get(walk.most * sizeof *slots);
    while (good && walk_next(&walk, g->stop)) {
        space_find(g->s, walk.states, walk.count, slots);
        for (uint32_t i = 0; good && i < walk.count; i++) {
            if (g->number[slots[i]] != 0 || is_left_out(g->c, slots[i])) continue;
            g->root = walk.states + (size_t)i * g->s->ts->words;
            good = expanded_from(&x, slots[i], ROOT);
        }
    }
    free(slots);
    return walk_fini(&walk) && good;
}

static bool search(struct scc *c, struct space *s, struct stop *stop) {
    struct expanded g = {.c = c, .s = s, .stop = stop, .number = (uint64_t *)(void *)c->component.base};
    uint64_t most = s->limits.max_memory;
    bool good = (search_stacks_init(&g.stacks, most) && region_init_within(&g.states, most) &&
                 region_init_within(&g.slots, most)) ||
                no_memory(stop);
    ts_batch_init(&g.batch, s->ts, 1);
    g.found = memory_get((s->ts->transitions + 1) * sizeof *g.found);
    good = good && search_all(&g);
    free(g.found);
    ts_batch_fini(&g.batch);
    search_stacks_fini(&g.stacks);
    region_fini(&g.states);
    region_fini(&g.slots);
    return good;
}

/* ---- On kept edges ---- */

static enum edges_settled try_edges(const struct scc *c, struct space *s, struct stop *stop) {
    return !c->excluded && !c->left_out && s->edges_kept ? edges_settle(s, stop) : EDGES_GIVEN_UP;
}

static uint32_t pieces(uint64_t states) { return (uint32_t)((states + PIECE - 1) / PIECE); }

/* Some states, whose components go from numbers to slots. */
struct handing {
    const struct scc *c;
    const struct space *s;
    const uint64_t *items; /* their keys */
    uint64_t first;
    uint32_t count;
};

static void hand_over_piece(void *context, unsigned member, uint32_t task) {
    const struct handing *h = context;
    uint64_t *component = (uint64_t *)(void *)h->c->component.base, slots[PIECE];
    uint32_t begin = task * PIECE, n = h->count - begin < PIECE ? h->count - begin : PIECE;
    (void)member;
    store_find_keys(&h->s->store, h->items + begin, n, slots);
    for (uint32_t i = 0; i < n; i++) {
        assert(slots[i] < store_slots(&h->s->store)); /* a state on the trail is in the store */
        component[slots[i]] = strong_of(&h->c->strong, h->first + begin + i);
    }
}

static bool hand_over(struct scc *c, struct space *s, struct stop *stop) {
    struct handing h = {.c = c, .s = s};
    for (; h.first < s->states; h.first += h.count) {
        h.items = trail_read(&s->trail, h.first, ROUND, &h.count);
        if (!h.items) {
            *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
            return false;
        }
        team_run(&s->team, pieces(h.count), hand_over_piece, &h);
        if (space_must_stop(s, c->phase, h.first, s->states, stop)) return false;
    }
    return true;
}

/* ---- Components that can be left ---- */

struct leaving {
    const struct scc *c;
    struct space *s;
    struct bitmap *leavable; /* all threads add to it */
};

static void leave_piece(void *context, unsigned member, uint32_t task) {
    const struct leaving *l = context;
    const struct edges *e = &l->s->edge_list;
    uint64_t i = (uint64_t)task * PIECE, end = e->states - i < PIECE ? e->states : i + PIECE;
    (void)member;
    for (uint64_t at = edges_begin(e, i), next; i < end; i++, at = next) {
        uint32_t component = strong_of(&l->c->strong, i);
        next = at + EDGES_COUNTS(e)[i];
        if (bitmap_has(l->leavable, component)) continue;
        while (at < next && strong_of(&l->c->strong, EDGES_TARGETS(e)[at]) == component) at++;
        if (at < next) bitmap_add_shared(l->leavable, component);
    }
}

/* The same of states that were expanded again. */
static void leave_batch(void *context, unsigned member, const struct sweep_batch *x) {
    const struct leaving *l = context;
    (void)member;
    for (uint32_t i = 0, e = 0; i < x->count; e = sweep_end(x, i++)) {
        uint64_t component = scc_of(l->c, x->slots[i]);
        while (e < sweep_end(x, i) && scc_of(l->c, x->to[e]) == component) e++;
        if (e < sweep_end(x, i) && !bitmap_has(l->leavable, component)) bitmap_add_shared(l->leavable, component);
    }
}

bool scc_find_leavable(const struct scc *c, struct space *s, struct bitmap *leavable, struct stop *stop) {
    struct leaving l = {c, s, leavable};
    assert(!c->excluded && !c->left_out); /* all edges are looked at here, so all must have counted */
    if (c->strong.of.base && s->edges_kept) {
        assert(s->edge_list.settled);
        team_run(&s->team, pieces(s->edge_list.states), leave_piece, &l);
        return true;
    }
    struct sweep w = {.s = s,
                      .phase = c->phase,
                      .context = &l,
                      .need = SWEEP_SLOTS | SWEEP_EDGES,
                      .to = SWEEP_TO_SLOTS,
                      .take = leave_batch};
    sweep_init(&w);
    bool good = sweep_all(&w, stop);
    sweep_fini(&w);
    return good;
}

/* ---- Both ---- */

bool scc_run(struct scc *c, struct space *s, struct stop *stop) {
    uint64_t bytes = store_slots(&s->store) * sizeof(uint64_t);
    *stop = (struct stop){.kind = STOP_DONE};
    if (!space_get(s, &c->component, bytes)) return no_memory(stop);
    switch (try_edges(c, s, stop)) {
    case EDGES_SETTLED: return strong_run(&c->strong, s, c->phase, stop) && hand_over(c, s, stop);
    case EDGES_STOPPED: return false;
    default: return search(c, s, stop);
    }
}

void scc_fini(struct scc *c) {
    region_fini(&c->component);
    strong_fini(&c->strong);
}
