/* compare_passes.h: onager compare A --passes TEST: a test that the user wrote is run with an LTS
 * (compare/run_test.h). */
#ifndef CLI_COMPARE_PASSES_H
#define CLI_COMPARE_PASSES_H

#include "cli/options/options.h"

/* The exit status: it passes, it fails, or `why` tells. */
int passes_test(const struct options *o, struct problem *why);

#endif
