/* c_model.h: C models as transition systems. The model's file is compiled, loaded, asked what it has, and checked for
 * what it must have. */
#ifndef MODEL_C_C_MODEL_H
#define MODEL_C_C_MODEL_H

#include "base/problem.h"
#include "model/c/c_compile.h"
#include "model/c/c_model_strict.h"
#include "ts/ts.h"

/* Whether successors are looked up (model/c/tables.h), where that can be done. */
enum c_tables {
    C_TABLES_AUTO,   /* in long searches */
    C_TABLES_ALWAYS, /* from the beginning */
    C_TABLES_NEVER,
};

struct c_model_options {
    struct c_compile compile;
    double endless; /* seconds of processor time after which model code is taken to loop for ever */
    enum c_tables tables;
    enum c_strict strict;
    bool rules_optional; /* stubborn sets are asked for, but a model without rules is opened, too: to look at only */
};

/* The model, or NULL with the reason. What the options point to must last as long as the model. A requested reduction
 * that the model has no rules for is a reason. */
struct ts *c_model_open(const struct c_model_options *options, struct problem *why);

#endif
