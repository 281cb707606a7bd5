#include "omega/ctl/ctl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { DEEPEST = 500, MOST_NODES = 10000 };

struct parser {
    struct ctl *f;
    const char *text, *at;
    struct problem *why;
    bool wrong;
    unsigned depth;
};

/* ---- Nodes: equal ones are one ---- */

static uint32_t make(struct parser *p, enum ctl_op op, uint32_t left, uint32_t right) {
    struct ctl *f = p->f;
    if (p->wrong) return 0;
    if (op == CTL_NOT && f->node[left].op == CTL_NOT) return f->node[left].left;
    for (uint32_t i = 0; i < f->count; i++)
        if (f->node[i].op == op && f->node[i].left == left && f->node[i].right == right) return i;
    if (f->count >= MOST_NODES) p->wrong = true;
    if (p->wrong) return 0;
    MAKE_ROOM(f->node, f->count, f->room);
    f->node[f->count] = (struct ctl_node){op, left, right};
    return f->count++;
}

static uint32_t not(struct parser * p, uint32_t a) { return make(p, CTL_NOT, a, 0); }
static uint32_t or (struct parser * p, uint32_t a, uint32_t b) { return make(p, CTL_OR, a, b); }
static uint32_t and (struct parser * p, uint32_t a, uint32_t b) { return not(p, or (p, not(p, a), not(p, b))); }
static uint32_t until(struct parser *p, uint32_t a, uint32_t b) { return make(p, CTL_UNTIL, a, b); }
static uint32_t always(struct parser *p, uint32_t a) { return make(p, CTL_ALWAYS, a, 0); }

static uint32_t quantified(struct parser *p, bool all, char what, uint32_t a) {
    uint32_t yes = make(p, CTL_TRUE, 0, 0);
    if (what == 'X') return all ? not(p, make(p, CTL_NEXT, not(p, a), 0)) : make(p, CTL_NEXT, a, 0);
    if (what == 'F') return all ? not(p, always(p, not(p, a))) : until(p, yes, a);
    return all ? not(p, until(p, yes, not(p, a))) : always(p, a);
}

static uint32_t quantified_until(struct parser *p, bool all, uint32_t a, uint32_t b) {
    if (!all) return until(p, a, b);
    uint32_t lost = until(p, not(p, b), and(p, not(p, a), not(p, b)));
    return not(p, or (p, lost, always(p, not(p, b))));
}

/* ---- Text ---- */

static uint32_t fail(struct parser *p, const char *what) {
    if (!p->wrong)
        problem_set(p->why, EXIT_BAD_INPUT, "--ctl '%s': %s at character %zu%s%.20s%s", p->text, what,
                    (size_t)(p->at - p->text) + 1, *p->at ? ": '" : " (the end)", p->at, *p->at ? "'" : "");
    p->wrong = true;
    return 0;
}

static void skip(struct parser *p) {
    while (isspace((unsigned char)*p->at)) p->at++;
}

static bool take(struct parser *p, const char *sign) {
    skip(p);
    if (strncmp(p->at, sign, strlen(sign)) != 0) return false;
    p->at += strlen(sign);
    return true;
}

static bool in_name(const char *c) {
    return isalnum((unsigned char)*c) || *c == '_' || (*c == '.' && (isalnum((unsigned char)c[1]) || c[1] == '_'));
}

/* A whole word, if it is this one. */
static bool take_word(struct parser *p, const char *word) {
    size_t length = strlen(word);
    skip(p);
    if (strncmp(p->at, word, length) != 0 || in_name(p->at + length)) return false;
    p->at += length;
    return true;
}

static uint32_t equivalence(struct parser *p);

