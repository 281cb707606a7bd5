/* Leader election of Dolev, Klawe and Rodeh for Spin, step by step as leader.c: spin -o3 -DN=7 -a leader.pml (-o3 keeps
 * each statement a step of its own). As many states as onager finds, and one transition more: the initial state. */
#ifndef N
#define N 5
#endif
#define ROOM (2 * N)

mtype = { one, two, winner };
chan ring[N] = [ROOM] of { mtype, byte };
byte leaders = 0;

proctype participant(chan from, next; byte own) {
    bit strong = 1, knows = 0;
    byte nr, maximum = own, neighbour;

    printf("%d\n", own);
    next!one(own);
    do
    :: from?one(nr) ->
        if
        :: strong ->
            if
            :: nr != maximum -> next!two(nr); neighbour = nr
            :: else -> assert(nr == N); knows = 1; next!winner(nr)
            fi
        :: else -> next!one(nr)
        fi
    :: from?two(nr) ->
        if
        :: strong ->
            if
            :: neighbour > nr && neighbour > maximum -> maximum = neighbour; next!one(neighbour)
            :: else -> strong = 0
            fi
        :: else -> next!two(nr)
        fi
    :: from?winner(nr) ->
        if
        :: nr != own -> printf("lost\n")
        :: else -> printf("leader\n"); leaders++; assert(leaders == 1)
        fi;
        if
        :: knows
        :: else -> next!winner(nr)
        fi;
        break
    od
}

init {
    byte i;
    atomic {
        i = 1;
        do
        :: i <= N -> run participant(ring[i - 1], ring[i % N], (N + 3 - i) % N + 1); i++
        :: else -> break
        od
    }
}
