/* Bisimulations: the two roots are in the same class, or a formula says why not. Simulations likewise. */
#include <stdlib.h>

#include "lts/contest.h"
#include "lts/distinguish.h"
#include "lts/minimize.h"
#include "lts/simulation.h"

/* The relation by which states are merged before the relation at hand is looked at. */
static enum lts_relation merging(enum lts_relation r) { return r == RELATION_WEAK ? RELATION_BRANCHING : r; }

static bool same_class(struct contest *c) {
    uint32_t classes, *class_of = lts_partition(&c->given.lts, c->question->relation, &c->effort, &classes);
    bool same = class_of[c->given.root[0]] == class_of[c->given.root[1]];
    free(class_of);
    return same;
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

void contest_bisimulation(struct contest *c, struct comparison *out) {
    enum lts_relation r = c->question->relation;
    out->holds = same_class(c) || effort_look(&c->effort);
    if (out->holds) return;
    contest_lone_trace(c, 2, out);
    formula_init(&out->formula);
    joint_reduce(&c->small, &c->given, merging(r), &c->effort);
    out->states = c->small.lts.states;
    choose_witness(c, distinguish(&c->small, r, &c->effort, &out->formula), out);
    joint_fini(&c->small);
}

void contest_simulation(struct contest *c, struct comparison *out) {
    enum lts_relation r = c->question->relation;
    struct simulation sim;
    joint_reduce(&c->small, &c->given, merging(r), &c->effort);
    out->states = c->small.lts.states;
    after_init(&c->after, &c->small, &c->effort);
    simulation_init(&sim, &c->small, &c->after, r == RELATION_WEAK);
    out->holds = simulation_holds(&sim) || effort_look(&c->effort);
    out->pairs = sim.count;
    if (!out->holds) {
        contest_lone_trace(c, 1, out);
        formula_init(&out->formula);
        choose_witness(c, simulation_formula(&sim, &out->formula), out);
    }
    simulation_fini(&sim);
    after_fini(&c->after);
    joint_fini(&c->small);
}
