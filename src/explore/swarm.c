#include "explore/swarm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "graph/shorten.h"
#include "explore/swarm_worker.h"

enum {
    DEPTH = 1 << 20,       /* of executions, unless told otherwise */
    MOST_STATES = 1 << 22, /* of a search */
    FEWEST_STATES = 1 << 10,
    BYTES_A_STATE = 4, /* of its memory */
    SHARED_BYTES = 64 << 20,
    STACK_BYTES = 64 << 20, /* of a thread */
};
static const double GLANCE = 0.05, TICK = 0.2; /* seconds: how often limits are looked at, and the ticker called */

static uint64_t at_most(uint64_t n, uint64_t most) { return n < most ? n : most; }

/* ---- Ending ---- */

bool swarm_end(struct swarm *s, const struct stop *stop) {
    pthread_mutex_lock(&s->lock);
    bool first = !s->ended;
    if (first) s->result->stop = *stop;
    __atomic_store_n(&s->ended, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&s->lock);
    return first;
}

static const char *limit_reached(const struct limits *l, double now) {
    if (l->interrupted && *l->interrupted) return "interrupted";
    if (l->deadline > 0 && now >= l->deadline) return "the limit on time (--time) was reached";
    if (memory_resident() > l->max_memory) return "the limit on memory (--max-memory) was reached";
    return NULL;
}

/* ---- Counts ---- */

static void add_up(struct swarm_result *r, struct swarm_worker *const *workers, unsigned count) {
    r->visited = r->edges = r->terminals = r->walks = r->searches = r->deepest = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct swarm_counts *c = &workers[i]->counts;
        r->visited += COUNTED(c, visited);
        r->edges += COUNTED(c, edges);
        r->terminals += COUNTED(c, terminals);
        r->walks += COUNTED(c, walks);
        r->searches += COUNTED(c, searches);
        if (COUNTED(c, deepest) > r->deepest) r->deepest = COUNTED(c, deepest);
    }
}

/* When all threads have ended. */
static void estimate(struct swarm_result *r, const struct swarm *s, struct swarm_worker *const *workers) {
    uint64_t visited = 0, fresh = 0;
    for (unsigned i = 0; i < r->threads; i++) {
        visited += workers[i]->counts.visited - workers[i]->mark.visited;
        fresh += workers[i]->counts.fresh - workers[i]->mark.fresh;
    }
    assert(fresh <= visited); /* since the same moment */
    r->distinct = (double)s->seen.states + bitstate_omitted(&s->seen);
    r->coverage = visited ? 1 - (double)fresh / (double)visited : 0;
}

static void tick(const struct swarm *s, struct swarm_worker *const *workers, unsigned count, double start, double now) {
    const struct ticker *ticker = &s->o->ticker;
    double deadline = s->o->limits.deadline, all = deadline > 0 ? deadline - start : 0, passed = now - start;
    if (deadline > 0 && passed > all) passed = all; /* threads that are about to end may take a while */
    struct swarm_result r = {0};
    struct space space = {.ts = s->ts};
    add_up(&r, workers, count);
    for (unsigned i = 0; i < count; i++) space.states += COUNTED(&workers[i]->counts, fresh);
    space.edges = r.edges;
    space.terminals = r.terminals;
    ticker->tick(ticker->context, &space, "random search", (uint64_t)(passed * 1000), (uint64_t)(all * 1000));
}

/* ---- Threads ---- */

static void wait_a_little(struct swarm *s, double until) {
    struct timespec time = {(time_t)until, (long)((until - (double)(time_t)until) * 1e9)};
    pthread_cond_timedwait(&s->changed, &s->lock, &time);
}

