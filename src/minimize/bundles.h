/* bundles.h: the edges of an LTS as their targets see them, in bundles, for partition refinement.
 *
 * A bundle counts the edges that a state has with one label into one set of states (a territory, see strong_bisim.c).
 * When a set is divided, the edges into one part of it get bundles of their own; a bundle that would become empty is
 * kept for the part instead, so that there are never more bundles than edges.
 */
#ifndef MINIMIZE_BUNDLES_H
#define MINIMIZE_BUNDLES_H

#include "lts/lts.h"

struct arrow {
    uint32_t source, label, bundle;
};

struct arrows {
    uint32_t *first; /* the arrows into state s are arrow[first[s]] to arrow[first[s + 1] - 1] */
    struct arrow *arrow;
    uint32_t *count; /* of a bundle */
    uint32_t bundles;
    /* After arrows_gather: those of the i-th label are gathered[begin(i)] to gathered[begin(i + 1) - 1]. */
    uint32_t *gathered, room;
    uint32_t *labels, *begins, label_count;
    uint32_t *at; /* of a label; 0 between calls */
};

/* `kind` says which set each state is in at the beginning, a number below `kinds`. Labels below `least` are left out,
 * and so are edges of states that `alone` marks. There may be `more` bundles than edges. */
void arrows_init(struct arrows *a, const struct lts *l, const uint32_t *kind, uint32_t kinds, const uint8_t *alone,
                 uint32_t least, uint32_t more);
void arrows_fini(struct arrows *a);

/* All arrows into the n states, label by label. */
void arrows_gather(struct arrows *a, const uint32_t *states, uint32_t n);

#endif
