#include "compare/compare.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compare/confirm.h"
#include "compare/contest.h"
#include "minimize/tau_view.h"

static void clear_witness(struct comparison *c) {
    free(c->trace.label);
    free(c->lone.label);
    free(c->refused.label);
    for (uint32_t i = 0; i < c->word_count; i++) free(c->words[i].label);
    free(c->words);
    if (c->test.first) lts_fini(&c->test);
    if (c->formula.node) formula_fini(&c->formula);
    c->trace = c->lone = c->refused = (struct word){0};
    c->words = NULL;
    c->word_count = 0;
    c->witness = WITNESS_NONE;
}

void comparison_fini(struct comparison *c) {
    clear_witness(c);
    if (c->labels.table) names_fini(&c->labels);
    *c = (struct comparison){0};
}

/* ---- Linear-time relations: one direction after the other ---- */

typedef enum outcome direction(struct contest *c, int side, uint32_t before, struct comparison *out);

static direction *direction_of(enum relation_family f) {
    return f == FAMILY_TREE ? contest_tree : f == FAMILY_FAIR ? contest_fair : contest_aims;
}

/* By what related states may be merged, so that the relation does not see it. */
static enum lts_relation merging(enum relation_tau tau) {
    static const enum lts_relation by[] = {[TAU_IS_A_LABEL] = RELATION_STRONG,
                                           [TAU_MAY_LOOP] = RELATION_BRANCHING_DIV,
                                           [TAU_VANISHES] = RELATION_BRANCHING};
    return by[tau];
}

/* Of two witnesses, that with the shorter trace is kept. */
static enum outcome both_directions(struct contest *c, struct comparison *out) {
    direction *differs = direction_of(c->row->family);
    enum outcome first = differs(c, 0, UINT32_MAX, out);
    if (first == OUTCOME_GIVEN_UP || c->question->preorder) return first;
    if (first == OUTCOME_FOUND && c->question->no_witness) return first;
    struct comparison other = {0};
    enum outcome second = differs(c, 1, first == OUTCOME_NONE ? UINT32_MAX : out->trace.length, &other);
    if (second == OUTCOME_FOUND) {
        clear_witness(out);
        other.pairs += out->pairs;
        other.nodes += out->nodes;
        *out = other;
    } else {
        out->pairs += other.pairs;
        out->nodes += other.nodes;
    }
    return first == OUTCOME_FOUND ? first : second;
}

static enum outcome contest_linear(struct contest *c, struct comparison *out) {
    if (c->row->tau == TAU_IS_A_LABEL) c->tau = tau_show(&c->given.lts);
    joint_reduce(&c->small, &c->given, merging(c->row->tau), &c->effort);
    after_init(&c->after, &c->small, &c->effort);
    enum outcome outcome = OUTCOME_NONE;
    if (effort_look(&c->effort)) outcome = OUTCOME_GIVEN_UP;
    else if (c->small.root[0] != c->small.root[1]) outcome = both_directions(c, out);
    out->states = c->small.lts.states;
    out->sets = c->after.sets;
    after_fini(&c->after);
    joint_fini(&c->small);
    return outcome;
}

/* ---- Initial stability ---- */

static bool initially_stable(const struct contest *c, int side) {
    const struct lts_edge *e = lts_begin(&c->given.lts, c->given.root[side]);
    return e == lts_end(&c->given.lts, c->given.root[side]) || e->label != LTS_TAU;
}

/* One is stable, the other is not: of a preorder, only the second may be so. */
static enum outcome contest_stability(const struct contest *c, struct comparison *out) {
    bool first = initially_stable(c, 0), second = initially_stable(c, 1);
    if (first == second || (first && c->question->preorder)) return OUTCOME_NONE;
    out->witness = WITNESS_STABILITY;
    out->side = first ? 1 : 0;
    return OUTCOME_FOUND;
}

/* ---- Confirming ---- */

/* Does it count as possible because of a divergence? */
static bool chaotic(const struct contest *c, uint32_t root, const struct word *trace) {
    const struct lts *l = &c->given.lts;
    if (c->row->aims.catastrophic) return confirm_divergence_of_prefix(l, root, trace);
    return c->row->aims.hiding && confirm_divergence(l, root, trace);
}

static bool has_failure(const struct contest *c, uint32_t root, const struct comparison *w) {
    const struct lts *l = &c->given.lts;
    struct word *each;
    if (c->relation != RELATION_ORDINARY_FAILURES) return confirm_failure(l, root, &w->trace, &w->refused);
    each = memory_get((w->refused.length + UINT64_C(1)) * sizeof *each);
    for (uint32_t i = 0; i < w->refused.length; i++) each[i] = (struct word){&w->refused.label[i], 1};
    bool has = confirm_tree_failure(l, root, &w->trace, each, w->refused.length);
    free(each);
    return has;
}

static bool shows(const struct contest *c, const struct comparison *w, int side) {
    const struct lts *l = &c->given.lts;
    uint32_t root = c->given.root[side];
    switch (w->witness) {
    case WITNESS_TRACE:
        return confirm_trace(l, root, &w->trace) || (c->row->aims.catastrophic && chaotic(c, root, &w->trace));
    case WITNESS_FAILURE: return has_failure(c, root, w) || chaotic(c, root, &w->trace);
    case WITNESS_DIVERGENCE: return confirm_divergence(l, root, &w->trace) || chaotic(c, root, &w->trace);
    case WITNESS_TREE_FAILURE: return confirm_tree_failure(l, root, &w->trace, w->words, w->word_count);
    case WITNESS_TEST: return confirm_fails_test(l, root, &w->test, w->test.labels.text[w->success]);
    case WITNESS_STABILITY: return !initially_stable(c, side);
    case WITNESS_FORMULA:
    case WITNESS_NONE: break;
    }
    return true;
}

