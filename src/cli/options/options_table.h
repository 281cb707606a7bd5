/* options_table.h: commands, options and exit statuses as data. What is written here, and nothing else, is understood
 * by the parser and told by --help and the manual page.
 *
 * Each table ends with a row of zeros. An option whose meaning depends on the command has several rows with the same
 * name, and no two of them for the same command. What a row cannot say, because it is about several options, is in
 * options_conflicts.h.
 */
#ifndef CLI_OPTIONS_OPTIONS_TABLE_H
#define CLI_OPTIONS_OPTIONS_TABLE_H

#include <stddef.h>

#include "cli/options/options.h"

/* The commands that read an LTS, which may be made of a model. */
enum { COMMANDS_OF_LTSS = COMMAND_MINIMIZE | COMMAND_DRAW | COMMAND_COMPARE | COMMAND_INFO | COMMAND_TESTER };

extern const struct command_row {
    enum command command;
    const char *name, *arguments, *summary;
} command_table[];

/* What an option is followed by, and so what its member of struct options is. */
enum option_kind {
    TAKES_NOTHING,   /* bool */
    TAKES_NUMBER,    /* uint64_t, positive */
    TAKES_SIZE,      /* uint64_t, bytes */
    TAKES_SECONDS,   /* double */
    TAKES_TEXT,      /* const char *: where something is */
    TAKES_ONE_TEXT,  /* const char *: a name or a formula */
    TAKES_PARAMETER, /* adds to `parameters` */
    TAKES_RELATION,  /* int, enum lts_relation */
    /* One of several words: int. options_value.c has them. */
    TAKES_TABLES,
    TAKES_RULES,
    TAKES_REDUCE,
    TAKES_SCAN,
    TAKES_STORE,
    TAKES_OVERFLOW,
    TAKES_ORDER,
    TAKES_ENGINE,
    TAKES_PRESERVE,
    TAKES_METHOD,
    TAKES_TARGET,
    TAKES_FORM,
    TAKES_ALGORITHM,
    TAKES_FAVOUR,
    TAKES_FORMAT,
    TAKES_WRITTEN_FORMAT,
};

extern const struct option_row {
    const char *group; /* heads a new group */
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: none */
    enum option_kind kind;
    size_t offset;     /* of its member in struct options */
    unsigned commands; /* that know it, ored together */
    const char *help;
} option_table[];

/* Those of option_table that are about properties (prop/list.h). */
extern const struct property_option {
    enum property_use use;
    enum property property;
    const char *name;
    size_t offset;
} property_options[];

bool property_option_given(const struct property_option *row, const struct options *o);

extern const struct status_row {
    int status;
    const char *meaning;
} status_table[];

/* NULL: there is none. `name` of an option is without dashes, and ends after `length` characters. */
const struct command_row *command_find(const char *name);
const struct option_row *option_find(const char *name, size_t length, enum command command);
const struct option_row *option_find_letter(char letter, enum command command);

const char *command_name(enum command command);

/* The name that a mistyped one was probably meant to be, or NULL. */
const char *command_nearest(const char *typo);
const char *option_nearest(const char *typo, enum command command);

#endif
