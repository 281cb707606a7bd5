#include "graph/components_parallel.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

/* States: the work of one thread at a time; a multiple of 64. Of the next frontier: those that are handed over at a
 * time. */
#ifndef COLOURS_PIECE
#define COLOURS_PIECE 4096
#define COLOURS_BUFFER 256
#endif

enum {
    PIECE = COLOURS_PIECE,
    PIECES_EACH = 16, /* for each thread, before it is asked whether to stop */
    BUFFER = COLOURS_BUFFER,
    FEW = PIECE / 4 /* states of a frontier: not worth waking others */
};

/* While this runs, the number of a state is its colour, or its component with this bit. So the least of some of these
 * numbers is a colour if there is a live state among them. */
#define DONE (UINT32_C(1) << 31)

/* Pieces that need not be looked at. */
enum sleep {
    AWAKE,
    ASLEEP, /* in this round: no colour in it can change any more */
    DEAD    /* ever again: no state is live */
};

struct hand {
    _Alignas(64) uint64_t live; /* states, when a round begins */
    uint32_t lowest;            /* the least of them */
    uint64_t looked;            /* states that were looked at in a sweep */
    uint64_t alone;             /* of them, those that are components on their own */
    uint64_t changed;           /* colours */
    uint32_t count;             /* of the next frontier: */
    uint32_t next[BUFFER];
};

struct work {
    const struct colours *k;
    struct space *s;
    const struct edges *e;
    struct stop *stop;
    uint32_t *of;
    uint64_t live;        /* states when the round began */
    uint32_t lowest;      /* the least of them: who has this colour keeps it */
    uint8_t *sleep;       /* by piece: enum sleep */
    uint64_t block;       /* states that the team deals with at a time */
    uint64_t first, last; /* states of this block: first to last - 1, in pieces */
    bool up;
    struct region queue; /* uint32_t: states that were claimed from others; a frontier is a part of it */
    uint64_t head, end;  /* the frontier */
    _Atomic uint64_t tail;
    struct hand *hands; /* one for each thread */
};

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t load(const uint32_t *at) { return __atomic_load_n(at, __ATOMIC_RELAXED); }
INLINE void store(uint32_t *at, uint32_t value) { __atomic_store_n(at, value, __ATOMIC_RELAXED); }

/* ---- Pieces ---- */

static uint64_t piece_begin(const struct work *w, uint32_t task) { return w->first + (uint64_t)task * PIECE; }
static uint64_t piece_end(const struct work *w, uint32_t task) {
    return w->last - piece_begin(w, task) < PIECE ? w->last : piece_begin(w, task) + PIECE;
}

/* Runs a task on all pieces of all states, a block at a time. */
static bool each_piece(struct work *w, bool up, team_task *task) {
    uint64_t all = w->s->states, block = w->block;
    w->up = up;
    for (uint64_t blocks = (all + block - 1) / block, i = 0; i < blocks; i++) {
        w->first = (up ? i : blocks - 1 - i) * block;
        w->last = all - w->first < block ? all : w->first + block;
        team_run(&w->s->team, (uint32_t)((w->last - w->first + PIECE - 1) / PIECE), task, w);
        if (space_must_stop(w->s, w->k->phase, all - w->live, all, w->stop)) return false;
    }
    return true;
}

/* ---- Sweeps ---- */

/* The least number among the successors of a state, other than itself. */
INLINE uint32_t least_after(const struct work *w, bool some, uint32_t state, uint64_t begin, uint32_t count) {
    const uint32_t *targets = EDGES_TARGETS(w->e) + begin;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = targets[i], value = load(&w->of[to]);
        if (to == state || (some && !bitmap_has(w->k->edges, begin + i))) value = UINT32_MAX;
        if (value < least) least = value;
    }
    return least;
}

/* A live state. */
INLINE void sweep_state(const struct work *w, struct hand *h, bool some, uint32_t state, uint64_t begin,
                        uint32_t count) {
    assert(w->of[state] <= state); /* live; and its colour was its own number, and only decreases */
    uint32_t least = least_after(w, some, state, begin, count);
    h->looked++;
    if (least >= DONE) {
        store(&w->of[state], DONE | (state + 1));
        h->alone++;
        return;
    }
    uint32_t further = load(&w->of[least]); /* what is reached reaches further: half as many sweeps, sometimes */
    if (further < least) least = further;
    if (least < w->of[state]) {
        store(&w->of[state], least);
        h->changed++;
    }
}

