/* generate.h: a random C model whose transitions read and store their state in all the ways that C has.
 *
 * The state is a random declaration of at most 63 bits. Each transition is a function of its own. Some do nothing but
 * name members, through the macros USE and PUT: with -p log=1, these note in the exported variable `reads_log` which
 * variables were used, numbered in the order of their declaration, elements of arrays one by one; and some of these
 * do it through pointers to volatile, so that no compiler may leave a read out. The others copy, compare and cast.
 *
 * Nothing depends on what is undefined in C: all that is between the members is left alone, or 0.
 */
#ifndef READS_GENERATE_H
#define READS_GENERATE_H

#include <stdint.h>
#include <stdio.h>

enum { FUNCTIONS = 48 };

enum way {
    WAY_EXACT,  /* members, through volatile: what is noted must be what is logged */
    WAY_MEMBER, /* members; a compiler may read one more, or one less */
    WAY_ANY,
};

/* What the t-th function of each model is. */
enum way generate_way(uint32_t t);

void generate(uint64_t seed, FILE *out);

#endif
