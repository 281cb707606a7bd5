/* bisimulation.h: the parts of minimising that relate states: partitions, collapsing, quotients. For minimize.c, which
 * says what each relation needs.
 *
 * A partition is an array of block numbers, one for each state, to be freed; blocks are numbered in the order of their
 * least states. `end` and `error`, if any, are alone in their blocks. LTSs have fewer than 2^32 - 1 edges here.
 * If the effort is over, it is some partition.
 */
#ifndef MINIMIZE_BISIMULATION_H
#define MINIMIZE_BISIMULATION_H

#include "base/effort.h"
#include "lts/lts.h"
#include "lts/relation.h"

/* All states in one block: what there is when there is no effort to be spent. */
uint32_t *bisimulation_none(const struct lts *l, uint32_t *blocks);

/* What refining begins with: a coarser partition of the states. */
struct bisimulation_start {
    uint32_t *part, parts; /* by state, a number below `parts`; each occurs. `end` and `error` are alone. */
    bool stable;           /* it is the result */
};

/* One that is found quickly, see division.h; part is to be freed. */
struct bisimulation_start bisimulation_begin(const struct lts *l, enum lts_relation relation, const uint8_t *divergent,
                                             struct effort *effort);

/* The result, if it is stable: its parts, numbered as blocks are. */
uint32_t *bisimulation_done(const struct lts *l, const struct bisimulation_start *from, uint32_t *blocks);

/* Strong bisimilarity, in O(m log n). */
uint32_t *bisimulation_strong(const struct lts *l, struct effort *effort, uint32_t *blocks);
uint32_t *bisimulation_strong_from(const struct lts *l, const struct bisimulation_start *from, struct effort *effort,
                                   uint32_t *blocks);

/* Branching bisimilarity of an LTS without tau-cycles, in O(m log n). `divergent[s]`: keep s apart from states that can
 * not get to such a state by inert steps; NULL: there are none. */
uint32_t *bisimulation_branching(const struct lts *l, const uint8_t *divergent, struct effort *effort,
                                 uint32_t *blocks);
uint32_t *bisimulation_branching_from(const struct lts *l, const uint8_t *divergent,
                                      const struct bisimulation_start *from, struct effort *effort, uint32_t *blocks);

/* Weak bisimilarity of an LTS whose tau-edges lead to lower numbers. NULL: more than about `budget` steps would be
 * needed, or the effort is over. */
uint32_t *bisimulation_weak(const struct lts *l, uint64_t budget, struct effort *effort, uint32_t *blocks);

/* All states of a block made one. Tau-edges inside a block vanish. State numbers are block numbers. */
void tau_collapse(const struct lts *l, const uint32_t *block, uint32_t blocks, struct lts *out);

/* What a quotient keeps of tau-edges inside a block. */
enum inner_taus { INNER_TAUS_STAY, INNER_TAUS_VANISH };

/* The reachable part of the quotient, breadth first; isomorphic ones if blocks are numbered otherwise. The edges of a
 * block are those of one of its states, which has no inner tau-edges if they vanish, except perhaps to itself. A
 * divergent state gives its block a tau-edge to itself. */
void lts_quotient(const struct lts *l, const uint32_t *block, uint32_t blocks, enum inner_taus inner,
                  const uint8_t *divergent, struct lts *out);

/* For the two above: which states are alone in their part. To be freed. */
uint8_t *bisimulation_alone(const struct lts *l, const struct bisimulation_start *from);

/* Kinds of states that are kept apart from the beginning: 0 plain, then those of `end` and `error` that exist. Returns
 * how many kinds there are. */
uint32_t lts_kinds(const struct lts *l, uint8_t *kind);

#endif
