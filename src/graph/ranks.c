#include "graph/ranks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/search_stacks.h"
#include "graph/sweep.h"

enum { NO_RANK = UINT32_MAX };
enum { LITTLE_WORK = 1 << 20 };    /* states or edges between two looks at limits */
enum { STATES_A_CHECK = 1 << 14 }; /* the same, of a search that follows all edges of a state at a time */

#define PHASE "certificate"
#define NUMBERS64(r) ((uint64_t *)(void *)(r).base)
#define NUMBERS32(r) ((uint32_t *)(void *)(r).base)

void witness_fini(struct witness *w) {
    struct region *all[] = {&w->starts, &w->to, &w->labels, &w->begins, &w->from, &w->ranks, &w->queue, &w->numbers};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) region_fini(all[i]);
}

/* ---- Edges ---- */

static bool get(struct region *r, uint64_t count, size_t size) {
    return region_init(r, count * size + 8) && region_grow(r, count * size + 8);
}

/* An honest error is better than a machine that swaps. */
static bool get_memory(struct witness *w, bool labels, struct problem *why) {
    uint64_t n = w->states, e = w->edges, used = memory_resident(), most = w->s->limits.max_memory;
    uint64_t wanted = n * 24 + e * (labels ? 12 : 8) + store_slots(&w->s->store) * 4;
    char needed[16], left[16];
    if (n >= NO_RANK)
        return problem_set(why, EXIT_BAD_INPUT,
                           "certificates with ranks need fewer than 2^32 - 1 states, and there are more");
    if (used < most && wanted <= most - used && get(&w->starts, n + 1, 8) && get(&w->to, e, 4) &&
        (!labels || get(&w->labels, e, 4)) && get(&w->begins, n + 2, 8) && get(&w->from, e, 4) &&
        get(&w->ranks, n, 4) && get(&w->queue, n, 4))
        return true;
    return problem_set(why, EXIT_BAD_INPUT, "ranks take %s of memory, and %s are left (--max-memory)",
                       text_bytes((double)wanted, needed), text_bytes(used < most ? (double)(most - used) : 0, left));
}

/* Why a sweep was given up. */
static bool explain(const struct stop *stop, struct problem *why) {
    if (stop->kind == STOP_FAULT)
        return problem_set(why, EXIT_BAD_INPUT, "%s: %s", stop->fault.where, stop->fault.text);
    return problem_set(why, EXIT_BAD_INPUT, "%s", stop->reason);
}

static bool stopped_at(struct witness *w, uint64_t done, struct problem *why) {
    struct stop stop;
    if (!space_must_stop(w->s, PHASE, done, w->states, &stop)) return false;
    explain(&stop, why);
    return true;
}

/* The same in loops over states or edges, of which each takes little time. */
static bool now_stopped(struct witness *w, uint64_t i, struct problem *why) {
    return i % LITTLE_WORK == LITTLE_WORK - 1 && stopped_at(w, i < w->states ? i : w->states, why);
}

struct finding {
    struct witness *w;
    uint64_t edges; /* so far */
    struct problem *why;
};

/* The edges of some states, which come in order. */
static bool note_edges(void *context, const struct sweep_batch *x) {
    struct finding *f = context;
    struct witness *w = f->w;
    uint32_t count = sweep_begin(x, x->count);
    if (count > w->edges - f->edges) return problem_set(f->why, EXIT_INTERNAL, "the edges are more than were counted");
    for (uint32_t e = 0; e < count; e++) NUMBERS32(w->to)[f->edges + e] = (uint32_t)x->to[e];
    if (w->labels.base) memcpy(&NUMBERS32(w->labels)[f->edges], x->edges->labels, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < x->count; i++) {
        assert(i == 0 || x->numbers[i] == x->numbers[i - 1] + 1); /* batches come in order, with no state left out */
        NUMBERS64(w->starts)[x->numbers[i] + 1] = f->edges + sweep_end(x, i);
    }
    f->edges += count;
    return true;
}

