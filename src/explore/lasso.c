#include "explore/lasso.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/ways.h"
#include "store/state_stack.h"

enum { TRIED = 200 };                 /* edges that may be on a shortest cycle */
#define MOST_WORK (UINT64_C(1) << 26) /* edges looked at for that */
enum { LOOK_AROUND = 20000 };         /* states that the search need not have met */
#define NONE UINT32_MAX

/* ---- The way to a state ---- */

struct way {
    struct emptiness *x;
    uint8_t only;        /* edges must have this */
    bool anywhere;       /* also through states that the search has not met */
    struct open met;     /* in breadth-first order */
    struct region links; /* struct link by position */
    struct ts_batch batch;
};

struct link {
    uint32_t from, label;
};

static struct link *link_at(const struct way *w, uint32_t i) { return (struct link *)(void *)w->links.base + i; }

static bool no_memory(struct stop *stop) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the counterexample"};
    return false;
}

static bool meet(struct way *w, const word *state, uint32_t from, uint32_t label) {
    if (!open_push(&w->met, state) || !open_room(&w->links, (size_t)w->met.count * sizeof(struct link))) return false;
    *link_at(w, w->met.count - 1) = (struct link){from, label};
    return true;
}

/* New successors. */
static bool spread(struct way *w, uint32_t from, struct stop *stop) {
    struct emptiness *x = w->x;
    uint32_t words = x->p->ts.words;
    w->batch.sources = open_state(&w->met, from);
    w->batch.count = 1;
    if (x->s->ts->ops->expand(x->s->worker, &w->batch) < 1) return true; /* not on the way: that failed elsewhere */
    const uint8_t *kinds = product_view(x->s->worker).edges;
    for (uint32_t e = 0; e < w->batch.ends[0]; e++) {
        const word *to = w->batch.successors + (size_t)e * words;
        uint64_t slot = 0;
        if ((kinds[e] & w->only) != w->only) continue;
        if (!w->anywhere) space_find(x->s, to, 1, &slot);
        if (slot == STORE_NONE || open_find(&w->met, to) != OPEN_NONE) continue;
        if (!meet(w, to, from, w->batch.labels[e])) return no_memory(stop);
    }
    return true;
}

static bool is_one_of(const struct open *targets, const word *state) { return open_find(targets, state) != OPEN_NONE; }

static void add_states(struct trace *t, const struct way *w, uint32_t last) {
    uint32_t length = 0;
    for (uint32_t i = last; i != NONE; i = link_at(w, i)->from) length++;
    uint32_t *positions = memory_get(length * sizeof *positions), k = length;
    for (uint32_t i = last; i != NONE; i = link_at(w, i)->from) positions[--k] = i;
    for (k = 0; k < length; k++)
        trace_add(t, k ? link_at(w, positions[k])->label : TS_NONE, open_state(&w->met, positions[k]));
    free(positions);
}

static bool search_way(struct way *w, const word *start, const struct open *targets, uint64_t most, struct trace *t,
                       struct stop *stop) {
    struct emptiness *x = w->x;
    bool good = meet(w, start, NONE, TS_NONE) || no_memory(stop);
    for (uint32_t i = 0; good && i < w->met.count && w->met.count <= most; i++) {
        if (is_one_of(targets, open_state(&w->met, i))) {
            add_states(t, w, i);
            return true;
        }
        good = spread(w, i, stop);
        if (good && space_interrupted(x->s, "tracing back", i, x->s->states, stop)) return false;
    }
    if (stop->kind == STOP_DONE) *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the way back was not found"};
    return false;
}

/* From `start` (NULL: the root) to one of the targets. Anywhere: but not much farther than the search was. */
static bool find_way(struct emptiness *x, const word *start, const struct open *targets, uint8_t only, bool anywhere,
                     struct trace *t, struct stop *stop) {
    struct way w = {.x = x, .only = only, .anywhere = anywhere};
    uint64_t most = anywhere ? 2 * x->s->states + LOOK_AROUND : UINT64_MAX;
    struct ts_fault fault;
    uint64_t bytes = x->s->limits.max_memory;
    word *root = memory_get(x->p->ts.words * sizeof(word));
    ts_batch_init(&w.batch, &x->p->ts, 1);
    bool good =
        (open_init(&w.met, x->p->ts.words, true, bytes) && region_init_within(&w.links, bytes)) || no_memory(stop);
    if (good && !start && !x->s->ts->ops->initial(x->s->worker, root, &fault)) {
        *stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
        good = false;
    }
    good = good && search_way(&w, start ? start : root, targets, most, t, stop);
    free(root);
    ts_batch_fini(&w.batch);
    open_fini(&w.met);
    region_fini(&w.links);
    return good;
}

