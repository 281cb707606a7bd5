/* Code that knows how a state is laid out is not accused of anything: a loop over its bytes, pointers of the members' own
 * types, memcpy of so many bytes, sizes of members, comparisons of whole states, temporary values outside of the state.
 *
 * $ onager check strict_layout.c
 *   holds, 17 states, 16 edges
 * $ onager check strict_layout.c --strict
 *   holds, 17 states, 16 edges
 * $ onager check strict_layout.c -p how=1 --strict
 *   holds, 17 states, 16 edges
 * $ onager check strict_layout.c -p how=2 --strict
 *   holds, 17 states, 16 edges
 * $ onager check strict_layout.c -p how=3 --strict
 *   holds, 17 states, 16 edges
 * $ onager check strict_layout.c -p how=4 --strict
 *   holds, 17 states, 16 edges
 * $ onager check strict_layout.c -p how=5 --strict
 *   holds, 17 states, 16 edges
 * $ onager check strict_layout.c -p how=6 --strict
 *   holds, 17 states, 16 edges
 */
#include <onager.h>

PARAM(how, 0)

#define STATE(var, array) array(3, x, 7) var(UPTO(16), i) var(SIGNED(12), y) array(20, z, 3)
DEFINE_STATE(STATE)

static unsigned sum(const state *s) {
    unsigned n = 0;
    for (size_t i = 0; i < sizeof *s; i++) n += ((const unsigned char *)s)[i];
    return n;
}

static bool fire(state *s, unsigned t) {
    (void)t;
    uint8_t *p = s->x;
    uint64_t first = 0;
    state old = *s, *o = &old;
    if (s->i == 16) return false;
    if (how == 0 && sum(s) != sum(o)) return false;
    if (how == 1) p[s->i % 7] = (uint8_t)(s->i % 8);
    if (how == 2) memcpy(&first, s, 8), memcpy(&first, s->x, 7);
    if (how == 3)
        for (unsigned i = 0; i < sizeof s->x; i++) s->x[i] = 1;
    if (how == 4) memset(s->x, 1, sizeof s->x);
    if (how == 5 && memcmp(s, o, sizeof *s) != 0) return false;
    if (how == 6) {
        __typeof__(s->x[0]) u = (uint8_t)(s->x[0] - 1); /* 255 */
        s->x[0] = (uint8_t)(u + 1 + (first & 1));
    }
    s->y = (int16_t)(s->i * 100 - 300);
    s->z[s->i % 3] = (unsigned)s->y + 300u;
    s->i++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
