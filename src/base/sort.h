/* sort.h: sorting numbers. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdint.h>

/* Ascending; in time proportional to the count. */
void sort_numbers(uint64_t *list, uint64_t count);

/* The same, each once; how many are left. */
uint64_t sort_numbers_once(uint64_t *list, uint64_t count);

#endif
