#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FEW = 24, DIGIT = 8, VALUES = 1 << DIGIT };

static void insert(uint64_t *list, uint64_t count) {
    for (uint64_t i = 1; i < count; i++) {
        uint64_t x = list[i], j = i;
        for (; j > 0 && list[j - 1] > x; j--) list[j] = list[j - 1];
        list[j] = x;
    }
}

/* By one digit; false: all have the same one, and nothing was moved. */
static bool by_digit(const uint64_t *from, uint64_t *to, uint64_t count, unsigned shift) {
    uint64_t place[VALUES] = {0};
    for (uint64_t i = 0; i < count; i++) place[from[i] >> shift & (VALUES - 1)]++;
    if (place[from[0] >> shift & (VALUES - 1)] == count) return false;
    for (uint64_t v = 0, begin = 0; v < VALUES; v++) {
        uint64_t size = place[v];
        place[v] = begin;
        begin += size;
    }
    for (uint64_t i = 0; i < count; i++) to[place[from[i] >> shift & (VALUES - 1)]++] = from[i];
    return true;
}

void sort_numbers(uint64_t *list, uint64_t count) {
    if (count <= FEW) {
        insert(list, count);
        return;
    }
    uint64_t *spare = memory_get(count * sizeof *spare), *from = list, *to = spare, differ = 0;
    for (uint64_t i = 1; i < count; i++) differ |= list[i] ^ list[0];
    for (unsigned shift = 0; shift < 64; shift += DIGIT) {
        if (!(differ >> shift & (VALUES - 1)) || !by_digit(from, to, count, shift)) continue;
        uint64_t *was = from;
        from = to;
        to = was;
    }
    if (from != list) memcpy(list, from, count * sizeof *list);
    free(spare);
}

uint64_t sort_numbers_once(uint64_t *list, uint64_t count) {
    uint64_t kept = 0;
    sort_numbers(list, count);
    for (uint64_t i = 0; i < count; i++)
        if (kept == 0 || list[kept - 1] != list[i]) list[kept++] = list[i];
    return kept;
}
