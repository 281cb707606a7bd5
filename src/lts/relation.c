#include "lts/relation.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"

#define NO_PREORDER RELATIONS

static const struct relation_row rows[RELATIONS] = {
    [RELATION_STRONG] = {.name = "strong",
                         .adjective = "strongly bisimilar",
                         .aliases = "bisim",
                         .tau = TAU_IS_A_LABEL,
                         .preorder = RELATION_SIMULATION},
    [RELATION_BRANCHING] = {.name = "branching",
                            .adjective = "branching bisimilar",
                            .aliases = "branching-bisim",
                            .tau = TAU_VANISHES,
                            .preorder = NO_PREORDER},
    [RELATION_BRANCHING_DIV] = {.name = "branching-div",
                                .adjective = "branching bisimilar with divergence",
                                .aliases = "dpbranching-bisim divbranching",
                                .tau = TAU_MAY_LOOP,
                                .preorder = NO_PREORDER},
    [RELATION_WEAK] = {.name = "weak",
                       .adjective = "weakly bisimilar",
                       .aliases = "weak-bisim observational",
                       .tau = TAU_VANISHES,
                       .preorder = RELATION_WEAK_SIMULATION},
    [RELATION_WEAK_DIV] = {.name = "weak-div",
                           .adjective = "weakly bisimilar with divergence",
                           .aliases = "dpweak-bisim",
                           .tau = TAU_MAY_LOOP,
                           .preorder = NO_PREORDER},
    [RELATION_COUPLED_SIMULATION] = {.name = "coupled-simulation",
                                     .adjective = "coupled similar",
                                     .aliases = "coupled-sim",
                                     .family = FAMILY_SIMULATION,
                                     .tau = TAU_VANISHES,
                                     .preorder = RELATION_COUPLED_SIMULATION,
                                     .least = LEAST_OF_NONE},
    [RELATION_READY_SIMULATION] = {.name = "ready-simulation",
                                   .adjective = "ready similar",
                                   .aliases = "ready-sim",
                                   .family = FAMILY_SIMULATION,
                                   .tau = TAU_IS_A_LABEL,
                                   .preorder = RELATION_READY_SIMULATION},
    [RELATION_SIMULATION] = {.name = "simulation",
                             .adjective = "similar",
                             .aliases = "sim",
                             .family = FAMILY_SIMULATION,
                             .tau = TAU_IS_A_LABEL,
                             .preorder = RELATION_SIMULATION},
    [RELATION_WEAK_SIMULATION] = {.name = "weak-simulation",
                                  .adjective = "weakly similar",
                                  .aliases = "weak-sim safety",
                                  .family = FAMILY_SIMULATION,
                                  .tau = TAU_VANISHES,
                                  .preorder = RELATION_WEAK_SIMULATION,
                                  .least = LEAST_WITHOUT_TAU},
    [RELATION_TAUSTAR] = {.name = "taustar",
                          .adjective = "tau*.a equivalent",
                          .aliases = "tau-star",
                          .tau = TAU_VANISHES,
                          .preorder = RELATION_WEAK_SIMULATION,
                          .least = LEAST_WITHOUT_TAU},
    [RELATION_TRACE] = {.name = "trace",
                        .adjective = "trace equivalent",
                        .aliases = "traces weak-trace weaktrace",
                        .family = FAMILY_LINEAR,
                        .tau = TAU_VANISHES,
                        .preorder = RELATION_TRACE,
                        .least = LEAST_DETERMINISTIC,
                        .aims = {.traces = true}},
    [RELATION_STRONG_TRACE] = {.name = "strong-trace",
                               .adjective = "strongly trace equivalent",
                               .aliases = "",
                               .family = FAMILY_LINEAR,
                               .tau = TAU_IS_A_LABEL,
                               .preorder = RELATION_STRONG_TRACE,
                               .least = LEAST_DETERMINISTIC,
                               .aims = {.traces = true}},
    [RELATION_STRONG_FAILURES] = {.name = "strong-failures",
                                  .adjective = "strongly failures equivalent",
                                  .aliases = "",
                                  .family = FAMILY_LINEAR,
                                  .tau = TAU_IS_A_LABEL,
                                  .preorder = RELATION_STRONG_FAILURES,
                                  .least = LEAST_OF_NONE,
                                  .aims = {.traces = true, .failures = true}},
    [RELATION_ORDINARY_FAILURES] = {.name = "ordinary-failures",
                                    .adjective = "ordinary failures equivalent",
                                    .aliases = "",
                                    .family = FAMILY_LINEAR,
                                    .tau = TAU_VANISHES,
                                    .preorder = RELATION_ORDINARY_FAILURES,
                                    .least = LEAST_OF_NONE,
                                    .aims = {.traces = true, .failures = true}},
    [RELATION_STABLE_FAILURES] = {.name = "stable-failures",
                                  .adjective = "stable failures equivalent",
                                  .aliases = "",
                                  .family = FAMILY_LINEAR,
                                  .tau = TAU_MAY_LOOP,
                                  .preorder = RELATION_STABLE_FAILURES,
                                  .least = LEAST_OF_NONE,
                                  .aims = {.failures = true}},
    [RELATION_CSP_STABLE_FAILURES] = {.name = "csp-stable-failures",
                                      .adjective = "equivalent in the stable failures model of CSP",
                                      .aliases = "weak-failures",
                                      .family = FAMILY_LINEAR,
                                      .tau = TAU_MAY_LOOP,
                                      .preorder = RELATION_CSP_STABLE_FAILURES,
                                      .least = LEAST_OF_NONE,
                                      .aims = {.traces = true, .failures = true}},
    [RELATION_CFFD] = {.name = "cffd",
                       .adjective = "CFFD equivalent",
                       .aliases = "",
                       .family = FAMILY_LINEAR,
                       .tau = TAU_MAY_LOOP,
                       .preorder = RELATION_CFFD,
                       .least = LEAST_OF_NONE,
                       .aims = {.traces = true, .failures = true, .divergences = true}},
    [RELATION_NDFD] = {.name = "ndfd",
                       .adjective = "NDFD equivalent",
                       .aliases = "",
                       .family = FAMILY_LINEAR,
                       .tau = TAU_MAY_LOOP,
                       .preorder = RELATION_NDFD,
                       .least = LEAST_OF_NONE,
                       .aims = {.traces = true, .failures = true, .divergences = true, .hiding = true}},
    [RELATION_FAILURES_DIVERGENCES] =
        {.name = "failures-divergences",
         .adjective = "failures-divergences equivalent",
         .aliases = "failures-divergence",
         .family = FAMILY_LINEAR,
         .tau = TAU_MAY_LOOP,
         .preorder = RELATION_FAILURES_DIVERGENCES,
         .least = LEAST_OF_NONE,
         .aims = {.traces = true, .failures = true, .divergences = true, .catastrophic = true}},
    [RELATION_TREE_FAILURES] = {.name = "tree-failures",
                                .adjective = "tree failure equivalent",
                                .aliases = "impossible-futures",
                                .family = FAMILY_TREE,
                                .tau = TAU_VANISHES,
                                .preorder = RELATION_TREE_FAILURES,
                                .least = LEAST_OF_NONE},
    [RELATION_FAIR_TESTING] = {.name = "fair-testing",
                               .adjective = "fair testing equivalent",
                               .aliases = "should-testing",
                               .family = FAMILY_FAIR,
                               .tau = TAU_VANISHES,
                               .preorder = RELATION_FAIR_TESTING,
                               .least = LEAST_OF_NONE},
};

