#include "graph/sweep.h"
#include "ts/valuation.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND = 1 << 16,  /* positions that are looked at by one call */
    PICKED = 1 << 12, /* the same, if they are picked, so that states are copied one by one */
    PIECE = 1 << 10,  /* of these, by one thread at a time */
    TASKS_EACH = 8,   /* batches in a round, for each thread, if they are put in order */
};

#define NOWHERE UINT64_MAX

/* A batch that is being made. */
struct sweep_hand {
    struct sweep_batch x;
    struct ts_batch batch;
    char *items; /* the states, as they are on the trail */
    word *states;
    uint64_t *positions, *numbers, *slots, *to;
    uint8_t *classes;
    uint32_t count;
    uint64_t expanded;
    bool differs, incomplete; /* a state had other edges than before; or an edge to what is no state of the space */
    uint64_t failed;          /* the first position where model code failed; or NOWHERE */
    uint64_t failed_number;
    struct ts_fault fault;
};

struct sweep_work {
    struct sweep_hand *hands; /* by thread; if batches are put in order, by task */
    unsigned hand_count;
    uint32_t most;       /* states in a batch */
    uint32_t item_words; /* of a state on the trail */
    /* The round. Its places are positions, counted from the first one. */
    uint32_t count, piece;
    const char *items; /* on the trail, in the order of numbers; or copies, in the order of places */
    uint64_t first;    /* number of the first of them */
    char *picked;
    uint64_t *picked_numbers;
    struct stop *stop; /* of the caller's thread: */
    atomic_bool halt;  /* *stop says why */
    _Atomic uint64_t failed;
};

/* ---- Memory ---- */

static void hand_init(struct sweep_hand *h, const struct sweep *w) {
    const struct sweep_work *k = w->work;
    const struct ts *ts = w->s->ts;
    size_t most = k->most;
    *h = (struct sweep_hand){.failed = NOWHERE};
    if (w->need & SWEEP_EDGES) ts_batch_init(&h->batch, ts, k->most);
    h->batch.count = 0;
    h->batch.unlabelled = !(w->need & SWEEP_LABELS);
    h->items = memory_get(most * k->item_words * sizeof(word));
    h->states = memory_get(most * ts->words * sizeof(word));
    h->numbers = memory_get(most * sizeof *h->numbers);
    h->positions = memory_get(most * sizeof *h->positions);
    if (w->need & SWEEP_SLOTS) h->slots = memory_get(most * sizeof *h->slots);
    if (w->classes) h->classes = memory_get(most);
    if (w->to != SWEEP_TO_STATES) h->to = memory_get((most * ts->transitions + 1) * sizeof *h->to);
    h->x = (struct sweep_batch){.positions = h->positions,
                                .numbers = h->numbers,
                                .slots = h->slots,
                                .states = h->states,
                                .classes = h->classes,
                                .edges = &h->batch,
                                .to = h->to,
                                .room = w->room ? memory_get(most * w->room) : NULL};
}

static void hand_fini(struct sweep_hand *h) {
    ts_batch_fini(&h->batch);
    free(h->items);
    free(h->states);
    free(h->numbers);
    free(h->positions);
    free(h->slots);
    free(h->classes);
    free(h->to);
    free(h->x.room);
}

/* A thread's own memory is near to it if it is the first to write there. */
static void make_hand(void *context, unsigned member, uint32_t task) {
    struct sweep *w = context;
    (void)task;
    for (unsigned i = member; i < w->work->hand_count; i += w->s->team.size) hand_init(&w->work->hands[i], w);
}

