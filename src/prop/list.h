/* list.h: the properties, as data: a row for each, in the order in which they are asked and told, and a row for each
 * option about them. Whatever lists properties is made of these rows: names, options with their help, what a reduction
 * keeps, what checkpoints and certificates say and what a certificate must have. The members of a row are those of
 * struct property_row, which property.h explains; what is not said is 0. How a property is asked is in check/.
 */
#ifndef PROP_LIST_H
#define PROP_LIST_H

/* clang-format off */

#define PROPERTIES(X)                                                                                                  \
    /* No reachable state is bad. */                                                                                   \
    X(SAFETY, .name = "safety", .headline = "Safety error",                                                            \
      .when = ON_THE_FLY, .feature = TS_CHECK_STATE, .needs = NEEDS_FUNCTION,                                          \
      .stubborn = IF_ENDS | OR_SAFE_SETS)                                                                              \
    /* Every reachable terminal state is legal. */                                                                     \
    X(DEADLOCK, .name = "deadlock", .headline = "Illegal deadlock",                                                    \
      .when = ON_THE_FLY, .feature = TS_CHECK_DEADLOCK, .needs = NEEDS_FUNCTION)                                       \
    /* The model never calls model_error. */                                                                           \
    X(MODEL_ERROR, .name = "model_error", .headline = "Model error",                                                   \
      .when = ON_THE_FLY, .feature = TS_RAISES,                                                                        \
      .stubborn = IF_ENDS | OR_SAFE_SETS | OR_UNSAID)                                                                  \
    /* From every reachable state a may-progress state is reachable. */                                                \
    X(MAY, .name = "may_progress", .headline = "May-type non-progress error",                                          \
      .when = AFTER, .feature = TS_MAY_PROGRESS, .needs = NEEDS_FUNCTION | NEEDS_EDGES,                                \
      .rank = RANK_SOME, .target = TS_MAY, .ends = ENDS_UNLESS_TOLD,                                                   \
      .stubborn = IF_ENDS, PROGRESS_IF_SYMMETRIC)                                                                      \
    /* Every cycle contains a must-progress state. */                                                                  \
    X(MUST, .name = "must_progress", .headline = "Must-type non-progress error",                                       \
      .when = AFTER, .feature = TS_MUST_PROGRESS, .needs = NEEDS_FUNCTION | NEEDS_EDGES,                               \
      .rank = RANK_ALL, .target = TS_MUST, .ends = ENDS_UNLESS_TOLD,                                                   \
      .stubborn = IF_ENDS | IF_PROGRESS_SETS,                                                                          \
      .stubborn_gap = "no must progress error was found, but stubborn sets may leave such cycles out; say which "      \
                      "transitions may change must_progress (CHANGES; not with --symmetry or --certificate), or "      \
                      "check must progress without --stubborn",                                                        \
      PROGRESS_IF_SYMMETRIC)                                                                                           \
    /* No execution has t infinitely often and each of U finitely often. */                                            \
    X(INFINITE, .name = "infinite_occurrence", .headline = "Infinite occurrence",                                      \
      .when = AFTER, .needs = NEEDS_EDGES, .rank = RANK_COMPONENTS,                                                    \
      .stubborn = IF_ENDS, .symmetry = LOST,                                                                           \
      .symmetry_gap = "infinite occurrence is about one transition, and --symmetry confuses it with those of "         \
                      "symmetric processes")                                                                           \
    /* Always may-terminating: from every reachable state a terminal state is reachable. */                            \
    X(TERMINATION, .name = "termination", .headline = "State was reached from which termination is unreachable",       \
      .when = AFTER, .needs = NEEDS_EDGES_BFS | DFS_FINDS, .rank = RANK_SOME, .ends = ENDS_COUNT)                      \
    /* Every test of progress by actions passes: see struct ts_progress. */                                            \
    X(PROGRESS, .name = "progress", .headline = "Progress violation",                                                  \
      .when = AFTER, .needs = NEEDS_TESTS | NEEDS_EDGES_BFS, .rank = RANK_UNKNOWN,                                     \
      .plural = "progress properties",                                                                                 \
      .stubborn = IF_PROGRESS_SETS,                                                                                    \
      .stubborn_gap = "no test of progress fails in the reduced state space, but stubborn sets may leave such parts "  \
                      "out; check progress without --stubborn",                                                        \
      PROGRESS_IF_SYMMETRIC)                                                                                           \
    /* From every reachable state a state where the named proposition holds is reachable. */                           \
    X(HOME, .name = "home", .headline = "State was reached from which no home state is reachable",                     \
      .when = AFTER, .needs = NEEDS_EDGES, .rank = RANK_SOME, .target = TS_NAMED, .saved = SAVED_ASKED,                \
      .stubborn = IF_SHOWN_TO_END,                                                                                     \
      .stubborn_gap = "home states were not found to be lost, but stubborn sets preserve them only if the model is "   \
                      "known to be always may-terminating; check home states without --stubborn",                      \
      .symmetry = IF_SAME,                                                                                             \
      .symmetry_gap = "home states were checked with --symmetry, but the model does not say that the proposition is "  \
                      "the same on symmetric states; check home states without --symmetry",                            \
      .symmetry_doubt = "home states seem to be lost with --symmetry, but the model does not say that the "            \
                        "proposition is the same on symmetric states; check home states without --symmetry")           \
    /* The initial state satisfies a formula of computation tree logic. */                                             \
    X(CTL, .name = "ctl", .headline = "The branching-time formula does not hold", .plural = "formulas",                \
      .when = AFTER, .needs = NEEDS_EDGES, .rank = RANK_UNKNOWN, .saved = NOT_SAVED, FORMULA_IS_LOST)                  \
    /* Every execution satisfies a formula of linear temporal logic. */                                                \
    X(LTL, .name = "ltl", .headline = "The formula does not hold", .plural = "formulas",                               \
      .when = WATCHED, .rank = RANK_UNKNOWN, FORMULA_IS_LOST)                                                          \
    /* No execution is accepted by a given automaton. */                                                               \
    X(AUTOMATON, .name = "automaton", .headline = "The automaton accepts an execution", .plural = "formulas",          \
      .when = WATCHED, .rank = RANK_UNKNOWN, .saved = NOT_SAVED, FORMULA_IS_LOST)                                      \
    /* A tester process finds nothing illegal: see lts/tester.h. */                                                    \
    X(TESTER, .name = "tester", .headline = "Illegal behaviour", .plural = "testers",                                  \
      .when = WATCHED, .rank = RANK_UNKNOWN, .saved = NOT_SAVED)

