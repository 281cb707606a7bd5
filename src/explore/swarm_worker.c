#include "explore/swarm_worker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "explore/terminal_error.h"

enum {
    FIRST_BUDGET = 4096, /* visits of the first walks and of the first search */
    RUNS_A_BUDGET = 4,   /* then it doubles */
    SHORT = 64,          /* steps: what a bound on depth varies down to */
    BYTES_A_STATE = 4,   /* of the memory of a search */
    FIRST_MARK = 1024,
};

#define COUNT(w, member, n) __atomic_store_n(&(w)->counts.member, (w)->counts.member + (uint64_t)(n), __ATOMIC_RELAXED)

/* ---- Chance ---- */

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t draw(struct swarm_worker *w) { return mix(w->random += UINT64_C(0x9e3779b97f4a7c15)); }
static uint32_t draw_below(struct swarm_worker *w, uint32_t n) { return (uint32_t)((draw(w) >> 32) * n >> 32); }

/* Every walk and search begins with a seed of its own, so that it can be told by its number. */
static void begin_run(struct swarm_worker *w) {
    w->random = mix(mix(mix(w->s->o->seed) + w->number) + w->run++);
    w->path.count = 0;
    trace_add(&w->path, TS_NONE, w->s->start);
}

/* A bound on depth, at most `most`: all orders of magnitude are as likely. */
static uint64_t draw_bound(struct swarm_worker *w, uint64_t most) {
    uint32_t halvings = 1;
    if (most > w->s->depth) most = w->s->depth;
    while (most >> halvings >= SHORT) halvings++;
    return most >> draw_below(w, halvings);
}

/* ---- Visiting a state ---- */

static bool report(struct swarm_worker *w, enum stop_kind kind, const struct ts_fault *fault) {
    struct swarm *s = w->s;
    struct stop stop = {.kind = kind, .state = w->path.count - 1};
    if (fault) stop.fault = *fault;
    if (!swarm_end(s, &stop)) return false;
    /* Only one thread gets here, and the others do not touch these. */
    s->result->finder = w->number;
    s->result->finder_run = w->run - 1;
    s->result->found_by_walk = w->walking;
    for (uint64_t i = 0; i < w->path.count; i++) trace_add(s->trace, w->path.transitions[i], trace_state(&w->path, i));
    return false;
}

static const word *successor(const struct swarm_worker *w, uint32_t i) {
    return w->batch.successors + (size_t)i * w->s->ts->words;
}

static void count_visit(struct swarm_worker *w, uint64_t hash) {
    bool fresh = bitstate_add_shared(&w->s->seen, &w->tally, hash);
    COUNT(w, visited, 1);
    COUNT(w, fresh, fresh);
    COUNT(w, terminals, fresh && w->successors == 0);
    if (w->path.count - 1 > w->counts.deepest) COUNT(w, deepest, w->path.count - 1 - w->counts.deepest);
    if (w->counts.visited < 2 * w->next_mark.visited || w->counts.visited < FIRST_MARK) return;
    w->mark = w->next_mark;
    w->next_mark = w->counts;
}

/* A state without successors. False: it must not be. */
static bool check_end(struct swarm_worker *w, const word *state) {
    struct ts_fault fault;
    enum stop_kind kind = ends_look(w->s->ts, w->worker, state, &w->s->o->goals, &fault);
    return kind == STOP_DONE || report(w, kind, kind == STOP_FAULT ? &fault : NULL);
}

/* Makes the successors of the last state of the path. False: that was the end. */
static bool visit(struct swarm_worker *w) {
    const word *state = trace_state(&w->path, w->path.count - 1);
    if (__atomic_load_n(&w->s->ended, __ATOMIC_RELAXED) || (w->quota && w->counts.visited >= w->quota)) return false;
    uint64_t hash = bitstate_hash(state, w->s->ts->words);
    bitstate_prefetch(&w->s->seen, hash);
    w->batch.sources = state;
    w->batch.count = 1;
    if (w->s->ts->ops->expand(w->worker, &w->batch) < 1) return report(w, STOP_FAULT, &w->batch.fault);
    w->successors = w->batch.ends[0];
    COUNT(w, edges, w->successors);
    count_visit(w, hash);
    return w->successors > 0 || check_end(w, state);
}

