#include "graph/bottom.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "graph/components.h"
#include "graph/sweep.h"

struct terminal_own {
    struct space *s;
    struct scc components;
};

static bool is_inside(const void *context, const word *state) {
    const struct terminal_set *set = context;
    uint64_t slot;
    space_find(set->own->s, state, 1, &slot);
    return slot != STORE_NONE && scc_of(&set->own->components, slot) == set->component;
}

/* A set while threads add to it. */
struct growing {
    struct terminal_set set;
    struct growing *before; /* the one that was made before it */
};

/* What one look at all edges needs. */
struct look {
    struct terminal_sets *t;
    struct space *s;
    bool kept;            /* the components are known by number, and the edges are there */
    struct bitmap left;   /* components that can be left */
    struct region places; /* struct growing * for each component; NULL: there is none yet */
    struct growing *last; /* of all that were made */
    uint64_t *dead;       /* by thread: the least number of a state without successors */
    atomic_bool failed;   /* the model did not tell an action */
};

static bool occurs(const struct terminal_set *set, uint32_t action) {
    return set->actions[action / 64] >> (action % 64) & 1;
}

/* ---- What all threads do ---- */

static struct growing *make_set(const struct look *l, uint64_t component, uint64_t number) {
    struct growing *g = memory_get(sizeof *g);
    g->set = (struct terminal_set){.first = number,
                                   .actions = memory_get_zeroed((l->s->ts->actions / 64 + 1) * 8),
                                   .own = l->t->own,
                                   .component = component};
    g->before = NULL;
    return g;
}

static void free_set(struct growing *g) {
    free(g->set.actions);
    free(g);
}

