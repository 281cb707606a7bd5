/* outcome.h: what comes of looking for something.
 *
 * That there is none and that the search was given up are two answers: who takes one for the other gives a wrong
 * verdict. So a function that looks for something returns an outcome, and none of its values is zero or one: it cannot
 * be used as if it were a bool. A bool says one thing: whether something was done; if not, a struct stop, a problem or
 * an effort that is over says why.
 */
#ifndef BASE_OUTCOME_H
#define BASE_OUTCOME_H

enum outcome {
    OUTCOME_NONE = 2, /* all was looked at, and there is none */
    OUTCOME_FOUND,
    OUTCOME_GIVEN_UP, /* not all was looked at */
};

/* What must not be passed over by the caller: the compiler complains. */
#define MUST_BE_USED __attribute__((warn_unused_result))

#endif
