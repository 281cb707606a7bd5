#include "graph/explicit.h"

#include <assert.h>
#include <stdlib.h>

#include "graph/backward/backward.h"
#include "graph/bottom.h"
#include "graph/components.h"
#include "graph/ctl/explicit_ctl.h"
#include "graph/recurrence.h"
#include "graph/relevel.h"
#include "graph/shortest_lasso.h"
#include "graph/sweep.h"
#include "graph/way.h"

static struct space *space_of(const struct state_graph *g) { return g->own; }

/* ---- Marks ---- */

struct marks {
    struct space *s;
    struct fixpoint f;
};

static struct marks *marks_new(struct space *s) {
    struct marks *m = memory_get_zeroed(sizeof *m);
    m->s = s;
    return m;
}

struct marks *explicit_marks(struct space *s, struct bitmap *marked) {
    if (!marked->bits.base) return NULL;
    struct marks *m = marks_new(s);
    assert(marked->size == store_slots(&s->store)); /* marks are by slot */
    m->f.marked = *marked;
    *marked = (struct bitmap){0};
    return m;
}

static void forget(struct marks *m) {
    fixpoint_fini(&m->f);
    free(m);
}

static bool is_unmarked(const void *context, const word *state) {
    const struct marks *m = context;
    uint64_t slot;
    space_find(m->s, state, 1, &slot);
    return slot != STORE_NONE && fixpoint_unmarked(&m->f, slot);
}

static enum outcome backward(struct state_graph *g, struct backward *q, struct stop *stop) {
    if (!q->marks) q->marks = marks_new(space_of(g));
    struct fixpoint *f = &q->marks->f;
    f->kind = q->kind;
    f->target = q->target;
    f->terminal_is_target = q->terminal_is_target;
    f->phase = q->phase;
    q->unmarked = (struct node_set){is_unmarked, q->marks};
    if (!fixpoint_run(f, space_of(g), stop)) return OUTCOME_GIVEN_UP;
    return f->unmarked > 0 ? OUTCOME_FOUND : OUTCOME_NONE;
}

/* A nearest node has the least number if states are in the order of levels. */
static bool order_by_levels(struct space *s, struct stop *stop) {
    *stop = (struct stop){.kind = STOP_DONE};
    return s->levels.count > 0 || space_relevel(s, NULL, stop);
}

static bool nearest(struct state_graph *g, struct backward *q, uint64_t *node, struct stop *stop) {
    struct space *s = space_of(g);
    struct fixpoint *f = &q->marks->f;
    bool ordered = s->levels.count > 0;
    assert(f->unmarked > 0);
    if (!ordered && !(order_by_levels(s, stop) && fixpoint_renumber(f, s, stop))) return false;
    *node = f->first_unmarked;
    assert(*node < s->states);
    return true;
}

/* ---- Components that cannot be left ---- */

static bool bottoms(struct state_graph *g, struct terminal_sets *t, struct stop *stop) {
    *t = (struct terminal_sets){.dead = TERMINAL_NONE};
    return order_by_levels(space_of(g), stop) && terminal_run(t, space_of(g), stop);
}

struct bottom_inside {
    struct space *s;
    struct scc components;
    struct bitmap leavable;
    const struct fixpoint *f; /* whose unmarked states are asked for, or NULL */
    struct region first;      /* uint64_t by component: 1 + the least number of a state that is; 0: none */
};

static void bottom_fini(struct bottom_inside *b) {
    scc_fini(&b->components);
    bitmap_fini(&b->leavable);
    region_fini(&b->first);
    free(b);
}

static bool is_in_bottom(const void *context, const word *state) {
    const struct bottom_inside *b = context;
    uint64_t slot;
    space_find(b->s, state, 1, &slot);
    return slot != STORE_NONE && !bitmap_has(&b->leavable, scc_of(&b->components, slot));
}

