/* From every state, can a may-progress state be reached? */
#include "check/property/property_ops.h"
#include "check/property/target.h"

static bool ask(struct check *c) { return target_ask(c, PROP_MAY, "may progress"); }

const struct property_ops ops_MAY = {.ask = ask};
