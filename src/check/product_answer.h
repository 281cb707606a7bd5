/* product_answer.h: what checks of a model that is watched have in common, whether the watcher is an automaton
 * (ltl_check.h) or a tester (tester_check.h): parts of the answer. */
#ifndef CHECK_PRODUCT_ANSWER_H
#define CHECK_PRODUCT_ANSWER_H

#include "check/check.h"
#include "watch/product.h"
#include "graph/space.h"

/* Sets verdict and message, which is kept. What is violated is what is checked. */
void watched_answer(struct answer *a, enum verdict verdict, char *message);
/* Model code failed: it raised an error itself, or broke a rule. */
void watched_fault(struct answer *a, struct ts *ts, struct ts_worker *w, const struct ts_fault *f);
/* Adds what a search has cost, and what its store was worth. */
void watched_counts(struct answer *a, const struct space *s);
/* After the search: with stubborn sets by hand-written obligations, audits the sets that `worker` chooses in states of
 * the product that a small search finds (scout.h), and tells so in a->audit. If the rules are wrong, that is the
 * answer, but for executions that are real. `model` is a worker of the model, `worker` one of the product that works
 * through it. In rule_audit.c. */
void watched_rules(struct answer *a, struct product *p, struct ts_worker *model, struct ts_worker *worker,
                   bool no_audit, const struct limits *limits, const struct ticker *ticker);

#endif
