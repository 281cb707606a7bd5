/* ltl_formula.h: formulas of linear temporal logic: built, read and printed. doc/LTL.md tells syntax and meaning.
 *
 * A struct ltl holds formulas that share propositions and subformulas. A formula is the number of its node; the same
 * operator on the same operands has the same number, so formulas that look the same are equal. Nodes never go away
 * before ltl_fini.
 */
#ifndef OMEGA_LTL_LTL_FORMULA_H
#define OMEGA_LTL_LTL_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "algo/table.h"
#include "base/names.h"
#include "base/problem.h"

enum ltl_op {
    LTL_FALSE,
    LTL_TRUE,
    LTL_PROPOSITION, /* left: its number in `propositions` */
    LTL_NOT,         /* one operand, left */
    LTL_NEXT,        /* X */
    LTL_FINALLY,     /* F, <> */
    LTL_GLOBALLY,    /* G, [] */
    LTL_AND,         /* two operands */
    LTL_OR,
    LTL_IMPLIES,
    LTL_EQUIVALENT,
    LTL_XOR,
    LTL_UNTIL,          /* a U b: b at some time, and a before */
    LTL_WEAK_UNTIL,     /* a W b: a U b, or a for ever */
    LTL_RELEASE,        /* a R b: b up to and including the first a, or for ever */
    LTL_STRONG_RELEASE, /* a M b: a R b, and a at some time */
};

struct ltl_node {
    enum ltl_op op;
    uint32_t left, right; /* 0 where there is no operand */
};

struct ltl {
    struct names propositions;
    struct ltl_node *node; /* node[0] is false, node[1] is true */
    uint32_t count, room;
    struct table table; /* of the nodes */
};

void ltl_init(struct ltl *l);
void ltl_fini(struct ltl *l);

/* The formula with these operands; nothing is simplified. */
uint32_t ltl_make(struct ltl *l, enum ltl_op op, uint32_t left, uint32_t right);
uint32_t ltl_proposition(struct ltl *l, const char *name);

/* Reads a formula; its propositions are added. False: `why` says what is wrong in which column. */
bool ltl_parse(struct ltl *l, const char *text, uint32_t *formula, struct problem *why);

/* The formula as ltl_parse reads it, with no more parentheses than needed; to be freed. */
char *ltl_text(const struct ltl *l, uint32_t formula);

/* The same formula in another struct, whose propositions may have other numbers. */
uint32_t ltl_import(struct ltl *to, const struct ltl *from, uint32_t formula);

static inline bool ltl_is_unary(enum ltl_op op) { return op >= LTL_NOT && op <= LTL_GLOBALLY; }
static inline bool ltl_is_binary(enum ltl_op op) { return op >= LTL_AND; }

#endif
