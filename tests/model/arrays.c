/* Arrays whose elements are packed several at a time, of lengths that leave some over, and that cross words.
 *
 * $ onager check arrays.c
 *   holds, 64 states, 64 edges
 */
#include <onager.h>

#define EACH(do)                                                                                                       \
    do(1, 1, 13) do(2, 3, 11) do(3, 7, 9) do(4, 8, 5) do(5, 12, 7) do(6, 15, 6) do(7, 16, 3) do(8, 31, 5)              \
    do(9, 32, 3) do(10, 63, 3) do(11, 64, 2) do(12, 1, 64) do(13, 2, 65) do(14, 5, 1) do(15, 7, 8)                     \
    do(16, 15, 4) do(17, 31, 2)

#define A(array, k, w, length) array(w, a##k, length) array(SIGNED(w), b##k, length)
#define STATE(var, array)                                                                                              \
    var(6, step)                                                                                                       \
    A(array, 1, 1, 13) A(array, 2, 3, 11) A(array, 3, 7, 9) A(array, 4, 8, 5) A(array, 5, 12, 7)                       \
    A(array, 6, 15, 6) A(array, 7, 16, 3) A(array, 8, 31, 5) A(array, 9, 32, 3) A(array, 10, 63, 3)                    \
    A(array, 11, 64, 2) A(array, 12, 1, 64) A(array, 13, 2, 65) A(array, 14, 5, 1) A(array, 15, 7, 8)                  \
    A(array, 16, 15, 4) A(array, 17, 31, 2) array(UPTO(5), u, 23) array(UPTO(1000), v, 9) array(1, none, 0)
DEFINE_STATE(STATE)

static uint64_t pattern(unsigned step, unsigned i) {
    return step == 0 ? 0 : step == 1 ? ~UINT64_C(0) : (step * 128 + i) * UINT64_C(0x9e3779b97f4a7c15);
}

static bool fire(state *s, unsigned t) {
    (void)t;
    s->step = (s->step + 1) % 64;
#define SET(k, w, length)                                                                                              \
    for (unsigned i = 0; i < length; i++) {                                                                            \
        s->a##k[i] = pattern(s->step, i) >> (64 - w);                                                                  \
        s->b##k[i] = (int64_t)pattern(s->step, i) >> (64 - w);                                                         \
    }
    EACH(SET)
    for (unsigned i = 0; i < 23; i++) s->u[i] = pattern(s->step, i) % 6;
    for (unsigned i = 0; i < 9; i++) s->v[i] = pattern(s->step, i) % 1001;
    return true;
}

static const char *check_state(const state *s) {
#define CHECK(k, w, length)                                                                                            \
    for (unsigned i = 0; i < length; i++) {                                                                            \
        if (s->a##k[i] != pattern(s->step, i) >> (64 - w)) return "an element of " #w " bits has changed";             \
        if (s->b##k[i] != (int64_t)pattern(s->step, i) >> (64 - w)) return "a signed element has changed";             \
    }
    EACH(CHECK)
    for (unsigned i = 0; i < 23; i++)
        if (s->u[i] != pattern(s->step, i) % 6) return "an element of u has changed";
    for (unsigned i = 0; i < 9; i++)
        if (s->v[i] != pattern(s->step, i) % 1001) return "an element of v has changed";
    return NULL;
}

MODEL(.transitions = 1, .fire = fire, .check_state = check_state)