#define PROGRESS_IF_SYMMETRIC                                                                                          \
    .symmetry = IF_SAME,                                                                                               \
    .symmetry_gap = "progress was checked with --symmetry, but the model does not say .progress_is_symmetric = true",  \
    .symmetry_doubt = "a progress error was found with --symmetry, but the model does not say "                        \
                      ".progress_is_symmetric = true: the symmetry map may have made it"

#define FORMULA_IS_LOST                                                                                                \
    .stubborn = LOST,                                                                                                  \
    .stubborn_gap = "no execution of the reduced state space violates the formula, but stubborn sets may leave such "  \
                    "executions out; check formulas without --stubborn",                                               \
    .symmetry = LOST,                                                                                                  \
    .symmetry_gap = "no execution of the reduced state space violates the formula, but propositions may tell "         \
                    "symmetric states apart; check formulas without --symmetry"

/* What options say about them, in the order of --help: which use, of which property, member of struct options, name,
 * what follows, help. (Formulas and what else watches the model have options of their own.) */
#define PROPERTY_OPTIONS(X)                                                                                            \
    X(OFF, SAFETY, no_check_state, "no-check-state", NULL, "do not look for bad states")                               \
    X(OFF, DEADLOCK, no_check_deadlock, "no-check-deadlock", NULL, "do not look for illegal deadlocks")                \
    X(OFF, MAY, no_may_progress, "no-may-progress", NULL, "do not check may progress")                                 \
    X(OFF, MUST, no_must_progress, "no-must-progress", NULL, "do not check must progress")                             \
    X(OFF, PROGRESS, no_progress, "no-progress", NULL, "FSP: do not check the progress properties")                    \
    X(ON, TERMINATION, termination, "termination", NULL,                                                               \
      "check that the model is always may-terminating (with --stubborn, that is checked when it is needed)")           \
    X(HOW, TERMINATION, no_termination, "no-termination", NULL,                                                        \
      "do not check it with --stubborn either; what depends on it becomes inconclusive")                               \
    X(HOW, MAY, terminal_not_may, "terminal-not-may", NULL,                                                            \
      "terminal states are not may-progress states by themselves")                                                     \
    X(HOW, MUST, terminal_not_must, "terminal-not-must", NULL,                                                         \
      "terminal states are not must-progress states by themselves")                                                    \
    X(ASK, INFINITE, infinitely, "infinitely", "T",                                                                    \
      "look for an execution where transition T (number or name) occurs infinitely often")                             \
    X(OF, INFINITE, finitely, "finitely", "U,...", "... while each of these occurs only finitely often")               \
    X(ASK, HOME, home, "home", "PROPOSITION",                                                                          \
      "check that a state where PROPOSITION holds can be reached from every state; it is one of the model's "          \
      "PROPOSITION(...), may_progress or must_progress")                                                           \
    X(ASK, CTL, ctl, "ctl", "FORMULA",                                                                                 \
      "check a formula of computation tree logic, such as 'AG(asks.0 -> EF served.0)', with EX EF EG E(f U g) AX AF "  \
      "AG A(f U g); its propositions are those of --home. An execution that ends stays in its last state for ever")

/* clang-format on */

#endif
