/* ctl.h: formulas of computation tree logic.
 *
 *     !f  f & g  f | g  f -> g  f <-> g  true  false      (also && || => <=>)
 *     EX f  EF f  EG f  E(f U g)       some execution from here: next, sometime, always, f until g
 *     AX f  AF f  AG f  A(f U g)       each execution
 *     name, "any name"                 a proposition of states
 *
 * An execution that ends goes on in its last state for ever. A formula is kept in six operators; the others are written
 * by them: EF f is E(true U f), AG f is !EF !f, A(f U g) is !(E(!g U !f & !g) | EG !g), and so on.
 */
#ifndef OMEGA_CTL_CTL_H
#define OMEGA_CTL_CTL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"
#include "base/problem.h"

enum ctl_op {
    CTL_TRUE,
    CTL_PROPOSITION,
    CTL_NOT,   /* left */
    CTL_OR,    /* left, right */
    CTL_NEXT,  /* EX left */
    CTL_UNTIL, /* E(left U right) */
    CTL_ALWAYS /* EG left */
};

struct ctl_node {
    enum ctl_op op;
    uint32_t left, right; /* nodes, which have smaller numbers; of CTL_PROPOSITION: `left` is its number in `names` */
};

struct ctl {
    struct ctl_node *node;
    uint32_t count, room, root;
    struct names names;
};

/* To be freed in any case. False: `why` says where the text is wrong. */
bool ctl_parse(struct ctl *f, const char *text, struct problem *why);
void ctl_fini(struct ctl *f);

#endif
