/* weak.h: what the parts of bisimulation_weak share. weak.c tells how it works. */
#ifndef LTS_WEAK_H
#define LTS_WEAK_H

#include "lts/lts.h"
#include "lts/partition.h"
#include "lts/sets.h"

struct weak_list {
    uint32_t *at, count;
};

struct weak {
    const struct lts *lts;
    struct partition p;
    uint64_t *sign;           /* of a block: that of the signatures of its states */
    struct weak_list dirty;   /* states whose signatures may have changed */
    struct weak_list changed; /* states whose block numbers have changed */
    uint8_t *noted;           /* of a state: it is in `changed`, or in `dirty` */
    uint32_t *tau_first, *tau_source, *visible_first, *visible_source; /* edges, as their targets see them */
    uint64_t steps;                                                    /* work done */
    /* Searches. */
    uint32_t *seen, visit; /* of a state: the last search that has found it */
    struct weak_list before, after;
    /* Signatures as sets. */
    struct sets sets;
    uint32_t *rank;     /* of a state: tau-edges lead to lower ones */
    uint32_t *by_tau;   /* of a state: the blocks that it gets to by tau* */
    uint32_t *by_label; /* of a state: for each label, the blocks that it gets to by tau* label tau* */
    uint32_t *list, list_room;
    uint32_t least_kept; /* nodes after the last time that sets were forgotten */
};

void weak_sets_init(struct weak *g);
void weak_sets_fini(struct weak *g);

/* Computes the signatures of all dirty states. */
void weak_sign_dirty(struct weak *g);

/* The signature of a state as a number: equal ones have equal numbers. */
static inline uint64_t weak_sign(const struct weak *g, uint32_t s) {
    return (uint64_t)g->by_tau[s] << 32 | g->by_label[s];
}

/* After a split: signatures that are not in use any more are forgotten; others may get new numbers. */
void weak_forget_sets(struct weak *g);

#endif
