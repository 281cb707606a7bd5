/* names.h: texts that get numbers 0, 1, 2, ..., each text one number, in order of first appearance. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stdint.h>

enum { NAMES_NONE = UINT32_MAX };

struct names {
    char **text;
    uint32_t count, room;
    uint32_t *table; /* open addressing: a number + 1, or 0; `mask` + 1 places */
    uint32_t mask;
};

void names_init(struct names *n);
void names_fini(struct names *n);
uint32_t names_add(struct names *n, const char *text);        /* its number, a new one if need be */
uint32_t names_add_new(struct names *n, const char *text);    /* with as many ' after it as make it a new one */
uint32_t names_find(const struct names *n, const char *text); /* or NAMES_NONE */
void names_copy(struct names *to, const struct names *from);  /* `to` is not initialised before */

#endif
