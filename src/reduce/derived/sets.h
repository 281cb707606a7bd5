/* sets.h: stubborn sets that are made of proved facts (derive/derived.h).
 *
 * Let s be a reachable state and U a set of members. The reach of s is a set of values V_x for each variable x: those
 * that it may have while only transitions outside U occur. V begins with the values of s; a cube of a transition
 * outside U is alive if it allows a value in V_x for each x; then V grows by what the transition stores; and so on. So
 * every state that is reached by outsiders has its values in V. U is good if
 *
 *     t in U, enabled in s    no conflict cube of t and an outsider is alive
 *     t in U, disabled in s   no cube of t is alive
 *
 * Then D1 and D2 hold for U: outsiders cannot enable what is disabled in s; and where an outsider u and an enabled t
 * meet, both orders are possible and end in the same state, by induction along sequences of outsiders. The members are
 * those of the system to which the imaginary transitions were added: so not only deadlocks are preserved, but, in
 * models that are always may-terminating, also whether a bad state or an error is reachable (STOP Theorem 4).
 *
 * The good sets are closed under union, so that every set has a largest good subset. Deletion begins with all members,
 * removes an enabled transition, and goes on with the largest good subset of the rest, if that has an enabled
 * transition; then the next one. The result is a function of s alone. Where a set with one enabled transition is found
 * at less cost (plain.h), no set is smaller, and that is taken.
 *
 * Models that run for ever. Without termination, a bad state may be ignored on a cycle. SV prevents that (FAIR): from
 * each state of the reduced system, one can get to a state whose set has all imaginary transitions. On the way to it,
 * the distance to a bad state does not grow: members that are fired commute with the way there. There, a set without a
 * step of the way would have an imaginary transition that outsiders enable, against D1. So the distance shrinks. Here,
 * a set has all imaginary transitions that are disabled, unless all of its enabled members lead to larger states,
 * states being numbers: such steps alone make no cycle.
 *
 * Watchers (reduce/guided.h). The watcher is one more member: a visible transition that is enabled in U needs it there,
 * and it needs all visible transitions that it allows. These are conditions of "good", too, and good sets remain closed
 * under union. What guided.h says of closures under obligations needs D1, D2 and V only, so it is true of these sets.
 */
#ifndef REDUCE_DERIVED_SETS_H
#define REDUCE_DERIVED_SETS_H

#include "derive/derived.h"

struct guided_watch;

/* What diagrams cannot tell: is the member enabled in the state that is looked at? */
struct derived_sets_asking {
    bool (*enabled)(void *context, uint32_t member);
    void *context;
    /* NULL, or: replaces a state by the one that stands for it. False: that is not known. */
    bool (*map)(void *context, uint64_t *state);
};

/* Serves one thread. */
struct derived_sets;

struct derived_sets *derived_sets_new(const struct derived *d, struct derived_sets_asking ask);
void derived_sets_free(struct derived_sets *s);

/* For tests: sets with one enabled transition are looked for first, whether that is worth it or not. */
void derived_sets_always_plain(struct derived_sets *s);

/* Looks at a reachable state. Until the next one is looked at, `state` must stay. False: it has values that cannot
 * stand together by the facts: these are wrong, or it is not reachable. That may also come out later. */
bool derived_sets_enter(struct derived_sets *s, const uint64_t *state);
/* May all values of a state stand together? Those of reachable ones may; representatives that are not reachable
 * themselves may not, and then nothing is proved of them and of what they lead to. */
bool derived_sets_possible(const struct derived_sets *s, const uint64_t *state);
const uint64_t *derived_sets_state(const struct derived_sets *s);
/* Of a member, in that state: enabled? */
bool derived_sets_enabled(const struct derived_sets *s, uint32_t member);
/* A member that is not a transition and enabled there: something is wrong with the state. UINT32_MAX: none. */
uint32_t derived_sets_bad(const struct derived_sets *s);

/* The stubborn set of that state: its enabled transitions, by increasing number, into `list`. Returns how many they
 * are; 0: no transition is enabled. `endless`: bad states and errors are preserved, too, if the model is not always
 * may-terminating. */
enum { DERIVED_SETS_WRONG = UINT32_MAX }; /* it has come out */
uint32_t derived_sets_choose(struct derived_sets *s, bool endless, uint32_t *list);
/* The same, for a watcher: the set has what `watch` says (reduce/guided.h), and so may have no enabled transition if
 * that asks for none. `visible`, by transition, must stay. */
uint32_t derived_sets_guide(struct derived_sets *s, const bool *visible, const struct guided_watch *watch, bool endless,
                            uint32_t *list);
/* Then: is the member in the set? And the watcher? */
bool derived_sets_has(struct derived_sets *s, uint32_t member);
bool derived_sets_has_watcher(const struct derived_sets *s);

/* `in`, by member, becomes its largest good subset. False: the values of the state cannot stand together. */
bool derived_sets_largest(struct derived_sets *s, bool *in);

/* Where enabled transition t leads. False: the diagrams do not tell. */
bool derived_sets_fire(const struct derived_sets *s, uint32_t t, uint64_t *to);

#endif
