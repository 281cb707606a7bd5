/* forms.h: the document of execution.h as text, in several forms. doc/SEEING.md shows them.
 *
 *     steps        number, step, what it changed
 *     full         the same, then the whole state
 *     lanes        a column for each process, with what it does
 *     by-process   what each process does, one process after the other, and what it waits for at the end
 *     chart        a line down for each process; a step is a mark on the lines of those who take part
 *
 * No line is longer than `width`, unless that is 0. The form `states` needs the model, and is in report.h.
 */
#ifndef REPORT_EXECUTION_FORMS_H
#define REPORT_EXECUTION_FORMS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum trace_form { FORM_STEPS, FORM_STATES, FORM_FULL, FORM_LANES, FORM_BY_PROCESS, FORM_CHART };
#define FORM_WORDS "steps states full lanes by-process chart"

struct look {
    unsigned width; /* of the terminal; 0: no matter */
    bool colour;
};

/* `execution` may be null; `form` is not FORM_STATES. */
void forms_print(const json_t *execution, enum trace_form form, struct look look, FILE *out);

/* ---- For the files of forms.h and pictures.h ---- */

struct pages {
    const json_t *execution;
    const json_t *processes, *stem, *cycle, *waits; /* arrays; waits: or NULL */
    size_t count;                                   /* steps, the initial state among them */
    size_t cycle_begins, no_return;                 /* SIZE_MAX: none */
    bool network;                                   /* processes are the variables */
    struct look look;
    FILE *out;
};

struct pages pages_of(const json_t *execution, struct look look, FILE *out);
json_t *pages_step(const struct pages *p, size_t i);
json_t *pages_processes(const struct pages *p, size_t i); /* who takes part in the step to state i: an array, or NULL */
const char *pages_name(const struct pages *p, size_t i);  /* of that step; "" for the initial state */
const char *pages_closing(const struct pages *p);
size_t text_columns(const char *text); /* how many places it takes on a line */
/* What of the step's name is left when the process is gone, which may be "". */
const char *pages_rest(const struct pages *p, const char *name);

void pages_steps(const struct pages *p, bool full);
void pages_lanes(const struct pages *p);
void pages_stories(const struct pages *p);
void pages_chart(const struct pages *p);
/* `==========` and `----------`, where they are. */
void pages_rules(const struct pages *p, size_t i);
void pages_waits(const struct pages *p);

/* Words on lines that are not too long. */
struct wrap {
    FILE *out;
    unsigned width, indent, column;
    bool fresh; /* nothing is on the line but the indentation */
};

void wrap_begin(struct wrap *w, const struct pages *p, unsigned indent, unsigned column);
void wrap_word(struct wrap *w, const char *text, const char *colour); /* colour: an escape sequence, or NULL */
void wrap_words(struct wrap *w, const char *text);                    /* those between spaces */
void wrap_end(struct wrap *w);
/* What step i changed, word by word; and what else is to be told of it. */
void wrap_changes(struct wrap *w, const struct pages *p, size_t i);
/* All variables of state i. */
void wrap_state(struct wrap *w, const struct pages *p, size_t i);
void wrap_notes(struct wrap *w, const struct pages *p, size_t i);

#endif
