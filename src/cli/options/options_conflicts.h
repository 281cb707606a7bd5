/* options_conflicts.h: what is wrong with options taken together, when each of them is understood: what is missing,
 * what needs another one, and what does not go together, and why. */
#ifndef CLI_OPTIONS_OPTIONS_CONFLICTS_H
#define CLI_OPTIONS_OPTIONS_CONFLICTS_H

#include "cli/options/options.h"

/* False: `why` says what, and what to leave out or to add. Of several mistakes, one is told. */
bool options_agree(const struct options *o, struct problem *why);

#endif
