/* lts.h: a labelled transition system, all of it in memory.
 *
 * States are 0, 1, ..., states-1. Labels are numbers too; label 0 is the invisible action, LTS_TAU, whose name is
 * "tau". The alphabet is all visible labels of `labels`, also those that no edge has: that matters in composition and
 * in comparison. The edges that leave state s are edge[first[s]] to edge[first[s + 1] - 1], sorted by label, then
 * target, each once.
 *
 * Two states may be special. `end` is where a process has ended well: it has no edges, and is not a deadlock. `error`
 * is where a property has been violated: it has no edges either. Either may be LTS_NONE.
 *
 * An LTS is made with a builder: add edges in any order, then finish. It does not change afterwards.
 */
#ifndef LTS_LTS_H
#define LTS_LTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"
#include "base/effort.h"

enum { LTS_TAU = 0, LTS_NONE = UINT32_MAX };

struct lts_edge {
    uint32_t label, target;
};

struct lts {
    uint32_t states, initial;
    uint32_t end, error;
    uint64_t edges;
    uint64_t *first; /* states + 1 */
    struct lts_edge *edge;
    struct names labels;
};

void lts_fini(struct lts *l);
void lts_copy(struct lts *to, const struct lts *from); /* `to` is not initialised before */

struct lts_builder {
    struct names labels;   /* names_add to it freely; 0 is tau already */
    uint32_t initial;      /* 0 unless set */
    uint32_t end, error;   /* LTS_NONE unless set */
    uint32_t states;       /* grows with the edges; may be set for states without any */
    struct effort *effort; /* NULL unless set: it may take as long as it needs */
    uint64_t count, room;
    struct lts_triple {
        uint32_t source, label, target;
    } * triples;
};

void lts_build(struct lts_builder *b);
void lts_build_with(struct lts_builder *b, const struct names *labels); /* a copy of these */
void lts_build_edge(struct lts_builder *b, uint32_t source, uint32_t label, uint32_t target);
void lts_build_grow(struct lts_builder *b); /* more room, for who fills in `triples` and `count` himself */
/* The LTS; the builder is empty afterwards. There is at least one state. If the effort is over, it has all its states
 * and no edges. */
void lts_build_finish(struct lts_builder *b, struct lts *l);

/* Sorts edges by label, then target, and drops those that repeat others. How many are left. */
size_t lts_sort_edges(struct lts_edge *e, size_t n);

/* Labels or targets of edges were changed: brings them in order again, and drops those that have become equal. */
void lts_tidy(struct lts *l);

/* Only what can be reached from the initial state, numbered in breadth-first order, so that the initial state is 0. All
 * labels stay. */
void lts_reachable(const struct lts *l, struct lts *out);

static inline const struct lts_edge *lts_begin(const struct lts *l, uint32_t s) { return l->edge + l->first[s]; }
static inline const struct lts_edge *lts_end(const struct lts *l, uint32_t s) { return l->edge + l->first[s + 1]; }
static inline bool lts_deadlocks(const struct lts *l, uint32_t s) {
    return l->first[s] == l->first[s + 1] && s != l->end && s != l->error;
}

#endif
