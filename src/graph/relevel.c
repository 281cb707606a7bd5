#include "graph/relevel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "graph/sweep.h"

struct relevel {
    struct space *s;
    struct stop *stop;
    struct bitmap known;   /* by slot: on the new trail */
    struct trail trail;    /* the new one; also the queue */
    struct numbers levels; /* of it */
    word *followed;        /* the state whose number is wanted, or NULL */
    uint64_t found;        /* that number */
};

static bool give_up(struct relevel *r, const char *reason) {
    *r->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

static void add(struct relevel *r, const word *state, uint64_t slot) {
    uint32_t words = r->s->ts->words;
    if (bitmap_has(&r->known, slot)) return;
    bitmap_add(&r->known, slot);
    if (r->followed && memcmp(r->followed, state, words * sizeof(word)) == 0) r->found = r->trail.count;
    space_add_to(r->s, &r->trail, state);
}

static bool put(void *context, const struct sweep_batch *x) {
    struct relevel *r = context;
    for (uint32_t e = 0; e < sweep_begin(x, x->count); e++)
        add(r, x->edges->successors + (size_t)e * r->s->ts->words, x->to[e]);
    return true;
}

static bool add_first(struct relevel *r) {
    uint64_t slot;
    word *state = memory_get(r->s->ts->words * sizeof(word));
    bool good = space_state(r->s, 0, state) || give_up(r, "the file of states could not be read back");
    if (good) {
        space_find(r->s, state, 1, &slot);
        add(r, state, slot);
    }
    free(state);
    return good;
}

/* All threads expand a level; what they find is added in the order of one thread. */
static bool sweep_levels(struct relevel *r) {
    struct sweep w = {.s = r->s,
                      .phase = "tracing back",
                      .context = r,
                      .need = SWEEP_EDGES,
                      .to = SWEEP_TO_SLOTS,
                      .trail = &r->trail,
                      .showing = true,
                      .put = put};
    bool good = true;
    sweep_init(&w);
    while (good && w.next < r->trail.count) {
        numbers_add(&r->levels, w.next);
        sweep_again(&w, w.next, r->trail.count);
        good = sweep_all(&w, r->stop);
    }
    sweep_fini(&w);
    if (r->stop->kind == STOP_FAULT) give_up(r, "model code fails where it did not fail before");
    return good;
}

/* Copies the state whose number is wanted. */
static bool follow(struct relevel *r, uint64_t number) {
    r->followed = memory_get(r->s->ts->words * sizeof(word));
    return space_state(r->s, number, r->followed) || give_up(r, "the file of states could not be read back");
}

/* The new trail and its levels take the place of the old one. */
static void replace(struct relevel *r) {
    struct space *s = r->s;
    assert(r->trail.count == s->trail.count); /* the same states, all of them, in another order */
    struct trail old = s->trail;
    s->trail = r->trail;
    r->trail = old;
    s->levels = r->levels;
    r->levels = (struct numbers){0};
    edges_drop(s); /* they are by number */
}

bool space_relevel(struct space *s, uint64_t *number, struct stop *stop) {
    struct relevel r = {.s = s, .stop = stop};
    *stop = (struct stop){.kind = STOP_DONE};
    if (s->levels.count) return true;
    if (!bitmap_init(&r.known, store_slots(&s->store))) return give_up(&r, "no memory was left for the counterexample");
    trail_init(&r.trail, space_item_words(s));
    bool good = (!number || follow(&r, *number)) && add_first(&r) && sweep_levels(&r);
    if (good) replace(&r);
    if (good && number) *number = r.found;
    assert(!good || !number || *number < s->trail.count);
    trail_fini(&r.trail);
    numbers_fini(&r.levels);
    free(r.followed);
    bitmap_fini(&r.known);
    return good;
}
