/* aterm.h: annotated terms, the trees of which all that mCRL2 saves is made, and the binary streams they are saved in.
 *
 * A term is a symbol, which has a name and an arity, with as many arguments; or a number. Lists are terms: pairs of an
 * element and the rest. Terms are numbered; arguments come before what they are arguments of. Equal terms may have
 * different numbers.
 *
 * A stream begins with a zero byte, two bytes of magic and two of a version. Bits follow, the highest of a byte first:
 * packets, of which each begins with two bits that tell its kind.
 *
 *     0  a symbol: its name and its arity. Symbols count from 1; number 0 ends the stream.
 *     1  a term, for later use: the number of its symbol, and those of its arguments among such terms, from 0. Behind
 *        the symbol "<aterm_int>" comes a number instead.
 *     2  a term that is put out: the same. It gets no number.
 *     3  a number that is put out.
 *
 * A symbol's or a term's number takes as many bits as how many there are so far. Other numbers are bytes of seven bits
 * each, the lowest first; all but the last have the highest bit set. A text is its length and its bytes.
 */
#ifndef LTS_MCRL2_ATERM_H
#define LTS_MCRL2_ATERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"

/* ---- Terms ---- */

enum { ATERM_NUMBER = 0 }; /* the symbol of numbers; no other has it */

struct aterms {
    struct aterm_symbol {
        char *name;
        uint32_t arity;
    } * symbol;
    size_t symbols, symbol_room;
    uint32_t *data; /* of each term: its symbol and its arguments; of a number: that symbol, and its two halves */
    size_t used, room;
    uint32_t *start; /* where in data a term begins */
    size_t count, start_room;
};

void aterms_init(struct aterms *t);
void aterms_fini(struct aterms *t);

/* Of what is added, the number. A symbol may be there twice. */
uint32_t aterms_symbol(struct aterms *t, const char *name, size_t length, uint32_t arity);
uint32_t aterms_add(struct aterms *t, uint32_t symbol, const uint32_t *argument);
uint32_t aterms_add_number(struct aterms *t, uint64_t number);
bool aterms_full(const struct aterms *t, uint32_t arity); /* no other term of this arity has room */
void aterms_drop_last(struct aterms *t);                  /* the term that was added last, not its symbol */

/* Copies terms with all they are made of; they get their new numbers. */
void aterms_copy(struct aterms *to, const struct aterms *from, uint32_t *term, size_t count);

static inline uint32_t aterm_symbol(const struct aterms *t, uint32_t term) { return t->data[t->start[term]]; }
static inline const char *aterm_name(const struct aterms *t, uint32_t term) {
    return t->symbol[aterm_symbol(t, term)].name;
}
static inline uint32_t aterm_arity(const struct aterms *t, uint32_t term) {
    return t->symbol[aterm_symbol(t, term)].arity;
}
static inline const uint32_t *aterm_arguments(const struct aterms *t, uint32_t term) {
    return t->data + t->start[term] + 1;
}
static inline uint32_t aterm_argument(const struct aterms *t, uint32_t term, uint32_t i) {
    return aterm_arguments(t, term)[i];
}
static inline bool aterm_is_number(const struct aterms *t, uint32_t term) {
    return aterm_symbol(t, term) == ATERM_NUMBER;
}
uint64_t aterm_number(const struct aterms *t, uint32_t term);

/* Has it such a symbol? */
bool aterm_is(const struct aterms *t, uint32_t term, const char *name, uint32_t arity);
bool aterm_is_pair(const struct aterms *t, uint32_t term);  /* a list that is not empty; its arguments: first, rest */
bool aterm_is_empty(const struct aterms *t, uint32_t term); /* the empty list */

/* ---- Reading ---- */

enum { ATERM_HEAD = 5, ATERM_MAGIC = 3 };          /* bytes that a stream begins with; and those before the version */
bool aterm_begins(const void *bytes, size_t size); /* are these the first ones of a stream? */

struct aterm_reader {
    struct aterms terms;
    uint32_t *shared; /* the terms for later use */
    size_t shared_count, shared_room;
    unsigned bit; /* of the next byte, so many bits are read already */
};

void aterm_reader_init(struct aterm_reader *r);
void aterm_reader_fini(struct aterm_reader *r);

union aterm_found {
    uint64_t number;
    uint32_t term;
    const char *wrong;
};

enum aterm_item { ATERM_KEPT, ATERM_TERM, ATERM_PLAIN_NUMBER, ATERM_END, ATERM_MORE, ATERM_BAD };

/* The next packet. KEPT: it was a symbol, or a term for later use. TERM: *out is the number of the term that is put
 * out, the last one of all; it may be dropped. PLAIN_NUMBER: *out is that number. MORE: the bytes do not go to the end
 * of the packet. BAD: *out is a text that says why. *at counts bits, and moves if a packet was there. */
enum aterm_item aterm_read(struct aterm_reader *r, const unsigned char *bytes, size_t size, uint64_t *at,
                           union aterm_found *out);

/* ---- Writing ---- */

/* Bits go to `put`, in whole bytes. */
struct aterm_writer {
    void (*put)(void *to, const char *bytes, size_t size);
    void *to;
    const struct aterms *terms;
    uint32_t *symbol_place; /* in the stream; 0: it is not there yet */
    uint32_t symbol_count;  /* and the end of the stream */
    uint64_t bits;
    unsigned filled; /* bits that are not put yet */
};

/* The head, and all the terms, which then are arguments of what is put out. */
void aterm_write_begin(struct aterm_writer *w, unsigned version, const struct aterms *terms);
void aterm_write_term(struct aterm_writer *w, uint32_t term);
void aterm_write_number(struct aterm_writer *w, uint64_t number);
void aterm_write_end(struct aterm_writer *w);

#endif
