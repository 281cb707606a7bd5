/* A random model (tests/cross/random_model.h), made from the seed in ONAGER_TEST_SEED, in C. random.asset is the same in
 * ASSET's language; the two are held against each other. -p slots: the number of transitions. */
#include <onager.h>

#include <stdlib.h>

#include "../cross/random_model.h"

PARAM(slots, 12, 4, RM_MAX_TRANSITIONS)

#define STATE(var, array) array(3, pc, RM_PROCESSES) array(3, local, RM_PROCESSES) array(3, global, RM_GLOBALS)
DEFINE_STATE(STATE)

static struct rm_model made;

__attribute__((constructor)) RM_FUNCTION void make_model(void) {
    const char *seed = getenv("ONAGER_TEST_SEED"), *mutation = getenv("ONAGER_TEST_MUTATION");
    rm_generate(&made, seed ? strtoull(seed, NULL, 10) : 0, slots,
                mutation ? (enum rm_mutation)atoi(mutation) : RM_RIGHT);
}

RM_FUNCTION const struct rm_model *the_model(void) { return &made; }

RM_FUNCTION void encode(state *s, const uint8_t *v) {
    for (unsigned i = 0; i < RM_PROCESSES; i++) s->pc[i] = v[RM_PC + i], s->local[i] = v[RM_LOCAL + i];
    for (unsigned i = 0; i < RM_GLOBALS; i++) s->global[i] = v[RM_GLOBAL + i];
}

RM_FUNCTION void decode(uint8_t *v, const state *s) {
    for (unsigned i = 0; i < RM_PROCESSES; i++) v[RM_PC + i] = s->pc[i], v[RM_LOCAL + i] = s->local[i];
    for (unsigned i = 0; i < RM_GLOBALS; i++) v[RM_GLOBAL + i] = s->global[i];
}

static void initial(state *s) { encode(s, the_model()->initial); }

static bool fire(state *s, unsigned t) {
    uint8_t v[RM_VARS];
    decode(v, s);
    if (rm_fire_raises(the_model(), v, t)) model_error("planted in fire");
    if (!rm_fire(the_model(), v, t)) return false;
    encode(s, v);
    return true;
}

RM_FUNCTION bool holds(const struct rm_predicate *p, const state *s) {
    uint8_t v[RM_VARS];
    decode(v, s);
    return rm_holds(the_model(), p, v);
}

RM_FUNCTION const char *check(const state *s, enum rm_raise raise, const char *where, bool good) {
    uint8_t v[RM_VARS];
    decode(v, s);
    if (rm_check_raises(the_model(), v, raise)) model_error(where);
    return good ? NULL : where;
}

static const char *check_state(const state *s) {
    return check(s, RM_RAISE_CHECK_STATE, "in check_state", !holds(&the_model()->bad, s));
}
static const char *check_deadlock(const state *s) {
    return check(s, RM_RAISE_CHECK_DEADLOCK, "in check_deadlock", holds(&the_model()->may_end, s));
}
static bool may_progress(const state *s) { return holds(&the_model()->may, s); }
static bool must_progress(const state *s) { return holds(&the_model()->must, s); }

static void obligations(const state *s, unsigned t, stubborn *set) {
    uint8_t v[RM_VARS];
    unsigned list[RM_MAX_TRANSITIONS + 2];
    bool all;
    decode(v, s);
    unsigned count = rm_obligations(the_model(), v, t, list, &all);
    if (all) stb_all(set);
    for (unsigned i = 0; i < count; i++) stb(set, list[i]);
}

static void symmetry(state *s) {
    uint8_t v[RM_VARS];
    decode(v, s);
    rm_symmetry(the_model(), v);
    encode(s, v);
}

static void print_state(const state *s, FILE *out) {
    uint8_t v[RM_VARS];
    decode(v, s);
    for (unsigned i = 0; i < RM_VARS; i++) fprintf(out, "%u%s", v[i], i % 4 == 3 ? "  " : " ");
}

MODEL(.transitions = slots, .initial = initial, .fire = fire, .check_state = check_state,
      .check_deadlock = check_deadlock, .may_progress = may_progress, .must_progress = must_progress,
      .obligations = obligations, .symmetry = symmetry, .print_state = print_state, .progress_is_symmetric = true)
