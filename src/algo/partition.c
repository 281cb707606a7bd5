#include "algo/partition.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void partition_init(struct partition *p, uint32_t n, const uint32_t *class_of, uint32_t classes) {
    *p = (struct partition){.blocks = classes};
    p->element = memory_get_large((n + UINT64_C(1)) * sizeof *p->element);
    p->place = memory_get_large(n * sizeof *p->place);
    p->block = memory_get_large((n + UINT64_C(1)) * sizeof *p->block);
    memset(p->block, 0, classes * sizeof *p->block);
    for (uint32_t x = 0; x < n; x++) p->block[class_of[x]].end++;
    for (uint32_t c = 0, first = 0; c < classes; c++) {
        uint32_t size = p->block[c].end;
        assert(size > 0); /* each class occurs */
        p->block[c].first = p->block[c].end = first;
        first += size;
    }
    for (uint32_t x = 0; x < n; x++) {
        assert(class_of[x] < classes);
        struct partition_block *b = &p->block[class_of[x]];
        p->place[x] = (struct partition_place){b->end, class_of[x], 0};
        p->element[b->end++] = x;
    }
}

void partition_fini(struct partition *p) {
    free(p->element);
    free(p->place);
    free(p->block);
    *p = (struct partition){0};
}

uint32_t partition_split(struct partition *p, uint32_t b) {
    struct partition_block *old = &p->block[b], *fresh = &p->block[p->blocks];
    uint32_t marked = old->marked, border = old->first + marked;
    old->marked = 0;
    assert(border <= old->end);
    if (marked == 0 || border == old->end) return PARTITION_NONE;
    *fresh = *old;
    if (marked <= old->end - border) fresh->end = old->first = border;
    else fresh->first = old->end = border;
    assert(fresh->end - fresh->first <= old->end - old->first); /* what splitting costs */
    for (uint32_t i = fresh->first; i < fresh->end; i++) p->place[p->element[i]].block = p->blocks;
    return p->blocks++;
}

uint32_t *partition_numbers(const struct partition *p, uint32_t n) {
    uint32_t *number = memory_get_large(n * sizeof *number), next = 0;
    uint32_t *renamed = memory_get_large(p->blocks * sizeof *renamed);
    memset(renamed, 0xff, p->blocks * sizeof *renamed);
    for (uint32_t x = 0; x < n; x++) {
        uint32_t *name = &renamed[p->place[x].block];
        if (*name == PARTITION_NONE) *name = next++;
        number[x] = *name;
    }
    assert(next == p->blocks); /* no block is empty */
    free(renamed);
    return number;
}
