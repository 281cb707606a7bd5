#include "compare/simulation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_ROUNDS = 1000 }; /* of a formula that is made */

void simulation_init(struct simulation *sim, const struct joint *j, struct after *after, enum simulation_kind kind) {
    *sim = (struct simulation){.j = j, .after = after, .kind = kind};
    twins_init(&sim->by_states, sizeof *sim->pair);
}

void simulation_fini(struct simulation *sim) {
    effort_give_back(sim->after->effort, sim->room * (sizeof *sim->pair + 4 * sizeof(uint32_t)));
    free(sim->pair);
    twins_fini(&sim->by_states);
    *sim = (struct simulation){0};
}

/* ---- Pairs, each once ---- */

static uint32_t number_of(const struct simulation *sim, uint32_t left, uint32_t right) {
    return twins_find(&sim->by_states, sim->pair, left, right);
}

static void add(struct simulation *sim, uint32_t left, uint32_t right) {
    if (number_of(sim, left, right) != TWINS_NONE) return;
    if (sim->count == sim->room) {
        uint64_t room = sim->room ? 2 * sim->room : 256;
        effort_take(sim->after->effort, (room - sim->room) * (sizeof *sim->pair + 4 * sizeof(uint32_t)));
        sim->pair = memory_resize(sim->pair, room * sizeof *sim->pair);
        sim->room = room;
    }
    sim->pair[sim->count++] = (struct simulation_pair){.left = left, .right = right};
    twins_add(&sim->by_states, sim->pair, sim->count);
}

static bool is_weak(const struct simulation *sim) { return sim->kind >= SIMULATION_WEAK; }

/* ---- The answers that `right` may give to a step ---- */

/* They are states; valid until the next question. */
struct answers {
    const uint32_t *state;       /* weak */
    const struct lts_edge *edge; /* strong; else NULL */
    uint32_t count;
};

static struct answers answers_to(struct simulation *sim, uint32_t label, uint32_t right) {
    if (is_weak(sim)) {
        uint32_t set = after_start(sim->after, right);
        after_expand(sim->after, set);
        if (label != LTS_TAU) set = after_by(sim->after, set, label);
        return (struct answers){.state = after_members(sim->after, set), .count = after_count(sim->after, set)};
    }
    struct answers a = {.edge = lts_begin(&sim->j->lts, right)};
    const struct lts_edge *end = lts_end(&sim->j->lts, right);
    while (a.edge < end && a.edge->label < label) a.edge++;
    while (a.edge + a.count < end && a.edge[a.count].label == label) a.count++;
    return a;
}

static uint32_t answer(const struct answers *a, uint32_t i) { return a->edge ? a->edge[i].target : a->state[i]; }

/* Going where the other is, is always an answer. */
static bool follows(const struct answers *a, uint32_t state) {
    for (uint32_t i = 0; i < a->count; i++)
        if (answer(a, i) == state) return true;
    return false;
}

/* A label that right has and left has not: then they are not ready alike. LTS_NONE: there is none, or nobody asks. */
static uint32_t unready(const struct simulation *sim, uint32_t left, uint32_t right) {
    const struct lts *l = &sim->j->lts;
    const struct lts_edge *e = lts_begin(l, left), *end = lts_end(l, left);
    if (sim->kind != SIMULATION_READY) return LTS_NONE;
    for (const struct lts_edge *f = lts_begin(l, right); f < lts_end(l, right); f++) {
        while (e < end && e->label < f->label) e++;
        if (e == end || e->label != f->label) return f->label;
    }
    return LTS_NONE;
}

/* The set that must have a member which left simulates; AFTER_EMPTY: nobody asks, or left itself is there. */
static uint32_t partners(struct simulation *sim, uint32_t left, uint32_t right) {
    if (sim->kind != SIMULATION_COUPLED) return AFTER_EMPTY;
    uint32_t set = after_start(sim->after, right);
    return after_has(sim->after, set, left) ? AFTER_EMPTY : set;
}

static uint32_t partner(const struct simulation *sim, uint32_t set, uint32_t i) {
    return after_members(sim->after, set)[i];
}

static void explore_pair(struct simulation *sim, uint32_t left, uint32_t right) {
    const struct lts *l = &sim->j->lts;
    if (unready(sim, left, right) != LTS_NONE) return;
    for (const struct lts_edge *e = lts_begin(l, left); e < lts_end(l, left); e++) {
        struct answers a = answers_to(sim, e->label, right);
        if (follows(&a, e->target)) continue;
        for (uint32_t k = 0; k < a.count; k++) add(sim, e->target, answer(&a, k));
    }
    uint32_t set = partners(sim, left, right);
    for (uint32_t k = 0; k < after_count(sim->after, set); k++)
        if (joint_stable(sim->j, partner(sim, set, k))) add(sim, partner(sim, set, k), left);
}

static void explore(struct simulation *sim, int side) {
    if (sim->j->root[0] != sim->j->root[1]) add(sim, sim->j->root[side], sim->j->root[!side]);
    for (uint32_t i = 0; i < sim->count && !effort_over(sim->after->effort); i++)
        explore_pair(sim, sim->pair[i].left, sim->pair[i].right);
}

