#include <assert.h>
#include <stdlib.h>

#include "graph/sweep.h"
#include "graph/components_edges.h"
#include "graph/recurrence.h"
#include "graph/way.h"

enum { BYTES_A_STATE = 16 }; /* about what components take, while they are found */

#define NONE UINT64_MAX

struct kept {
    const struct recurring *o;
    struct space *s;
    struct strong components;
    bool excludes;             /* some transitions are excluded */
    bool known;                /* the components are there */
    struct bitmap counted;     /* by edge: not excluded; if some are */
    struct bitmap occurrences; /* by edge: of the transition; if components are known, inside one */
    uint64_t *first;           /* by thread: the least number of a state with such an edge */
    struct sweep sweep;
    uint64_t tail, edge; /* what was found: an edge, and the state that it comes from */
};

static bool is_inside(const struct kept *k, uint64_t from, uint64_t edge) {
    assert(k->known);
    return strong_of(&k->components, from) == strong_of(&k->components, EDGES_TARGETS(&k->s->edge_list)[edge]);
}

/* Whether a state must be expanded: one of its edges may be on a cycle. */
static bool wants(const void *context, uint64_t state) {
    const struct kept *k = context;
    const struct edges *e = &k->s->edge_list;
    uint32_t count = EDGES_COUNTS(e)[state];
    if (!k->known) return count > 0;
    uint64_t at = edges_begin(e, state), end = at + count;
    while (at < end && !is_inside(k, state, at)) at++;
    return at < end;
}

/* `labels`: of the edges of a state. */
static void take_edges(struct kept *k, unsigned member, uint64_t state, const uint32_t *labels) {
    const struct edges *e = &k->s->edge_list;
    uint64_t begin = edges_begin(e, state);
    for (uint32_t i = 0; i < EDGES_COUNTS(e)[state]; i++) {
        if (k->excludes && !k->o->q->excluded[labels[i]]) bitmap_add_shared(&k->counted, begin + i);
        if (labels[i] != k->o->q->transition || (k->known && !is_inside(k, state, begin + i))) continue;
        bitmap_add_shared(&k->occurrences, begin + i);
        if (state < k->first[member]) k->first[member] = state;
    }
}

static void take(void *context, unsigned member, const struct sweep_batch *x) {
    for (uint32_t i = 0; i < x->count; i++)
        take_edges(context, member, x->numbers[i], x->edges->labels + sweep_begin(x, i));
}

static uint64_t first_occurrence(const struct kept *k) {
    uint64_t first = NONE;
    for (unsigned i = 0; i < k->s->team.size; i++)
        if (k->first[i] < first) first = k->first[i];
    return first;
}

/* Looks at all states, or until there is an edge of the transition that is known to be inside a component. */
static bool look_at_states(struct kept *k) {
    struct space *s = k->s;
    enum sweep_end end = SWEEP_MORE;
    while ((!k->known || first_occurrence(k) == NONE) && (end = sweep_next(&k->sweep, k->o->stop)) == SWEEP_MORE)
        if (s->save_due) space_save(s, s->states, s->states, NULL);
    return end != SWEEP_GIVEN_UP;
}

static bool find_components(struct kept *k) {
    if (k->excludes) k->components.edges = &k->counted;
    return k->known = strong_run(&k->components, k->s, k->o->q->phase, k->o->stop);
}

/* The first occurrence inside a component. */
static void find_first(struct kept *k) {
    const struct edges *e = &k->s->edge_list;
    uint64_t state = first_occurrence(k), at = state == NONE ? 0 : edges_begin(e, state);
    for (; state < k->s->states; state++)
        for (uint64_t end = at + EDGES_COUNTS(e)[state]; at < end; at++)
            if (bitmap_has(&k->occurrences, at) && is_inside(k, state, at)) {
                k->tail = state;
                k->edge = at;
                return;
            }
}

/* False: *stop says why it was given up. */
static bool find_kept(struct kept *k) {
    struct stop *stop = k->o->stop;
    uint64_t edges = k->s->edge_list.count;
    *stop = (struct stop){.kind = STOP_DONE};
    if (!space_get_bits(k->s, &k->occurrences, edges + 1) ||
        (k->excludes && !space_get_bits(k->s, &k->counted, edges + 1))) {
        *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the edges"};
        return false;
    }
    if (!k->excludes && !find_components(k)) return false;
    if (!look_at_states(k)) return false;
    if (first_occurrence(k) == NONE) return true;
    if (k->excludes && !find_components(k)) return false;
    find_first(k);
    return true;
}

