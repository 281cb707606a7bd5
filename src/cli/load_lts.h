/* load_lts.h: LTSs from files, whatever they are written in. */
#ifndef CLI_LOAD_LTS_H
#define CLI_LOAD_LTS_H

#include "cli/options/options.h"
#include "base/effort.h"
#include "lts/lts_file.h"
#include "lts/lts.h"
#include "check/lts/build_lts.h"

/* Is it an LTS already, by its name, or because --from says so of a name that tells nothing? "-" is. */
bool is_lts_file(const struct options *o, const char *path);

/* How such a file is read, without an effort. */
struct lts_file_options lts_options_of(const struct options *o, const char *path);

/* Writes to where the options say, in the format that the name or --to says. Only an interruption ends it. */
bool write_lts(const struct options *o, const struct lts *l, const char *path, struct problem *why);

/* Says on standard error what the user may want to know about labels, when all LTSs are there: a file that calls the
 * invisible action by two names, and rules of --hide, --show and --rename that no label matches. */
void note_labels(const struct options *o);

/* A file with an LTS is read. Of everything else, a model, the LTS is built, reduced as --preserve says. Then actions
 * are hidden and renamed. */
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

/* Builds the LTS of a system that is open, with the threads that were asked for; then what qualities_count tells; then
 * hides and renames. */
bool build_model_lts(const struct options *o, struct ts *ts, const struct limits *limits, struct lts *out,
                     struct build_report *report, struct problem *why);

/* Are there options that cannot be meant so: about processes, where there are only LTSs, or an output that is not
 * one? */
bool lts_options_fit(const struct options *o, struct problem *why);

#endif
