#include "prop/property.h"

#include <stddef.h>

const char *property_name(enum property p) {
    switch (p) {
    case PROP_SAFETY: return "safety";
    case PROP_DEADLOCK: return "deadlock";
    case PROP_MODEL_ERROR: return "model_error";
    case PROP_MAY: return "may_progress";
    case PROP_MUST: return "must_progress";
    case PROP_INFINITE: return "infinite_occurrence";
    case PROP_TERMINATION: return "termination";
    case PROP_PROGRESS: return "progress";
    case PROP_LTL: return "ltl";
    case PROP_AUTOMATON: return "automaton";
    case PROP_TESTER: return "tester";
    default: return "none";
    }
}

const char *property_headline(enum property p) {
    switch (p) {
    case PROP_SAFETY: return "Safety error";
    case PROP_DEADLOCK: return "Illegal deadlock";
    case PROP_MODEL_ERROR: return "Model error";
    case PROP_MAY: return "May-type non-progress error";
    case PROP_MUST: return "Must-type non-progress error";
    case PROP_INFINITE: return "Infinite occurrence";
    case PROP_TERMINATION: return "State was reached from which termination is unreachable";
    case PROP_PROGRESS: return "Progress violation";
    case PROP_LTL: return "The formula does not hold";
    case PROP_AUTOMATON: return "The automaton accepts an execution";
    case PROP_TESTER: return "Illegal behaviour";
    default: return "No error";
    }
}

static const unsigned progress = PROP_MAY | PROP_MUST | PROP_PROGRESS;

bool property_needs_termination(unsigned checked, const struct reduction *r) {
    unsigned safety = r->preserve == PRESERVE_SAFETY ? 0u : PROP_SAFETY, must = r->progress ? 0u : PROP_MUST;
    return r->stubborn && (checked & (safety | PROP_MAY | must | PROP_INFINITE)) != 0;
}

bool property_errors_need_termination(unsigned checked, const struct reduction *r) {
    return r->stubborn && r->preserve != PRESERVE_SAFETY && (checked & PROP_MODEL_ERROR) != 0;
}

const char *property_gap(unsigned checked, const struct reduction *r, bool terminating, bool symmetric_progress) {
    if (r->stubborn && (checked & PROP_MUST) && !r->progress)
        return "no must progress error was found, but stubborn sets may leave such cycles out; check must progress without "
               "--stubborn, or in a C model that says which transitions may change must_progress (CHANGES; not with "
               "--symmetry or --certificate)";
    if (r->stubborn && (checked & PROP_PROGRESS) && !r->progress)
        return "no test of progress fails in the reduced state space, but stubborn sets may leave such parts out; "
               "check progress without --stubborn";
    if (r->stubborn && (checked & (PROP_LTL | PROP_AUTOMATON)))
        return "no execution of the reduced state space violates the formula, but stubborn sets may leave such "
               "executions out; check formulas without --stubborn";
    if (r->symmetry && (checked & (PROP_LTL | PROP_AUTOMATON)))
        return "no execution of the reduced state space violates the formula, but propositions may tell symmetric "
               "states apart; check formulas without --symmetry";
    if (property_needs_termination(checked, r) && !terminating)
        return "stubborn sets preserve safety and progress only if the model is always may-terminating, "
               "and that check is switched off";
    if (property_errors_need_termination(checked, r) && !terminating)
        return "no model error was found, but stubborn sets may leave some out unless the model is always "
               "may-terminating";
    if (r->symmetry && (checked & progress) && !symmetric_progress)
        return "progress was checked with --symmetry, but the model does not say .progress_is_symmetric = true";
    return NULL;
}

const char *property_doubt(enum property p, const struct reduction *r, bool symmetric_progress) {
    if (r->symmetry && (p & progress) && !symmetric_progress)
        return "a progress error was found with --symmetry, but the model does not say .progress_is_symmetric = true: "
               "the symmetry map may have made it";
    return NULL;
}
