/* dot.h: what pictures have in common, in the language of Graphviz: how states and edges look, texts, the caption.
 * States are circles; whoever draws calls them s0, s1, ... */
#ifndef BASE_DOT_H
#define BASE_DOT_H

#include <stdint.h>
#include <stdio.h>

/* The head of the graph; the caption stands below the picture; NULL: none. To be closed with "}". */
void dot_begin(FILE *out, const char *name, const char *caption);

/* An arrow from nowhere, number i of them, which is open: attributes follow, then "];". */
void dot_arrow(FILE *out, uint32_t i, uint32_t state);

/* Text inside quotes, at most so many characters of it. */
void dot_text(FILE *out, const char *text, int most);
int dot_length(const char *text); /* in characters */

#endif
