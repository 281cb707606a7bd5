/* Rewriting from the innermost operands outwards. Everything has a dual: & and |, U and R, F and G; each rule is
 * written once, for both. In the comments it is given for the first of the two. */
#include "omega/ltl/ltl_simplify.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A conjunction of more is left as it is: every pair of its operands would be compared. */
enum { MOST_OPERANDS = 64 };

static uint32_t make_next(struct ltl_rewriter *r, uint32_t a);
static uint32_t make_unary(struct ltl_rewriter *r, bool finally, uint32_t a);
static uint32_t make_binary(struct ltl_rewriter *r, bool until, uint32_t a, uint32_t b);
static uint32_t make_junction(struct ltl_rewriter *r, bool and, uint32_t a, uint32_t b);

static struct ltl_node node(const struct ltl_rewriter *r, uint32_t f) { return r->l->node[f]; }

/* f implies g; or, for the dual rule, the other way round. */
static bool implies(struct ltl_rewriter *r, bool primal, uint32_t f, uint32_t g) {
    return primal ? ltl_implies(r, f, g) : ltl_implies(r, g, f);
}

/* Can f not be true (primal), or not be false, together with g? */
static bool excludes(struct ltl_rewriter *r, bool primal, uint32_t f, uint32_t g) {
    return primal ? ltl_implies(r, f, ltl_negation(r, g)) : ltl_implies(r, ltl_negation(r, f), g);
}

/* f = F f (or f = G f). */
static bool absorbs(struct ltl_rewriter *r, bool finally, uint32_t f) {
    return finally ? ltl_eventual(r, f) : ltl_universal(r, f);
}

/* f = X f, as it is eventual and universal. */
static bool timeless(struct ltl_rewriter *r, uint32_t f) { return ltl_eventual(r, f) && ltl_universal(r, f); }

/* ---- X, F, G ---- */

static uint32_t make_next(struct ltl_rewriter *r, uint32_t a) {
    return timeless(r, a) ? a : ltl_make(r->l, LTL_NEXT, a, 0);
}

/* Splits the operands of a junction into those that satisfy the test, and the others; true if there are some of the
 * former. `yes` and `no` are junctions. */
static bool split(struct ltl_rewriter *r, enum ltl_op op, uint32_t f, bool primal,
                  bool (*test)(struct ltl_rewriter *, bool, uint32_t), uint32_t *yes, uint32_t *no) {
    uint32_t operand[MOST_OPERANDS], some[MOST_OPERANDS], m = 0, n = 0;
    uint32_t count = ltl_operands(r->l, op, f, operand, MOST_OPERANDS);
    if (node(r, f).op != op || count > MOST_OPERANDS) return false;
    for (uint32_t i = 0; i < count; i++)
        if (test(r, primal, operand[i])) some[m++] = operand[i];
        else operand[n++] = operand[i];
    if (m == 0) return false;
    *yes = ltl_chain(r->l, op, some, m);
    *no = ltl_chain(r->l, op, operand, n);
    return true;
}

static bool is_timeless(struct ltl_rewriter *r, bool primal, uint32_t f) {
    (void)primal;
    return timeless(r, f);
}

static uint32_t make_unary(struct ltl_rewriter *r, bool finally, uint32_t a) {
    struct ltl_node n = node(r, a);
    uint32_t yes, no;
    if (absorbs(r, finally, a)) return a;
    if (n.op == LTL_NEXT) return make_next(r, make_unary(r, finally, n.left));
    /* F (a U b) = F b */
    if (n.op == (finally ? LTL_UNTIL : LTL_RELEASE)) return make_unary(r, finally, n.right);
    /* F (a | e) = F a | e, where e is eventual */
    if (split(r, finally ? LTL_OR : LTL_AND, a, finally, absorbs, &yes, &no))
        return make_junction(r, !finally, make_unary(r, finally, no), yes);
    /* F (a & t) = F a & t, where t is timeless */
    if (split(r, finally ? LTL_AND : LTL_OR, a, true, is_timeless, &yes, &no))
        return make_junction(r, finally, make_unary(r, finally, no), yes);
    return ltl_make(r->l, finally ? LTL_FINALLY : LTL_GLOBALLY, a, 0);
}

/* ---- U, R ---- */

/* a U (c U d) */
static bool nested(struct ltl_rewriter *r, bool until, uint32_t a, uint32_t b, uint32_t *result) {
    struct ltl_node n = node(r, b);
    if (n.op != (until ? LTL_UNTIL : LTL_RELEASE)) return false;
    if (implies(r, until, a, n.left)) return *result = b, true;
    if (implies(r, until, n.left, a)) return *result = make_binary(r, until, a, n.right), true;
    return false;
}