/* Looks whether one of the states is bad: all successors, or the initial state. False: it is, or the model failed. */
static bool check_states(struct swarm_worker *w, const word *states, uint32_t count, bool successors) {
    if (!w->s->o->goals.classes || count == 0) return true;
    assert(!(w->s->o->goals.classes & TS_NAMED)); /* ops->classify does not know it */
    w->found.sources = states;
    w->found.count = count;
    w->found.wanted = w->s->o->goals.classes;
    uint32_t done = w->s->ts->ops->classify(w->worker, &w->found), i = 0;
    while (i < done && !w->found.classes[i]) i++;
    if (i == count) return true;
    if (successors) trace_add(&w->path, w->batch.labels[i], successor(w, i));
    return i < done ? report(w, STOP_BAD_STATE, NULL) : report(w, STOP_FAULT, &w->found.fault);
}

/* ---- Walks ---- */

enum style { ANY, UNSEEN, FAVOURITE, STYLES };

/* Prefers states that no thread has visited. */
static uint32_t choose_unseen(struct swarm_worker *w) {
    uint32_t choice = 0;
    for (int tries = 0; tries < 3; tries++) {
        choice = draw_below(w, w->successors);
        if (!bitstate_has(&w->s->seen, bitstate_hash(successor(w, choice), w->s->ts->words))) break;
    }
    return choice;
}

/* Fires the same transitions again and again, if it can: what a fair choice hardly ever does. Sometimes, it changes its
 * mind about which. */
static uint32_t choose_favourite(struct swarm_worker *w, uint64_t *mind) {
    uint32_t choice = 0;
    uint64_t best = 0;
    if (draw_below(w, 64) == 0) *mind = draw(w);
    for (uint32_t i = 0; i < w->successors; i++) {
        uint64_t rank = mix(*mind + w->batch.labels[i]);
        if (rank < best) continue;
        best = rank;
        choice = i;
    }
    return choice;
}

/* No walk is so long that there is no time for others: it may have got where there is little to see. */
static bool walk(struct swarm_worker *w, uint64_t budget) {
    begin_run(w);
    COUNT(w, walks, 1);
    uint64_t bound = draw_bound(w, budget / 4), mind = draw(w);
    enum style style = (enum style)draw_below(w, STYLES);
    for (;;) {
        if (!visit(w) || !check_states(w, w->batch.successors, w->successors, true)) return false;
        if (w->successors == 0 || w->path.count > bound) return true;
        uint32_t choice = style == UNSEEN      ? choose_unseen(w)
                          : style == FAVOURITE ? choose_favourite(w, &mind)
                                               : draw_below(w, w->successors);
        trace_add(&w->path, w->batch.labels[choice], successor(w, choice));
    }
}

/* ---- Depth-first searches ---- */

enum arrangement { FORWARD, BACKWARD, ROTATED, SHUFFLED, ARRANGEMENTS };

/* Leaves only the successors that this search does not know. */
static void drop_known(struct swarm_worker *w, const struct bitstate *known) {
    size_t words = w->s->ts->words;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->successors; i++) {
        w->hashes[i] = bitstate_hash(successor(w, i), w->s->ts->words);
        bitstate_prefetch(known, w->hashes[i]);
    }
    for (uint32_t i = 0; i < w->successors; i++) {
        if (bitstate_has(known, w->hashes[i])) continue;
        if (kept < i) memcpy(w->batch.successors + kept * words, successor(w, i), words * sizeof(word));
        w->batch.labels[kept++] = w->batch.labels[i];
    }
    w->successors = kept;
}

static void put_in_order(struct swarm_worker *w, enum arrangement order, uint32_t turn) {
    uint32_t n = w->successors;
    for (uint32_t i = 0; i < n; i++)
        w->order[i] = order == BACKWARD ? n - 1 - i : order == ROTATED ? (i + turn) % n : i;
    for (uint32_t i = n; order == SHUFFLED && i > 1; i--) {
        uint32_t k = draw_below(w, i), swap = w->order[k];
        w->order[k] = w->order[i - 1];
        w->order[i - 1] = swap;
    }
}

