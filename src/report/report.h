/* report.h: answers, for people and for machines.
 *
 * Text: the counterexample, one state a line, `==========` where progress has become impossible, `----------` where the
 * cycle begins; where states are printed as changes, the last one and the one after `==========` also in full; then
 * `!!! ` and what is wrong, then the counts. JSON: doc/FORMATS.md.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "base/problem.h"
#include "check/check.h"

/* The execution alone. */
void report_trace(const struct trace *t, struct ts *ts, struct ts_worker *w, FILE *out);

/* The whole answer. `colour`: the output is a terminal that wants colours. */
void report_text(const struct answer *a, struct ts *ts, struct ts_worker *w, bool colour, FILE *out);

/* The JSON document of an answer, and of a problem that is all there is to tell; to be released with json_decref. */
json_t *report_json(const struct answer *a, struct ts *ts, struct ts_worker *w);
json_t *report_json_problem(enum exit_status status, const char *message);
json_t *report_json_about(const struct ts *ts); /* version, model, parameters, process: how all documents begin */
json_t *report_json_reductions(const struct reduction *r); /* by name: is it on? */
json_t *report_json_trace(const struct trace *t, struct ts *ts, struct ts_worker *w);

/* Writes a document to the file `path`, or to standard output if that is "-". */
bool report_write_json(json_t *document, const char *path, struct problem *why);

#endif
