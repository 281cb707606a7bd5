/* compare.h: is what onager says what was expected? */
#ifndef COMPARE_H
#define COMPARE_H

#include "tool.h"

/* Whether a member of an object is this text, or null. */
bool has_text(const json_t *json, const char *key, const char *value);

/* NULL, or how the answer differs from what was expected. If other answers are right too, *x becomes the one that was
 * given. */
const char *compare(const struct run *run, const struct answer *a, struct expectation *x, const struct naive_graph *g,
                    const struct naive_graph *unreduced);

/* With --max-states, onager may give up, but not be wrong. */
bool gave_up(const struct run *run, const struct answer *a, const struct expectation *x);

/* A text about a difference, for people. */
void describe(const char *difference, const struct expectation *x, const struct answer *a, char *text, size_t size);

/* A document without what may differ from run to run, and from one number of threads to another: with a store that is
 * not exact, estimates too. To be freed; NULL if it is not JSON. */
json_t *essence(const char *document, bool exact);

#endif