/* The shortest, if it is within reach; else one by states that the search has met. */
static bool way_to(struct emptiness *x, const word *start, const struct open *targets, uint8_t only, struct trace *t,
                   struct stop *stop) {
    struct stop first = {.kind = STOP_DONE};
    return find_way(x, start, targets, only, true, t, &first) || find_way(x, start, targets, only, false, t, stop);
}

static bool set_of(struct open *set, struct emptiness *x, const word *states, uint32_t count, struct stop *stop) {
    bool good = open_init(set, x->p->ts.words, true, x->s->limits.max_memory);
    for (uint32_t i = 0; good && i < count; i++) {
        const word *state = states + (size_t)i * x->p->ts.words;
        if (open_find(set, state) == OPEN_NONE) good = open_push(set, state);
    }
    return good || no_memory(stop);
}

bool lasso_way(struct emptiness *x, const word *states, uint32_t count, struct trace *t, struct stop *stop) {
    struct open targets;
    bool good = set_of(&targets, x, states, count, stop) && way_to(x, NULL, &targets, 0, t, stop);
    open_fini(&targets);
    return good;
}

/* ---- The cycle ---- */

struct round {
    const struct inside *in;
    uint8_t only;    /* edges must have this */
    uint32_t source; /* where the cycle is to be closed */
    uint64_t work;
};

static bool may_be_taken(void *round, uint32_t edge) {
    struct round *r = round;
    r->work++;
    return (r->in->edge[edge].kind & r->only) == r->only;
}

static bool is_source(void *round, uint32_t state) { return state == ((const struct round *)round)->source; }

/* Of the cycles with an edge that is `wanted`, a shortest one, or nearly so if there are many. */
static void shortest_cycle(const struct inside *in, uint8_t wanted, uint8_t only, struct numbers *cycle) {
    struct digraph graph = inside_graph(in);
    struct round r = {.in = in, .only = only};
    struct ways_wish wish = {.context = &r, .takes = may_be_taken, .ends_at = is_source};
    struct ways ways;
    struct numbers way = {0};
    uint32_t tried = 0, end;
    ways_init(&ways, &graph);
    for (r.source = 0; r.source < in->states; r.source++)
        for (uint32_t e = in->first[r.source]; e < in->first[r.source + 1]; e++) {
            if ((in->edge[e].kind & wanted) != wanted || cycle->count == 1) continue;
            if (cycle->count > 0 && (++tried > TRIED || r.work > MOST_WORK)) continue;
            way.count = 0;
            if (cycle->count > 0) wish.shorter_than = (uint32_t)cycle->count - 1;
            if (ways_find(&ways, in->target[e], &wish, &way, &end) != OUTCOME_FOUND) continue;
            numbers_add(&way, e); /* from the source back to where the way begins */
            struct numbers longer = *cycle;
            *cycle = way;
            way = longer;
        }
    ways_fini(&ways);
    numbers_fini(&way);
}

static uint32_t find_found(const void *context, const word *state) {
    uint32_t position = open_find(context, state);
    return position == OPEN_NONE ? UINT32_MAX : position;
}

/* The edges of the cycle; positions are those of `set`. */
static bool find_cycle(struct emptiness *x, const struct open *set, struct inside *in, struct numbers *cycle,
                       struct stop *stop) {
    if (!inside_init(in, x->s, x->p, open_state(set, 0), set->count, find_found, set, NULL, stop)) return false;
    if (x->found.kind == FOUND_LIVELOCK) shortest_cycle(in, EDGE_STILL, EDGE_STILL, cycle);
    else shortest_cycle(in, EDGE_ACCEPTS, 0, cycle);
    if (cycle->count == 0) *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the cycle was not found again"};
    return cycle->count > 0;
}

