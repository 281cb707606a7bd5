/* asset_model.h: the C half of a model in ASSET's language (asset_calls.h). Text that is made for the model defines
 * ONAGER_ASSET_STATE, its variables, as a STATE of onager.h, ONAGER_ASSET_TRANSITIONS, and ONAGER_ASSET_HAS, what its
 * file has, and includes this. The engine comes next, as in other models. */
#ifndef ONAGER_ASSET_MODEL_H
#define ONAGER_ASSET_MODEL_H

#define ONAGER_UNIFORM
#include <onager.h>

#include <onager/asset_calls.h>

DEFINE_STATE(ONAGER_ASSET_STATE)

/* ---- Where values are ---- */

unsigned onager_asset_offset(unsigned k) {
    for (size_t f = 0; f < sizeof onager_fields / sizeof onager_fields[0]; f++) {
        if (k < onager_fields[f].length) return onager_fields[f].native_offset + k * onager_fields[f].size;
        k -= onager_fields[f].length;
    }
    return 0; /* there are no more of them than when the text was made */
}

void onager_asset_declare(const char *name, long long bits, size_t elements, size_t bytes, bool is_array,
                          const char *file, int line) {
    (void)name, (void)bits, (void)elements, (void)bytes, (void)is_array, (void)file, (void)line;
}

/* ---- Errors ---- */

void onager_asset_raise(const char *message) {
    if (!onager_raised_message) onager_raised_message = message;
}

const char *onager_asset_raised(void) { return onager_raised_message; }

/* ---- The initial state ---- */

static state onager_initial;
static unsigned onager_transitions; /* as the model says now */
static const char *onager_initial_error;

void onager_asset_start(void) {
    onager_transitions = onager_asset_begin(&onager_initial);
#ifndef ONAGER_OBSERVED
    onager_initial_error = onager_raised_message;
    onager_raised_message = NULL;
#endif
}

bool onager_asset_is_initial(const void *s) { return memcmp(s, &onager_initial, sizeof(state)) == 0; }

bool onager_asset_is_zero(const void *s) {
    static const state zero;
    return memcmp(s, &zero, sizeof zero) == 0;
}

/* ---- Calls ---- */

static bool onager_do(state *s, unsigned t) { return onager_asset_fire(s, t); }

#ifdef ONAGER_OBSERVED
void onager_asset_oblige(const unsigned *transitions, size_t count) { (void)transitions, (void)count; }
void onager_asset_oblige_all(void) {}

MODEL(.transitions = ONAGER_ASSET_TRANSITIONS, .fire = onager_do)
#else

static void onager_make_initial(state *s) {
    memcpy(s, &onager_initial, sizeof *s);
    if (onager_transitions != ONAGER_ASSET_TRANSITIONS || onager_asset_threw())
        onager_asset_raise(ONAGER_MISTAKE "nr_transitions does not return the same each time: it may use nothing but "
                                          "constants");
    else if (onager_initial_error) onager_asset_raise(onager_initial_error);
}

/* Functions that must not change the state are called for one of their own, which is compared. In the strict build, it
 * is the state that is watched. */
#ifdef ONAGER_CHECKED
#define ONAGER_ASK(function, call)                                                                                     \
    state of = *s;                                                                                                     \
    call;                                                                                                              \
    if (__builtin_expect(memcmp(&of, s, sizeof of) != 0, 0))                                                           \
        onager_asset_raise(                                                                                            \
            ONAGER_MISTAKE function                                                                                    \
            " changes the state: only nr_transitions, fire_transition and symmetry_representative may");
#define ONAGER_ASKED (&of)
#else
#define ONAGER_ASK(function, call) call;
#define ONAGER_ASKED ((void *)(uintptr_t)s)
#endif

#if ONAGER_ASSET_HAS & ONAGER_HAS_CHECK_STATE
static const char *onager_check_state(const state *s) {
    ONAGER_ASK("check_state", const char *said = onager_asset_check_state(ONAGER_ASKED))
    return said;
}
#else
#define onager_check_state NULL
#endif

#if ONAGER_ASSET_HAS & ONAGER_HAS_CHECK_DEADLOCK
static const char *onager_check_deadlock(const state *s) {
    ONAGER_ASK("check_deadlock", const char *said = onager_asset_check_deadlock(ONAGER_ASKED))
    return said;
}
#else
#define onager_check_deadlock NULL
#endif

#if ONAGER_ASSET_HAS & ONAGER_HAS_MAY_PROGRESS
static bool onager_may_progress(const state *s) {
    ONAGER_ASK("is_may_progress", bool said = onager_asset_may_progress(ONAGER_ASKED))
    return said;
}
#else
#define onager_may_progress NULL
#endif

#if ONAGER_ASSET_HAS & ONAGER_HAS_MUST_PROGRESS
static bool onager_must_progress(const state *s) {
    ONAGER_ASK("is_must_progress", bool said = onager_asset_must_progress(ONAGER_ASKED))
    return said;
}
#else
#define onager_must_progress NULL
#endif

#if ONAGER_ASSET_HAS & ONAGER_HAS_PRINT
static void onager_print_state(const state *s, FILE *out) {
    ONAGER_ASK("print_state", onager_asset_print(ONAGER_ASKED, out))
}
#else
#define onager_print_state NULL
#endif

#if ONAGER_ASSET_HAS & ONAGER_HAS_SYMMETRY
static void onager_symmetry(state *s) { onager_asset_symmetry(s); }
#else
#define onager_symmetry NULL
#endif

static ONAGER_OF_THREAD stubborn *onager_obliged;

static void onager_misplaced(void) {
    onager_asset_raise(ONAGER_MISTAKE "stb and stb_all are for next_stubborn, and are called elsewhere");
}

#if ONAGER_ASSET_HAS & ONAGER_HAS_STUBBORN
static void onager_next_stubborn(const state *s, unsigned t, stubborn *set) {
    onager_obliged = set;
    ONAGER_ASK("next_stubborn", onager_asset_next_stubborn(ONAGER_ASKED, t))
    onager_obliged = NULL;
}
#else
#define onager_next_stubborn NULL
#endif

MODEL(.transitions = ONAGER_ASSET_TRANSITIONS, .initial = onager_make_initial, .fire = onager_do,
      .check_state = onager_check_state, .check_deadlock = onager_check_deadlock, .may_progress = onager_may_progress,
      .must_progress = onager_must_progress, .obligations = onager_next_stubborn, .symmetry = onager_symmetry,
      .print_state = onager_print_state, .progress_is_symmetric = true)

void onager_asset_oblige(const unsigned *transitions, size_t count) {
    if (onager_obliged) onager_oblige(onager_obliged, transitions, count);
    else onager_misplaced();
}

void onager_asset_oblige_all(void) {
    if (onager_obliged) stb_all(onager_obliged);
    else onager_misplaced();
}

extern const struct onager_asset onager_asset;
__attribute__((visibility("default"))) const struct onager_asset onager_asset = {
    .wishes = &onager_asset_wishes,
    .most_states = &onager_asset_most_states,
    .printed = onager_asset_printed,
};
#endif

#endif
