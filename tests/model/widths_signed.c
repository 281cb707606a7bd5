/* Signed variables of every width from 1 to 64 bits in one state of 2086 bits: each keeps what is stored in it.
 *
 * $ onager check widths_signed.c
 *   holds, 64 states, 64 edges
 * $ onager check widths_signed.c --fast
 *   holds, 64 states, 64 edges
 */
#include <onager.h>

#define EACH(do)                                                                                                       \
    do(1) do(2) do(3) do(4) do(5) do(6) do(7) do(8)                                                                    \
    do(9) do(10) do(11) do(12) do(13) do(14) do(15) do(16)                                                             \
    do(17) do(18) do(19) do(20) do(21) do(22) do(23) do(24)                                                            \
    do(25) do(26) do(27) do(28) do(29) do(30) do(31) do(32)                                                            \
    do(33) do(34) do(35) do(36) do(37) do(38) do(39) do(40)                                                            \
    do(41) do(42) do(43) do(44) do(45) do(46) do(47) do(48)                                                            \
    do(49) do(50) do(51) do(52) do(53) do(54) do(55) do(56)                                                            \
    do(57) do(58) do(59) do(60) do(61) do(62) do(63) do(64)

#define V(var, w) var(SIGNED(w), v##w)
#define STATE(var, array)                                                                                              \
    var(6, step)                                                                                                       \
    V(var, 1) V(var, 2) V(var, 3) V(var, 4) V(var, 5) V(var, 6) V(var, 7) V(var, 8)                                    \
    V(var, 9) V(var, 10) V(var, 11) V(var, 12) V(var, 13) V(var, 14) V(var, 15) V(var, 16)                             \
    V(var, 17) V(var, 18) V(var, 19) V(var, 20) V(var, 21) V(var, 22) V(var, 23) V(var, 24)                            \
    V(var, 25) V(var, 26) V(var, 27) V(var, 28) V(var, 29) V(var, 30) V(var, 31) V(var, 32)                            \
    V(var, 33) V(var, 34) V(var, 35) V(var, 36) V(var, 37) V(var, 38) V(var, 39) V(var, 40)                            \
    V(var, 41) V(var, 42) V(var, 43) V(var, 44) V(var, 45) V(var, 46) V(var, 47) V(var, 48)                            \
    V(var, 49) V(var, 50) V(var, 51) V(var, 52) V(var, 53) V(var, 54) V(var, 55) V(var, 56)                            \
    V(var, 57) V(var, 58) V(var, 59) V(var, 60) V(var, 61) V(var, 62) V(var, 63) V(var, 64)
DEFINE_STATE(STATE)

/* What a variable of w bits holds after `step` steps: all kinds of patterns, among them all 0 and all 1. */
static int64_t pattern(unsigned step, unsigned w) {
    uint64_t x = step == 0 ? 0 : step == 1 ? ~UINT64_C(0) : (step * 64 + w) * UINT64_C(0x9e3779b97f4a7c15);
    return (int64_t)x >> (64 - w);
}

static bool fire(state *s, unsigned t) {
    (void)t;
    s->step = (s->step + 1) % 64;
#define SET(w) s->v##w = pattern(s->step, w);
    EACH(SET)
    return true;
}

static const char *check_state(const state *s) {
#define CHECK(w)                                                                                                       \
    if (s->v##w != pattern(s->step, w)) return "a value of " #w " bits has changed";
    EACH(CHECK)
    return NULL;
}

MODEL(.transitions = 1, .fire = fire, .check_state = check_state)
