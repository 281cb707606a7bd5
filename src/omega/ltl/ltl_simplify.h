/* ltl_simplify.h: formulas in negation normal form, and shorter ones that mean the same.
 *
 * Negation normal form has only true, false, propositions and their negations, & | X F G U R. Rewriting uses what is
 * known from the literature (Etessami and Holzmann; Somenzi and Bloem; Babiak, Kretinsky, Rehak and Strejcek):
 *  - which subformulas imply which, found by comparing them (ltl_implies says yes only if it is so, and may miss some);
 *  - eventual formulas (what holds later holds now: f = F f) and universal ones (what holds now holds later: f = G f);
 *  - distribution where it makes temporal operators fewer.
 */
#ifndef OMEGA_LTL_LTL_SIMPLIFY_H
#define OMEGA_LTL_LTL_SIMPLIFY_H

#include "omega/ltl/ltl_formula.h"

struct ltl_rewriter {
    struct ltl *l;
    uint32_t *normal[2], *negation, *simple; /* of formulas that were looked at: + 1; 0: not yet */
    uint8_t *classes;                        /* 0: not yet */
    uint32_t room;                           /* of these arrays */
    struct ltl_pair {
        uint32_t left, right;
        bool implies;
    } * pair; /* open addressing; left == right: free */
    uint32_t pairs, pair_mask;
};

void ltl_rewriter_init(struct ltl_rewriter *r, struct ltl *l);
void ltl_rewriter_fini(struct ltl_rewriter *r);

/* All operands and results from here on are in negation normal form. */
uint32_t ltl_normal(struct ltl_rewriter *r, uint32_t formula, bool negated); /* of any formula, or its negation */
uint32_t ltl_negation(struct ltl_rewriter *r, uint32_t formula);
/* Shorter, or the same; within reasonable time. */
uint32_t ltl_simplify(struct ltl_rewriter *r, uint32_t formula);

bool ltl_implies(struct ltl_rewriter *r, uint32_t f, uint32_t g);
bool ltl_eventual(struct ltl_rewriter *r, uint32_t formula);
bool ltl_universal(struct ltl_rewriter *r, uint32_t formula);

/* Has it no X? Then it cannot see stuttering. */
bool ltl_without_next(const struct ltl *l, uint32_t formula);

/* The operands of a conjunction (or disjunction), as deep as they go; a formula of another kind is its only operand.
 * Returns how many; at most `room` are stored. */
uint32_t ltl_operands(const struct ltl *l, enum ltl_op op, uint32_t formula, uint32_t *operand, uint32_t room);
/* The conjunction or disjunction of n formulas, which are sorted and taken once; nothing else is simplified. */
uint32_t ltl_chain(struct ltl *l, enum ltl_op op, uint32_t *operand, uint32_t n);

#endif
