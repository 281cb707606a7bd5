/* An index past the end of an array is reported, of the last one as of any other, and through a pointer as well; and so is
 * a store behind the state.
 *
 * $ onager check strict_index.c
 *   error: index 7 of the array x, which has 7 elements (strict_index.c:30: if (how == 0) s->x[i] = 1;)
 * $ onager check strict_index.c -p how=1
 *   error: index 7 of the array y, which has 7 elements (strict_index.c:31: if (how == 1) s->y[i] = 1;)
 * $ onager check strict_index.c -p how=2
 *   error: a store at index 7 of the array x, which has 7 elements (strict_index.c:32: if (how == 2) p[i] = 1;)
 * $ onager check strict_index.c -p how=3
 *   error: a store at index 7 of the array y, which has 7 elements (strict_index.c:33: if (how == 3) q[i] = 1;)
 * $ onager check strict_index.c -p how=4
 *   error: a load at index 7 of the array x, which has 7 elements (strict_index.c:34: if (how == 4) if (p[i] == 1) return false;)
 * $ onager check strict_index.c -p how=5
 *   error: check_state: a load at index 7 of the array x, which has 7 elements (strict_index.c:44: return p[s->i
 * $ onager check strict_index.c -p how=6
 *   error: a store behind the state (strict_index.c:35: if (how == 6 && i == 3) memset(s + 1, 0, 4);)
 */
#include <onager.h>

PARAM(how, 0)

#define STATE(var, array) array(1, x, 7) var(4, i) array(1, y, 7)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    uint8_t *p = s->x, *q = s->y;
    (void)t;
    unsigned i = s->i;
    if (how == 0) s->x[i] = 1;
    if (how == 1) s->y[i] = 1;
    if (how == 2) p[i] = 1;
    if (how == 3) q[i] = 1;
    if (how == 4) if (p[i] == 1) return false;
    if (how == 6 && i == 3) memset(s + 1, 0, 4);
    if (i == 8) return false;
    s->i++;
    return true;
}

static const char *check_state(const state *s) {
    const uint8_t *p = s->x;
    if (how != 5) return NULL;
    return p[s->i] == 1 ? "one" : NULL;
}

MODEL(.transitions = 1, .fire = fire, .check_state = check_state)
