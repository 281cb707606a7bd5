/* mcrl2_parts.h: what the files that print data of mCRL2 share. */
#ifndef LTS_MCRL2_MCRL2_PARTS_H
#define LTS_MCRL2_MCRL2_PARTS_H

#include "lts/mcrl2/aterm.h"
#include "lts/mcrl2/mcrl2_print.h"

enum { MCRL2_DEEPEST = 5000 };

struct printer {
    const struct aterms *terms;
    char *text;
    size_t used, room;
    unsigned depth, steps;
    const char *wrong; /* NULL: nothing yet */
};

void mcrl2_put(struct printer *p, const char *text);
void mcrl2_expression(struct printer *p, uint32_t e);
void mcrl2_operand_text(struct printer *p, uint32_t e, bool parentheses);
void mcrl2_list(struct printer *p, uint32_t list); /* the elements, with commas between them */

/* Questions about expressions. */
bool mcrl2_is_symbol(const struct aterms *t, uint32_t e); /* of a constructor or mapping */
bool mcrl2_is_variable(const struct aterms *t, uint32_t e);
const char *mcrl2_symbol_name(const struct aterms *t, uint32_t e);          /* "": it is none */
const char *mcrl2_head(const struct aterms *t, uint32_t e, uint32_t count); /* what is applied to so many; or "" */
bool mcrl2_applies(const struct aterms *t, uint32_t e, const char *name, uint32_t count);
uint32_t mcrl2_operand(const struct aterms *t, uint32_t e, uint32_t i); /* of an application */
bool mcrl2_is_enumeration(const struct aterms *t, uint32_t e);          /* a list, set or bag of known elements */
bool mcrl2_weaker(const struct aterms *t, uint32_t e, int strength);    /* than an operator of this strength */

/* False: it is something else, and nothing is printed. */
bool mcrl2_print_number(struct printer *p, uint32_t e);
bool mcrl2_print_enumeration(struct printer *p, uint32_t e);
bool mcrl2_print_scope(struct printer *p, uint32_t e); /* what has variables of its own */
bool mcrl2_print_comprehension(struct printer *p, uint32_t e);

#endif
