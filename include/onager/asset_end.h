/* asset_end.h: what follows the text of a model in ASSET's language (asset.h): it asks which functions the model has,
 * and calls them for the C half (asset_calls.h). */
#ifndef ONAGER_ASSET_END_H
#define ONAGER_ASSET_END_H

/* ---- Has it what it must have? ---- */

namespace onager {
template <class T> constexpr bool is_absent = std::is_same<T, absent>::value;
template <class T> constexpr bool is_bool = std::is_convertible<T, bool>::value && !std::is_pointer<T>::value;
template <class T> constexpr bool is_text = std::is_convertible<T, const char *>::value;
} // namespace onager

namespace model {
/* What a call of it gives. */
typedef decltype(nr_transitions()) onager_nr_transitions;
typedef decltype(fire_transition(0u)) onager_fire_transition;
typedef decltype(print_state()) onager_print_state;
typedef decltype(next_stubborn(0u)) onager_next_stubborn;
typedef decltype(symmetry_representative()) onager_symmetry;

static_assert(!onager::is_absent<onager_nr_transitions>,
              "onager: there is no function unsigned nr_transitions(): it returns how many transitions there are, and "
              "makes the initial state");
static_assert(onager::is_absent<onager_nr_transitions> || std::is_convertible<onager_nr_transitions, unsigned>::value,
              "onager: nr_transitions must return how many transitions there are, an unsigned int");
static_assert(!onager::is_absent<onager_fire_transition>,
              "onager: there is no function bool fire_transition(unsigned): it makes a transition occur");
static_assert(onager::is_absent<onager_fire_transition> || onager::is_bool<onager_fire_transition>,
              "onager: fire_transition must return a bool: whether the transition is enabled");

#ifdef chk_state
static_assert(!onager::is_absent<decltype(check_state())>,
              "onager: chk_state is switched on, but there is no function const char *check_state()");
static_assert(onager::is_absent<decltype(check_state())> || onager::is_text<decltype(check_state())>,
              "onager: check_state must return a const char *: 0, or what is wrong with the state");
#endif
#ifdef chk_deadlock
static_assert(!onager::is_absent<decltype(check_deadlock())>,
              "onager: chk_deadlock is switched on, but there is no function const char *check_deadlock()");
static_assert(onager::is_absent<decltype(check_deadlock())> || onager::is_text<decltype(check_deadlock())>,
              "onager: check_deadlock must return a const char *: 0, or why it must not end here");
#endif
#ifdef chk_may_progress
static_assert(!onager::is_absent<decltype(is_may_progress())>,
              "onager: chk_may_progress is switched on, but there is no function bool is_may_progress()");
static_assert(onager::is_absent<decltype(is_may_progress())> || onager::is_bool<decltype(is_may_progress())>,
              "onager: is_may_progress must return a bool");
#endif
#ifdef chk_must_progress
static_assert(!onager::is_absent<decltype(is_must_progress())>,
              "onager: chk_must_progress is switched on, but there is no function bool is_must_progress()");
static_assert(onager::is_absent<decltype(is_must_progress())> || onager::is_bool<decltype(is_must_progress())>,
              "onager: is_must_progress must return a bool");
#endif
#ifdef stubborn
static_assert(!onager::is_absent<onager_next_stubborn>,
              "onager: stubborn sets are switched on, but there is no function void next_stubborn(unsigned)");
#endif
#ifdef symmetry
static_assert(!onager::is_absent<onager_symmetry>,
              "onager: symmetry is switched on, but there is no function void symmetry_representative()");
#endif

/* ---- Calls ---- */

#ifdef ONAGER_OBSERVED
#define ONAGER_RUN(function, code) code
#else
#define ONAGER_RUN(function, code)                                                                                     \
    try {                                                                                                              \
        code                                                                                                           \
    } catch (const std::exception &e) {                                                                                \
        onager::mistake("%s has thrown an exception (%s): catch it there, or assign a text to err_msg", function,      \
                        e.what());                                                                                     \
    } catch (...) {                                                                                                    \
        onager::mistake("%s has thrown something: catch it there, or assign a text to err_msg", function);             \
    }
#endif

extern "C" {

#ifndef ONAGER_OBSERVED
unsigned onager_asset_begin(void *state) {
    onager_entry entry(state);
    unsigned transitions = 0;
    onager::begun = true;
    onager::desk.begin(nullptr);
    try {
        transitions = nr_transitions();
    } catch (const std::exception &e) {
        onager::desk.threw = strdup(e.what());
    } catch (...) {
        onager::desk.threw = "something";
    }
    onager::desk.sheet.end();
    return transitions;
}

const char *onager_asset_printed() {
    return onager::desk.sheet.kept.empty() ? nullptr : onager::desk.sheet.kept.c_str();
}

const char *onager_asset_threw() { return onager::desk.threw; }
#else
unsigned onager_asset_begin(void *state) {
    onager_entry entry(state);
    onager::begun = true;
    return nr_transitions();
}
#endif

bool onager_asset_fire(void *state, unsigned t) {
    onager_entry entry(state);
    ONAGER_RUN("fire_transition", return fire_transition(t);)
    return false;
}

#ifndef ONAGER_OBSERVED
#ifdef chk_state
const char *onager_asset_check_state(void *state) {
    onager_entry entry(state);
    ONAGER_RUN("check_state", return check_state();)
    return nullptr;
}
#endif

#ifdef chk_deadlock
const char *onager_asset_check_deadlock(void *state) {
    onager_entry entry(state);
    ONAGER_RUN("check_deadlock", return check_deadlock();)
    return nullptr;
}
#endif

#ifdef chk_may_progress
bool onager_asset_may_progress(void *state) {
    onager_entry entry(state);
    ONAGER_RUN("is_may_progress", return is_may_progress();)
    return false;
}
#endif

#ifdef chk_must_progress
bool onager_asset_must_progress(void *state) {
    onager_entry entry(state);
    ONAGER_RUN("is_must_progress", return is_must_progress();)
    return false;
}
#endif

void onager_asset_next_stubborn(void *state, unsigned t) {
    onager_entry entry(state);
    ONAGER_RUN("next_stubborn", next_stubborn(t);)
}

void onager_asset_symmetry(void *state) {
    onager_entry entry(state);
    ONAGER_RUN("symmetry_representative", symmetry_representative();)
}

void onager_asset_print(void *state, FILE *out) {
    onager_entry entry(state);
    onager::desk.begin(out);
    ONAGER_RUN("print_state", print_state();)
    onager::desk.sheet.end();
}
#endif

extern const unsigned onager_asset_has, onager_asset_wishes;
extern const unsigned long long onager_asset_most_states;

const unsigned onager_asset_has = (onager::is_absent<onager_print_state> ? 0u : ONAGER_HAS_PRINT) |
                                  (onager::is_absent<onager_next_stubborn> ? 0u : ONAGER_HAS_STUBBORN) |
                                  (onager::is_absent<onager_symmetry> ? 0u : ONAGER_HAS_SYMMETRY)
#ifdef chk_state
                                  | ONAGER_HAS_CHECK_STATE
#endif
#ifdef chk_deadlock
                                  | ONAGER_HAS_CHECK_DEADLOCK
#endif
#ifdef chk_may_progress
                                  | ONAGER_HAS_MAY_PROGRESS
#endif
#ifdef chk_must_progress
                                  | ONAGER_HAS_MUST_PROGRESS
#endif
    ;

/* What is switched on for the whole check, as options of the program do. */
const unsigned onager_asset_wishes = 0
#ifdef stubborn
                                     | ONAGER_WISH_STUBBORN
#endif
#ifdef symmetry
                                     | ONAGER_WISH_SYMMETRY
#endif
#ifdef try_forward
                                     | ONAGER_WISH_FORWARD
#endif
#ifdef dl_not_may
                                     | ONAGER_WISH_NOT_MAY
#endif
#ifdef dl_not_must
                                     | ONAGER_WISH_NOT_MUST
#endif
#ifdef no_progr_chk
                                     | ONAGER_WISH_NO_PROGRESS
#endif
#ifdef no_sanity_chk
                                     | ONAGER_WISH_FAST
#endif
    ;
#ifdef stop_cnt
const unsigned long long onager_asset_most_states = stop_cnt;
#else
const unsigned long long onager_asset_most_states = 0;
#endif
}
} // namespace model

namespace onager {
static const struct starter {
    starter() { onager_asset_start(); }
} started __attribute__((unused)); /* the last object of all */
} // namespace onager

#endif
