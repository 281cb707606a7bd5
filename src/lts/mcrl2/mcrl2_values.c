/* Values that are written as users write them: numbers, and what lists, sets and bags hold. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lts/mcrl2/mcrl2_parts.h"

/* ---- Large numbers ---- */

enum { GROUP_DIGITS = 9, GROUP = 1000000000, MOST_GROUPS = 2000, HALF_BITS = 32 };

/* In decimal, nine digits a group, the lowest first. */
struct large {
    uint32_t group[MOST_GROUPS];
    size_t count;
};

static void times_plus(struct large *n, uint64_t factor, uint64_t rest) {
    for (size_t i = 0; i < n->count; i++) {
        uint64_t value = n->group[i] * factor + rest;
        n->group[i] = (uint32_t)(value % GROUP);
        rest = value / GROUP;
    }
    for (; rest > 0 && n->count < MOST_GROUPS; rest /= GROUP) n->group[n->count++] = (uint32_t)(rest % GROUP);
}

static void put_large(struct printer *p, const struct large *n) {
    if (n->count == 0) mcrl2_put(p, "0");
    for (size_t i = n->count; i-- > 0;) {
        char *digits = text_format("%0*u", i == n->count - 1 ? 1 : GROUP_DIGITS, n->group[i]);
        mcrl2_put(p, digits);
        free(digits);
    }
}

/* ---- Numbers ---- */

/* Digits are inside out: the highest is the innermost. */
static bool is_digit(const struct aterms *t, uint32_t e, bool binary, uint64_t *digit) {
    if (!binary) return aterm_is_number(t, e) ? *digit = aterm_number(t, e), true : false;
    const char *name = mcrl2_symbol_name(t, e);
    *digit = strcmp(name, "true") == 0;
    return *digit || strcmp(name, "false") == 0;
}

/* @cDub(digit, rest) and @concat_digit(rest, word), down to @c1 and @most_significant_digit(word). */
static bool collect(const struct aterms *t, uint32_t e, bool binary, struct numbers *digits) {
    enum { MOST = MOST_GROUPS * GROUP_DIGITS };
    const char *step = binary ? "@cDub" : "@concat_digit";
    uint64_t digit;
    while (mcrl2_applies(t, e, step, 2)) {
        if (digits->count == MOST || !is_digit(t, mcrl2_operand(t, e, binary ? 0 : 1), binary, &digit)) return false;
        numbers_add(digits, digit);
        e = mcrl2_operand(t, e, binary ? 1 : 0);
    }
    if (binary) return strcmp(mcrl2_symbol_name(t, e), "@c1") == 0;
    if (!mcrl2_applies(t, e, "@most_significant_digit", 1) && !mcrl2_applies(t, e, "@most_significant_digitNat", 1))
        return false;
    if (!is_digit(t, mcrl2_operand(t, e, 0), false, &digit)) return false;
    numbers_add(digits, digit);
    return true;
}

bool mcrl2_print_number(struct printer *p, uint32_t e) {
    bool binary = mcrl2_applies(p->terms, e, "@cDub", 2);
    if (!binary && !mcrl2_applies(p->terms, e, "@concat_digit", 2)) return false;
    struct numbers digits = {0};
    bool is = collect(p->terms, e, binary, &digits);
    if (is) {
        struct large *n = memory_get(sizeof *n);
        n->count = 0;
        if (binary) times_plus(n, 0, 1);
        for (size_t i = digits.count; i-- > 0;) {
            uint64_t digit = digits.at[i];
            if (binary) times_plus(n, 2, digit);
            else {
                times_plus(n, UINT64_C(1) << HALF_BITS, digit >> HALF_BITS);
                times_plus(n, UINT64_C(1) << HALF_BITS, digit & UINT32_MAX);
            }
        }
        if (n->count == MOST_GROUPS) p->wrong = "has a number of too many digits";
        put_large(p, n);
        free(n);
    }
    numbers_fini(&digits);
    return is;
}

/* ---- Lists, sets and bags ---- */

/* One element after the other, up to what holds none: in lists, the element comes first or last; in bags it comes with
 * how often it is there. */
static const struct chain {
    const char *step, *other, *third, *last, *open, *close;
    uint32_t operands, element, rest;
    int strength; /* elements that bind less have parentheses, unless there is only one */
} chains[] = {
    {"|>", NULL, NULL, "[]", "[", "]", 2, 0, 1, 6},
    {"<|", NULL, NULL, "[]", "[", "]", 2, 1, 0, 7},
    {"@fset_cons", "@fset_insert", NULL, "{}", "{", "}", 2, 0, 1, 6},
    {"@fbag_cons", "@fbag_insert", "@fbag_cinsert", "{:}", "{", "}", 3, 0, 2, 0},
};

static bool is_step(const struct aterms *t, uint32_t e, const struct chain *c) {
    const char *name = mcrl2_head(t, e, c->operands);
    return strcmp(name, c->step) == 0 || (c->other && strcmp(name, c->other) == 0) ||
           (c->third && strcmp(name, c->third) == 0);
}

/* How many elements; 0: it is no such chain. */
static size_t length_of(const struct aterms *t, uint32_t e, const struct chain *c) {
    size_t n = 0;
    for (; n <= MCRL2_LONGEST && is_step(t, e, c); n++) e = mcrl2_operand(t, e, c->rest);
    return strcmp(mcrl2_symbol_name(t, e), c->last) == 0 ? n : 0;
}

static const struct chain *chain_of(const struct aterms *t, uint32_t e) {
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        if (is_step(t, e, &chains[i])) return length_of(t, e, &chains[i]) > 0 ? &chains[i] : NULL;
    return NULL;
}

bool mcrl2_is_enumeration(const struct aterms *t, uint32_t e) { return chain_of(t, e) != NULL; }

static void print_element(struct printer *p, uint32_t step, const struct chain *c, size_t count) {
    uint32_t element = mcrl2_operand(p->terms, step, c->element);
    mcrl2_operand_text(p, element, count > 1 && mcrl2_weaker(p->terms, element, c->strength));
    if (c->operands == 2) return;
    mcrl2_put(p, ": ");
    mcrl2_expression(p, mcrl2_operand(p->terms, step, 1));
}

static void print_chain(struct printer *p, uint32_t e, const struct chain *c) {
    size_t count = length_of(p->terms, e, c);
    uint32_t *step = memory_get((count + 1) * sizeof *step);
    for (size_t i = 0; i < count; i++, e = mcrl2_operand(p->terms, e, c->rest))
        step[c->element > c->rest ? count - 1 - i : i] = e;
    mcrl2_put(p, c->open);
    for (size_t i = 0; i < count && !p->wrong; i++) {
        mcrl2_put(p, i > 0 ? ", " : "");
        print_element(p, step[i], c, count);
    }
    mcrl2_put(p, c->close);
    free(step);
}

bool mcrl2_print_enumeration(struct printer *p, uint32_t e) {
    const struct chain *c = chain_of(p->terms, e);
    if (c) print_chain(p, e, c);
    return c || mcrl2_print_comprehension(p, e);
}

void mcrl2_list(struct printer *p, uint32_t list) {
    for (const char *gap = ""; aterm_is_pair(p->terms, list) && !p->wrong; gap = ", ") {
        mcrl2_put(p, gap);
        mcrl2_expression(p, aterm_argument(p->terms, list, 0));
        list = aterm_argument(p->terms, list, 1);
    }
}
