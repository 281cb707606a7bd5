#include "check/property/property_ops.h"

#define PROPERTY_OPS(id, ...) extern const struct property_ops ops_##id;
PROPERTIES(PROPERTY_OPS)
#undef PROPERTY_OPS

/* On the fly, and by themselves. */
const struct property_ops ops_SAFETY, ops_DEADLOCK, ops_MODEL_ERROR, ops_LTL, ops_AUTOMATON, ops_TESTER;

static const struct property_ops *const table[] = {
#define PROPERTY_OPS(id, ...) [PROPERTY_##id] = &ops_##id,
    PROPERTIES(PROPERTY_OPS)
#undef PROPERTY_OPS
};

const struct property_ops *property_ops(const struct property_row *row) { return table[row - property_table]; }
