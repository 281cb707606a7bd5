/* layout.h: what the keys of long states are made of, changed while a search goes on.
 *
 * When some states have been found, a sample of them tells how their bits belong together (store/clusters.h). Then all
 * of them get keys that are numbers of components, or numbers of parts again if components did not pay: in the store,
 * on the trail, and where successors are noted. Numbers of states, their order and all that a search says stay as they
 * are.
 *
 * All states that are in the store must be on the trail, and nobody else may use the space meanwhile. Slots and images
 * are others afterwards.
 */
#ifndef GRAPH_LAYOUT_H
#define GRAPH_LAYOUT_H

#include "graph/space.h"

enum { LAYOUT_FROM = 1 << 16 }; /* states: then a change takes less time than is soon won */

/* False: components would not pay, there is no memory, or the trail could not be read; then nothing has changed. */
bool layout_by_components(struct space *s);
bool layout_by_parts(struct space *s);

#endif
