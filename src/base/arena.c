#include "base/arena.h"

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

void arena_fini(struct arena *a) {
    while (a->blocks) {
        struct arena_block *next = a->blocks->next;
        free(a->blocks);
        a->blocks = next;
    }
    arena_init(a);
}

static void add_block(struct arena *a, size_t room) {
    struct arena_block *b = memory_get_zeroed(sizeof *b + room);
    b->next = a->blocks;
    b->room = room;
    a->blocks = b;
    a->used = 0;
    a->total += room;
}

void *arena_get(struct arena *a, size_t bytes) {
    bytes = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (!a->blocks || a->blocks->room - a->used < bytes) add_block(a, bytes > BLOCK ? bytes : BLOCK);
    a->used += bytes;
    return a->blocks->bytes + a->used - bytes;
}

char *arena_copy(struct arena *a, const char *text, size_t length) {
    char *copy = arena_get(a, length + 1);
    memcpy(copy, text, length);
    return copy;
}
