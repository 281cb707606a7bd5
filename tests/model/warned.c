/* gcc warns that what is stored in x overflows, though it does not. A warning is shown, and the model is checked.
 *
 * $ onager check warned.c
 *   holds, 8 states, 14 edges
 */
#include <onager.h>

#define STATE(var, array) var(-20, x) var(3, a)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (s->a == 7) return false;
    uint64_t a = s->a++;
    __auto_type x = &s->x;
    *x = (int64_t)((49ull & (a | (177ull | (uint64_t)t))) % 1048576ull) + (-524288ll);
    return true;
}

static const char *check_state(const state *s) { return s->a && s->x > -524288 + 49 ? "x is too large" : NULL; }

MODEL(.transitions = 2, .fire = fire, .check_state = check_state)