struct search {
    struct bitstate known;
    enum arrangement order;
    uint32_t turn;
    uint64_t bound;
};

/* Visits the last state of the path, and lets its successors wait, if it is not too deep. */
static bool enter(struct swarm_worker *w, struct search *s) {
    if (!visit(w)) return false;
    drop_known(w, &s->known);
    if (!check_states(w, w->batch.successors, w->successors, true)) return false;
    numbers_add(&w->frames, w->waiting.count);
    if (w->path.count > s->bound || w->waiting.count > w->s->most_waiting) return true;
    put_in_order(w, s->order, s->turn);
    for (uint32_t i = 0; i < w->successors; i++)
        trace_add(&w->waiting, w->batch.labels[w->order[i]], successor(w, w->order[i]));
    return true;
}

/* Takes the next state that waits, or goes back. False: the whole has ended. */
static bool proceed(struct swarm_worker *w, struct search *s) {
    assert(w->path.count == w->frames.count && w->waiting.count >= w->frames.at[w->frames.count - 1]);
    if (w->waiting.count == w->frames.at[w->frames.count - 1]) {
        w->frames.count--;
        w->path.count--;
        return true;
    }
    uint64_t next = --w->waiting.count;
    const word *state = trace_state(&w->waiting, next);
    if (!bitstate_add(&s->known, bitstate_hash(state, w->s->ts->words))) return true;
    trace_add(&w->path, w->waiting.transitions[next], state);
    return enter(w, s);
}

static bool search(struct swarm_worker *w, uint64_t budget) {
    struct search s;
    uint64_t end = w->counts.visited + budget;
    if (!bitstate_init(&s.known, budget * BYTES_A_STATE, 0)) return true;
    begin_run(w);
    COUNT(w, searches, 1);
    s.bound = draw_below(w, 2) ? w->s->depth : draw_bound(w, w->s->depth);
    s.order = (enum arrangement)draw_below(w, ARRANGEMENTS);
    s.turn = draw_below(w, w->s->ts->transitions);
    w->waiting.count = 0;
    w->frames.count = 0;
    bitstate_add(&s.known, bitstate_hash(w->s->start, w->s->ts->words));
    bool going = enter(w, &s);
    while (going && w->frames.count > 0 && w->counts.visited < end) going = proceed(w, &s);
    bitstate_fini(&s.known);
    return going;
}

/* ---- The thread ---- */

static void work_on(struct swarm_worker *w) {
    w->walking = true;
    begin_run(w);
    bool going = check_states(w, w->s->start, 1, false);
    w->run = 0;
    for (unsigned round = 0; going; round++) {
        uint64_t budget = FIRST_BUDGET;
        for (unsigned i = RUNS_A_BUDGET; i <= round && budget < w->s->most_states; i += RUNS_A_BUDGET) budget *= 2;
        if (budget > w->s->most_states) budget = w->s->most_states;
        w->walking = round % 2 == 0;
        if (!w->walking) going = search(w, budget);
        for (uint64_t end = w->counts.visited + budget; going && w->walking && w->counts.visited < end;)
            going = walk(w, budget);
    }
}

void *swarm_work(void *context) {
    struct swarm_worker *w = context;
    struct ts *ts = w->s->ts;
    w->worker = ts->ops->worker_new(ts);
    ts_batch_init(&w->batch, ts, 1);
    w->found.classes = memory_get(ts->transitions);
    w->order = memory_get(ts->transitions * sizeof *w->order);
    w->hashes = memory_get(ts->transitions * sizeof *w->hashes);
    trace_init(&w->path, ts->words);
    trace_init(&w->waiting, ts->words);

    work_on(w);

    bitstate_report(&w->s->seen, &w->tally);
    trace_fini(&w->path);
    trace_fini(&w->waiting);
    numbers_fini(&w->frames);
    ts_batch_fini(&w->batch);
    free(w->found.classes);
    free(w->order);
    free(w->hashes);
    ts->ops->worker_free(w->worker);
    pthread_mutex_lock(&w->s->lock);
    w->s->running--;
    pthread_cond_signal(&w->s->changed);
    pthread_mutex_unlock(&w->s->lock);
    return NULL;
}
