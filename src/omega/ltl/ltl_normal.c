/* Negation normal form, and what can be seen of a formula without rewriting it. */
#include <assert.h>
#include <stdlib.h>

#include "omega/ltl/ltl_simplify.h"
#include "base/memory.h"

enum { SEEN = 1, EVENTUAL = 2, UNIVERSAL = 4 };

void ltl_rewriter_init(struct ltl_rewriter *r, struct ltl *l) {
    *r = (struct ltl_rewriter){.l = l, .pair_mask = 255};
    r->pair = memory_get_zeroed((r->pair_mask + 1) * sizeof *r->pair);
}

void ltl_rewriter_fini(struct ltl_rewriter *r) {
    free(r->normal[0]);
    free(r->normal[1]);
    free(r->negation);
    free(r->simple);
    free(r->classes);
    free(r->pair);
    *r = (struct ltl_rewriter){0};
}

/* The arrays must reach as far as the formulas. */
static void make_room(struct ltl_rewriter *r) {
    uint32_t room = r->l->room;
    if (r->room >= room) return;
    for (int i = 0; i < 2; i++) r->normal[i] = memory_resize(r->normal[i], room * sizeof *r->normal[i]);
    r->negation = memory_resize(r->negation, room * sizeof *r->negation);
    r->simple = memory_resize(r->simple, room * sizeof *r->simple);
    r->classes = memory_resize(r->classes, room);
    for (uint32_t i = r->room; i < room; i++) {
        r->normal[0][i] = r->normal[1][i] = r->negation[i] = r->simple[i] = 0;
        r->classes[i] = 0;
    }
    r->room = room;
}

/* ---- Chains ---- */

static uint32_t collect(const struct ltl *l, enum ltl_op op, uint32_t formula, uint32_t *operand, uint32_t room,
                        uint32_t n) {
    while (l->node[formula].op == op) {
        n = collect(l, op, l->node[formula].left, operand, room, n);
        formula = l->node[formula].right;
    }
    if (n < room) operand[n] = formula;
    return n + 1;
}

uint32_t ltl_operands(const struct ltl *l, enum ltl_op op, uint32_t formula, uint32_t *operand, uint32_t room) {
    return collect(l, op, formula, operand, room, 0);
}

