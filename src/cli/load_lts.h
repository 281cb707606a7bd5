/* load_lts.h: LTSs from files, whatever they are written in. */
#ifndef CLI_LOAD_LTS_H
#define CLI_LOAD_LTS_H

#include "cli/options.h"
#include "lts/lts.h"

/* By the end of the file's name: .aut. "-" is standard input, in the same format. */
bool load_lts(const struct options *o, const char *path, struct lts *out, struct problem *why);

/* Whether the file's name ends so. */
bool has_suffix(const char *path, const char *suffix);

#endif
