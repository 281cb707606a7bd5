/* evaluate.h: what expressions, labels, sets and ranges of FSP mean where index variables and parameters have values.
 *
 * A label is a text with dots: a[1].b is "a.1.b". A value is a number or a label; a label that looks like a number is
 * one. What is evaluated is in the arena of the `struct maker`, which lives as long as a target is being made.
 */
#ifndef FSP_EVALUATE_H
#define FSP_EVALUATE_H

#include "base/arena.h"
#include "base/names.h"
#include "fsp/fsp_file.h"

struct value {
    const char *label; /* NULL: a number */
    int64_t number;
};

/* Variables and parameters, the innermost first. */
struct binding {
    const struct binding *outer;
    const char *name;
    struct value value;
};

/* Values of constants and sets once they are known. */
struct worked_out {
    bool busy, done;
    struct value value;
    int64_t low, high;
    struct names set;
};

bool make_evaluate(struct maker *m, const struct binding *env, const struct expression *e, struct value *out);
/* The same for conditions: it must be a number. */
bool make_condition(struct maker *m, const struct binding *env, const struct expression *e, bool *out);

/* The environment with one more name; NULL if there is a variable of that name already, which is a problem. */
const struct binding *make_bind(struct maker *m, const struct binding *env, struct place at, const char *name,
                                struct value value);
char *make_value_text(struct maker *m, struct value v); /* in the arena */

/* Calls `visit` for every label, with the variables bound on the way. False as soon as it returns false. */
typedef bool label_visitor(void *context, const char *label, const struct binding *env);
bool make_labels(struct maker *m, const struct binding *env, const struct label *l, label_visitor *visit,
                 void *context);

/* Adds the labels of a set. */
bool make_set(struct maker *m, const struct binding *env, const struct set *s, struct names *out);

/* Calls `visit` for every combination of values of the indices. `suffix` is ".1.a" for the values 1 and a. */
typedef bool index_visitor(void *context, const char *suffix, const struct binding *env);
bool make_indices(struct maker *m, const struct binding *env, const struct index *i, index_visitor *visit,
                  void *context);

/* Parameters with their values: those given, or the defaults. Problems are at `at`. */
bool make_parameters(struct maker *m, const struct binding *env, const struct definition *d,
                     const struct argument *arguments, struct place at, const struct binding **out);

/* ---- For evaluate.c and labels.c ---- */

struct value value_of_label(const char *label); /* which must stay */
/* What is known about a constant or a set; NULL, and a problem, if it is being worked out now. */
struct worked_out *work_out_begin(struct maker *m, const struct definition *d);
void worked_out_fini(struct worked_out *w);

#endif
