/* c_model.h: C models as transition systems. The model's file is compiled, loaded, asked what it has, and checked for
 * what it must have. */
#ifndef FRONT_C_MODEL_H
#define FRONT_C_MODEL_H

#include "base/problem.h"
#include "front/c_compile.h"
#include "ts/ts.h"

struct c_model_options {
    struct c_compile compile;
    double endless; /* seconds of processor time after which model code is taken to loop for ever */
};

/* The model, or NULL with the reason. A requested reduction that the model has no rules for is a reason. */
struct ts *c_model_open(const struct c_model_options *options, struct problem *why);

#endif
