/* progress.h: one line on a terminal that says how far a long search is; nothing where there is no terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "search/space.h"

struct progress {
    bool shown; /* a line is on the terminal and must be wiped */
    double start;
    int columns;
};

void progress_init(struct progress *p);
struct ticker progress_ticker(struct progress *p, bool quiet);
void progress_wipe(struct progress *p);

#endif