static bool find_edges(struct witness *w, struct problem *why) {
    struct finding f = {w, 0, why};
    struct sweep sweep = {.s = w->s,
                          .phase = PHASE,
                          .context = &f,
                          .need = SWEEP_EDGES | (w->labels.base ? SWEEP_LABELS : 0u),
                          .to = SWEEP_TO_NUMBERS,
                          .numbers = &w->numbers,
                          .put = note_edges};
    struct stop stop;
    if (!sweep_number_slots(w->s, &w->numbers, PHASE, &stop)) return explain(&stop, why);
    sweep_init(&sweep);
    bool good = sweep_all(&sweep, &stop);
    sweep_fini(&sweep);
    region_fini(&w->numbers);
    if (!good) return stop.kind == STOP_DONE ? false : explain(&stop, why);
    return f.edges == w->edges || problem_set(why, EXIT_INTERNAL, "the edges are fewer than were counted");
}

/* The same edges by their targets. While they are stored, begins[v + 1] is where the next one of v goes. */
static bool reverse_edges(struct witness *w, struct problem *why) {
    uint64_t *begins = NUMBERS64(w->begins), total = 0;
    const uint64_t *starts = NUMBERS64(w->starts);
    const uint32_t *to = NUMBERS32(w->to);
    for (uint64_t e = 0; e < w->edges; e++) {
        begins[to[e] + 1]++;
        if (now_stopped(w, e, why)) return false;
    }
    for (uint64_t v = 0; v < w->states; v++) {
        uint64_t count = begins[v + 1];
        begins[v + 1] = total;
        total += count;
    }
    for (uint64_t v = 0; v < w->states; v++) {
        for (uint64_t e = starts[v]; e < starts[v + 1]; e++) NUMBERS32(w->from)[begins[to[e] + 1]++] = (uint32_t)v;
        if (now_stopped(w, v, why)) return false;
    }
    assert(begins[w->states] == w->edges);
    return true;
}

bool witness_init(struct witness *w, struct space *s, bool labels, struct problem *why) {
    *w = (struct witness){.s = s, .states = s->trail.count, .edges = s->edges};
    return get_memory(w, labels, why) && find_edges(w, why) && reverse_edges(w, why);
}

/* ---- Ranks by backward search ---- */

struct targets {
    struct witness *w;
    uint32_t class;
};

static void rank_targets(void *context, unsigned member, const struct sweep_batch *x) {
    const struct targets *t = context;
    (void)member;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->classes[i] & t->class) NUMBERS32(t->w->ranks)[x->numbers[i]] = 0;
}

/* Targets get rank 0 and are queued. */
static bool begin_at_targets(struct witness *w, uint32_t target, bool terminals, uint64_t *queued,
                             struct problem *why) {
    uint32_t *ranks = NUMBERS32(w->ranks);
    const uint64_t *starts = NUMBERS64(w->starts);
    struct stop stop;
    for (uint64_t v = 0; v < w->states; v++) ranks[v] = terminals && starts[v] == starts[v + 1] ? 0 : (uint32_t)NO_RANK;
    if (target) {
        struct targets t = {w, target};
        struct sweep sweep = {.s = w->s, .phase = PHASE, .context = &t, .classes = target, .take = rank_targets};
        sweep_init(&sweep);
        bool good = sweep_all(&sweep, &stop);
        sweep_fini(&sweep);
        if (!good) return explain(&stop, why);
    }
    *queued = 0;
    for (uint64_t v = 0; v < w->states; v++)
        if (ranks[v] == 0) NUMBERS32(w->queue)[(*queued)++] = (uint32_t)v;
    return true;
}

static bool all_ranked(uint64_t queued, const struct witness *w, struct problem *why) {
    return queued == w->states ||
           problem_set(why, EXIT_INTERNAL, "%llu states have no rank, though the property was found to hold",
                       (unsigned long long)(w->states - queued));
}

bool witness_some(struct witness *w, uint32_t target, bool terminals, struct problem *why) {
    uint64_t queued;
    uint32_t *ranks = NUMBERS32(w->ranks), *queue = NUMBERS32(w->queue);
    const uint64_t *begins = NUMBERS64(w->begins);
    if (!begin_at_targets(w, target, terminals, &queued, why)) return false;
    for (uint64_t i = 0; i < queued; i++) {
        if (now_stopped(w, i, why)) return false;
        assert(i == 0 || ranks[queue[i - 1]] <= ranks[queue[i]]); /* breadth-first: in the order of ranks */
        for (uint64_t e = begins[queue[i]]; e < begins[queue[i] + 1]; e++) {
            uint32_t v = NUMBERS32(w->from)[e];
            if (ranks[v] != NO_RANK) continue;
            ranks[v] = ranks[queue[i]] + 1;
            queue[queued++] = v;
        }
    }
    return all_ranked(queued, w, why);
}

