/* outputs.h: the files that a command line names for writing. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/options/options.h"

/* False: one of them is a file that is read, or two are the same; `why` says which. The name of a file that is there, a
 * link to it and another path to it are all the same. The LTS or automaton of -o may take the place of the one that was
 * read: it is written when that is not needed any more. Two outputs may go to the same device, such as /dev/null. */
bool outputs_agree(const struct options *o, struct problem *why);

/* Can they be written, but for certificates? That should be known before the work, not after it. */
bool outputs_can_begin(const struct options *o, struct problem *why);

#endif
