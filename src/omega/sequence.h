/* sequence.h: single sequences of valuations, finite or of the form u v v v ..., as witnesses of what automata accept.
 */
#ifndef OMEGA_SEQUENCE_H
#define OMEGA_SEQUENCE_H

#include <stdio.h>

#include "omega/automaton.h"

/* at[0] ... at[count-1], and then for ever again from at[cycle] on; cycle == count: nothing more, it is finite. */
struct sequence {
    uint64_t *at;
    uint32_t count, cycle, room;
};

void sequence_fini(struct sequence *s);
void sequence_add(struct sequence *s, uint64_t valuation);

/* An infinite sequence that a accepts, added to an empty one: a short one, and often a shortest. a must not have finite
 * acceptance. False: there is none. */
bool sequence_accepted(const struct ba *a, struct sequence *out);

/* Shorter, and with fewer propositions that hold, as long as `still` is true of it; it is true to begin with. A finite
 * sequence stays finite and is never empty, an infinite one stays infinite. */
typedef bool sequence_still(const void *context, const struct sequence *s);
void sequence_shorten(struct sequence *s, uint32_t propositions, sequence_still *still, const void *context);

/* Each valuation is the set of what holds: "{p} {} and for ever {p, q} {q}"; finite: "{p} {}". */
void sequence_write(const struct sequence *s, const struct names *propositions, FILE *out);

#endif
