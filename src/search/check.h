/* check.h: the checks, in order, and the answer.
 *
 *     1. breadth-first construction: bad states, illegal deadlocks, model errors, on the fly
 *     2. may progress      3. must progress      4. infinite occurrence      5. always may-terminating
 *
 * The first violation ends it. Its counterexample is replayed on the unreduced system before it is believed. If
 * there is none, the answer is "holds" only if the reduction justifies it (prop/property.h).
 */
#ifndef SEARCH_CHECK_H
#define SEARCH_CHECK_H

#include "prop/property.h"
#include "search/space.h"
#include "search/trace.h"

struct questions {
    unsigned checks;       /* a union of enum property; PROP_TERMINATION: also without stubborn sets */
    bool no_termination;   /* do not check it with stubborn sets either */
    bool terminal_not_may; /* terminal states do not count as may-progress states */
    bool terminal_not_must;
    uint32_t infinitely;     /* PROP_INFINITE: this transition */
    const bool *finitely;    /* and none of these, one for each transition */
    const char *certificate; /* if it holds: write one to this file; NULL: do not */
};

/* VERDICT_ERROR: a mistake in the model's code; VERDICT_INTERNAL: one of ours. */
enum verdict { VERDICT_HOLDS, VERDICT_VIOLATED, VERDICT_INCONCLUSIVE, VERDICT_ERROR, VERDICT_INTERNAL };

struct answer {
    enum verdict verdict;
    enum property property; /* violated */
    unsigned checked;       /* what was checked, or was being checked */
    char *message;          /* what is wrong; inconclusive: why; NULL if it holds */
    const char *note;       /* something else that the user should know, or NULL */
    struct trace trace;     /* count = 0: none */
    uint64_t states, edges, terminals, depth;
    double seconds;
    struct problem certificate; /* why none was written, though it holds and one was asked for */
};

void check_run(struct answer *a, struct ts *ts, struct ts_worker *w, const struct questions *q,
               const struct limits *limits, const struct ticker *ticker);
void answer_fini(struct answer *a);

#endif
