#include "compare/hml.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- Nodes, each once ---- */

static bool same(const void *nodes, const void *wanted, uint32_t number) {
    const struct formula_node *x = (const struct formula_node *)nodes + number, *y = wanted;
    return x->kind == y->kind && x->label == y->label && x->left == y->left && x->right == y->right;
}

static uint32_t hash_of(const void *nodes, uint32_t number) {
    const struct formula_node *n = (const struct formula_node *)nodes + number;
    uint64_t h = ((uint64_t)n->left << 32 | n->right) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ ((uint64_t)n->label << 3 | n->kind)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(h >> 32);
}

uint32_t formula_add(struct formula *f, struct formula_node n) {
    assert(f->count == 0 || (n.left < f->count && n.right < f->count)); /* parts have lower numbers */
    uint32_t *cell = table_find(&f->table, hash_of(&n, 0), same, f->node, &n);
    if (*cell) return *cell - 1;
    MAKE_ROOM(f->node, f->count, f->room);
    f->node[f->count++] = n;
    return table_put(&f->table, cell, hash_of, f->node);
}

void formula_init(struct formula *f) {
    *f = (struct formula){0};
    table_init(&f->table, 64);
    formula_add(f, (struct formula_node){.kind = IS_TRUE});
}

void formula_fini(struct formula *f) {
    free(f->node);
    table_fini(&f->table);
    *f = (struct formula){0};
}

uint32_t formula_not(struct formula *f, uint32_t g) {
    if (f->node[g].kind == IS_NOT) return f->node[g].right;
    return formula_add(f, (struct formula_node){.kind = IS_NOT, .right = g});
}

struct conjuncts {
    uint32_t *node, count, room;
};

/* A conjunction is a list: its left part is none. */
static void add_conjuncts(const struct formula *f, uint32_t g, struct conjuncts *c) {
    for (;; g = f->node[g].right) {
        bool last = f->node[g].kind != IS_AND;
        uint32_t node = last ? g : f->node[g].left;
        if (node != FORMULA_TRUE) {
            MAKE_ROOM(c->node, c->count, c->room);
            c->node[c->count++] = node;
        }
        if (last) return;
    }
}

