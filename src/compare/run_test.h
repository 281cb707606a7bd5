/* run_test.h: a test (test.h) is run with an LTS: all states that the two can be in together, and back from where
 * success is possible.
 *
 * All labels of the test but success are synchronised, also those that the LTS has not, which so never occur. The test
 * may have tau edges, and need not be deterministic; a label of the LTS that the test does not know is not
 * synchronised. The LTS fails the test if the two can reach a pair of states from which no pair can be reached where
 * success is possible (FAIR).
 */
#ifndef COMPARE_RUN_TEST_H
#define COMPARE_RUN_TEST_H

#include "compare/compare.h"

struct test_run {
    uint64_t pairs; /* how many there are */
    /* If it fails, a shortest way to a pair from which success is impossible: */
    struct word trace;    /* the visible labels of the LTS on it, to be freed */
    uint32_t state, with; /* the pair: of the LTS, of the test */
};

/* Does it fail, from this state on? Given up: the effort, which may be NULL, is over. The success label must not be one
 * of the LTS. */
MUST_BE_USED enum outcome run_test_fails(const struct lts *l, uint32_t root, const struct lts *test,
                                         const char *success, struct effort *effort, struct test_run *out);

#endif