/* The set of a component; a new one, unless another thread makes it at the same time and is quicker. */
static struct terminal_set *set_of(struct look *l, uint64_t component, uint64_t number) {
    struct growing **place = (struct growing **)(void *)l->places.base + component;
    assert(component >= 1 && component <= l->s->states);
    struct growing *g = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (g) return &g->set;
    struct growing *made = make_set(l, component, number);
    if (!__atomic_compare_exchange_n(place, &g, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        free_set(made);
        return &g->set;
    }
    made->before = __atomic_load_n(&l->last, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&l->last, &made->before, made, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {}
    return &made->set;
}

static void add_state(struct terminal_set *set, uint64_t number) {
    uint64_t first = __atomic_load_n(&set->first, __ATOMIC_RELAXED);
    while (number < first &&
           !__atomic_compare_exchange_n(&set->first, &first, number, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

/* Most are there already, and then nothing is written that other threads read. */
static void add_action(struct terminal_set *set, uint32_t action) {
    uint64_t *some = &set->actions[action / 64], bit = UINT64_C(1) << action % 64;
    if (!(__atomic_load_n(some, __ATOMIC_RELAXED) & bit)) __atomic_fetch_or(some, bit, __ATOMIC_RELAXED);
}

/* Whether a state must be expanded, if that is known beforehand: something occurs that cannot be left. */
static bool wants(const void *context, uint64_t number) {
    const struct look *l = context;
    return !l->kept || (EDGES_COUNTS(&l->s->edge_list)[number] > 0 &&
                        !bitmap_has(&l->left, strong_of(&l->t->own->components.strong, number)));
}

static void take_state(struct look *l, unsigned member, const struct sweep_batch *x, uint32_t i) {
    const struct scc *c = &l->t->own->components;
    uint32_t begin = sweep_begin(x, i), end = sweep_end(x, i);
    if (begin == end) {
        assert(!l->kept); /* with kept edges, such states are not wanted */
        if (x->numbers[i] < l->dead[member]) l->dead[member] = x->numbers[i];
        return;
    }
    uint64_t component = l->kept ? strong_of(&c->strong, x->numbers[i]) : scc_of(c, x->slots[i]);
    if (bitmap_has(&l->left, component)) return;
    struct terminal_set *set = set_of(l, component, x->numbers[i]);
    add_state(set, x->numbers[i]);
    for (uint32_t e = begin; e < end; e++) {
        struct ts_fault fault;
        struct ts_worker *w = l->s->members[member].worker;
        const word *state = x->states + (size_t)i * l->s->ts->words;
        uint32_t action = l->s->ts->ops->action(w, state, x->edges->labels[e], &fault);
        assert(action == TS_NONE || action < l->s->ts->actions);
        if (action == TS_NONE) atomic_store(&l->failed, true);
        else add_action(set, action);
    }
}

static void take(void *context, unsigned member, const struct sweep_batch *x) {
    for (uint32_t i = 0; i < x->count; i++) take_state(context, member, x, i);
}

/* ---- What comes of it, whatever threads there were ---- */

static int compare_firsts(const void *a, const void *b) {
    const struct terminal_set *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void gather_sets(struct look *l) {
    struct terminal_sets *t = l->t;
    for (const struct growing *g = l->last; g; g = g->before) t->count++;
    t->at = memory_get((t->count + 1) * sizeof *t->at);
    uint64_t k = 0;
    for (struct growing *g = l->last, *before; g; g = before) {
        before = g->before;
        t->at[k++] = g->set;
        free(g);
    }
    qsort(t->at, t->count, sizeof *t->at, compare_firsts);
    for (k = 0; k < t->count; k++) t->at[k].states = (struct node_set){is_inside, &t->at[k]};
}

/* States that are kept without edges are not expanded. */
static void find_dead(struct look *l) {
    const uint16_t *counts = EDGES_COUNTS(&l->s->edge_list);
    uint64_t number = 0;
    for (unsigned i = 0; i < l->s->team.size; i++)
        if (l->dead[i] < l->t->dead) l->t->dead = l->dead[i];
    while (l->kept && number < l->s->states && counts[number] > 0) number++;
    if (l->kept && number < l->s->states) l->t->dead = number;
}

static bool look_at_edges(struct look *l, struct stop *stop) {
    struct space *s = l->s;
    struct sweep w = {.s = s,
                      .phase = l->t->own->components.phase,
                      .context = l,
                      .need = SWEEP_STATES | SWEEP_EDGES | SWEEP_LABELS | (l->kept ? 0u : SWEEP_SLOTS),
                      .wants = wants,
                      .take = take};
    l->dead = memory_get(s->team.size * sizeof *l->dead);
    for (unsigned i = 0; i < s->team.size; i++) l->dead[i] = TERMINAL_NONE;
    sweep_init(&w);
    bool good = sweep_all(&w, stop);
    sweep_fini(&w);
    gather_sets(l);
    find_dead(l);
    free(l->dead);
    if (good && l->failed) {
        *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the model could not tell the action of a transition"};
        return false;
    }
    return good;
}

bool terminal_run(struct terminal_sets *t, struct space *s, struct stop *stop) {
    struct look l = {.t = t, .s = s};
    *t = (struct terminal_sets){.dead = TERMINAL_NONE, .own = memory_get_zeroed(sizeof *t->own)};
    t->own->s = s;
    t->own->components.phase = "terminal components";
    if (!scc_run(&t->own->components, s, stop)) return false;
    uint64_t components = s->states + 1, bytes = components * sizeof(struct growing *);
    l.kept = t->own->components.strong.of.base && s->edges_kept;
    bool good = space_get_bits(s, &l.left, components) && space_get(s, &l.places, bytes);
    if (!good) *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the terminal components"};
    good = good && scc_find_leavable(&t->own->components, s, &l.left, stop) && look_at_edges(&l, stop);
    bitmap_fini(&l.left);
    region_fini(&l.places);
    return good;
}

void terminal_fini(struct terminal_sets *t) {
    if (t->own) scc_fini(&t->own->components);
    free(t->own);
    for (uint64_t i = 0; i < t->count; i++) free(t->at[i].actions);
    free(t->at);
}

static bool occurs_one_of(const struct terminal_set *set, const struct ts *ts, const bool *actions) {
    for (uint32_t a = 0; a < ts->actions; a++)
        if (actions[a] && occurs(set, a)) return true;
    return false;
}

bool terminal_fails(const struct terminal_set *set, const struct ts *ts, const struct ts_progress *test) {
    return !occurs_one_of(set, ts, test->then) && (!test->when || occurs_one_of(set, ts, test->when));
}

uint64_t terminal_failure(const struct terminal_sets *t, const struct ts *ts, const struct ts_progress *test,
                          const struct terminal_set **set) {
    uint64_t first = test->when ? TERMINAL_NONE : t->dead;
    *set = NULL;
    for (uint64_t i = 0; i < t->count; i++) {
        const struct terminal_set *at = &t->at[i];
        if (at->first >= first || !terminal_fails(at, ts, test)) continue;
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
