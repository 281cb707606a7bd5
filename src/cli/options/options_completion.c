/* What shells complete: commands, options, and the words that an option takes. */
#include <string.h>

#include "base/text.h"
#include "cli/options/options_table.h"
#include "cli/options/options_value.h"

/* The beginning of a text, between single quotes of a shell, without the characters that mean something there. */
static void print_short(const char *text, const char *without, FILE *out) {
    for (; *text && *text != ';' && *text != '(' && !(*text == '.' && (!text[1] || text[1] == ' ')); text++) {
        if (*text == '\'') fputs("'\\''", out);
        else if (!strchr(without, *text) && !(*text == ' ' && text[1] == '(')) fputc(*text, out);
    }
}

static bool has(const struct option_row *row, const struct command_row *c) { return (row->commands & c->command) != 0; }

static void bash_words(const struct command_row *c, FILE *out) {
    for (const struct option_row *row = option_table; row->name; row++) {
        const char *words = option_words(row->kind);
        if (!has(row, c) || !row->argument) continue;
        fprintf(out, "    %s:--%s", c->name, row->name);
        if (row->letter) fprintf(out, "|%s:-%c", c->name, row->letter);
        if (words) fprintf(out, ") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", words);
        else fprintf(out, ") %sreturn ;;\n", row->kind == TAKES_TEXT ? "COMPREPLY=($(compgen -f -- \"$cur\")); " : "");
    }
}

static void bash(FILE *out) {
    fputs("# Completion of bash for onager: onager --completion bash\n_onager() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=\n"
          "    COMPREPLY=()\n    if ((COMP_CWORD == 1)); then\n        COMPREPLY=($(compgen -W '",
          out);
    for (const struct command_row *c = command_table; c->name; c++) fprintf(out, "%s ", c->name);
    fputs("help --help --version' -- \"$cur\"))\n        return\n    fi\n    case $command:$prev in\n", out);
    for (const struct command_row *c = command_table; c->name; c++) bash_words(c, out);
    fputs("    esac\n    [[ $cur == -* ]] || return\n    case $command in\n", out);
    for (const struct command_row *c = command_table; c->name; c++) {
        fprintf(out, "    %s) words='--help", c->name);
        for (const struct option_row *row = option_table; row->name; row++)
            if (has(row, c)) fprintf(out, " --%s", row->name);
        fputs("' ;;\n", out);
    }
    fputs("    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o default -F _onager onager\n",
          out);
}

static void zsh(FILE *out) {
    fputs("#compdef onager\n# Completion of zsh for onager: onager --completion zsh\nlocal -a commands\ncommands=(\n",
          out);
    for (const struct command_row *c = command_table; c->name; c++) {
        fprintf(out, "    '%s:", c->name);
        print_short(c->summary, ":[]\\", out);
        fputs("'\n", out);
    }
    fputs(")\nif ((CURRENT == 2)); then\n    _describe command commands\n    return\nfi\ncase $words[2] in\n", out);
    for (const struct command_row *c = command_table; c->name; c++) {
        fprintf(out, "%s) _arguments '--help[help]'", c->name);
        for (const struct option_row *row = option_table; row->name; row++) {
            if (!has(row, c)) continue;
            fprintf(out, " \\\n    '--%s[", row->name);
            print_short(row->help, ":[]\\", out);
            fputc(']', out);
            if (row->argument) fprintf(out, ":%s:", row->kind == TAKES_PARAMETER ? "NAME=VALUE" : "value");
            if (option_words(row->kind)) fprintf(out, "(%s)", option_words(row->kind));
            else if (row->kind == TAKES_TEXT) fputs("_files", out);
            fputc('\'', out);
        }
        fputs(" \\\n    '*:file:_files' ;;\n", out);
    }
    fputs("esac\n", out);
}

static void fish(FILE *out) {
    fputs("# Completion of fish for onager: onager --completion fish\n", out);
    for (const struct command_row *c = command_table; c->name; c++) {
        fprintf(out, "complete -c onager -n __fish_use_subcommand -a %s -d '", c->name);
        print_short(c->summary, "\\", out);
        fputs("'\n", out);
        for (const struct option_row *row = option_table; row->name; row++) {
            if (!has(row, c)) continue;
            fprintf(out, "complete -c onager -n '__fish_seen_subcommand_from %s' -l %s", c->name, row->name);
            if (row->letter) fprintf(out, " -s %c", row->letter);
            if (row->argument) fputs(row->kind == TAKES_TEXT ? " -r" : " -x", out);
            if (option_words(row->kind)) fprintf(out, " -a '%s'", option_words(row->kind));
            fputs(" -d '", out);
            print_short(row->help, "\\", out);
            fputs("'\n", out);
        }
    }
}

bool options_completion(const char *shell, FILE *out) {
    int which;
    if (!shell || !text_choice(shell, "bash zsh fish", &which)) return false;
    (which == 0 ? bash : which == 1 ? zsh : fish)(out);
    return true;
}
