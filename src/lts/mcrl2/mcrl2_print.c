#include "lts/mcrl2/mcrl2_print.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lts/mcrl2/mcrl2_parts.h"

/* ---- Text ---- */

void mcrl2_put(struct printer *p, const char *text) {
    size_t n = strlen(text);
    if (p->wrong) return;
    if (p->used + n > MCRL2_LONGEST) {
        p->wrong = "is longer than 65536 characters";
        return;
    }
    if (p->used + n + 1 > p->room) p->text = memory_resize(p->text, p->room = 2 * (p->used + n) + 64);
    memcpy(p->text + p->used, text, n + 1);
    p->used += n;
}

/* ---- Terms ---- */

bool mcrl2_is_symbol(const struct aterms *t, uint32_t e) {
    return aterm_is(t, e, "OpIdNoIndex", 2) || aterm_is(t, e, "OpId", 3);
}

bool mcrl2_is_variable(const struct aterms *t, uint32_t e) {
    return aterm_is(t, e, "DataVarId", 2) || aterm_is(t, e, "DataVarIdNoIndex", 2) || aterm_is(t, e, "DataVarId", 3);
}

const char *mcrl2_symbol_name(const struct aterms *t, uint32_t e) {
    return mcrl2_is_symbol(t, e) ? aterm_name(t, aterm_argument(t, e, 0)) : "";
}

static bool is_application(const struct aterms *t, uint32_t e) {
    return !aterm_is_number(t, e) && aterm_arity(t, e) > 0 && strcmp(aterm_name(t, e), "DataAppl") == 0;
}

const char *mcrl2_head(const struct aterms *t, uint32_t e, uint32_t count) {
    return is_application(t, e) && aterm_arity(t, e) == count + 1 ? mcrl2_symbol_name(t, aterm_argument(t, e, 0)) : "";
}

bool mcrl2_applies(const struct aterms *t, uint32_t e, const char *name, uint32_t count) {
    return strcmp(mcrl2_head(t, e, count), name) == 0;
}

uint32_t mcrl2_operand(const struct aterms *t, uint32_t e, uint32_t i) { return aterm_argument(t, e, i + 1); }

bool mcrl2_is_untimed(const struct aterms *t, uint32_t time) {
    return mcrl2_is_variable(t, time) && strcmp(aterm_name(t, aterm_argument(t, time, 0)), "@undefined_real") == 0;
}

/* ---- Operators ---- */

enum { WEAKEST = 0, BINDER = 1, UPDATE = 13, STRONGEST = 10000 };

/* How strongly they bind. What is right associative needs no parentheses on its right, else on its left. */
static const struct operation {
    const char *name, *text;
    int strength;
    bool right;
} operations[] = {
    {"=>", " => ", 2, true},     {"||", " || ", 3, true},      {"&&", " && ", 4, true},  {"==", " == ", 5, false},
    {"!=", " != ", 5, false},    {"<", " < ", 6, false},       {"<=", " <= ", 6, false}, {">", " > ", 6, false},
    {">=", " >= ", 6, false},    {"in", " in ", 6, false},     {"|>", " |> ", 7, true},  {"<|", " <| ", 8, false},
    {"++", " ++ ", 9, false},    {"+", " + ", 10, false},      {"-", " - ", 10, false},  {"div", " div ", 11, false},
    {"mod", " mod ", 11, false}, {"@cReal", " / ", 11, false}, {"/", " / ", 11, false},  {"*", " * ", 12, false},
    {".", " . ", 12, false},
};

static const struct operation *operation_of(const struct aterms *t, uint32_t e) {
    const char *name = mcrl2_head(t, e, 2);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, name) == 0) return &operations[i];
    return NULL;
}

/* A number that is taken for one of a larger sort: nothing is written of that. */
static bool is_cast(const struct aterms *t, uint32_t e) {
    static const char *const casts[] = {"@cNat",
                                        "@cInt",
                                        "Pos2Nat",
                                        "Pos2Int",
                                        "Nat2Int",
                                        "Pos2Real",
                                        "Nat2Real",
                                        "Int2Real",
                                        "@setfset",
                                        "@bagfbag",
                                        "@most_significant_digit",
                                        "@most_significant_digitNat"};
    const char *name = mcrl2_head(t, e, 1);
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        if (strcmp(casts[i], name) == 0) return true;
    return false;
}

