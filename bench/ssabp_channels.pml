/* The protocol of examples/ssabp.c with fifo=1 (resend, stop, deliver and fault 0) for Spin as one would first write
 * it, with its processes and channels: spin -o2 -Dc=90 -a ssabp_channels.pml
 *
 * COLLAPSE stores the contents of each channel once, so this is where it pays; without it, ssabp.pml is faster and
 * smaller. The states and transitions are those of ssabp.pml.
 */
/* data: 1 + 2 * item + bit, flush: 5 + bit; acknowledgement: 1 + bit */
chan data = [c] of { byte };
chan ack = [c] of { byte };

active proctype sender() {
    bit item, own;
no_link:
    if
    :: item = 0
    :: item = 1
    fi;
    data!5 + own;
wait_flush:
    if
    :: ack?eval(2 - own) -> goto wait_flush
    :: d_step { ack?eval(1 + own); own = !own }
    :: item = 0 -> goto no_link
    fi;
put_data:
    atomic { data!1 + 2 * item + own; item = 0 }
wait_data:
    if
    :: ack?eval(2 - own) -> goto wait_data
    :: d_step { ack?eval(1 + own); own = !own; item = 0 }
    :: item = 0 -> goto no_link
    fi;
    skip; /* ok */
    if
    :: item = 0
    :: item = 1
    fi;
    goto put_data
}

active proctype receiver() {
    bit item, expected;
    do
    ::  if
        :: d_step { data?eval(1 + expected); item = 0 } item = 0
        :: d_step { data?eval(3 + expected); item = 1 } item = 0
        :: d_step { data?eval(2 - expected); expected = !expected }
        :: d_step { data?eval(4 - expected); expected = !expected }
        :: d_step { data?5; expected = 0 }
        :: d_step { data?6; expected = 1 }
        fi;
        d_step { ack!1 + expected; expected = !expected }
    od
}

active proctype loser() {
    do
    :: data?_
    :: ack?_
    od
}
