/* wishes.h: what a model in ASSET's language switches on for the whole check, by macros that its text or -p define: it
 * is as if the options had been given that do the same.
 *
 *     macro            option                              macro            option
 *     stubborn         --stubborn                          dl_not_may       --terminal-not-may
 *     symmetry         --symmetry                          dl_not_must      --terminal-not-must
 *     try_forward      --scan forward                      no_sanity_chk    --fast
 *     stop_cnt=N       --max-states N                      no_progr_chk     --no-may-progress --no-must-progress
 *                                                                           --no-termination
 *
 * --stubborn and --symmetry define the macros, since the model's code may ask for them.
 */
#ifndef CLI_WISHES_H
#define CLI_WISHES_H

#include "cli/options/options.h"
#include "ts/ts.h"

/* *own becomes `o`, and what -p says in this way. To be freed by wishes_fini, and only that. */
bool wishes_init(struct options *own, const struct options *o, struct problem *why);
void wishes_fini(struct options *own);

/* The model was opened with *own: what else does its text say? *again: it must be opened anew. False: that does not go
 * together with other options, *why. */
bool wishes_heed(struct options *own, const struct ts *ts, bool *again, struct problem *why);

#endif
