/* moves.h: random transitions on states of one word, of which it is known what they depend on.
 *
 * A transition looks at some bits; then it is disabled, or stores, or looks at some more before it decides. States have
 * the mark, bit 0, which no transition uses.
 */
#ifndef UNIT_MOVES_H
#define UNIT_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "ts/ts.h"

struct moves {
    uint32_t count;
    bool forward; /* the order of firing: see struct reduction */
    struct move {
        word first, second, stores; /* bits that it looks at, perhaps looks at, and stores */
        uint64_t salt;
        int twin; /* if it is enabled, it does what this one does; -1: there is none */
    } * at;
    uint32_t asked, lie_at; /* the question that is answered wrongly, counted from 1; 0: none is */
};

struct moves_chance {
    uint32_t bits;                 /* of a state, without the mark */
    uint32_t least, most;          /* transitions */
    uint32_t looks;                /* bits that a transition looks at first, at most; two or more */
    uint32_t small;                /* chance in percent that they are two at most */
    uint32_t second;               /* ... that it may look at others, too */
    uint32_t elsewhere;            /* ... that it stores where it does not look */
    uint32_t twins;                /* ... that it has a twin */
    uint32_t (*below)(uint32_t n); /* the random numbers of the test: 0 to n - 1 */
};

void moves_random(struct moves *m, const struct moves_chance *chance);
void moves_fini(struct moves *m);

/* The successors of a state, in the order of firing, and their transitions. Returns how many there are. */
uint32_t moves_expand(const struct moves *m, word source, word *successors, uint32_t *labels);

/* The answers that tables.h asks for; `context` is a struct moves. */
int moves_ask(void *context, word source, uint32_t t, word *successor, word *uses);

#endif
