/* natural.h: natural numbers of any size, in a number of 64-bit limbs that is fixed beforehand, lowest limb first. */
#ifndef ALGO_NATURAL_H
#define ALGO_NATURAL_H

#include <stdbool.h>
#include <stdint.h>

/* a += b. The sum must have room. */
void natural_add(uint64_t *a, const uint64_t *b, uint32_t limbs);

/* As decimal text. To be freed. */
char *natural_text(const uint64_t *a, uint32_t limbs);

/* The number itself, or UINT64_MAX if it is larger. */
uint64_t natural_small(const uint64_t *a, uint32_t limbs);

#endif