static uint32_t name(struct parser *p) {
    size_t length = 0, quoted = 0;
    skip(p);
    if (*p->at == '"') {
        for (length = 1; p->at[length] && p->at[length] != '"'; length++) {}
        if (!p->at[length] || length == 1) return fail(p, "a name between quotes is expected");
        quoted = 1;
        length--;
    } else {
        while (in_name(p->at + length)) length++;
    }
    if (length == 0) return fail(p, "a proposition or an operator is expected");
    char *text = text_format("%.*s", (int)length, p->at + quoted);
    uint32_t number = names_add(&p->f->names, text);
    free(text);
    p->at += length + 2 * quoted;
    return make(p, CTL_PROPOSITION, number, 0);
}

static uint32_t bracketed_until(struct parser *p, bool all) {
    bool square = take(p, "[");
    if (!square && !take(p, "(")) return fail(p, "after E or A, X, F or G or ( is expected");
    uint32_t a = equivalence(p);
    if (!p->wrong && !take_word(p, "U")) return fail(p, "U is expected");
    uint32_t b = equivalence(p);
    if (!p->wrong && !take(p, square ? "]" : ")")) return fail(p, "a closing bracket is expected");
    return quantified_until(p, all, a, b);
}

static uint32_t unary(struct parser *p) {
    static const char *const words[] = {"EX", "EF", "EG", "AX", "AF", "AG"};
    uint32_t made = 0;
    if (p->wrong || ++p->depth > DEEPEST) return p->wrong ? 0 : fail(p, "the formula is nested too deeply");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (take_word(p, words[i])) {
            uint32_t a = unary(p);
            p->depth--;
            return p->wrong ? 0 : quantified(p, words[i][0] == 'A', words[i][1], a);
        }
    if (take(p, "!")) {
        uint32_t a = unary(p);
        if (!p->wrong) made = not(p, a);
    } else if (take_word(p, "E")) made = bracketed_until(p, false);
    else if (take_word(p, "A")) made = bracketed_until(p, true);
    else if (take_word(p, "true")) made = make(p, CTL_TRUE, 0, 0);
    else if (take_word(p, "false")) made = not(p, make(p, CTL_TRUE, 0, 0));
    else if (take(p, "(")) {
        made = equivalence(p);
        if (!p->wrong && !take(p, ")")) fail(p, "a closing bracket is expected");
    } else made = name(p);
    p->depth--;
    return made;
}

static uint32_t conjunction(struct parser *p) {
    uint32_t a = unary(p);
    while (!p->wrong && (take(p, "&&") || take(p, "&"))) {
        uint32_t b = unary(p);
        if (!p->wrong) a = and(p, a, b);
    }
    return a;
}

static uint32_t disjunction(struct parser *p) {
    uint32_t a = conjunction(p);
    while (!p->wrong && (take(p, "||") || take(p, "|"))) {
        uint32_t b = conjunction(p);
        if (!p->wrong) a = or (p, a, b);
    }
    return a;
}

/* To the right. */
static uint32_t implication(struct parser *p) {
    uint32_t a = disjunction(p);
    if (p->wrong || !(take(p, "->") || take(p, "=>"))) return a;
    if (++p->depth > DEEPEST) return fail(p, "the formula is nested too deeply");
    uint32_t b = implication(p);
    p->depth--;
    return p->wrong ? 0 : or (p, not(p, a), b);
}

static uint32_t equivalence(struct parser *p) {
    uint32_t a = implication(p);
    while (!p->wrong && (take(p, "<->") || take(p, "<=>"))) {
        uint32_t b = implication(p);
        if (!p->wrong) a = and(p, or (p, not(p, a), b), or (p, not(p, b), a));
    }
    return a;
}

bool ctl_parse(struct ctl *f, const char *text, struct problem *why) {
    *f = (struct ctl){0};
    struct parser p = {.f = f, .text = text, .at = text, .why = why};
    names_init(&f->names);
    f->root = equivalence(&p);
    skip(&p);
    if (!p.wrong && *p.at) fail(&p, "an operator or the end is expected");
    if (p.wrong && !why->status) problem_set(why, EXIT_BAD_INPUT, "--ctl: the formula is too long");
    return !p.wrong;
}

void ctl_fini(struct ctl *f) {
    free(f->node);
    names_fini(&f->names);
    *f = (struct ctl){0};
}
