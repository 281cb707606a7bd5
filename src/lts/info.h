/* info.h: what there is to say about an LTS at a glance. Everything but `states` and `edges` of the LTS itself is about
 * the reachable part; numbers of states are those of the LTS. */
#ifndef LTS_INFO_H
#define LTS_INFO_H

#include "lts/lts.h"

/* Some states: how many, and the first of them. */
enum { INFO_SHOWN = 5 };
struct info_states {
    uint64_t count;
    uint32_t first[INFO_SHOWN];
};

struct lts_info {
    uint32_t reachable;    /* states */
    uint64_t edges;        /* of reachable states */
    uint64_t *label_edges; /* by label: how many of them have it */
    /* Deterministic: there is no invisible edge, and no two edges of a state have the same label. */
    bool deterministic;
    struct info_states choices;              /* have two edges with the same label; of the first of them: */
    uint32_t choice_label, choice_target[2]; /* the first such label, and where it leads */
    struct info_states invisible;            /* have invisible edges */
    struct info_states tau_cycles;           /* are on a cycle of invisible edges: livelocks */
    struct info_states deadlocks;            /* have no edges, and are neither END nor ERROR */
    /* From these, no visible edge and no state without edges can be reached; no state without invisible edges. If there
     * are none, the LTS is always may-progressing, and always may-stabilizing (FAIR Section 9), which is more. */
    struct info_states unprogressing, unstabilizing;
    uint32_t components; /* strong ones */
    /* Bottom: cannot be left. The states are their least ones. */
    struct info_states bottoms;
    uint32_t bottom_states, largest_bottom; /* in all of them together, in the largest */
};

/* Whether it was completed; else it is over (effort.h), and there is nothing to free. */
bool lts_info(const struct lts *l, struct effort *effort, struct lts_info *out);
void lts_info_fini(struct lts_info *i);

#endif