INLINE bool can_change(const struct work *w, uint64_t state) { return w->of[state] < DONE && w->of[state] > w->lowest; }

/* Up to 64 states. */
INLINE void sweep_some(const struct work *w, struct hand *h, bool some, bool up, uint64_t first, uint64_t last) {
    const uint16_t *counts = EDGES_COUNTS(w->e);
    uint64_t at = EDGES_STARTS(w->e)[first / 64];
    if (up) {
        for (uint64_t i = first; i < last; at += counts[i++])
            if (can_change(w, i)) sweep_state(w, h, some, (uint32_t)i, at, counts[i]);
        return;
    }
    at = last == w->e->states ? w->e->count : EDGES_STARTS(w->e)[last / 64];
    for (uint64_t i = last; i-- > first;) {
        at -= counts[i];
        if (can_change(w, i)) sweep_state(w, h, some, (uint32_t)i, at, counts[i]);
    }
}

INLINE void sweep_piece(const struct work *w, struct hand *h, bool some, bool up, uint64_t begin, uint64_t end) {
    for (uint64_t n = (end - begin + 63) / 64, i = 0; i < n; i++) {
        uint64_t first = begin + 64 * (up ? i : n - 1 - i);
        sweep_some(w, h, some, up, first, end - first < 64 ? end : first + 64);
    }
}

/* The last piece first, if it goes down. */
static void sweep(void *context, unsigned member, uint32_t task) {
    struct work *w = context;
    struct hand *h = &w->hands[member];
    uint32_t last = (uint32_t)((w->last - w->first - 1) / PIECE);
    uint64_t begin = piece_begin(w, w->up ? task : last - task), end = piece_end(w, w->up ? task : last - task);
    uint64_t before = h->looked;
    if (w->sleep[begin / PIECE] != AWAKE) return;
    if (w->k->edges) w->up ? sweep_piece(w, h, true, true, begin, end) : sweep_piece(w, h, true, false, begin, end);
    else w->up ? sweep_piece(w, h, false, true, begin, end) : sweep_piece(w, h, false, false, begin, end);
    if (h->looked == before) w->sleep[begin / PIECE] = ASLEEP;
}

/* Until no colour changes. False: *stop says why; or the next sweep would be one too many. */
static bool colour(struct work *w, uint64_t *effort) {
    for (bool up = false;; up = !up) {
        uint64_t looked = 0, alone = 0, changed = 0;
        for (unsigned i = 0; i < w->s->team.size; i++) w->hands[i].looked = w->hands[i].alone = w->hands[i].changed = 0;
        if (!each_piece(w, up, sweep)) return false;
        for (unsigned i = 0; i < w->s->team.size; i++) {
            looked += w->hands[i].looked;
            alone += w->hands[i].alone;
            changed += w->hands[i].changed;
        }
        if (changed == 0) return true;
        *effort -= looked < *effort ? looked : *effort;
        if (looked - alone > *effort) return false;
    }
}

/* ---- Components ---- */

static void hand_over(struct work *w, struct hand *h) {
    uint64_t at = atomic_fetch_add_explicit(&w->tail, h->count, memory_order_relaxed);
    assert(at + h->count <= w->s->states); /* no state is claimed twice */
    uint32_t *queue = (uint32_t *)(void *)w->queue.base + at;
    for (uint32_t i = 0; i < h->count; i++) queue[i] = h->next[i];
    h->count = 0;
}

/* Claims the successors of a state of this colour. */
static void spread(struct work *w, struct hand *h, uint32_t colour, uint64_t begin, uint32_t count) {
    const uint32_t *targets = EDGES_TARGETS(w->e) + begin;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *at = &w->of[targets[i]], expected = colour;
        if (load(at) != colour || (w->k->edges && !bitmap_has(w->k->edges, begin + i))) continue;
        if (!__atomic_compare_exchange_n(at, &expected, DONE | (colour + 1), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            continue;
        h->next[h->count++] = targets[i];
        if (h->count == BUFFER) hand_over(w, h);
    }
}

static void claim_roots(void *context, unsigned member, uint32_t task) {
    struct work *w = context;
    struct hand *h = &w->hands[member];
    uint64_t begin = piece_begin(w, task), end = piece_end(w, task), at = EDGES_STARTS(w->e)[begin / 64];
    if (w->sleep[begin / PIECE] == DEAD) return;
    for (uint64_t i = begin; i < end; at += EDGES_COUNTS(w->e)[i++]) {
        if (load(&w->of[i]) != i) continue;
        store(&w->of[i], DONE | (uint32_t)(i + 1));
        spread(w, h, (uint32_t)i, at, EDGES_COUNTS(w->e)[i]);
    }
    hand_over(w, h);
}

static void spread_some(struct work *w, struct hand *h, uint64_t begin, uint64_t end) {
    const uint32_t *queue = (const uint32_t *)(const void *)w->queue.base;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t state = queue[i];
        assert(w->of[state] & DONE);
        spread(w, h, (w->of[state] & ~DONE) - 1, edges_begin(w->e, state), EDGES_COUNTS(w->e)[state]);
    }
    hand_over(w, h);
}

