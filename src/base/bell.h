/* bell.h: a number that threads wait for to change: each a short while awake, then asleep.
 *
 * Who changes the number rings afterwards. If nobody sleeps, that costs a look. A thread that has to wait for longer
 * leaves its processor to others: on a busy machine, the one that it waits for may need just that.
 *
 * The number is changed, and looked at, with the operations of <stdatomic.h>; what was written before a change is seen
 * after bell_wait has come back, if the change released it. No ring is lost: both sides modify `sleepers`, and either
 * who rings comes later, and sees the sleeper, or the sleeper does, and sees the change.
 */
#ifndef BASE_BELL_H
#define BASE_BELL_H

#include <stdatomic.h>
#include <stdbool.h>

struct bell {
    _Alignas(64) atomic_uint value;
    atomic_uint sleepers;
};

enum { BELL_SPINS = 1000 }; /* some tens of microseconds: longer than most waits, if all have processors */

/* After a change. */
void bell_ring(struct bell *b);

/* Waits until it is no longer `value`, and returns what it is. *slept: seconds asleep are added, unless it is NULL. */
unsigned bell_wait(struct bell *b, unsigned value, double *slept);

/* The same, without the short while awake, and for so many microseconds at most: for who has more to look at. */
void bell_nap(struct bell *b, unsigned value, unsigned microseconds, double *slept);

/* In a loop that looks at something else. */
static inline void bell_pause(void) {
#if defined __x86_64__
    __builtin_ia32_pause();
#endif
}

#endif
