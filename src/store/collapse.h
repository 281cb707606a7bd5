/* collapse.h: long states as short keys: the numbers of their components, side by side.
 *
 * The bits of a state are divided among components, such as a process with its queue. What a component is in some
 * state gets a number when it is first seen, from its dictionary; the key of a state is these numbers. States of
 * concurrent systems have few different components, so that keys are short, and dictionaries stay in the caches.
 *
 *     state  | x | queue of x   y | queue of y |      words, of which a component has the bits in its masks
 *     key    | 17 | 3 |                               a number for each component
 *
 * A dictionary has room for as many numbers as its part of the key can hold. When it is full it gets one more bit, at
 * the high end of the key: so keys never change. collapse_widen sees to that, and must not overlap with anything;
 * all else may overlap, with different views.
 *
 * A state that differs little from one whose key is known is given its key by looking up what differs.
 */
#ifndef STORE_COLLAPSE_H
#define STORE_COLLAPSE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "ts/ts.h"

enum {
    COLLAPSE_MOST = 62,  /* components, and bits of a key */
    COLLAPSE_WIDTH = 22, /* bits of a number at most */
    COLLAPSE_PIECES = 24 /* in which a number stands in the key */
};
#define COLLAPSE_NONE UINT64_MAX /* no key */

/* How bits are divided: masks[k * words ...] are those of component k. Every bit but the mark is in one of them. */
struct grouping {
    uint32_t words, count;
    uint64_t *masks;
    uint32_t *values; /* of each component: how many different ones are expected at first */
};
void grouping_fini(struct grouping *g);

struct dictionary {
    uint32_t length; /* words of a state that it has bits in; */
    uint32_t *at;    /* ... which these are, */
    uint64_t *masks; /* ... and the bits */
    uint64_t in_key; /* its bits in the key */
    uint32_t width;  /* how many these are */
    uint32_t piece_count;
    struct collapse_piece {
        uint8_t shift, from, bits; /* bits [from, from + bits) of the number are at `shift` of the key */
    } pieces[COLLAPSE_PIECES];
    uint32_t count;          /* numbers given */
    uint64_t *contents;      /* by number: `length` words */
    uint64_t *placed;        /* by number: the number where it is in the key */
    _Atomic uint32_t *index; /* numbers plus one, by hash; 0: empty */
};

struct collapse {
    uint32_t words, count;
    struct dictionary *all;
    uint32_t *begins; /* of each word: its first entry in `touched`; one more at the end */
    struct collapse_touched {
        uint64_t mask;
        uint32_t component;
    } * touched;
    uint32_t bits; /* of a key, so far */
    struct budget *budget;
    uint64_t bytes;
    pthread_mutex_t lock; /* who gives a number */
};

/* What one thread needs: the last state that went from its key to words. */
struct collapse_view {
    word *state; /* NULL: none yet */
    uint64_t key;
};

/* False: no memory, or keys would be too long. */
bool collapse_init(struct collapse *c, const struct grouping *g, struct budget *budget);
void collapse_fini(struct collapse *c);
uint64_t collapse_entries(const struct collapse *c); /* of all dictionaries */

void collapse_view_fini(struct collapse_view *v);

/* The keys of n states. False: a dictionary is full, and not all have keys. */
bool collapse_keys(struct collapse *c, const word *states, uint32_t n, uint64_t *keys);
/* The same of the successors of n sources whose keys are known; those of source i end before ends[i]. */
bool collapse_keys_from(struct collapse *c, const word *sources, const uint64_t *source_keys, const uint32_t *ends,
                        uint32_t n, const word *states, uint64_t *keys);
/* The same, but nothing gets a number: COLLAPSE_NONE, the state was never seen. */
void collapse_find(const struct collapse *c, const word *states, uint32_t n, uint64_t *keys);
/* The state of a key. */
void collapse_state(const struct collapse *c, struct collapse_view *v, uint64_t key, word *state);

/* More room in dictionaries that are nearly full. False: no memory, or keys would be too long. */
bool collapse_widen(struct collapse *c);

#endif
