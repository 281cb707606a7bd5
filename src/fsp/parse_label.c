/* Expressions, and the labels, sets and ranges in which they occur. */
#include "fsp/parser.h"

#include <string.h>

/* ---- Expressions ---- */

enum { WEAKEST = 1, SIMPLE = 9, NO_OPERATOR = 0 };

/* As in C. */
static int binding_of(enum token_kind kind) {
    switch (kind) {
    case TOKEN_BARS: return 1;
    case TOKEN_ANDS: return 2;
    case TOKEN_BAR: return 3;
    case TOKEN_CARET: return 4;
    case TOKEN_AND: return 5;
    case TOKEN_EQUAL:
    case TOKEN_UNEQUAL: return 6;
    case TOKEN_LESS:
    case TOKEN_LESS_EQUAL:
    case TOKEN_GREATER:
    case TOKEN_GREATER_EQUAL: return 7;
    case TOKEN_SHIFT_LEFT:
    case TOKEN_SHIFT_RIGHT: return 8;
    case TOKEN_PLUS:
    case TOKEN_MINUS: return SIMPLE;
    case TOKEN_STAR:
    case TOKEN_SLASH:
    case TOKEN_PERCENT: return 10;
    default: return NO_OPERATOR;
    }
}

static struct expression *new_expression(struct parser *p, enum expression_kind kind) {
    struct expression *e = arena_get(p->arena, sizeof *e);
    e->at = p->next->at;
    e->kind = kind;
    return e;
}

static struct expression *parse_unary(struct parser *p);

static struct expression *parse_binary(struct parser *p, int weakest) {
    struct expression *left = parse_unary(p);
    for (int binding; (binding = binding_of(p->next->kind)) >= weakest && binding != NO_OPERATOR;) {
        struct expression *e = new_expression(p, EXPRESSION_BINARY);
        e->op = p->next++->kind;
        e->left = left;
        struct expression *right = parse_binary(p, binding + 1);
        e->right = right;
        e->height = 1 + (left->height > right->height ? left->height : right->height);
        if (e->height > PARSER_EXPRESSION)
            parser_fail(p, e->at, "this expression has more than %d operators within each other", PARSER_EXPRESSION);
        left = e;
    }
    return left;
}

static struct expression *parse_element(struct parser *p) {
    struct expression *e = new_expression(p, EXPRESSION_ELEMENT);
    parser_accept(p, TOKEN_AT);
    parser_expect(p, TOKEN_LEFT_ROUND, "after '@', as in @(Set, index)");
    e->set = parse_set_difference(p);
    parser_expect(p, TOKEN_COMMA, "between a set and an index");
    e->left = parse_expression(p);
    parser_expect(p, TOKEN_RIGHT_ROUND, "after the index into a set");
    return e;
}

static struct expression *parse_enclosed(struct parser *p) {
    parser_accept(p, TOKEN_LEFT_ROUND);
    struct expression *e = parse_binary(p, WEAKEST);
    parser_expect(p, TOKEN_RIGHT_ROUND, "at the end of an expression in parentheses");
    e->enclosed = true;
    return e;
}

static struct expression *parse_operand(struct parser *p) {
    struct expression *e;
    switch (p->next->kind) {
    case TOKEN_LEFT_ROUND: return parse_enclosed(p);
    case TOKEN_AT: return parse_element(p);
    case TOKEN_NUMBER:
        e = new_expression(p, EXPRESSION_NUMBER);
        e->number = p->next++->number;
        return e;
    case TOKEN_LOWER:
    case TOKEN_UPPER:
        e = new_expression(p, EXPRESSION_NAME);
        e->name = p->next++->text;
        return e;
    case TOKEN_HASH:
        e = new_expression(p, EXPRESSION_SIZE);
        parser_accept(p, TOKEN_HASH);
        e->set = parse_set(p);
        return e;
    case TOKEN_QUOTE:
        e = new_expression(p, EXPRESSION_LABEL);
        parser_accept(p, TOKEN_QUOTE);
        e->label = parse_label(p);
        return e;
    default:
        e = new_expression(p, EXPRESSION_NUMBER);
        parser_expected(p, "an expression");
        return e;
    }
}

static struct expression *parse_unary(struct parser *p) {
    if (!parser_enter(p)) return new_expression(p, EXPRESSION_NUMBER);
    struct expression *e;
    if (parser_at(p, TOKEN_NOT) || parser_at(p, TOKEN_MINUS) || parser_at(p, TOKEN_PLUS)) {
        e = new_expression(p, EXPRESSION_UNARY);
        e->op = p->next++->kind;
        struct expression *left = parse_unary(p);
        e->left = left;
        e->height = left->height + 1;
    } else e = parse_operand(p);
    parser_leave(p);
    return e;
}

