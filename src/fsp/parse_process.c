/* Primitive processes. */
#include "fsp/parser.h"

#include <string.h>

static const struct body *parse_body(struct parser *p);

/* After an arrow: another action, or what the process becomes? */
static bool at_action(const struct parser *p) {
    static const enum token_kind after[] = {TOKEN_ARROW};
    return parse_is_label(p, after, 1);
}

static struct alternative *parse_alternative(struct parser *p) {
    struct alternative *a = arena_get(p->arena, sizeof *a);
    const struct label **end = &a->actions;
    a->at = p->next->at;
    if (parser_accept(p, TOKEN_WHEN)) a->guard = parse_expression(p);
    do {
        struct label *l = (struct label *)parse_label(p);
        *end = l;
        end = &l->next;
        parser_expect(p, TOKEN_ARROW, "after an action");
    } while (at_action(p));
    a->body = parse_body(p);
    return a;
}

static void parse_choice(struct parser *p, struct body *b) {
    const struct alternative **end = &b->alternatives;
    b->kind = BODY_CHOICE;
    parser_accept(p, TOKEN_LEFT_ROUND);
    do {
        struct alternative *a = parse_alternative(p);
        *end = a;
        end = &a->next;
    } while (parser_accept(p, TOKEN_BAR));
    parser_expect(p, TOKEN_RIGHT_ROUND, "or '|' at the end of an alternative");
}

static void parse_condition(struct parser *p, struct body *b) {
    b->kind = BODY_IF;
    parser_accept(p, TOKEN_IF);
    b->condition = parse_expression(p);
    parser_expect(p, TOKEN_THEN, "after the condition");
    b->then = parse_body(p);
    if (parser_accept(p, TOKEN_ELSE)) b->otherwise = parse_body(p);
}

/* P(1); Q; rest: the name of P has been read. */
static void parse_sequence(struct parser *p, struct body *b) {
    const struct call **end = &b->calls;
    const char *name = b->name;
    struct place at = b->at;
    b->kind = BODY_SEQUENCE;
    for (;;) {
        struct call *c = arena_get(p->arena, sizeof *c);
        c->at = at;
        c->name = name;
        c->arguments = parse_arguments(p);
        *end = c;
        end = &c->next;
        parser_expect(p, TOKEN_SEMICOLON, "after a process that others follow");
        const struct token *t = parser_ahead(p, 1);
        if (!parser_at(p, TOKEN_UPPER) || (t->kind != TOKEN_LEFT_ROUND && t->kind != TOKEN_SEMICOLON)) break;
        at = p->next->at;
        name = p->next++->text;
    }
    b->then = parse_body(p);
}

static void parse_reference(struct parser *p, struct body *b) {
    b->name = p->next++->text;
    if (parser_at(p, TOKEN_LEFT_ROUND) || parser_at(p, TOKEN_SEMICOLON)) {
        parse_sequence(p, b);
        return;
    }
    b->kind = strcmp(b->name, "STOP") == 0    ? BODY_STOP
              : strcmp(b->name, "END") == 0   ? BODY_END
              : strcmp(b->name, "ERROR") == 0 ? BODY_ERROR
                                              : BODY_REFERENCE;
    if (b->kind == BODY_REFERENCE) b->indices = parse_subscripts(p);
    if (b->indices && parser_at(p, TOKEN_SEMICOLON))
        parser_fail(p, p->next->at,
                    "before ';' there must be a process that is defined at the top of the file, "
                    "without an index; parameters are written %s(...)",
                    b->name);
}

static const struct body *parse_body(struct parser *p) {
    struct body *b = arena_get(p->arena, sizeof *b);
    b->at = p->next->at;
    if (!parser_enter(p)) return b;
    switch (p->next->kind) {
    case TOKEN_LEFT_ROUND: parse_choice(p, b); break;
    case TOKEN_IF: parse_condition(p, b); break;
    case TOKEN_UPPER: parse_reference(p, b); break;
    default: parser_expected(p, "a process: '(', 'if' or a process's name"); break;
    }
    parser_leave(p);
    return b;
}

static bool is_reserved(const char *name) {
    return strcmp(name, "STOP") == 0 || strcmp(name, "END") == 0 || strcmp(name, "ERROR") == 0;
}

static struct local *parse_local(struct parser *p) {
    struct local *l = arena_get(p->arena, sizeof *l);
    l->at = p->next->at;
    l->name = parser_name(p, TOKEN_UPPER, "the name of a local process after ','");
    if (is_reserved(l->name)) parser_fail(p, l->at, "%s is the name of a process that FSP defines itself", l->name);
    l->indices = parse_indices(p);
    parser_expect(p, TOKEN_BECOMES, "after the name of a local process");
    l->body = parse_body(p);
    return l;
}

/* The name and the parameters have been read. */
void parse_process(struct parser *p, struct definition *d) {
    struct local *first = arena_get(p->arena, sizeof *first);
    const struct local **end = &first->next;
    d->kind = DEFINITION_PROCESS;
    if (is_reserved(d->name)) parser_fail(p, d->at, "%s is the name of a process that FSP defines itself", d->name);
    if (parser_at(p, TOKEN_LEFT_SQUARE))
        parser_fail(p, p->next->at,
                    "expected '=' or '(' after the name of a process: only local processes have indices; "
                    "write %s = %s[...], and define that after the comma",
                    d->name, d->name);
    parser_expect(p, TOKEN_BECOMES, "after the name of a process");
    first->at = d->at;
    first->name = d->name;
    first->body = parse_body(p);
    d->locals = first;
    while (parser_accept(p, TOKEN_COMMA)) {
        struct local *l = parse_local(p);
        *end = l;
        end = &l->next;
    }
    if (parser_accept(p, TOKEN_PLUS)) d->extension = parse_set(p);
    d->relabels = parse_relabels(p);
    d->hidden_rest = parser_at(p, TOKEN_AT);
    if (parser_accept(p, TOKEN_BACKSLASH) || parser_accept(p, TOKEN_AT)) d->hidden = parse_set(p);
    parser_expect(p, TOKEN_DOT, "at the end of a process (or ',' before a local one, or '+', '/', '\\', '@')");
}
