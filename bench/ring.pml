/* The demand-driven token ring of examples/token_ring.c for Spin. n (2 to 10) is given by `spin -Dn=9 -a ring.pml`.
 *
 * One process, whose loop offers each transition as one indivisible step, so that Spin's states and transitions are
 * those of onager: as many states, and n+1 transitions more (Spin counts the initial state as one, and the timeouts
 * in the n terminal states). Variables of a few bits each, which Spin packs into a state vector of 20 bytes,
 * took less memory than arrays of bytes and were not slower; n processes were clearly slower.
 */
#ifndef n
#define n 9
#endif

/* RING(f): f(0, 1) f(1, 2) ... f(n-1, 0) */
#define PATH_1(f) f(0, 1)
#define PATH_2(f) PATH_1(f) f(1, 2)
#define PATH_3(f) PATH_2(f) f(2, 3)
#define PATH_4(f) PATH_3(f) f(3, 4)
#define PATH_5(f) PATH_4(f) f(4, 5)
#define PATH_6(f) PATH_5(f) f(5, 6)
#define PATH_7(f) PATH_6(f) f(6, 7)
#define PATH_8(f) PATH_7(f) f(7, 8)
#define PATH_9(f) PATH_8(f) f(8, 9)
#define RING_2(f) PATH_1(f) f(1, 0)
#define RING_3(f) PATH_2(f) f(2, 0)
#define RING_4(f) PATH_3(f) f(3, 0)
#define RING_5(f) PATH_4(f) f(4, 0)
#define RING_6(f) PATH_5(f) f(5, 0)
#define RING_7(f) PATH_6(f) f(6, 0)
#define RING_8(f) PATH_7(f) f(7, 0)
#define RING_9(f) PATH_8(f) f(8, 0)
#define RING_10(f) PATH_9(f) f(9, 0)
#define RING(f) RING_OF(n, f)
#define RING_OF(length, f) PASTE(RING_, length)(f)
#define PASTE(a, b) a##b

/* Customers C0, C1, ... */
#define idle 0
#define requested 1
#define critical 2
#define terminated 3
/* Servers S0, S1, ... */
#define resting 0
#define waiting_for_token 1
#define waiting_for_customer 2
/* T0, T1, ...: which server has the token; at first it is number 1. */

#define VARIABLES(i, next) unsigned C##i : 2; unsigned S##i : 2; bit T##i = (i == 1);
RING(VARIABLES)

#define OUTSIDE(i, next) && C##i != critical
#define TERMINATED(i, next) && C##i == terminated
inline assert_nobody_inside() { assert(true RING(OUTSIDE)) }
#define PASS_TOKEN(i, next) S##i = resting; T##i = 0; T##next = 1

#define TRANSITIONS(i, next) \
    :: d_step { C##i == idle -> C##i = requested } \
    :: d_step { C##i == critical -> C##i = idle } \
    :: d_step { C##i == idle -> C##i = terminated } \
    :: d_step { S##i == resting && (C##i == requested || S##next == waiting_for_token && !T##next) -> \
                S##i = waiting_for_token } \
    :: d_step { S##i == waiting_for_token && T##i && C##i == requested -> \
                assert_nobody_inside(); \
                C##i = critical; S##i = waiting_for_customer } \
    :: d_step { S##i == waiting_for_token && T##i && C##i != requested && S##next == waiting_for_token -> \
                PASS_TOKEN(i, next) } \
    :: d_step { S##i == waiting_for_customer && C##i != critical -> PASS_TOKEN(i, next) }

init {
end:
    do
    RING(TRANSITIONS)
    :: d_step { timeout -> assert(true RING(TERMINATED)) }
    od
}
