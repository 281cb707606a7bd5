/* read_source.h: a C model as a source (derive/source.h): its functions are run without a state, by their machine code.
 *
 * The model is compiled once more, so that it can use nothing but its state and constants (onager/observe.h). A
 * function works on a state that lies on protected pages (code/page_watch.h): no access goes unnoticed, in whatever way
 * it is made. Where it reads a variable that is not known, it halts (code/runner.h), and a point has come up: its
 * machine, what was stored so far, and, in a tree, what was read. From there it goes on with each value that it is
 * given.
 *
 * In a state, what lies between variables is 0 before a function begins.
 */
#ifndef MODEL_C_READING_READ_SOURCE_H
#define MODEL_C_READING_READ_SOURCE_H

#include "base/problem.h"
#include "derive/source.h"
#include "ts/ts.h"

/* The units are: all transitions; the checks that there are; propositions; and, if there are actions, those of all
 * transitions. NULL: see *why. The model must last longer. */
struct source *read_source_open(struct ts *ts, struct problem *why);

#endif
