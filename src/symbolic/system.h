/* system.h: a transition system as relations, made of what is proved of it (derive/): what its functions do in each
 * state whose values can stand together.
 *
 * Levels are variables, in an order of order.h; the values of a level are those that are possible at all. A relation
 * for each transition says where it leads. What a function answers in the states of a set is found by going through its
 * diagram with the set: at each reading, the set is divided by the values.
 *
 * Nothing is guessed: where something is not known (a variable has too many values, or code was not seen), relations
 * lack it. If such a state is reached, symbolic_new says so, and which transition it is, and there is no system.
 */
#ifndef SYMBOLIC_SYSTEM_H
#define SYMBOLIC_SYSTEM_H

#include "base/problem.h"
#include "derive/diagram.h"
#include "symbolic/mdd.h"
#include "symbolic/order.h"
#include "symbolic/saturate.h"
#include "ts/ts.h"

/* Roots of diagrams of what is not a transition; NODE_NONE: the model has no such function. */
struct symbolic_views {
    uint32_t bad, bad_deadlock;       /* NODE_ENABLED: wrong */
    uint32_t may, must, *proposition; /* NODE_VALUE */
};

struct symbolic {
    struct ts *ts;
    struct source *source;
    struct readings readings;
    struct diagram diagram;
    uint32_t transitions;
    uint32_t *root, *error; /* of each transition: where it is enabled, and what it does; where it fails */
    struct symbolic_views views;
    uint32_t levels;
    uint32_t *size, *variable_of, *level_of;
    uint32_t **value_of; /* by level and value there: the value, as packed */
    uint32_t **index_of; /* by variable and value: the value of the level; NODE_NONE: impossible */
    const char *order;
    struct mdd_pool pool;
    struct relations relations;
    relation *event; /* of each transition */
    struct way forward, backward;
    mdd initial, reached; /* roots */
};

struct symbolic_options {
    enum order_of_levels order;
    uint64_t seed;
    struct mdd_limits limits;
};

/* Takes the source over. Without `check_state`, nobody asks for bad states. NULL: `why`; its status is
 * EXIT_INCONCLUSIVE if a limit was reached. */
struct symbolic *symbolic_new(struct ts *ts, struct source *source, const struct symbolic_options *o,
                              struct problem *why);
void symbolic_free(struct symbolic *s); /* may be NULL */

/* Why operations gave up; NULL: they did not. */
const char *symbolic_stopped(const struct symbolic *s);

/* ---- States ---- */

bool symbolic_has(const struct symbolic *s, mdd set, const word *state);
mdd symbolic_one(struct symbolic *s, const word *state);
/* The number of states, as text. To be freed. */
char *symbolic_count(struct symbolic *s, mdd set);

/* ---- Functions ---- */

/* Which leaves of a diagram are meant. */
enum symbolic_leaf {
    LEAVES_ENABLED, /* NODE_ENABLED */
    LEAVES_TRUE,    /* NODE_VALUE that is not 0 */
    LEAVES_UNKNOWN, /* it is not known what happens */
};

/* The states of a set in which the function gets to such a leaf. NODE_NONE: none. */
mdd symbolic_where(struct symbolic *s, uint32_t root, mdd set, enum symbolic_leaf leaf);

/* The values of an arc of the diagram, which reads variable x, as values of its level. */
void symbolic_values(const struct symbolic *s, uint32_t x, const struct arc *a, uint64_t values[SOURCE_SLOTS / 64]);

/* The reached states without successors. */
mdd symbolic_terminal(struct symbolic *s);
/* Those in which some transition fails. */
mdd symbolic_failing(struct symbolic *s);
/* The number of edges, as text. To be freed. */
char *symbolic_edges(struct symbolic *s);

#endif