/* The states of the cycle from where its first edge begins; the last edge closes it. */
static void take_loop(struct trace *loop, const struct open *set, const struct inside *in,
                      const struct numbers *cycle) {
    assert(in->target[cycle->at[cycle->count - 1]] == inside_source(in, cycle->at[0])); /* it is closed */
    trace_add(loop, TS_NONE, open_state(set, inside_source(in, cycle->at[0])));
    for (size_t i = 0; i + 1 < cycle->count; i++) { /* each edge begins where the last one ends */
        assert(in->target[cycle->at[i]] == inside_source(in, cycle->at[i + 1]));
        trace_add(loop, in->edge[cycle->at[i]].transition, open_state(set, in->target[cycle->at[i]]));
    }
    loop->closing = in->edge[cycle->at[cycle->count - 1]].transition;
}

/* A fair cycle comes with its order. */
static bool take_fair_loop(struct trace *loop, const struct found *f, struct stop *stop) {
    if (f->count == 0) return *stop = f->unshown, false;
    for (uint32_t i = 0; i < f->count; i++)
        trace_add(loop, i ? (uint32_t)f->labels.at[i - 1] : TS_NONE, f->states + (size_t)i * loop->words);
    loop->closing = (uint32_t)f->labels.at[f->count - 1];
    return true;
}

/* Is there a shorter way from the first to the last state, also elsewhere? The closing edge is
 * what makes the cycle accepted, so the way may be any. */
static void shorten_loop(struct trace *loop, struct emptiness *x) {
    struct trace other;
    struct open last = {0};
    struct stop stop = {.kind = STOP_DONE};
    uint8_t only = x->found.kind == FOUND_LIVELOCK ? EDGE_STILL : 0;
    if (loop->count < 3) return;
    trace_init(&other, loop->words);
    other.closing = loop->closing;
    if (set_of(&last, x, trace_state(loop, loop->count - 1), 1, &stop) &&
        find_way(x, trace_state(loop, 0), &last, only, true, &other, &stop) && other.count < loop->count) {
        struct trace swap = *loop;
        *loop = other;
        other = swap;
    }
    open_fini(&last);
    trace_fini(&other);
}

/* One that has to be found among the states. */
static bool take_short_loop(struct trace *loop, struct emptiness *x, struct stop *stop) {
    struct open set = {0};
    struct inside in = {0};
    struct numbers cycle = {0};
    bool good = set_of(&set, x, x->found.states, x->found.count, stop) && find_cycle(x, &set, &in, &cycle, stop);
    if (good) take_loop(loop, &set, &in, &cycle);
    if (good) shorten_loop(loop, x);
    open_fini(&set);
    inside_fini(&in);
    numbers_fini(&cycle);
    return good;
}

/* Begins where the way has led to. */
static void add_loop(struct trace *t, const struct trace *loop) {
    uint64_t n = loop->count, k = 0;
    size_t bytes = t->words * sizeof(word);
    while (memcmp(trace_state(loop, k), trace_state(t, t->count - 1), bytes) != 0) k++;
    assert(k < n); /* the way leads to a state of the loop */
    t->cycle = t->count - 1;
    for (uint64_t i = 1; i <= n; i++) {
        uint64_t to = (k + i) % n;
        uint32_t label = to == 0 ? loop->closing : loop->transitions[to];
        if (i < n) trace_add(t, label, trace_state(loop, to));
        else t->closing = label;
    }
}

bool lasso_find(struct emptiness *x, struct trace *t, struct stop *stop) {
    struct open targets = {0};
    struct trace loop;
    *stop = (struct stop){.kind = STOP_DONE};
    if (x->found.kind == FOUND_PREFIX || x->found.kind == FOUND_END) return lasso_way(x, x->found.states, 1, t, stop);
    trace_init(&loop, x->p->ts.words);
    bool good = x->found.kind == FOUND_FAIR ? take_fair_loop(&loop, &x->found, stop) : take_short_loop(&loop, x, stop);
    good =
        good && set_of(&targets, x, loop.states, (uint32_t)loop.count, stop) && way_to(x, NULL, &targets, 0, t, stop);
    if (good) add_loop(t, &loop);
    trace_fini(&loop);
    open_fini(&targets);
    return good;
}
