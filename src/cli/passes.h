/* passes.h: onager compare A --passes TEST: a test that the user wrote is run with an LTS (lts/run_test.h). */
#ifndef CLI_PASSES_H
#define CLI_PASSES_H

#include "cli/options.h"

/* The exit status: it passes, it fails, or `why` tells. */
int passes_test(const struct options *o, struct problem *why);

#endif
