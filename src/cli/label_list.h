/* label_list.h: labels as the command line lists them: "a,b[1,2],\"c,d\"". */
#ifndef CLI_LABEL_LIST_H
#define CLI_LABEL_LIST_H

#include "base/names.h"

/* Adds tau, as number 0 of `labels`, which is empty before, and the labels of the list; commas inside brackets or
 * quotes do not separate. */
void label_list_split(const char *list, struct names *labels);

#endif
