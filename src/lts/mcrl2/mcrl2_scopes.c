/* What has variables of its own: quantifiers, lambda, comprehensions and where clauses; and the sorts of variables. */
#include <string.h>

#include "lts/mcrl2/mcrl2_parts.h"

/* ---- Sorts ---- */

static void print_sort(struct printer *p, uint32_t sort);

/* A # (B -> C) -> D */
static void print_function_sort(struct printer *p, uint32_t sort) {
    const char *gap = "";
    for (uint32_t l = aterm_argument(p->terms, sort, 0); aterm_is_pair(p->terms, l) && !p->wrong; gap = " # ") {
        uint32_t from = aterm_argument(p->terms, l, 0);
        bool function = aterm_is(p->terms, from, "SortArrow", 2);
        mcrl2_put(p, gap);
        if (function) mcrl2_put(p, "(");
        print_sort(p, from);
        if (function) mcrl2_put(p, ")");
        l = aterm_argument(p->terms, l, 1);
    }
    mcrl2_put(p, " -> ");
    print_sort(p, aterm_argument(p->terms, sort, 1));
}

static void print_container_sort(struct printer *p, uint32_t sort) {
    const char *name = aterm_name(p->terms, aterm_argument(p->terms, sort, 0));
    mcrl2_put(p, strncmp(name, "Sort", 4) == 0 ? name + 4 : name); /* SortList */
    mcrl2_put(p, "(");
    print_sort(p, aterm_argument(p->terms, sort, 1));
    mcrl2_put(p, ")");
}

static void print_sort(struct printer *p, uint32_t sort) {
    if (++p->depth > MCRL2_DEEPEST) p->wrong = "is nested too deeply";
    if (p->wrong) return;
    if (aterm_is(p->terms, sort, "SortId", 1)) mcrl2_put(p, aterm_name(p->terms, aterm_argument(p->terms, sort, 0)));
    else if (aterm_is(p->terms, sort, "SortCons", 2)) print_container_sort(p, sort);
    else if (aterm_is(p->terms, sort, "SortArrow", 2)) print_function_sort(p, sort);
    else mcrl2_expression(p, sort);
    p->depth--;
}

/* ---- Variables ---- */

static uint32_t sort_of(const struct printer *p, uint32_t variable) { return aterm_argument(p->terms, variable, 1); }

/* x, y: Nat, z: Bool */
static void print_variables(struct printer *p, uint32_t list) {
    for (const char *gap = ""; aterm_is_pair(p->terms, list) && !p->wrong;) {
        uint32_t variable = aterm_argument(p->terms, list, 0), rest = aterm_argument(p->terms, list, 1);
        mcrl2_put(p, gap);
        mcrl2_expression(p, variable);
        list = rest;
        gap = ",";
        if (!mcrl2_is_variable(p->terms, variable)) continue;
        if (aterm_is_pair(p->terms, rest)) {
            uint32_t next = aterm_argument(p->terms, rest, 0);
            if (mcrl2_is_variable(p->terms, next) && sort_of(p, next) == sort_of(p, variable)) continue;
        }
        mcrl2_put(p, ": ");
        print_sort(p, sort_of(p, variable));
        gap = ", ";
    }
}

/* ---- Scopes ---- */

static void print_comprehension(struct printer *p, uint32_t binder) {
    mcrl2_put(p, "{ ");
    print_variables(p, aterm_argument(p->terms, binder, 1));
    mcrl2_put(p, " | ");
    mcrl2_expression(p, aterm_argument(p->terms, binder, 2));
    mcrl2_put(p, " }");
}

static bool print_binder(struct printer *p, uint32_t e) {
    static const char *const words[][2] = {{"Forall", "forall "}, {"Exists", "exists "}, {"Lambda", "lambda "}};
    const char *kind = aterm_name(p->terms, aterm_argument(p->terms, e, 0));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(kind, words[i][0]) != 0) continue;
        mcrl2_put(p, words[i][1]);
        print_variables(p, aterm_argument(p->terms, e, 1));
        mcrl2_put(p, ". ");
        mcrl2_expression(p, aterm_argument(p->terms, e, 2));
        return true;
    }
    print_comprehension(p, e);
    return true;
}

/* e whr x = 1, y = 2 end */
static bool print_where(struct printer *p, uint32_t e) {
    mcrl2_expression(p, aterm_argument(p->terms, e, 0));
    mcrl2_put(p, " whr ");
    const char *gap = "";
    for (uint32_t l = aterm_argument(p->terms, e, 1); aterm_is_pair(p->terms, l) && !p->wrong; gap = ", ") {
        uint32_t definition = aterm_argument(p->terms, l, 0);
        bool known = aterm_is(p->terms, definition, "DataVarIdInit", 2);
        mcrl2_put(p, gap);
        mcrl2_expression(p, known ? aterm_argument(p->terms, definition, 0) : definition);
        if (known) {
            mcrl2_put(p, " = ");
            mcrl2_expression(p, aterm_argument(p->terms, definition, 1));
        }
        l = aterm_argument(p->terms, l, 1);
    }
    mcrl2_put(p, " end");
    return true;
}

bool mcrl2_print_scope(struct printer *p, uint32_t e) {
    if (aterm_is(p->terms, e, "Binder", 3)) return print_binder(p, e);
    return aterm_is(p->terms, e, "Whr", 2) && print_where(p, e);
}

/* ---- Sets and bags that are functions, but for some elements ---- */

/* What stands for the sort of the elements: that of the function's symbol. */
static bool domain_of(const struct aterms *t, uint32_t function, uint32_t *sort) {
    if (!mcrl2_is_symbol(t, function)) return false;
    *sort = aterm_argument(t, function, 1);
    if (!aterm_is(t, *sort, "SortArrow", 2) || !aterm_is_pair(t, aterm_argument(t, *sort, 0))) return false;
    *sort = aterm_argument(t, aterm_argument(t, *sort, 0), 0);
    return true;
}

/* { x: S | f(x) != x in {1} } */
static bool print_function(struct printer *p, uint32_t function, uint32_t except, bool none) {
    uint32_t sort;
    if (!domain_of(p->terms, function, &sort)) return false;
    mcrl2_put(p, "{ x: ");
    print_sort(p, sort);
    mcrl2_put(p, " | ");
    mcrl2_expression(p, function);
    mcrl2_put(p, none ? "(x) }" : "(x) != x in ");
    if (none) return true;
    mcrl2_expression(p, except);
    mcrl2_put(p, " }");
    return true;
}

bool mcrl2_print_comprehension(struct printer *p, uint32_t e) {
    bool set = mcrl2_applies(p->terms, e, "@set", 2);
    if (!set && !mcrl2_applies(p->terms, e, "@bag", 2)) return false;
    uint32_t function = mcrl2_operand(p->terms, e, 0), except = mcrl2_operand(p->terms, e, 1);
    const char *name = mcrl2_symbol_name(p->terms, function);
    bool none = strcmp(mcrl2_symbol_name(p->terms, except), set ? "{}" : "{:}") == 0;
    if (strcmp(name, set ? "@false_" : "@zero_") == 0) return mcrl2_expression(p, except), true;
    if (set && strcmp(name, "@true_") == 0) return mcrl2_put(p, "!"), mcrl2_expression(p, except), true;
    if (none && aterm_is(p->terms, function, "Binder", 3)) return print_comprehension(p, function), true;
    return (set || none) && print_function(p, function, except, none);
}
