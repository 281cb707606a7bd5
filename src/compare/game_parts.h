/* game_parts.h: the step from a component of nodes to its fixed point. For game.c and game_settle.c alone. */
#ifndef COMPARE_GAME_PARTS_H
#define COMPARE_GAME_PARTS_H

#include "compare/game.h"

/* Decides the `count` nodes of a strong component; all that they lead to outside of it is decided. */
void game_settle(struct game *g, const uint32_t *node, uint32_t count);

#endif
