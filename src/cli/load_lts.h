/* load_lts.h: LTSs from files, whatever they are written in. */
#ifndef CLI_LOAD_LTS_H
#define CLI_LOAD_LTS_H

#include "cli/options.h"
#include "lts/lts.h"
#include "search/build_lts.h"

/* An .aut file is read; "-" is standard input, in the same format. Of everything else, a model, the LTS is built,
 * reduced as --preserve says. */
bool load_lts(const struct options *o, const char *path, struct lts *out, struct problem *why);

/* What --preserve, --method and --scan ask for. */
struct reduction lts_reduction(const struct options *o);

/* Builds the LTS of a system that is open, with the limits and threads that were asked for. */
bool build_model_lts(const struct options *o, struct ts *ts, struct lts *out, struct build_report *report,
                     struct problem *why);

/* From now on, an interruption just ends the program: there is nothing to report of what comes. False: there has been
 * one already. */
bool end_when_interrupted(const struct options *o, struct problem *why);

/* Whether the file's name ends so. */
bool has_suffix(const char *path, const char *suffix);

#endif
