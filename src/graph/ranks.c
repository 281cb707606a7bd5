#include "graph/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { NO_RANK = UINT32_MAX };
enum { LITTLE_WORK = 1 << 20 }; /* states or edges between two looks at limits */

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
        return problem_set(why, EXIT_BAD_INPUT, "ranks are made for fewer than 2^32 - 1 states, and here are more");
    if (used < most && wanted <= most - used && get(&w->starts, n + 1, 8) && get(&w->to, e, 4) &&
        (!labels || get(&w->labels, e, 4)) && get(&w->begins, n + 2, 8) && get(&w->from, e, 4) &&
        get(&w->ranks, n, 4) && get(&w->queue, n, 4) && get(&w->numbers, store_slots(&w->s->store), 4))
        return true;
    return problem_set(why, EXIT_BAD_INPUT, "ranks take %s of memory, and %s are left (--max-memory)",
                       text_bytes((double)wanted, needed), text_bytes(used < most ? (double)(most - used) : 0, left));
}

static bool stopped_at(struct witness *w, uint64_t done, struct problem *why) {
    struct stop stop;
    if (!space_must_stop(w->s, "certificate", done, w->states, &stop)) return false;
    problem_set(why, EXIT_BAD_INPUT, "%s", stop.reason);
    return true;
}

static bool stopped(struct witness *w, const struct walk *walk, struct problem *why) {
    return stopped_at(w, walk->at, why);
}

/* The same in loops over states or edges, of which each takes little time. */
static bool now_stopped(struct witness *w, uint64_t i, struct problem *why) {
    return i % LITTLE_WORK == LITTLE_WORK - 1 && stopped_at(w, i < w->states ? i : w->states, why);
}

/* Which number the state at each slot has. */
static bool number_slots(struct witness *w, struct problem *why) {
    struct walk walk;
    struct stop stop = {.kind = STOP_DONE};
    walk_init(&walk, w->s, false, 0, 1024);
    uint64_t *slots = memory_get(walk.most * sizeof *slots);
    bool good = true;
    while (good && walk_next(&walk, &stop)) {
        space_find(w->s, walk.states, walk.count, slots);
        for (uint32_t i = 0; i < walk.count; i++) NUMBERS32(w->numbers)[slots[i]] = (uint32_t)(walk.first + i);
        good = !stopped(w, &walk, why);
    }
    free(slots);
    if (!walk_fini(&walk)) return problem_set(why, EXIT_BAD_INPUT, "%s", stop.reason);
    return good;
}

/* The edges of a batch that was expanded; `edge` is the number of the first. */
static bool note_edges(struct witness *w, const struct walk *walk, const struct ts_batch *batch, uint64_t *edge,
                       uint64_t *slots, struct problem *why) {
    uint32_t count = batch->ends[walk->count - 1];
    if (count > w->edges - *edge) return problem_set(why, EXIT_INTERNAL, "the edges are more than were counted");
    space_find(w->s, batch->successors, count, slots);
    for (uint32_t e = 0; e < count; e++) {
        if (slots[e] == STORE_NONE) return problem_set(why, EXIT_INTERNAL, "a successor is not among the states");
        NUMBERS32(w->to)[*edge + e] = NUMBERS32(w->numbers)[slots[e]];
        if (w->labels.base) NUMBERS32(w->labels)[*edge + e] = batch->labels[e];
    }
    for (uint32_t i = 0; i < walk->count; i++) NUMBERS64(w->starts)[walk->first + i + 1] = *edge + batch->ends[i];
    *edge += count;
    return true;
}

static bool find_edges(struct witness *w, struct problem *why) {
    struct walk walk;
    struct ts_batch batch;
    struct stop stop = {.kind = STOP_DONE};
    uint64_t edge = 0;
    bool good = true;
    ts_batch_init(&batch, w->s->ts, ts_batch_states(w->s->ts));
    walk_init(&walk, w->s, false, 0, batch.capacity);
    uint64_t *slots = memory_get((size_t)batch.capacity * w->s->ts->transitions * sizeof *slots);
    while (good && walk_next(&walk, &stop)) {
        batch.sources = walk.states;
        batch.count = walk.count;
        if (w->s->ts->ops->expand(w->s->worker, &batch) < walk.count)
            good = problem_set(why, EXIT_BAD_INPUT, "%s: %s", batch.fault.where, batch.fault.text);
        good = good && note_edges(w, &walk, &batch, &edge, slots, why) && !stopped(w, &walk, why);
    }
    free(slots);
    ts_batch_fini(&batch);
    if (!walk_fini(&walk)) return problem_set(why, EXIT_BAD_INPUT, "%s", stop.reason);
    return good && (edge == w->edges || problem_set(why, EXIT_INTERNAL, "the edges are fewer than were counted"));
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
    return true;
}

bool witness_init(struct witness *w, struct space *s, bool labels, struct problem *why) {
    *w = (struct witness){.s = s, .states = s->trail.count, .edges = s->edges};
    if (!get_memory(w, labels, why) || !number_slots(w, why) || !find_edges(w, why)) return false;
    region_fini(&w->numbers);
    return reverse_edges(w, why);
}

/* ---- Ranks by backward search ---- */

