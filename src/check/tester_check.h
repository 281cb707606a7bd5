/* tester_check.h: does a model do anything that a tester process (lts/tester.h) finds illegal?
 *
 * C1 to C4 of FLY, Theorem 3.3, are looked for in the product (tester_product.h). Illegal traces, stable failures and
 * divergences are found by one search, Algorithm 3.4, breadth-first or depth-first; illegal infinite traces by a search
 * for cycles, nested or by strong components, which finds illegal traces and stable failures as well. So there are two
 * searches only if the tester has both livelock monitors and infinite-trace monitors. LTL_LEVELS looks for all four in
 * one product, which all threads build. What is found is replayed on the model, and the tester is run on it by its
 * definition, before it is believed.
 */
#ifndef CHECK_TESTER_CHECK_H
#define CHECK_TESTER_CHECK_H

#include "lts/tester.h"
#include "check/ltl_check.h"

struct tester_question {
    const struct tester *tester;
    enum ltl_algorithm algorithm; /* for infinite traces; LTL_DEFAULT: strong components if there are such monitors;
                                     LTL_LEVELS: for all */
    enum favour favour;
    bool depth_first; /* the outer search of Algorithm 3.4 */
    bool stubborn;    /* the model, opened without them, has obligations */
    bool no_audit;    /* trust hand-written obligations */
};

/* False: the question makes no sense, and `why` tells; then there is no answer. */
bool tester_check(struct answer *a, struct ts *ts, struct ts_worker *w, const struct tester_question *q,
                  const struct limits *limits, const struct means *means, const struct ticker *ticker,
                  struct problem *why);

#endif
