/* mcrl2_print.h: multi-actions of mCRL2, with their data, as text in its language.
 *
 *     put(1, [true, false])|tick       two actions at once
 *     put({1, 2}) @ 3 / 2              with a time
 *     tau                              none
 *
 * The actions of a multi-action are in alphabetical order, since their order means nothing. What is known of data:
 * numbers, as binary digits or as machine words; lists, sets and bags; constructors and mappings; operators, with
 * parentheses where their strength asks for them; quantifiers, lambda, comprehensions and where clauses. Everything
 * else is written as an application of its symbol.
 */
#ifndef LTS_MCRL2_MCRL2_PRINT_H
#define LTS_MCRL2_MCRL2_PRINT_H

#include "lts/mcrl2/aterm.h"

enum { MCRL2_LONGEST = 1 << 16 }; /* characters */

/* Is it the time of a multi-action that has none? */
bool mcrl2_is_untimed(const struct aterms *t, uint32_t time);

/* To be freed; NULL: it would be longer than MCRL2_LONGEST, or is nested too deeply, or is no multi-action: *wrong says
 * which. */
char *mcrl2_multi_action(const struct aterms *t, uint32_t actions, uint32_t time, const char **wrong);

#endif
