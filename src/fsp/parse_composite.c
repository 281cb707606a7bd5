/* Composite processes. */
#include "fsp/parser.h"

static struct composite *parse_component(struct parser *p);

static const struct composite *parse_components(struct parser *p) {
    const struct composite *first = NULL, **end = &first;
    do {
        struct composite *c = parse_component(p);
        *end = c;
        end = &c->next;
    } while (parser_accept(p, TOKEN_BARS));
    return first;
}

static bool at_prefix(const struct parser *p) {
    static const enum token_kind after[] = {TOKEN_COLON, TOKEN_COLONS};
    return parse_is_label(p, after, 2);
}

static void parse_prefixes(struct parser *p, struct composite *c) {
    if (!at_prefix(p)) return;
    const struct label *label = parse_label(p);
    if (parser_accept(p, TOKEN_COLONS)) {
        c->shared = label;
        if (!at_prefix(p)) return;
        label = parse_label(p);
    }
    c->prefix = label;
    parser_expect(p, TOKEN_COLON, c->shared ? "after the label of a process" : "or '::' after the label of a process");
}

static void parse_labelled(struct parser *p, struct composite *c) {
    parse_prefixes(p, c);
    if (parser_accept(p, TOKEN_LEFT_ROUND)) {
        c->kind = COMPOSITE_LIST;
        c->inner = parse_components(p);
        parser_expect(p, TOKEN_RIGHT_ROUND, "or '||' after a process of a composition");
    } else {
        c->kind = COMPOSITE_REFERENCE;
        c->at = p->next->at;
        c->name = parser_name(p, TOKEN_UPPER, "the name of a process or '('");
        c->arguments = parse_arguments(p);
    }
    c->relabels = parse_relabels(p);
}

static void parse_forall(struct parser *p, struct composite *c) {
    c->kind = COMPOSITE_FORALL;
    parser_accept(p, TOKEN_FORALL);
    c->indices = parse_indices(p);
    if (!c->indices) parser_expected(p, "'[' after forall");
    c->inner = parse_component(p);
}

static void parse_condition(struct parser *p, struct composite *c) {
    c->kind = COMPOSITE_IF;
    parser_accept(p, TOKEN_IF);
    c->condition = parse_expression(p);
    parser_expect(p, TOKEN_THEN, "after the condition");
    c->inner = parse_component(p);
    if (parser_accept(p, TOKEN_ELSE)) c->otherwise = parse_component(p);
}

static struct composite *parse_component(struct parser *p) {
    struct composite *c = arena_get(p->arena, sizeof *c);
    c->at = p->next->at;
    if (!parser_enter(p)) return c;
    if (parser_at(p, TOKEN_FORALL)) parse_forall(p, c);
    else if (parser_at(p, TOKEN_IF)) parse_condition(p, c);
    else parse_labelled(p, c);
    parser_leave(p);
    return c;
}

/* The name and the parameters have been read. */
void parse_composite(struct parser *p, struct definition *d) {
    d->kind = DEFINITION_COMPOSITE;
    parser_expect(p, TOKEN_BECOMES, "after the name of a composite process");
    d->composite = parse_component(p);
    if (parser_at(p, TOKEN_BARS))
        parser_expected(p, "'.' at the end of a composite process (a composition is written in parentheses: (P || Q))");
    d->priority_high = parser_at(p, TOKEN_SHIFT_LEFT);
    if (parser_accept(p, TOKEN_SHIFT_LEFT) || parser_accept(p, TOKEN_SHIFT_RIGHT)) d->priority = parse_set(p);
    d->hidden_rest = parser_at(p, TOKEN_AT);
    if (parser_accept(p, TOKEN_BACKSLASH) || parser_accept(p, TOKEN_AT)) d->hidden = parse_set(p);
    parser_expect(p, TOKEN_DOT, "at the end of a composite process (or '/', '<<' or '>>', '\\' or '@', in this order)");
}
