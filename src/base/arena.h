/* arena.h: many small things that are freed together, such as a syntax tree.
 *
 * What an arena gives is zeroed, aligned for anything, and stays where it is until arena_fini.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_block *blocks; /* the newest first */
    size_t used;                /* bytes of the newest */
    size_t total;               /* bytes of all, to hold against a limit */
};

void arena_init(struct arena *a);
void arena_fini(struct arena *a);
void *arena_get(struct arena *a, size_t bytes);
char *arena_copy(struct arena *a, const char *text, size_t length); /* with a 0 at its end */

/* Frees everything that was got after the mark. */
struct arena_mark {
    struct arena_block *block;
    size_t used;
};
struct arena_mark arena_mark(const struct arena *a);
void arena_release(struct arena *a, struct arena_mark m);

#endif
