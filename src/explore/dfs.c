#include "explore/dfs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/edges.h"
#include "explore/terminal_error.h"
#include "store/state_stack.h"

enum { STATES_A_CHECK = 16 }; /* limits are looked at once in so many states */

/* A state on the way from the initial state to the current one. */
struct frame {
    uint32_t position;  /* on the stack of open states */
    uint32_t low;       /* the lowest position that is known to be reachable within open states */
    uint32_t left : 31; /* successors that are still to be looked at, on `pending` */
    uint32_t live : 1;  /* a terminal state is known to be reachable */
};

struct dfs {
    struct space *s;
    const struct dfs_goals *goals;
    struct stop *stop;
    struct ts_batch batch;
    uint64_t *slots, *keys; /* of the successors of the state that is entered */
    struct open open;       /* if termination is not asked for: only the states of the frames */
    struct region frames;   /* struct frame */
    struct region pending;  /* states: successors of the states of the frames, the next to be looked at is the last */
    uint64_t depth, pending_count;
};

static bool stop_at(struct dfs *d, enum stop_kind kind, const struct ts_fault *fault) {
    *d->stop = (struct stop){.kind = kind, .state = d->s->trail.count - 1};
    if (fault) d->stop->fault = *fault;
    return false;
}

static bool out_of_memory(struct dfs *d) {
    *d->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the limit on memory (--max-memory) was reached"};
    return false;
}

static struct frame *frame_at(const struct dfs *d, uint64_t i) { return (struct frame *)(void *)d->frames.base + i; }
static struct frame *top(const struct dfs *d) { return frame_at(d, d->depth - 1); }
static word *pending_at(const struct dfs *d, uint64_t i) {
    return (word *)(void *)d->pending.base + i * d->s->ts->words;
}

/* ---- Entering a state ---- */

static bool push(struct dfs *d, const word *state) {
    if (!open_push(&d->open, state) || !open_room(&d->frames, (d->depth + 1) * sizeof(struct frame)))
        return out_of_memory(d);
    uint32_t position = d->open.count - 1;
    *frame_at(d, d->depth++) = (struct frame){.position = position, .low = position};
    if (d->depth - 1 > d->s->deepest) d->s->deepest = d->depth - 1;
    assert(d->s->trail.count == d->s->states); /* the number of a state is its place on the trail */
    space_add(d->s, state);
    d->s->states++;
    return true;
}

static bool look_at_class(struct dfs *d, const word *state) {
    d->batch.sources = state;
    d->batch.count = 1;
    d->batch.wanted = d->goals->common.classes;
    assert(!(d->batch.wanted & TS_NAMED)); /* ops->classify does not know it */
    if (!d->batch.wanted) return true;
    if (d->s->ts->ops->classify(d->s->worker, &d->batch) < 1) return stop_at(d, STOP_FAULT, &d->batch.fault);
    return !d->batch.classes[0] || stop_at(d, STOP_BAD_STATE, NULL);
}

static bool look_at_terminal(struct dfs *d, const word *state) {
    struct ts_fault fault;
    d->s->terminals++;
    top(d)->live = true;
    enum stop_kind kind = ends_look(d->s->ts, d->s->worker, state, &d->goals->common, &fault);
    return kind == STOP_DONE || stop_at(d, kind, kind == STOP_FAULT ? &fault : NULL);
}

/* The top state has an edge to a known state. If that is not open any more, its component is complete, so a terminal
 * state can be reached from it. */
static void meet(struct dfs *d, const word *state) {
    struct frame *f = top(d);
    if (!d->goals->termination) return;
    uint32_t position = open_find(&d->open, state);
    if (position == OPEN_NONE) f->live = true;
    else if (position < f->low) f->low = position;
}

/* Deals with successors that are known, and keeps the others, in reverse order. */
static bool sort_successors(struct dfs *d, uint32_t count) {
    uint32_t words = d->s->ts->words;
    const word *successors = d->batch.successors;
    if (!open_room(&d->pending, (d->pending_count + count) * words * sizeof(word))) return out_of_memory(d);
    space_find(d->s, successors, count, d->slots);
    for (uint32_t e = 0; e < count && d->goals->termination; e++)
        if (d->slots[e] != STORE_NONE) open_prefetch(&d->open, successors + (size_t)e * words);
    for (uint32_t e = count; e-- > 0;) {
        const word *state = successors + (size_t)e * words;
        if (d->slots[e] == STORE_NONE) {
            memcpy(pending_at(d, d->pending_count++), state, words * sizeof(word));
            top(d)->left++;
        } else {
            meet(d, state);
        }
    }
    return true;
}

static bool note_edges(struct dfs *d) {
    struct space *s = d->s;
    if (!store_reserve(&s->store, d->batch.ends[0]) ||
        !store_keys(&s->store, &s->members[0].view, d->batch.successors, d->batch.ends[0], d->keys))
        return false;
    edges_note(s, &d->batch, d->keys, NULL, 0, 0); /* what is new will be known when it is entered */
    return true;
}

/* A state that has just been inserted in the store. False: the search has ended. It is expanded alone: expanding the
 * new successors of a state together does not pay, for they are hardly more than one on average, and some of them would
 * be expanded twice. */