void sweep_init(struct sweep *w) {
    struct sweep_work *k = w->work = memory_get_zeroed(sizeof *k);
    unsigned size = w->s->team.size;
    assert(w->to == SWEEP_TO_STATES || (w->need & SWEEP_EDGES));
    assert((w->to == SWEEP_TO_NUMBERS) == (w->numbers != NULL));
    if (!w->trail) w->trail = &w->s->trail;
    if (!w->end) w->end = w->trail->count;
    k->most = w->most ? w->most : ts_batch_states(w->s->ts);
    k->item_words = space_item_words(w->s);
    k->hand_count = w->put && size > 1 ? TASKS_EACH * size : size;
    k->hands = memory_get_zeroed(k->hand_count * sizeof *k->hands);
    if (w->pick) {
        k->picked = memory_get((size_t)PICKED * k->item_words * sizeof(word));
        k->picked_numbers = memory_get(PICKED * sizeof *k->picked_numbers);
    }
    team_each(&w->s->team, make_hand, w);
}

void sweep_fini(struct sweep *w) {
    struct sweep_work *k = w->work;
    if (!k) return;
    for (unsigned i = 0; i < k->hand_count; i++) hand_fini(&k->hands[i]);
    free(k->hands);
    free(k->picked);
    free(k->picked_numbers);
    free(k);
    w->work = NULL;
}

/* ---- Why it ends ---- */

static bool give_up(struct stop *stop, const char *reason) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

static bool unreadable(struct stop *stop) { return give_up(stop, "the file of states could not be read back"); }

static bool different(struct stop *stop) {
    return give_up(
        stop,
        "the model is not deterministic: expanding a state a second time gave different successors (fire must use "
        "nothing but the state)");
}

static bool incomplete(struct stop *stop) { return give_up(stop, "the state space is not complete"); }

static void note_fault(struct sweep *w, struct sweep_hand *h, uint32_t i, const struct ts_fault *fault) {
    uint64_t position = h->positions[i], first = w->work->failed;
    if (position >= h->failed) return;
    h->failed = position;
    h->failed_number = h->numbers[i];
    h->fault = *fault;
    while (position < first && !atomic_compare_exchange_weak(&w->work->failed, &first, position)) {}
}

void sweep_fault(struct sweep *w, const struct sweep_batch *x, uint32_t i, const struct ts_fault *fault) {
    struct sweep_hand *h = (struct sweep_hand *)((uintptr_t)x - offsetof(struct sweep_hand, x));
    assert(i < x->count);
    note_fault(w, h, i, fault);
    h->x.count = i;
}

static bool must_stop(const struct sweep *w, uint64_t done, struct stop *stop) {
    return w->showing ? space_interrupted(w->s, w->phase, done, w->end, stop)
                      : space_must_stop(w->s, w->phase, done, w->end, stop);
}

/* Whether nobody wants to know any more what is there. The caller's thread looks at limits. */
static bool is_over(struct sweep *w, unsigned member, uint32_t place) {
    struct sweep_work *k = w->work;
    uint64_t position = w->next + place;
    if (member == 0 && !k->halt) k->halt = must_stop(w, position, k->stop);
    return k->halt || position > k->failed;
}

/* ---- Batches ---- */

/* Whether states have as many edges as before, as far as that is known. */
static bool are_same(const struct sweep *w, const struct sweep_hand *h, uint32_t count) {
    const struct edges *e = &w->s->edge_list;
    bool known = e->settled && w->trail == &w->s->trail;
    for (uint32_t i = 0; known && i < count; i++)
        if (EDGES_COUNTS(e)[h->numbers[i]] != sweep_end(&h->x, i) - sweep_begin(&h->x, i)) return false;
    return true;
}

static void look_up(const struct sweep *w, struct sweep_hand *h, unsigned member, uint32_t edges) {
    if (w->to == SWEEP_TO_STATES) return;
    struct store_view *view = &w->s->members[member].view;
    if (w->to == SWEEP_TO_KEYS) store_known_keys(&w->s->store, view, h->batch.successors, edges, h->to);
    else store_find(&w->s->store, view, h->batch.successors, edges, h->to);
    for (uint32_t e = 0; e < edges; e++) h->incomplete |= h->to[e] == STORE_NONE;
    assert(w->to == SWEEP_TO_KEYS || store_slots(&w->s->store) > 0); /* slots mean something: the store is settled */
    if (w->to != SWEEP_TO_NUMBERS || h->incomplete) return;
    const uint32_t *numbers = (const uint32_t *)(const void *)w->numbers->base;
    for (uint32_t e = 0; e < edges; e++) h->to[e] = numbers[h->to[e]];
}

