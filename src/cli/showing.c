#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/commands.h"
#include "report/execution/pictures.h"

static bool wants_colour(void) {
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no && *no) && terminal && strcmp(terminal, "dumb") != 0;
}

/* 0: it is no terminal, or does not tell. */
static unsigned terminal_width(void) {
    struct winsize size;
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Models of ASSET print states as they have always done. */
struct showing showing_of(const struct options *o, const struct ts *ts) {
    enum trace_form usual = ts->asset ? FORM_STATES : FORM_STEPS;
    return (struct showing){.form = o->form ? (enum trace_form)(o->form - 1) : usual,
                            .look = {.width = terminal_width(), .colour = wants_colour()}};
}

bool write_trace_file(const struct options *o, const json_t *about, struct problem *why) {
    if (!o->trace_file) return true;
    if (!json_is_object(json_object_get(about, "trace"))) {
        fprintf(stderr, "onager: there is no execution to show, so %s was not written\n", o->trace_file);
        return true;
    }
    return pictures_write(about, o->trace_file, why);
}
