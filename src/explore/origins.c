#include "explore/origins.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ts/ts.h"

enum { FIRST_ROOM = 1 << 16 };

void origins_init(struct origins *o, uint64_t first, uint64_t most_bytes) {
    *o = (struct origins){memory_get(FIRST_ROOM), FIRST_ROOM, most_bytes, first, first};
}

void origins_fini(struct origins *o) { free(o->bytes); }

static uint8_t *place(const struct origins *o, uint64_t number) { return &o->bytes[number & (o->room - 1)]; }

/* How many of n, from this number on, are in one piece. */
static uint64_t piece(const struct origins *o, uint64_t number, uint64_t n) {
    uint64_t left = o->room - (number & (o->room - 1));
    return n < left ? n : left;
}

static void copy_in(struct origins *o, uint64_t number, const uint8_t *from, uint64_t n) {
    uint64_t some = piece(o, number, n);
    memcpy(place(o, number), from, some);
    memcpy(o->bytes, from + some, n - some);
}

static void copy_out(const struct origins *o, uint64_t number, uint64_t n, uint8_t *to) {
    uint64_t some = piece(o, number, n);
    memcpy(to, place(o, number), some);
    memcpy(to + some, o->bytes, n - some);
}

/* False: there may be none. */
static bool make_room(struct origins *o, uint64_t n) {
    struct origins old = *o;
    uint64_t room = o->room;
    while (room < n) room *= 2;
    if (room == o->room) return true;
    if (room > o->most) return false;
    assert((room & (room - 1)) == 0); /* place() masks */
    o->room = room;
    o->bytes = memory_get(o->room);
    for (uint64_t at = old.begin, some; at < old.end; at += some) {
        some = piece(&old, at, old.end - at);
        copy_in(o, at, place(&old, at), some);
    }
    free(old.bytes);
    return true;
}

static bool are_unknown(const uint8_t *origins, uint32_t n) {
    return n == 0 || (origins[0] == 0 && memcmp(origins, origins + 1, n - 1) == 0);
}

void origins_add(struct origins *o, const uint8_t *origins, uint32_t n) {
    bool good = o->begin < o->end || !are_unknown(origins, n); /* what is not known in front need not be kept */
    if (good && make_room(o, o->end - o->begin + n)) copy_in(o, o->end, origins, n);
    else o->begin = o->end + n;
    o->end += n;
    assert(o->end - o->begin <= o->room);
}

void origins_take(struct origins *o, uint64_t first, uint32_t n, uint8_t *out) {
    uint64_t unknown = first < o->begin ? o->begin - first : 0, after = first + n;
    assert(after <= o->end);
    if (unknown > n) unknown = n;
    memset(out, 0, unknown);
    copy_out(o, first + unknown, n - unknown, out + unknown);
    uint8_t *next = out + n;
    while (after < o->end && next[-1] & TS_ORIGIN_MORE && next < out + n + TS_MOST_SIBLINGS)
        *next++ = *place(o, after++);
    next[-1] &= TS_ORIGIN_MORE - 1; /* also where the search was cut off */
    if (first + n > o->begin) o->begin = first + n;
}
