/* facts.h: what is known about the transitions of a model, and how surely.
 *
 * A fact speaks of bits of packed states: which ones a transition depends on, which ones it may change. It has one of
 * three certainties, and each has a type of its own. No function turns one type into another, so that what was merely
 * seen cannot be taken for what is proved; a query names the certainty that it needs by the type of its argument.
 *
 *     struct facts_seen     True of all that was executed so far. It grows while a search goes on. Enough for arguments
 *                           about states that were expanded already: tables of successors, sleep sets.
 *     declared              The model says so, and may be wrong; audits look for the opposite. These facts are calls of
 *                           the model: ops->obligations, ops->may_change and ops->observable of ts.h.
 *     struct facts_proved   True of every state, reached or not: derived from the model itself. Does not change once it
 *                           is made. Stubborn sets need this or what is declared, since they speak of states that were
 *                           never executed.
 *
 * Who fills them: model/c notes what the observer of transitions sees (model/c/trial.h). A network is known completely,
 * and proves (ops->prove).
 */
#ifndef TS_FACTS_H
#define TS_FACTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ts/ts.h"

/* ---- Seen ---- */

enum { FACTS_FLIPS = 8 }; /* that are told apart */

/* What a transition was seen to do. States have one word. */
struct footprint_seen {
    word uses;               /* bits that it was seen to depend on, or to store */
    word changes;            /* bits that it was seen to flip */
    word flips[FACTS_FLIPS]; /* which of them together; */
    uint32_t count;          /* ... so many; more than FACTS_FLIPS: not all are known */
};

/* One for all threads. */
struct facts_seen {
    pthread_mutex_t lock;     /* held while `of` is written, and while others read it */
    _Atomic uint32_t version; /* grows with what is known */
    uint32_t transitions;
    struct footprint_seen of[];
};

struct facts_seen *facts_seen_new(uint32_t transitions);
void facts_seen_free(struct facts_seen *f); /* may be NULL */

/* Transition t has used these bits, and flipped these. To be called before a successor is made of that. Returns all
 * bits that it has been seen to use, by any thread. */
word facts_note(struct facts_seen *f, uint32_t t, word uses, word flip);

/* Has neither changed what the other has used? Where both were seen to do what they do in a state, they commute
 * there. */
static inline bool seen_independent(const struct footprint_seen *a, const struct footprint_seen *b) {
    return !(a->uses & b->changes) && !(a->changes & b->uses);
}

/* May both have led from a state to the same other one? */
bool seen_alike(const struct footprint_seen *a, const struct footprint_seen *b);

/* ---- Proved ---- */

/* What a transition can do in any state. Vectors of `words` words. */
struct footprint_proved {
    const word *reads;  /* all states that agree on these bits agree on whether it is enabled, and on what it stores */
    const word *writes; /* it changes no others */
};

struct facts_proved {
    uint32_t transitions, words;
    struct footprint_proved *of;
    word *memory; /* of all footprints */
};

/* Nothing is read, and nothing written, until `reads` and `writes` are filled in by proved_reads and proved_writes. */
struct facts_proved *facts_proved_new(uint32_t transitions, uint32_t words);
void facts_proved_free(struct facts_proved *f); /* may be NULL */
word *proved_reads(struct facts_proved *f, uint32_t t);
word *proved_writes(struct facts_proved *f, uint32_t t);

/* Do they commute wherever both are enabled, and can neither enable nor disable the other? */
bool proved_independent(const struct facts_proved *f, uint32_t t, uint32_t u);

/* For checked builds and tests: t leads from s to `to`. False: the facts exclude it. */
bool facts_agree(const struct facts_proved *f, uint32_t t, const word *s, const word *to);

#endif
