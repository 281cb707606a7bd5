/* refuse.h: what may be refused is refused, at a chosen occasion: an interruption, memory, reading the file of states.
 *
 * The linker puts these functions in the place of the library's (--wrap, see WRAPPED in the Makefile), so nothing is
 * built into the program for it. Who gives up must say so: the test that uses this runs everything that answers a
 * question, and refuses each occasion in turn.
 */
#ifndef UNIT_REFUSE_H
#define UNIT_REFUSE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum refusal {
    REFUSE_LOOK,        /* the look at the stop flag finds it set, and all later ones */
    REFUSE_MEMORY,      /* a region, or room for one, that once */
    REFUSE_SOME_MEMORY, /* that time and some times after it: others take memory for a while */
    REFUSE_MORE_MEMORY, /* from then on */
    REFUSE_READ,        /* the file of states cannot be read, that once */
    REFUSE_READS,       /* from then on */
    REFUSALS
};

/* From now on: occasion number `at` of this kind is refused, counted from 1; 0: none, they are counted only. */
void refuse_start(enum refusal kind, uint64_t at);
uint64_t refuse_occasions(void); /* since then */
void refuse_stop(void);
void refuse_pause(bool pause); /* nothing is counted or refused meanwhile */

extern volatile sig_atomic_t refuse_flag; /* for struct limits */

/* For what a test refuses itself: counts an occasion; true: refuse it. */
bool refuse_this(enum refusal kind);

#endif
