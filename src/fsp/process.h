/* process.h: primitive processes as LTSs. */
#ifndef FSP_PROCESS_H
#define FSP_PROCESS_H

#include "fsp/evaluate.h"

/* The process, or composite, or imported LTS, with the parameters that `env` binds, complete with everything that is
 * written around it. It stays with the maker and is made only once for the same parameters. NULL: there is a problem.
 * The composite is composed: see composite.h. `at` is where it is needed. */
const struct lts *make_process(struct maker *m, const struct definition *d, const struct binding *env, struct place at);

/* A primitive process as a tester (fsp_tester.c): all its states, also those that cannot be reached, and where its
 * local processes are among them. `names` are "P" and "P.1.a"; P = STOP is a state of its own here. Neither minimal nor
 * deterministic is obeyed. */
struct local_states {
    struct names names;
    uint32_t *state; /* by name */
};
bool make_with_states(struct maker *m, const struct definition *d, const struct binding *env, struct lts *out,
                      struct local_states *where);

/* The parameters of a target: their defaults, or what the user wants instead. */
bool make_target_parameters(struct maker *m, const struct definition *d, const struct binding **out);

/* "P(1,a)", in the arena. */
char *make_instance_name(struct maker *m, const struct definition *d, const struct binding *env);

#endif
