/* saved_run.h: what checkpoints and certificates have in common: which run they are from, and its states. */
#ifndef CHECK_SAVED_RUN_H
#define CHECK_SAVED_RUN_H

#include "check/check.h"
#include "store/archive.h"
#include "store/identity.h"

/* Adds the reductions and the questions of a run: "option --stubborn", "check safety" and so on; `checks` is a union of
 * enum property. Limits are no part of it: a run may go on with others. */
void saved_run(struct identity *id, const struct ts *ts, const struct questions *q, unsigned checks);

/* A search is saved even if a limit was passed: that is why. A certificate is not made then. */
enum saving { SAVED_WHOLLY, SAVED_WHILE_ALLOWED };

/* Writes a section "states": the states of the trail from number `from` to before `to`. False: they could not be read
 * back, or a limit was passed. (A write error is for archive_commit to tell.) */
bool saved_states(struct archive_writer *w, struct space *s, uint64_t from, uint64_t to, enum saving saving,
                  struct problem *why);

#endif
