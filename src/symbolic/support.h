/* support.h: which variables the transitions of a model use together. */
#ifndef SYMBOLIC_SUPPORT_H
#define SYMBOLIC_SUPPORT_H

#include "derive/diagram.h"
#include "symbolic/order.h"

/* For each way through a diagram to a leaf that is enabled: the variables that are read on it, and those that are
 * stored there; of all roots. Of a diagram with too many ways, all its variables. Call diagram_arcs before. */
void supports_init(struct supports *s, const struct diagram *d, const uint32_t *root, uint32_t roots);
void supports_fini(struct supports *s);

#endif
