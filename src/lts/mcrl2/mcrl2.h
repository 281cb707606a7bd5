/* mcrl2.h: LTSs in the binary format of mCRL2, which is a stream of terms (aterm.h).
 *
 * First comes what the LTS was made from: sorts, aliases, constructors, mappings and equations, each as a number and so
 * many terms; then a list of parameters and one of actions. Then come, in any order, transitions, lists, of which each
 * is the label of the next state, and the initial state; they are told apart by the term before them:
 *
 *     transition  FROM (number)  TimedMultAct(actions, time)  TO (number)
 *     initial_state  1  STATE (numbers); until version 0x8306, a probability stands between them
 *
 * There are as many states as labels of states, or as numbers in transitions ask for.
 */
#ifndef LTS_MCRL2_MCRL2_H
#define LTS_MCRL2_MCRL2_H

#include "base/names.h"
#include "lts/mcrl2/aterm.h"

enum {
    MCRL2_OLDEST = 0x8306, /* versions that are read: releases from 2020 on, */
    MCRL2_NEWEST = 0x8308  /* up to this one, since August 2024, which is written */
};

enum { MCRL2_SORTS, MCRL2_ALIASES, MCRL2_CONSTRUCTORS, MCRL2_MAPPINGS, MCRL2_EQUATIONS, MCRL2_PARTS };

/* What the labels of a file were before they were texts, and what their data mean: so that the LTS can be written as
 * mCRL2 knew it. {0}: nothing. */
struct mcrl2_kept {
    bool there;
    struct aterms terms;
    struct mcrl2_part {
        uint32_t *term;
        size_t count, room;
    } part[MCRL2_PARTS];
    uint32_t actions;        /* a list */
    struct names text;       /* of labels */
    struct mcrl2_part label; /* by number in `text`: TimedMultAct */
};

void mcrl2_kept_fini(struct mcrl2_kept *k);

#endif