/* By which transition an edge that counts leads from one state to another. */
static bool label_of(struct kept *k, uint64_t from, uint64_t to, uint32_t *label) {
    const struct edges *e = &k->s->edge_list;
    const struct sweep_batch *x = sweep_one(&k->sweep, from, k->o->stop);
    uint64_t begin = edges_begin(e, from), at = begin;
    if (!x) return false;
    while (EDGES_TARGETS(e)[at] != to || !strong_counts(&k->components, at)) at++; /* there is one */
    assert(at < begin + EDGES_COUNTS(e)[from]);
    *label = x->edges->labels[at - begin];
    return true;
}

/* From the head of the edge back to its tail, which is the last state of the trace. If not, *stop says why. */
static void close_kept(struct kept *k, const struct numbers *way, word *state) {
    struct trace *t = k->o->t;
    uint32_t label = k->o->q->transition;
    assert(way->at[way->count - 1] == k->tail);
    t->cycle = t->count - 1;
    for (size_t i = 0; i + 1 < way->count; i++) {
        if (!space_state(k->s, way->at[i], state)) {
            *k->o->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
            return;
        }
        trace_add(t, label, state);
        if (!label_of(k, way->at[i], way->at[i + 1], &label)) return;
    }
    t->closing = label;
}

static void show_kept(struct kept *k) {
    struct numbers way = {0};
    word *state = memory_get(k->s->ts->words * sizeof(word));
    uint32_t head = EDGES_TARGETS(&k->s->edge_list)[k->edge];
    if (trace_to(k->o->t, k->s, k->tail, k->o->stop) &&
        strong_way(&k->components, k->s, head, (uint32_t)k->tail, &way, k->o->stop))
        close_kept(k, &way, state);
    numbers_fini(&way);
    free(state);
}

static void kept_init(struct kept *k, const struct recurring *o) {
    *k = (struct kept){.o = o, .s = o->s, .tail = NONE};
    for (uint32_t i = 0; i < o->s->ts->transitions; i++) k->excludes |= o->q->excluded[i];
    k->first = memory_get(k->s->team.size * sizeof *k->first);
    for (unsigned i = 0; i < k->s->team.size; i++) k->first[i] = NONE;
    k->sweep = (struct sweep){.s = k->s,
                              .phase = k->o->q->phase,
                              .context = k,
                              .need = SWEEP_EDGES | SWEEP_LABELS,
                              .wants = wants,
                              .take = take};
    sweep_init(&k->sweep);
}

static void kept_fini(struct kept *k) {
    strong_fini(&k->components);
    bitmap_fini(&k->counted);
    bitmap_fini(&k->occurrences);
    free(k->first);
    sweep_fini(&k->sweep);
}

/* The edges are there, and memory for what is needed besides. */
static enum edges_settled try_edges(struct space *s, struct stop *stop) {
    uint64_t bytes = s->states * BYTES_A_STATE + s->edges / 4;
    if (!s->edges_kept) return EDGES_GIVEN_UP;
    if (!memory_fits(bytes, s->limits.max_memory)) edges_drop(s);
    return s->edges_kept ? edges_settle(s, stop) : EDGES_GIVEN_UP;
}

enum recurs recurrence_kept(const struct recurring *o) {
    struct kept k;
    struct space *s = o->s;
    enum edges_settled edges = try_edges(s, o->stop);
    if (edges == EDGES_GIVEN_UP) return RECURS_UNKNOWN;
    kept_init(&k, o);
    bool good = edges == EDGES_SETTLED && find_kept(&k), found = good && k.tail != NONE;
    if (!good && o->stop->kind == STOP_LIMIT) space_save(s, s->states, s->states, NULL);
    if (found && s->levels.count > 0) show_kept(&k);
    kept_fini(&k);
    if (!good) return RECURS_GIVEN_UP;
    return !found ? RECURS_NOT : s->levels.count > 0 ? RECURS : RECURS_UNKNOWN;
}
