#include "omega/hoa/hoa_expression.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_CUBES = 1000, MOST_WORK = 1 << 27, DEEPEST = 200 };

/* ---- Labels ----
 *
 * Both the label and its negation are built, as negation of a large one could not be found quickly. One of them may be
 * larger than can be held; that is a mistake only if it is asked for. */

struct label {
    struct cubes at[2]; /* [1]: the label, [0]: its negation */
    bool lost[2];       /* it became too large */
};

struct reading {
    struct hoa_lexer *x;
    const struct hoa_aliases *aliases;
    uint32_t propositions;
    unsigned depth;
};

static void label_fini(struct label *l) {
    cubes_fini(&l->at[0]);
    cubes_fini(&l->at[1]);
}

static void add_cube(struct hoa_lexer *x, struct cubes *u, bool *lost, struct cube c) {
    for (uint32_t i = 0; i < u->count; i++)
        if (cube_within(c, u->at[i])) return;
    if (u->count == MOST_CUBES || (x->work += u->count) > MOST_WORK) *lost = true;
    else cubes_add(u, c);
}

/* Into *a: a and b. */
static void meet(struct hoa_lexer *x, struct cubes *a, bool *lost_a, const struct cubes *b, bool lost_b) {
    struct cubes both = {0};
    *lost_a |= lost_b;
    for (uint32_t i = 0; i < a->count && !*lost_a; i++)
        for (uint32_t k = 0; k < b->count && !*lost_a; k++)
            if (cube_meets(a->at[i], b->at[k])) add_cube(x, &both, lost_a, cube_and(a->at[i], b->at[k]));
    cubes_fini(a);
    *a = both;
}

static void join(struct hoa_lexer *x, struct cubes *a, bool *lost_a, const struct cubes *b, bool lost_b) {
    *lost_a |= lost_b;
    for (uint32_t i = 0; i < b->count && !*lost_a; i++) add_cube(x, a, lost_a, b->at[i]);
}

static const struct hoa_alias *find_alias(const struct hoa_aliases *a, const char *name) {
    for (uint32_t i = 0; i < a->count; i++)
        if (strcmp(a->at[i].name, name) == 0) return &a->at[i];
    return NULL;
}

static void copy_cubes(struct cubes *to, const struct cubes *from) {
    for (uint32_t i = 0; i < from->count; i++) cubes_add(to, from->at[i]);
}

static bool disjunction(struct reading *r, struct label *out);

static bool proposition(struct reading *r, struct label *out) {
    struct hoa_lexer *x = r->x;
    if (r->propositions == UINT32_MAX) return hoa_complain(x, "AP: must come before labels and aliases");
    if (x->number >= r->propositions)
        return hoa_complain(x, "there is no proposition %u: AP: names %u, from 0 on", x->number, r->propositions);
    assert(x->number < 64); /* that is as many as AP: may name */
    uint64_t bit = UINT64_C(1) << x->number;
    cubes_add(&out->at[1], (struct cube){bit, bit});
    cubes_add(&out->at[0], (struct cube){bit, 0});
    return hoa_next(x);
}

static bool atom(struct reading *r, struct label *out) {
    struct hoa_lexer *x = r->x;
    if (x->token == HOA_INT) return proposition(r, out);
    if (x->token == HOA_IDENTIFIER && (strcmp(x->text, "t") == 0 || strcmp(x->text, "f") == 0)) {
        cubes_add(&out->at[x->text[0] == 't'], (struct cube){0, 0});
        return hoa_next(x);
    }
    if (x->token == HOA_ALIAS) {
        const struct hoa_alias *a = find_alias(r->aliases, x->text);
        if (!a) return hoa_complain(x, "there is no alias @%.40s before this line", x->text);
        copy_cubes(&out->at[1], &a->yes);
        copy_cubes(&out->at[0], &a->no);
        return hoa_next(x);
    }
    if (hoa_is_sign(x, '('))
        return hoa_next(x) && disjunction(r, out) && hoa_take_sign(x, ')', "')', '&' or '|' in a label");
    return hoa_expected(x, "a label: a proposition's number, t, f, @ALIAS, '!' or '('");
}