const struct relation_row *relation_row(enum lts_relation r) {
    assert(r < RELATIONS && rows[r].name);
    return &rows[r];
}

const char *relation_name(enum lts_relation r) { return rows[r].name; }

enum lts_relation relation_find(const char *name) {
    int ignored;
    for (int r = 0; r < RELATIONS; r++)
        if (strcmp(name, rows[r].name) == 0 || text_choice(name, rows[r].aliases, &ignored))
            return (enum lts_relation)r;
    return RELATIONS;
}

bool relation_parse(const char *option, const char *name, const char *all, enum lts_relation *r, struct problem *why) {
    const char *names[RELATIONS];
    *r = relation_find(name);
    if (*r != RELATIONS) return true;
    if (strcmp(name, "failures") == 0)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--%s %s: which? strong-failures (that of mCRL2), csp-stable-failures (that of FDR), "
                           "stable-failures or ordinary-failures",
                           option, name);
    for (int i = 0; i < RELATIONS; i++) names[i] = rows[i].name;
    const char *near = text_nearest(name, names, RELATIONS);
    return problem_set(why, EXIT_BAD_INPUT, "--%s %s: there is no such relation%s%s%s\nThere are: %s", option, name,
                       near ? "; did you mean " : "", near ? near : "", near ? "?" : "", all);
}

bool relation_has_testers(enum lts_relation r) {
    const struct relation_row *row = &rows[r];
    return row->family == FAMILY_LINEAR && (row->tau == TAU_MAY_LOOP || r == RELATION_TRACE);
}
