/* load_lts.h: LTSs from files, whatever they are written in. */
#ifndef CLI_LOAD_LTS_H
#define CLI_LOAD_LTS_H

#include "cli/options.h"
#include "lts/effort.h"
#include "lts/lts.h"
#include "search/build_lts.h"

/* An .aut file is read; "-" is standard input, in the same format. Of everything else, a model, the LTS is built,
 * reduced as --preserve says. */
bool load_lts(const struct options *o, const char *path, struct effort *effort, struct lts *out, struct problem *why);

/* What the option names is an LTS beside the model: FILE.fsp:NAME, FILE.aut, or NAME, a process of the model's own FSP
 * file. *out are the options for load_lts to load it from out->model; parameters that it has not are the model's. */
bool beside_model(const struct options *o, const char *option, const char *name, struct options *out,
                  struct problem *why);

/* The time and memory that a command may take from now on, and whether it is interrupted. */
struct effort effort_of(const struct options *o);

/* What --preserve, --method and --scan ask for. */
struct reduction lts_reduction(const struct options *o);

/* Does the text of the system say "minimal" or the like, and is that done? Not if only deadlocks are preserved, which
 * it does not preserve. */
bool qualities_count(const struct ts *ts);

/* Builds the LTS of a system that is open, with the threads that were asked for; then what qualities_count tells. */
bool build_model_lts(const struct options *o, struct ts *ts, const struct limits *limits, struct lts *out,
                     struct build_report *report, struct problem *why);

/* Are there options that cannot be meant so: about processes, where there are only .aut files, or an output that is not
 * one? */
bool lts_options_fit(const struct options *o, struct problem *why);

#endif
