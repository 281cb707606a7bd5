/* A line is plain if it is "(FROM,LABEL,TO)" with numbers that are not too large, perhaps white space around the label,
 * and nothing else. It means what aut_read.c says it means; whatever may be wrong with it is left to that.
 *
 * Eight characters are looked at at once, as one number: the first character is its lowest byte. */
#include "lts/aut_plain.h"

#include <endian.h>
#include <string.h>

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

enum {
    LEAST = 12,  /* characters that a line must have, as we look at so many before its end */
    BEHIND = 24, /* characters that must be there from its beginning on */
};

static uint64_t eight(const char *at) {
    uint64_t x;
    memcpy(&x, at, sizeof x);
    return le64toh(x);
}

/* Bytes that are not zero where there are no digits. */
static uint64_t no_digits(uint64_t x) {
    uint64_t high = x & EACH(0xf0), next = ((x & EACH(0x7f)) + EACH(0x06)) & EACH(0xf0);
    return (high ^ EACH(0x30)) | (next ^ EACH(0x30));
}

/* Of eight digits, or zero bytes before digits. */
static uint32_t value_of(uint64_t x) {
    x = (x & EACH(0x0f)) * 2561 >> 8;
    x = (x & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;
    return (uint32_t)((x & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001) >> 32);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* How many digits begin here, and their value; 0: none, or too many. */
static unsigned number_from(const char *at, uint32_t *value) {
    uint64_t x = eight(at), none = no_digits(x);
    unsigned digits = none ? (unsigned)__builtin_ctzll(none) / 8 : 8;
    if (digits == 0 || (digits == 8 && is_digit(at[8]))) return 0;
    *value = value_of(x << (64 - 8 * digits));
    return digits;
}

/* The same of digits that end here. */
static unsigned number_to(const char *end, uint32_t *value) {
    uint64_t x = eight(end - 8), none = no_digits(x);
    unsigned others = none ? 8 - (unsigned)__builtin_clzll(none) / 8 : 0;
    if (others == 8 || (others == 0 && is_digit(end[-9]))) return 0;
    *value = value_of(x >> 8 * others << 8 * others);
    return 8 - others;
}

/* The label from `at` to `end`, after which more may be read. False: something is wrong, and was said. */
static bool find_label(struct text_reader *r, const char *at, const char *end, uint32_t *label) {
    struct aut *a = r->mine;
    uint32_t length = (uint32_t)(end - at);
    uint64_t first = eight(at), last = 0;
    if (length > 8) last = eight(end - 8);
    else if (length < 8) first &= (UINT64_C(1) << 8 * length) - 1;
    uint64_t hash = (first ^ (last << 7 | last >> 57) ^ length) * UINT64_C(0x9e3779b97f4a7c15);
    struct aut_label *known = &a->known[hash >> 32 & (AUT_LABELS - 1)];
    if (known->length == length && known->first == first && known->last == last &&
        (length <= 16 || memcmp(known->text, at, length) == 0)) {
        *label = known->label;
        return true;
    }
    if (!text_label(r, at, end, label)) return false;
    if (length > sizeof known->text) return true;
    *known = (struct aut_label){first, last, length, *label, {0}};
    memcpy(known->text, at, length);
    return true;
}

static bool blank(char c) { return c == ' ' || c == '\t'; }

static void add_edge(struct lts_builder *b, uint32_t from, uint32_t label, uint32_t to) {
    if (b->count == b->room) lts_build_grow(b);
    b->triples[b->count++] = (struct lts_triple){from, label, to};
}

/* What is between the numbers. */
struct middle {
    const char *at, *end;
};

/* The numbers and the label of a line that ends before `end`. False: it is not plain. */
static bool take_apart(const char *at, const char *end, uint32_t *from, struct middle *label, uint32_t *to) {
    if (end - at < LEAST || *at != '(' || end[-1] != ')') return false;
    unsigned digits = number_from(at + 1, from), last_digits = number_to(end - 1, to);
    at += 1 + digits;
    end -= 1 + last_digits;
    if (digits == 0 || last_digits == 0 || *at++ != ',') return false;
    while (end > at && blank(end[-1])) end--;
    if (end <= at || *--end != ',') return false;
    while (end > at && blank(end[-1])) end--;
    while (at < end && blank(*at)) at++;
    *label = (struct middle){at, end};
    return at < end;
}

const char *aut_plain_lines(struct text_reader *r, const char *at, const char *end) {
    struct aut *a = r->mine;
    if (!a->header) return at;
    while (end - at > BEHIND) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        uint32_t from = 0, to = 0, label;
        struct middle middle;
        if (!newline || !take_apart(at, newline[-1] == '\r' ? newline - 1 : newline, &from, &middle, &to)) break;
        if (from >= a->states || to >= a->states || a->count == a->promised) break;
        r->line++;
        if (!find_label(r, middle.at, middle.end, &label)) return NULL;
        a->count++;
        add_edge(&r->build, from, label, to);
        at = newline + 1;
    }
    return at;
}
