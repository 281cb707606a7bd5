/* trace_sets.h: sets of states that a trace may lead to: a subset construction, made as far as it is asked for.
 *
 * A set is a number; each set exists once. AFTER_EMPTY is the empty one. All others are closed under tau edges: they
 * are after(s, w) of some state s and trace w. Members are sorted, so that those that tau edges lead to come before
 * those that they come from (see union.h).
 *
 * after_expand computes the steps of a set, once: for each visible label that some member has, in ascending order, the
 * set that it leads to. What after_members and after_steps return is valid until the next set is made or expanded.
 */
#ifndef MINIMIZE_TRACE_SETS_H
#define MINIMIZE_TRACE_SETS_H

#include "algo/table.h"
#include "base/effort.h"
#include "minimize/union.h"

enum { AFTER_EMPTY = 0 };

struct after_step {
    uint32_t label, set;
};

struct after {
    const struct joint *j;
    struct effort *effort;
    struct after_row {
        uint64_t members; /* where they begin in `member` */
        uint64_t steps;   /* where they begin in `step`; UINT64_MAX: not expanded */
        uint32_t count, step_count;
        uint32_t hash;
    } * row;
    uint32_t sets, room;
    uint32_t *member;
    uint64_t members, member_room;
    struct after_step *step;
    uint64_t steps, step_room;
    struct table table;           /* of the rows */
    uint32_t *found, *stamp, now; /* a closure under construction: its states, and who is in it */
    struct lts_edge *edge;        /* visible edges of a set under expansion */
    uint64_t edge_room;
};

void after_init(struct after *a, const struct joint *j, struct effort *effort);
void after_fini(struct after *a);

/* What is reached from a state by tau edges alone, itself included. */
uint32_t after_start(struct after *a, uint32_t state);
void after_expand(struct after *a, uint32_t set);

static inline uint32_t after_count(const struct after *a, uint32_t set) { return a->row[set].count; }
static inline const uint32_t *after_members(const struct after *a, uint32_t set) {
    return a->member + a->row[set].members;
}
static inline uint32_t after_step_count(const struct after *a, uint32_t set) { return a->row[set].step_count; }
static inline const struct after_step *after_steps(const struct after *a, uint32_t set) {
    return a->step + a->row[set].steps;
}

/* The set that an expanded set leads to by a label; perhaps AFTER_EMPTY. */
uint32_t after_by(const struct after *a, uint32_t set, uint32_t label);

/* Where in the set a state is, or UINT32_MAX. */
uint32_t after_place(const struct after *a, uint32_t set, uint32_t state);
static inline bool after_has(const struct after *a, uint32_t set, uint32_t state) {
    return after_place(a, set, state) != UINT32_MAX;
}
bool after_subset(const struct after *a, uint32_t x, uint32_t y); /* every member of x is one of y */
bool after_meet(const struct after *a, uint32_t x, uint32_t y);   /* some member of x is one of y */

#endif
