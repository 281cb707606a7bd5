/* wolf_goat_cabbage.c: a puzzle.
 *
 * A farmer wants to take a wolf, a goat and a cabbage across a river. The boat carries the farmer and at most one of
 * them. Without the farmer, the wolf would eat the goat, and the goat would eat the cabbage.
 *
 * The model claims that it cannot be done. The counterexample, which is a shortest one, is the solution:
 *
 *     FWGC ~~~~
 *      W C ~~~~ F G
 *     FW C ~~~~   G
 *      W   ~~~~ F GC
 *     FWG  ~~~~    C
 *       G  ~~~~ FW C
 *     F G  ~~~~  W C
 *          ~~~~ FWGC
 *     !!! Solved
 *
 * $ onager check wolf_goat_cabbage.c
 *   violated safety, 10 states, 18 edges
 * $ onager check wolf_goat_cabbage.c --symmetry
 *   violated safety, 8 states, 14 edges
 * $ onager check wolf_goat_cabbage.c --no-check-state
 *   holds, 10 states, 20 edges
 * $ onager check wolf_goat_cabbage.c --no-check-state --symmetry
 *   holds, 8 states, 16 edges
 * $ onager audit wolf_goat_cabbage.c
 *   holds
 */
#include <onager.h>

ENUM(bank, here, across)

#define STATE(var, array) var(bank, farmer) var(bank, wolf) var(bank, goat) var(bank, cabbage)
DEFINE_STATE(STATE)

enum { alone, with_wolf, with_goat, with_cabbage };

static bool something_is_eaten(const state *s) {
    return s->goat != s->farmer && (s->goat == s->wolf || s->goat == s->cabbage);
}

/* `with` is the one in the boat, or the farmer. It must be where the farmer is. */
static bool cross(state *s, uint8_t *with) {
    state old = *s;
    if (*with != s->farmer) return false;
    s->farmer = !s->farmer;
    *with = s->farmer;
    if (!something_is_eaten(s)) return true;
    *s = old;
    return false;
}

static bool fire(state *s, unsigned t) {
    switch (t) {
    case alone: return cross(s, &s->farmer);
    case with_wolf: return cross(s, &s->wolf);
    case with_goat: return cross(s, &s->goat);
    default: return cross(s, &s->cabbage);
    }
}

static const char *check_state(const state *s) {
    return s->farmer && s->wolf && s->goat && s->cabbage ? "Solved" : NULL;
}

/* The wolf and the cabbage are in the same position: each must not be left with the goat. */
static void symmetry(state *s) {
    if (s->wolf <= s->cabbage) return;
    s->wolf = here;
    s->cabbage = across;
}

static void print_state(const state *s, FILE *out) {
    const uint8_t at[] = {s->farmer, s->wolf, s->goat, s->cabbage};
    for (unsigned i = 0; i < 4; i++) fputc(at[i] == here ? "FWGC"[i] : ' ', out);
    fputs(" ~~~~ ", out);
    for (unsigned i = 0; i < 4; i++) fputc(at[i] == across ? "FWGC"[i] : ' ', out);
}

static const char *transition_name(unsigned t) {
    static const char *const names[] = {"alone", "with the wolf", "with the goat", "with the cabbage"};
    return names[t];
}

MODEL(.transitions = 4, .fire = fire, .check_state = check_state, .symmetry = symmetry, .print_state = print_state,
      .transition_name = transition_name)
