/* ssabp.c: self-synchronizing alternating bit protocol.
 *
 * A sender gets items (N or Y) from its user with `sen` and answers each with `ok` (it has been delivered) or `err`
 * (nobody knows). A receiver delivers items to its user with `rec`. Between them is a channel for data and one for
 * acknowledgements; both may lose messages. Each message carries a bit that tells a repetition from something new.
 * After an `err`, the sender does not know which bit the receiver expects. It then sends a flush message first, which
 * the receiver acknowledges but does not deliver.
 * (A. Valmari, W. Vogler: Fair Testing and Stubborn Sets, Sections 3 and 10, Tables 1 and 2.)
 *
 *     -p c=4         how many messages fit into each of the two channels
 *     -p fifo=0      0: a channel is a row of c cells; a message moves on when the next cell is empty
 *                    1: a channel is a queue; what is put into it is at its end at once
 *     -p resend=0    1: a message that is not acknowledged in time is sent once more before the sender gives up
 *     -p stop=0      1: when it has no item, the sender may stop for good
 *     -p deliver=0   1: remember what was sent and what is due, and check what the protocol must do:
 *                       - what is delivered was sent, and is delivered once
 *                       - what was answered with ok has been delivered
 *                       - the protocol never loses the ability to reply with ok (may progress; if it does not stop)
 *                       - each sen is answered (must progress; with stop=1: nothing ends without an answer)
 *     -p fault=0     1: no flush message after err
 *
 * Checked in any case: the protocol does not get stuck. A state is printed as sender (what it does, item, bit), data
 * channel (. empty; n, y data and f flush with bit 0; N, Y, F with bit 1), receiver, acknowledgement channel, and with
 * deliver=1 what is due.
 *
 * What the users see can be tested by the processes of ssabp.fsp (doc/LTL-CHECKING.md):
 *
 * $ onager check ssabp.c -p c=3 --tester ssabp.fsp:ANSWERED
 *   holds
 * $ onager check ssabp.c -p c=3 --tester ssabp.fsp:ANSWERED --stubborn
 *   holds
 * $ onager check ssabp.c -p c=2 -p fault=1 --tester ssabp.fsp:TRUTHFUL
 *   violated tester: Illegal trace
 * $ onager check ssabp.c -p c=2 -p fault=1 --tester ssabp.fsp:TRUTHFUL --stubborn
 *   violated tester: Illegal trace
 *
 * The published numbers belong to stop=0:
 *
 * $ onager check ssabp.c
 *   holds, 44000 states, 188710 edges
 * $ onager check ssabp.c --stubborn
 *   holds, 5360 states, 7354 edges
 * $ onager check ssabp.c --stubborn -p resend=1
 *   holds, 9736 states, 13156 edges
 * $ onager check ssabp.c -p c=1
 *   holds, 380 states, 1068 edges
 * $ onager check ssabp.c -p c=1 --stubborn
 *   holds, 312 states, 594 edges
 * $ onager check ssabp.c -p c=3 -p resend=1
 *   holds, 17318 states, 64414 edges
 * $ onager check ssabp.c -p c=10 -p fifo=1
 *   holds, 42680 states, 183912 edges
 * $ onager check ssabp.c -p c=10 -p fifo=1 --stubborn
 *   holds, 15628 states, 27652 edges
 * $ onager check ssabp.c -p c=10 -p fifo=1 -p resend=1 --stubborn
 *   holds, 25772 states, 45358 edges
 *
 * With stop=1, it can always come to an end, so that stubborn sets may be trusted with more than deadlocks:
 *
 * $ onager check ssabp.c -p stop=1 --stubborn --termination
 *   holds, 6104 states, 8360 edges
 * $ onager check ssabp.c -p c=10 -p fifo=1 -p stop=1 --termination
 *   holds, 51128 states, 216300 edges
 *
 * Delivery, on all states, and with stubborn sets (which, in a model that never ends, prove nothing):
 *
 * $ onager check ssabp.c -p c=3 -p deliver=1
 *   holds, 16848 states, 62834 edges
 * $ onager check ssabp.c -p c=3 -p deliver=1 -p resend=1
 *   holds, 30246 states, 111106 edges
 * $ onager check ssabp.c -p fifo=1 -p deliver=1
 *   holds, 7937 states, 30830 edges
 * $ onager check ssabp.c -p deliver=1 -p stop=1 --stubborn
 *   holds, 10817 states, 14611 edges
 * $ onager check ssabp.c -p deliver=1 -p stop=1 -p resend=1 --stubborn
 *   holds, 21265 states, 29117 edges
 * $ onager check ssabp.c -p c=2 -p deliver=1 --no-must-progress --stubborn
 *   violated termination, 1937 states, 3086 edges
 * Each sen is answered, as a formula, which stubborn sets preserve whether anything ends or not:
 *
 * $ onager check ssabp.c --ltl G(busy->F(!busy))
 *   holds, 44001 states, 188711 edges
 * $ onager check ssabp.c --ltl G(busy->F(!busy)) --stubborn
 *   holds, 12015 states, 17725 edges
 * $ onager check ssabp.c -p c=10 -p fifo=1 --ltl G(busy->F(!busy)) --stubborn
 *   holds
 * $ onager check ssabp.c --ltl (!confirms)W(delivers) --stubborn
 *   holds
 * $ onager audit ssabp.c -p c=2 -p deliver=1
 *   holds
 * $ onager audit ssabp.c -p c=3 -p fifo=1 -p resend=1 -p stop=1
 *   holds
 * The same as formulas. Each sen is answered, and no fairness is needed. Channels may lose everything, so that ok may
 * never come; but it comes if whatever can be reached again and again is reached.
 *
 * $ onager check ssabp.c -p c=2 --ltl G(busy->F(!busy))
 *   holds
 * $ onager check ssabp.c -p c=2 -p fifo=1 -p resend=1 --ltl G(busy->F(!busy)) --algorithm nested
 *   holds
 * $ onager check ssabp.c -p c=2 --ltl GF(confirms)
 *   violated ltl
 * $ onager check ssabp.c -p c=2 --ltl GF(confirms) --fair-choice
 *   holds
 *
 * Without the flush message, what is delivered need not be what was sent:
 *
 * $ onager check ssabp.c -p c=1 -p deliver=1 -p fault=1
 *   violated safety
 * $ onager check ssabp.c -p c=1 -p deliver=1 -p fault=1 -p stop=1 --stubborn
 *   violated safety
 */
