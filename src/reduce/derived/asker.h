/* asker.h: what diagrams do not tell of a state, the model's code does: sets.h asks. */
#ifndef REDUCE_DERIVED_ASKER_H
#define REDUCE_DERIVED_ASKER_H

#include "reduce/derived/sets.h"
#include "ts/ts.h"

struct derived_asker {
    const struct derived *d;
    const struct ts *ts; /* the model, without reductions */
    struct ts_worker *w;
    struct derived_sets *sets;
    word *scratch; /* a state */
};

/* With room and sets of its own. The worker is to be given before a state is looked at. */
void derived_asker_init(struct derived_asker *a, const struct derived *d, const struct ts *ts);
void derived_asker_fini(struct derived_asker *a);

/* The code of the model contradicts the facts: says so; returns false. */
bool derived_contradicted(struct ts_fault *fault, uint32_t t);

#endif
