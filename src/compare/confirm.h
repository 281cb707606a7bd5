/* confirm.h: is this a behaviour of that LTS? Straight from the definitions, without any reduction; what compare finds
 * is held against this before it is believed. States count from `root` on; labels are those of the LTS. */
#ifndef COMPARE_CONFIRM_H
#define COMPARE_CONFIRM_H

#include "compare/compare.h"

bool confirm_trace(const struct lts *l, uint32_t root, const struct word *trace);
/* A stable state after the trace has none of the labels. */
bool confirm_failure(const struct lts *l, uint32_t root, const struct word *trace, const struct word *refused);
/* A state after the trace can go on by tau edges for ever. */
bool confirm_divergence(const struct lts *l, uint32_t root, const struct word *trace);
bool confirm_divergence_of_prefix(const struct lts *l, uint32_t root, const struct word *trace);
/* A state after the trace can do none of the words. */
bool confirm_tree_failure(const struct lts *l, uint32_t root, const struct word *trace, const struct word *words,
                          uint32_t count);
/* Run with the test, it can reach a state from which success is impossible. The labels of the test are those of the
 * LTS, and success, by name; a label of the LTS that the test does not know is not synchronised. */
bool confirm_fails_test(const struct lts *l, uint32_t root, const struct lts *test, const char *success);

#endif
