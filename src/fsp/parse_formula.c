/* Formulas of linear temporal logic, with actions and fluents. */
#include "fsp/parser.h"

#include <string.h>

static struct formula *parse_unary(struct parser *p);

static struct formula *new_formula(struct parser *p, enum formula_kind kind) {
    struct formula *f = arena_get(p->arena, sizeof *f);
    f->at = p->next->at;
    f->kind = kind;
    return f;
}

/* A formula has no end of its own: "|| C = " and "|| C(N = " begin a composite. */
static bool at_composite(const struct parser *p) {
    return parser_at(p, TOKEN_BARS) && parser_ahead(p, 1)->kind == TOKEN_UPPER &&
           (parser_ahead(p, 2)->kind == TOKEN_BECOMES ||
            (parser_ahead(p, 2)->kind == TOKEN_LEFT_ROUND && parser_ahead(p, 4)->kind == TOKEN_BECOMES));
}

struct connective {
    int binding; /* 0: none */
    bool from_right;
    enum formula_kind kind;
};

static struct connective connective_at(const struct parser *p) {
    if (at_composite(p)) return (struct connective){0};
    switch (p->next->kind) {
    case TOKEN_EQUIVALENT: return (struct connective){1, false, FORMULA_EQUIVALENT};
    case TOKEN_ARROW: return (struct connective){2, true, FORMULA_IMPLIES};
    case TOKEN_BARS: return (struct connective){3, false, FORMULA_OR};
    case TOKEN_ANDS: return (struct connective){4, false, FORMULA_AND};
    case TOKEN_UPPER:
        if (parser_at_word(p, "U")) return (struct connective){5, true, FORMULA_UNTIL};
        if (parser_at_word(p, "W")) return (struct connective){5, true, FORMULA_WEAK_UNTIL};
        break;
    default: break;
    }
    return (struct connective){0};
}

static struct formula *parse_binary(struct parser *p, int weakest) {
    struct formula *left = parse_unary(p);
    if (!parser_enter(p)) return left;
    for (struct connective c; (c = connective_at(p)).binding >= weakest;) {
        struct formula *f = new_formula(p, c.kind);
        p->next++;
        f->left = left;
        struct formula *right = parse_binary(p, c.from_right ? c.binding : c.binding + 1);
        f->right = right;
        f->height = 1 + (left->height > right->height ? left->height : right->height);
        if (f->height > PARSER_EXPRESSION)
            parser_fail(p, f->at, "this formula has more than %d operators within each other", PARSER_EXPRESSION);
        left = f;
    }
    parser_leave(p);
    return left;
}

static struct formula *parse_operator(struct parser *p, enum formula_kind kind, size_t tokens) {
    struct formula *f = new_formula(p, kind);
    p->next += tokens;
    if (kind == FORMULA_FORALL || kind == FORMULA_EXISTS) {
        f->indices = parse_indices(p);
        if (!f->indices) parser_expected(p, "'[' before the index of a formula");
    }
    struct formula *left = parse_unary(p);
    f->left = left;
    f->height = left->height + 1;
    return f;
}

static struct formula *parse_enclosed(struct parser *p) {
    parser_accept(p, TOKEN_LEFT_ROUND);
    struct formula *f = parse_binary(p, 1);
    parser_expect(p, TOKEN_RIGHT_ROUND, "at the end of a formula in parentheses");
    return f;
}

static struct formula *parse_rigid(struct parser *p) {
    struct formula *f = new_formula(p, FORMULA_RIGID);
    p->next++;
    parser_expect(p, TOKEN_LEFT_ROUND, "after rigid");
    f->condition = parse_expression(p);
    parser_expect(p, TOKEN_RIGHT_ROUND, "after the expression of rigid");
    return f;
}

static struct formula *parse_reference(struct parser *p) {
    struct formula *f = new_formula(p, FORMULA_REFERENCE);
    f->name = p->next++->text;
    if (strcmp(f->name, "True") == 0) f->kind = FORMULA_TRUE;
    else if (strcmp(f->name, "False") == 0) f->kind = FORMULA_FALSE;
    else {
        f->subscripts = parse_subscripts(p);
        f->arguments = parse_arguments(p);
    }
    return f;
}

static struct formula *parse_actions(struct parser *p) {
    struct formula *f = new_formula(p, FORMULA_ACTIONS);
    f->actions = parse_label(p);
    return f;
}

static struct formula *parse_operand(struct parser *p) {
    switch (p->next->kind) {
    case TOKEN_NOT: return parse_operator(p, FORMULA_NOT, 1);
    case TOKEN_DIAMOND: return parse_operator(p, FORMULA_EVENTUALLY, 1);
    case TOKEN_FORALL: return parse_operator(p, FORMULA_FORALL, 1);
    case TOKEN_LEFT_ROUND: return parse_enclosed(p);
    case TOKEN_LEFT_SQUARE:
        if (parser_ahead(p, 1)->kind == TOKEN_RIGHT_SQUARE) return parse_operator(p, FORMULA_ALWAYS, 2);
        return parse_actions(p);
    case TOKEN_UPPER: return parser_at_word(p, "X") ? parse_operator(p, FORMULA_NEXT, 1) : parse_reference(p);
    case TOKEN_LOWER:
        if (parser_at_word(p, "exists")) return parse_operator(p, FORMULA_EXISTS, 1);
        if (parser_at_word(p, "rigid")) return parse_rigid(p);
        return parse_actions(p);
    case TOKEN_STRING:
    case TOKEN_LEFT_CURLY: return parse_actions(p);
    default: parser_expected(p, "a formula"); return new_formula(p, FORMULA_TRUE);
    }
}

static struct formula *parse_unary(struct parser *p) {
    if (!parser_enter(p)) return new_formula(p, FORMULA_TRUE);
    struct formula *f = parse_operand(p);
    parser_leave(p);
    return f;
}

const struct formula *parse_formula(struct parser *p) { return parse_binary(p, 1); }
