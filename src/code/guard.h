/* guard.h: runs model code so that a crash or an endless loop in it becomes an answer.
 *
 *     if (GUARD_ENTER(g)) { ...model code...; guard_leave(g); }
 *     else { ...it crashed or did not come back: guard_reason(g)... }
 *
 * Signals that a crash raises, and a timer that counts processor time, lead back to GUARD_ENTER, which then yields
 * false. What the model code had locked or allocated stays so: after that, only describe what happened and end. A
 * loop is called endless when `progress`, which running code must keep changing, has not changed for the time limit. If
 * there is an effort, code is also ended soon after that is called off, as if it did not come back.
 *
 * This is the one part of the library that has state of the process and of the thread: signals are such. Several
 * threads may be in guards of their own at the same time. A crash raises its signal in the thread that crashed, and the
 * timer counts the processor time of one thread and signals to that thread alone, so that what happens is blamed on the
 * right guard. A thread may have several guards and be in one of them at a time. A guard is used, and ended, by the
 * thread that made it.
 */
#ifndef CODE_GUARD_H
#define CODE_GUARD_H

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct effort;

/* Sees the signal of a crash first, in its handler, as sigaction(2) describes: the machine is an ucontext_t. True: it
 * was expected, and the code goes on as the machine now says. */
typedef bool guard_look(void *looker, int signal, const siginfo_t *info, void *machine);

struct guard {
    sigjmp_buf escape;
    volatile int signal;                  /* that ended it; 0: none */
    const void *volatile address;         /* that it could not access; NULL: it ended otherwise, or that is not known */
    const void *volatile instruction;     /* that a crash came from; NULL: not known */
    uint64_t beat;                        /* guarded calls so far */
    const volatile uint32_t *progress[2]; /* what running code changes, or NULL */
    uint64_t seen_beat;                   /* the watch's memory: what it saw, and how many ticks ago it changed */
    uint32_t seen_progress[2];
    unsigned still_ticks;
    const struct effort *effort; /* or NULL */
    guard_look *look;            /* or NULL */
    void *looker;                /* its first argument */
};

/* Prepares the calling thread. `endless` is the time limit in seconds; of several guards of a thread, the last decides.
 * The signal handlers that the process had are back when the last guard of all threads has ended. */
void guard_init(struct guard *g, double endless);
void guard_fini(struct guard *g);

#define GUARD_ENTER(g) (sigsetjmp((g)->escape, 0) == 0 ? guard_enter(g) : false)
bool guard_enter(struct guard *g); /* returns true */
void guard_leave(struct guard *g);

bool guard_timed_out(const struct guard *g);
const char *guard_reason(const struct guard *g); /* "memory access violation (SIGSEGV)", ... */

#endif
