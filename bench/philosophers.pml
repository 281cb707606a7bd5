/* The dining philosophers of examples/philosophers.c with lefty=1, for Spin: spin -Dn=15 -a philosophers.pml
 *
 * One process, whose loop offers the one step of each philosopher; guard and assignment become one transition of
 * Spin's. With four options a philosopher, or with n processes and forks, it took almost twice as long. As many states
 * as onager finds, and one transition more, because Spin counts the initial state as one.
 */
#include "around.h"

/* A0, A1, ...: 0 thinks, 1 has the first fork, 2 has both, 3 has the second one still. Number 0 is left-handed. */
#define VARIABLE(left, i, right) unsigned A##i : 2;
AROUND(VARIABLE)

#define HAS_LEFT(i) (A##i == 2 || A##i == (i == 0 -> 3 : 1))
#define HAS_RIGHT(i) (A##i == 2 || A##i == (i == 0 -> 1 : 3))
#define FIRST_IS_FREE(left, i, right) (i == 0 -> !HAS_LEFT(right) : !HAS_RIGHT(left))
#define SECOND_IS_FREE(left, i, right) (i == 0 -> !HAS_RIGHT(left) : !HAS_LEFT(right))

#define STEP(left, i, right) \
    :: atomic { A##i >= 2 || \
                A##i == 0 && FIRST_IS_FREE(left, i, right) || A##i == 1 && SECOND_IS_FREE(left, i, right) -> \
                A##i = (A##i + 1) & 3 }

active proctype all() {
    do
    AROUND(STEP)
    od
}
