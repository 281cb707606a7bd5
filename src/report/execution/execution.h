/* execution.h: an execution as a JSON document, the one from which all its forms are made (forms.h, pictures.h).
 *
 * doc/FORMATS.md, Traces, describes it. It has all that a form needs, so that forms know nothing of models: names of
 * transitions and of the processes that take part in them, what each step changed, and at the end, if nothing can move,
 * why each process cannot.
 */
#ifndef REPORT_EXECUTION_EXECUTION_H
#define REPORT_EXECUTION_EXECUTION_H

#include <jansson.h>

#include "ts/trace.h"

enum { EXECUTION_VERSION = 1 };

/* To be released with json_decref; null if the trace is empty. `stuck`: nothing can move in the last state; it is to be
 * told why. */
json_t *execution_json(const struct trace *t, struct ts *ts, struct ts_worker *w, bool stuck);
bool execution_is_stuck(const struct trace *t, struct ts *ts, struct ts_worker *w);

/* A list of {"process", "transition", "why"}: of transitions that are disabled in state s, waits.c says of which.
 * Empty: it is not known. */
json_t *execution_waits(struct ts *ts, struct ts_worker *w, const word *s);

/* Why transition t is disabled in s; to be freed. NULL: it is not known. */
char *execution_why(struct ts *ts, struct ts_worker *w, const word *s, uint32_t t);
/* A value, as packed, of a variable of the source, as text; to be freed. `s`: any state. */
struct source_variable;
char *execution_value(const struct ts *ts, const struct source_variable *x, uint64_t value, const word *s);

/* The text, "(not UTF-8)", or null for NULL. */
json_t *execution_text(const char *text);

/* ---- Processes ---- */

/* Who takes part in transitions: the processes of a network; else whoever the names of transitions begin with. */
struct cast {
    struct ts *ts;
    json_t *names;     /* an array of strings */
    uint32_t *process; /* of each transition; NULL: the system knows who takes part */
};

void cast_init(struct cast *c, struct ts *ts, struct ts_worker *w);
void cast_fini(struct cast *c);
bool cast_takes_part(const struct cast *c, uint32_t process, uint32_t transition);

/* How long the beginning of a transition's name is that is the process: "server 2" of "server 2 moves on", "p3" of "p3
 * waits", "row" of "row with goat". */
size_t cast_length(const char *name);

#endif
