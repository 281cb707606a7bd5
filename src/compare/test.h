/* test.h: tests, by which a difference in fair testing can be seen.
 *
 * A test is a deterministic LTS without tau edges, over the alphabet of the two sides and one label more, success. It
 * is run in parallel with an LTS; all labels but success are synchronised. The LTS fails the test if the two together
 * can reach a state from which no state can be reached any more where success is possible. L1 is below L2 in the fair
 * testing preorder iff L1 fails no test that L2 does not fail.
 *
 * The test of a trace w and a set K of words (FAIR, Figure 5) is a path w, with success possible before its end,
 * followed by an automaton for K, with success possible where a word of K is complete.
 */
#ifndef COMPARE_TEST_H
#define COMPARE_TEST_H

#include "compare/compare.h"
#include "compare/game.h"

/* The test of the trace alone, K empty: failed by what has the trace. */
void test_of_trace(const struct names *labels, const struct word *trace, struct lts *test, uint32_t *success);

/* The test of the trace and a small K that the game's start node, which stays, allows. */
void test_of_node(const struct game *g, uint32_t start, const struct word *trace, struct lts *test, uint32_t *success);

/* At most `most` of the words of K, shortest first; *complete: these are all. To be freed, each and all. */
struct word *test_words(const struct lts *test, uint32_t success, const struct word *trace, uint32_t most,
                        uint32_t *count, bool *complete);

/* The same test with one more state that can not be reached and has an edge to itself with each label: files do not
 * tell the alphabet otherwise. */
void test_for_file(const struct lts *test, struct lts *out);

#endif