const struct expression *parse_expression(struct parser *p) { return parse_binary(p, WEAKEST); }
const struct expression *parse_simple_expression(struct parser *p) { return parse_binary(p, SIMPLE); }

/* ---- Sets and ranges ---- */

static const struct label *parse_members(struct parser *p) {
    const struct label *first = NULL, **end = &first;
    do {
        struct label *l = (struct label *)parse_label(p);
        *end = l;
        end = &l->next;
    } while (parser_accept(p, TOKEN_COMMA));
    return first;
}

const struct set *parse_set(struct parser *p) {
    struct set *s = arena_get(p->arena, sizeof *s);
    s->at = p->next->at;
    if (parser_at(p, TOKEN_UPPER)) s->name = p->next++->text;
    else if (!parser_accept(p, TOKEN_LEFT_CURLY)) parser_expected(p, "a set of labels: '{' or a set's name");
    else if (!parser_accept(p, TOKEN_RIGHT_CURLY)) {
        if (parser_enter(p)) s->members = parse_members(p);
        parser_leave(p);
        parser_expect(p, TOKEN_RIGHT_CURLY, "or ',' after a label of a set");
    }
    return s;
}

const struct set *parse_set_difference(struct parser *p) {
    const struct set *left = parse_set(p);
    if (!parser_accept(p, TOKEN_BACKSLASH)) return left;
    struct set *difference = arena_get(p->arena, sizeof *difference);
    *difference = *left;
    difference->without = parse_set(p);
    return difference;
}

const struct range *parse_range(struct parser *p) {
    struct range *r = arena_get(p->arena, sizeof *r);
    r->at = p->next->at;
    if (parser_at(p, TOKEN_LEFT_CURLY) || (parser_at(p, TOKEN_UPPER) && parser_ahead(p, 1)->kind == TOKEN_BACKSLASH)) {
        r->set = parse_set_difference(p);
        return r;
    }
    r->low = parse_expression(p);
    if (!parser_at(p, TOKEN_DOTS)) return r;
    if (r->low->kind == EXPRESSION_BINARY && !r->low->enclosed && binding_of((enum token_kind)r->low->op) < SIMPLE)
        parser_fail(p, r->at, "expected '..'; a bound of a range that compares needs parentheses");
    parser_accept(p, TOKEN_DOTS);
    r->high = parse_simple_expression(p);
    return r;
}

/* [i] or [i:R]: the variable, or NULL. */
static const struct range *parse_index(struct parser *p, const char **variable) {
    parser_accept(p, TOKEN_LEFT_SQUARE);
    if (parser_at(p, TOKEN_LOWER) && parser_ahead(p, 1)->kind == TOKEN_COLON) {
        *variable = p->next->text;
        p->next += 2;
    }
    const struct range *range = parse_range(p);
    parser_expect(p, TOKEN_RIGHT_SQUARE, "after an index");
    return range;
}

const struct index *parse_indices(struct parser *p) {
    const struct index *first = NULL, **end = &first;
    /* In a formula, [] may follow. */
    while (parser_at(p, TOKEN_LEFT_SQUARE) && parser_ahead(p, 1)->kind != TOKEN_RIGHT_SQUARE) {
        struct index *i = arena_get(p->arena, sizeof *i);
        i->at = p->next->at;
        i->range = parse_index(p, &i->variable);
        *end = i;
        end = &i->next;
    }
    return first;
}

/* ---- Labels ---- */

/* A name, or any text in quotes, which labels of imported LTSs may need. */
static void parse_name_step(struct parser *p, struct label_step *s) {
    const char *name = p->next->text;
    s->kind = STEP_NAME;
    s->name = name;
    if (strcmp(name, "tau") == 0) parser_fail(p, s->at, "'tau' is the invisible action and cannot be used as a label");
    else if (!*name || *name == '~') parser_fail(p, s->at, "a label must not be empty, and must not begin with '~'");
    else p->next++;
}

static struct label_step *parse_step(struct parser *p) {
    struct label_step *s = arena_get(p->arena, sizeof *s);
    s->at = p->next->at;
    switch (p->next->kind) {
    case TOKEN_LOWER:
    case TOKEN_STRING: parse_name_step(p, s); break;
    case TOKEN_LEFT_SQUARE:
        s->kind = STEP_INDEX;
        s->range = parse_index(p, &s->name);
        break;
    case TOKEN_UPPER:
    case TOKEN_LEFT_CURLY:
        s->kind = STEP_SET;
        s->set = parse_set_difference(p);
        break;
    case TOKEN_NUMBER: parser_expected(p, "an action label (an index is written in brackets: [1])"); break;
    default: parser_expected(p, "an action label"); break;
    }
    return s;
}

