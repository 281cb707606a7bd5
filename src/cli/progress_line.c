#include "cli/progress_line.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

static int terminal_columns(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void tick(void *context, const struct space *s, const char *phase, uint64_t done, uint64_t all) {
    struct progress *p = context;
    char line[256], states[16], edges[16], rate[16], memory[16];
    double seconds = clock_seconds() - p->start;
    int n;
    text_count((double)s->states, states);
    text_bytes((double)memory_resident(), memory);
    if (strcmp(phase, "exploring") == 0)
        n = snprintf(line, sizeof line, "%s states, %s edges, %s edges/s, depth %llu, %s, queue %.0f %%", states,
                     text_count((double)s->edges, edges), text_count((double)s->edges / seconds, rate),
                     (unsigned long long)space_depth(s), memory,
                     100.0 * (double)(all - done) / (double)(all ? all : 1));
    else if (strcmp(phase, "random search") == 0)
        n = snprintf(line, sizeof line, "about %s different states, %s edges, %s edges/s, %s, %.0f s%s", states,
                     text_count((double)s->edges, edges), text_count((double)s->edges / seconds, rate), memory, seconds,
                     all ? "" : " (no limit: Ctrl-C ends it)");
    else
        n = snprintf(line, sizeof line, "%s states; %s: %.0f %%, %s", states, phase,
                     100.0 * (double)done / (double)(all ? all : 1), memory);
    assert(n > 0 && (size_t)n < sizeof line && (all == 0 || done <= all));
    int columns = terminal_columns();
    if (n >= columns) line[columns - 1] = 0;
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
    p->shown = true;
}

void progress_init(struct progress *p) { *p = (struct progress){.start = clock_seconds()}; }

struct ticker progress_ticker(struct progress *p, bool quiet) {
    const char *terminal = getenv("TERM");
    bool wanted = !quiet && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    return (struct ticker){wanted ? tick : NULL, p};
}

void progress_wipe(struct progress *p) {
    if (p->shown) fputs("\r\033[K", stderr);
    p->shown = false;
}
