/* Bisimulations: the two roots are in the same class, or a formula says why not. Simulations likewise. */
#include <stdlib.h>

#include "base/memory.h"
#include "lts/contest.h"
#include "lts/distinguish.h"
#include "lts/minimize.h"
#include "lts/simulation.h"

/* Beyond this, a trace is not looked for: there may be a formula. */
static const uint64_t memory_for_trace = UINT64_C(1) << 28;

/* The relation by which states are merged before the relation at hand is looked at. */
static enum lts_relation merging(enum lts_relation r) { return r == RELATION_WEAK ? RELATION_BRANCHING : r; }

static bool same_class(const struct contest *c) {
    uint32_t classes, *class_of = lts_partition(&c->given.lts, c->question->relation, &classes);
    bool same = class_of[c->given.root[0]] == class_of[c->given.root[1]];
    free(class_of);
    return same;
}

/* A trace of one side that the other has not, if there is one and it is easily found. */
static void look_for_trace(struct contest *c, int sides, struct comparison *out) {
    struct contest traces = {.given = c->given, .question = c->question};
    struct comparison found[2] = {0};
    int best = -1;
    traces.effort = (struct effort){.most = memory_for_trace, .interrupted = c->effort.interrupted};
    joint_reduce(&traces.small, &c->given, RELATION_BRANCHING);
    after_init(&traces.after, &traces.small, &traces.effort);
    for (int side = 0; side < sides; side++) {
        uint32_t before = best < 0 ? UINT32_MAX : found[best].trace.length;
        if (contest_traces(&traces, side, before, &found[side])) best = side;
    }
    if (best >= 0) {
        out->trace = found[best].trace;
        out->trace_side = best;
        found[best].trace = (struct word){0};
    }
    free(found[0].trace.label);
    free(found[1].trace.label);
    after_fini(&traces.after);
    joint_fini(&traces.small);
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
    if (out->trace_side < 0) return;
    out->witness = WITNESS_TRACE;
    out->side = out->trace_side;
}

void contest_bisimulation(struct contest *c, struct comparison *out) {
    enum lts_relation r = c->question->relation;
    out->holds = same_class(c);
    if (out->holds) return;
    look_for_trace(c, 2, out);
    formula_init(&out->formula);
    joint_reduce(&c->small, &c->given, merging(r));
    out->states = c->small.lts.states;
    choose_witness(c, distinguish(&c->small, r, &c->effort, &out->formula), out);
    joint_fini(&c->small);
}

void contest_simulation(struct contest *c, struct comparison *out) {
    enum lts_relation r = c->question->relation;
    struct simulation sim;
    joint_reduce(&c->small, &c->given, merging(r));
    out->states = c->small.lts.states;
    after_init(&c->after, &c->small, &c->effort);
    simulation_init(&sim, &c->small, &c->after, r == RELATION_WEAK);
    out->holds = simulation_holds(&sim);
    out->pairs = sim.count;
    if (!out->holds) {
        look_for_trace(c, 1, out);
        formula_init(&out->formula);
        choose_witness(c, simulation_formula(&sim, &out->formula), out);
    }
    simulation_fini(&sim);
    after_fini(&c->after);
    joint_fini(&c->small);
}
