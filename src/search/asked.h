/* asked.h: which run of a model a file of states is from: its reductions and its questions, as labels and values.
 *
 * Limits are no part of it: a run may go on with others. */
#ifndef SEARCH_ASKED_H
#define SEARCH_ASKED_H

#include "search/check.h"
#include "store/identity.h"

/* Adds "option --stubborn", "check safety" and so on; `checks` is a union of enum property. */
void asked_identity(struct identity *id, const struct ts *ts, const struct questions *q, unsigned checks);

#endif