static bool negation(struct reading *r, struct label *out) {
    bool negated = false;
    while (hoa_is_sign(r->x, '!')) {
        negated = !negated;
        if (!hoa_next(r->x)) return false;
    }
    if (++r->depth > DEEPEST) return hoa_complain(r->x, "this label is nested too deeply");
    if (!atom(r, out)) return false;
    r->depth--;
    if (negated) {
        struct label swap = *out;
        *out = (struct label){{swap.at[1], swap.at[0]}, {swap.lost[1], swap.lost[0]}};
    }
    return true;
}

static bool conjunction(struct reading *r, struct label *out) {
    if (!negation(r, out)) return false;
    while (hoa_is_sign(r->x, '&')) {
        struct label more = {0};
        bool fine = hoa_next(r->x) && negation(r, &more);
        if (fine) {
            meet(r->x, &out->at[1], &out->lost[1], &more.at[1], more.lost[1]);
            join(r->x, &out->at[0], &out->lost[0], &more.at[0], more.lost[0]);
        }
        label_fini(&more);
        if (!fine) return false;
    }
    return true;
}

static bool disjunction(struct reading *r, struct label *out) {
    if (!conjunction(r, out)) return false;
    while (hoa_is_sign(r->x, '|')) {
        struct label more = {0};
        bool fine = hoa_next(r->x) && conjunction(r, &more);
        if (fine) {
            join(r->x, &out->at[1], &out->lost[1], &more.at[1], more.lost[1]);
            meet(r->x, &out->at[0], &out->lost[0], &more.at[0], more.lost[0]);
        }
        label_fini(&more);
        if (!fine) return false;
    }
    return true;
}

static bool too_large(const struct hoa_lexer *x) {
    return hoa_complain(x, "the label before this is too large: more than %d conjunctions", MOST_CUBES);
}

bool hoa_label(struct hoa_lexer *x, const struct hoa_aliases *a, uint32_t propositions, struct cubes *out) {
    struct reading r = {x, a, propositions, 0};
    struct label l = {0};
    bool fine = disjunction(&r, &l);
    if (fine && l.lost[1]) fine = too_large(x);
    if (fine) copy_cubes(out, &l.at[1]);
    label_fini(&l);
    return fine;
}

bool hoa_add_alias(struct hoa_lexer *x, struct hoa_aliases *a, uint32_t propositions) {
    struct reading r = {x, a, propositions, 0};
    struct label l = {0};
    if (x->token != HOA_ALIAS) return hoa_expected(x, "'Alias: @NAME LABEL'");
    if (find_alias(a, x->text)) return hoa_complain(x, "the alias @%.40s is there already", x->text);
    char *name = memory_copy_string(x->text);
    bool fine = hoa_next(x) && disjunction(&r, &l);
    if (fine && (l.lost[0] || l.lost[1])) fine = too_large(x);
    if (!fine) {
        label_fini(&l);
        free(name);
        return false;
    }
    if (a->count == a->room) a->at = memory_resize(a->at, (a->room = a->room ? 2 * a->room : 8) * sizeof *a->at);
    a->at[a->count++] = (struct hoa_alias){name, l.at[1], l.at[0]};
    return true;
}

void hoa_aliases_fini(struct hoa_aliases *a) {
    for (uint32_t i = 0; i < a->count; i++) {
        free(a->at[i].name);
        cubes_fini(&a->at[i].yes);
        cubes_fini(&a->at[i].no);
    }
    free(a->at);
    *a = (struct hoa_aliases){0};
}

/* ---- Acceptance conditions ---- */

