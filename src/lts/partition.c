#include "lts/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void partition_init(struct partition *p, uint32_t n, const uint8_t *class_of, uint32_t classes) {
    size_t bytes = (n + UINT64_C(1)) * sizeof(uint32_t);
    *p = (struct partition){.blocks = classes};
    p->element = memory_get(bytes);
    p->place = memory_get(bytes);
    p->block = memory_get(bytes);
    p->first = memory_get(bytes);
    p->end = memory_get(bytes);
    p->marked = memory_get(bytes);
    uint32_t filled = 0;
    for (uint32_t c = 0; c < classes; c++) {
        p->first[c] = filled;
        for (uint32_t x = 0; x < n; x++)
            if (class_of[x] == c) {
                p->block[x] = c;
                p->place[x] = filled;
                p->element[filled++] = x;
            }
        p->end[c] = filled;
        p->marked[c] = 0;
    }
}

void partition_fini(struct partition *p) {
    free(p->element);
    free(p->place);
    free(p->block);
    free(p->first);
    free(p->end);
    free(p->marked);
    *p = (struct partition){0};
}

uint32_t partition_split(struct partition *p, uint32_t b) {
    uint32_t border = p->first[b] + p->marked[b], marked = p->marked[b];
    p->marked[b] = 0;
    if (marked == 0 || border == p->end[b]) return PARTITION_NONE;
    uint32_t fresh = p->blocks++;
    if (marked <= p->end[b] - border) {
        p->first[fresh] = p->first[b];
        p->end[fresh] = p->first[b] = border;
    } else {
        p->end[fresh] = p->end[b];
        p->first[fresh] = p->end[b] = border;
    }
    p->marked[fresh] = 0;
    for (uint32_t i = p->first[fresh]; i < p->end[fresh]; i++) p->block[p->element[i]] = fresh;
    return fresh;
}

uint32_t *partition_numbers(const struct partition *p, uint32_t n) {
    uint32_t *number = memory_get(n * sizeof *number), *renamed = memory_get(p->blocks * sizeof *renamed), next = 0;
    memset(renamed, 0xff, p->blocks * sizeof *renamed);
    for (uint32_t x = 0; x < n; x++) {
        uint32_t *name = &renamed[p->block[x]];
        if (*name == PARTITION_NONE) *name = next++;
        number[x] = *name;
    }
    free(renamed);
    return number;
}
