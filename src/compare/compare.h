/* compare.h: are two LTSs equivalent, or is one below the other; and if not, by what can they be told apart?
 *
 * doc/COMPARE.md defines the relations. Both sides are taken over the same alphabet, the union of theirs. `end` and
 * `error` states count as if they had an edge to themselves with a label of their own; see union.h.
 *
 * A no comes with a witness, and no witness is given that has not been confirmed on the LTSs as they were given, by
 * code that shares nothing with the search for it (confirm.h, formula_tells_apart). One that is not confirmed is an
 * internal error.
 *
 *   WITNESS_TRACE         `trace` is one of side `side` and not of the other
 *   WITNESS_FAILURE       after `trace`, side `side` can be stable and refuse all of `refused`; the other can not.
 *                         Ordinary failures: it can be where tau edges alone do not lead to any of `refused`
 *   WITNESS_DIVERGENCE    after `trace`, side `side` can go on invisibly for ever; the other can not
 *   WITNESS_TREE_FAILURE  after `trace`, side `side` can be where none of `words` is possible any more; the other can
 *   not WITNESS_TEST          run with `test`, side `side` can lose the ability to reach `success`; the other can not
 *   WITNESS_FORMULA       `formula` is true of side `side` and false of the other
 *   WITNESS_STABILITY     side `side` has a tau edge at the start, and the other has not
 *
 * Traces are as short as they can be. A test begins with `trace`; see test.h. A bisimulation comes without a formula if
 * that would be too deep to be of use, or if making it would take longer than deciding did.
 *
 * If the traces of the two differ, that is often easier to understand than a formula, a tree failure or a test. Then
 * `lone` is a shortest trace that only one of them has, if it is found with less work than deciding took.
 *
 * A caller who asks for no witness gets the verdict alone.
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "base/effort.h"
#include "compare/hml.h"
#include "lts/lts.h"
#include "lts/relation.h"

enum witness {
    WITNESS_NONE, /* it holds; or the two differ and no witness could be made */
    WITNESS_TRACE,
    WITNESS_FAILURE,
    WITNESS_DIVERGENCE,
    WITNESS_TREE_FAILURE,
    WITNESS_TEST,
    WITNESS_FORMULA,
    WITNESS_STABILITY,
};

struct word {
    uint32_t *label;
    uint32_t length;
};

struct comparison {
    bool holds;
    enum witness witness;
    int side;            /* 0 or 1: whose behaviour the witness is */
    struct names labels; /* what the numbers below mean */
    struct word trace;
    int trace_side;      /* whose `trace` is, if it is not a trace of the other at all; else -1 */
    struct word lone;    /* of bisimulations, simulations, tree failures and fair testing; no label: none */
    int lone_side;       /* whose it is */
    struct word refused; /* a set */
    struct word *words;
    uint32_t word_count;
    struct lts test; /* WITNESS_TEST */
    uint32_t success;
    struct formula formula; /* WITNESS_FORMULA */
    uint32_t deep;          /* WITNESS_NONE: there is no formula that is less deep; 0: none was found in the time */
    /* How much was to be done. */
    uint32_t states; /* of both, after merging equivalent ones; 0: that was not needed */
    uint64_t pairs, sets, nodes;
};

struct comparison_question {
    enum lts_relation relation;
    bool preorder;               /* is the first below the second? If a preorder belongs to it, see relation.h */
    bool stability;              /* must both be initially stable, or none? Preorder: the first, if the second is */
    bool no_witness;             /* the verdict is enough */
    const struct effort *effort; /* that may be spent; NULL: any */
};

/* False: `why` says why it could not be decided; `out` is then empty. */
bool lts_compare(const struct lts *first, const struct lts *second, const struct comparison_question *q,
                 struct comparison *out, struct problem *why);
void comparison_fini(struct comparison *c);

#endif
