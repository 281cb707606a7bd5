#include "omega/ltl/ltl_formula.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- Nodes ---- */

static uint32_t hash_of(const void *nodes, uint32_t number) {
    struct ltl_node n = ((const struct ltl_node *)nodes)[number];
    uint64_t h = ((uint64_t)n.op << 58) ^ ((uint64_t)n.left << 29) ^ n.right;
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(h ^ h >> 31);
}

static bool same(const void *nodes, const void *wanted, uint32_t number) {
    const struct ltl_node *a = (const struct ltl_node *)nodes + number, *b = wanted;
    return a->op == b->op && a->left == b->left && a->right == b->right;
}

uint32_t ltl_make(struct ltl *l, enum ltl_op op, uint32_t left, uint32_t right) {
    struct ltl_node n = {op, left, right};
    assert(!(ltl_is_unary(op) || ltl_is_binary(op)) || left < l->count); /* operands have lower numbers */
    assert(!ltl_is_binary(op) || right < l->count);
    uint32_t *cell = table_find(&l->table, hash_of(&n, 0), same, l->node, &n);
    if (*cell) return *cell - 1;
    MAKE_ROOM(l->node, l->count, l->room);
    l->node[l->count++] = n;
    return table_put(&l->table, cell, hash_of, l->node);
}

uint32_t ltl_proposition(struct ltl *l, const char *name) {
    return ltl_make(l, LTL_PROPOSITION, names_add(&l->propositions, name), 0);
}

void ltl_init(struct ltl *l) {
    *l = (struct ltl){0};
    names_init(&l->propositions);
    table_init(&l->table, 128);
    ltl_make(l, LTL_FALSE, 0, 0);
    ltl_make(l, LTL_TRUE, 0, 0);
}

void ltl_fini(struct ltl *l) {
    names_fini(&l->propositions);
    free(l->node);
    table_fini(&l->table);
    *l = (struct ltl){0};
}

uint32_t ltl_import(struct ltl *to, const struct ltl *from, uint32_t formula) {
    struct ltl_node n = from->node[formula];
    if (n.op == LTL_PROPOSITION) return ltl_proposition(to, from->propositions.text[n.left]);
    if (ltl_is_unary(n.op)) return ltl_make(to, n.op, ltl_import(to, from, n.left), 0);
    if (!ltl_is_binary(n.op)) return ltl_make(to, n.op, 0, 0);
    uint32_t left = ltl_import(to, from, n.left), right = ltl_import(to, from, n.right);
    return ltl_make(to, n.op, left, right);
}

/* ---- Printing ---- */

static const struct {
    const char *text;
    int strength; /* what binds stronger needs no parentheses inside what binds weaker */
} shown[] = {
    [LTL_FALSE] = {"false", 9},      [LTL_TRUE] = {"true", 9},
    [LTL_PROPOSITION] = {"", 9},     [LTL_NOT] = {"!", 8},
    [LTL_NEXT] = {"X ", 8},          [LTL_FINALLY] = {"F ", 8},
    [LTL_GLOBALLY] = {"G ", 8},      [LTL_AND] = {" & ", 5},
    [LTL_OR] = {" | ", 4},           [LTL_IMPLIES] = {" -> ", 1},
    [LTL_EQUIVALENT] = {" <-> ", 1}, [LTL_XOR] = {" xor ", 3},
    [LTL_UNTIL] = {" U ", 6},        [LTL_WEAK_UNTIL] = {" W ", 6},
    [LTL_RELEASE] = {" R ", 6},      [LTL_STRONG_RELEASE] = {" M ", 6},
};

/* Words that are not names of propositions unless in quotes. */
static bool reserved(const char *word) {
    static const char *const words[] = {"true", "false", "not", "and", "or", "xor", "U", "W", "R", "V", "M"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0) return true;
    return word[strspn(word, "GFX")] == 0;
}

static void print_name(const char *name, FILE *out) {
    bool plain = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (const char *c = name; *c; c++) plain &= isalnum((unsigned char)*c) || *c == '_';
    if (plain && !reserved(name)) {
        fputs(name, out);
        return;
    }
    fputc('"', out);
    for (; *name; name++) {
        if (*name == '"' || *name == '\\') fputc('\\', out);
        fputc(*name, out);
    }
    fputc('"', out);
}

static void print(const struct ltl *l, uint32_t formula, int strength, FILE *out) {
    struct ltl_node n = l->node[formula];
    int own = shown[n.op].strength;
    bool open = own < strength;
    if (open) fputc('(', out);
    if (n.op == LTL_PROPOSITION) print_name(l->propositions.text[n.left], out);
    /* All operators associate to the right; U and its kin are shown with parentheses anyway. */
    if (ltl_is_binary(n.op)) print(l, n.left, own + 1, out);
    fputs(shown[n.op].text, out);
    if (ltl_is_unary(n.op)) print(l, n.left, own, out);
    if (ltl_is_binary(n.op)) print(l, n.right, n.op == LTL_AND || n.op == LTL_OR ? own : own + 1, out);
    if (open) fputc(')', out);
}

char *ltl_text(const struct ltl *l, uint32_t formula) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return memory_copy_string("?");
    print(l, formula, 0, out);
    fclose(out);
    return text;
}
