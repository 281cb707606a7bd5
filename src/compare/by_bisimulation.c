/* Bisimulations: the two roots are in the same class, or a formula says why not. Simulations likewise.
 *
 * A division (division.h) that is made in a hurry often has the roots apart. If not, partition refinement, which begins
 * with it, decides; and if they differ, the division goes on until it has them apart, too, so that there is a formula.
 * How much work may be done for the formula depends on how much deciding took: that makes a "no" not much slower than a
 * "yes". */
#include <stdlib.h>

#include "lts/lts_components.h"
#include "minimize/bisimulation.h"
#include "minimize/minimize.h"
#include "minimize/tau_view.h"
#include "compare/contest.h"
#include "compare/distinguish.h"
#include "compare/simulation.h"

enum { DEEPEST = 1000 };        /* a formula that is deeper helps nobody */
enum { ALWAYS_WORK = 1 << 19 }; /* may be done for a formula, of however small LTSs */
enum { WORK_OF_REFINING = 6 };  /* for each state and edge, about, in units of a division */
enum { WEAK_WORK_OF_REFINING = 30 };

/* ---- Deciding ---- */

struct decision {
    const struct lts *l;  /* what is divided */
    enum lts_relation by; /* strong, branching, branching-div or weak: by this, so that it is by the relation */
    struct lts other;     /* branching: without tau cycles. Taustar: what tau* a leads to. Else not used */
    bool merged;          /* what is divided is c->small, or was made of it */
    struct distinguish_by said;
    uint32_t root[2]; /* in it */
    uint8_t *divergent;
    struct division d;
    uint32_t classes; /* 0: they were not counted */
    uint64_t work;    /* of refining */
};

static uint64_t size_of(const struct lts *l) { return l->edges + l->states; }

/* Two LTSs without tau edges inside strong components, where the roots may be in the same. */
static void collapse(struct contest *c, struct decision *x) {
    uint32_t components, *component = tau_components(&c->given.lts, &components, &x->divergent);
    tau_collapse(&c->given.lts, component, components, &x->other);
    for (int side = 0; side < 2; side++) x->root[side] = component[c->given.root[side]];
    free(component);
    x->l = &x->other;
    x->work = 2 * size_of(&c->given.lts);
    if (c->relation == RELATION_BRANCHING_DIV) return;
    free(x->divergent);
    x->divergent = NULL;
}

/* Merged by branching bisimilarity first, which is finer and faster. */
static void merge(struct contest *c, struct decision *x) {
    bool loops = c->relation == RELATION_WEAK_DIV;
    joint_reduce(&c->small, &c->given, loops ? RELATION_BRANCHING_DIV : RELATION_BRANCHING, &c->effort);
    x->merged = true;
    x->by = RELATION_WEAK;
    x->l = &c->small.lts;
    x->classes = c->small.lts.states;
    for (int side = 0; side < 2; side++) x->root[side] = c->small.root[side];
    x->work = WORK_OF_REFINING * size_of(&c->given.lts);
    if (loops) x->said.loop = tau_show_loops(&c->small.lts, c->small.diverges);
    if (c->relation != RELATION_TAUSTAR) return;
    tau_star(&c->small.lts, &c->effort, &x->other);
    x->by = RELATION_STRONG;
    x->l = &x->other;
    x->said.after_tau = true;
}

static void prepare(struct contest *c, struct decision *x) {
    *x = (struct decision){.by = c->relation, .l = &c->given.lts, .root = {c->given.root[0], c->given.root[1]}};
    if (c->relation == RELATION_BRANCHING || c->relation == RELATION_BRANCHING_DIV) collapse(c, x);
    else if (c->relation != RELATION_STRONG) merge(c, x);
    division_init(&x->d, x->l, x->by, x->divergent, &c->effort);
}

static void decision_fini(struct contest *c, struct decision *x) {
    division_fini(&x->d);
    free(x->divergent);
    if (x->l == &x->other) lts_fini(&x->other);
    if (x->merged) joint_fini(&c->small);
}

static bool divided(const struct decision *x) { return x->d.part[x->root[0]] != x->d.part[x->root[1]]; }

/* Refines until no class can be divided. */
static uint32_t *classes_of(struct contest *c, struct decision *x) {
    const struct bisimulation_start from = {x->d.part, x->d.count, x->d.stable};
    switch (x->by) {
    case RELATION_STRONG: return bisimulation_strong_from(x->l, &from, &c->effort, &x->classes);
    case RELATION_WEAK: return bisimulation_weak(x->l, UINT64_MAX, &c->effort, &x->classes);
    default: return bisimulation_branching_from(x->l, x->divergent, &from, &c->effort, &x->classes);
    }
}

