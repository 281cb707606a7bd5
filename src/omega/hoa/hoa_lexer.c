#include "omega/hoa/hoa_lexer.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void hoa_lex_start(struct hoa_lexer *x, const char *text, size_t size, const char *name, struct problem *why) {
    *x = (struct hoa_lexer){.name = name, .at = text, .end = text + size, .why = why, .line = 1, .line_start = text};
    x->text = memory_get_zeroed(x->room = 64);
}

void hoa_lex_fini(struct hoa_lexer *x) { free(x->text); }

bool hoa_complain(const struct hoa_lexer *x, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *text = text_vformat(fmt, args);
    va_end(args);
    problem_set(x->why, EXIT_BAD_INPUT, "%s:%u:%u: %s", x->name, x->token_line, x->token_column, text);
    free(text);
    return false;
}

bool hoa_expected(const struct hoa_lexer *x, const char *what) {
    switch (x->token) {
    case HOA_END_OF_FILE: return hoa_complain(x, "expected %s, but the file ends", what);
    case HOA_STRING: return hoa_complain(x, "expected %s, found \"%.40s\"", what, x->text);
    case HOA_INT: return hoa_complain(x, "expected %s, found %u", what, x->number);
    case HOA_SIGN: return hoa_complain(x, "expected %s, found '%c'", what, (char)x->number);
    case HOA_HEADER: return hoa_complain(x, "expected %s, found '%.40s:'", what, x->text);
    case HOA_ALIAS: return hoa_complain(x, "expected %s, found '@%.40s'", what, x->text);
    case HOA_BODY: return hoa_complain(x, "expected %s, found --BODY--", what);
    case HOA_END: return hoa_complain(x, "expected %s, found --END--", what);
    case HOA_ABORT: return hoa_complain(x, "expected %s, found --ABORT--", what);
    default: return hoa_complain(x, "expected %s, found '%.40s'", what, x->text);
    }
}

bool hoa_take_sign(struct hoa_lexer *x, char c, const char *what) {
    return hoa_is_sign(x, c) ? hoa_next(x) : hoa_expected(x, what);
}

bool hoa_take_int(struct hoa_lexer *x, uint32_t limit, const char *what, uint32_t *value) {
    if (x->token != HOA_INT) return hoa_expected(x, what);
    if (x->number >= limit) return hoa_complain(x, "%s %u is too large: it must be below %u", what, x->number, limit);
    *value = x->number;
    return hoa_next(x);
}

/* ---- Tokens ---- */

static void add_char(struct hoa_lexer *x, char c) {
    if (x->length + 2 > x->room) x->text = memory_resize(x->text, x->room *= 2);
    x->text[x->length++] = c;
    x->text[x->length] = 0;
}

static void forward(struct hoa_lexer *x) {
    if (*x->at++ == '\n') {
        x->line++;
        x->line_start = x->at;
    }
}

static void mark(struct hoa_lexer *x) {
    x->token_line = x->line;
    x->token_column = (unsigned)(x->at - x->line_start) + 1;
}

static bool starts(const struct hoa_lexer *x, const char *text) {
    size_t n = strlen(text);
    return (size_t)(x->end - x->at) >= n && memcmp(x->at, text, n) == 0;
}

/* Comments may be nested. */
static bool skip_comment(struct hoa_lexer *x) {
    unsigned depth = 0;
    mark(x);
    do {
        if (x->at == x->end) return hoa_complain(x, "this comment has no end");
        if (starts(x, "/*") || starts(x, "*/")) {
            if (*x->at == '/') depth++;
            else depth--;
            forward(x);
        }
        forward(x);
    } while (depth > 0);
    return true;
}

static bool skip_space(struct hoa_lexer *x) {
    for (;;) {
        while (x->at < x->end && isspace((unsigned char)*x->at)) forward(x);
        if (!starts(x, "/*")) return true;
        if (!skip_comment(x)) return false;
    }
}

static bool string(struct hoa_lexer *x) {
    x->token = HOA_STRING;
    forward(x);
    while (x->at < x->end && *x->at != '"') {
        if (*x->at == '\\' && x->at + 1 < x->end) forward(x);
        if (*x->at == 0) return hoa_complain(x, "there is a zero byte in this string");
        add_char(x, *x->at);
        forward(x);
    }
    if (x->at == x->end) return hoa_complain(x, "this string has no end");
    forward(x);
    return true;
}

static bool number(struct hoa_lexer *x) {
    uint64_t n = 0;
    x->token = HOA_INT;
    for (; x->at < x->end && isdigit((unsigned char)*x->at); forward(x)) {
        n = 10 * n + (uint64_t)(*x->at - '0');
        if (n > UINT32_MAX) return hoa_complain(x, "this number is too large");
    }
    x->number = (uint32_t)n;
    return true;
}

static bool in_identifier(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

static bool word(struct hoa_lexer *x) {
    x->token = HOA_IDENTIFIER;
    for (; x->at < x->end && in_identifier(*x->at); forward(x)) add_char(x, *x->at);
    if (x->at < x->end && *x->at == ':') {
        x->token = HOA_HEADER;
        forward(x);
    }
    return true;
}

static bool alias(struct hoa_lexer *x) {
    x->token = HOA_ALIAS;
    forward(x);
    for (; x->at < x->end && in_identifier(*x->at); forward(x)) add_char(x, *x->at);
    return x->length > 0 || hoa_complain(x, "expected a name after '@'");
}

static bool dashes(struct hoa_lexer *x) {
    static const struct {
        const char *text;
        enum hoa_token token;
    } all[] = {{"--BODY--", HOA_BODY}, {"--END--", HOA_END}, {"--ABORT--", HOA_ABORT}};
    for (int i = 0; i < 3; i++)
        if (starts(x, all[i].text)) {
            x->token = all[i].token;
            x->at += strlen(all[i].text);
            return true;
        }
    return hoa_complain(x, "expected --BODY--, --END-- or --ABORT--");
}

bool hoa_next(struct hoa_lexer *x) {
    if (!skip_space(x)) return false;
    mark(x);
    x->length = 0;
    x->text[0] = 0;
    if (x->at == x->end) return x->token = HOA_END_OF_FILE, true;
    char c = *x->at;
    if (c == '"') return string(x);
    if (isdigit((unsigned char)c)) return number(x);
    if (isalpha((unsigned char)c) || c == '_') return word(x);
    if (c == '@') return alias(x);
    if (c == '-') return dashes(x);
    if (c == 0 || !strchr("()[]{}&|!", c)) {
        if (isprint((unsigned char)c)) return hoa_complain(x, "'%c' does not belong here", c);
        return hoa_complain(x, "a byte with value %u does not belong here", (unsigned char)c);
    }
    x->token = HOA_SIGN;
    x->number = (unsigned char)c;
    forward(x);
    return true;
}
