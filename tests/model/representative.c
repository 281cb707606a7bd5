/* Representatives that are not reachable themselves: the token stays with process 0, but the symmetry map puts the process
 * that has it last. What is proved of reachable states says nothing of them.
 *
 * $ onager check representative.c
 *   holds, 27 states, 54 edges
 * $ onager check representative.c --symmetry
 *   holds, 27 states, 54 edges
 * $ onager check representative.c --stubborn
 *   holds, 7 states, 6 edges
 * $ onager check representative.c --stubborn --symmetry
 *   holds, 27 states, 54 edges
 * $ onager check representative.c --symmetry -p limit=1
 *   violated safety
 * $ onager check representative.c --stubborn --symmetry -p limit=1
 *   violated safety
 */
#include <onager.h>

PARAM(limit, 2)

#define STATE(var, array) array(1, token, 2) array(UPTO(2), x, 2) array(UPTO(2), y, 2)
DEFINE_STATE(STATE)

static void initial(state *s) { s->token[0] = 1; }

/* Who has the token counts x; all count y. */
static bool fire(state *s, unsigned t) {
    unsigned i = t % 2;
    if (t < 2) {
        if (!s->token[i] || s->x[i] == 2) return false;
        s->x[i]++;
        return true;
    }
    if (s->y[i] == 2) return false;
    s->y[i]++;
    return true;
}

static const char *check_state(const state *s) {
    return s->x[0] > limit || s->x[1] > limit ? "x is larger than the limit" : NULL;
}

static void symmetry(state *s) {
    if (!s->token[0]) return;
    unsigned x = s->x[0], y = s->y[0];
    s->token[0] = 0;
    s->token[1] = 1;
    s->x[0] = s->x[1];
    s->y[0] = s->y[1];
    s->x[1] = x;
    s->y[1] = y;
}

MODEL(.transitions = 4, .initial = initial, .fire = fire, .check_state = check_state, .symmetry = symmetry)