/* Given up: the effort is over, which makes the classes useless. */
static enum outcome decide(struct contest *c, struct decision *x) {
    bool weak = x->by == RELATION_WEAK;
    if (effort_look(&c->effort)) return OUTCOME_GIVEN_UP;
    if (x->root[0] == x->root[1]) return OUTCOME_NONE;
    if (!weak) division_hurry(&x->d);
    if (divided(x)) return OUTCOME_FOUND;
    uint32_t *class_of = effort_look(&c->effort) ? NULL : classes_of(c, x);
    bool differ = class_of && class_of[x->root[0]] != class_of[x->root[1]];
    free(class_of);
    if (effort_look(&c->effort)) return OUTCOME_GIVEN_UP;
    x->work += (weak ? WEAK_WORK_OF_REFINING : WORK_OF_REFINING) * size_of(x->l);
    return differ ? OUTCOME_FOUND : OUTCOME_NONE;
}

/* ---- The witness ---- */

/* A formula or, without one, a trace. */
static void choose_witness(struct comparison *out, int side, bool made) {
    if (made) {
        out->witness = WITNESS_FORMULA;
        out->side = side;
        return;
    }
    formula_fini(&out->formula);
    if (!out->lone.label) return;
    out->witness = WITNESS_TRACE;
    out->side = out->lone_side;
    out->trace = out->lone;
    out->lone = (struct word){0};
}

/* Trims the formula and confirms it. False: that takes too long; or it is wrong, and may be, since it was made of a
 * coarse division. */
static bool polish(struct contest *c, struct comparison *out, int side, bool may_be_wrong, uint64_t most) {
    const struct lts *l = &c->given.lts;
    uint32_t yes = c->given.root[side], no = c->given.root[!side];
    uint64_t work = 0;
    enum outcome good = formula_tells_apart(&out->formula, l, yes, no, most, &work);
    if (good == OUTCOME_GIVEN_UP || (good == OUTCOME_NONE && may_be_wrong)) return false;
    formula_trim(&out->formula, l, yes, no, most, &work);
    c->confirming = ALWAYS_WORK + 2 * most;
    return true;
}

static bool make_formula(struct contest *c, struct decision *x, struct comparison *out) {
    uint64_t most = x->work + x->d.work;
    if (most < ALWAYS_WORK) most = ALWAYS_WORK;
    x->d.most_work = x->d.work + most;
    while (!divided(x) && x->d.rounds < DEEPEST)
        if (!division_refine(&x->d)) break;
    out->deep = x->d.rounds == DEEPEST && !divided(x) ? DEEPEST : 0;
    if (!divided(x)) return false;
    return distinguish(&x->d, &x->said, x->root[0], x->root[1], &out->formula) && polish(c, out, 0, x->d.coarse, most);
}

enum outcome contest_bisimulation(struct contest *c, struct comparison *out) {
    struct decision x;
    if (size_of(&c->given.lts) >= UINT32_MAX) return c->effort.over = EFFORT_MEMORY, OUTCOME_GIVEN_UP;
    prepare(c, &x);
    enum outcome difference = decide(c, &x);
    if (difference == OUTCOME_FOUND && !c->question->no_witness) {
        out->states = x.classes;
        formula_init(&out->formula);
        bool made = make_formula(c, &x, out);
        contest_lone_trace(c, 2, x.work + x.d.work, out);
        choose_witness(out, 0, made);
    }
    decision_fini(c, &x);
    return difference;
}

/* ---- Simulations ---- */

static enum simulation_kind kind_of(enum lts_relation r) {
    switch (r) {
    case RELATION_READY_SIMULATION: return SIMULATION_READY;
    case RELATION_WEAK_SIMULATION: return SIMULATION_WEAK;
    case RELATION_COUPLED_SIMULATION: return SIMULATION_COUPLED;
    default: return SIMULATION_STRONG;
    }
}

/* A formula that is true of the side, which the other does not simulate. */
static void show_unlike(struct contest *c, struct simulation *sim, int side, struct comparison *out) {
    uint64_t most = ALWAYS_WORK + WORK_OF_REFINING * size_of(&c->given.lts);
    formula_init(&out->formula);
    bool made = simulation_formula(sim, &out->formula);
    out->deep = made ? 0 : sim->pair[0].removed;
    made = made && polish(c, out, side, false, most);
    contest_lone_trace(c, c->question->preorder ? 1 : 2, most, out);
    choose_witness(out, side, made);
}

static enum outcome unlike(struct contest *c, int side, struct comparison *out) {
    struct simulation sim;
    simulation_init(&sim, &c->small, &c->after, kind_of(c->relation));
    enum outcome difference = simulation_fails(&sim, side);
    out->pairs += sim.count;
    if (difference == OUTCOME_FOUND && !c->question->no_witness) show_unlike(c, &sim, side, out);
    simulation_fini(&sim);
    return difference;
}

enum outcome contest_simulation(struct contest *c, struct comparison *out) {
    enum lts_relation by = c->row->tau == TAU_IS_A_LABEL ? RELATION_STRONG : RELATION_BRANCHING;
    joint_reduce(&c->small, &c->given, by, &c->effort);
    out->states = c->small.lts.states;
    after_init(&c->after, &c->small, &c->effort);
    enum outcome difference = unlike(c, 0, out);
    if (difference == OUTCOME_NONE && !c->question->preorder) difference = unlike(c, 1, out);
    after_fini(&c->after);
    joint_fini(&c->small);
    return difference;
}