/* Looks at the clock until all threads have ended. */
static void watch(struct swarm *s, struct swarm_worker *const *workers, unsigned count) {
    double start = clock_seconds(), next_tick = start + TICK, deadline = s->o->limits.deadline;
    pthread_mutex_lock(&s->lock);
    while (s->running > 0) {
        double now = clock_seconds(), until = now + GLANCE;
        const char *reason = s->ended ? NULL : limit_reached(&s->o->limits, now);
        if (deadline > now && deadline < until) until = deadline;
        if (!reason) wait_a_little(s, until);
        pthread_mutex_unlock(&s->lock);
        if (reason) swarm_end(s, &(struct stop){.kind = STOP_LIMIT, .reason = reason});
        if (!reason && s->o->ticker.tick && now >= next_tick) {
            tick(s, workers, count, start, now);
            next_tick = now + TICK;
        }
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
}

/* As many threads as the system lets us have. */
static unsigned start_threads(struct swarm *s, struct swarm_worker **workers, unsigned wanted) {
    uint64_t visits = s->o->limits.max_states;
    unsigned started = 0;
    pthread_mutex_lock(&s->lock);
    for (; started < wanted; started++) {
        struct swarm_worker *w = workers[started] = memory_get_lines(sizeof *w);
        w->s = s;
        w->number = started;
        w->quota = visits / wanted + (started < visits % wanted);
        if (visits && !w->quota) w->quota = 1;
        if (pthread_create(&w->thread, NULL, swarm_work, w) != 0) {
            free(w);
            break;
        }
    }
    s->running = started;
    pthread_mutex_unlock(&s->lock);
    return started;
}

static void run_threads(struct swarm *s, struct swarm_result *r, unsigned wanted) {
    struct swarm_worker **workers = memory_get(wanted * sizeof(struct swarm_worker *));
    r->threads = start_threads(s, workers, wanted);
    watch(s, workers, r->threads);
    for (unsigned i = 0; i < r->threads; i++) pthread_join(workers[i]->thread, NULL);
    const char *reason = r->threads ? "the limit on states (--max-states) was reached" : "no thread could be started";
    swarm_end(s, &(struct stop){.kind = STOP_LIMIT, .reason = reason}); /* if nothing else has ended it */
    add_up(r, workers, r->threads);
    estimate(r, s, workers);
    for (unsigned i = 0; i < r->threads; i++) free(workers[i]);
    free(workers);
}

/* ---- All of it ---- */

static void share_memory(struct swarm *s, unsigned threads) {
    uint64_t part = s->o->limits.max_memory / 8, own = part / threads;
    uint64_t entry = s->ts->words * sizeof(word) + sizeof(uint32_t) + sizeof(bool);
    uint64_t entries = at_most(own, STACK_BYTES) / 2 / entry; /* stacks double when they grow */
    s->most_states = at_most(own / BYTES_A_STATE, MOST_STATES);
    if (s->most_states < FEWEST_STATES) s->most_states = FEWEST_STATES;
    s->depth = at_most(s->o->depth ? s->o->depth : DEPTH, entries / 2 + 1);
    s->most_waiting = entries / 2;
}

static void init_lock(struct swarm *s) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&s->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&s->lock, NULL);
}

void swarm_run(struct swarm_result *r, struct trace *t, struct ts *ts, struct ts_worker *w, const word *start,
               const struct swarm_options *o) {
    struct swarm s = {.ts = ts, .start = start, .o = o, .result = r, .trace = t};
    unsigned threads = o->threads ? o->threads : 1;
    *r = (struct swarm_result){0};
    share_memory(&s, threads);
    if (!bitstate_init(&s.seen, at_most(o->limits.max_memory / 8, SHARED_BYTES), 0)) {
        r->stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory for the states: " MEMORY_ADVICE};
        return;
    }
    init_lock(&s);
    run_threads(&s, r, threads);
    if (r->stop.kind != STOP_LIMIT) {
        trace_shorten(t, ts, w, o->limits.interrupted);
        r->stop.state = t->count - 1;
    }
    pthread_cond_destroy(&s.changed);
    pthread_mutex_destroy(&s.lock);
    bitstate_fini(&s.seen);
}
