/* division.h: states divided again and again, by what their edges lead to in the division before.
 *
 * What a state's edges lead to is its *signature*: pairs of a label and a part. By strong, it has one for each edge. By
 * branching and branching-div, those of the states that it gets to by tau edges inside its part count as its own, but
 * those tau edges do not; a divergent state has DIVISION_LOOP, too. By weak, it has one for each way of tau edges, one
 * visible edge or none, and tau edges. Blom and Orzan divide in this manner.
 *
 * States that are related never get apart, so that a division that has gone on for a few rounds is a good start for
 * partition refinement, and two states that are apart are not related. How many rounds it takes to get two apart is how
 * deep a formula must be that tells them apart, see distinguish.h.
 *
 * A round takes time in proportion to the LTS at first. When few states change their parts, only those are looked at
 * that have an edge to such a state. Not by weak: then, all are looked at that are not alone, and how long their
 * signatures are, nobody knows beforehand. They are counted as work, and whoever asks for rounds should put a limit to
 * it.
 *
 * Signatures are compared by their hashes, which have 64 bits. By branching, only the least hashes of a large one are
 * kept: then `coarse` becomes true, and there may be states in one part whose signatures differ.
 */
#ifndef MINIMIZE_DIVISION_H
#define MINIMIZE_DIVISION_H

#include "base/effort.h"
#include "lts/lts.h"
#include "lts/relation.h"
#include "lts/tau_search.h"

/* An element of a signature: label and part, as (label << 32) + part. */
#define DIVISION_LOOP (UINT64_C(0xffffffff) << 32) /* invisible steps without end, in the same part */
static inline uint32_t element_label(uint64_t e) { return (uint32_t)(e >> 32); }
static inline uint32_t element_part(uint64_t e) { return (uint32_t)e; }

enum { DIVISION_NONE = UINT32_MAX };

struct division {
    const struct lts *l;
    enum lts_relation relation;
    const uint8_t *divergent; /* by state; or NULL */
    struct effort *effort;
    uint32_t *part; /* by state */
    struct division_part {
        uint32_t parent, round; /* it came out of `parent` in this round; 0: it was there at the beginning */
        uint32_t size;
        uint32_t group; /* while a round goes on */
        uint64_t hash;  /* of the signature of its states, in the latest round that has looked at them */
    } * parts;
    uint32_t count, room;
    uint32_t rounds;
    uint64_t work;      /* edges, states and elements of signatures that were looked at */
    uint64_t most_work; /* then no more rounds; 0: any */
    bool coarse;
    uint8_t *alone;             /* by state: it is alone in its part. Perhaps it is, too, where this is 0 */
    uint32_t *busy, busy_count; /* the others, in ascending order, as of the last round that looked at all */
    bool stable;                /* division_hurry has found that it can not be divided */
    /* Branching: the hashes of the elements of the signatures of states that tau edges lead to. */
    struct division_set {
        uint64_t at; /* in `kept` */
        uint32_t count;
        bool wanted;
    } * set;
    uint64_t *kept, kept_count, kept_room;
    /* Within a round. */
    uint64_t *hash; /* by state */
    uint64_t *list, list_room;
    /* Weak: a search, and the edges of what it has found. */
    struct tau_search search;
    uint64_t *edge, edge_room;
    struct division_group {
        uint64_t hash;
        uint32_t part, size, id;
    } * groups;
    uint32_t group_count, group_room;
    uint32_t *group; /* by state */
    uint32_t *table, mask;
    /* Which states have changed their parts in the last round, and who has edges to them. */
    uint32_t *changed, changed_count;
    uint32_t *dirty, dirty_count;
    uint8_t *is_dirty;
    /* Edges as their targets see them: those into s come from source[back[s]] to source[back[s + 1] - 1], and taus are
     * before taus_end[s]. Those from states that are alone are left out. */
    uint32_t *back, *taus_end, *source;
};

/* One part for each kind of state, see lts_kinds. By branching, tau edges lead to lower numbers (tau_components). */
void division_init(struct division *d, const struct lts *l, enum lts_relation relation, const uint8_t *divergent,
                   struct effort *effort);
/* From parts that were found otherwise; `part`, by state, numbers below `parts`, becomes the division's own. */
void division_init_from(struct division *d, const struct lts *l, enum lts_relation relation, uint32_t *part,
                        uint32_t parts, struct effort *effort);
void division_fini(struct division *d);

/* Divides every part by the signatures of its states. False: nothing has changed; or the effort is over, or `most_work`
 * has been done, and it is no use to go on. */
bool division_refine(struct division *d);

/* Rounds as long as they gain something for their work. If nothing could be divided in the end, `stable` says so, for
 * sure. */
void division_hurry(struct division *d);

/* In which round the two got apart; they are. */
uint32_t division_apart(const struct division *d, uint32_t x, uint32_t y);
/* The part that the state was in after a round. */
static inline uint32_t division_part_after(const struct division *d, uint32_t s, uint32_t round) {
    uint32_t p = d->part[s];
    while (d->parts[p].round > round) p = d->parts[p].parent;
    return p;
}

static inline bool division_over(struct division *d) {
    return (d->most_work && d->work > d->most_work) || effort_over(d->effort);
}

static inline uint64_t division_mix(uint64_t h) {
    h = (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return h ^ h >> 32;
}

/* ---- For division*.c ---- */

/* Of an element; not 0. */
static inline uint64_t division_hash(uint64_t e) { return division_mix(e + UINT64_C(0x9e3779b97f4a7c15)); }

/* Room in d->list for so many elements. */
uint64_t *division_room(struct division *d, uint64_t elements);

/* Signatures as hashes: of the states that a round looks at, in d->hash; by branching, in ascending order. */
void division_sign(struct division *d, const uint32_t *states, uint32_t count);
void division_sign_weakly(struct division *d, const uint32_t *states, uint32_t count);
/* By weak: the elements of the signature of a state, sorted, in d->list; how many. */
uint64_t division_list_weakly(struct division *d, uint32_t s);

/* Looks at all states. False: it is not, or the effort or the work is over. */
bool division_is_stable(struct division *d);

#endif