static uint32_t make_binary(struct ltl_rewriter *r, bool until, uint32_t a, uint32_t b) {
    enum ltl_op op = until ? LTL_UNTIL : LTL_RELEASE;
    uint32_t yes, no, result, all = until ? LTL_TRUE : LTL_FALSE;
    struct ltl_node m = node(r, a), n = node(r, b);
    /* a U b = b, if a implies b, or b is eventual */
    if (implies(r, until, a, b) || absorbs(r, until, b)) return b;
    /* a U b = F b, if b holds wherever a does not */
    if (a == all || excludes(r, !until, a, b)) return make_unary(r, until, b);
    if (m.op == LTL_NEXT && n.op == LTL_NEXT) return make_next(r, make_binary(r, until, m.left, n.left));
    if (m.op == op && m.right == b) return a;
    if (nested(r, until, a, b, &result)) return result;
    /* a U (b | e) = (a U b) | e */
    if (split(r, until ? LTL_OR : LTL_AND, b, until, absorbs, &yes, &no))
        return make_junction(r, !until, make_binary(r, until, a, no), yes);
    /* a U (b & t) = (a U b) & t */
    if (split(r, until ? LTL_AND : LTL_OR, b, true, is_timeless, &yes, &no))
        return make_junction(r, until, make_binary(r, until, a, no), yes);
    return ltl_make(r->l, op, a, b);
}

/* ---- Conjunctions and disjunctions ---- */

struct junction {
    struct ltl_rewriter *r;
    bool and;
    uint32_t at[MOST_OPERANDS + 1]; /* the operands */
    uint32_t count;
};

static enum ltl_op op_of(bool and) { return and? LTL_AND : LTL_OR; }

static void drop(struct junction *j, uint32_t i) { j->at[i] = j->at[--j->count]; }

/* Puts a formula in the place of operand i. If it is a junction of the same kind, its operands come. False:
 * they are too many, and the junction is given up. */
static bool put(struct junction *j, uint32_t i, uint32_t f) {
    assert(i < j->count && j->count <= MOST_OPERANDS);
    uint32_t room = MOST_OPERANDS + 1 - j->count;
    drop(j, i);
    uint32_t n = ltl_operands(j->r->l, op_of(j->and), f, j->at + j->count, room);
    if (n > room) return j->count = MOST_OPERANDS + 1, false;
    j->count += n;
    return true;
}

/* Leaves out what others imply; true and false. Sets *result if the whole is constant. */
static bool remove_implied(struct junction *j, uint32_t *result) {
    uint32_t absorbing = j->and ? LTL_FALSE : LTL_TRUE;
    for (uint32_t i = 0; i < j->count; i++)
        for (uint32_t k = 0; k < j->count; k++) {
            if (j->at[i] == absorbing || (i < k && excludes(j->r, j->and, j->at[i], j->at[k])))
                return *result = absorbing, true;
            if (i == k || !implies(j->r, j->and, j->at[k], j->at[i])) continue;
            drop(j, i--);
            break;
        }
    if (j->count == 1 && j->at[0] == (j->and ? LTL_TRUE : LTL_FALSE)) return *result = j->at[0], true;
    return false;
}

/* What the operands f and g become together, if anything. */
static bool combine(struct junction *j, uint32_t f, uint32_t g, uint32_t *result) {
    struct ltl_rewriter *r = j->r;
    struct ltl_node a = node(r, f), b = node(r, g);
    enum ltl_op unary = j->and ? LTL_GLOBALLY : LTL_FINALLY, other = j->and ? LTL_FINALLY : LTL_GLOBALLY;
    enum ltl_op until = j->and ? LTL_UNTIL : LTL_RELEASE, release = j->and ? LTL_RELEASE : LTL_UNTIL;
    /* X a & X b = X (a & b) */
    if (a.op == LTL_NEXT && b.op == LTL_NEXT)
        return *result = make_next(r, make_junction(r, j->and, a.left, b.left)), true;
    /* G a & G b = G (a & b) */
    if (a.op == unary && b.op == unary)
        return *result = make_unary(r, !j->and, make_junction(r, j->and, a.left, b.left)), true;
    /* F G a & F G b = F G (a & b) */
    if (a.op == other && b.op == other && node(r, a.left).op == unary && node(r, b.left).op == unary) {
        uint32_t inner = make_junction(r, j->and, node(r, a.left).left, node(r, b.left).left);
        return *result = make_unary(r, j->and, make_unary(r, !j->and, inner)), true;
    }
    /* (a U c) & (b U c) = (a & b) U c */
    if (a.op == until && b.op == until && a.right == b.right)
        return *result = make_binary(r, j->and, make_junction(r, j->and, a.left, b.left), a.right), true;
    /* (a R b) & (a R c) = a R (b & c) */
    if (a.op == release && b.op == release && a.left == b.left)
        return *result = make_binary(r, !j->and, a.left, make_junction(r, j->and, a.right, b.right)), true;
    return false;
}

/* Is f among the operands? */
static bool has(const struct junction *j, uint32_t f) {
    for (uint32_t i = 0; i < j->count; i++)
        if (j->at[i] == f) return true;
    return false;
}

/* Are all operands of f, which is a junction of the same kind or a single formula, among them? */
static bool has_all(const struct junction *j, uint32_t f) {
    uint32_t operand[MOST_OPERANDS], n = ltl_operands(j->r->l, op_of(j->and), f, operand, MOST_OPERANDS);
    if (n > MOST_OPERANDS) return false;
    for (uint32_t i = 0; i < n; i++)
        if (!has(j, operand[i])) return false;
    return true;
}