static bool add_clause(const struct hoa_lexer *x, struct hoa_acceptance *a, struct hoa_clause c) {
    if (c.in & c.out) return true; /* one of the two happens infinitely often in any case */
    for (uint32_t i = 0; i < a->count; i++)
        if ((a->clause[i].in & ~c.in) == 0 && (a->clause[i].out & ~c.out) == 0) return true;
    if (a->count == MOST_SETS)
        return hoa_complain(x, "this acceptance condition needs more than %d acceptance sets", MOST_SETS);
    a->clause[a->count++] = c;
    return true;
}

static bool either(struct hoa_lexer *x, uint32_t sets, unsigned depth, struct hoa_acceptance *out);

/* Inf(1), Inf(!1) */
static bool infinitely(struct hoa_lexer *x, uint32_t sets, struct hoa_acceptance *out) {
    uint32_t set = 0;
    if (strcmp(x->text, "Fin") == 0)
        return hoa_complain(x,
                            "Fin (as in co-Büchi, Rabin, Streett and parity acceptance) is not supported: only Büchi "
                            "acceptance is");
    if (strcmp(x->text, "Inf") != 0) return hoa_expected(x, "an acceptance condition: Inf(SET), t, f or '('");
    if (!hoa_next(x) || !hoa_take_sign(x, '(', "'(' after Inf")) return false;
    bool negated = hoa_is_sign(x, '!');
    if ((negated && !hoa_next(x)) || !hoa_take_int(x, sets, "the acceptance set", &set)) return false;
    assert(set < 64);
    uint64_t bit = UINT64_C(1) << set;
    return hoa_take_sign(x, ')', "')' after the acceptance set") &&
           add_clause(x, out, (struct hoa_clause){negated ? 0 : bit, negated ? bit : 0});
}

static bool condition(struct hoa_lexer *x, uint32_t sets, unsigned depth, struct hoa_acceptance *out) {
    if (depth > DEEPEST) return hoa_complain(x, "this acceptance condition is nested too deeply");
    if (hoa_is_sign(x, '('))
        return hoa_next(x) && either(x, sets, depth + 1, out) &&
               hoa_take_sign(x, ')', "')', '&' or '|' in the acceptance condition");
    if (x->token != HOA_IDENTIFIER) return hoa_expected(x, "an acceptance condition: Inf(SET), t, f or '('");
    if (strcmp(x->text, "t") == 0) return hoa_next(x);
    if (strcmp(x->text, "f") == 0) return add_clause(x, out, (struct hoa_clause){0, 0}) && hoa_next(x);
    return infinitely(x, sets, out);
}

static bool all_of(struct hoa_lexer *x, uint32_t sets, unsigned depth, struct hoa_acceptance *out) {
    if (!condition(x, sets, depth, out)) return false;
    while (hoa_is_sign(x, '&')) {
        struct hoa_acceptance more = {.count = 0};
        if (!hoa_next(x) || !condition(x, sets, depth, &more)) return false;
        for (uint32_t i = 0; i < more.count; i++)
            if (!add_clause(x, out, more.clause[i])) return false;
    }
    return true;
}

/* A disjunction of conjunctions of clauses: each clause of the one with each of the other. */
static bool either(struct hoa_lexer *x, uint32_t sets, unsigned depth, struct hoa_acceptance *out) {
    if (!all_of(x, sets, depth, out)) return false;
    while (hoa_is_sign(x, '|')) {
        struct hoa_acceptance more = {.count = 0}, both = {.count = 0};
        if (!hoa_next(x) || !all_of(x, sets, depth, &more)) return false;
        for (uint32_t i = 0; i < out->count; i++)
            for (uint32_t k = 0; k < more.count; k++) {
                struct hoa_clause a = out->clause[i], b = more.clause[k];
                if (!add_clause(x, &both, (struct hoa_clause){a.in | b.in, a.out | b.out})) return false;
            }
        *out = both;
    }
    return true;
}

bool hoa_acceptance(struct hoa_lexer *x, uint32_t sets, struct hoa_acceptance *out) {
    out->count = 0;
    return either(x, sets, 0, out);
}
