/* hoa_lexer.h: the words of an HOA file. Only for hoa_*.c. */
#ifndef OMEGA_HOA_HOA_LEXER_H
#define OMEGA_HOA_HOA_LEXER_H

#include <stddef.h>

#include "omega/cube.h"
#include "base/problem.h"

enum hoa_token {
    HOA_END_OF_FILE,
    HOA_HEADER,     /* a name with its colon; text is without */
    HOA_IDENTIFIER, /* also t and f */
    HOA_ALIAS,      /* text is without @ */
    HOA_STRING,     /* text is what it stands for */
    HOA_INT,
    HOA_SIGN, /* ( ) [ ] { } & | ! : `number` is the character */
    HOA_BODY,
    HOA_END,
    HOA_ABORT,
};

struct hoa_lexer {
    const char *name, *at, *end;
    struct problem *why;
    unsigned line;
    const char *line_start;
    enum hoa_token token; /* the one at hand, and where it begins: */
    unsigned token_line, token_column;
    uint32_t number; /* of HOA_INT and HOA_SIGN */
    char *text;      /* with a 0 at its end */
    size_t length, room;
    uint64_t work; /* what labels have cost so far */
};

void hoa_lex_start(struct hoa_lexer *x, const char *text, size_t size, const char *name, struct problem *why);
void hoa_lex_fini(struct hoa_lexer *x);
bool hoa_next(struct hoa_lexer *x); /* false: there is something that is no token; `why` says so */

static inline bool hoa_is_sign(const struct hoa_lexer *x, char c) {
    return x->token == HOA_SIGN && x->number == (unsigned char)c;
}

/* Reports something about the token at hand; returns false. */
bool hoa_complain(const struct hoa_lexer *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool hoa_expected(const struct hoa_lexer *x, const char *what); /* ... but found the token at hand */
bool hoa_take_sign(struct hoa_lexer *x, char c, const char *what);
bool hoa_take_int(struct hoa_lexer *x, uint32_t limit, const char *what, uint32_t *value); /* below the limit */

#endif
