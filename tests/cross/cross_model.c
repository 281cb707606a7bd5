/* A random model, made from the seed in the environment variable ONAGER_TEST_SEED when it is loaded, so that one
 * compiled plug-in serves all seeds. ONAGER_TEST_MUTATION plants an error: see random_model.h.
 *
 * -p shape: how the small values of the description are stored. 0: as they are, in less than a word; 1: spread over
 * about 150 bits, some of them signed; 2: named, signed and 64 bits wide. -p slots: the number of transitions.
 * -p declared: what the model says of the symmetry of its progress checks.
 */
#include <onager.h>

#include <stdlib.h>

#include "random_model.h"

PARAM(shape, 0, 0, 2)
PARAM(slots, 12, 4, RM_MAX_TRANSITIONS)
PARAM(declared, 1, 0, 1)

ENUM(place, here, there, nowhere, elsewhere, anywhere, somewhere)
enum {
    pc_width = shape == 0 ? 3 : 13,
    local_width = shape == 0   ? 2
                  : shape == 1 ? SIGNED(9)
                               : SIGNED(33),
    global_width = shape == 0   ? UPTO(RM_MAX_VALUE)
                   : shape == 1 ? 17
                                : 64,
};

#define STATE(var, array)                                                                                              \
    array(pc_width, pc, shape == 2 ? 0 : RM_PROCESSES) array(place, at, shape == 2 ? RM_PROCESSES : 0)                 \
        array(local_width, local, RM_PROCESSES) array(global_width, global, RM_GLOBALS)
DEFINE_STATE(STATE)

static struct rm_model made;

__attribute__((constructor)) RM_FUNCTION void make_model(void) {
    const char *seed = getenv("ONAGER_TEST_SEED"), *mutation = getenv("ONAGER_TEST_MUTATION");
    rm_generate(&made, seed ? strtoull(seed, NULL, 10) : 0, slots,
                mutation ? (enum rm_mutation)atoi(mutation) : RM_RIGHT);
}

RM_FUNCTION const struct rm_model *the_model(void) { return &made; }

/* What is stored for the value v. */
static uint64_t pc_code(unsigned v) { return shape == 1 ? v * 1638 : v; }
static int64_t local_code(unsigned v) {
    return shape == 0 ? (int64_t)v : ((int64_t)v - 1) * (shape == 1 ? 200 : 4294967295);
}
static uint64_t global_code(unsigned v) {
    return shape == 0 ? v : shape == 1 ? v * 26214 : v * UINT64_C(0x3333333333333333);
}

RM_FUNCTION void encode(state *s, const uint8_t *v) {
    for (unsigned i = 0; i < RM_PROCESSES; i++) {
        if (shape == 2) s->at[i] = v[RM_PC + i];
        else s->pc[i] = pc_code(v[RM_PC + i]);
        s->local[i] = local_code(v[RM_LOCAL + i]);
    }
    for (unsigned i = 0; i < RM_GLOBALS; i++) s->global[i] = global_code(v[RM_GLOBAL + i]);
}

RM_FUNCTION uint8_t value_of_local(int64_t code) {
    unsigned v = 0;
    while (v < RM_MAX_VALUE && local_code(v) != code) v++;
    return (uint8_t)v;
}

RM_FUNCTION void decode(uint8_t *v, const state *s) {
    for (unsigned i = 0; i < RM_PROCESSES; i++) {
        v[RM_PC + i] = shape == 2 ? s->at[i] : (uint8_t)(s->pc[i] / pc_code(1));
        v[RM_LOCAL + i] = value_of_local(s->local[i]);
    }
    for (unsigned i = 0; i < RM_GLOBALS; i++) v[RM_GLOBAL + i] = (uint8_t)(s->global[i] / global_code(1));
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
    unsigned i = 0;
    for (; i + 2 <= count; i += 2) stb(set, list[i], list[i + 1]);
    if (i < count) stb(set, list[i]);
}

static void symmetry(state *s) {
    uint8_t v[RM_VARS];
    decode(v, s);
    rm_symmetry(the_model(), v);
    encode(s, v);
}

static const char *transition_name(unsigned t) { return format("T%u", t); }

MODEL(.transitions = slots, .initial = initial, .fire = fire, .check_state = check_state,
      .check_deadlock = check_deadlock, .may_progress = may_progress, .must_progress = must_progress,
      .obligations = obligations, .symmetry = symmetry, .transition_name = transition_name,
      .progress_is_symmetric = declared)