#include <onager.h>

PARAM(c, 4, 1, 100)
PARAM(fifo, 0, 0, 1)
PARAM(resend, 0, 0, 1)
PARAM(stop, 0, 0, 1)
PARAM(deliver, 0, 0, 1)
PARAM(fault, 0, 0, 1)

/* The first seven are the states 0 to 6 of the protocol without repetition. The `_first` states are where the message
 * has been put once and will be put once more if no acknowledgement comes. */
ENUM(sender, no_link, put_flush, wait_flush, put_data, wait_data, say_ok, link_ok, stopped, wait_flush_first,
     put_flush_again, wait_data_first, put_data_again)
ENUM(receiver, take, deliver_it, acknowledge)
ENUM(item, N, Y)
ENUM(owed, nothing, N_once, Y_once)

/* What is in a place of a channel. A data channel holds data and flush messages with a bit, the other one just bits. */
enum { empty, data_message, flush_message = data_message + 4, data_values = flush_message + 2 };
enum { ack_message = 1, ack_values = ack_message + 2 };

/* S is the sender, R the receiver. With deliver=1, `asked` is what the last sen wants to be sent, until it is, and
 * `due` is what is on its way since then, until it is delivered or something else is sent. */
#define STATE(var, array)                                                                                              \
    var(sender, S)                                                                                                     \
    var(item, S_item)                                                                                                  \
    var(1, S_bit)                                                                                                      \
    var(receiver, R)                                                                                                   \
    var(item, R_item)                                                                                                  \
    var(1, R_bit)                                                                                                      \
    array(UPTO(data_values - 1), data, c)                                                                              \
    array(UPTO(ack_values - 1), ack, c)                                                                                \
    array(item, asked, deliver)                                                                                        \
    array(owed, due, deliver)
DEFINE_STATE(STATE)

/* ---- Channels: messages enter at the last place and are taken from place 0 --------------------------------------- */

