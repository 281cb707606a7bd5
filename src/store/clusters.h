/* clusters.h: which bits of long states belong together, judged by a sample of states.
 *
 * Elements (variables, elements of arrays) that vary together form a component: a process and its queue, say. Two that
 * share much information have few different values together, and need fewer bits in one component than in two. Merging
 * begins with the pair that saves most for each entry that it adds to a dictionary. Nothing depends on what is said
 * here but time and memory.
 */
#ifndef STORE_CLUSTERS_H
#define STORE_CLUSTERS_H

#include "store/collapse.h"

enum { CLUSTERS_SAMPLE = 4096 }; /* states that it should have; judging them takes about a hundredth of a second */

/* The elements stand side by side in the packed state, after its mark, widths[i] bits each. NULL: nothing is known of
 * them; then `bits` is divided evenly. False: components would not pay. */
bool clusters_find(struct grouping *g, const uint32_t *widths, uint32_t elements, uint32_t bits, const word *sample,
                   uint32_t n);

#endif
