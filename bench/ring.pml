/* The demand-driven token ring of examples/token_ring.c for Spin: spin -Dn=9 -a ring.pml (n = 3, ..., 10)
 *
 * One process, whose loop offers the steps; guard and assignments of a step become one transition of Spin's. Variables
 * of a few bits each, which Spin packs into a state vector of 20 bytes, took less memory than arrays of bytes and were
 * not slower; n processes were clearly slower, and so were d_step instead of atomic, a bit for each place where the
 * token may be, and one option for each kind of step. As many states as onager finds, and n+1 transitions more (Spin
 * counts the initial state as one, and the timeouts in the n terminal states).
 */
#include "around.h"

/* Customers C0, C1, ... */
#define idle 0
#define requested 1
#define critical 2
#define terminated 3
/* Servers S0, S1, ... */
#define resting 0
#define waiting_for_token 1
#define waiting_for_customer 2

#define VARIABLES(previous, i, next) unsigned C##i : 2; unsigned S##i : 2;
AROUND(VARIABLES)
unsigned token : 4 = 1; /* which server has it */

#define OUTSIDE(previous, i, next) && C##i != critical
#define TERMINATED(previous, i, next) && C##i == terminated
inline assert_nobody_inside() { assert(true AROUND(OUTSIDE)) }

/* A customer asks or leaves; it terminates. A server wishes for the token, lets its customer in, or passes the token
 * on: unneeded, or after its customer has left. */
#define STEPS(previous, i, next) \
    :: atomic { C##i == idle || C##i == critical -> C##i = (C##i == idle -> requested : idle) } \
    :: atomic { C##i == idle -> C##i = terminated } \
    :: atomic { S##i == resting && (C##i == requested || S##next == waiting_for_token && token != next) -> \
                S##i = waiting_for_token } \
    :: d_step { S##i == waiting_for_token && token == i && C##i == requested -> \
                assert_nobody_inside(); \
                C##i = critical; S##i = waiting_for_customer } \
    :: atomic { S##i == waiting_for_token && token == i && C##i != requested && S##next == waiting_for_token || \
                S##i == waiting_for_customer && C##i != critical -> \
                S##i = resting; token = next }

active proctype all() {
end:
    do
    AROUND(STEPS)
    :: d_step { timeout -> assert(true AROUND(TERMINATED)) }
    od
}
