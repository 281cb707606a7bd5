#include "fsp/parser.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

bool parser_at_word(const struct parser *p, const char *word) {
    return (parser_at(p, TOKEN_UPPER) || parser_at(p, TOKEN_LOWER)) && strcmp(p->next->text, word) == 0;
}

bool parser_accept(struct parser *p, enum token_kind kind) {
    if (!parser_at(p, kind) || p->next == p->last) return false;
    p->next++;
    return true;
}

const struct token *parser_ahead(const struct parser *p, size_t count) {
    return count < (size_t)(p->last - p->next) ? p->next + count : p->last;
}

void parser_fail(struct parser *p, struct place at, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *message = text_vformat(fmt, args);
    va_end(args);
    source_problem(p->source, at, p->why, "%s", message);
    free(message);
    p->next = p->last;
}

static char *describe(const struct token *t) {
    if (t->kind == TOKEN_END) return text_format("the end of the file");
    if (t->kind == TOKEN_STRING) return text_format("\"%s\"", t->text);
    if (t->kind >= TOKEN_CONST && t->kind <= TOKEN_FORALL) return text_format("the word '%s'", token_text(t->kind));
    return text_format("'%s'", t->kind < TOKEN_CONST ? t->text : token_text(t->kind));
}

void parser_expected(struct parser *p, const char *what) {
    char *found = describe(p->next);
    parser_fail(p, p->next->at, "expected %s, found %s", what, found);
    free(found);
}

void parser_expect(struct parser *p, enum token_kind kind, const char *where) {
    if (parser_accept(p, kind)) return;
    char *what = text_format("'%s' %s", token_text(kind), where);
    parser_expected(p, what);
    free(what);
}

const char *parser_name(struct parser *p, enum token_kind kind, const char *what) {
    if (parser_at(p, kind)) return p->next++->text;
    parser_expected(p, what);
    return "";
}

bool parser_enter(struct parser *p) {
    if (++p->depth <= PARSER_DEPTH) return true;
    parser_fail(p, p->next->at, "this is nested more than %d deep; give parts of it names of their own", PARSER_DEPTH);
    return false;
}

void parser_leave(struct parser *p) { p->depth--; }
