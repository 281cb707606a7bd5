/* parts.h: tree compression: long states as pairs of numbers of their parts.
 *
 * A state of several words is the leaves of a binary tree. Every word, and every pair of parts, that occurs anywhere
 * gets a number when it is first seen; a state is then the pair of numbers at the root, its key. States of concurrent
 * systems have most of their parts in common with others, so there are few parts beside many states.
 *
 *            key            nodes[1] is the root; the children of nodes[i] are nodes[2i] and nodes[2i+1];
 *          /     \          the words are nodes[words], nodes[words+1], ...
 *       part     part
 *      /    \   /    \
 *   word word  word word
 *
 * States come in batches, most of whose parts are those of the state before: each thread has a view, which remembers
 * the last state that went through it. What is left is looked up node by node, for many states at a time, so that the
 * cache misses overlap.
 *
 * parts_keys may be called by several threads at a time, with different views. There must be room: parts_reserve, which
 * must not overlap with anything, makes it.
 */
#ifndef STORE_PARTS_H
#define STORE_PARTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "ts/ts.h"

enum { PARTS_BITS = 31, PARTS_KEY_BITS = 2 * PARTS_BITS };
#define PARTS_NONE UINT64_MAX /* no key */

struct parts {
    uint32_t words; /* of a state */
    struct budget *budget;
    struct region contents; /* uint64_t by number: a word, or two numbers */
    struct region index;    /* uint32_t: numbers, by hash; 0: empty */
    uint64_t index_size;
    _Atomic uint64_t count; /* numbers given, 0 included, which is nobody's */
};

struct parts_view {
    uint32_t words;
    /* The last state that went from its key to words, and the numbers of its parts. */
    word *state;
    uint32_t *nodes;
    bool *changed;
    bool valid;
    /* Of the last state that went from words to its key: what each node was, and its number, or 0. */
    uint64_t *last_contents;
    uint32_t *last_numbers;
    uint32_t *numbers; /* of all nodes of the states at hand */
};

bool parts_init(struct parts *p, uint32_t words, struct budget *budget);
void parts_fini(struct parts *p);
uint64_t parts_bytes(const struct parts *p);

/* Makes room for so many more states. False: no memory. */
bool parts_reserve(struct parts *p, uint64_t states);
uint64_t parts_room(const struct parts *p); /* states that there is room for */

void parts_view_init(struct parts_view *v, uint32_t words);
void parts_view_fini(struct parts_view *v);

/* The keys of n states; their parts get numbers if they have none. */
void parts_keys(struct parts *p, struct parts_view *v, const word *states, uint32_t n, uint64_t *keys);
/* The same, but PARTS_NONE if a part has no number: the state was never seen. */
void parts_find(const struct parts *p, struct parts_view *v, const word *states, uint32_t n, uint64_t *keys);
/* The state of a key. */
void parts_state(const struct parts *p, struct parts_view *v, uint64_t key, word *state);

#endif
