/* options_value.h: what an option is followed by: understood, and put into its member of struct options. */
#ifndef CLI_OPTIONS_OPTIONS_VALUE_H
#define CLI_OPTIONS_OPTIONS_VALUE_H

#include "cli/options/options_table.h"

/* `text` is NULL if, and only if, the option takes no value; else it must last as long as the options, which keep
 * pointers into it, and may be changed (-p NAME=VALUE is cut in two). False: `why` says what it must be. */
bool option_set(struct options *o, const struct option_row *row, char *text, struct problem *why);

/* The words that options of a kind take, with spaces between; NULL: they take something else. */
const char *option_words(enum option_kind kind);

#endif
