#include "graph/sweep.h"

#include <stdlib.h>

enum {
    ROUND = 1 << 16, /* states that are looked at by one call */
    PIECE = 1 << 10  /* of these, by one thread at a time */
};

#define NONE UINT64_MAX

/* What a thread needs. */
struct again_hand {
    struct ts_batch batch;
    word *states;
    uint64_t *numbers, *slots;
    uint64_t *to_slots; /* of the successors */
    uint64_t expanded;
    bool differs;    /* a state had other edges than before */
    uint64_t failed; /* the least number of a state where model code failed: */
    struct ts_fault fault;
};

static void make_hand(void *context, unsigned member, uint32_t task) {
    const struct again *a = context;
    struct again_hand *h = &a->hands[member];
    (void)task;
    *h = (struct again_hand){.failed = NONE};
    ts_batch_init(&h->batch, a->s->ts, ts_batch_states(a->s->ts));
    h->batch.count = 0;
    h->states = memory_get((size_t)h->batch.capacity * a->s->ts->words * sizeof(word));
    h->numbers = memory_get(h->batch.capacity * sizeof *h->numbers);
    if (a->slot) h->slots = memory_get(h->batch.capacity * sizeof *h->slots);
    if (a->to_slots)
        h->to_slots = memory_get(((size_t)h->batch.capacity * a->s->ts->transitions + 1) * sizeof *h->to_slots);
}

void again_init(struct again *a) {
    a->hands = memory_get_zeroed(a->s->team.size * sizeof *a->hands);
    team_each(&a->s->team, make_hand, a);
}

void again_fini(struct again *a) {
    for (unsigned i = 0; a->hands && i < a->s->team.size; i++) {
        ts_batch_fini(&a->hands[i].batch);
        free(a->hands[i].states);
        free(a->hands[i].numbers);
        free(a->hands[i].slots);
        free(a->hands[i].to_slots);
    }
    free(a->hands);
}

static bool give_up(struct stop *stop, const char *reason) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

static bool unreadable(struct stop *stop) { return give_up(stop, "the file of states could not be read back"); }

static bool different(struct stop *stop) {
    return give_up(stop, "the model did not do the same again when a state was expanded a second time");
}

/* Whether there are as many edges as before, as far as that is known. */
static bool is_same(const struct again *a, uint64_t number, uint32_t count) {
    return !a->s->edge_list.settled || EDGES_COUNTS(&a->s->edge_list)[number] == count;
}

/* Hands on the first states of the batch. */
static void take_batch(struct again *a, unsigned member, uint32_t count) {
    struct again_hand *h = &a->hands[member];
    struct store_view *view = &a->s->members[member].view;
    struct again_state x = {.batch = &h->batch, .to_slots = h->to_slots};
    if (count == 0) return;
    if (a->slot) store_find(&a->s->store, view, h->states, count, h->slots);
    if (a->to_slots) store_find(&a->s->store, view, h->batch.successors, h->batch.ends[count - 1], h->to_slots);
    for (uint32_t i = 0; i < count; i++, x.begin = x.end) {
        x.number = h->numbers[i];
        x.state = h->states + (size_t)i * a->s->ts->words;
        x.end = h->batch.ends[i];
        if (a->slot) x.slot = h->slots[i];
        if (is_same(a, x.number, x.end - x.begin)) a->take(a->context, member, &x);
        else h->differs = true;
    }
}

static void expand_batch(struct again *a, unsigned member) {
    struct again_hand *h = &a->hands[member];
    h->batch.sources = h->states;
    uint32_t done = h->batch.count ? a->s->ts->ops->expand(a->s->members[member].worker, &h->batch) : 0;
    if (done < h->batch.count && h->numbers[done] < h->failed) {
        h->failed = h->numbers[done];
        h->fault = h->batch.fault;
    }
    take_batch(a, member, done);
    h->expanded += done;
    h->batch.count = 0;
}

static void look_at_piece(void *context, unsigned member, uint32_t task) {
    struct again *a = context;
    struct again_hand *h = &a->hands[member];
    uint32_t begin = task * PIECE, end = a->count - begin < PIECE ? a->count : begin + PIECE;
    for (uint32_t i = begin; i < end; i++) {
        word *state = h->states + (size_t)h->batch.count * a->s->ts->words;
        if (a->wants && !a->wants(a->context, a->next + i)) continue;
        space_states(a->s, member, a->items + i, 1, state);
        if (a->suits && !a->suits(a->context, state)) continue;
        h->numbers[h->batch.count++] = a->next + i;
        if (h->batch.count == h->batch.capacity) expand_batch(a, member);
    }
    expand_batch(a, member);
}

/* What the threads have met. False: something that must not be. */
static bool put_together(struct again *a, struct stop *stop) {
    bool differs = false;
    for (unsigned i = 0; i < a->s->team.size; i++) {
        struct again_hand *h = &a->hands[i];
        a->expanded += h->expanded;
        h->expanded = 0;
        differs |= h->differs;
        if (h->failed != NONE && (stop->kind != STOP_FAULT || h->failed < stop->state))
            *stop = (struct stop){.kind = STOP_FAULT, .state = h->failed, .fault = h->fault};
    }
    return differs ? different(stop) : stop->kind != STOP_FAULT;
}

enum again_end again_next(struct again *a, struct stop *stop) {
    struct space *s = a->s;
    *stop = (struct stop){.kind = STOP_DONE};
    if (a->next == s->states) return AGAIN_OVER;
    a->items = trail_read(&s->trail, a->next, ROUND, &a->count);
    if (!a->items) return unreadable(stop), AGAIN_GIVEN_UP;
    team_run(&s->team, (a->count + PIECE - 1) / PIECE, look_at_piece, a);
    a->next += a->count;
    bool good = put_together(a, stop) && !space_must_stop(s, a->phase, a->next, s->states, stop);
    return good ? AGAIN_MORE : AGAIN_GIVEN_UP;
}

bool again_all(struct again *a, struct stop *stop) {
    enum again_end end;
    while ((end = again_next(a, stop)) == AGAIN_MORE) {}
    return end == AGAIN_OVER;
}

const struct ts_batch *again_one(struct again *a, uint64_t number, struct stop *stop) {
    struct again_hand *h = &a->hands[0];
    *stop = (struct stop){.kind = STOP_DONE};
    if (!space_state(a->s, number, h->states)) return unreadable(stop), NULL;
    h->batch.sources = h->states;
    h->batch.count = 1;
    bool same = a->s->ts->ops->expand(a->s->worker, &h->batch) == 1 &&
                h->batch.ends[0] == EDGES_COUNTS(&a->s->edge_list)[number];
    h->batch.count = 0;
    if (!same) different(stop);
    return same ? &h->batch : NULL;
}