static int by_number(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

uint32_t formula_and_all(struct formula *f, const uint32_t *part, uint32_t count) {
    struct conjuncts c = {0};
    for (uint32_t i = 0; i < count; i++) add_conjuncts(f, part[i], &c);
    if (c.count > 1) qsort(c.node, c.count, sizeof *c.node, by_number);
    uint32_t all = FORMULA_TRUE;
    for (uint32_t i = c.count; i-- > 0;) {
        if (i + 1 < c.count && c.node[i] == c.node[i + 1]) continue;
        if (all == FORMULA_TRUE) all = c.node[i];
        else all = formula_add(f, (struct formula_node){.kind = IS_AND, .left = c.node[i], .right = all});
    }
    free(c.node);
    return all;
}

uint32_t formula_and(struct formula *f, uint32_t g, uint32_t h) {
    uint32_t both[2] = {g, h};
    return formula_and_all(f, both, 2);
}

uint32_t formula_step(struct formula *f, uint32_t label, uint32_t g) {
    return formula_add(f, (struct formula_node){.kind = IS_STEP, .label = label, .right = g});
}

uint32_t formula_weak_step(struct formula *f, uint32_t label, uint32_t g) {
    return formula_add(f, (struct formula_node){.kind = IS_WEAK_STEP, .label = label, .right = g});
}

uint32_t formula_until(struct formula *f, uint32_t g, uint32_t label, uint32_t h) {
    return formula_add(f, (struct formula_node){.kind = IS_UNTIL, .label = label, .left = g, .right = h});
}

uint32_t formula_loop(struct formula *f, uint32_t g) {
    return formula_add(f, (struct formula_node){.kind = IS_LOOP, .right = g});
}

/* ---- In words ---- */

enum { SHORT_ENOUGH = 40 }; /* nodes that are written out without names */

struct writing {
    const struct formula *f;
    const struct names *labels;
    FILE *out;
    uint32_t *uses; /* by node: how many parts mention it */
    double *size;   /* written out without names */
    uint32_t *name; /* or 0 */
    uint32_t names;
};

static bool has_left(const struct formula_node *n) { return n->kind == IS_AND || n->kind == IS_UNTIL; }

static void write_node(const struct writing *w, uint32_t node, bool bare, bool inside);

/* As the part of a larger one: in parentheses unless that is clear without. */
static void write_part(const struct writing *w, uint32_t node) { write_node(w, node, true, true); }

static void write_whole(const struct writing *w, const struct formula_node *n) {
    const char *label = n->label == LTS_TAU && n->kind == IS_WEAK_STEP ? "" : w->labels->text[n->label];
    switch (n->kind) {
    case IS_TRUE: fputs("true", w->out); break;
    case IS_NOT: fputs("not ", w->out), write_part(w, n->right); break;
    case IS_AND:
        write_node(w, n->left, false, true);
        fputs(" and ", w->out);
        write_node(w, n->right, false, true);
        break;
    case IS_STEP: fprintf(w->out, "<%s>", label), write_part(w, n->right); break;
    case IS_WEAK_STEP: fprintf(w->out, "<<%s>>", label), write_part(w, n->right); break;
    case IS_UNTIL:
        if (n->left != FORMULA_TRUE) write_part(w, n->left), fputc(' ', w->out);
        fprintf(w->out, "{%s}", label);
        write_part(w, n->right);
        break;
    case IS_LOOP: fputs("loops ", w->out), write_part(w, n->right); break;
    }
}

/* `bare`: a conjunction needs parentheses. `inside`: names may be used, and F {a} G needs parentheses. */
static void write_node(const struct writing *w, uint32_t node, bool bare, bool inside) {
    const struct formula_node *n = &w->f->node[node];
    if (inside && w->name[node]) {
        fprintf(w->out, "X%u", w->name[node]);
        return;
    }
    bool parentheses = (n->kind == IS_AND && bare) || (n->kind == IS_UNTIL && inside && n->left != FORMULA_TRUE);
    if (parentheses) fputc('(', w->out);
    write_whole(w, n);
    if (parentheses) fputc(')', w->out);
}

static void count_uses(struct writing *w) {
    bool *needed = memory_get_zeroed(w->f->count * sizeof *needed);
    needed[w->f->root] = true;
    for (uint32_t i = w->f->root + 1; i-- > 0;) {
        const struct formula_node *n = &w->f->node[i];
        if (!needed[i] || n->kind == IS_TRUE) continue;
        w->uses[n->right]++;
        needed[n->right] = true;
        if (has_left(n)) w->uses[n->left]++, needed[n->left] = true;
    }
    for (uint32_t i = 0; i < w->f->count; i++) {
        const struct formula_node *n = &w->f->node[i];
        w->size[i] = 1;
        if (n->kind != IS_TRUE) w->size[i] += w->size[n->right] + (has_left(n) ? w->size[n->left] : 0);
    }
    free(needed);
}

static void give_names(struct writing *w) {
    if (w->size[w->f->root] <= SHORT_ENOUGH) return;
    for (uint32_t i = 0; i < w->f->root; i++)
        if (w->uses[i] > 1 && w->size[i] > 3) w->name[i] = ++w->names;
}

char *formula_text(const struct formula *f, const struct names *labels) {
    struct writing w = {.f = f, .labels = labels};
    char *text = NULL;
    size_t length;
    w.uses = memory_get_zeroed(f->count * sizeof *w.uses);
    w.name = memory_get_zeroed(f->count * sizeof *w.name);
    w.size = memory_get(f->count * sizeof *w.size);
    count_uses(&w);
    give_names(&w);
    w.out = open_memstream(&text, &length);
    if (!w.out) abort();
    write_node(&w, f->root, false, false);
    const char *link = " where ";
    for (uint32_t i = f->root; i-- > 0;)
        if (w.name[i]) {
            fprintf(w.out, "%sX%u = ", link, w.name[i]);
            write_node(&w, i, false, false);
            link = "; ";
        }
    fclose(w.out);
    free(w.uses);
    free(w.name);
    free(w.size);
    return text;
}