static bool was_there(const struct simulation *sim, uint32_t left, uint32_t right, uint32_t round) {
    assert(number_of(sim, left, right) != TWINS_NONE); /* explore has met it */
    uint32_t removed = sim->pair[number_of(sim, left, right)].removed;
    return removed == 0 || removed >= round;
}

/* Is there an answer to this step whose pair was there before the given round? */
static bool is_answered(struct simulation *sim, const struct lts_edge *e, uint32_t right, uint32_t round) {
    struct answers a = answers_to(sim, e->label, right);
    if (follows(&a, e->target)) return true;
    for (uint32_t i = 0; i < a.count; i++)
        if (was_there(sim, e->target, answer(&a, i), round)) return true;
    return false;
}

/* The first step of left that right has no answer to, or NULL. */
static const struct lts_edge *unanswered(struct simulation *sim, const struct simulation_pair *p, uint32_t round) {
    const struct lts *l = &sim->j->lts;
    for (const struct lts_edge *e = lts_begin(l, p->left); e < lts_end(l, p->left); e++)
        if (!is_answered(sim, e, p->right, round)) return e;
    return NULL;
}

/* Was there a partner that left simulates, before the given round? */
static bool is_coupled(struct simulation *sim, const struct simulation_pair *p, uint32_t round) {
    uint32_t set = partners(sim, p->left, p->right);
    for (uint32_t i = 0; i < after_count(sim->after, set); i++)
        if (joint_stable(sim->j, partner(sim, set, i)) && was_there(sim, partner(sim, set, i), p->left, round))
            return true;
    return set == AFTER_EMPTY;
}

static bool must_go(struct simulation *sim, const struct simulation_pair *p, uint32_t round) {
    return unready(sim, p->left, p->right) != LTS_NONE || unanswered(sim, p, round) || !is_coupled(sim, p, round);
}

enum outcome simulation_fails(struct simulation *sim, int side) {
    explore(sim, side);
    for (bool changed = true; changed && sim->count > 0 && !sim->pair[0].removed;) {
        changed = false;
        sim->rounds++;
        for (uint32_t i = 0; i < sim->count; i++) {
            if (effort_over(sim->after->effort)) return OUTCOME_GIVEN_UP;
            if (sim->pair[i].removed || !must_go(sim, &sim->pair[i], sim->rounds)) continue;
            sim->pair[i].removed = sim->rounds;
            changed = true;
        }
    }
    if (effort_look(sim->after->effort)) return OUTCOME_GIVEN_UP; /* not all pairs may be there */
    return sim->count == 0 || !sim->pair[0].removed ? OUTCOME_NONE : OUTCOME_FOUND;
}

/* ---- Formulas ---- */

static uint32_t formula_of(struct simulation *sim, uint32_t pair, struct formula *f);

/* What is true after the step of left, and after no answer of right. */
static uint32_t say_step(struct simulation *sim, const struct lts_edge *e, uint32_t right, struct formula *f) {
    struct answers a = answers_to(sim, e->label, right);
    uint32_t then = FORMULA_TRUE;
    for (uint32_t i = 0; i < a.count; i++)
        then = formula_and(f, then, formula_of(sim, number_of(sim, e->target, answer(&a, i)), f));
    return is_weak(sim) ? formula_weak_step(f, e->label, then) : formula_step(f, e->label, then);
}

/* Each state that tau edges lead to from right has something that left has not. */
static uint32_t say_uncoupled(struct simulation *sim, uint32_t left, uint32_t right, struct formula *f) {
    uint32_t set = partners(sim, left, right), none = FORMULA_TRUE;
    for (uint32_t i = 0; i < after_count(sim->after, set); i++) {
        uint32_t other = partner(sim, set, i);
        if (!joint_stable(sim->j, other)) continue;
        none = formula_and(f, none, formula_not(f, formula_of(sim, number_of(sim, other, left), f)));
    }
    return formula_weak_step(f, LTS_TAU, none);
}

static uint32_t formula_of(struct simulation *sim, uint32_t pair, struct formula *f) {
    const struct simulation_pair *p = &sim->pair[pair];
    assert(pair < sim->count && p->removed > 0);
    if (p->formula != FORMULA_TRUE) return p->formula;
    uint32_t label = unready(sim, p->left, p->right), made;
    const struct lts_edge *e = label == LTS_NONE ? unanswered(sim, p, p->removed) : NULL;
    if (label != LTS_NONE) made = formula_not(f, formula_step(f, label, FORMULA_TRUE));
    else made = e ? say_step(sim, e, p->right, f) : say_uncoupled(sim, p->left, p->right, f);
    return sim->pair[pair].formula = made;
}

bool simulation_formula(struct simulation *sim, struct formula *f) {
    if (sim->pair[0].removed > MOST_ROUNDS) return false;
    f->root = formula_of(sim, 0, f);
    return true;
}
