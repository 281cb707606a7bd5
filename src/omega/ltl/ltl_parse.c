/* Recursive descent with binding strengths. Nesting is limited, as what works on formulas later is recursive, too. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "omega/ltl/ltl_formula.h"
#include "base/memory.h"
#include "base/text.h"

enum { DEEPEST = 1000, MOST_NODES = 100000, LONGEST_NAME = 1000 };

enum token { END, NAME, QUOTED, OPEN, CLOSE, UNARY, BINARY, CONSTANT, WRONG };

struct parser {
    struct ltl *l;
    const char *text, *at; /* `at` is behind the token at hand */
    struct problem *why;
    enum token token;
    enum ltl_op op;    /* of UNARY, BINARY and CONSTANT */
    const char *begin; /* where the token begins */
    size_t length;     /* of the token */
    size_t pending;    /* operators such as GF are one word: how much of it is still to come */
    unsigned depth;
};

/* Longer ones before those that they begin with. */
static const struct {
    const char *text;
    enum token token;
    enum ltl_op op;
} signs[] = {
    {"<->", BINARY, LTL_EQUIVALENT}, {"<=>", BINARY, LTL_EQUIVALENT}, {"->", BINARY, LTL_IMPLIES},
    {"=>", BINARY, LTL_IMPLIES},     {"<>", UNARY, LTL_FINALLY},      {"[]", UNARY, LTL_GLOBALLY},
    {"&&", BINARY, LTL_AND},         {"/\\", BINARY, LTL_AND},        {"&", BINARY, LTL_AND},
    {"||", BINARY, LTL_OR},          {"\\/", BINARY, LTL_OR},         {"|", BINARY, LTL_OR},
    {"^", BINARY, LTL_XOR},          {"!", UNARY, LTL_NOT},           {"~", UNARY, LTL_NOT},
    {"(", OPEN, LTL_FALSE},          {")", CLOSE, LTL_FALSE},         {"1", CONSTANT, LTL_TRUE},
    {"0", CONSTANT, LTL_FALSE},
};

static const struct {
    const char *text;
    enum token token;
    enum ltl_op op;
} words[] = {
    {"true", CONSTANT, LTL_TRUE},
    {"false", CONSTANT, LTL_FALSE},
    {"not", UNARY, LTL_NOT},
    {"and", BINARY, LTL_AND},
    {"or", BINARY, LTL_OR},
    {"xor", BINARY, LTL_XOR},
    {"U", BINARY, LTL_UNTIL},
    {"W", BINARY, LTL_WEAK_UNTIL},
    {"R", BINARY, LTL_RELEASE},
    {"V", BINARY, LTL_RELEASE},
    {"M", BINARY, LTL_STRONG_RELEASE},
};

/* ---- Tokens ---- */

static void take(struct parser *p, enum token token, enum ltl_op op, size_t length) {
    p->token = token;
    p->op = op;
    p->length = length;
    p->at = p->begin + length;
}

static bool in_name(const char *c) {
    return isalnum((unsigned char)*c) || *c == '_' || (*c == '.' && (isalnum((unsigned char)c[1]) || c[1] == '_'));
}

static enum ltl_op letter(char c) { return c == 'G' ? LTL_GLOBALLY : c == 'F' ? LTL_FINALLY : LTL_NEXT; }

static void word(struct parser *p) {
    size_t length = 0;
    while (in_name(p->begin + length)) length++;
    if (strspn(p->begin, "GFX") >= length) {
        take(p, UNARY, letter(*p->begin), 1);
        p->pending = length - 1;
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].text) == length && strncmp(p->begin, words[i].text, length) == 0) {
            take(p, words[i].token, words[i].op, length);
            return;
        }
    take(p, NAME, LTL_PROPOSITION, length);
}

static void quoted(struct parser *p) {
    size_t length = 1;
    while (p->begin[length] && p->begin[length] != '"')
        length += p->begin[length] == '\\' && p->begin[length + 1] ? 2 : 1;
    if (p->begin[length] && length > 1) take(p, QUOTED, LTL_PROPOSITION, length + 1);
    else take(p, WRONG, LTL_FALSE, length);
}

