/* derived.h: what is proved about a model: the facts that stubborn sets are made of. They do not change once they are
 * made, and depend on the model alone.
 *
 * Members of stubborn sets are the transitions of the model, and imaginary transitions that change nothing: one that is
 * enabled where check_state finds something, and one for each transition, enabled where that transition raises an
 * error. What can never be is left out. Each member has
 *
 *     a diagram       where it is enabled, and what it stores
 *     cubes           all conditions under which it is enabled, with what it stores then; if they are too many, the
 *                     diagram is walked instead
 *     conflicts       for each other member that it may meet: conditions under which the two do not accord, that is,
 *                     are both enabled, but one disables the other, or the orders end differently
 *
 * All conditions are narrowed by pairs: they are about states whose values can stand together.
 */
#ifndef DERIVE_DERIVED_H
#define DERIVE_DERIVED_H

#include "derive/cube_table.h"
#include "derive/cubes.h"
#include "derive/diagram.h"

struct facts_proved;

enum { EFFECT_VAGUE = UINT32_MAX }; /* tag of cubes: anything may be stored */

enum member_kind { MEMBER_TRANSITION, MEMBER_BAD_STATE, MEMBER_ERROR };

/* Another member that it may not accord with: the cubes from..to-1 of derived->conflicts say when. */
struct near {
    uint32_t member, from, to;
};

struct member {
    enum member_kind kind;
    uint32_t transition; /* MEMBER_TRANSITION, MEMBER_ERROR: its number */
    uint32_t unit, root;
    bool vague;        /* in some states it may do anything, or more than the diagram tells */
    bool walked;       /* it has no cubes: the diagram is walked */
    bool exact;        /* its cubes tell where it is enabled, and which effect it has */
    uint32_t from, to; /* its cubes in derived->cubes, whose tags are effects */
    uint32_t near_from, near_to;
    bool *reads, *writes; /* by variable */
};

struct derived_budget {
    struct readings_budget readings;
    uint32_t cubes;     /* of a member */
    uint32_t conflicts; /* cubes of two members; beyond, their hull is taken */
    uint32_t steps;     /* in search of the conflicts of two members; beyond, they never accord */
};
#define DERIVED_BUDGET                                                                                                 \
    ((struct derived_budget){.readings = READINGS_BUDGET, .cubes = 1024, .conflicts = 1024, .steps = 1 << 20})

/* A function of the state that somebody may watch: roots of its diagrams. */
struct sight {
    uint32_t on,
        off; /* of propositions: enabled where it holds, and where it does not; of actions: `on` is the value */
};

struct derived {
    struct readings readings;
    struct diagram diagram;
    const struct source_variable *variables; /* of the source */
    bool asks_bad;                           /* somebody asks for bad states */
    uint32_t transitions;                    /* members 0, 1, ...; after them come the imaginary ones */
    uint32_t members;
    struct member *member;
    /* Diagrams of check_state (VIEW_BAD), may_progress and must_progress (VIEW_VALUE); NODE_NONE: there is no such
     * function. */
    uint32_t bad, may_progress, must_progress;
    struct value_cubes cubes, conflicts;
    struct cube_table table; /* of both */
    struct sight *sight;     /* by unit */
    struct near *near;
    uint32_t near_count, near_room;
};

/* The source must last as long as what is made of it. Its first units are all transitions, in order. Without
 * `check_state`, nobody asks for bad states. */
struct derived *derived_new(struct source *source, bool check_state, struct derived_budget budget);
void derived_free(struct derived *d); /* may be NULL */

/* Is it proved that no reachable state is bad? Only if somebody asks for bad states, and there is a check of them. */
bool derived_proves_good(const struct derived *d);

/* May transition t change whether a function holds, in a state whose values can stand together? `kind`:
 * UNIT_PROPOSITION, UNIT_MAY_PROGRESS or UNIT_MUST_PROGRESS. */
bool derived_may_change(const struct derived *d, enum unit_kind kind, uint32_t of, uint32_t t);
/* May it ever show an action other than number 0, or change what is shown by another one? */
bool derived_observable(const struct derived *d, uint32_t t);

/* What its transitions read and write, in states whose values can stand together; so in all reachable ones. */
struct facts_proved *derived_proved(const struct derived *d);

#endif
