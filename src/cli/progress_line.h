/* progress_line.h: one line on a terminal that says how far a long search is; nothing where there is no terminal. */
#ifndef CLI_PROGRESS_LINE_H
#define CLI_PROGRESS_LINE_H

#include "graph/space.h"

struct progress {
    bool shown; /* a line is on the terminal and must be wiped */
    double start;
};

void progress_init(struct progress *p); /* the time that is shown begins now */
/* What a search calls to show the line, as long as *p stays where it is. `quiet`: it shows nothing. */
struct ticker progress_ticker(struct progress *p, bool quiet);
void progress_wipe(struct progress *p); /* before anything else is written, and at the end */

#endif