static bool full(const uint8_t *channel) { return channel[c - 1] != empty; }
static bool has_first(const uint8_t *channel) { return channel[0] != empty; }

static bool put(uint8_t *channel, unsigned message) {
    if (full(channel)) return false;
    unsigned place = c - 1;
    if (fifo)
        while (place > 0 && channel[place - 1] == empty) place--;
    channel[place] = (uint8_t)message;
    return true;
}

static unsigned take_first(uint8_t *channel) {
    unsigned message = channel[0];
    if (fifo) memmove(channel, channel + 1, c - 1);
    channel[fifo ? c - 1 : 0] = empty;
    return message;
}

static bool lose_first(uint8_t *channel) {
    if (!has_first(channel)) return false;
    take_first(channel);
    return true;
}

/* A cell hands its message to the next one. */
static bool move(uint8_t *channel, unsigned place) {
    if (channel[place] == empty || channel[place - 1] != empty) return false;
    channel[place - 1] = channel[place];
    channel[place] = empty;
    return true;
}

/* ---- What happens ------------------------------------------------------------------------------------------------ */

/* The numbers of the transitions. */
enum {
    t_sender,       /* sen N, put, take an acknowledgement, ok */
    t_other_choice, /* sen Y, timeout */
    t_receiver,
    t_data_loser,
    t_ack_loser,
    cells = !fifo && c > 1,
    t_data_cell = 4, /* + place, which is 1, ..., c - 1 */
    t_ack_cell = c + 3,
    first_data_cell = t_data_cell + 1,
    last_data_cell = t_data_cell + c - 1,
    first_ack_cell = t_ack_cell + 1,
    last_ack_cell = t_ack_cell + c - 1,
    t_fifo_start = 5, /* is never enabled; see the obligations */
    t_stopper = cells ? last_ack_cell + 1 : c > 1 ? t_fifo_start + 1 : t_fifo_start,
    t_count = t_stopper + stop,
};

static bool go(state *s, enum sender to) {
    s->S = to;
    return true;
}

static bool send(state *s, enum item what) {
    s->S_item = what;
    if (deliver) s->asked[0] = what;
    return go(s, s->S == no_link ? put_flush : put_data);
}

static bool send_flush(state *s, enum sender then) { return put(s->data, flush_message + s->S_bit) && go(s, then); }

static bool send_data(state *s, enum sender then) {
    if (!put(s->data, data_message + 2 * s->S_item + s->S_bit)) return false;
    if (deliver && s->S == put_data) {
        s->due[0] = N_once + s->asked[0];
        s->asked[0] = 0;
    }
    if (then == wait_data) s->S_item = 0;
    return go(s, then);
}

static bool await_ack(state *s, enum sender then) {
    if (!has_first(s->ack)) return false;
    if (take_first(s->ack) - ack_message != s->S_bit) return true;
    s->S_bit ^= 1;
    if (then == say_ok) s->S_item = 0;
    return go(s, then);
}

static bool err(state *s) {
    s->S_item = 0;
    if (deliver) s->asked[0] = 0;
    return go(s, fault ? link_ok : no_link);
}

static bool fire_sender(state *s) {
    switch (s->S) {
    case no_link:
    case link_ok: return send(s, N);
    case put_flush: return send_flush(s, resend ? wait_flush_first : wait_flush);
    case put_flush_again: return send_flush(s, wait_flush);
    case wait_flush_first:
    case wait_flush: return await_ack(s, put_data);
    case put_data: return send_data(s, resend ? wait_data_first : wait_data);
    case put_data_again: return send_data(s, wait_data);
    case wait_data_first:
    case wait_data: return await_ack(s, say_ok);
    case say_ok: return go(s, link_ok);
    default: return false;
    }
}

static bool fire_other_choice(state *s) {
    switch (s->S) {
    case no_link:
    case link_ok: return send(s, Y);
    case wait_flush_first: return go(s, put_flush_again);
    case wait_data_first: return go(s, put_data_again);
    case wait_flush:
    case wait_data: return err(s);
    default: return false;
    }
}

