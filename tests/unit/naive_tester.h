/* naive_tester.h: what a tester finds illegal in a small LTS, straight from FLY, Definitions 2.4 and 3.2. Traces are
 * enumerated, with the sets of states that system and tester may be in after them; infinite traces are cycles of pairs
 * of states, by steps that are seen. There is no product with invisible steps, and no search of src/explore. */
#ifndef UNIT_NAIVE_TESTER_H
#define UNIT_NAIVE_TESTER_H

#include "lts/tester.h"

enum { NAIVE_SYSTEM = 48, NAIVE_TESTER = 6 };

/* The kinds (enum tester_kind) for which there is something illegal. The system has at most NAIVE_SYSTEM states, the
 * tester NAIVE_TESTER. */
unsigned naive_illegal(const struct lts *system, const struct tester *tester);

#endif
