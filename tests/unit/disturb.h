/* disturb.h: asks a question once, then again and again with another occasion refused each time (refuse.h), and
 * compares.
 *
 * Never may it hold then if it did not before, nor be violated if it was not. That there is no answer is always right.
 */
#ifndef UNIT_DISTURB_H
#define UNIT_DISTURB_H

#include "check/check.h"

/* What became of a question. VERDICT_ERROR: it makes no sense; then it is not asked again. */
struct told {
    enum verdict verdict;
    enum property property;
    unsigned held;
    bool trace; /* there is one */
    char message[300];
};

struct told told_of(const struct answer *a);

struct disturbance {
    const char *what; /* for messages */
    struct told (*ask)(void *context);
    void *context;
    bool several; /* properties: another one may be found violated */
    /* The reduction is wrong: what it says about termination is taken at its word without a second opinion. */
    bool reduced;
    long tries, given_up; /* added to */
};

/* All kinds of refusals. Returns the answer without any. */
struct told disturb(struct disturbance *d);

/* For a kind of the test's own: occasion number i of `count`, of those that are tried; and the comparison. `fails`: the
 * model does, which is an answer. */
enum { DISTURBED_A_KIND = 12 };
uint64_t disturb_occasion(uint64_t i, uint64_t count);
void disturb_compare(struct disturbance *d, const struct told *right, const struct told *now, const char *kind,
                     uint64_t at, bool fails);

#endif
