#include "explore/dfs_stack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { STATES_A_CHECK = 16 };

bool emptiness_no_memory(struct emptiness *x) {
    x->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the limit on memory (--max-memory) was reached"};
    return false;
}

bool emptiness_fault(struct emptiness *x, const word *state, const struct ts_fault *fault) {
    x->stop = (struct stop){.kind = STOP_FAULT, .fault = *fault};
    x->found.count = 0;
    found_add(&x->found, x->p, state);
    return false;
}

bool emptiness_judge(struct emptiness *x, const word *state) {
    uint8_t accept = product_accept(x->p, state);
    bool ends = (accept & ACCEPT_DEADLOCK) && product_view(x->s->worker).ended[0];
    if (!ends && !(accept & ACCEPT_FINITE)) return true;
    x->found.kind = accept & ACCEPT_FINITE ? FOUND_PREFIX : FOUND_END;
    x->found.count = 0;
    found_add(&x->found, x->p, state);
    return false;
}

void found_add(struct found *f, const struct product *p, const word *state) {
    uint32_t words = p->ts.words;
    if (f->count == f->room) {
        f->room = f->room ? 2 * f->room : 64;
        f->states = memory_resize(f->states, (size_t)f->room * words * sizeof(word));
    }
    word *to = f->states + (size_t)f->count++ * words;
    memcpy(to, state, words * sizeof(word));
    product_flag(p, to, false);
}

void found_fini(struct found *f) {
    free(f->states);
    numbers_fini(&f->labels);
}

enum inserted emptiness_insert(struct emptiness *x, word *state, bool flag) {
    uint32_t fresh, fresh_count;
    product_flag(x->p, state, flag);
    bool good = space_insert(x->s, state, 1, &fresh, &fresh_count) == 1;
    product_flag(x->p, state, false);
    if (!good) return emptiness_no_memory(x), INSERTED_NOT;
    if (fresh_count && flag) x->twice++;
    return fresh_count == 1 ? INSERTED_NEW : INSERTED_BEFORE;
}

bool emptiness_known(struct emptiness *x, word *state, bool flag) {
    uint64_t slot;
    product_flag(x->p, state, flag);
    space_find(x->s, state, 1, &slot);
    product_flag(x->p, state, false);
    return slot != STORE_NONE;
}

bool descent_init(struct descent *d, struct emptiness *x) {
    const struct ts *ts = &x->p->ts;
    uint64_t most = x->s->limits.max_memory;
    *d = (struct descent){.x = x};
    ts_batch_init(&d->batch, ts, 1);
    d->next = memory_get((ts->words + 1) * sizeof(word));
    return (open_init(&d->open, ts->words, true, most) && region_init_within(&d->frames, most) &&
            region_init_within(&d->pending, most)) ||
           emptiness_no_memory(x);
}

void descent_fini(struct descent *d) {
    ts_batch_fini(&d->batch);
    open_fini(&d->open);
    region_fini(&d->frames);
    region_fini(&d->pending);
    free(d->next);
}

static word *pending_at(const struct descent *d, uint64_t i) {
    return (word *)(void *)d->pending.base + i * (d->x->p->ts.words + 1);
}

static void put_pending(struct descent *d, uint32_t e, uint8_t kind) {
    uint32_t words = d->x->p->ts.words;
    word *to = pending_at(d, d->pending_count++);
    memcpy(to, d->batch.successors + (size_t)e * words, words * sizeof(word));
    to[words] = kind;
}

/* Where errors are to be looked for. */
static bool accepts(const struct product *p, const word *state) {
    return (product_accept(p, state) & (ACCEPT_INFINITE | ACCEPT_LIVELOCK | ACCEPT_FINITE)) != 0;
}

/* The successors [from, to), of one move of the model: those where errors are to be looked for come first, or last. */
static void put_choices(struct descent *d, uint32_t from, uint32_t to, const uint8_t *kinds) {
    const struct product *p = d->x->p;
    bool last = d->x->favour == FAVOUR_ERROR_LAST;
    for (int round = 0; round < 2; round++)
        for (uint32_t e = to; e-- > from;)
            if (accepts(p, d->batch.successors + (size_t)e * p->ts.words) == (last == (round == 0)))
                put_pending(d, e, kinds[e]);
}

