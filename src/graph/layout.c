#include "graph/layout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/clusters.h"

enum { SOME = 256 }; /* keys at a time */

/* From old keys to new ones. */
struct rekeying {
    struct space *s;
    struct store store; /* the new one */
    struct store_view from, to;
    struct trail trail; /* the new one */
    word *states;
};

static void rekey(struct rekeying *r, const uint64_t *old, uint32_t n, uint64_t *new) {
    assert(n <= SOME);
    store_states(&r->s->store, &r->from, old, n, r->states);
    store_known_keys(&r->store, &r->to, r->states, n, new);
    for (uint32_t i = 0; i < n; i++) assert(new[i] != STORE_NONE); /* all states have been taken over */
}

static bool rekey_trail(struct rekeying *r) {
    struct trail *old = &r->s->trail;
    uint64_t keys[SOME];
    for (uint64_t at = 0; at < old->count;) {
        uint32_t n;
        const uint64_t *items = trail_read(old, at, SOME, &n);
        if (!items) return false;
        rekey(r, items, n, keys);
        trail_add_run(&r->trail, keys, n);
        at += n;
    }
    return true;
}

static void rekey_edges(void *context, uint64_t *keys, uint32_t n) { rekey(context, keys, n, keys); }

/* What has new keys takes the place of what had old ones. */
static void settle(struct rekeying *r) {
    struct space *s = r->s;
    struct trail old = s->trail;
    edges_change_keys(s, rekey_edges, r, SOME);
    s->trail = r->trail;
    r->trail = old;
    store_replace(&s->store, &r->store);
    for (unsigned i = 0; i < s->team.size; i++) {
        store_view_fini(&s->members[i].view);
        store_view_init(&s->members[i].view, &s->store);
    }
}

static bool change(struct space *s, const struct grouping *g) {
    struct rekeying r = {.s = s};
    assert(store_gives_back(&s->store) && s->ts->words > 1);
    if (!store_init_again(&r.store, &s->store, g)) return false;
    bool good = store_take_all(&r.store, &s->store);
    if (good) {
        r.states = memory_get(SOME * s->ts->words * sizeof(word));
        store_view_init(&r.from, &s->store);
        store_view_init(&r.to, &r.store);
        trail_init_items(&r.trail, s->trail.item_bytes, s->trail.keep * s->trail.part_items * s->trail.item_bytes);
        good = rekey_trail(&r);
        if (good) settle(&r);
        trail_fini(&r.trail);
        store_view_fini(&r.from);
        store_view_fini(&r.to);
        free(r.states);
    }
    if (!good) store_fini(&r.store);
    return good;
}

/* Spread evenly over all states. False: they could not be read. */
static bool take_sample(struct space *s, word *sample, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!space_state(s, (uint64_t)i * s->trail.count / n, sample + (size_t)i * s->ts->words)) return false;
    return true;
}

bool layout_by_components(struct space *s) {
    struct grouping g = {0};
    const struct ts *ts = s->ts;
    uint32_t n = s->trail.count < CLUSTERS_SAMPLE ? (uint32_t)s->trail.count : CLUSTERS_SAMPLE;
    word *sample = memory_get((size_t)n * ts->words * sizeof(word));
    bool good = take_sample(s, sample, n) && clusters_find(&g, ts->element_bits, ts->elements, ts->bits, sample, n) &&
                change(s, &g);
    grouping_fini(&g);
    free(sample);
    return good;
}

bool layout_by_parts(struct space *s) { return change(s, NULL); }
