/* process.h: primitive processes as LTSs. */
#ifndef FRONT_FSP_PROCESS_H
#define FRONT_FSP_PROCESS_H

#include "front/fsp/evaluate.h"

/* The process, or composite, or imported LTS, with the parameters that `env` binds, complete with everything that is
 * written around it. It stays with the maker and is made only once for the same parameters. NULL: there is a problem.
 * The composite is composed: see composite.h. `at` is where it is needed. */
const struct lts *make_process(struct maker *m, const struct definition *d, const struct binding *env, struct place at);

/* "P(1,a)", in the arena. */
char *make_instance_name(struct maker *m, const struct definition *d, const struct binding *env);

#endif
