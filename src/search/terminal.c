#include "search/terminal.h"

#include <stdlib.h>

/* What one look at all edges needs. */
struct look {
    struct terminal_sets *t;
    struct space *s;
    struct ts_batch batch;
    uint64_t *from;       /* slots of the sources */
    struct bitmap left;   /* components that can be left */
    struct region places; /* uint32_t for each component: 1 + its index in t->at */
};

static bool occurs(const struct terminal_set *set, uint32_t action) {
    return set->actions[action / 64] >> (action % 64) & 1;
}

static struct terminal_set *set_of(struct look *l, uint64_t component, uint64_t number) {
    struct terminal_sets *t = l->t;
    uint32_t *place = (uint32_t *)(void *)l->places.base + component;
    if (*place == 0) {
        if (t->count == t->room) {
            t->room = t->room ? 2 * t->room : 16;
            t->at = memory_resize(t->at, t->room * sizeof *t->at);
        }
        t->at[t->count++] =
            (struct terminal_set){component, number, memory_get_zeroed((l->s->ts->actions / 64 + 1) * 8)};
        *place = (uint32_t)t->count;
    }
    return &t->at[*place - 1];
}

/* What occurs in components that cannot be left? */
static void look_for_actions(struct look *l, const struct walk *walk) {
    struct ts *ts = l->s->ts;
    for (uint32_t i = 0, e = 0; i < walk->count; i++) {
        uint64_t component = scc_of(&l->t->components, l->from[i]), number = walk->first + i;
        if (e == l->batch.ends[i] && l->t->dead == TERMINAL_NONE) l->t->dead = number;
        for (; e < l->batch.ends[i]; e++) {
            if (bitmap_has(&l->left, component)) continue;
            const word *state = walk->states + (size_t)i * ts->words;
            struct ts_fault fault;
            uint32_t action = ts->ops->action(l->s->worker, state, l->batch.labels[e], &fault);
            set_of(l, component, number)->actions[action / 64] |= UINT64_C(1) << action % 64;
        }
    }
}

static bool look_at_edges(struct look *l, struct stop *stop) {
    struct space *s = l->s;
    struct walk walk;
    walk_init(&walk, s, false, 0, l->batch.capacity);
    while (walk_next(&walk, stop)) {
        l->batch.sources = walk.states;
        l->batch.count = walk.count;
        if (s->ts->ops->expand(s->worker, &l->batch) < walk.count) {
            *stop = (struct stop){.kind = STOP_FAULT, .state = walk.first, .fault = l->batch.fault};
            break;
        }
        space_find(s, walk.states, walk.count, l->from);
        look_for_actions(l, &walk);
        if (space_must_stop(s, "terminal components", walk.at, s->states, stop)) break;
    }
    walk_fini(&walk);
    return stop->kind == STOP_DONE;
}

bool terminal_run(struct terminal_sets *t, struct space *s, struct stop *stop) {
    struct look l = {.t = t, .s = s};
    *t = (struct terminal_sets){.components.phase = "terminal components", .dead = TERMINAL_NONE};
    if (!scc_run(&t->components, s, stop)) return false;
    uint64_t components = s->states + 1;
    bool good = space_get_bits(s, &l.left, components) && space_get(s, &l.places, components * sizeof(uint32_t));
    if (!good) *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the terminal components"};
    ts_batch_init(&l.batch, s->ts, ts_batch_states(s->ts));
    l.from = memory_get(l.batch.capacity * sizeof *l.from);
    good = good && scc_find_leavable(&t->components, s, &l.left, stop) && look_at_edges(&l, stop);
    free(l.from);
    ts_batch_fini(&l.batch);
    bitmap_fini(&l.left);
    region_fini(&l.places);
    return good;
}

void terminal_fini(struct terminal_sets *t) {
    scc_fini(&t->components);
    for (uint64_t i = 0; i < t->count; i++) free(t->at[i].actions);
    free(t->at);
}

static bool occurs_one_of(const struct terminal_set *set, const struct ts *ts, const bool *actions) {
    for (uint32_t a = 0; a < ts->actions; a++)
        if (actions[a] && occurs(set, a)) return true;
    return false;
}

uint64_t terminal_failure(const struct terminal_sets *t, const struct ts *ts, const struct ts_progress *test,
                          const struct terminal_set **set) {
    uint64_t first = test->when ? TERMINAL_NONE : t->dead;
    *set = NULL;
    for (uint64_t i = 0; i < t->count; i++) {
        const struct terminal_set *at = &t->at[i];
        if (at->first >= first || occurs_one_of(at, ts, test->then)) continue;
        if (test->when && !occurs_one_of(at, ts, test->when)) continue;
        first = at->first;
        *set = at;
    }
    return first;
}

bool terminal_lacks(const struct terminal_sets *t, uint32_t action) {
    for (uint64_t i = 0; i < t->count; i++)
        if (!occurs(&t->at[i], action)) return true;
    return t->dead != TERMINAL_NONE;
}