/* What operand i becomes as the others are there, if anything. */
static bool given_others(struct junction *j, uint32_t i, uint32_t k, uint32_t *result) {
    struct ltl_rewriter *r = j->r;
    struct ltl_node a = node(r, j->at[i]), b = node(r, j->at[k]);
    uint32_t x = j->at[k];
    enum ltl_op until = j->and ? LTL_UNTIL : LTL_RELEASE, release = j->and ? LTL_RELEASE : LTL_UNTIL;
    /* x & (a R b) = x & b, if x implies a */
    if (a.op == release && implies(r, j->and, x, a.left)) return *result = a.right, true;
    /* G x & (a U b) = G x & F b, if x implies a */
    if (a.op == until && b.op == (j->and ? LTL_GLOBALLY : LTL_FINALLY) && implies(r, j->and, b.left, a.left))
        return *result = make_unary(r, j->and, a.right), true;
    return false;
}

/* x & (a | b) = x & a, if x excludes b. */
static bool drop_excluded(struct junction *j, uint32_t i, uint32_t *result) {
    uint32_t operand[MOST_OPERANDS], kept = 0;
    enum ltl_op op = op_of(!j->and);
    if (node(j->r, j->at[i]).op != op) return false;
    uint32_t n = ltl_operands(j->r->l, op, j->at[i], operand, MOST_OPERANDS);
    if (n > MOST_OPERANDS) return false;
    for (uint32_t k = 0; k < n; k++) {
        bool out = false;
        for (uint32_t m = 0; m < j->count && !out; m++) out = m != i && excludes(j->r, j->and, j->at[m], operand[k]);
        if (!out) operand[kept++] = operand[k];
    }
    if (kept == n) return false;
    *result = ltl_chain(j->r->l, op, operand, kept);
    return true;
}

/* a & X G a = G a */
static bool unrolled(struct junction *j, uint32_t i, uint32_t *result) {
    struct ltl_node n = node(j->r, j->at[i]);
    if (n.op != LTL_NEXT || node(j->r, n.left).op != (j->and ? LTL_GLOBALLY : LTL_FINALLY)) return false;
    if (!has_all(j, node(j->r, n.left).left)) return false;
    *result = n.left;
    return true;
}

/* Changes one thing, if something can be changed. */
static bool step(struct junction *j) {
    uint32_t result;
    for (uint32_t i = 0; i < j->count; i++) {
        if (unrolled(j, i, &result) || drop_excluded(j, i, &result)) return put(j, i, result);
        for (uint32_t k = 0; k < j->count; k++) {
            if (i == k) continue;
            if (given_others(j, i, k, &result)) return put(j, i, result);
            if (i < k && combine(j, j->at[i], j->at[k], &result)) {
                drop(j, k);
                return put(j, i, result);
            }
        }
    }
    return false;
}

static uint32_t make_junction(struct ltl_rewriter *r, bool and, uint32_t a, uint32_t b) {
    struct junction j = {.r = r, .and = and};
    uint32_t result, both[2] = {a, b};
    uint32_t m = ltl_operands(r->l, op_of(and), a, NULL, 0), n = ltl_operands(r->l, op_of(and), b, NULL, 0);
    if (m + n > MOST_OPERANDS) return ltl_make(r->l, op_of(and), a, b);
    ltl_operands(r->l, op_of(and), a, j.at, m);
    ltl_operands(r->l, op_of(and), b, j.at + m, n);
    j.count = m + n;
    do {
        if (remove_implied(&j, &result)) return result;
    } while (step(&j));
    if (j.count > MOST_OPERANDS) return ltl_chain(r->l, op_of(and), both, 2);
    return ltl_chain(r->l, op_of(and), j.at, j.count);
}

/* ---- All ---- */

static uint32_t once(struct ltl_rewriter *r, uint32_t f) {
    struct ltl_node n = node(r, f);
    if (f < r->room && r->simple[f]) return r->simple[f] - 1;
    uint32_t a = ltl_is_unary(n.op) || ltl_is_binary(n.op) ? once(r, n.left) : 0;
    uint32_t b = ltl_is_binary(n.op) ? once(r, n.right) : 0, result = f;
    switch (n.op) {
    case LTL_NEXT: result = make_next(r, a); break;
    case LTL_FINALLY:
    case LTL_GLOBALLY: result = make_unary(r, n.op == LTL_FINALLY, a); break;
    case LTL_UNTIL:
    case LTL_RELEASE: result = make_binary(r, n.op == LTL_UNTIL, a, b); break;
    case LTL_AND:
    case LTL_OR: result = make_junction(r, n.op == LTL_AND, a, b); break;
    default: break;
    }
    ltl_negation(r, f); /* makes room for f */
    r->simple[f] = result + 1;
    return result;
}

uint32_t ltl_simplify(struct ltl_rewriter *r, uint32_t formula) {
    for (int i = 0; i < 4; i++) {
        uint32_t result = once(r, formula);
        if (result == formula) break;
        formula = result;
    }
    return formula;
}
