/* bitstate.h: a set of states that is too big to be kept: only bits are (supertrace; Holzmann 1987).
 *
 * A state is known by a 64-bit hash. It sets `hashes` bits; a state whose bits are all set is taken for known. So a
 * known state is never called new, but a new one may be taken for known: it is omitted, and what can be reached only
 * through it stays unseen. Nothing that was found with this set proves that there is nothing else.
 *
 * All bits of a state are in one cache line of 512:
 *
 *     hash:          high bits, scaled to the number of lines -> the line
 *     mixed again:   9 bits for each of its bits in the line
 *
 * A line is one miss and one address translation, where bits all over memory are as many as there are bits. Measured
 * with 512 MiB, 3 bits a state and lines fetched ahead: 21 ns a state in one line, 87 ns all over; 22 and 142 ns with 6
 * bits. The price is that lines fill unevenly. With r states a line on average and 3 bits a state, the chance that a
 * new state is omitted is about 1 + 3/r + 1/r^2 times what it were with bits all over: 1.1 times at 16 bits of memory a
 * state, 1.4 times at 64, 2 times at 170. At 64 bits a state, 1 of 26000 was omitted instead of 1 of 41000.
 *
 * How many were omitted is estimated from how full the lines are: a line with s bits set omits a new state with chance
 * (s / 512)^hashes, for its bits are drawn independently. The mean of that over all lines, p, is kept up to date;
 * between one state that was found to be new and the next, p / (1 - p) were omitted on average. That is right for this
 * layout, whatever the fill, as long as hashes of different states are independent; what was omitted after the last new
 * state is not in it.
 */
#ifndef STORE_BITSTATE_H
#define STORE_BITSTATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "ts/ts.h"

enum { BITSTATE_LINE_BITS = 512, BITSTATE_MAX_HASHES = 8, BITSTATE_HASHES = 3 /* a good number */ };

struct bitstate {
    struct region region;
    uint64_t lines;
    unsigned hashes;
    uint64_t states; /* that were new */
    double chances;  /* the sum over all lines of the chance to omit a new state there */
    double omitted;
    double chance[BITSTATE_LINE_BITS + 1]; /* by the number of bits that are set in a line */
    pthread_mutex_t lock;                  /* for what tallies bring */
};

/* What one thread has added to a shared set and not yet reported. It must be all 0 at first. */
struct bitstate_tally {
    uint32_t states;
    double chances;
};

uint64_t bitstate_hash(const word *state, uint32_t words);

/* Of any number of bytes: they are rounded down to lines, but there is at least one. `hashes`: 1 to 8, 0 means
 * BITSTATE_HASHES. False: no memory. */
bool bitstate_init(struct bitstate *b, uint64_t bytes, unsigned hashes);
void bitstate_fini(struct bitstate *b);

void bitstate_prefetch(const struct bitstate *b, uint64_t hash);
bool bitstate_has(const struct bitstate *b, uint64_t hash); /* may overlap with bitstate_add_shared */

/* True: it was new. */
bool bitstate_add(struct bitstate *b, uint64_t hash);

/* The same for several threads at once, each with a tally of its own. If several threads add the same new state at the
 * same time, one or more of them are told that it was new, never none. */
bool bitstate_add_shared(struct bitstate *b, struct bitstate_tally *tally, uint64_t hash);
void bitstate_report(struct bitstate *b, struct bitstate_tally *tally); /* before the numbers are asked for */

/* The expected number of states that were taken for known though they were new; and the share of the states added, in
 * different ones, that was not omitted. */
double bitstate_omitted(const struct bitstate *b);
double bitstate_coverage(const struct bitstate *b);

#endif
