/* pictures.h: an execution as a file: the form is told by the name.
 *
 *     .json    the document, which `onager replay` reads
 *     .svg     a sequence chart
 *     .mmd     the same, for Mermaid
 *     .html    a page that plays it: a slider, the state with what changed, charts
 */
#ifndef REPORT_EXECUTION_PICTURES_H
#define REPORT_EXECUTION_PICTURES_H

#include <jansson.h>

#include "base/problem.h"

bool pictures_know(const char *path); /* is it the name of such a file? */
/* `document` has the execution as its "trace", and tells "model", "message" and so on besides. */
bool pictures_write(const json_t *document, const char *path, struct problem *why);

/* ---- For the files of pictures.h ---- */

char *pictures_svg(const json_t *document); /* to be freed, like the others */
char *pictures_mermaid(const json_t *document);
char *pictures_html(const json_t *document);

#endif
