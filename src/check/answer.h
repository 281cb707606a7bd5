/* answer.h: a check that is going on: what the parts of it share. See check.h for what it is about.
 *
 *     check.c              the order of things      answer.c       answers
 *     concretize_check.c   executions with symmetry rule_audit.c   hand-written rules
 *     property/            a file for each question random.c       random search
 *     check_symbolic.c     decision diagrams
 *
 * A part returns true if nothing was found and the check goes on; else the answer is set.
 */
#ifndef CHECK_ANSWER_H
#define CHECK_ANSWER_H

#include "check/check.h"
#include "check/checkpoint.h"
#include "explore/dfs.h"
#include "graph/explicit.h"

struct check {
    struct answer *a;
    struct ts *ts;
    struct ts_worker *w;
    const struct questions *q;
    struct space s;            /* what an engine searches in; then */
    struct state_graph graph;  /* ... what is asked */
    struct symbolic *symbolic; /* with decision diagrams; or NULL */
    struct symbolic_graph *symbolic_graph;
    struct stop stop;
    struct dfs_end end;    /* of a depth-first search */
    bool traced;           /* by it: a->trace is what was on its stack when it stopped */
    bool built;            /* all states are there, and nothing is wrong with any of them */
    bool terminating;      /* it was found that the model is always may-terminating */
    struct ts_fault fault; /* the last one that check_fault was told of */
    struct checkpoint checkpoint;
    struct position position; /* where a resumed search was; then, where this one is */
};

/* ---- Answers ---- */

/* `message` is kept. */
void check_answer(struct check *c, enum verdict verdict, enum property property, char *message);
void check_inconclusive(struct check *c, const char *reason);
void check_fault(struct check *c, const struct ts_fault *f); /* model code failed */
void check_stop(struct check *c);                            /* the search had to stop before its end: c->stop */
void check_set_aside(struct check *c); /* states may be missing: questions about all of them are not asked */
/* What check_state or check_deadlock says about the last state of the trace. */
void check_answer_end(struct check *c, enum property property, enum ts_feature feature);

/* Notes that a shortest cycle was asked for, and is not what is shown. */
void check_not_shortest(struct check *c);

/* ---- The trace of the answer ---- */

void check_forget_trace(struct check *c);
bool check_believe(struct check *c); /* replays it; false: it does not replay, which is the answer */
bool check_trace_to_stop(struct check *c, struct stop *way); /* to the state where the search stopped */
/* Audits hand-written rules on a sample of the states, unless the answer is an error already. If they are wrong, that
 * is the answer, but for executions that are real. `limits` and `ticker`, which may be NULL, are those of the check. */
void check_rules(struct check *c, const struct limits *limits, const struct ticker *ticker);
/* With symmetry: makes it one of the model itself, without the map; if there is none, or it does not show the error,
 * the answer is that the map is wrong. The last thing that is done to an answer. */
void check_concrete(struct check *c);

/* ---- Searching ---- */

struct bfs_goals check_goals(const struct check *c);
/* The marks of a backward search that was saved, if any: they are for the first question, and are the caller's. */
struct marks *check_saved_marks(struct check *c);
bool check_start(struct check *c, word *start); /* the initial state, or its representative; false: the model failed */

/* ---- Parts ---- */

bool check_fair_must_progress(struct check *c);
/* Whether the model is always may-terminating, if nothing but what is said about model errors depends on it:
 * c->terminating. False: the search was given up, which is the answer. */
bool check_endings(struct check *c);
bool check_action_progress(struct check *c);
void check_trap(struct check *c); /* a depth-first search has found that termination is lost */
/* The search has come to a terminal state without progress: the last of the trace. `sharpen`: looks how far back
 * progress was out of reach already. */
void check_stuck(struct check *c, bool sharpen);
/* Makes decision diagrams of all states, and looks for what a search would find on the way. True: nothing was found. */
bool check_build_symbolic(struct check *c);
void check_end_symbolic(struct check *c);
void check_random(struct check *c, const struct limits *limits, const struct means *means, const struct ticker *ticker);

#endif
