#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { BLOCK = 16384 };

struct arena_block {
    struct arena_block *next;
    size_t room;
    alignas(max_align_t) char bytes[];
};

void arena_init(struct arena *a) { *a = (struct arena){0}; }

struct arena_mark arena_mark(const struct arena *a) {
    return (struct arena_mark){a->blocks, a->used};
}

void arena_release(struct arena *a, struct arena_mark m) {
    while (a->blocks != m.block) {
        assert(a->blocks); /* the mark is of this arena, and not yet released */
        struct arena_block *next = a->blocks->next;
        a->total -= a->blocks->room;
        free(a->blocks);
        a->blocks = next;
    }
    a->used = m.used;
}

void arena_fini(struct arena *a) { arena_release(a, (struct arena_mark){0}); }

static void add_block(struct arena *a, size_t room) {
    struct arena_block *b = memory_get(sizeof *b + room);
    b->next = a->blocks;
    b->room = room;
    a->blocks = b;
    a->used = 0;
    a->total += room;
}

void *arena_get(struct arena *a, size_t bytes) {
    bytes = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (!a->blocks || a->blocks->room - a->used < bytes) add_block(a, bytes > BLOCK ? bytes : BLOCK);
    char *got = a->blocks->bytes + a->used;
    a->used += bytes;
    assert(a->used <= a->blocks->room && (size_t)got % alignof(max_align_t) == 0);
    return memset(got, 0, bytes);
}

char *arena_copy(struct arena *a, const char *text, size_t length) {
    char *copy = arena_get(a, length + 1);
    memcpy(copy, text, length);
    return copy;
}