static bool is_one(const struct aterms *t, uint32_t e) {
    if (strcmp(mcrl2_symbol_name(t, e), "@c1") == 0) return true;
    if (!mcrl2_applies(t, e, "@most_significant_digit", 1)) return false;
    e = mcrl2_operand(t, e, 0);
    return (aterm_is_number(t, e) && aterm_number(t, e) == 1) || strcmp(mcrl2_symbol_name(t, e), "@one_word") == 0;
}

/* What is written for it, without what is not seen. */
static uint32_t seen(const struct aterms *t, uint32_t e) {
    enum { MOST = 64 };
    for (int i = 0; i < MOST; i++) {
        if (is_cast(t, e)) e = mcrl2_operand(t, e, 0);
        else if (mcrl2_applies(t, e, "@cReal", 2) && is_one(t, mcrl2_operand(t, e, 1))) e = mcrl2_operand(t, e, 0);
        else break;
    }
    return e;
}

static int strength_of(const struct aterms *t, uint32_t e) {
    e = seen(t, e);
    if (aterm_is(t, e, "Whr", 2)) return WEAKEST;
    if (aterm_is(t, e, "Binder", 3)) {
        const char *kind = aterm_name(t, aterm_argument(t, e, 0));
        return strcmp(kind, "SetComp") == 0 || strcmp(kind, "BagComp") == 0 ? STRONGEST : BINDER;
    }
    if (mcrl2_applies(t, e, "@func_update", 3) || mcrl2_applies(t, e, "@func_update_stable", 3)) return UPDATE;
    const struct operation *o = mcrl2_is_enumeration(t, e) ? NULL : operation_of(t, e);
    return o ? o->strength : STRONGEST;
}

void mcrl2_operand_text(struct printer *p, uint32_t e, bool parentheses) {
    if (parentheses) mcrl2_put(p, "(");
    mcrl2_expression(p, e);
    if (parentheses) mcrl2_put(p, ")");
}

bool mcrl2_weaker(const struct aterms *t, uint32_t e, int strength) { return strength_of(t, e) < strength; }

static void print_operation(struct printer *p, uint32_t e, const struct operation *o) {
    uint32_t left = mcrl2_operand(p->terms, e, 0), right = mcrl2_operand(p->terms, e, 1);
    int before = strength_of(p->terms, left), behind = strength_of(p->terms, right);
    mcrl2_operand_text(p, left, before < o->strength || (before == o->strength && o->right));
    mcrl2_put(p, o->text);
    mcrl2_operand_text(p, right, behind < o->strength || (behind == o->strength && !o->right));
}

/* ---- Applications ---- */

static bool print_prefixed(struct printer *p, uint32_t e) {
    const char *name = mcrl2_head(p->terms, e, 1);
    if (strcmp(name, "@cNeg") == 0) name = "-";
    if (strcmp(name, "!") != 0 && strcmp(name, "-") != 0 && strcmp(name, "#") != 0) return false;
    uint32_t operand = mcrl2_operand(p->terms, e, 0);
    mcrl2_put(p, name);
    mcrl2_operand_text(p, operand, strength_of(p->terms, operand) < STRONGEST);
    return true;
}

static bool print_update(struct printer *p, uint32_t e) {
    if (!mcrl2_applies(p->terms, e, "@func_update", 3) && !mcrl2_applies(p->terms, e, "@func_update_stable", 3))
        return false;
    uint32_t function = mcrl2_operand(p->terms, e, 0);
    mcrl2_operand_text(p, function, aterm_is(p->terms, function, "Binder", 3));
    mcrl2_put(p, "[");
    mcrl2_expression(p, mcrl2_operand(p->terms, e, 1));
    mcrl2_put(p, " -> ");
    mcrl2_expression(p, mcrl2_operand(p->terms, e, 2));
    mcrl2_put(p, "]");
    return true;
}

static void print_call(struct printer *p, uint32_t e) {
    uint32_t head = aterm_argument(p->terms, e, 0), count = aterm_arity(p->terms, e);
    mcrl2_operand_text(p, head, aterm_is(p->terms, head, "Binder", 3));
    for (uint32_t i = 1; i < count && !p->wrong; i++) {
        mcrl2_put(p, i == 1 ? "(" : ", ");
        mcrl2_expression(p, aterm_argument(p->terms, e, i));
    }
    if (count > 1) mcrl2_put(p, ")");
}

static void print_application(struct printer *p, uint32_t e) {
    if (mcrl2_print_number(p, e) || mcrl2_print_enumeration(p, e)) return;
    const struct operation *o = operation_of(p->terms, e);
    if (o) print_operation(p, e, o);
    else if (!print_prefixed(p, e) && !print_update(p, e)) print_call(p, e);
}