static bool lone_confirmed(const struct contest *c, const struct comparison *w) {
    return !w->lone.label || (confirm_trace(&c->given.lts, c->given.root[w->lone_side], &w->lone) &&
                              !confirm_trace(&c->given.lts, c->given.root[!w->lone_side], &w->lone));
}

static bool confirmed(const struct contest *c, const struct comparison *w) {
    uint64_t work = 0;
    if (w->holds || w->witness == WITNESS_NONE) return true;
    if (!lone_confirmed(c, w)) return false;
    if (w->witness == WITNESS_FORMULA)
        return formula_tells_apart(&w->formula, &c->given.lts, c->given.root[w->side], c->given.root[!w->side],
                                   c->confirming, &work) == OUTCOME_FOUND;
    return shows(c, w, w->side) && !shows(c, w, !w->side);
}

/* Whether the trace by itself tells the two apart; if not, another may. */
static void look_at_traces(const struct contest *c, struct comparison *out) {
    uint64_t most = c->given.lts.edges + c->given.lts.states + out->nodes;
    out->trace_side = -1;
    if (!out->trace.label) return;
    if (!confirm_trace(&c->given.lts, c->given.root[!out->side], &out->trace)) out->trace_side = out->side;
    else if (!c->question->preorder && (c->row->family == FAMILY_TREE || c->row->family == FAMILY_FAIR))
        contest_lone_trace(c, 2, most, out);
}

/* ---- All of it ---- */

static bool sensible(const struct lts *first, const struct lts *second, const struct comparison_question *q,
                     struct problem *why) {
    if (q->preorder && relation_row(q->relation)->preorder == RELATIONS)
        return problem_set(why, EXIT_BAD_INPUT,
                           "there is no preorder that belongs to %s bisimilarity\nTry: --preorder weak (weak "
                           "simulation), or --eq %s",
                           relation_name(q->relation), relation_name(q->relation));
    if ((uint64_t)first->states + second->states >= LTS_NONE)
        return problem_set(why, EXIT_BAD_INPUT, "the two have more than %u states together", (uint32_t)LTS_NONE - 1);
    return true;
}

/* Bytes that putting the two together takes at least, beside themselves. */
static uint64_t memory_for_both(const struct lts *first, const struct lts *second) {
    return 20 * (first->edges + second->edges);
}

/* Do the two differ? */
static enum outcome contest_any(struct contest *c, struct comparison *out) {
    if (effort_over(&c->effort)) return OUTCOME_GIVEN_UP;
    if (c->question->stability && contest_stability(c, out) == OUTCOME_FOUND) return OUTCOME_FOUND;
    switch (c->row->family) {
    case FAMILY_BISIMULATION: return contest_bisimulation(c, out);
    case FAMILY_SIMULATION: return contest_simulation(c, out);
    default: return contest_linear(c, out);
    }
}

static void show_as_tau(struct word *w, uint32_t tau) {
    for (uint32_t i = 0; i < w->length; i++)
        if (w->label[i] == tau) w->label[i] = LTS_TAU;
}

/* What the numbers of labels mean; tau has its own again. */
static void name_labels(const struct contest *c, struct comparison *out) {
    names_copy(&out->labels, &c->given.lts.labels);
    if (c->tau == LTS_TAU) return;
    show_as_tau(&out->trace, c->tau);
    show_as_tau(&out->refused, c->tau);
}

bool lts_compare(const struct lts *first, const struct lts *second, const struct comparison_question *q,
                 struct comparison *out, struct problem *why) {
    *out = (struct comparison){.trace_side = -1};
    if (!sensible(first, second, q, why)) return false;
    enum lts_relation relation = q->preorder ? relation_row(q->relation)->preorder : q->relation;
    struct contest c = {.question = q, .relation = relation, .row = relation_row(relation)};
    if (q->effort) c.effort = *q->effort;
    if (!effort_allows(&c.effort, memory_for_both(first, second)))
        return effort_problem(&c.effort, "the comparison", why);
    c.effort.bytes = memory_resident();
    joint_init(&c.given, first, second, &c.effort);
    enum outcome difference = contest_any(&c, out);
    out->holds = difference == OUTCOME_NONE;
    assert(!out->holds || out->witness == WITNESS_NONE);
    if (difference == OUTCOME_FOUND && q->no_witness) clear_witness(out);
    else if (difference == OUTCOME_FOUND) look_at_traces(&c, out);
    bool good = difference != OUTCOME_GIVEN_UP && confirmed(&c, out);
    if (good) name_labels(&c, out);
    else if (effort_over(&c.effort)) effort_problem(&c.effort, "the comparison", why);
    else
        problem_set(why, EXIT_INTERNAL, "a witness that the two differ in %s was found, but is not confirmed",
                    relation_name(q->relation));
    joint_fini(&c.given);
    if (!good) comparison_fini(out);
    return good;
}
