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
 * A state that differs from the previous one in one word needs only the path from that word to the root: each thread
 * has a view, which remembers the last state that went through it.
 *
 * parts_key may be called by several threads at a time, with different views. There must be room: parts_reserve, which
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
    word *state;     /* the last one */
    uint32_t *nodes; /* its numbers */
    bool *changed;
    bool valid;
};

bool parts_init(struct parts *p, uint32_t words, struct budget *budget);
void parts_fini(struct parts *p);
uint64_t parts_bytes(const struct parts *p);

/* Makes room for so many more states. False: no memory. */
bool parts_reserve(struct parts *p, uint64_t states);

void parts_view_init(struct parts_view *v, uint32_t words);
void parts_view_fini(struct parts_view *v);

/* The key of a state; its parts get numbers if they have none. */
uint64_t parts_key(struct parts *p, struct parts_view *v, const word *state);
/* The same, but false if a part has no number: the state was never seen. */
bool parts_find(const struct parts *p, struct parts_view *v, const word *state, uint64_t *key);
/* The state of a key. */
void parts_state(const struct parts *p, struct parts_view *v, uint64_t key, word *state);

#endif
