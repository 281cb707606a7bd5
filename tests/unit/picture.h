/* picture.h: what a small system can do, in tables, so that questions about it are answered by their definitions.
 * States have one word.
 */
#ifndef UNIT_PICTURE_H
#define UNIT_PICTURE_H

#include "ts/ts.h"

enum { PICTURE_STATES = 192, PICTURE_EDGES = 4096, PICTURE_ACTIONS = 64 };

struct picture {
    uint32_t states;
    word state[PICTURE_STATES]; /* 0 is the initial one */
    bool terminal[PICTURE_STATES];
    uint32_t edges;
    struct picture_edge {
        uint32_t from, action, to; /* the action as ops->action tells it, also if it is hidden */
    } edge[PICTURE_EDGES];
    bool reaches[PICTURE_STATES][PICTURE_STATES]; /* by one edge or more */
};

/* `reduced`: as ops->expand has it; else as ops->fire has it. False: it is too large. */
bool picture_take(struct picture *p, struct ts *ts, struct ts_worker *w, bool reduced);

/* Is every terminal state of one a terminal state of the other, after the same traces? A trace is the sequence of
 * actions but tau and hidden ones. GIVEN_UP: there are too many sets of states that traces lead to. */
enum picture_ends { ENDS_SAME, ENDS_DIFFERENT, ENDS_GIVEN_UP };
enum picture_ends picture_compare_ends(const struct picture *a, const struct picture *b, const struct ts *ts);

/* Does a test of progress fail? See struct ts_progress. */
bool picture_fails(const struct picture *p, const struct ts_progress *test);

#endif