static bool fire_receiver(state *s) {
    switch (s->R) {
    case take: {
        if (!has_first(s->data)) return false;
        unsigned message = take_first(s->data), bit = (message - data_message) % 2;
        if (message < flush_message && bit == s->R_bit) {
            s->R_item = (message - data_message) / 2;
            s->R = deliver_it;
        } else {
            s->R_bit = bit;
            s->R = acknowledge;
        }
        return true;
    }
    case deliver_it: /* rec */
        s->R_item = 0;
        s->R = acknowledge;
        if (deliver) s->due[0] = nothing;
        return true;
    case acknowledge:
        if (!put(s->ack, ack_message + s->R_bit)) return false;
        s->R_bit ^= 1;
        s->R = take;
        return true;
    default: model_error("illegal local state"); return false;
    }
}

static bool fire_stopper(state *s) {
    if (s->S != no_link && s->S != link_ok) return false;
    s->S_bit = 0;
    return go(s, stopped);
}

static bool fire(state *s, unsigned t) {
    switch (t) {
    case t_sender: return fire_sender(s);
    case t_other_choice: return fire_other_choice(s);
    case t_receiver: return fire_receiver(s);
    case t_data_loser: return lose_first(s->data);
    case t_ack_loser: return lose_first(s->ack);
    case t_stopper: return fire_stopper(s);
    default: return cells && (t > t_ack_cell ? move(s->ack, t - t_ack_cell) : move(s->data, t - t_data_cell));
    }
}

/* ---- What to fire together ------------------------------------------------------------------------------------------
 * sen, ok, err and rec are visible: a set with an enabled one of them has them all. */

static void obligations_of_sender(const state *s, stubborn *set) {
    switch (s->S) {
    case no_link:
    case link_ok:
        stb(set, t_other_choice, t_receiver);
        if (stop) stb(set, t_stopper);
        return;
    case put_flush:
    case put_flush_again:
    case put_data:
    case put_data_again:
        if (!full(s->data)) {
            /* It changes what is due. The receiver changes it, too, and check_state compares with what it holds. */
            if (deliver && s->S == put_data) stb(set, t_receiver);
        } else if (cells) stb(set, last_data_cell);
        else stb(set, t_receiver, t_data_loser);
        return;
    case wait_flush_first:
    case wait_flush:
    case wait_data_first:
    case wait_data:
        /* The timeout, because after it, this transition is enabled as sen. */
        if (has_first(s->ack)) stb(set, t_other_choice, t_ack_loser);
        else stb(set, cells ? first_ack_cell : t_receiver, t_other_choice);
        return;
    case say_ok: stb(set, t_receiver); return;
    default: return;
    }
}

static void obligations_of_other_choice(const state *s, stubborn *set) {
    stb(set, t_sender);
    if (s->S == no_link || s->S == link_ok || s->S == wait_flush || s->S == wait_data) stb(set, t_receiver);
}

static void obligations_of_receiver(const state *s, stubborn *set) {
    switch (s->R) {
    case take:
        if (has_first(s->data)) stb(set, t_data_loser);
        else stb(set, cells ? first_data_cell : t_sender);
        return;
    case deliver_it: stb(set, t_sender, t_other_choice); return;
    case acknowledge:
        if (!full(s->ack)) return;
        if (cells) stb(set, last_ack_cell);
        else stb(set, t_sender, t_ack_loser);
        return;
    default: return;
    }
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    switch (t) {
    case t_sender: obligations_of_sender(s, set); return;
    case t_other_choice: obligations_of_other_choice(s, set); return;
    case t_receiver: obligations_of_receiver(s, set); return;
    case t_data_loser: stb(set, has_first(s->data) ? t_receiver : cells ? first_data_cell : t_sender); return;
    case t_ack_loser: stb(set, has_first(s->ack) ? t_sender : cells ? first_ack_cell : t_receiver); return;
    case t_stopper: stb(set, t_sender); return;
    }
    if (!cells) {
        /* The published model of the fifo variant still had the transitions of the cells. They are never enabled there,
         * but as starting points they count: the highest-numbered one leads to what this one leads to. */
        if (full(s->ack)) stb(set, t_sender, t_ack_loser);
        else stb(set, t_receiver);
    } else if (t <= last_data_cell) {
        unsigned place = t - t_data_cell;
        if (s->data[place] == empty) stb(set, t < last_data_cell ? t + 1 : t_sender);
        else if (s->data[place - 1] == empty) return;
        else if (place > 1) stb(set, t - 1);
        else stb(set, t_receiver, t_data_loser);
    } else {
        unsigned place = t - t_ack_cell;
        if (s->ack[place] == empty) stb(set, t < last_ack_cell ? t + 1 : t_receiver);
        else if (s->ack[place - 1] == empty) return;
        else if (place > 1) stb(set, t - 1);
        else stb(set, t_sender, t_ack_loser);
    }
}

