/* What C allows, and few models do: parts of a variable are stored, numbers are floating ones from one read to the next, what
 * lies between variables is used for a while, a state is copied, and variables are read again.
 *
 * $ onager check corners.c
 *   error: a load behind the variable a
 */
#include <onager.h>

#define STATE(var, array) var(2, a) var(12, b) array(UPTO(4), c, 3) var(SIGNED(5), d) var(20, e) var(3, f)
DEFINE_STATE(STATE)

/* One byte of two or four. */
static bool part(state *s) {
    unsigned char low = s->a;
    if (s->f > 5) return false;
    memcpy(&s->b, &low, 1);
    memcpy(&s->e, &low, 1);
    return true;
}

static bool floating(state *s) {
    double x = s->a * 1.5;
    if (s->f == 1) x += 0.25;
    x *= s->c[0];
    if (s->f == 2) return false;
    x += s->c[1] / 2.0;
    s->b = (unsigned)(x * 4) & 4095;
    return true;
}

/* There is a byte between a and b. */
static bool between(state *s) {
    unsigned char *hole = (unsigned char *)&s->a + sizeof s->a, before = *hole;
    *hole = s->c[0] + 1;
    if (s->c[1] == 0) return *hole = before, false;
    s->d = s->c[2] + *hole - 4;
    return true;
}

static bool copied(state *s) {
    state old = *s;
    s->a = s->c[old.a % 3u] & 3;
    s->f = 7;
    if (old.f & 1) return *s = old, false;
    return true;
}

/* Two reads of one variable, whose values must be the same. */
static bool again(state *s) {
    const volatile state *v = s;
    static const unsigned char table[5] = {4, 3, 2, 1, 0};
    if (v->c[0] == v->c[1]) return false;
    if (v->f & 1) s->a = 0;
    s->c[2] = table[v->c[0]] == 4 - v->c[0] ? table[v->c[1]] : 9;
    return true;
}

/* Tells whether something is stored without changing it. */
static bool same(state *s) {
    unsigned d = s->f;
    s->f = 0;
    s->c[1] = 2;
    s->f = d;
    return s->a == 0;
}

static bool fire(state *s, unsigned t) {
    switch (t) {
    case 0: return part(s);
    case 1: return floating(s);
    case 2: return between(s);
    case 3: return copied(s);
    case 4: return again(s);
    default: return s->c[1] == 2 && same(s);
    }
}

MODEL(.transitions = 6, .fire = fire)
