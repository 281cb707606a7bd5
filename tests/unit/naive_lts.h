/* naive_lts.h: relations of small LTSs straight from their definitions, for tests. At most NAIVE_STATES states; a set
 * of states is a word of bits. Nothing here is clever, and nothing is shared with src/lts but the LTS itself.
 *
 * `end` and `error` states have an edge to themselves with a label of its own; bisimilarities keep them apart, too.
 */
#ifndef UNIT_NAIVE_LTS_H
#define UNIT_NAIVE_LTS_H

#include "lts/lts.h"

enum { NAIVE_STATES = 16, NAIVE_LABELS = 8 };

struct naive {
    uint32_t states, labels, initial, end, error;
    uint32_t to[NAIVE_LABELS][NAIVE_STATES]; /* label 0 is tau; a set */
    uint32_t taus[NAIVE_STATES];             /* tau*: a set */
};

void naive_from(struct naive *n, const struct lts *l);
/* The states of b after those of a. Labels must be the same. *shift is where those of b begin. */
void naive_union(struct naive *n, const struct naive *a, const struct naive *b, uint32_t *shift);

/* relates[s]: the set of states that s is related to. */
void naive_strong(const struct naive *n, uint32_t *relates);
void naive_branching(const struct naive *n, uint32_t *relates);
void naive_branching_div(const struct naive *n, uint32_t *relates);
void naive_weak(const struct naive *n, uint32_t *relates);
void naive_weak_div(const struct naive *n, uint32_t *relates);
void naive_taustar(const struct naive *n, uint32_t *relates); /* `end` and `error` are known by their edges only */
/* relates[s]: the states that simulate s. */
void naive_simulation(const struct naive *n, bool ready, uint32_t *relates);
void naive_weak_simulation(const struct naive *n, uint32_t *relates); /* as naive_taustar */
void naive_coupled(const struct naive *n, uint32_t *relates);         /* the same */

/* Of the states s of n and t of m. */
bool naive_traces_equal(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t);
/* Tau is a label. Of failures, too: what a state cannot do at once. */
bool naive_strong_traces_equal(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t);
bool naive_strong_failures_equal(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t);
bool naive_failures_equal(const struct naive *n, uint32_t s, const struct naive *m,
                          uint32_t t); /* stable; divergences */
bool naive_tree_failures_equal(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t);

#endif
