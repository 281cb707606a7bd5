/* naive_formula.h: of which states a formula is true, part by part, in all states. */
#ifndef UNIT_NAIVE_FORMULA_H
#define UNIT_NAIVE_FORMULA_H

#include "compare/hml.h"

/* For each state, whether the root is true of it; to be freed. */
bool *formula_holds(const struct formula *f, const struct lts *l);

#endif
