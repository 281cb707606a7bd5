/* watched.h: what checks of a model that is watched have in common, whether the watcher is an automaton (ltl_check.h)
 * or a tester (tester_check.h): parts of the answer. */
#ifndef SEARCH_WATCHED_H
#define SEARCH_WATCHED_H

#include "search/check.h"
#include "search/space.h"

/* Sets verdict and message, which is kept. What is violated is what is checked. */
void watched_answer(struct answer *a, enum verdict verdict, char *message);
/* Model code failed: it raised an error itself, or broke a rule. */
void watched_fault(struct answer *a, struct ts *ts, struct ts_worker *w, const struct ts_fault *f);
/* Adds what a search has cost, and what its store was worth. */
void watched_counts(struct answer *a, const struct space *s);

#endif
