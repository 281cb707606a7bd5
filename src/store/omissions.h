/* omissions.h: what a store that is not exact has cost, in words.
 *
 * The estimates of a store are about the states that the search has met. What is reachable only through states that
 * were left out was never met, and nobody knows how much that is. So the share that was kept bounds the coverage from
 * above; it is near the coverage only if hardly anything was left out, for most states are reachable in several ways.
 */
#ifndef STORE_OMISSIONS_H
#define STORE_OMISSIONS_H

#include "store/store.h"

/* A new string: "the states were not kept exactly: ...". `omitted` and `coverage` are those of store.h. */
char *losses_told(enum store_kind kind, double omitted, double coverage);

#endif