/* What comes first is put last. */
static void put_successors(struct descent *d, uint32_t count, const uint8_t *kinds) {
    const struct product *p = d->x->p;
    for (uint32_t e = count; e > 0;) {
        uint32_t to = e--, move = product_move(p, d->batch.labels[e]);
        if (d->x->favour == FAVOUR_NONE) {
            put_pending(d, e, kinds[e]);
            continue;
        }
        while (e > 0 && product_move(p, d->batch.labels[e - 1]) == move) e--;
        put_choices(d, e, to, kinds);
    }
}

bool descent_enter(struct descent *d, const word *new_state) {
    struct emptiness *x = d->x;
    struct space *s = x->s;
    if (!open_push(&d->open, new_state) || !open_room(&d->frames, (d->depth + 1) * sizeof(struct descent_frame)))
        return emptiness_no_memory(x);
    const word *state = open_state(&d->open, d->open.count - 1);
    d->batch.sources = state;
    d->batch.count = 1;
    if (s->ts->ops->expand(s->worker, &d->batch) < 1) return emptiness_fault(x, state, &d->batch.fault);
    assert(ts_batch_is_sound(&d->batch, s->ts, 1));
    if (!emptiness_judge(x, state)) return false;
    uint32_t count = d->batch.ends[0];
    if (!open_room(&d->pending, (d->pending_count + count + 1) * (s->ts->words + UINT64_C(1)) * sizeof(word)))
        return emptiness_no_memory(x);
    put_successors(d, count, product_view(s->worker).edges);
    *descent_at(d, d->depth++) =
        (struct descent_frame){.position = d->open.count - 1, .left = count, .low = d->open.count - 1};
    s->edges += count;
    if (d->depth > s->deepest) s->deepest = d->depth;
    return ++d->entered % STATES_A_CHECK != 0 ||
           !space_must_stop(s, "exploring", s->states - d->open.count, s->states, &x->stop);
}

bool descent_next(struct descent *d, uint8_t *kind) {
    struct descent_frame *f = descent_top(d);
    uint32_t words = d->x->p->ts.words;
    if (f->left == 0) return false;
    f->left--;
    assert(d->pending_count > 0);
    const word *from = pending_at(d, --d->pending_count);
    memcpy(d->next, from, words * sizeof(word));
    *kind = (uint8_t)from[words];
    return true;
}

/* ---- Searches within searches ---- */

bool descent_begin(struct descent *outer, struct descent *inner, struct emptiness *x) {
    struct ts_fault fault;
    x->stop = (struct stop){.kind = STOP_DONE};
    bool good = descent_init(outer, x);
    good = descent_init(inner, x) && good;
    if (good && !x->s->ts->ops->initial(x->s->worker, outer->next, &fault)) {
        x->stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
        return false;
    }
    return good && emptiness_insert(x, outer->next, false) == INSERTED_NEW;
}

bool descent_report(struct descent *outer, uint32_t position, const struct descent *inner) {
    struct emptiness *x = outer->x;
    assert(position < outer->open.count);
    x->found.kind = FOUND_CYCLE;
    for (uint32_t i = position; i < outer->open.count; i++) found_add(&x->found, x->p, open_state(&outer->open, i));
    for (uint64_t i = 0; inner && i < inner->depth; i++) /* it may have begun on the outer stack */
        if (open_find(&outer->open, descent_state(inner, i)) == OPEN_NONE)
            found_add(&x->found, x->p, descent_state(inner, i));
    return false;
}

bool descent_search_back(struct descent *outer, struct descent *inner, const word *start) {
    struct emptiness *x = outer->x;
    uint8_t kind;
    inner->depth = inner->pending_count = 0;
    open_pop(&inner->open, 0);
    if (!descent_enter(inner, start)) return false;
    while (inner->depth > 0) {
        if (!descent_next(inner, &kind)) {
            open_pop(&inner->open, descent_top(inner)->position);
            descent_pop(inner);
            continue;
        }
        uint32_t position = open_find(&outer->open, inner->next);
        if (position != OPEN_NONE) return descent_report(outer, position, inner);
        enum inserted inserted = emptiness_insert(x, inner->next, true);
        if (inserted == INSERTED_NOT) return false;
        if (inserted == INSERTED_NEW && !descent_enter(inner, inner->next)) return false;
    }
    return true;
}
