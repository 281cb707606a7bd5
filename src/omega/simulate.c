#include "omega/simulate.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* What is compared: the automaton itself or its reverse. */
struct view {
    uint32_t states;
    const uint32_t *first;
    const struct ba_edge *edge;
    const uint32_t *needs;      /* of a state; whoever simulates it must have as much */
    const bool *top;            /* simulates all; or NULL */
    const struct components *c; /* loose; or NULL: direct */
};

static bool inside(const struct view *v, uint32_t s, const struct ba_edge *e) {
    return v->c->of[s] == v->c->of[e->target];
}

/* May edge f of t answer edge e of s, as far as marks are concerned? */
static bool enough_marks(const struct view *v, uint32_t s, const struct ba_edge *e, uint32_t t,
                         const struct ba_edge *f) {
    if ((e->marks & ~f->marks) == 0) return true;
    return v->c && (!inside(v, s, e) || !inside(v, t, f));
}

static bool answers(const struct view *v, const struct relation *r, uint32_t s, const struct ba_edge *e, uint32_t t,
                    struct cubes *pieces) {
    pieces->count = 0;
    for (const struct ba_edge *f = v->edge + v->first[t]; f < v->edge + v->first[t + 1]; f++) {
        if (!cube_meets(e->label, f->label) || !relation_has(r, e->target, f->target) || !enough_marks(v, s, e, t, f))
            continue;
        if (cube_within(e->label, f->label)) return true;
        cubes_add(pieces, f->label);
    }
    return pieces->count > 1 && cube_covered(e->label, pieces->at, pieces->count);
}

static bool simulates(const struct view *v, const struct relation *r, uint32_t s, uint32_t t, struct cubes *pieces) {
    if (v->top && v->top[t]) return true;
    for (const struct ba_edge *e = v->edge + v->first[s]; e < v->edge + v->first[s + 1]; e++)
        if (!answers(v, r, s, e, t, pieces)) return false;
    return true;
}

/* Has a successor of s lost something in the last round? */
static bool stirred(const struct view *v, uint32_t s, const bool *lost) {
    for (uint32_t i = v->first[s]; i < v->first[s + 1]; i++)
        if (lost[v->edge[i].target]) return true;
    return false;
}

/* The largest relation: begin with all pairs that are not excluded at once, take away what is not answered. */
static void narrow(const struct view *v, struct relation *r) {
    size_t n = v->states;
    struct cubes pieces = {0};
    bool *lost = memory_get(n + 1), *loses = memory_get(n + 1), any = n > 0;
    *r = (struct relation){v->states, memory_get(n * n + 1)};
    for (uint32_t s = 0; s < n; s++)
        for (uint32_t t = 0; t < n; t++) r->has[s * n + t] = (v->needs[s] & ~v->needs[t]) == 0 || (v->top && v->top[t]);
    for (uint32_t s = 0; s < n; s++) lost[s] = true;
    while (any) {
        any = false;
        for (uint32_t s = 0; s < n; s++) {
            loses[s] = false;
            if (!stirred(v, s, lost)) continue;
            for (uint32_t t = 0; t < n; t++) {
                bool *has = &r->has[s * n + t];
                if (s == t || !*has || simulates(v, r, s, t, &pieces)) continue;
                *has = false;
                any = loses[s] = true;
            }
        }
        bool *swap = lost;
        lost = loses;
        loses = swap;
    }
    cubes_fini(&pieces);
    free(lost);
    free(loses);
}

void relation_fini(struct relation *r) {
    free(r->has);
    *r = (struct relation){0};
}

static void simulate_forward(const struct ba *a, const struct components *c, struct relation *r) {
    uint32_t *needs = memory_get((a->states + 1) * sizeof *needs);
    bool *top = memory_get(a->states + 1);
    for (uint32_t s = 0; s < a->states; s++) {
        needs[s] = a->accept[s] & (ACCEPT_FINITE | ACCEPT_DEADLOCK | ACCEPT_LIVELOCK);
        top[s] = a->accept[s] & ACCEPT_FINITE;
    }
    narrow(&(struct view){a->states, a->first, a->edge, needs, top, c}, r);
    free(needs);
    free(top);
}

void simulate_direct(const struct ba *a, struct relation *r) { simulate_forward(a, NULL, r); }

void simulate_loosely(const struct ba *a, const struct components *c, struct relation *r) { simulate_forward(a, c, r); }

/* Edges sorted by what they lead to; their targets are where they came from. */
static struct ba_edge *reversed_edges(const struct ba *a, uint32_t *first) {
    struct ba_edge *edge = memory_get((a->edges + 1) * sizeof *edge);
    for (uint32_t i = 0; i < a->edges; i++) first[a->edge[i].target + 2]++;
    for (uint32_t s = 0; s < a->states; s++) first[s + 1] += first[s];
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            edge[first[e->target + 1]++] = (struct ba_edge){e->label, e->marks, s};
    assert(first[a->states] == a->edges);
    return edge;
}

void simulate_backward(const struct ba *a, struct relation *r) {
    uint32_t *needs = memory_get((a->states + 1) * sizeof *needs);
    uint32_t *first = memory_get_zeroed((a->states + 2) * sizeof *first);
    struct ba_edge *edge = reversed_edges(a, first);
    for (uint32_t s = 0; s < a->states; s++) needs[s] = a->accept[s] | (~(uint32_t)a->accept[s] & 0xff) << 8;
    for (uint32_t i = 0; i < a->initials; i++) needs[a->initial[i]] |= 1u << 16;
    narrow(&(struct view){a->states, first, edge, needs, NULL, NULL}, r);
    free(needs);
    free(first);
    free(edge);
}
