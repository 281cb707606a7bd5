/* The protocol of examples/ssabp.c (resend, stop, deliver and fault 0) for Spin: one process, whose loop offers steps.
 *
 *     spin -o2 -Dc=8 -a ssabp.pml            cells: c = 2, ..., 8
 *     spin -o2 -Dc=90 -DFIFO -a ssabp.pml    queues: c = 1, ..., 90
 *
 * -o2: else Spin leaves out of the state what is never read, such as the item that the receiver delivers. As many
 * states as onager finds, and one transition more, because Spin counts the initial state as one.
 *
 * Cells are variables of 2 and 3 bits, which Spin packs; atomic steps, whose guard and assignments become one
 * transition, were faster than d_step, and bytes slower. A queue is a row of words with 10 data messages or 15
 * acknowledgements each: this was faster and smaller than Spin's channels (ssabp_channels.pml), but for COLLAPSE.
 */
#define no_link 0
#define put_flush 1
#define wait_flush 2
#define put_data 3
#define wait_data 4
#define say_ok 5
#define link_ok 6
unsigned S : 3; bit S_item; bit S_bit;
#define take 0
#define deliver 1
#define acknowledge 2
unsigned R : 2; bit R_item; bit R_bit;

/* What is in a place: 0 nothing; data: 1 + 2 * item + bit, flush: 5 + bit; acknowledgement: 1 + bit. */
#define DATA (1 + 2 * S_item + S_bit)
#define FLUSH (5 + S_bit)
#define ACK (1 + R_bit)

#ifdef FIFO
#define step d_step
#define MOVES
#define data_words ((c + 9) / 10)
#define ack_words ((c + 14) / 15)
byte data_count; int data[data_words];
byte ack_count; int ack[ack_words];
#define data_full (data_count == c)
#define ack_full (ack_count == c)
#define data_first (data[0] & 7)
#define ack_first (ack[0] & 3)

inline send_data(m) { data[data_count / 10] = data[data_count / 10] | m << data_count % 10 * 3; data_count++ }
inline send_ack(m) { ack[ack_count / 15] = ack[ack_count / 15] | m << ack_count % 15 * 2; ack_count++ }

/* All messages of a queue move on by one place. A loop was slower. */
#define SHIFT_DATA(i) data[i] = data[i] >> 3 | (data[i + 1] & 7) << 27;
#define SHIFT_ACK(i) ack[i] = ack[i] >> 2 | (ack[i + 1] & 3) << 28;
inline take_data() {
#if data_words > 1
    SHIFT_DATA(0)
#endif
#if data_words > 2
    SHIFT_DATA(1)
#endif
#if data_words > 3
    SHIFT_DATA(2)
#endif
#if data_words > 4
    SHIFT_DATA(3)
#endif
#if data_words > 5
    SHIFT_DATA(4)
#endif
#if data_words > 6
    SHIFT_DATA(5)
#endif
#if data_words > 7
    SHIFT_DATA(6)
#endif
#if data_words > 8
    SHIFT_DATA(7)
#endif
    data[data_words - 1] = data[data_words - 1] >> 3; data_count--
}
inline take_ack() {
#if ack_words > 1
    SHIFT_ACK(0)
#endif
#if ack_words > 2
    SHIFT_ACK(1)
#endif
#if ack_words > 3
    SHIFT_ACK(2)
#endif
#if ack_words > 4
    SHIFT_ACK(3)
#endif
#if ack_words > 5
    SHIFT_ACK(4)
#endif
    ack[ack_words - 1] = ack[ack_words - 1] >> 2; ack_count--
}

#else /* cells D0, D1, ... and A0, A1, ...; messages enter at the last one */
#define step atomic
/* CELLS(f): f(0, 1) f(1, 2) ... */
#define CELLS_2(f) f(0, 1)
#define CELLS_3(f) CELLS_2(f) f(1, 2)
#define CELLS_4(f) CELLS_3(f) f(2, 3)
#define CELLS_5(f) CELLS_4(f) f(3, 4)
#define CELLS_6(f) CELLS_5(f) f(4, 5)
#define CELLS_7(f) CELLS_6(f) f(5, 6)
#define CELLS_8(f) CELLS_7(f) f(6, 7)
#define LAST_2(name) name##1
#define LAST_3(name) name##2
#define LAST_4(name) name##3
#define LAST_5(name) name##4
#define LAST_6(name) name##5
#define LAST_7(name) name##6
#define LAST_8(name) name##7
#define PASTE(a, b) a##b
#define WITH_SIZE(name, size) PASTE(name, size)
#define CELLS WITH_SIZE(CELLS_, c)
#define LAST WITH_SIZE(LAST_, c)

#define VARIABLES(i, next) unsigned D##next : 3; unsigned A##next : 2;
unsigned D0 : 3; unsigned A0 : 2;
CELLS(VARIABLES)
#define data_full LAST(D)
#define ack_full LAST(A)
#define data_first D0
#define ack_first A0
/* Not inline, which Spin does not merge into the step. */
#define send_data(m) LAST(D) = m
#define send_ack(m) LAST(A) = m
#define take_data() D0 = 0
#define take_ack() A0 = 0
#define MOVE(i, next) \
    :: atomic { D##next && !D##i -> D##i = D##next; D##next = 0 } \
    :: atomic { A##next && !A##i -> A##i = A##next; A##next = 0 }
#define MOVES CELLS(MOVE)
#endif

#define may_send (S == no_link || S == link_ok)
#define waits (S == wait_flush || S == wait_data)
#define is_expected (data_first == 1 + R_bit || data_first == 3 + R_bit)

active proctype all() {
    do
    :: atomic { may_send -> S_item = 0; S = (S == no_link -> put_flush : put_data) }
    :: atomic { may_send -> S_item = 1; S = (S == no_link -> put_flush : put_data) }
    :: step { S == put_flush && !data_full -> send_data(FLUSH); S = wait_flush }
    :: step { S == put_data && !data_full -> send_data(DATA); S_item = 0; S = wait_data }
    :: step { waits && ack_first == 2 - S_bit -> take_ack() }
    :: step { S == wait_flush && ack_first == 1 + S_bit -> take_ack(); S_bit = !S_bit; S = put_data }
    :: step { S == wait_data && ack_first == 1 + S_bit -> take_ack(); S_bit = !S_bit; S_item = 0; S = say_ok }
    :: atomic { S == say_ok -> S = link_ok }
    :: atomic { waits -> S_item = 0; S = no_link }
    :: step { R == take && is_expected -> R_item = (data_first > 2); take_data(); R = deliver }
    :: step { R == take && data_first && !is_expected -> R_bit = !(data_first & 1); take_data(); R = acknowledge }
    :: atomic { R == deliver -> R_item = 0; R = acknowledge }
    :: step { R == acknowledge && !ack_full -> send_ack(ACK); R_bit = !R_bit; R = take }
    :: step { data_first -> take_data() }
    :: step { ack_first -> take_ack() }
    MOVES
    od
}
