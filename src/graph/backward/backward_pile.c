#include "graph/backward/backward_pile.h"

#include <assert.h>
#include <stdlib.h>

enum {
    KEEP_BYTES = 256 << 20, /* of all piles, in memory */
    FETCH_AHEAD = 64,       /* numbers */
};

void pile_init(struct pile *p, const struct space *s, unsigned share) {
    uint64_t used = memory_resident(), keep = s->limits.max_memory > used ? (s->limits.max_memory - used) / 4 : 0;
    p->wide = store_slots(&s->store) > UINT32_MAX;
    p->records = 0;
    trail_init_items(&p->file, p->wide ? 8 : 4, (keep < KEEP_BYTES ? keep : KEEP_BYTES) / share);
}

void pile_fini(struct pile *p) { trail_fini(&p->file); }

void pile_add(struct pile *p, uint64_t slot, const uint64_t *successors, uint32_t count) {
    const uint64_t head[] = {slot, count};
    p->records++;
    if (p->wide) {
        trail_add_run(&p->file, head, 2);
        trail_add_run(&p->file, successors, count);
        return;
    }
    uint32_t record[64] = {(uint32_t)slot, count};
    uint32_t n = 2;
    for (uint32_t i = 0; i < count; i++) {
        if (n == 64) trail_add_run(&p->file, record, n), n = 0;
        assert(slot <= UINT32_MAX && successors[i] <= UINT32_MAX);
        record[n++] = (uint32_t)successors[i];
    }
    trail_add_run(&p->file, record, n);
}

/* Reading a pile. */
struct reader {
    const struct pile *p;
    struct trail_cursor at;
    struct trail_spare spare;
    uint64_t *numbers; /* what was read last, widened */
    uint64_t room;
};

/* The next n numbers, or NULL. The marks of numbers a little further on, most of which are slots, are fetched. */
static const uint64_t *reader_next(struct reader *r, const struct bitmap *marks, uint64_t n) {
    const void *items = trail_next(&r->at, n, &r->spare);
    if (r->p->wide || !items) return items;
    const uint32_t *narrow = items;
    if (items != r->spare.memory && r->at.at + FETCH_AHEAD < r->at.end)
        for (uint64_t i = 0; i < n; i++) bitmap_prefetch(marks, narrow[FETCH_AHEAD + i]);
    if (n > r->room) r->numbers = memory_resize(r->numbers, (r->room = 2 * n) * sizeof *r->numbers);
    for (uint64_t i = 0; i < n; i++) r->numbers[i] = narrow[i];
    return r->numbers;
}

bool pile_each(struct pile *p, const struct bitmap *decided, pile_visit *visit, bool (*stop)(void *context),
               void *context) {
    struct reader r = {.p = p, .room = 64, .numbers = memory_get(64 * sizeof(uint64_t))};
    bool good = true;
    trail_cursor_init(&r.at, &p->file);
    for (uint64_t i = 0; good && i < p->records; i++) {
        const uint64_t *head = reader_next(&r, decided, 2);
        uint64_t slot = head ? head[0] : 0, count = head ? head[1] : 0;
        const uint64_t *next = head ? reader_next(&r, decided, count) : NULL;
        good = next != NULL;
        if (good && !bitmap_has(decided, slot)) visit(context, slot, next, (uint32_t)count);
        if (i % 256 == 0 && stop && stop(context)) break;
    }
    free(r.numbers);
    free(r.spare.memory);
    return good;
}
