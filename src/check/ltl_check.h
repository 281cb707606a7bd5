/* ltl_check.h: does every execution of a model satisfy a formula of linear temporal logic? Or: is there one that a
 * given automaton accepts?
 *
 * The negation of a formula becomes an automaton, and an execution that it accepts is looked for (product.h,
 * cycles.h). One that is found is replayed on the model, and the formula is evaluated on it without any automaton,
 * before it is believed. For a given automaton, an execution that ends is a finite sequence, and is accepted as such;
 * what is found is read by the automaton as it was given, by its definition (automaton_word.h).
 *
 * With stubborn sets (reduce/guided.h), some executions are left out; one that violates the formula remains if there is
 * any, provided that the formula cannot tell how often a state is repeated, or, for propositions about actions, how
 * often nothing of interest occurs. That is decided; if it can, the question is refused. So it is with a given
 * automaton; propositions about actions are refused there.
 */
#ifndef CHECK_LTL_CHECK_H
#define CHECK_LTL_CHECK_H

#include "omega/hoa/hoa.h"
#include "check/check.h"
#include "explore/cycles.h"
#include "explore/engine.h"

struct ltl_question {
    const char *formula;
    const char *name;        /* of an assertion, or the file of the automaton; or NULL */
    const struct hoa *given; /* instead of a formula: what this accepts is an error */
    enum ltl_algorithm algorithm;
    enum favour favour;
    bool depth_first;        /* one-pass: the outer search */
    bool parallel;           /* LTL_DEFAULT: where graph cannot be, levels, for the sake of threads */
    const struct fair *fair; /* NULL: none */
    bool stubborn;           /* the system is open without reductions, and must have obligations */
    bool no_audit;           /* trust hand-written obligations */
    /* LTL_LEVELS, without stubborn sets: what needs no cycle, by the shortest way; else, of the executions of the
     * product that have a cycle, one with a shortest cycle, and of those one with a shortest way there. */
    bool shortest;
};

/* False: the question makes no sense, and `why` tells; then there is no answer. */
bool ltl_check(struct answer *a, struct ts *ts, struct ts_worker *w, const struct ltl_question *q,
               const struct limits *limits, const struct means *means, const struct ticker *ticker,
               struct problem *why);

#endif
