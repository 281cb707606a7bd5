/* A fire that returns false must leave the state alone, whatever it is changed by.
 *
 * $ onager check false_changed.c
 *   error: fire returned false but had changed the state
 * $ onager check false_changed.c --stubborn
 *   error: fire returned false but had changed the state
 * $ onager check false_changed.c -p by=1
 *   error: fire returned false but had changed the state
 * $ onager check false_changed.c -p by=2
 *   error: fire returned false but had changed the state
 * $ onager check false_changed.c -p by=3
 *   error: fire returned false but had changed the state
 * $ onager check false_changed.c -p by=4
 *   error: fire returned false but had changed the state
 * $ onager check false_changed.c -p by=4 --stubborn
 *   error: fire returned false but had changed the state
 * $ onager check false_changed.c -p by=5
 *   error: fire returned false but had changed the state
 * $ onager check false_changed.c -p by=6
 *   error: fire returned false but had changed the state
 * $ onager check false_changed.c -p by=7
 *   error: fire returned false but had changed the state
 *
 * What is not changed in effect may be stored:
 *
 * $ onager check false_changed.c -p careful=1
 *   holds, 4 states, 3 edges
 * $ onager check false_changed.c -p careful=2
 *   holds, 4 states, 3 edges
 */
#include <onager.h>

PARAM(careful, 0, 0, 2)
PARAM(by, 0, 0, 7)

#define STATE(var, array)                                                                                              \
    var(2, x)                                                                                                          \
    var(2, y)                                                                                                          \
    var(12, y16)                                                                                                       \
    var(20, y32)                                                                                                       \
    var(40, y64)                                                                                                       \
    array(2, a, 40)
DEFINE_STATE(STATE)

static void change(state *s, unsigned to) {
    uint16_t *p = &s->y16;
    state copy = *s;
    switch ((int)by) {
    case 0: s->y = (uint8_t)to; break;
    case 1: *p = (uint16_t)to; break;
    case 2: s->y32 = to; break;
    case 3: s->y64 = (uint64_t)to << 32; break;
    case 4: s->a[39] = (uint8_t)to; break;
    case 5: memset(s->a, (int)to, 3); break;
    case 6:
        copy.a[20] = (uint8_t)to;
        *s = copy;
        break;
    default: s->a[s->x + 8] = (uint8_t)to;
    }
}

static bool fire(state *s, unsigned t) {
    (void)t;
    if (careful != 1 && s->x == 3) change(s, careful ? 0 : 1);
    if (s->x == 3) return false;
    s->x++;
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)s;
    (void)t;
    stb_all(set);
}

MODEL(.transitions = 1, .fire = fire, .obligations = obligations)
