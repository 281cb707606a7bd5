/* lexer.h: the text of an FSP file as words and signs.
 *
 * Words that begin with an upper-case letter name processes, constants and the like; the others name actions and index
 * variables. A number that begins with 0 is octal, or hexadecimal after 0x.
 */
#ifndef FSP_LEXER_H
#define FSP_LEXER_H

#include <stddef.h>

#include "base/arena.h"
#include "base/problem.h"
#include "fsp/syntax.h"

enum token_kind {
    TOKEN_END,
    TOKEN_UPPER, /* a word */
    TOKEN_LOWER,
    TOKEN_NUMBER,
    TOKEN_STRING,

    /* Words with a meaning. */
    TOKEN_CONST,
    TOKEN_RANGE,
    TOKEN_SET,
    TOKEN_PROPERTY,
    TOKEN_MINIMAL,
    TOKEN_DETERMINISTIC,
    TOKEN_PROGRESS,
    TOKEN_MENU,
    TOKEN_FLUENT,
    TOKEN_ASSERT,
    TOKEN_IMPORT,
    TOKEN_IF,
    TOKEN_THEN,
    TOKEN_ELSE,
    TOKEN_WHEN,
    TOKEN_FORALL,

    /* Signs. */
    TOKEN_ARROW, /* -> */
    TOKEN_DOT,
    TOKEN_DOTS, /* .. */
    TOKEN_COMMA,
    TOKEN_SEMICOLON,
    TOKEN_COLON,
    TOKEN_COLONS, /* :: */
    TOKEN_LEFT_ROUND,
    TOKEN_RIGHT_ROUND,
    TOKEN_LEFT_SQUARE,
    TOKEN_RIGHT_SQUARE,
    TOKEN_LEFT_CURLY,
    TOKEN_RIGHT_CURLY,
    TOKEN_BECOMES, /* = */
    TOKEN_BAR,
    TOKEN_BARS, /* || */
    TOKEN_AND,
    TOKEN_ANDS, /* && */
    TOKEN_CARET,
    TOKEN_NOT,
    TOKEN_EQUAL, /* == */
    TOKEN_UNEQUAL,
    TOKEN_LESS,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER,
    TOKEN_GREATER_EQUAL,
    TOKEN_SHIFT_LEFT,  /* << */
    TOKEN_SHIFT_RIGHT, /* >> */
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_STAR,
    TOKEN_SLASH,
    TOKEN_PERCENT,
    TOKEN_BACKSLASH,
    TOKEN_AT,
    TOKEN_HASH,
    TOKEN_QUOTE,
    TOKEN_DIAMOND,    /* <> */
    TOKEN_EQUIVALENT, /* <-> */
    TOKEN_KINDS
};

struct token {
    enum token_kind kind;
    struct place at;
    const char *text; /* of words, numbers and strings, without quotes; else empty */
    int64_t number;
};

struct source {
    const char *path;
    const char *text;
};

/* "FILE:LINE:COLUMN: message", the line, and a mark below the column. Returns false. */
bool source_problem(const struct source *source, struct place at, struct problem *why, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* All tokens, the last of which is TOKEN_END; in the arena. NULL: the text has something in it that is none. */
struct token *lexer_run(const struct source *source, struct arena *arena, size_t *count, struct problem *why);

const char *token_text(enum token_kind kind); /* how a sign or a word with a meaning is written; or what it is */

#endif