const struct label *parse_label(struct parser *p) {
    struct label *l = arena_get(p->arena, sizeof *l);
    const struct label_step **end = &l->steps;
    unsigned steps = 0;
    l->at = p->next->at;
    if (!parser_enter(p)) return l;
    do {
        if (++steps > PARSER_STEPS) parser_fail(p, l->at, "this label has more than %d parts", PARSER_STEPS);
        struct label_step *s = parse_step(p);
        *end = s;
        end = &s->next;
    } while (parser_accept(p, TOKEN_DOT) || parser_at(p, TOKEN_LEFT_SQUARE));
    parser_leave(p);
    return l;
}

/* Behind the bracket that closes the one at `t`, or the last token. */
static const struct token *skip_brackets(const struct parser *p, const struct token *t) {
    unsigned open = 0;
    for (; t < p->last; t++) {
        if (t->kind == TOKEN_LEFT_SQUARE || t->kind == TOKEN_LEFT_CURLY || t->kind == TOKEN_LEFT_ROUND) open++;
        if (t->kind == TOKEN_RIGHT_SQUARE || t->kind == TOKEN_RIGHT_CURLY || t->kind == TOKEN_RIGHT_ROUND) open--;
        if (open == 0) return t + 1;
    }
    return t;
}

static bool begins_label(const struct token *t) {
    return t->kind == TOKEN_LOWER || t->kind == TOKEN_STRING || t->kind == TOKEN_LEFT_SQUARE ||
           t->kind == TOKEN_LEFT_CURLY;
}

bool parse_is_label(const struct parser *p, const enum token_kind *after, size_t count) {
    if (begins_label(p->next)) return true;
    if (!parser_at(p, TOKEN_UPPER)) return false;
    const struct token *t = p->next + 1;
    while (t->kind == TOKEN_LEFT_SQUARE) t = skip_brackets(p, t);
    if (t->kind == TOKEN_BACKSLASH && (t[1].kind == TOKEN_LEFT_CURLY || t[1].kind == TOKEN_UPPER)) {
        t = t[1].kind == TOKEN_UPPER ? t + 2 : skip_brackets(p, t + 1);
    }
    if (t->kind == TOKEN_DOT) return begins_label(t + 1); /* no definition does */
    for (size_t i = 0; i < count; i++)
        if (t->kind == after[i]) return true;
    return false;
}

/* ---- Arguments and relabelling ---- */

const struct argument *parse_arguments(struct parser *p) {
    const struct argument *first = NULL, **end = &first;
    if (!parser_accept(p, TOKEN_LEFT_ROUND)) return NULL;
    do {
        struct argument *a = arena_get(p->arena, sizeof *a);
        a->value = parse_expression(p);
        *end = a;
        end = &a->next;
    } while (parser_accept(p, TOKEN_COMMA));
    parser_expect(p, TOKEN_RIGHT_ROUND, "after the parameters of a process");
    return first;
}

const struct argument *parse_subscripts(struct parser *p) {
    const struct argument *first = NULL, **end = &first;
    while (parser_accept(p, TOKEN_LEFT_SQUARE)) {
        struct argument *a = arena_get(p->arena, sizeof *a);
        a->value = parse_expression(p);
        *end = a;
        end = &a->next;
        parser_expect(p, TOKEN_RIGHT_SQUARE, "after an index");
    }
    return first;
}

static const struct relabel *parse_relabel_list(struct parser *p);

static struct relabel *parse_relabel(struct parser *p) {
    struct relabel *r = arena_get(p->arena, sizeof *r);
    r->at = p->next->at;
    if (parser_accept(p, TOKEN_FORALL)) {
        r->indices = parse_indices(p);
        if (!r->indices) parser_expected(p, "'[' after forall");
        r->inner = parse_relabel_list(p);
        return r;
    }
    r->new_label = parse_label(p);
    parser_expect(p, TOKEN_SLASH, "between the new label and the old one");
    r->old_label = parse_label(p);
    return r;
}

static const struct relabel *parse_relabel_list(struct parser *p) {
    const struct relabel *first = NULL, **end = &first;
    parser_expect(p, TOKEN_LEFT_CURLY, "before a list of relabellings new/old");
    if (!parser_enter(p)) return NULL;
    do {
        struct relabel *r = parse_relabel(p);
        *end = r;
        end = &r->next;
    } while (parser_accept(p, TOKEN_COMMA));
    parser_leave(p);
    parser_expect(p, TOKEN_RIGHT_CURLY, "or ',' after a relabelling");
    return first;
}

const struct relabel *parse_relabels(struct parser *p) {
    return parser_accept(p, TOKEN_SLASH) ? parse_relabel_list(p) : NULL;
}