static void take_bottoms(void *context, unsigned member, const struct sweep_batch *x) {
    struct bottom_inside *b = context;
    (void)member;
    for (uint32_t i = 0; i < x->count; i++) {
        uint64_t component = scc_of(&b->components, x->slots[i]), number = x->numbers[i] + 1;
        assert(component >= 1 && component <= b->s->states);
        uint64_t *first = (uint64_t *)(void *)b->first.base + component;
        if (bitmap_has(&b->leavable, component) || (b->f && !fixpoint_unmarked(b->f, x->slots[i]))) continue;
        uint64_t known = __atomic_load_n(first, __ATOMIC_RELAXED);
        while ((known == 0 || number < known) &&
               !__atomic_compare_exchange_n(first, &known, number, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    }
}

static int compare_numbers(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static bool bottom_nodes(struct state_graph *g, const struct backward *q, const char *phase, struct bottom_nodes *out,
                         struct stop *stop) {
    struct space *s = space_of(g);
    struct bottom_inside *b = memory_get_zeroed(sizeof *b);
    struct sweep w = {.s = s, .phase = phase, .context = b, .need = SWEEP_SLOTS, .take = take_bottoms};
    *b = (struct bottom_inside){.s = s, .components.phase = phase, .f = q ? &q->marks->f : NULL};
    *out = (struct bottom_nodes){.inside = {is_in_bottom, b}, .own = b, .fini = bottom_fini};
    if (!order_by_levels(s, stop) || !scc_run(&b->components, s, stop)) return false;
    if (!space_get_bits(s, &b->leavable, s->states + 1) ||
        !space_get(s, &b->first, (s->states + 1) * sizeof(uint64_t))) {
        *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the terminal components"};
        return false;
    }
    if (!scc_find_leavable(&b->components, s, &b->leavable, stop)) return false;
    sweep_init(&w);
    bool good = sweep_all(&w, stop);
    sweep_fini(&w);
    const uint64_t *first = (const uint64_t *)(const void *)b->first.base;
    for (uint64_t k = 0; good && k <= s->states; k++)
        if (first[k]) numbers_add(&out->first, first[k] - 1);
    if (out->first.count) qsort(out->first.at, out->first.count, sizeof *out->first.at, compare_numbers);
    region_fini(&b->first);
    return good;
}

/* ---- Executions ---- */

static bool state(struct state_graph *g, uint64_t node, word *out) { return space_state(space_of(g), node, out); }

static bool way(struct state_graph *g, uint64_t node, struct trace *t, struct stop *stop) {
    return space_relevel(space_of(g), &node, stop) && trace_to(t, space_of(g), node, stop);
}

static bool walk_on(struct state_graph *g, const struct node_set *through, bool moving, struct trace *t,
                    struct stop *stop) {
    return trace_walk_on(t, space_of(g), through, moving, stop);
}

/* ---- A transition again and again ---- */

static enum outcome recurrence(struct state_graph *g, struct recurrence *q, struct trace *t, struct stop *stop) {
    struct bitmap marked = {0};
    if (q->marks) {
        marked = q->marks->f.marked;
        q->marks->f.marked = (struct bitmap){0};
    }
    return recurrence_find(space_of(g), q, &marked, t, stop);
}

/* ---- Shortest cycles ---- */

static enum outcome shortest(struct state_graph *g, const struct shortest_lasso *q, struct trace *t,
                             struct stop *stop) {
    if (q->sets) return shortest_in_sets(space_of(g), q->sets, q->failed, t, stop);
    return shortest_unmarked(space_of(g), &q->unmarked->marks->f, &q->unmarked->unmarked, t, stop);
}

static enum outcome ctl(struct state_graph *g, const struct ctl *f, struct trace *t, struct stop *stop) {
    return order_by_levels(space_of(g), stop) ? explicit_ctl(g, space_of(g), f, t, stop) : OUTCOME_GIVEN_UP;
}

void explicit_graph_init(struct state_graph *g, struct space *s) {
    static const struct graph_ops ops = {
        .backward = backward,
        .forget = forget,
        .nearest = nearest,
        .bottoms = bottoms,
        .bottom_nodes = bottom_nodes,
        .state = state,
        .way = way,
        .walk_on = walk_on,
        .recurrence = recurrence,
        .shortest = shortest,
        .ctl = ctl,
    };
    *g = (struct state_graph){.ops = &ops, .ts = s->ts, .worker = s->worker, .own = s};
}