static int by_number(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

uint32_t ltl_chain(struct ltl *l, enum ltl_op op, uint32_t *operand, uint32_t n) {
    if (n == 0) return op == LTL_AND ? LTL_TRUE : LTL_FALSE;
    qsort(operand, n, sizeof *operand, by_number);
    assert(op == LTL_AND || op == LTL_OR);
    uint32_t formula = operand[n - 1];
    for (uint32_t i = n - 1; i-- > 0;)
        if (operand[i] != operand[i + 1]) formula = ltl_make(l, op, operand[i], formula);
    return formula;
}

/* ---- Negation normal form ---- */

static enum ltl_op dual(enum ltl_op op) {
    switch (op) {
    case LTL_FALSE: return LTL_TRUE;
    case LTL_TRUE: return LTL_FALSE;
    case LTL_AND: return LTL_OR;
    case LTL_OR: return LTL_AND;
    case LTL_FINALLY: return LTL_GLOBALLY;
    case LTL_GLOBALLY: return LTL_FINALLY;
    case LTL_UNTIL: return LTL_RELEASE;
    case LTL_RELEASE: return LTL_UNTIL;
    default: return op;
    }
}

static uint32_t both(struct ltl_rewriter *r, enum ltl_op op, uint32_t a, uint32_t b) {
    return ltl_make(r->l, op, a, b);
}

/* a <-> b as (a & b) | (!a & !b), and a xor b as its negation. */
static uint32_t normal_equivalence(struct ltl_rewriter *r, struct ltl_node n, bool negated) {
    uint32_t a = ltl_normal(r, n.left, false), b = ltl_normal(r, n.right, false);
    uint32_t not_a = ltl_normal(r, n.left, true), not_b = ltl_normal(r, n.right, true);
    if (negated) return both(r, LTL_OR, both(r, LTL_AND, a, not_b), both(r, LTL_AND, not_a, b));
    return both(r, LTL_OR, both(r, LTL_AND, a, b), both(r, LTL_AND, not_a, not_b));
}

/* a W b = b R (a | b), a M b = b U (a & b). */
static uint32_t normal_variant(struct ltl_rewriter *r, struct ltl_node n, bool negated) {
    bool release = (n.op == LTL_WEAK_UNTIL) != negated;
    uint32_t a = ltl_normal(r, n.left, negated), b = ltl_normal(r, n.right, negated);
    return both(r, release ? LTL_RELEASE : LTL_UNTIL, b, both(r, release ? LTL_OR : LTL_AND, a, b));
}

static uint32_t normal(struct ltl_rewriter *r, uint32_t formula, bool negated) {
    struct ltl_node n = r->l->node[formula];
    switch (n.op) {
    case LTL_PROPOSITION: return negated ? ltl_make(r->l, LTL_NOT, formula, 0) : formula;
    case LTL_NOT: return ltl_normal(r, n.left, !negated);
    case LTL_IMPLIES: {
        uint32_t a = ltl_normal(r, n.left, !negated), b = ltl_normal(r, n.right, negated);
        return both(r, negated ? LTL_AND : LTL_OR, a, b);
    }
    case LTL_EQUIVALENT: return normal_equivalence(r, n, negated);
    case LTL_XOR: return normal_equivalence(r, n, !negated);
    case LTL_WEAK_UNTIL:
    case LTL_STRONG_RELEASE: return normal_variant(r, n, negated);
    case LTL_FALSE:
    case LTL_TRUE: return negated ? !formula : formula;
    default: break;
    }
    enum ltl_op op = negated ? dual(n.op) : n.op;
    uint32_t a = ltl_normal(r, n.left, negated);
    return ltl_make(r->l, op, a, ltl_is_binary(op) ? ltl_normal(r, n.right, negated) : 0);
}

uint32_t ltl_normal(struct ltl_rewriter *r, uint32_t formula, bool negated) {
    make_room(r);
    if (!r->normal[negated][formula]) {
        uint32_t result = normal(r, formula, negated);
        make_room(r);
        r->normal[negated][formula] = result + 1;
    }
    return r->normal[negated][formula] - 1;
}

uint32_t ltl_negation(struct ltl_rewriter *r, uint32_t formula) {
    make_room(r);
    if (r->negation[formula]) return r->negation[formula] - 1;
    struct ltl_node n = r->l->node[formula];
    uint32_t result;
    if (n.op == LTL_AND || n.op == LTL_OR) {
        uint32_t count = ltl_operands(r->l, n.op, formula, NULL, 0), *operand = memory_get(count * sizeof *operand);
        ltl_operands(r->l, n.op, formula, operand, count);
        for (uint32_t i = 0; i < count; i++) operand[i] = ltl_negation(r, operand[i]);
        result = ltl_chain(r->l, dual(n.op), operand, count);
        free(operand);
    } else if (n.op == LTL_PROPOSITION) {
        result = ltl_make(r->l, LTL_NOT, formula, 0);
    } else if (n.op == LTL_NOT) {
        result = n.left;
    } else if (n.op == LTL_TRUE || n.op == LTL_FALSE) {
        result = !formula;
    } else {
        assert(n.op == LTL_NEXT || dual(n.op) != n.op); /* the formula is in negation normal form */
        uint32_t a = ltl_negation(r, n.left);
        result = ltl_make(r->l, dual(n.op), a, ltl_is_binary(n.op) ? ltl_negation(r, n.right) : 0);
    }
    make_room(r);
    r->negation[formula] = result + 1;
    r->negation[result] = formula + 1;
    return result;
}

/* ---- Classes ---- */

static unsigned classes_of(struct ltl_rewriter *r, uint32_t formula) {
    make_room(r);
    if (r->classes[formula]) return r->classes[formula];
    struct ltl_node n = r->l->node[formula];
    unsigned left = ltl_is_unary(n.op) || ltl_is_binary(n.op) ? classes_of(r, n.left) : 0, result = 0;
    unsigned right = ltl_is_binary(n.op) ? classes_of(r, n.right) : 0;
    switch (n.op) {
    case LTL_TRUE:
    case LTL_FALSE: result = EVENTUAL | UNIVERSAL; break;
    case LTL_NEXT: result = left; break;
    case LTL_FINALLY: result = left | EVENTUAL; break;
    case LTL_GLOBALLY: result = left | UNIVERSAL; break;
    case LTL_AND:
    case LTL_OR: result = left & right; break;
    case LTL_UNTIL:
    case LTL_RELEASE: result = right; break;
    default: break;
    }
    r->classes[formula] = (uint8_t)(result | SEEN);
    return result | SEEN;
}

bool ltl_eventual(struct ltl_rewriter *r, uint32_t formula) { return classes_of(r, formula) & EVENTUAL; }
bool ltl_universal(struct ltl_rewriter *r, uint32_t formula) { return classes_of(r, formula) & UNIVERSAL; }

bool ltl_without_next(const struct ltl *l, uint32_t formula) {
    struct ltl_node n = l->node[formula];
    if (n.op == LTL_NEXT) return false;
    if (!ltl_is_unary(n.op) && !ltl_is_binary(n.op)) return true;
    return ltl_without_next(l, n.left) && (!ltl_is_binary(n.op) || ltl_without_next(l, n.right));
}
