/* draw_automaton.h: automata as pictures (in the language of Graphviz, base/dot.h), and as never claims of spin. */
#ifndef OMEGA_DRAW_AUTOMATON_H
#define OMEGA_DRAW_AUTOMATON_H

#include <stdio.h>

#include "omega/automaton.h"
#include "base/problem.h"

/* Double circles have infinite acceptance; other kinds are written into the states: fin, dl, ll. Marks of edges that do
 * not come from states are numbers in braces. */
void draw_ba(const struct ba *a, const char *title, FILE *out);
/* The labels of edges are sets: what changes. Arrows from nowhere tell the valuation to begin with. */
void draw_ta(const struct ta *a, const char *title, FILE *out);

/* A never claim accepts the same infinite sequences. Names that are no identifiers of Promela must be made so by
 * whoever uses it. False: not by_state, or with finite or deadlock acceptance, which never claims do not have. */
bool write_never_claim(const struct ba *a, const char *comment, FILE *out, struct problem *why);

#endif