static bool enter(struct dfs *d, const word *new_state) {
    struct space *s = d->s;
    if (!push(d, new_state)) return false;
    const word *state = open_state(&d->open, top(d)->position);
    if (!look_at_class(d, state)) return false;
    if (s->ts->ops->expand(s->worker, &d->batch) < 1) return stop_at(d, STOP_FAULT, &d->batch.fault);
    assert(ts_batch_is_sound(&d->batch, s->ts, 1));
    uint32_t count = d->batch.ends[0];
    s->edges += count;
    for (uint32_t i = 0; s->fired && i < count; i++) s->fired[d->batch.labels[i]] = 1;
    if (s->edges_kept && !note_edges(d)) return out_of_memory(d);
    return count ? sort_successors(d, count) : look_at_terminal(d, state);
}

/* ---- Leaving it ---- */

/* False: the component of the top state is complete, and cannot terminate. */
static bool leave(struct dfs *d) {
    struct frame f = *top(d), *before = d->depth > 1 ? top(d) - 1 : NULL;
    assert(f.left == 0 && f.low <= f.position && (!before || before->position < f.position));
    if (!d->goals->termination) {
        open_pop(&d->open, f.position);
    } else if (before && f.low < f.position) {
        if (f.low < before->low) before->low = f.low;
        before->live |= f.live;
    } else if (f.live) {
        open_pop(&d->open, f.position);
        if (before) before->live = true;
    } else {
        return stop_at(d, STOP_TRAP, NULL);
    }
    d->depth--;
    return true;
}

/* ---- What was found ---- */

/* The transition from one state to the next is found again by firing: it was not kept. */
static bool find_label(struct dfs *d, const word *from, const word *to, uint32_t *label) {
    uint32_t words = d->s->ts->words, e = 0;
    d->batch.sources = from;
    d->batch.count = 1;
    if (d->s->ts->ops->expand(d->s->worker, &d->batch) < 1) return false;
    while (e < d->batch.ends[0] && memcmp(d->batch.successors + (size_t)e * words, to, words * sizeof(word)) != 0) e++;
    if (e == d->batch.ends[0]) return false;
    *label = d->batch.labels[e];
    return true;
}

static void find_way(struct dfs *d, struct trace *way) {
    const word *before = open_state(&d->open, frame_at(d, 0)->position);
    trace_add(way, TS_NONE, before);
    for (uint64_t i = 1; i < d->depth; i++) {
        uint32_t label;
        const word *state = open_state(&d->open, frame_at(d, i)->position);
        if (!find_label(d, before, state, &label)) {
            way->count = 0;
            return;
        }
        trace_add(way, label, state);
        before = state;
    }
}

/* The component is the upper end of the stack of open states, which is handed over. */
static void find_trap(struct dfs *d, struct dfs_end *end) {
    end->trap = d->open;
    assert(top(d)->low == top(d)->position); /* the top state is the first of its component */
    end->trap_begin = top(d)->position;
    d->open = (struct open){0};
    for (uint64_t i = d->depth - 1; i > 0 && end->may_end == 0; i--)
        if (frame_at(d, i - 1)->live) end->may_end = i;
}

/* ---- The search ---- */

/* Looks at the next successor of the top state, or leaves it. False: the search has ended. */
static bool go_on(struct dfs *d) {
    struct space *s = d->s;
    uint32_t fresh, fresh_count;
    if (top(d)->left == 0) return leave(d);
    top(d)->left--;
    assert(d->pending_count > 0);
    const word *state = pending_at(d, --d->pending_count);
    if (space_insert(s, state, 1, &fresh, &fresh_count) < 1) return out_of_memory(d);
    if (fresh_count ==
        0) { /* found meanwhile; or so an inexact store says, and then nothing bad is concluded from it */
        meet(d, state);
        return true;
    }
    return enter(d, state) && (s->states % STATES_A_CHECK != 0 ||
                               !space_must_stop(s, "exploring", s->states - d->open.count, s->states, d->stop));
}

static bool dfs_init(struct dfs *d) {
    const struct ts *ts = d->s->ts;
    uint64_t most = d->s->limits.max_memory;
    ts_batch_init(&d->batch, ts, 1);
    d->slots = memory_get(ts->transitions * sizeof *d->slots);
    d->keys = memory_get(ts->transitions * sizeof *d->keys);
    return open_init(&d->open, ts->words, d->goals->termination, most) && region_init_within(&d->frames, most) &&
           region_init_within(&d->pending, most);
}

static void dfs_fini(struct dfs *d) {
    ts_batch_fini(&d->batch);
    free(d->slots);
    free(d->keys);
    open_fini(&d->open);
    region_fini(&d->frames);
    region_fini(&d->pending);
}

void dfs_run(struct space *s, const word *start, const struct dfs_goals *goals, struct dfs_end *end,
             struct stop *stop) {
    struct dfs d = {.s = s, .goals = goals, .stop = stop};
    uint32_t fresh, fresh_count;
    *stop = (struct stop){.kind = STOP_DONE};
    *end = (struct dfs_end){0};
    trace_init(&end->way, s->ts->words);
    if (!dfs_init(&d) || space_insert(s, start, 1, &fresh, &fresh_count) < 1) out_of_memory(&d);
    else if (enter(&d, start))
        while (d.depth > 0 && go_on(&d)) continue;
    store_settle(&s->store);
    if (stop->kind != STOP_DONE && stop->kind != STOP_LIMIT) find_way(&d, &end->way);
    if (stop->kind == STOP_TRAP) find_trap(&d, end);
    dfs_fini(&d);
}

void dfs_end_fini(struct dfs_end *end) {
    trace_fini(&end->way);
    open_fini(&end->trap);
}

bool dfs_in_trap(const void *end, const word *state) {
    const struct dfs_end *e = end;
    uint32_t position = open_find(&e->trap, state);
    return position != OPEN_NONE && position >= e->trap_begin;
}
