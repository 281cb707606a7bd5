/* acted.h: models for tests of what is derived: C functions that get and set the variables of a state one by one, and
 * that can therefore be run on a whole state, or, as a struct source, on one of which little is known.
 *
 * A function may say where it is before it gets something (acted_at): then points can be merged. It promises that what
 * it will do depends on this number, on what it has set, and on the values of the variables that are `live`.
 */
#ifndef UNIT_ACTED_H
#define UNIT_ACTED_H

#include <stdbool.h>
#include <stdint.h>

#include "derive/source.h"

enum { ACTED_VARIABLES = 64, ACTED_UNITS = 80 };

struct actor;

struct acted_model {
    uint32_t variables, units;
    uint32_t values[ACTED_VARIABLES]; /* how many a variable has */
    bool wide[ACTED_VARIABLES];       /* ... and it is said to be wide */
    uint32_t initial[ACTED_VARIABLES];
    struct source_unit unit[ACTED_UNITS];
    /* Runs a unit. Transitions: 0: disabled. */
    uint64_t (*run)(struct actor *a, uint32_t unit);
    const void *program; /* for `run` */
};

/* For `run`. Those that fail do not return. */
const struct acted_model *acted_model(const struct actor *a);
uint32_t acted_get(struct actor *a, uint32_t x);
void acted_set(struct actor *a, uint32_t x, uint32_t value); /* fails if the variable cannot have it */
void acted_fail(struct actor *a) __attribute__((noreturn));
void acted_hide(struct actor *a); /* what comes now cannot be seen */
void acted_at(struct actor *a, uint64_t place, uint64_t live);

/* A transition of the model, by its definition, on a whole state. 1: enabled, `to` is where it leads; 0: disabled; -1:
 * it fails. */
int acted_fire(const struct acted_model *m, uint32_t unit, const uint32_t *state, uint32_t *to);
/* Another unit; UINT64_MAX: it fails. */
uint64_t acted_ask(const struct acted_model *m, uint32_t unit, const uint32_t *state);

/* The model must stay. */
struct source *acted_source(const struct acted_model *m);
void acted_pack(const struct source *s, const uint32_t *state, uint64_t *packed);
void acted_unpack(const struct source *s, const uint64_t *packed, uint32_t *state);

/* A model made by chance: processes with locations, shared variables, guards, stores, indices that are values; some
 * transitions may fail, some cannot be seen, some variables are wide. Its last unit may be a check of states. */
struct acted_chance {
    uint32_t states; /* at most so many combinations of values */
    bool wide, hidden, errors;
    bool watched;                  /* units 0 and 1 of propositions, and must progress; after the check of states */
    uint32_t (*below)(uint32_t n); /* the random numbers of the test: 0 to n - 1 */
};
struct acted_model *acted_random(const struct acted_chance *chance); /* to be freed */

#endif
