/* report.h: answers, for people and for machines.
 *
 * Text: the counterexample, in a form of execution/forms.h, or, as FORM_STATES, one state a line as the model prints
 * it, where states are printed as changes the last one and the one after `==========` also in full; `==========` where
 * progress has become impossible, `----------` where the cycle begins; then `!!! ` and what is wrong, then the counts.
 * JSON: doc/FORMATS.md.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "base/problem.h"
#include "check/check.h"
#include "report/execution/execution.h"
#include "report/execution/forms.h"

/* How executions are shown. */
struct showing {
    enum trace_form form;
    struct look look;
};

/* The execution alone. `stuck`: nothing can move in its last state, and forms that can do so say why. */
void report_trace(const struct trace *t, struct ts *ts, struct ts_worker *w, bool stuck, struct showing how, FILE *out);

/* The whole answer. */
void report_text(const struct answer *a, struct ts *ts, struct ts_worker *w, struct showing how, FILE *out);

/* The JSON document of an answer, and of a problem that is all there is to tell; to be released with json_decref. */
json_t *report_json(const struct answer *a, struct ts *ts, struct ts_worker *w);
json_t *report_json_problem(enum exit_status status, const char *message);
json_t *report_json_about(const struct ts *ts); /* version, model, parameters, process: how all documents begin */
json_t *report_json_reductions(const struct reduction *r); /* by name: is it on? */

/* Writes a document to the file `path`, or to standard output if that is "-". */
bool report_write_json(json_t *document, const char *path, struct problem *why);

#endif