/* The batch is as it will be. */
static void finish_batch(struct sweep *w, struct sweep_hand *h, unsigned member) {
    assert(h->count <= w->work->most);
    uint32_t done = h->count;
    if (h->count && (w->need & SWEEP_EDGES)) {
        h->batch.sources = h->states;
        h->batch.count = h->count;
        done = w->s->ts->ops->expand(w->s->members[member].worker, &h->batch);
        assert(ts_batch_is_sound(&h->batch, w->s->ts, done));
        if (done < h->count) note_fault(w, h, done, &h->batch.fault);
        h->expanded += done;
        h->differs |= !are_same(w, h, done);
        look_up(w, h, member, done ? h->batch.ends[done - 1] : 0);
        if (h->differs || h->incomplete) done = 0;
        h->batch.count = done;
    }
    h->x.count = done;
    h->count = 0;
    if (done && w->take) w->take(w->context, member, &h->x);
}

/* The number and the item of the state at a place. */
static uint64_t number_at(const struct sweep *w, uint32_t place) {
    const struct sweep_work *k = w->work;
    return w->pick ? k->picked_numbers[place] : w->backward ? k->first + (k->count - 1 - place) : k->first + place;
}

static const char *item_at(const struct sweep *w, uint32_t place) {
    const struct sweep_work *k = w->work;
    uint32_t at = w->backward ? k->count - 1 - place : place;
    return k->items + (size_t)at * k->item_words * sizeof(word);
}

/* Numbers and items of what is wanted from a place on, until the batch is full. Returns the place after them. */
static uint32_t gather(const struct sweep *w, struct sweep_hand *h, uint32_t place, uint32_t end) {
    size_t bytes = w->work->item_words * sizeof(word);
    for (; place < end && h->count < w->work->most; place++) {
        uint64_t number = number_at(w, place);
        assert(number < w->s->trail.count);
        if (w->wants && !w->wants(w->context, number)) continue;
        memcpy(h->items + h->count * bytes, item_at(w, place), bytes);
        h->numbers[h->count] = number;
        h->positions[h->count++] = w->next + place;
    }
    return place;
}

/* Classes of the states from number `from` of the batch on. Where that fails, the batch ends. */
static void classify(struct sweep *w, struct sweep_hand *h, unsigned member, uint32_t from) {
    struct ts_batch b = {.sources = h->states + (size_t)from * w->s->ts->words,
                         .count = h->count - from,
                         .wanted = w->classes,
                         .classes = h->classes + from};
    uint32_t done = valuation_classify(w->s->ts, w->s->members[member].worker, &b);
    if (done < b.count) note_fault(w, h, from + done, &b.fault);
    h->count = from + done;
}

static void move(const struct sweep *w, struct sweep_hand *h, uint32_t from, uint32_t to) {
    size_t words = w->s->ts->words;
    h->numbers[to] = h->numbers[from];
    h->positions[to] = h->positions[from];
    if (h->slots) h->slots[to] = h->slots[from];
    if (h->classes) h->classes[to] = h->classes[from];
    memcpy(h->states + to * words, h->states + from * words, words * sizeof(word));
}

/* Leaves out the states that do not suit. */
static void choose(struct sweep *w, struct sweep_hand *h, unsigned member, uint32_t from) {
    uint32_t kept = from;
    for (uint32_t i = from; i < h->count; i++) {
        struct sweep_state x = {.number = h->numbers[i], .state = h->states + (size_t)i * w->s->ts->words};
        if (h->slots) x.slot = h->slots[i];
        if (h->classes) x.classes = h->classes[i];
        if (!w->suits(w->context, member, &x)) continue;
        if (kept < i) move(w, h, i, kept);
        kept++;
    }
    h->count = kept;
}