static void spread_piece(void *context, unsigned member, uint32_t task) {
    struct work *w = context;
    uint64_t begin = w->head + (uint64_t)task * BUFFER;
    spread_some(w, &w->hands[member], begin, w->end - begin < BUFFER ? w->end : begin + BUFFER);
}

/* All that is reachable from roots within their colours. */
static bool claim(struct work *w) {
    w->head = w->tail;
    for (unsigned i = 0; i < w->s->team.size; i++) w->hands[i].count = 0;
    if (!each_piece(w, true, claim_roots)) return false;
    while ((w->end = w->tail) > w->head) {
        if (w->end - w->head < FEW) spread_some(w, &w->hands[0], w->head, w->end);
        else team_run(&w->s->team, (uint32_t)((w->end - w->head + BUFFER - 1) / BUFFER), spread_piece, w);
        w->head = w->end;
        if (space_must_stop(w->s, w->k->phase, w->s->states - w->live, w->s->states, w->stop)) return false;
    }
    return true;
}

/* ---- Rounds ---- */

/* Whoever is live gets its own number as its colour. */
static void begin_piece(void *context, unsigned member, uint32_t task) {
    struct work *w = context;
    struct hand *h = &w->hands[member];
    uint64_t live = 0, begin = piece_begin(w, task), end = piece_end(w, task);
    if (w->sleep[begin / PIECE] == DEAD) return;
    for (uint64_t i = begin; i < end; i++) {
        if (w->of[i] & DONE) continue;
        if (i < h->lowest) h->lowest = (uint32_t)i;
        w->of[i] = (uint32_t)i;
        live++;
    }
    h->live += live;
    w->sleep[begin / PIECE] = live ? AWAKE : DEAD;
}

/* False: *stop says why; or so little is left that it is not worth it. */
static bool begin_round(struct work *w) {
    for (unsigned i = 0; i < w->s->team.size; i++) w->hands[i].live = 0, w->hands[i].lowest = UINT32_MAX;
    if (!each_piece(w, true, begin_piece)) return false;
    w->live = 0;
    w->lowest = UINT32_MAX;
    for (unsigned i = 0; i < w->s->team.size; i++) {
        w->live += w->hands[i].live;
        if (w->hands[i].lowest < w->lowest) w->lowest = w->hands[i].lowest;
    }
    return w->live > 0 && w->live >= w->k->effort.least;
}

/* Components without their mark, and 0 for whoever is live. */
static void end_piece(void *context, unsigned member, uint32_t task) {
    struct work *w = context;
    (void)member;
    for (uint64_t i = piece_begin(w, task), end = piece_end(w, task); i < end; i++)
        w->of[i] = w->of[i] & DONE ? w->of[i] & ~DONE : 0;
}

bool colours_run(const struct colours *k, struct stop *stop) {
    uint64_t states = k->s->states, bytes = states * sizeof(uint32_t);
    uint64_t effort = (uint64_t)(k->effort.sweeps * (double)states * k->s->team.size);
    struct work w = {.k = k, .s = k->s, .e = &k->s->edge_list, .stop = stop, .of = k->of, .live = states};
    w.block = (uint64_t)PIECE * PIECES_EACH * k->s->team.size;
    assert(states < DONE && PIECE % 64 == 0);
    *stop = (struct stop){.kind = STOP_DONE};
    if (!memory_fits(bytes, k->s->limits.max_memory)) return true;
    w.sleep = memory_get_zeroed(states / PIECE + 1);
    w.hands = memory_get_lines(k->s->team.size * sizeof *w.hands);
    if (region_init(&w.queue, bytes) && region_grow(&w.queue, bytes)) {
        while (begin_round(&w) && colour(&w, &effort) && claim(&w)) {}
        if (stop->kind == STOP_DONE) each_piece(&w, true, end_piece);
    }
    region_fini(&w.queue);
    free(w.sleep);
    free(w.hands);
    return stop->kind == STOP_DONE;
}