static void next(struct parser *p) {
    p->begin = p->at;
    if (p->pending) {
        p->pending--;
        take(p, UNARY, letter(*p->begin), 1);
        return;
    }
    while (isspace((unsigned char)*p->begin)) p->begin++;
    if (!*p->begin) {
        take(p, END, LTL_FALSE, 0);
        return;
    }
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        size_t n = strlen(signs[i].text);
        bool number = isdigit((unsigned char)*p->begin) && in_name(p->begin + 1);
        if (strncmp(p->begin, signs[i].text, n) == 0 && !number) {
            take(p, signs[i].token, signs[i].op, n);
            return;
        }
    }
    if (*p->begin == '"') quoted(p);
    else if (isalpha((unsigned char)*p->begin) || *p->begin == '_') word(p);
    else take(p, WRONG, LTL_FALSE, 1);
}

/* ---- Messages ---- */

static bool complain(struct parser *p, const char *expected) {
    size_t column = (size_t)(p->begin - p->text), length = p->length < 40 ? p->length : 40;
    char *found = p->token == END ? memory_copy_string("the end") : text_format("'%.*s'", (int)length, p->begin);
    bool one_line = strlen(p->text) <= 200 && !strpbrk(p->text, "\n\t");
    if (*p->begin == '"' && p->token == WRONG) expected = "a name in quotes, with a quote at its end";
    if (one_line)
        problem_set(p->why, EXIT_BAD_INPUT, "formula, column %zu: expected %s, found %s\n  %s\n  %*s^", column + 1,
                    expected, found, p->text, (int)column, "");
    else problem_set(p->why, EXIT_BAD_INPUT, "formula, column %zu: expected %s, found %s", column + 1, expected, found);
    free(found);
    return false;
}

/* ---- Formulas ---- */

static int strength(enum ltl_op op) {
    switch (op) {
    case LTL_IMPLIES:
    case LTL_EQUIVALENT: return 1;
    case LTL_XOR: return 2;
    case LTL_OR: return 3;
    case LTL_AND: return 4;
    default: return 5;
    }
}

static bool binary(struct parser *p, int least, uint32_t *formula);

static bool proposition(struct parser *p, uint32_t *formula) {
    char *name = memory_get(p->length + 1);
    size_t n = 0, first = p->token == QUOTED, last = p->length - first;
    for (size_t i = first; i < last; i++) {
        if (p->token == QUOTED && p->begin[i] == '\\' && i + 1 < last) i++;
        name[n++] = p->begin[i];
    }
    name[n] = 0;
    if (n <= LONGEST_NAME) *formula = ltl_proposition(p->l, name);
    free(name);
    if (n > LONGEST_NAME) return complain(p, "a name that is not so long");
    next(p);
    return true;
}

static bool operand(struct parser *p, uint32_t *formula) {
    enum ltl_op op = p->op;
    if (++p->depth > DEEPEST) return complain(p, "a formula that is not nested so deeply");
    bool fine = true;
    switch (p->token) {
    case CONSTANT:
        *formula = ltl_make(p->l, op, 0, 0);
        next(p);
        break;
    case NAME:
    case QUOTED: fine = proposition(p, formula); break;
    case UNARY:
        next(p);
        fine = operand(p, formula);
        if (fine) *formula = ltl_make(p->l, op, *formula, 0);
        break;
    case OPEN:
        next(p);
        fine = binary(p, 0, formula) && (p->token == CLOSE || complain(p, "')' or an operator"));
        if (fine) next(p);
        break;
    default: fine = complain(p, "a proposition, '(', '!', X, F or G");
    }
    p->depth--;
    return fine;
}

/* All binary operators associate to the right. */
static bool binary(struct parser *p, int least, uint32_t *formula) {
    uint32_t right = 0;
    if (!operand(p, formula)) return false;
    while (p->token == BINARY && strength(p->op) >= least) {
        enum ltl_op op = p->op;
        next(p);
        if (++p->depth > DEEPEST) return complain(p, "a formula that is not nested so deeply");
        if (!binary(p, strength(op), &right)) return false;
        p->depth--;
        *formula = ltl_make(p->l, op, *formula, right);
        if (p->l->count > MOST_NODES) return complain(p, "a shorter formula");
    }
    return true;
}

bool ltl_parse(struct ltl *l, const char *text, uint32_t *formula, struct problem *why) {
    struct parser p = {.l = l, .text = text, .at = text, .why = why};
    next(&p);
    if (!binary(&p, 0, formula)) return false;
    return p.token == END || complain(&p, "an operator or the end");
}