/* ---- What is checked --------------------------------------------------------------------------------------------- */

static const char *check_state(const state *s) {
    if (s->R == deliver_it && s->due[0] == nothing) return "Unsolicited or double delivery";
    if (s->R == deliver_it && s->due[0] != N_once + s->R_item) return "Something else is delivered than was sent";
    if (s->S == say_ok && s->due[0] != nothing) return "ok before delivery";
    return NULL;
}

static const char *check_deadlock(const state *s) { return s->S == stopped ? NULL : "The protocol is stuck"; }

static bool may_progress(const state *s) { return s->S == say_ok; }
static bool must_progress(const state *s) { return s->S == no_link || s->S == link_ok; }

static void print_state(const state *s, FILE *out) {
    static const char *const at_sender[] = {
        "no link", "put flush", "wait flush", "put data", "wait data", "ok", "link ok", "stopped", "wait flush 1",
        "put flush 2", "wait data 1", "put data 2"};
    static const char *const at_receiver[] = {"take", "deliver", "acknowledge"};
    fprintf(out, "%-12s %c%u  ", at_sender[s->S], "NY"[s->S_item], s->S_bit);
    for (unsigned i = c; i-- > 0;) fputc(".nNyYfF"[s->data[i]], out);
    fprintf(out, " >  %-11s %c%u  ", at_receiver[s->R], "NY"[s->R_item], s->R_bit);
    for (unsigned i = 0; i < c; i++) fputc(".01"[s->ack[i]], out);
    fputs(" <", out);
    if (deliver) fprintf(out, "  %c", "-NY"[s->due[0]]);
}

static const char *transition_name(unsigned t) {
    static const char *const names[] = {"sender", "sender, other choice", "receiver", "data loser", "ack loser"};
    if (t < 5) return names[t];
    if (t == t_stopper) return "stopper";
    return t <= last_data_cell ? format("data cell %u", t - t_data_cell) : format("ack cell %u", t - t_ack_cell);
}

/* What the users of the protocol see, by the names of ssabp.fsp. */
static const char *action(const state *s, unsigned t) {
    bool idle = s->S == no_link || s->S == link_ok;
    if (t == t_sender) return idle ? "sen.0" : s->S == say_ok ? "ok" : NULL;
    if (t == t_other_choice) return idle ? "sen.1" : s->S == wait_flush || s->S == wait_data ? "err" : NULL;
    if (t == t_receiver && s->R == deliver_it) return s->R_item == N ? "rec.0" : "rec.1";
    return NULL;
}

/* When the sender stops, it is not seen, but nothing more is sent. */
static bool observable(unsigned t) { return t <= t_receiver || (stop && t == t_stopper); }

/* For formulas: a sen is not answered yet; it is about to be answered with ok; an item is about to be delivered. */
PROPOSITION(busy) { return s->S != no_link && s->S != link_ok && s->S != stopped; }
PROPOSITION(confirms) { return s->S == say_ok; }
PROPOSITION(delivers) { return s->R == deliver_it; }
CHANGES(busy) { return t == t_sender || t == t_other_choice; }
CHANGES(confirms) { return t == t_sender; }
CHANGES(delivers) { return t == t_receiver; }

MODEL(.transitions = t_count, .fire = fire, .check_state = deliver ? check_state : NULL,
      .check_deadlock = check_deadlock, .may_progress = deliver ? may_progress : NULL,
      .must_progress = deliver && !stop ? must_progress : NULL, .obligations = obligations,
      .print_state = print_state, .transition_name = transition_name, .action = action,
      .observable = observable)
