/* sleep.h: successors that need not be looked up, because another order of the same transitions has led there before.
 *
 * Sleep sets (P. Godefroid: Partial-Order Methods for the Verification of Concurrent Systems) for a breadth-first
 * search that finds states in a fixed order. Let the state s be new when t occurs in p, and let u be enabled in s, and
 *
 *     t and u be independent: neither changes what the other depends on. Then u is enabled in p, t is enabled after u,
 *     and both ways from p end in the same state x:
 *
 *              u            t              s' = p u is another successor of p. If s' was known before s, its number is
 *         p ------> s' ------> x           smaller, and its successors are looked up before those of s. So x is known
 *         p ------> s  ------> x           when s is expanded, and u is asleep in s: its successor may be left out.
 *              t            u
 *
 * The successor of s' by t may have been left out, too; but then there was one before that, and so on, and the first
 * of all edges to x is never left out. So all states are found, and in the same order, as if nothing were left out.
 *
 * s' was known before s, unless it was new in p after s, when a transition after t occurred. Such s' are the next
 * states in the order of finding: the siblings that come after s. So u is awake, if it is not independent of t; or if
 * it may have made one of the siblings after s. The transition that made it first, says the sibling's origin; another
 * one that leads to the same state would have flipped the same bits.
 *
 * What is independent is known from what transitions were seen to use and flip (ts/facts.h). That is enough: u does in
 * s what it was seen to do in states that agree with s on all that it used, and t in p likewise. What one thread has
 * seen must be known to all: facts are shared, and are there before anything is made that depends on them.
 */
#ifndef REDUCE_SLEEP_H
#define REDUCE_SLEEP_H

#include "ts/facts.h"

/* Transitions that there may be. If a state was made by the k-th transition in the order of firing, its origin is
 * k + 1. */
enum { SLEEP_TRANSITIONS = 64 };

/* Sets of transitions, as bits, in the order of firing; for one thread. */
struct sleep {
    uint32_t version;                         /* 1 + that of the facts that this is made of; 0: of none */
    uint64_t awake[SLEEP_TRANSITIONS + 1];    /* by origin: those that are awake; all, if that is 0 */
    uint64_t siblings[SLEEP_TRANSITIONS + 1]; /* by origin of a sibling that comes after: the same */
};

/* Brings it up to date. `forward`: the order of firing, see struct reduction. */
void sleep_learn(struct sleep *z, struct facts_seen *f, bool forward);

/* Which transitions are awake in each of n states with these origins, which go on as ts.h says. */
void sleep_awake(const struct sleep *z, const uint8_t *origins, uint32_t n, uint64_t *awake);

#endif