/* What is wanted of the states from number `from` of the batch on, before they are expanded. */
static void look_at(struct sweep *w, struct sweep_hand *h, unsigned member, uint32_t from) {
    struct space *s = w->s;
    bool keys = store_gives_back(&s->store), slots = w->need & SWEEP_SLOTS;
    uint32_t count = h->count - from;
    word *items = (word *)(void *)h->items + (size_t)from * w->work->item_words;
    word *states = h->states + (size_t)from * s->ts->words;
    if (count == 0) return;
    if (slots && keys) store_find_keys(&s->store, items, count, h->slots + from);
    if ((w->need & (SWEEP_STATES | SWEEP_EDGES)) || w->classes || w->suits || (slots && !keys))
        space_states(s, member, items, count, states);
    if (slots && !keys) store_find(&s->store, &s->members[member].view, states, count, h->slots + from);
    if (w->classes) classify(w, h, member, from);
    if (w->suits) choose(w, h, member, from);
}

static void sweep_piece(void *context, unsigned member, uint32_t task) {
    struct sweep *w = context;
    struct sweep_work *k = w->work;
    struct sweep_hand *h = &k->hands[w->put && k->hand_count > 1 ? task : member];
    uint32_t place = task * k->piece, end = k->count - place < k->piece ? k->count : place + k->piece;
    h->count = h->x.count = 0;
    while (place < end && !is_over(w, member, place)) {
        uint32_t from = h->count;
        place = gather(w, h, place, end);
        look_at(w, h, member, from);
        if (h->count == k->most || place == end) finish_batch(w, h, member);
    }
}

/* ---- Rounds ---- */

static bool pick_items(struct sweep *w) {
    struct sweep_work *k = w->work;
    size_t bytes = k->item_words * sizeof(word);
    for (uint32_t i = 0; i < k->count; i++) {
        uint32_t one;
        k->picked_numbers[i] = w->pick(w->context, w->next + i);
        const void *item = trail_read(w->trail, k->picked_numbers[i], 1, &one);
        if (!item) return false;
        memcpy(k->picked + i * bytes, item, bytes);
    }
    k->items = k->picked;
    return true;
}

/* The items of the next round, which are of one part of the trail. */
static bool read_items(struct sweep *w) {
    struct sweep_work *k = w->work;
    struct trail *trail = w->trail;
    uint64_t left = w->end - w->next, most = w->put ? (uint64_t)k->hand_count * k->most : w->pick ? PICKED : ROUND;
    if (w->pick && most > PICKED) most = PICKED;
    k->count = (uint32_t)(left < most ? left : most);
    if (w->pick) return pick_items(w);
    k->first = w->next;
    if (w->backward) {
        uint64_t part = (left - 1) / trail->part_items * trail->part_items;
        k->first = left - part > most ? left - most : part;
        k->count = (uint32_t)(left - k->first);
    }
    k->items = trail_read(trail, k->first, k->count, &k->count);
    return k->items != NULL;
}

/* Gives the batches to `put`, up to the first that is not whole. */
static bool put_batches(struct sweep *w, uint32_t tasks) {
    struct sweep_work *k = w->work;
    for (uint32_t i = 0; i < tasks; i++) {
        struct sweep_hand *h = &k->hands[k->hand_count > 1 ? i : 0];
        if (h->differs || h->incomplete) return true;
        assert(h->x.count == 0 || h->x.positions[h->x.count - 1] < w->next + w->work->count);
        if (h->x.count && !w->put(w->context, &h->x)) return false;
        if (h->failed != NOWHERE) return true;
    }
    return true;
}

