#include "graph/relevel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

struct relevel {
    struct space *s;
    struct stop *stop;
    struct bitmap known;   /* by slot: on the new trail */
    struct trail trail;    /* the new one; also the queue */
    struct numbers levels; /* of it */
    uint64_t level_end;    /* number of the first state of the next level */
    struct ts_batch batch;
    word *sources;  /* of the batch */
    uint64_t *to;   /* slots of its successors */
    word *followed; /* the state whose number is wanted, or NULL */
    uint64_t found; /* that number */
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

/* Copies the next states of the queue, at most to the end of the level. */
static bool next_batch(struct relevel *r, uint64_t at) {
    assert(at < r->level_end && r->level_end <= r->trail.count);
    uint64_t left = r->level_end - at;
    uint32_t most = left < r->batch.capacity ? (uint32_t)left : r->batch.capacity;
    const word *items = trail_read(&r->trail, at, most, &r->batch.count);
    if (!items) return give_up(r, "the file of states could not be read back");
    space_states(r->s, 0, items, r->batch.count, r->sources);
    r->batch.sources = r->sources;
    return true;
}

static bool expand_batch(struct relevel *r) {
    struct space *s = r->s;
    uint32_t done = s->ts->ops->expand(s->worker, &r->batch);
    if (done < r->batch.count) return give_up(r, "model code fails where it did not fail before");
    uint32_t count = r->batch.ends[done - 1];
    space_find(s, r->batch.successors, count, r->to);
    for (uint32_t e = 0; e < count; e++) {
        if (r->to[e] == STORE_NONE) return give_up(r, "the state space is not complete");
        add(r, r->batch.successors + (size_t)e * s->ts->words, r->to[e]);
    }
    return true;
}

static bool walk_levels(struct relevel *r) {
    uint64_t slot;
    if (!space_state(r->s, 0, r->sources)) return give_up(r, "the file of states could not be read back");
    space_find(r->s, r->sources, 1, &slot);
    add(r, r->sources, slot);
    for (uint64_t at = 0; at < r->trail.count; at += r->batch.count) {
        if (at == r->level_end) {
            numbers_add(&r->levels, at);
            r->level_end = r->trail.count;
        }
        if (!next_batch(r, at) || !expand_batch(r) ||
            space_interrupted(r->s, "tracing back", at, r->s->states, r->stop))
            return false;
    }
    return true;
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
    ts_batch_init(&r.batch, s->ts, ts_batch_states(s->ts));
    r.sources = memory_get((size_t)r.batch.capacity * s->ts->words * sizeof(word));
    r.to = memory_get((size_t)r.batch.capacity * s->ts->transitions * sizeof *r.to);
    trail_init(&r.trail, space_item_words(s));
    bool good = (!number || follow(&r, *number)) && walk_levels(&r);
    if (good) replace(&r);
    if (good && number) *number = r.found;
    assert(!good || !number || *number < s->trail.count);
    trail_fini(&r.trail);
    numbers_fini(&r.levels);
    free(r.followed);
    free(r.sources);
    free(r.to);
    ts_batch_fini(&r.batch);
    bitmap_fini(&r.known);
    return good;
}
