/* Peterson's algorithm of examples/peterson.c with variant=2, for Spin: spin -Dn=4 -a peterson.pml (n = 3 or 4)
 *
 * One process, whose loop offers the one step of each customer, and termination. This was faster and smaller than n
 * processes, and than one option for each kind of step. As many states as onager finds; for each terminal state one
 * transition more (the timeout, which checks it), and one for the initial state, which Spin counts.
 */
#define idle 0
#define at_gate 1
#define write_Q 2
#define write_T 3
#define test_turn 4
#define next_k 5
#define test_Q 6
#define critical 7
#define terminated 8

/* Customer i is at location Si, at gate ji, and looks at customer ki. Variables rather than arrays: they are packed. */
#define VARIABLES(i) unsigned S##i : 4; unsigned j##i : 2; unsigned k##i : 3; unsigned Q##i : 2;
#if n == 3
#define ALL(f) f(0) f(1) f(2)
#define T_AT(j) (j == 0 -> T0 : T1)
#define Q_OF(k) (k == 0 -> Q0 : (k == 1 -> Q1 : Q2))
unsigned T0 : 2; unsigned T1 : 2;
#else
#define ALL(f) f(0) f(1) f(2) f(3)
#define T_AT(j) (j == 0 -> T0 : (j == 1 -> T1 : T2))
#define Q_OF(k) (k == 0 -> Q0 : (k == 1 -> Q1 : (k == 2 -> Q2 : Q3)))
unsigned T0 : 2; unsigned T1 : 2; unsigned T2 : 2;
#endif
ALL(VARIABLES)

#define OUTSIDE(i) && S##i != critical
#define TERMINATED(i) && S##i == terminated
inline assert_nobody_inside() { assert(true ALL(OUTSIDE)) }

inline set_T(j, i) {
    if
    :: j == 0 -> T0 = i
    :: j == 1 -> T1 = i
#if n > 3
    :: j == 2 -> T2 = i
#endif
    fi
}

#define STEPS(i) \
    :: atomic { S##i == idle -> S##i = terminated } \
    :: d_step { \
        S##i != terminated -> \
        if \
        :: S##i == idle -> j##i = 0; S##i = at_gate \
        :: S##i == at_gate -> \
            if \
            :: j##i < n - 1 -> S##i = write_Q \
            :: else -> assert_nobody_inside(); S##i = critical \
            fi \
        :: S##i == write_Q -> Q##i = j##i + 1; S##i = write_T \
        :: S##i == write_T -> set_T(j##i, i); S##i = test_turn \
        :: S##i == test_turn -> \
            if \
            :: T_AT(j##i) != i -> j##i = j##i + 1; S##i = at_gate \
            :: else -> k##i = 0; S##i = next_k \
            fi \
        :: S##i == next_k -> \
            if \
            :: k##i < n -> S##i = test_Q \
            :: else -> j##i = j##i + 1; S##i = at_gate \
            fi \
        :: S##i == test_Q -> \
            if \
            :: k##i != i && Q_OF(k##i) > j##i -> S##i = test_turn \
            :: else -> k##i = k##i + 1; S##i = next_k \
            fi \
        :: S##i == critical -> Q##i = 0; S##i = idle \
        fi \
    }

active proctype all() {
end:
    do
    ALL(STEPS)
    :: d_step { timeout -> assert(true ALL(TERMINATED)) }
    od
}