/* What the threads have met. False: something that must not be. */
static bool put_together(struct sweep *w, struct stop *stop) {
    struct sweep_work *k = w->work;
    bool differs = false, lacks = false;
    for (unsigned i = 0; i < k->hand_count; i++) {
        struct sweep_hand *h = &k->hands[i];
        w->expanded += h->expanded;
        h->expanded = 0;
        differs |= h->differs;
        lacks |= h->incomplete;
        if (h->failed == NOWHERE || h->failed != k->failed) continue;
        *stop = (struct stop){.kind = STOP_FAULT, .state = h->failed_number, .fault = h->fault};
    }
    return differs ? different(stop) : lacks ? incomplete(stop) : stop->kind == STOP_DONE;
}

enum sweep_end sweep_next(struct sweep *w, struct stop *stop) {
    struct sweep_work *k = w->work;
    *stop = (struct stop){.kind = STOP_DONE};
    if (w->next == w->end) return SWEEP_OVER;
    if (!read_items(w)) return unreadable(stop), SWEEP_GIVEN_UP;
    assert(w->next < w->end && k->count > 0);
    k->piece = w->put ? k->most : PIECE;
    k->stop = stop;
    k->halt = false;
    k->failed = NOWHERE;
    for (unsigned i = 0; i < k->hand_count; i++) k->hands[i].failed = NOWHERE;
    uint32_t tasks = (k->count + k->piece - 1) / k->piece;
    team_run(&w->s->team, tasks, sweep_piece, w);
    if (k->halt) return SWEEP_GIVEN_UP;
    if (w->put && !put_batches(w, tasks)) return SWEEP_GIVEN_UP;
    w->next += k->count;
    /* The caller's thread may have come too late to look at limits meanwhile. */
    return put_together(w, stop) && !must_stop(w, w->next, stop) ? SWEEP_MORE : SWEEP_GIVEN_UP;
}

bool sweep_all(struct sweep *w, struct stop *stop) {
    enum sweep_end end;
    while ((end = sweep_next(w, stop)) == SWEEP_MORE) {}
    return end == SWEEP_OVER;
}

/* ---- Others ---- */

const struct sweep_batch *sweep_one(struct sweep *w, uint64_t number, struct stop *stop) {
    struct sweep_hand *h = &w->work->hands[0];
    uint32_t one;
    assert(w->need & SWEEP_EDGES);
    const void *item = trail_read(w->trail, number, 1, &one);
    *stop = (struct stop){.kind = STOP_DONE};
    if (!item) return unreadable(stop), NULL;
    space_states(w->s, 0, item, 1, h->states);
    h->batch.sources = h->states;
    h->batch.count = 1;
    h->numbers[0] = number;
    if (w->s->ts->ops->expand(w->s->worker, &h->batch) < 1) return different(stop), NULL; /* it did not fail before */
    h->incomplete = false;
    look_up(w, h, 0, h->batch.ends[0]);
    if (!are_same(w, h, 1)) return different(stop), NULL;
    if (h->incomplete) return incomplete(stop), NULL;
    h->x.count = 1;
    return &h->x;
}

static void take_numbers(void *context, unsigned member, const struct sweep_batch *x) {
    struct region *numbers = context;
    (void)member;
    for (uint32_t i = 0; i < x->count; i++) ((uint32_t *)(void *)numbers->base)[x->slots[i]] = (uint32_t)x->numbers[i];
}

bool sweep_number_slots(struct space *s, struct region *numbers, const char *phase, struct stop *stop) {
    struct sweep w = {.s = s, .phase = phase, .context = numbers, .need = SWEEP_SLOTS, .take = take_numbers};
    assert(s->states < UINT32_MAX);
    if (!space_get(s, numbers, store_slots(&s->store) * sizeof(uint32_t)))
        return give_up(stop, "no memory was left for the numbers of the states");
    sweep_init(&w);
    bool good = sweep_all(&w, stop);
    sweep_fini(&w);
    return good;
}
