#include "omega/ltl/ltl_formula.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- Nodes ---- */

static uint32_t hash(struct ltl_node n) {
    uint64_t h = ((uint64_t)n.op << 58) ^ ((uint64_t)n.left << 29) ^ n.right;
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(h ^ h >> 31);
}

static bool same(struct ltl_node a, struct ltl_node b) {
    return a.op == b.op && a.left == b.left && a.right == b.right;
}

static uint32_t place_of(const struct ltl *l, struct ltl_node n) {
    uint32_t place = hash(n) & l->mask;
    while (l->table[place] && !same(l->node[l->table[place] - 1], n)) place = (place + 1) & l->mask;
    return place;
}

static void grow_table(struct ltl *l) {
    free(l->table);
    l->mask = 2 * l->mask + 1;
    l->table = memory_get_zeroed((l->mask + UINT64_C(1)) * sizeof *l->table);
    for (uint32_t i = 0; i < l->count; i++) l->table[place_of(l, l->node[i])] = i + 1;
}

uint32_t ltl_make(struct ltl *l, enum ltl_op op, uint32_t left, uint32_t right) {
    struct ltl_node n = {op, left, right};
    uint32_t place = place_of(l, n);
    if (l->table[place]) return l->table[place] - 1;
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->node = memory_resize(l->node, l->room * sizeof *l->node);
    }
    l->node[l->count++] = n;
    l->table[place] = l->count;
    if (l->count > l->mask / 2) grow_table(l);
    return l->count - 1;
}

uint32_t ltl_proposition(struct ltl *l, const char *name) {
    return ltl_make(l, LTL_PROPOSITION, names_add(&l->propositions, name), 0);
}

void ltl_init(struct ltl *l) {
    *l = (struct ltl){.mask = 127};
    names_init(&l->propositions);
    l->table = memory_get_zeroed((l->mask + 1) * sizeof *l->table);
    ltl_make(l, LTL_FALSE, 0, 0);
    ltl_make(l, LTL_TRUE, 0, 0);
}

void ltl_fini(struct ltl *l) {
    names_fini(&l->propositions);
    free(l->node);
    free(l->table);
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
