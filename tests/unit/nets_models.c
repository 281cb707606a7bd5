#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nets.h"

/* A text that grows. */
struct text {
    char *text;
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *fmt, ...) {
    char part[256];
    va_list args;
    va_start(args, fmt);
    size_t n = (size_t)vsnprintf(part, sizeof part, fmt, args);
    va_end(args);
    t->text = memory_resize(t->text, t->length + n + 1);
    memcpy(t->text + t->length, part, n + 1);
    t->length += n;
}

__attribute__((format(printf, 3, 4))) static void add(struct network *n, struct text *edges, const char *fmt, ...) {
    char name[64];
    va_list args;
    va_start(args, fmt);
    vsnprintf(name, sizeof name, fmt, args);
    va_end(args);
    nets_add(n, name, edges->text);
    free(edges->text);
    *edges = (struct text){0};
}

/* ---- Token ring ----
 *
 *   req.i, term.i, leave.i   customer i alone
 *   ask.i    customer i is asking: its server begins to wait for the token
 *   want.i   the next server waits for the token and does not have it: so does server i
 *   enter.i  server i has the token and its customer asks
 *   pass.i   server i has the token, its customer does not ask, the next server waits
 *   done.i   customer i has left: the token moves on
 */
static void customer(struct network *n, uint32_t i) {
    struct text t = {0};
    say(&t, "0 req.%u 1, 0 term.%u 3, 2 leave.%u 0, 1 ask.%u 1, 1 enter.%u 2", i, i, i, i, i);
    for (uint32_t s = 0; s < 4; s++) {
        if (s != 1) say(&t, ", %u pass.%u %u", s, i, s);
        if (s != 2) say(&t, ", %u done.%u %u", s, i, s);
    }
    add(n, &t, "C%u", i);
}

/* Resting 0, waiting for the token 1, for the customer 2; with the token 3, 4, 5. */
static void server(struct network *n, uint32_t i, uint32_t size) {
    struct text t = {0};
    uint32_t before = (i + size - 1) % size;
    say(&t, "0 ask.%u 1, 3 ask.%u 4, 0 want.%u 1, 3 want.%u 4, 1 want.%u 1", i, i, i, i, before);
    say(&t, ", 4 enter.%u 5, 4 pass.%u 0, 1 pass.%u 4", i, i, before);
    say(&t, ", 5 done.%u 0, 0 done.%u 3, 1 done.%u 4, 2 done.%u 5", i, before, before, before);
    add(n, &t, "S%u", i);
    n->component[n->count - 1].lts.initial = i == 1 ? 3 : 0;
}

void nets_token_ring(struct network *n, uint32_t size) {
    *n = (struct network){0};
    for (uint32_t i = 0; i < size; i++) {
        customer(n, i);
        server(n, i, size);
    }
    nets_finish(n);
}

/* ---- Self-synchronizing alternating bit protocol ----
 *
 *   d.p.MB   data message M (N, Y, F) with bit B moves to place p: c from the sender, 0 to the receiver
 *   a.p.B    the same with acknowledgements
 *   dl.MB, al.B   a message is lost
 */
static const char messages[] = "NYF";

/* at: as in the table of the protocol; 7 waits after a flush that may be repeated, 8 repeats it; 9 and 10 the same with
 * a message. */
static uint32_t sender_state(uint32_t at, uint32_t message, uint32_t bit) { return (at * 2 + message) * 2 + bit; }

static void say_put(struct text *t, uint32_t c, uint32_t from, uint32_t message, uint32_t bit, uint32_t to) {
    say(t, "%u d.%u.%c%u %u, ", from, c, messages[message], bit, to);
}

static void say_wait(struct text *t, uint32_t from, uint32_t bit, uint32_t right, const char *timeout, uint32_t to) {
    say(t, "%u a.0.%u %u, %u a.0.%u %u, %u %s %u, ", from, bit, right, from, !bit, from, from, timeout, to);
}

