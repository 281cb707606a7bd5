/* weak.h: what the parts of bisimulation_weak share. weak.c tells how it works. */
#ifndef MINIMIZE_WEAK_H
#define MINIMIZE_WEAK_H

#include "base/effort.h"
#include "lts/lts.h"
#include "algo/partition.h"
#include "algo/shared_sets.h"

struct weak_list {
    uint32_t *at, count;
};

/* An edge as its target sees it. */
struct weak_arrow {
    uint32_t label, source;
};

struct weak {
    const struct lts *lts;
    struct effort *effort;
    struct partition p;
    uint64_t *sign;           /* of a block: that of the signatures of its states */
    struct weak_list dirty;   /* states whose signatures may have changed */
    struct weak_list changed; /* states whose block numbers have changed */
    uint8_t *noted;           /* of a state: it is in `changed`, or in `dirty` */
    uint32_t *tau_first, *tau_source, *visible_first;
    struct weak_arrow *visible;
    uint64_t steps; /* work done */
    uint32_t tried; /* blocks below were tried by weak_split_nearby */
    /* Since signatures were computed last. */
    uint32_t first_fresh; /* blocks from here on are new */
    uint32_t *origin;     /* of such a block: the one that it was a part of */
    /* Searches. */
    uint32_t *seen, visit; /* of a state: the last search that has found it */
    struct weak_list before, after;
    struct weak_arrow *arrows;
    uint64_t arrow_room;
    /* Signatures as sets. */
    struct sets sets;
    uint32_t *rank;     /* of a state: tau-edges lead to lower ones */
    uint32_t *by_tau;   /* of a state: the blocks that it gets to by tau* */
    uint32_t *by_label; /* of a state: for each label, the blocks that it gets to by tau* label tau* */
    uint32_t *list, list_room;
    uint32_t least_kept; /* nodes after the last time that sets were forgotten */
};

/* Begins a search: nothing has been found yet. */
void weak_new_visit(struct weak *g);

static inline void weak_reach(struct weak *g, struct weak_list *found, uint32_t s) {
    if (g->seen[s] == g->visit) return;
    g->seen[s] = g->visit;
    found->at[found->count++] = s;
}

/* Adds all that get by tau* to what was found. False: that takes more than `limit` steps. */
bool weak_close_backward(struct weak *g, struct weak_list *found, uint64_t limit);

/* After a split of block b: the states of the new block have a new number. */
void weak_note_split(struct weak *g, uint32_t b, uint32_t fresh);

/* The block of a state when signatures were computed. */
static inline uint32_t weak_origin(const struct weak *g, uint32_t s) {
    uint32_t b = partition_block(&g->p, s);
    return b < g->first_fresh ? b : g->origin[b];
}

/* Separates those on the list, each once and a union of classes, from all others. */
void weak_split_by_list(struct weak *g, const struct weak_list *list);

/* ---- weak_founded.c ---- */

/* Finds the classes of all states that can not go on for ever, and sets up the partition: these classes, and one block
 * of all other states. Returns their number. */
uint32_t weak_start_partition(struct weak *g);

/* ---- weak_nearby.c ---- */

/* Splits by all blocks that are new since the last time, where few states get to them. */
void weak_split_nearby(struct weak *g);

/* ---- weak_lost.c ---- */

/* After a round that has changed little: splits by who does not get to the rest of a block that was split. */
void weak_split_lost(struct weak *g);

/* ---- weak_sets.c ---- */

void weak_sets_init(struct weak *g);
void weak_sets_fini(struct weak *g);

/* Makes g->list so long. What is on it does not outlive a call of the functions below. */
void weak_list_room(struct weak *g, uint64_t n);

/* What a state gets to by tau tau*, and by tau* label tau*, if that is known of its successors. */
uint32_t weak_later(struct weak *g, uint32_t s);
uint32_t weak_labelled(struct weak *g, uint32_t s);

/* Computes the signatures of all dirty states. */
void weak_sign_dirty(struct weak *g);

/* The signature of a state as a number: equal ones have equal numbers. */
static inline uint64_t weak_sign(const struct weak *g, uint32_t s) {
    return (uint64_t)g->by_tau[s] << 32 | g->by_label[s];
}

/* After a split: signatures that are not in use any more are forgotten; others may get new numbers. */
void weak_forget_sets(struct weak *g);

#endif