/* Targets get rank 0 and are queued. */
static bool begin_at_targets(struct witness *w, uint32_t target, bool terminals, uint64_t *queued,
                             struct problem *why) {
    struct walk walk;
    struct stop stop = {.kind = STOP_DONE};
    uint32_t *ranks = NUMBERS32(w->ranks);
    const uint64_t *starts = NUMBERS64(w->starts);
    uint8_t classes[1024];
    bool good = true;
    *queued = 0;
    walk_init(&walk, w->s, false, 0, 1024);
    while (good && walk_next(&walk, &stop)) {
        struct ts_batch b = {.sources = walk.states, .count = walk.count, .wanted = target, .classes = classes};
        memset(classes, 0, sizeof classes);
        if (target && w->s->ts->ops->classify(w->s->worker, &b) < walk.count)
            good = problem_set(why, EXIT_BAD_INPUT, "%s: %s", b.fault.where, b.fault.text);
        for (uint32_t i = 0; good && i < walk.count; i++) {
            uint64_t v = walk.first + i;
            bool hit = (classes[i] & target) || (terminals && starts[v] == starts[v + 1]);
            ranks[v] = hit ? 0 : (uint32_t)NO_RANK;
            if (hit) NUMBERS32(w->queue)[(*queued)++] = (uint32_t)v;
        }
    }
    if (!walk_fini(&walk)) return problem_set(why, EXIT_BAD_INPUT, "%s", stop.reason);
    return good;
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
            if (--NUMBERS32(left)[v] > 0 || ranks[v] != NO_RANK) continue;
            ranks[v] = ranks[queue[i]] + 1;
            queue[queued++] = v;
        }
    }
    region_fini(&left);
    return good && all_ranked(queued, w, why);
}

/* ---- Strong components, Tarjan's way ---- */

/* Components are complete in an order in which none leads to a later one: their numbers in that order are the ranks. */
struct tarjan {
    struct region next;  /* uint64_t: the next edge of a state that is being visited */
    struct region low;   /* uint32_t: 0 before the visit; then 1 + the position on `stack` that it leads back to */
    struct region path;  /* uint32_t: states being visited, each reached from the one before */
    struct region stack; /* uint32_t: visited states whose component is not complete */
    uint32_t stacked;
    uint32_t depth;
    uint32_t components;
    uint64_t steps; /* so far */
};

static void enter(struct witness *w, struct tarjan *t, uint32_t v) {
    NUMBERS64(t->next)[v] = NUMBERS64(w->starts)[v];
    NUMBERS32(t->stack)[t->stacked++] = v;
    NUMBERS32(t->low)[v] = t->stacked;
    NUMBERS32(t->path)[t->depth++] = v;
}

/* All edges of v have been followed. `low` is still its own position if v is the root of its component. */
static void leave(struct witness *w, struct tarjan *t, uint32_t v) {
    uint32_t *low = NUMBERS32(t->low), *stack = NUMBERS32(t->stack), *path = NUMBERS32(t->path);
    t->depth--;
    if (stack[low[v] - 1] == v) {
        for (uint32_t member = TS_NONE, end = low[v] - 1; t->stacked > end;) {
            member = stack[--t->stacked];
            NUMBERS32(w->ranks)[member] = t->components;
        }
        t->components++;
    } else if (t->depth > 0 && low[v] < low[path[t->depth - 1]]) {
        low[path[t->depth - 1]] = low[v];
    }
}

static bool visit(struct witness *w, struct tarjan *t, const bool *excluded, uint32_t root, struct problem *why) {
    uint32_t *low = NUMBERS32(t->low);
    enter(w, t, root);
    while (t->depth > 0) {
        uint32_t v = NUMBERS32(t->path)[t->depth - 1];
        uint64_t e = NUMBERS64(t->next)[v];
        if (now_stopped(w, t->steps++, why)) return false;
        if (e == NUMBERS64(w->starts)[v + 1]) {
            leave(w, t, v);
            continue;
        }
        NUMBERS64(t->next)[v]++;
        uint32_t u = NUMBERS32(w->to)[e];
        if (excluded && excluded[NUMBERS32(w->labels)[e]]) continue;
        if (!low[u]) enter(w, t, u);
        else if (NUMBERS32(w->ranks)[u] == NO_RANK && low[u] < low[v]) low[v] = low[u];
    }
    return true;
}

bool witness_components(struct witness *w, const bool *excluded, struct problem *why) {
    struct tarjan t = {0};
    uint64_t n = w->states;
    bool good = get(&t.next, n, 8) && get(&t.low, n, 4) && get(&t.path, n, 4) && get(&t.stack, n, 4);
    if (!good) problem_set(why, EXIT_BAD_INPUT, "no memory is left for components");
    for (uint64_t v = 0; good && v < n; v++) NUMBERS32(w->ranks)[v] = (uint32_t)NO_RANK;
    for (uint64_t v = 0; good && v < n; v++)
        if (!NUMBERS32(t.low)[v]) good = visit(w, &t, excluded, (uint32_t)v, why);
    region_fini(&t.next);
    region_fini(&t.low);
    region_fini(&t.path);
    region_fini(&t.stack);
    return good;
}
