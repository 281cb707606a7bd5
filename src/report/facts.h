/* facts.h: what is proved of a model (derive/derived.h), for people and for machines. doc/FACTS.md tells what it means.
 *
 * The document depends on the model alone, so that two versions of a model can be compared by it. */
#ifndef REPORT_FACTS_H
#define REPORT_FACTS_H

#include <jansson.h>
#include <stdio.h>

#include "derive/source.h"
#include "ts/ts.h"

/* Derives the facts of a model, and adds them to the document. */
void facts_json(json_t *document, const struct ts *ts, struct source *source);

/* The same document, as text. */
void facts_text(const json_t *document, FILE *out);

#endif
