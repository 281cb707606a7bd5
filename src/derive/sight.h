/* sight.h: what somebody who watches a model may see change: propositions, progress, actions.
 *
 * A transition that is said not to change a proposition does not, in any state whose values can stand together; so in
 * no reachable one. derived_may_change and derived_observable (derive/derived.h) are answered from the diagrams made
 * here.
 */
#ifndef DERIVE_SIGHT_H
#define DERIVE_SIGHT_H

#include "derive/derived.h"

/* The diagrams of all functions that may be watched, by unit; to be freed. To be called before diagram_arcs. */
struct sight *sight_make(struct derived *d);

#endif
