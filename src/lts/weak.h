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
    /* Signatures by following edges. */
    uint64_t seed; /* another one after hashes were equal by chance */
    uint64_t *pairs, *other_pairs;
    size_t pair_count, pair_room, other_room;
    /* Signatures as sets. */
    struct sets sets;
    uint32_t *rank;     /* of a state: tau-edges lead to lower ones; NULL: sets are not in use */
    uint32_t *by_tau;   /* of a state: the blocks that it gets to by tau* */
    uint32_t *by_label; /* of a state: for each label, the blocks that it gets to by tau* label tau* */
    uint32_t *list, list_room;
    uint32_t least_kept; /* nodes after the last time that sets were forgotten */
};

/* Begins a search: nothing has been found yet. */
void weak_new_visit(struct weak *g);
void weak_reach(struct weak *g, struct weak_list *found, uint32_t s);

/* By following edges: the hash of the signature of a state, and whether all states of a block have the same one. */
uint64_t weak_hash(struct weak *g, uint32_t s);
bool weak_is_stable(struct weak *g, uint32_t block);

/* As sets: from now on; the signature of all dirty states, which is then known by its sign; of one of them; after a
 * split. */
void weak_use_sets(struct weak *g);
void weak_set_signatures(struct weak *g);
uint64_t weak_sign(const struct weak *g, uint32_t s);
void weak_forget_sets(struct weak *g);

#endif
