/* threads_note.h: whether what a command line asks for uses the threads that it asks for. */
#ifndef CLI_THREADS_NOTE_H
#define CLI_THREADS_NOTE_H

#include "cli/options/options.h"

/* Why --threads N, with N > 1, changes nothing; NULL: it does, or was not given. */
const char *threads_unused(const struct options *o);

/* Says so on standard error; but a check says so in its report. */
void threads_note(const struct options *o);

#endif