/* What is not known. */
static void print_raw(struct printer *p, uint32_t e) {
    mcrl2_put(p, aterm_name(p->terms, e));
    for (uint32_t i = 0, count = aterm_arity(p->terms, e); i < count && !p->wrong; i++) {
        mcrl2_put(p, i == 0 ? "(" : ", ");
        mcrl2_expression(p, aterm_argument(p->terms, e, i));
        if (i == count - 1) mcrl2_put(p, ")");
    }
}

static void print_symbol(struct printer *p, uint32_t e) {
    static const char *const short_names[][2] = {{"@c0", "0"}, {"@c1", "1"}, {"@zero_word", "0"}, {"@one_word", "1"}};
    const char *name = aterm_name(p->terms, aterm_argument(p->terms, e, 0));
    for (size_t i = 0; i < sizeof short_names / sizeof *short_names; i++)
        if (strcmp(name, short_names[i][0]) == 0) name = short_names[i][1];
    mcrl2_put(p, name);
}

void mcrl2_expression(struct printer *p, uint32_t e) {
    enum { MOST_STEPS = 1 << 20 };
    e = seen(p->terms, e);
    if (++p->depth > MCRL2_DEEPEST || ++p->steps > MOST_STEPS) p->wrong = "is nested too deeply";
    if (p->wrong) return;
    if (aterm_is_number(p->terms, e)) {
        char *number = text_format("%llu", (unsigned long long)aterm_number(p->terms, e));
        mcrl2_put(p, number);
        free(number);
    } else if (mcrl2_is_symbol(p->terms, e)) print_symbol(p, e);
    else if (mcrl2_is_variable(p->terms, e) || aterm_is(p->terms, e, "UntypedIdentifier", 1))
        mcrl2_put(p, aterm_name(p->terms, aterm_argument(p->terms, e, 0)));
    else if (is_application(p->terms, e)) print_application(p, e);
    else if (!mcrl2_print_scope(p, e)) print_raw(p, e);
    p->depth--;
}

/* ---- Multi-actions ---- */

static bool is_action(const struct aterms *t, uint32_t e) {
    return aterm_is(t, e, "Action", 2) && aterm_is(t, aterm_argument(t, e, 0), "ActId", 2);
}

/* name(1, true) */
static char *print_action(struct printer *p, uint32_t action) {
    uint32_t label = aterm_argument(p->terms, action, 0), list = aterm_argument(p->terms, action, 1);
    *p = (struct printer){.terms = p->terms, .steps = p->steps, .wrong = p->wrong};
    mcrl2_put(p, aterm_name(p->terms, aterm_argument(p->terms, label, 0)));
    if (aterm_is_pair(p->terms, list)) {
        mcrl2_put(p, "(");
        mcrl2_list(p, list);
        mcrl2_put(p, ")");
    }
    return p->text;
}

struct printed {
    const char *name;
    char *text;
};

/* Names first: `a(1)` comes before `ab`. */
static int compare_printed(const void *a, const void *b) {
    const struct printed *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->text, y->text);
}

static void join(struct printer *p, struct printed *part, size_t count) {
    *p = (struct printer){.terms = p->terms, .wrong = p->wrong};
    mcrl2_put(p, count == 0 ? "tau" : "");
    if (count > 1) qsort(part, count, sizeof *part, compare_printed);
    for (size_t i = 0; i < count; i++) {
        mcrl2_put(p, i > 0 ? "|" : "");
        mcrl2_put(p, part[i].text ? part[i].text : "");
        free(part[i].text);
    }
    free(part);
}

char *mcrl2_multi_action(const struct aterms *t, uint32_t actions, uint32_t time, const char **wrong) {
    struct printer p = {.terms = t};
    struct printed *part = NULL;
    size_t count = 0, room = 0;
    for (; aterm_is_pair(t, actions) && !p.wrong; actions = aterm_argument(t, actions, 1)) {
        uint32_t action = aterm_argument(t, actions, 0);
        if (!is_action(t, action)) break;
        MAKE_ROOM(part, count, room);
        part[count].name = aterm_name(t, aterm_argument(t, aterm_argument(t, action, 0), 0));
        part[count++].text = print_action(&p, action);
    }
    if (!p.wrong && !aterm_is_empty(t, actions)) p.wrong = "is no list of actions";
    join(&p, part, count);
    if (!mcrl2_is_untimed(t, time)) {
        mcrl2_put(&p, " @ ");
        mcrl2_operand_text(&p, time, strength_of(t, time) < STRONGEST);
    }
    *wrong = p.wrong;
    if (!p.wrong) return p.text;
    free(p.text);
    return NULL;
}
