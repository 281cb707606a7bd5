#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/files.h"
#include "base/text.h"
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

/* The command line, as far as it makes a difference: model, process, parameters, and what the program was called
 * with. */
static char *command_again(const struct options *o) {
    char *text = text_format("onager check %s", o->model);
    for (size_t i = 0; i < o->parameter_count; i++) {
        char *longer = text_format("%s -p %s=%lld", text, o->parameters[i].name, (long long)o->parameters[i].value);
        free(text);
        text = longer;
    }
    char *whole = text_format("%s%s%s%s%s", text, o->process ? " --process " : "", o->process ? o->process : "",
                              o->stubborn ? " --stubborn" : "", o->symmetry ? " --symmetry" : "");
    free(text);
    return whole;
}

bool write_html(const struct options *o, json_t *document, struct problem *why) {
    char *again = command_again(o);
    json_object_set_new(document, "reproduce", execution_text(again));
    char *page = pictures_html(document);
    bool fine = files_write_new(o->html, page, strlen(page), why);
    free(page);
    free(again);
    return fine;
}
