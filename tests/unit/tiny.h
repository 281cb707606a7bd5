/* tiny.h: LTSs of a few states, and everything about them decided straight from the definitions, by trying all there
 * is.
 *
 * Nothing here is clever, and nothing is shared with src/lts: this is what the comparisons are held against. A set of
 * states is a number with one bit a state. Label 0 is tau; the others are called a, b, c, d.
 */
#ifndef UNIT_TINY_H
#define UNIT_TINY_H

#include <stdbool.h>
#include <stdint.h>

#include "lts/lts.h"

enum { TINY_STATES = 16, TINY_LABELS = 5 };

typedef uint32_t states; /* a set */

struct tiny {
    int count, labels; /* labels: with tau */
    states to[TINY_STATES][TINY_LABELS];
};

/* What the random ones begin with. State 0 is the initial one. */
void tiny_seed(uint64_t seed);
struct tiny tiny_random(int states, int labels, uint32_t edges, uint32_t percent_tau);
struct tiny tiny_mutant(const struct tiny *t); /* much like it */
/* Two that do as t does, until they lose some edges invisibly. *late can lose them in most states but the first, *early
 * in the first too. Often fair testing does not see that where tree failures do: what is refused early could be refused
 * later anyway. */
void tiny_losing(const struct tiny *t, struct tiny *early, struct tiny *late);
void tiny_lts(const struct tiny *t, struct lts *out);
struct tiny tiny_from_lts(const struct lts *l); /* labels by their numbers */
struct tiny tiny_read(const char *text);        /* as tiny_print writes it: "0-a->1 1-tau->0" */
void tiny_print(const char *name, const struct tiny *t);

/* Operators. The two sides of tiny_parallel synchronise on the labels of the set. */
struct tiny tiny_parallel(const struct tiny *x, const struct tiny *y, uint32_t synchronised);
struct tiny tiny_hide(const struct tiny *t, uint32_t labels);
struct tiny tiny_rename(const struct tiny *t, const int *new_label);
struct tiny tiny_with_tau_loop(const struct tiny *t); /* in parallel with a process that has tau for ever */
struct tiny tiny_prefix(const struct tiny *t, int label);
struct tiny tiny_choice(const struct tiny *x, const struct tiny *y);
/* Tau becomes the last of TINY_LABELS labels, which there must not be. */
struct tiny tiny_with_visible_tau(const struct tiny *t);

/* after(set, label); `set` need not be closed */
states tiny_close(const struct tiny *t, states set);
states tiny_after(const struct tiny *t, states set, int label);
states tiny_divergent(const struct tiny *t); /* those with an endless tau path */

/* Is x below y? If not, *depth is the length of a shortest trace after which that shows (where there is such a thing).
 * */
bool tiny_traces(const struct tiny *x, const struct tiny *y, uint32_t *depth);
bool tiny_strong_traces(const struct tiny *x, const struct tiny *y, uint32_t *depth);
bool tiny_strong_failures(const struct tiny *x, const struct tiny *y, uint32_t *depth);
bool tiny_ordinary_failures(const struct tiny *x, const struct tiny *y, uint32_t *depth);
bool tiny_stable_failures(const struct tiny *x, const struct tiny *y, uint32_t *depth);
bool tiny_csp_stable_failures(const struct tiny *x, const struct tiny *y, uint32_t *depth);
bool tiny_ndfd(const struct tiny *x, const struct tiny *y, uint32_t *depth);
bool tiny_cffd(const struct tiny *x, const struct tiny *y, uint32_t *depth);
bool tiny_failures_divergences(const struct tiny *x, const struct tiny *y, uint32_t *depth);
bool tiny_tree_failures(const struct tiny *x, const struct tiny *y, uint32_t *depth);

/* Fair testing, by trying every K that can be described by a set of nodes (A, B). *known is false if these are too
 * many. */
bool tiny_fair_testing(const struct tiny *x, const struct tiny *y, uint32_t *depth, bool *known);

/* A refutation of "x is below y in fair testing", by definition, for a set K of words that a DFA accepts:
 * next[state][label], state 0 first and not accepting. */
enum { DFA_STATES = 4 };
struct dfa {
    int count;
    uint8_t next[DFA_STATES][TINY_LABELS];
    uint32_t accepting;
};
bool tiny_fair_refuted(const struct tiny *x, const struct tiny *y, const struct dfa *k);

/* Run with a tester (whose states in `success` can succeed), can it lose the ability to succeed? */
bool tiny_fails_test(const struct tiny *t, const struct tiny *tester, states success);

/* Bisimilar, simulated. */
bool tiny_strong(const struct tiny *x, const struct tiny *y);
bool tiny_weak(const struct tiny *x, const struct tiny *y);
bool tiny_branching(const struct tiny *x, const struct tiny *y);
bool tiny_taustar(const struct tiny *x, const struct tiny *y);
bool tiny_branching_div(const struct tiny *x, const struct tiny *y); /* at most 8 states together */
bool tiny_weak_div(const struct tiny *x, const struct tiny *y);      /* the same */
bool tiny_simulated(const struct tiny *x, const struct tiny *y);
bool tiny_ready_simulated(const struct tiny *x, const struct tiny *y);
bool tiny_coupled_simulated(const struct tiny *x, const struct tiny *y);
bool tiny_weakly_simulated(const struct tiny *x, const struct tiny *y);
bool tiny_safe(const struct tiny *x, const struct tiny *y); /* simulated by what tau* a leads to */

#endif
