/* parser.h: from tokens to the syntax tree; used by the parse_*.c files only, but for parse_file.
 *
 * After the first problem, the parser sees nothing but the end of the file, so that every function comes to its end and
 * none has to look for failures: what they return is never NULL unless it says so, but has a meaning only if the whole
 * file could be parsed.
 */
#ifndef FSP_PARSER_H
#define FSP_PARSER_H

#include "fsp/lexer.h"

enum {
    PARSER_DEPTH = 300,      /* of parentheses, conditions and the like within each other */
    PARSER_EXPRESSION = 500, /* operators one above the other */
    PARSER_STEPS = 100,      /* of one label: a.b[1].c has four */
};

struct parser {
    const struct source *source;
    struct arena *arena;
    struct problem *why;
    const struct token *next, *last; /* the last is TOKEN_END */
    unsigned depth;
};

/* The definitions of the file, in their order. False: it is not FSP. */
bool parse_file(const struct source *source, struct arena *arena, struct definition **definitions, struct problem *why);

/* ---- Tokens ---- */

static inline bool parser_at(const struct parser *p, enum token_kind kind) { return p->next->kind == kind; }
bool parser_at_word(const struct parser *p, const char *word); /* a name that is spelt so */
bool parser_accept(struct parser *p, enum token_kind kind);
void parser_expect(struct parser *p, enum token_kind kind, const char *where);     /* "after the name of the process" */
const char *parser_name(struct parser *p, enum token_kind kind, const char *what); /* its text; `what` was expected */
void parser_expected(struct parser *p, const char *what); /* a problem: what was found instead */
void parser_fail(struct parser *p, struct place at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
const struct token *parser_ahead(const struct parser *p, size_t count);

/* Around everything that may contain itself. False: too deep. */
bool parser_enter(struct parser *p);
void parser_leave(struct parser *p);

/* ---- Constructs ---- */

const struct expression *parse_expression(struct parser *p);
const struct expression *parse_simple_expression(struct parser *p); /* without comparisons, unless in parentheses */
const struct label *parse_label(struct parser *p);
const struct set *parse_set(struct parser *p);            /* {a, b} or a name */
const struct set *parse_set_difference(struct parser *p); /* also {a, b} \ {b} */
const struct range *parse_range(struct parser *p);
const struct index *parse_indices(struct parser *p);       /* [i:R][j:S]; NULL if there are none */
const struct argument *parse_arguments(struct parser *p);  /* (1, 'a); NULL if there are none */
const struct argument *parse_subscripts(struct parser *p); /* [1][i]; NULL if there are none */
const struct relabel *parse_relabels(struct parser *p);    /* /{a/b}; NULL if there are none */
/* Is a label, and `after` it, what comes next? Only for what may be something else. */
bool parse_is_label(const struct parser *p, const enum token_kind *after, size_t count);

void parse_process(struct parser *p, struct definition *d);
void parse_composite(struct parser *p, struct definition *d);
const struct formula *parse_formula(struct parser *p);

#endif
