/* draw_lts.h: an LTS as a picture, in the language of Graphviz.
 *
 * An arrow from nowhere leads to the initial state. Invisible edges are dashed and have no more than a tau on them.
 * Edges between the same two states are one, with a list of labels; long lists and long labels are cut, and in an SVG
 * the rest is shown where the mouse is. A deadlock is a red square, the error state a red octagon, the end state a
 * double circle. Colours never say more than shapes do.
 */
#ifndef LTS_DRAW_LTS_H
#define LTS_DRAW_LTS_H

#include "lts/lts.h"

/* The whole text, to be freed. The caption stands below the picture; NULL: none. */
char *draw_dot(const struct lts *l, const char *caption);

#endif
