/* A value that C cuts off where it is stored is reported of variables of 16 bits and more, too. What arithmetic of 32 bits
 * has cut off before is as C promises, and no error.
 *
 * $ onager check strict_wrap.c
 *   error: the value 4294967300 was stored in x[1], which is declared as 16: 0 to 65535 (strict_wrap.c:27: if (how == 0) s->x[1] = big + y;)
 * $ onager check strict_wrap.c -p how=1
 *   error: the value -4294967292 was stored in z, which is declared as SIGNED(20): -524288 to 524287 (strict_wrap.c:28: if (how == 1) s->z = y - big;)
 * $ onager check strict_wrap.c -p how=2
 *   error: the value 4294967304 was stored in x[1], which is declared as 16: 0 to 65535 (strict_wrap.c:29: if (how == 2) s->x[1] += big + y;)
 * $ onager check strict_wrap.c -p how=3 --strict
 *   holds, 5 states, 4 edges
 */
#include <onager.h>

PARAM(how, 0)

#define STATE(var, array) array(16, x, 2) var(SIGNED(20), z)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    int64_t big = (int64_t)1 << 32, y = s->x[0];
    (void)t;
    if (y == 4) return false;
    s->x[0]++, y++;
    if (y < 4) return true;
    s->x[1] = 4;
    if (how == 0) s->x[1] = big + y;
    if (how == 1) s->z = y - big;
    if (how == 2) s->x[1] += big + y;
    if (how == 3) s->x[1] += -1u;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
