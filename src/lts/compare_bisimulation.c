/* Bisimulations: the two roots are in the same class, or a formula says why not. Simulations likewise. */
#include <stdlib.h>

#include "lts/contest.h"
#include "lts/distinguish.h"
#include "lts/minimize.h"
#include "lts/simulation.h"

/* The relation by which states are merged before the relation at hand is looked at. */
static enum lts_relation merging(enum lts_relation r) { return r == RELATION_WEAK ? RELATION_BRANCHING : r; }

/* Given up: the effort is over, which makes the classes useless, or there are too many edges. */
static enum outcome find_difference(struct contest *c) {
    uint32_t classes, *class_of = lts_partition(&c->given.lts, c->question->relation, &c->effort, &classes);
    if (!class_of && !effort_look(&c->effort)) c->effort.over = EFFORT_MEMORY;
    bool differ = class_of && class_of[c->given.root[0]] != class_of[c->given.root[1]];
    free(class_of);
    if (effort_look(&c->effort)) return OUTCOME_GIVEN_UP;
    return differ ? OUTCOME_FOUND : OUTCOME_NONE;
}

/* A formula or, without one, a trace. */
static void choose_witness(struct contest *c, bool made, struct comparison *out) {
    if (made) {
        formula_trim(&out->formula, &c->given.lts, c->given.root[0], c->given.root[1]);
        out->witness = WITNESS_FORMULA;
        out->side = 0;
        return;
    }
    formula_fini(&out->formula);
    if (!out->lone.label) return;
    out->witness = WITNESS_TRACE;
    out->side = out->lone_side;
    out->trace = out->lone;
    out->lone = (struct word){0};
}

enum outcome contest_bisimulation(struct contest *c, struct comparison *out) {
    enum lts_relation r = c->question->relation;
    enum outcome difference = find_difference(c);
    if (difference != OUTCOME_FOUND) return difference;
    contest_lone_trace(c, 2, out);
    formula_init(&out->formula);
    joint_reduce(&c->small, &c->given, merging(r), &c->effort);
    out->states = c->small.lts.states;
    choose_witness(c, distinguish(&c->small, r, &c->effort, &out->formula), out);
    joint_fini(&c->small);
    return OUTCOME_FOUND;
}

enum outcome contest_simulation(struct contest *c, struct comparison *out) {
    enum lts_relation r = c->question->relation;
    struct simulation sim;
    joint_reduce(&c->small, &c->given, merging(r), &c->effort);
    out->states = c->small.lts.states;
    after_init(&c->after, &c->small, &c->effort);
    simulation_init(&sim, &c->small, &c->after, r == RELATION_WEAK);
    enum outcome difference = simulation_fails(&sim);
    out->pairs = sim.count;
    if (difference == OUTCOME_FOUND) {
        contest_lone_trace(c, 1, out);
        formula_init(&out->formula);
        choose_witness(c, simulation_formula(&sim, &out->formula), out);
    }
    simulation_fini(&sim);
    after_fini(&c->after);
    joint_fini(&c->small);
    return difference;
}
