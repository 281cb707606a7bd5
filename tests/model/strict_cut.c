/* A value that C cuts off where it is stored is reported: 256 would look like 0, and -1 like 255.
 *
 * $ onager check strict_cut.c
 *   error: the value 256 was stored in x[1], which is declared as 3: 0 to 7 (strict_cut.c:22: else if (y == 4) s->x[1] = y * 64;)
 * $ onager check strict_cut.c -p negative=1
 *   error: the value -1 was stored in x[1], which is declared as 3: 0 to 7 (strict_cut.c:21: if (negative && y == 4) s->x[1] = y - 5;)
 * $ onager check strict_cut.c --order dfs --strict
 *   error: the value 256 was stored in x[1], which is declared as 3: 0 to 7 (strict_cut.c:22: else if (y == 4) s->x[1] = y * 64;)
 */
#include <onager.h>

PARAM(negative, 0)

#define STATE(var, array) array(3, x, 2)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    int y = s->x[0];
    if (y >= 5) return false;
    if (negative && y == 4) s->x[1] = y - 5;
    else if (y == 4) s->x[1] = y * 64;
    s->x[0]++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
