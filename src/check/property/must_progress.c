/* Is a must-progress state reached whatever happens? With fairness: in every fair execution (fair_must.c). */
#include "check/property/property_ops.h"
#include "check/property/target.h"

static bool ask(struct check *c) {
    return c->q->fair ? check_fair_must_progress(c) : target_ask(c, PROP_MUST, "must progress");
}

const struct property_ops ops_MUST = {.ask = ask};
