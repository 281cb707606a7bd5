#include "cli/options/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/suffix.h"
#include "base/team.h"
#include "base/text.h"
#include "cli/options/options_conflicts.h"
#include "cli/options/options_table.h"
#include "cli/options/options_value.h"

static bool unknown_option(const char *arg, enum command command, struct problem *why) {
    char *name = text_format("%.*s", (int)strcspn(arg + 2, "="), arg + 2);
    const char *near = option_nearest(name, command);
    problem_set(why, EXIT_BAD_INPUT, "onager %s has no option %s%s%s%s\nTry: onager %s --help", command_name(command),
                arg, near ? "; did you mean --" : "", near ? near : "", near ? "?" : "", command_name(command));
    free(name);
    return false;
}

/* What was given for each row of the table. */
struct given {
    bool there;
    const char *value;
};

static struct given *given_none(void) {
    size_t rows = 0;
    while (option_table[rows].name) rows++;
    return memory_get_zeroed((rows + 1) * sizeof(struct given));
}

/* Every option at most once, but for parameters, which are told apart by their names. */
static bool is_first(struct given *all, const struct option_row *row, const char *value, struct problem *why) {
    struct given *before = &all[row - option_table];
    if (!before->there || row->kind == TAKES_PARAMETER) return *before = (struct given){true, value}, true;
    if (!value) return problem_set(why, EXIT_BAD_INPUT, "--%s is given twice: leave one of them out", row->name);
    if (text_ends_with(row->argument, ",..."))
        return problem_set(why, EXIT_BAD_INPUT, "--%s is given twice: write one list, --%s %s,%s", row->name, row->name,
                           before->value, value);
    return problem_set(why, EXIT_BAD_INPUT, "--%s is given twice, as '%s' and as '%s': one at a time", row->name,
                       before->value, value);
}

/* One argument that begins with '-', and perhaps the next one. */
static bool parse_option(struct options *o, struct given *all, int argc, char **argv, int *i, struct problem *why) {
    char *arg = argv[*i], *value = NULL;
    const struct option_row *row;
    if (arg[1] == '-') {
        size_t length = strcspn(arg + 2, "=");
        row = option_find(arg + 2, length, o->command);
        if (arg[2 + length] == '=') value = arg + 3 + length;
    } else {
        row = option_find_letter(arg[1], o->command);
        if (row && arg[2]) value = arg + 2;
    }
    if (!row && arg[1] == '-') return unknown_option(arg, o->command, why);
    if (!row)
        return problem_set(why, EXIT_BAD_INPUT, "onager %s has no option %s\nTry: onager %s --help",
                           command_name(o->command), arg, command_name(o->command));
    if (!row->argument && value)
        return problem_set(why, EXIT_BAD_INPUT, "--%s takes no value, but was given '%s'", row->name, value);
    if (row->argument && !value) {
        if (*i + 1 >= argc)
            return problem_set(why, EXIT_BAD_INPUT, "--%s needs a value: --%s %s", row->name, row->name, row->argument);
        value = argv[++*i];
    }
    return is_first(all, row, value, why) && option_set(o, row, value, why);
}

static bool parse_command(struct options *o, const char *name, struct problem *why) {
    const struct command_row *row = command_find(name);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return o->command = COMMAND_HELP, true;
    if (strcmp(name, "--version") == 0) return o->command = COMMAND_VERSION, true;
    if (strcmp(name, "--completion") == 0) return o->command = COMMAND_COMPLETION, true;
    if (strcmp(name, "--man") == 0) return o->command = COMMAND_MAN, true;
    if (row) return o->command = row->command, true;
    const char *near = command_nearest(name);
    if (suffix_is_model(suffix_type(name).kind))
        return problem_set(why, EXIT_BAD_INPUT, "say what to do with it: onager check %s", name);
    return problem_set(why, EXIT_BAD_INPUT, "onager has no command '%s'%s%s%s\nTry: onager --help", name,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Where the JSON document goes is known before anything can be wrong with the other options. */
static void find_json(struct options *o, int argc, char **argv) {
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--json=-") == 0) o->json = "-";
        if (strcmp(argv[i], "--json") == 0 && i + 1 < argc) o->json = argv[i + 1];
    }
}

static bool wants_help(int argc, char **argv) {
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    return false;
}

static bool parse_arguments(struct options *o, struct given *all, int argc, char **argv, struct problem *why) {
    bool only_files = false;
    for (int i = 2; i < argc; i++) {
        if (!only_files && strcmp(argv[i], "--") == 0) {
            only_files = true;
        } else if (!only_files && argv[i][0] == '-' && argv[i][1]) {
            if (!parse_option(o, all, argc, argv, &i, why)) return false;
        } else if (!o->model) {
            o->model = argv[i];
        } else if (o->command == COMMAND_REPLAY && !o->trace) {
            o->trace = argv[i];
        } else if (o->command == COMMAND_VERIFY && !o->file) {
            o->file = argv[i];
        } else if (o->command == COMMAND_COMPARE && !o->second) {
            o->second = argv[i];
        } else {
            return problem_set(why, EXIT_BAD_INPUT, "one %s at a time: '%s' was given after '%s'",
                               o->command & COMMANDS_OF_LTSS ? "LTS" : "model", argv[i], o->model);
        }
    }
    return true;
}

bool options_parse(struct options *o, int argc, char **argv, struct problem *why) {
    *o = (struct options){.endless = 5, .outside = 100000, .eq = RELATIONS, .preorder = RELATIONS, .max_drawn = 60};
    if (argc < 2) return o->command = COMMAND_HELP, true;
    if (!parse_command(o, argv[1], why)) return false;
    if (o->command >= COMMAND_HELP) {
        const struct command_row *about = argc > 2 ? command_find(argv[2]) : NULL;
        if (about) o->about = about->command;
        if (o->command != COMMAND_COMPLETION) return true;
        o->model = argc > 2 ? argv[2] : NULL;
        if (o->model && text_choice(o->model, "bash zsh fish", &o->form)) return true;
        return problem_set(why, EXIT_BAD_INPUT, "onager --completion SHELL: SHELL is bash, zsh or fish");
    }
    if (wants_help(argc, argv)) {
        o->about = o->command;
        o->command = COMMAND_HELP;
        return true;
    }
    o->relabelling = memory_get_zeroed(sizeof *o->relabelling);
    o->tau_met = memory_get_zeroed(sizeof *o->tau_met);
    o->mcrl2_kept = memory_get_zeroed(sizeof *o->mcrl2_kept);
    find_json(o, argc, argv);
    struct given *all = given_none();
    bool understood = parse_arguments(o, all, argc, argv, why);
    free(all);
    if (!understood) return find_json(o, argc, argv), false; /* it says so there, too */
    o->began = clock_seconds();
    o->threads_given = o->threads > 0;
    if (!o->threads_given) o->threads = team_cores() < MOST_THREADS ? team_cores() : MOST_THREADS;
    bool good = relabelling_read(o->relabelling, o->hide, o->show, o->rename, why) && options_agree(o, why);
    if (!o->seed) o->seed = 1;
    return good;
}

void options_fini(struct options *o) {
    if (o->relabelling) relabelling_fini(o->relabelling);
    if (o->tau_met) tau_met_fini(o->tau_met);
    if (o->mcrl2_kept) mcrl2_kept_fini(o->mcrl2_kept);
    free(o->relabelling);
    free(o->tau_met);
    free(o->mcrl2_kept);
    free(o->parameters);
}
