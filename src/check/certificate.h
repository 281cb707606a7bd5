/* certificate.h: why a verdict "holds" is right, in a form that a small program can check without searching.
 *
 * A certificate is an archive with the reached states, the claim (how many states, edges and terminal states; which
 * properties hold), for stubborn sets the set that was used in each state, and for progress a rank of each state
 * (ranks.h says what ranks mean and what memory they take). `onager verify` (src/verify) checks it: the set of states
 * is closed, so nothing else can be reached, and every property is a matter of single states and their edges.
 *
 * Writing it expands all states once more.
 */
#ifndef CHECK_CERTIFICATE_H
#define CHECK_CERTIFICATE_H

#include "check/check.h"
#include "graph/space.h"

/* The space must be complete, and `checked` must hold. */
bool certificate_write(const char *path, struct space *s, const struct questions *q, unsigned checked,
                       struct problem *why);

#endif
