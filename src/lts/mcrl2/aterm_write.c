#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lts/mcrl2/aterm.h"

enum { BYTE = 8, KIND_BITS = 2, MAGIC_NUMBER = 0x8baf };
enum kind { A_SYMBOL, A_TERM, PUT_TERM, PUT_NUMBER };

/* ---- Bits ---- */

static void put_bits(struct aterm_writer *w, uint64_t value, unsigned count) {
    enum { AT_ONCE = 32 };
    if (count > AT_ONCE) put_bits(w, value >> AT_ONCE, count - AT_ONCE), count = AT_ONCE;
    w->bits = w->bits << count | (value & ((UINT64_C(1) << count) - 1));
    for (w->filled += count; w->filled >= BYTE; w->filled -= BYTE) {
        char byte = (char)(w->bits >> (w->filled - BYTE));
        w->put(w->to, &byte, 1);
    }
}

static void put_number(struct aterm_writer *w, uint64_t value) {
    enum { PART = 7, MORE = 0x80 };
    for (; value >= MORE; value >>= PART) put_bits(w, MORE | (value & (MORE - 1)), BYTE);
    put_bits(w, value, BYTE);
}

static unsigned width_of(uint64_t count) {
    unsigned width = 0;
    for (; count > 0; count >>= 1) width++;
    return width;
}

/* ---- Packets ---- */

static void put_kind(struct aterm_writer *w, enum kind kind) { put_bits(w, kind, KIND_BITS); }

/* Its number in the stream. */
static uint32_t need_symbol(struct aterm_writer *w, uint32_t symbol) {
    const char *name = symbol == ATERM_NUMBER ? "<aterm_int>" : w->terms->symbol[symbol].name;
    if (w->symbol_place[symbol]) return w->symbol_place[symbol];
    put_kind(w, A_SYMBOL);
    put_number(w, strlen(name));
    for (const char *c = name; *c; c++) put_bits(w, (unsigned char)*c, BYTE);
    put_number(w, w->terms->symbol[symbol].arity);
    return w->symbol_place[symbol] = w->symbol_count++;
}

/* So many terms are there before. */
static void put_term(struct aterm_writer *w, enum kind kind, uint32_t term, uint64_t before) {
    uint32_t place = need_symbol(w, aterm_symbol(w->terms, term));
    put_kind(w, kind);
    put_bits(w, place, width_of(w->symbol_count));
    if (aterm_is_number(w->terms, term)) put_number(w, aterm_number(w->terms, term));
    else
        for (uint32_t i = 0; i < aterm_arity(w->terms, term); i++)
            put_bits(w, aterm_argument(w->terms, term, i), width_of(before));
}

void aterm_write_begin(struct aterm_writer *w, unsigned version, const struct aterms *terms) {
    w->terms = terms;
    w->symbol_place = memory_get_zeroed((terms->symbols + 1) * sizeof *w->symbol_place);
    w->symbol_count = 1;
    put_bits(w, 0, BYTE);
    put_bits(w, MAGIC_NUMBER, 2 * BYTE);
    put_bits(w, version, 2 * BYTE);
    for (size_t t = 0; t < terms->count; t++) put_term(w, A_TERM, (uint32_t)t, t);
}

void aterm_write_term(struct aterm_writer *w, uint32_t term) { put_term(w, PUT_TERM, term, w->terms->count); }

void aterm_write_number(struct aterm_writer *w, uint64_t number) {
    put_kind(w, PUT_NUMBER);
    put_number(w, number);
}

void aterm_write_end(struct aterm_writer *w) {
    put_kind(w, A_TERM);
    put_bits(w, 0, width_of(w->symbol_count));
    if (w->filled > 0) put_bits(w, 0, BYTE - w->filled);
    free(w->symbol_place);
}
