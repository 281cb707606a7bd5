/* LTSs from files. */
#include "front/fsp/composite.h"

bool make_import(struct maker *m, const struct definition *d, struct lts *out) {
    (void)out;
    return maker_problem(m, d->at, "%s cannot be imported", d->path);
}
