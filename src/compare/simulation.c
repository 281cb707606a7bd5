#include "compare/simulation.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_ROUNDS = 1000 }; /* of a formula that is made */

void simulation_init(struct simulation *sim, const struct joint *j, struct after *after, bool weak) {
    *sim = (struct simulation){.j = j, .after = after, .weak = weak};
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

/* ---- The answers that `right` may give to a step ---- */

/* They are states; valid until the next question. */
struct answers {
    const uint32_t *state;       /* weak */
    const struct lts_edge *edge; /* strong; else NULL */
    uint32_t count;
};

static struct answers answers_to(struct simulation *sim, uint32_t label, uint32_t right) {
    if (sim->weak) {
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

static void explore(struct simulation *sim) {
    const struct lts *l = &sim->j->lts;
    if (sim->j->root[0] != sim->j->root[1]) add(sim, sim->j->root[0], sim->j->root[1]);
    for (uint32_t i = 0; i < sim->count && !effort_over(sim->after->effort); i++) {
        uint32_t left = sim->pair[i].left, right = sim->pair[i].right;
        for (const struct lts_edge *e = lts_begin(l, left); e < lts_end(l, left); e++) {
            struct answers a = answers_to(sim, e->label, right);
            if (follows(&a, e->target)) continue;
            for (uint32_t k = 0; k < a.count; k++) add(sim, e->target, answer(&a, k));
        }
    }
}

/* Is there an answer to this step whose pair was there before the given round? */
static bool is_answered(struct simulation *sim, const struct lts_edge *e, uint32_t right, uint32_t round) {
    struct answers a = answers_to(sim, e->label, right);
    if (follows(&a, e->target)) return true;
    for (uint32_t i = 0; i < a.count; i++) {
        uint32_t removed = sim->pair[number_of(sim, e->target, answer(&a, i))].removed;
        if (removed == 0 || removed >= round) return true;
    }
    return false;
}

/* The first step of left that right has no answer to, or NULL. */
static const struct lts_edge *unanswered(struct simulation *sim, const struct simulation_pair *p, uint32_t round) {
    const struct lts *l = &sim->j->lts;
    for (const struct lts_edge *e = lts_begin(l, p->left); e < lts_end(l, p->left); e++)
        if (!is_answered(sim, e, p->right, round)) return e;
    return NULL;
}

enum outcome simulation_fails(struct simulation *sim) {
    explore(sim);
    for (bool changed = true; changed && sim->count > 0 && !sim->pair[0].removed;) {
        changed = false;
        sim->rounds++;
        for (uint32_t i = 0; i < sim->count; i++) {
            if (effort_over(sim->after->effort)) return OUTCOME_GIVEN_UP;
            if (sim->pair[i].removed || !unanswered(sim, &sim->pair[i], sim->rounds)) continue;
            sim->pair[i].removed = sim->rounds;
            changed = true;
        }
    }
    if (effort_look(sim->after->effort)) return OUTCOME_GIVEN_UP; /* not all pairs may be there */
    return sim->count == 0 || !sim->pair[0].removed ? OUTCOME_NONE : OUTCOME_FOUND;
}

static uint32_t formula_of(struct simulation *sim, uint32_t pair, struct formula *f) {
    if (sim->pair[pair].formula != FORMULA_TRUE) return sim->pair[pair].formula;
    const struct lts_edge *e = unanswered(sim, &sim->pair[pair], sim->pair[pair].removed);
    uint32_t right = sim->pair[pair].right, then = FORMULA_TRUE;
    struct answers a = answers_to(sim, e->label, right);
    for (uint32_t i = 0; i < a.count; i++) {
        uint32_t next = number_of(sim, e->target, answer(&a, i));
        then = formula_and(f, then, formula_of(sim, next, f));
    }
    sim->pair[pair].formula = sim->weak ? formula_weak_step(f, e->label, then) : formula_step(f, e->label, then);
    return sim->pair[pair].formula;
}

bool simulation_formula(struct simulation *sim, struct formula *f) {
    if (sim->pair[0].removed > MOST_ROUNDS) return false;
    f->root = formula_of(sim, 0, f);
    return true;
}
