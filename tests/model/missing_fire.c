/* $ onager check missing_fire.c
 *   error: does not name a .fire function
 */
#include <onager.h>

#define STATE(var, array) var(1, x)
DEFINE_STATE(STATE)

MODEL(.transitions = 1)