static void sender(struct network *n, uint32_t c, bool resend) {
    struct text t = {0};
    for (uint32_t b = 0; b < 2; b++) {
        for (uint32_t m = 0; m < 2; m++) {
            say(&t, "%u sen.%c %u, ", sender_state(0, 0, b), messages[m], sender_state(1, m, b));
            say(&t, "%u sen.%c %u, ", sender_state(6, 0, b), messages[m], sender_state(3, m, b));
            uint32_t flushed = sender_state(2, m, b), sent = sender_state(4, 0, b);
            if (resend) {
                say_put(&t, c, sender_state(1, m, b), 2, b, sender_state(7, m, b));
                say_wait(&t, sender_state(7, m, b), b, sender_state(3, m, !b), "tau", sender_state(8, m, b));
                say_put(&t, c, sender_state(8, m, b), 2, b, flushed);
                say_put(&t, c, sender_state(3, m, b), m, b, sender_state(9, m, b));
                say_wait(&t, sender_state(9, m, b), b, sender_state(5, 0, !b), "tau", sender_state(10, m, b));
                say_put(&t, c, sender_state(10, m, b), m, b, sent);
            } else {
                say_put(&t, c, sender_state(1, m, b), 2, b, flushed);
                say_put(&t, c, sender_state(3, m, b), m, b, sent);
            }
            say_wait(&t, flushed, b, sender_state(3, m, !b), "err", sender_state(0, 0, b));
        }
        say_wait(&t, sender_state(4, 0, b), b, sender_state(5, 0, !b), "err", sender_state(0, 0, b));
        say(&t, "%u ok %u, ", sender_state(5, 0, b), sender_state(6, 0, b));
    }
    add(n, &t, "Sender");
}

/* 0 and 1 expects a message with that bit; 2 + bit has to acknowledge; 4 + 2 m + bit holds m. */
static void receiver(struct network *n, uint32_t c) {
    struct text t = {0};
    for (uint32_t expected = 0; expected < 2; expected++) {
        for (uint32_t m = 0; m < 3; m++)
            for (uint32_t b = 0; b < 2; b++)
                say(&t, "%u d.0.%c%u %u, ", expected, messages[m], b, m < 2 && b == expected ? 4 + 2 * m + b : 2 + b);
        for (uint32_t m = 0; m < 2; m++) say(&t, "%u rec.%c %u, ", 4 + 2 * m + expected, messages[m], 2 + expected);
        say(&t, "%u a.%u.%u %u, ", 2 + expected, c, expected, !expected);
    }
    add(n, &t, "Receiver");
}

static void protocol_cells(struct network *n, uint32_t c) {
    for (uint32_t p = 1; p <= c; p++) {
        struct text t = {0};
        for (uint32_t m = 0; m < 6; m++) {
            say(&t, "0 d.%u.%c%u %u, %u d.%u.%c%u 0, ", p, messages[m / 2], m % 2, m + 1, m + 1, p - 1, messages[m / 2],
                m % 2);
            if (p == 1) say(&t, "%u dl.%c%u 0, ", m + 1, messages[m / 2], m % 2);
        }
        add(n, &t, "D%u", p);
    }
    for (uint32_t p = 1; p <= c; p++) {
        struct text t = {0};
        for (uint32_t b = 0; b < 2; b++) {
            say(&t, "0 a.%u.%u %u, %u a.%u.%u 0, ", p, b, b + 1, b + 1, p - 1, b);
            if (p == 1) say(&t, "%u al.%u 0, ", b + 1, b);
        }
        add(n, &t, "A%u", p);
    }
}

void nets_protocol(struct network *n, uint32_t c, bool resend) {
    *n = (struct network){0};
    sender(n, c, resend);
    receiver(n, c);
    protocol_cells(n, c);
    nets_finish(n);
    for (uint32_t k = 1; k < n->labels.count; k++)
        if (n->labels.text[k][0] == 'd' || n->labels.text[k][0] == 'a') n->sight[k] = SIGHT_HIDDEN;
}

/* ---- Philosophers ---- */

void nets_philosophers(struct network *n, uint32_t size) {
    *n = (struct network){0};
    for (uint32_t i = 0; i < size; i++) {
        struct text t = {0};
        uint32_t before = (i + size - 1) % size;
        say(&t, "0 left.%u 1, 1 right.%u 2, 2 drop_left.%u 3, 3 drop_right.%u 0", i, i, i, i);
        add(n, &t, "Phil%u", i);
        say(&t, "0 left.%u 1, 0 right.%u 1, 1 drop_left.%u 0, 1 drop_right.%u 0", i, before, i, before);
        add(n, &t, "Fork%u", i);
    }
    nets_finish(n);
}
