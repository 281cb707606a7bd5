#include <assert.h>
#include <string.h>

#include "base/version.h"
#include "cli/options/options_table.h"

/* ---- Help ---- */

/* Text that is broken into lines of at most 80 columns, indented by `indent`; the cursor is at `column`. */
static void wrap(const char *text, int indent, int column, FILE *out) {
    for (bool first = true; *text; first = false) {
        size_t n = strcspn(text, " ");
        if (!first && column + 1 + (int)n > 80) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, n, out);
        column += (int)n;
        text += n + (text[n] == ' ');
    }
    fputc('\n', out);
}

static void show_option(const struct option_row *row, FILE *out) {
    char head[64];
    int n = row->letter ? snprintf(head, sizeof head, "  -%c, --%s", row->letter, row->name)
                        : snprintf(head, sizeof head, "      --%s", row->name);
    if (row->argument) n += snprintf(head + n, sizeof head - (size_t)n, " %s", row->argument);
    assert((size_t)n < sizeof head);
    if (n < 27) fprintf(out, "%-28s", head);
    else fprintf(out, "%s\n%28s", head, "");
    wrap(row->help, 28, 28, out);
}

static void help_command(const struct command_row *c, FILE *out) {
    fprintf(out, "Usage: onager %s %s\n\n", c->name, c->arguments);
    wrap(c->summary, 0, 0, out);
    const char *group = NULL, *shown = NULL;
    for (const struct option_row *row = option_table; row->name; row++) {
        if (row->group) group = row->group;
        if (!(row->commands & c->command)) continue;
        if (group != shown) fprintf(out, "\n%s:\n", group);
        shown = group;
        show_option(row, out);
    }
    fprintf(out, "\nExit status:\n");
    for (const struct status_row *s = status_table; s->meaning; s++)
        wrap(s->meaning, 5, fprintf(out, "  %d  ", s->status), out);
}

void options_help(enum command about, FILE *out) {
    for (const struct command_row *c = command_table; c->name; c++)
        if (c->command == about) {
            help_command(c, out);
            return;
        }
    fprintf(out, "onager %s: checks models of concurrent systems\n\nUsage:\n", ONAGER_VERSION);
    for (const struct command_row *c = command_table; c->name; c++) {
        fprintf(out, "  onager %s %s\n          ", c->name, c->arguments);
        wrap(c->summary, 10, 10, out);
    }
    fprintf(out, "  onager COMMAND --help\n  onager --version\n  onager --completion bash, zsh or fish\n\n"
                 "First steps:  onager check examples/token_ring.c -p n=5\n");
}

/* ---- The manual page ---- */

static void roff(const char *text, FILE *out) {
    if (*text == '.' || *text == '\'') fputs("\\&", out); /* else it would be a request */
    for (; *text; text++)
        if (*text == '-') fputs("\\-", out);
        else if (*text == '\\') fputs("\\e", out);
        else fputc(*text, out);
}

static void man_options(unsigned command, FILE *out) {
    for (const struct option_row *row = option_table; row->name; row++) {
        if (!(row->commands & command)) continue;
        fputs(".TP\n", out);
        if (row->letter) fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
        fputs("\\fB\\-\\-", out);
        roff(row->name, out);
        fputs("\\fR", out);
        if (row->argument) fprintf(out, " \\fI%s\\fR", row->argument);
        fputc('\n', out);
        roff(row->help, out);
        fputs(".\n", out);
    }
}

void options_man(FILE *out) {
    fprintf(out, ".TH ONAGER 1 \"\" \"onager %s\" \"User Commands\"\n.SH NAME\n", ONAGER_VERSION);
    fputs("onager \\- checks models of concurrent systems\n.SH SYNOPSIS\n", out);
    for (const struct command_row *c = command_table; c->name; c++) {
        fprintf(out, ".B onager %s\n.I ", c->name);
        roff(c->arguments, out);
        fputs("\n.br\n", out);
    }
    fputs(".SH DESCRIPTION\n"
          "A model is a C file that declares the variables of a state and a function that fires transitions; or a file "
          "in ASSET's language (.asset, .model, .cc), or processes in FSP (.fsp, .lts). Onager "
          "compiles it, builds its state space, and answers whether a bad state can be reached, whether the system can "
          "stop where it must not, and whether it can lose the ability to make progress. Stubborn sets and symmetry "
          "keep the state space small. A violation is shown as an execution.\n"
          ".SH COMMANDS\n",
          out);
    for (const struct command_row *c = command_table; c->name; c++) {
        fprintf(out, ".SS onager %s\n", c->name);
        roff(c->summary, out);
        fputs(".\n", out);
        man_options(c->command, out);
    }
    fputs(".SH EXIT STATUS\n", out);
    for (const struct status_row *s = status_table; s->meaning; s++) {
        fprintf(out, ".TP\n\\fB%d\\fR\n", s->status);
        roff(s->meaning, out);
        fputc('\n', out);
    }
    fputs(".SH ENVIRONMENT\n"
          ".TP\n\\fBONAGER_CC\\fR\nthe C compiler for models\n"
          ".TP\n\\fBONAGER_CXX\\fR\ng++, for models in ASSET's language\n"
          ".TP\n\\fBONAGER_CFLAGS\\fR\nfurther flags for both, separated by spaces\n"
          ".TP\n\\fBONAGER_INCLUDE\\fR\nthe folder of onager.h\n"
          ".TP\n\\fBXDG_CACHE_HOME\\fR\ncompiled models are kept in its folder onager (default: ~/.cache)\n"
          ".TP\n\\fBTMPDIR\\fR\nthe folder for the file that holds the states in the order of their finding (default: "
          "/var/tmp)\n"
          ".TP\n\\fBNO_COLOR\\fR\nno colours on terminals\n"
          ".SH EXAMPLES\n.nf\n"
          "onager check examples/token_ring.c \\-p n=8 \\-\\-stubborn \\-\\-symmetry\n"
          "onager check examples/peterson.c \\-p n=2 \\-p variant=1\n"
          "onager audit examples/token_ring.c \\-p n=3\n"
          ".fi\n",
          out);
}
