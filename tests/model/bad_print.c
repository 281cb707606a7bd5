/* A print_state that crashes spoils its line, not the verdict.
 *
 * $ onager check bad_print.c
 *   violated safety, 3 states, 2 edges: two
 */
#include <onager.h>

#define STATE(var, array) var(2, x)
DEFINE_STATE(STATE)

static volatile int *volatile nowhere;

static bool fire(state *s, unsigned t) {
    (void)t;
    if (s->x == 3) return false;
    s->x++;
    return true;
}

static const char *check_state(const state *s) { return s->x == 2 ? "two" : NULL; }

static void print_state(const state *s, FILE *out) {
    if (s->x == 1) *nowhere = 1;
    fprintf(out, "%u", s->x);
}

static const char *transition_name(unsigned t) {
    (void)t;
    return NULL;
}

MODEL(.transitions = 1, .fire = fire, .check_state = check_state, .print_state = print_state,
      .transition_name = transition_name)