/* A state comes after the last of its successors, which has the largest rank: the queue is in the order of ranks. */
bool witness_all(struct witness *w, uint32_t target, bool terminals, struct problem *why) {
    uint64_t queued;
    uint32_t *ranks = NUMBERS32(w->ranks), *queue = NUMBERS32(w->queue);
    const uint64_t *begins = NUMBERS64(w->begins), *starts = NUMBERS64(w->starts);
    struct region left = {0}; /* uint32_t, of each state: successors that have no rank yet */
    if (!begin_at_targets(w, target, terminals, &queued, why)) return false;
    if (!get(&left, w->states, 4))
        return region_fini(&left), problem_set(why, EXIT_BAD_INPUT, "no memory is left for ranks");
    bool good = true;
    for (uint64_t v = 0; v < w->states; v++) NUMBERS32(left)[v] = (uint32_t)(starts[v + 1] - starts[v]);
    for (uint64_t i = 0; good && i < queued; i++) {
        good = !now_stopped(w, i, why);
        for (uint64_t e = begins[queue[i]]; e < begins[queue[i] + 1]; e++) {
            uint32_t v = NUMBERS32(w->from)[e];
            assert(NUMBERS32(left)[v] > 0);
            assert(ranks[queue[i]] >=
                   (i ? ranks[queue[i - 1]] : 0)); /* so that the last successor has the largest rank */
            if (--NUMBERS32(left)[v] > 0 || ranks[v] != NO_RANK) continue;
            ranks[v] = ranks[queue[i]] + 1;
            queue[queued++] = v;
        }
    }
    region_fini(&left);
    return good && all_ranked(queued, w, why);
}

/* ---- Strong components ---- */

/* Their numbers, in the order in which they are complete, are the ranks. */
struct ranked {
    struct witness *w;
    struct search_stacks stacks;
    const bool *excluded;
    struct problem *why;
    uint32_t *of, components;
    uint64_t met;
};

static bool no_stacks(struct ranked *g) {
    return problem_set(g->why, EXIT_BAD_INPUT, "no memory is left for components");
}

static bool ranked_edges(struct ranked *g, uint32_t v, uint64_t *first, uint32_t *count) {
    const uint64_t *starts = NUMBERS64(g->w->starts);
    *first = starts[v];
    *count = (uint32_t)(starts[v + 1] - starts[v]);
    return ++g->met % STATES_A_CHECK != 0 || !stopped_at(g->w, g->met, g->why);
}

static void ranked_close(struct ranked *g, const uint32_t *members, uint64_t n) {
    g->components++;
    for (uint64_t i = 0; i < n; i++) g->of[members[i]] = g->components;
}

#define NAME(x) ranked_##x
#define GRAPH struct ranked
#define NODE uint32_t
#define EDGE uint64_t
#define NUMBER(x, v) (x)->g->of[v]
#define ENTER(x, v, by, first, count) ((void)(by), ranked_edges((x)->g, v, first, count))
#define COUNTS(x, v, e) (!(x)->g->excluded || !(x)->g->excluded[NUMBERS32((x)->g->w->labels)[e]])
#define TARGET(x, e) NUMBERS32((x)->g->w->to)[e]
#define CLOSE(x, members, n) ranked_close((x)->g, members, n)
#define MORE(x) (SEARCH_STACKS_MORE(x, &(x)->g->stacks) || no_stacks((x)->g))
#include "algo/components_code.h"

bool witness_components(struct witness *w, const bool *excluded, struct problem *why) {
    struct ranked g = {.w = w, .excluded = excluded, .why = why, .of = NUMBERS32(w->ranks)};
    struct ranked_search x = {.g = &g};
    bool good = search_stacks_init(&g.stacks, w->s->limits.max_memory) || no_stacks(&g);
    memset(g.of, 0, w->states * sizeof *g.of);
    for (uint64_t v = 0; good && v < w->states; v++)
        if (g.of[v] == 0) good = ranked_from(&x, (uint32_t)v, 0);
    for (uint64_t v = 0; good && v < w->states; v++) g.of[v]--;
    search_stacks_fini(&g.stacks);
    return good;
}
