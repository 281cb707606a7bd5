/* hoa_expression.h: labels and acceptance conditions of an HOA file. Only for hoa_*.c. */
#ifndef OMEGA_HOA_HOA_EXPRESSION_H
#define OMEGA_HOA_HOA_EXPRESSION_H

#include "omega/automaton.h"
#include "omega/hoa/hoa_lexer.h"

/* Labels that have a name. */
struct hoa_aliases {
    struct hoa_alias {
        char *name;
        struct cubes yes, no; /* the label, and its negation */
    } * at;
    uint32_t count, room;
};
void hoa_aliases_fini(struct hoa_aliases *a);
/* After the name: reads the label and adds it. */
bool hoa_add_alias(struct hoa_lexer *x, struct hoa_aliases *a, uint32_t propositions);

/* A label, as a union of cubes that are added to `out`; the token at hand is its first. `propositions` is how many
 * there are; UINT32_MAX: not known yet. */
bool hoa_label(struct hoa_lexer *x, const struct hoa_aliases *a, uint32_t propositions, struct cubes *out);

/* An acceptance condition is a conjunction of clauses; each clause, a disjunction, becomes an acceptance set: the edges
 * that are in a set of `in`, or not in one of `out`. */
struct hoa_acceptance {
    struct hoa_clause {
        uint64_t in, out;
    } clause[MOST_SETS];
    uint32_t count;
};
bool hoa_acceptance(struct hoa_lexer *x, uint32_t sets, struct hoa_acceptance *out);

/* The sets of the automaton that something is in, by the sets of the file. */
static inline uint64_t hoa_marks(const struct hoa_acceptance *a, uint64_t in_file) {
    uint64_t marks = 0;
    for (uint32_t i = 0; i < a->count; i++)
        if ((in_file & a->clause[i].in) || (~in_file & a->clause[i].out)) marks |= UINT64_C(1) << i;
    return marks;
}

#endif
