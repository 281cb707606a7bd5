/* label_list.h: labels in a list on the command line: a,b(1,2),"c, d". */
#ifndef LTS_LABEL_LIST_H
#define LTS_LABEL_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"

/* The length of the first item of a list: up to a comma that is neither inside brackets nor inside quotes. */
size_t label_list_item(const char *list);

/* The items, without blanks around them, each to be freed, and so is the array; a list that is empty has none. Quotes
 * stay. */
char **label_list_split(const char *list, size_t *count);
char *label_trimmed(const char *text); /* without the blanks around it, to be freed */
void label_list_free(char **items, size_t count);

/* Drops the quotes around a text, if there are any. */
void label_unquote(const char **text, size_t *length);
char *label_unquoted(const char *text); /* a copy without them, to be freed */

/* Adds tau, as number 0 of `labels`, which is empty before, and the labels of the list, without quotes. */
void label_list_add(const char *list, struct names *labels);

/* Does the label match the pattern, in which * stands for anything? */
bool label_matches(const char *pattern, const char *label);

#endif
