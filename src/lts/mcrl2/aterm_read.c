#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lts/mcrl2/aterm.h"

enum { BYTE = 8, KIND_BITS = 2, MOST_ARITY = 1 << 16, MOST_NAME = 1 << 20 };

static const unsigned char magic[ATERM_MAGIC] = {0x00, 0x8b, 0xaf};

bool aterm_begins(const void *bytes, size_t size) {
    return size >= ATERM_MAGIC && memcmp(bytes, magic, ATERM_MAGIC) == 0;
}

void aterm_reader_init(struct aterm_reader *r) {
    *r = (struct aterm_reader){0};
    aterms_init(&r->terms);
}

void aterm_reader_fini(struct aterm_reader *r) {
    aterms_fini(&r->terms);
    free(r->shared);
}

/* ---- Bits ---- */

struct bits {
    const unsigned char *bytes;
    uint64_t at, end;
    bool lacking;      /* there were too few */
    const char *wrong; /* or NULL */
};

static uint64_t take(struct bits *b, unsigned count) {
    uint64_t value = 0;
    assert(count <= 64 && b->at <= b->end);
    if (b->lacking || count > b->end - b->at) return b->lacking = true, 0;
    while (count > 0) {
        unsigned left = BYTE - (unsigned)(b->at % BYTE), now = count < left ? count : left;
        unsigned part = (unsigned)b->bytes[b->at / BYTE] >> (left - now);
        value = value << now | (part & ((1U << now) - 1));
        b->at += now;
        count -= now;
    }
    return value;
}

static uint64_t fail(struct bits *b, const char *wrong) {
    if (!b->wrong) b->wrong = wrong;
    return 0;
}

/* Seven bits a byte. */
static uint64_t take_number(struct bits *b) {
    enum { PART = 7, LAST = 63, MORE = 0x80 };
    uint64_t value = 0, byte;
    for (unsigned shift = 0; shift <= LAST; shift += PART) {
        byte = take(b, BYTE);
        if (shift == LAST && byte > 1) return fail(b, "a number has more than 64 bits");
        value |= (byte & (MORE - 1)) << shift;
        if (!(byte & MORE)) return value;
    }
    return fail(b, "a number has more than 64 bits");
}

/* How many bits the numbers of so many things take. */
static unsigned width_of(uint64_t count) {
    unsigned width = 0;
    for (; count > 0; count >>= 1) width++;
    return width;
}

/* ---- Packets ---- */

static enum aterm_item read_symbol(struct aterm_reader *r, struct bits *b) {
    uint64_t length = take_number(b);
    if (!b->lacking && length > MOST_NAME) fail(b, "the name of a symbol is longer than a million bytes");
    if (b->lacking || b->wrong) return ATERM_BAD;
    if (length * BYTE > b->end - b->at) return b->lacking = true, ATERM_BAD;
    char *name = memory_get(length + 1);
    for (uint64_t i = 0; i < length; i++) name[i] = (char)take(b, BYTE);
    uint64_t arity = take_number(b);
    if (!b->lacking && arity > MOST_ARITY) fail(b, "a symbol has more than 65536 arguments");
    if (r->terms.symbols == UINT32_MAX) fail(b, "there are too many symbols");
    if (memchr(name, 0, length)) fail(b, "there is a zero byte in the name of a symbol");
    if (!b->lacking && !b->wrong) aterms_symbol(&r->terms, name, length, (uint32_t)arity);
    free(name);
    return b->lacking || b->wrong ? ATERM_BAD : ATERM_KEPT;
}

static void take_arguments(struct aterm_reader *r, struct bits *b, uint32_t *argument, uint32_t arity) {
    unsigned width = width_of(r->shared_count);
    for (uint32_t i = 0; i < arity && !b->lacking && !b->wrong; i++) {
        uint64_t n = take(b, width);
        if (n >= r->shared_count) fail(b, "a term refers to one that was not there before");
        else argument[i] = r->shared[n];
    }
}

static uint32_t read_arguments(struct aterm_reader *r, struct bits *b, uint32_t symbol) {
    enum { FEW = 16 };
    uint32_t few[FEW], arity = r->terms.symbol[symbol].arity, term = 0;
    uint32_t *argument = arity <= FEW ? few : memory_get(arity * sizeof *argument);
    take_arguments(r, b, argument, arity);
    if (!b->lacking && !b->wrong) term = aterms_add(&r->terms, symbol, argument);
    if (argument != few) free(argument);
    return term;
}

/* Symbol 0 is the end of the stream here. */
static enum aterm_item read_term(struct aterm_reader *r, struct bits *b, bool out, union aterm_found *found) {
    static const char full[] = "there are more terms than onager has numbers for";
    uint64_t symbol = take(b, width_of(r->terms.symbols)), number;
    if (b->lacking) return ATERM_BAD;
    if (symbol == 0) return ATERM_END;
    if (symbol >= r->terms.symbols) return fail(b, "a term has a symbol that was not there before"), ATERM_BAD;
    if (aterms_full(&r->terms, r->terms.symbol[symbol].arity)) return fail(b, full), ATERM_BAD;
    if (strcmp(r->terms.symbol[symbol].name, "<aterm_int>") == 0) {
        if (number = take_number(b), b->lacking || b->wrong) return ATERM_BAD;
        found->term = aterms_add_number(&r->terms, number);
    } else if (found->term = read_arguments(r, b, (uint32_t)symbol), b->lacking || b->wrong) return ATERM_BAD;
    if (out) return ATERM_TERM;
    MAKE_ROOM(r->shared, r->shared_count, r->shared_room);
    r->shared[r->shared_count++] = found->term;
    return ATERM_KEPT;
}

enum aterm_item aterm_read(struct aterm_reader *r, const unsigned char *bytes, size_t size, uint64_t *at,
                           union aterm_found *out) {
    struct bits b = {.bytes = bytes, .at = *at, .end = (uint64_t)size * BYTE};
    enum aterm_item item = ATERM_BAD;
    union aterm_found found = {0};
    switch (take(&b, KIND_BITS)) {
    case 0:
        if (!b.lacking) item = read_symbol(r, &b);
        break;
    case 1: item = read_term(r, &b, false, &found); break;
    case 2: item = read_term(r, &b, true, &found); break;
    default: found.number = take_number(&b), item = ATERM_PLAIN_NUMBER;
    }
    if (b.lacking) return ATERM_MORE;
    if (b.wrong) return out->wrong = b.wrong, ATERM_BAD;
    *out = found;
    *at = b.at;
    return item;
}
