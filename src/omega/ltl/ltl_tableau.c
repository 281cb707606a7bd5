#include "omega/ltl/ltl_tableau.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "omega/ltl/ltl_simplify.h"
#include "algo/set_table.h"
#include "base/memory.h"

enum { MOST_TERMS = 20000, MOST_STATES = 5000, WORK_UNIT = 50000 };

struct term {
    struct cube label;
    uint32_t next;  /* a set */
    uint64_t marks; /* of an edge; while edges are being put together: which U of the state are fulfilled now */
};

struct terms {
    struct term *at;
    uint32_t count, room;
};

struct tableau {
    struct ltl *l;
    struct problem *why;
    bool split;
    struct set_table sets;    /* of formulas, their members sorted; set 0 is empty */
    struct terms **expansion; /* of formulas, or NULL */
    uint32_t expansion_room;
    uint32_t *until; /* the formulas that have an acceptance set */
    uint32_t untils;
    uint64_t work, most_work;
    /* States, in the order of finding: */
    uint32_t *state_of;  /* sets: number of the state + 1 */
    uint32_t *set_of;    /* states */
    uint32_t *instead;   /* states: an earlier state with the same edges, or itself */
    struct terms *edges; /* of states */
    uint32_t states, state_room, state_of_room;
};

static bool too_large(struct tableau *t) {
    return problem_set(t->why, EXIT_BAD_INPUT,
                       "the automaton for this formula would be too large: more than %d states, or %d terms in one",
                       MOST_STATES, MOST_TERMS);
}

/* ---- Sets of formulas ---- */

static bool set_has(const struct set_table *s, uint32_t set, uint32_t formula) {
    const uint32_t *member = set_table_members(s, set);
    uint32_t low = 0, high = set_table_size(s, set);
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (member[middle] < formula) low = middle + 1;
        else high = middle;
    }
    return low < set_table_size(s, set) && member[low] == formula;
}

static bool set_within(const struct set_table *s, uint32_t a, uint32_t b) {
    if (a == b || a == 0) return true;
    if (set_table_size(s, a) > set_table_size(s, b)) return false;
    for (uint32_t i = 0; i < set_table_size(s, a); i++)
        if (!set_has(s, b, set_table_members(s, a)[i])) return false;
    return true;
}

static uint32_t set_union(struct set_table *s, uint32_t a, uint32_t b) {
    if (set_within(s, a, b)) return b;
    if (set_within(s, b, a)) return a;
    const uint32_t *x = set_table_members(s, a), *y = set_table_members(s, b);
    uint32_t x_count = set_table_size(s, a), y_count = set_table_size(s, b);
    uint32_t *all = memory_get((x_count + y_count) * sizeof *all), n = 0, i = 0, k = 0;
    while (i < x_count || k < y_count) {
        uint32_t f = i < x_count ? x[i] : UINT32_MAX;
        uint32_t g = k < y_count ? y[k] : UINT32_MAX;
        all[n++] = f < g ? f : g;
        i += f <= g;
        k += g <= f;
    }
    uint32_t result = set_table_number(s, all, n);
    free(all);
    return result;
}

/* ---- Terms ---- */

/* Does a ask for at least as much as b, and accept no more? */
static bool worse(const struct tableau *t, const struct term *a, const struct term *b) {
    return cube_within(a->label, b->label) && (a->marks & ~b->marks) == 0 && set_within(&t->sets, b->next, a->next);
}

static bool append(struct tableau *t, struct terms *list, struct term new) {
    t->work += list->count + 1;
    if (list->count == MOST_TERMS || t->work > t->most_work) return too_large(t);
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 4;
        list->at = memory_resize(list->at, list->room * sizeof *list->at);
    }
    list->at[list->count++] = new;
    return true;
}

/* Adds a term unless another one is at least as good; takes out what is worse. */
static bool add_term(struct tableau *t, struct terms *list, struct term new) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (worse(t, &new, &list->at[i])) return true;
    for (uint32_t i = 0; i < list->count; i++)
        if (!worse(t, &list->at[i], &new)) list->at[kept++] = list->at[i];
    list->count = kept;
    return append(t, list, new);
}

static bool add_all(struct tableau *t, struct terms *to, const struct terms *from) {
    for (uint32_t i = 0; i < from->count; i++)
        if (!add_term(t, to, from->at[i])) return false;
    return true;
}

/* All combinations of a term of a with one of b. */
static bool add_products(struct tableau *t, struct terms *to, const struct terms *a, const struct terms *b) {
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            const struct term *x = &a->at[i], *y = &b->at[k];
            if (!cube_meets(x->label, y->label)) continue;
            struct term both = {cube_and(x->label, y->label), set_union(&t->sets, x->next, y->next),
                                x->marks | y->marks};
            if (!add_term(t, to, both)) return false;
        }
    return true;
}

/* ---- Expansion ---- */

static const struct terms *expand(struct tableau *t, uint32_t formula);

/* Terms that ask for nothing now and for the formula next. */
static bool add_next(struct tableau *t, struct terms *to, uint32_t formula) {
    struct ltl_node n = t->l->node[formula];
    if (formula == LTL_FALSE) return true;
    if (n.op == LTL_AND || (t->split && n.op == LTL_OR)) {
        struct terms left = {0}, right = {0};
        bool fine = add_next(t, &left, n.left) && add_next(t, &right, n.right);
        if (n.op == LTL_AND) fine = fine && add_products(t, to, &left, &right);
        else fine = fine && add_all(t, to, &left) && add_all(t, to, &right);
        free(left.at);
        free(right.at);
        return fine;
    }
    return add_term(t, to, (struct term){{0, 0}, set_table_number(&t->sets, &formula, formula != LTL_TRUE), 0});
}

static bool add_literal(struct tableau *t, struct terms *to, uint32_t proposition, bool positive) {
    uint64_t bit = UINT64_C(1) << t->l->node[proposition].left;
    return add_term(t, to, (struct term){{bit, positive ? bit : 0}, 0, 0});
}

/* later: the terms of `now`, with the formula itself to hold next. now may be NULL, which is "true". */
static bool add_postponed(struct tableau *t, struct terms *to, const struct terms *now, uint32_t formula) {
    struct term again = {{0, 0}, set_table_number(&t->sets, &formula, 1), 0};
    if (!now) return add_term(t, to, again);
    return add_products(t, to, now, &(struct terms){&again, 1, 1});
}

static bool fill(struct tableau *t, uint32_t formula, struct terms *to) {
    struct ltl_node n = t->l->node[formula];
    bool unary = n.op == LTL_FINALLY || n.op == LTL_GLOBALLY;
    const struct terms none = {0}, *a = &none, *b = &none;
    if ((unary || ltl_is_binary(n.op)) && !(a = expand(t, n.left))) return false;
    if (ltl_is_binary(n.op) && !(b = expand(t, n.right))) return false;
    switch (n.op) {
    case LTL_FALSE: return true;
    case LTL_TRUE: return add_term(t, to, (struct term){{0, 0}, 0, 0});
    case LTL_PROPOSITION: return add_literal(t, to, formula, true);
    case LTL_NOT: return add_literal(t, to, n.left, false);
    case LTL_NEXT: return add_next(t, to, n.left);
    case LTL_AND: return add_products(t, to, a, b);
    case LTL_OR: return add_all(t, to, a) && add_all(t, to, b);
    case LTL_FINALLY: return add_all(t, to, a) && add_postponed(t, to, NULL, formula);
    case LTL_GLOBALLY: return add_postponed(t, to, a, formula);
    case LTL_UNTIL: return add_all(t, to, b) && add_postponed(t, to, a, formula);
    case LTL_RELEASE: return add_products(t, to, a, b) && add_postponed(t, to, b, formula);
    default: return problem_set(t->why, EXIT_INTERNAL, "the formula is not in negation normal form");
    }
}

static const struct terms *expand(struct tableau *t, uint32_t formula) {
    if (t->expansion[formula]) return t->expansion[formula];
    struct terms *list = memory_get_zeroed(sizeof *list);
    if (!fill(t, formula, list)) {
        free(list->at);
        free(list);
        return NULL;
    }
    return t->expansion[formula] = list;
}

/* ---- States and edges ---- */

/* The acceptance sets of an edge: see the header. */
static uint64_t marks_of(struct tableau *t, struct cube label, uint32_t next) {
    uint64_t marks = 0;
    for (uint32_t i = 0; i < t->untils; i++) {
        uint32_t f = t->until[i];
        bool in = !set_has(&t->sets, next, f);
        if (!in) {
            const struct terms *own = t->expansion[f];
            assert(own); /* find_untils has expanded it */
            for (uint32_t k = 0; k < own->count && !in; k++)
                in = cube_within(label, own->at[k].label) && !set_has(&t->sets, own->at[k].next, f) &&
                     set_within(&t->sets, own->at[k].next, next);
        }
        if (in) marks |= UINT64_C(1) << i;
    }
    return marks;
}

/* The terms of a formula of a state, marked where the formula, if it has an acceptance set, is fulfilled. */
static bool marked_terms(struct tableau *t, uint32_t formula, struct terms *to) {
    const struct terms *own = expand(t, formula);
    uint64_t mark = 0;
    if (!own) return false;
    for (uint32_t i = 0; i < t->untils; i++)
        if (t->until[i] == formula) mark = UINT64_C(1) << i;
    for (uint32_t i = 0; i < own->count; i++) {
        struct term x = own->at[i];
        x.marks = set_has(&t->sets, x.next, formula) ? 0 : mark;
        if (!append(t, to, x)) return false;
    }
    return true;
}

/* Is f one of the conjuncts that g, which is G h or a R h, asks for now in any case? */
static bool asked_for(const struct ltl *l, uint32_t f, uint32_t g) {
    struct ltl_node n = l->node[g];
    if (n.op != LTL_GLOBALLY && n.op != LTL_RELEASE) return false;
    uint32_t h = n.op == LTL_GLOBALLY ? n.left : n.right;
    for (; l->node[h].op == LTL_AND; h = l->node[h].right)
        if (l->node[h].left == f) return true;
    return h == f;
}

/* The set without formulas that others ask for anyway: every term of G(f & ...) has one of f in it, so that a state has
 * the same edges without f. Only for states: whether f is in the next state matters to the marks. */
static uint32_t reduced(struct tableau *t, uint32_t set) {
    const uint32_t *member = set_table_members(&t->sets, set);
    uint32_t count = set_table_size(&t->sets, set);
    uint32_t *kept = memory_get((count + 1) * sizeof *kept), n = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool asked = false;
        for (uint32_t k = 0; k < count && !asked; k++) asked = asked_for(t->l, member[i], member[k]);
        if (!asked) kept[n++] = member[i];
    }
    uint32_t result = n == count ? set : set_table_number(&t->sets, kept, n);
    free(kept);
    return result;
}

/* First, combinations of terms: one may be worse than another as a term, and yet be the one with which an U is
 * fulfilled; so it matters which are. Then they get their marks as edges. */
static bool find_edges(struct tableau *t, uint32_t set, struct terms *edges) {
    struct terms so_far = {0};
    bool fine = add_term(t, &so_far, (struct term){{0, 0}, 0, 0});
    for (uint32_t i = 0; i < set_table_size(&t->sets, set) && fine; i++) {
        struct terms more = {0}, own = {0};
        uint32_t formula = set_table_members(&t->sets, set)[i];
        fine = marked_terms(t, formula, &own) && add_products(t, &more, &so_far, &own);
        free(so_far.at);
        free(own.at);
        so_far = more;
    }
    for (uint32_t i = 0; i < so_far.count && fine; i++) {
        struct term e = so_far.at[i];
        e.marks = marks_of(t, e.label, e.next);
        e.next = reduced(t, e.next);
        fine = add_term(t, edges, e);
    }
    free(so_far.at);
    return fine;
}

static uint32_t state_for(struct tableau *t, uint32_t set) {
    if (set >= t->state_of_room) {
        uint32_t room = 2 * set_table_count(&t->sets);
        t->state_of = memory_resize(t->state_of, room * sizeof *t->state_of);
        memset(t->state_of + t->state_of_room, 0, (room - t->state_of_room) * sizeof *t->state_of);
        t->state_of_room = room;
    }
    if (t->state_of[set]) return t->state_of[set] - 1;
    if (t->states == t->state_room) {
        t->state_room = t->state_room ? 2 * t->state_room : 64;
        t->set_of = memory_resize(t->set_of, t->state_room * sizeof *t->set_of);
        t->instead = memory_resize(t->instead, t->state_room * sizeof *t->instead);
        t->edges = memory_resize(t->edges, t->state_room * sizeof *t->edges);
    }
    t->set_of[t->states] = set;
    t->instead[t->states] = t->states;
    t->edges[t->states] = (struct terms){0};
    t->state_of[set] = ++t->states;
    return t->states - 1;
}

static int by_all(const void *x, const void *y) {
    const struct term *a = x, *b = y;
    if (a->next != b->next) return a->next < b->next ? -1 : 1;
    if (a->marks != b->marks) return a->marks < b->marks ? -1 : 1;
    if (a->label.care != b->label.care) return a->label.care < b->label.care ? -1 : 1;
    return a->label.value < b->label.value ? -1 : a->label.value > b->label.value;
}

/* An earlier state with the very same edges, or the state itself. Only so that fewer are looked at: what else can be
 * merged is found later. */
static uint32_t twin_of(const struct tableau *t, uint32_t state) {
    const struct terms *own = &t->edges[state];
    for (uint32_t s = 0; s < state; s++) {
        bool same = t->edges[s].count == own->count && t->instead[s] == s;
        for (uint32_t i = 0; i < own->count && same; i++) same = by_all(&own->at[i], &t->edges[s].at[i]) == 0;
        if (same) return s;
    }
    return state;
}

static bool find_states(struct tableau *t) {
    for (uint32_t s = 0; s < t->states; s++) {
        struct terms edges = {0};
        if (t->states > MOST_STATES) return too_large(t);
        if (!find_edges(t, t->set_of[s], &edges)) {
            free(edges.at);
            return false;
        }
        if (edges.count) qsort(edges.at, edges.count, sizeof *edges.at, by_all);
        t->edges[s] = edges;
        t->instead[s] = twin_of(t, s);
        for (uint32_t i = 0; i < edges.count && t->instead[s] == s; i++) state_for(t, edges.at[i].next);
    }
    return true;
}

/* The initial state is the first that was found; so nothing earlier stands for it. */
static void build(struct tableau *t, struct ba *out) {
    struct ba_builder b;
    ba_build(&b, &t->l->propositions);
    b.sets = t->untils;
    for (uint32_t s = 0; s < t->states; s++) ba_build_state(&b, 0);
    assert(t->instead[0] == 0);
    ba_build_initial(&b, 0);
    for (uint32_t s = 0; s < t->states; s++)
        for (uint32_t i = 0; i < t->edges[s].count && t->instead[s] == s; i++) {
            const struct term *e = &t->edges[s].at[i];
            assert(t->state_of[e->next] > 0); /* find_states has followed every edge */
            ba_build_edge(&b, s, e->label, e->marks, t->instead[t->state_of[e->next] - 1]);
        }
    ba_build_finish(&b, out);
}

/* ---- All ---- */

/* Every formula that can be postponed gets an acceptance set; all of them are expanded, for marks_of. */
static bool find_untils(struct tableau *t, uint32_t formula, bool *seen) {
    struct ltl_node n = t->l->node[formula];
    if (seen[formula]) return true;
    seen[formula] = true;
    if ((ltl_is_unary(n.op) || ltl_is_binary(n.op)) && !find_untils(t, n.left, seen)) return false;
    if (ltl_is_binary(n.op) && !find_untils(t, n.right, seen)) return false;
    if (n.op != LTL_UNTIL && n.op != LTL_FINALLY) return true;
    if (t->untils == MOST_SETS)
        return problem_set(t->why, EXIT_BAD_INPUT,
                           "the formula has more than %d subformulas with U or F, which is too "
                           "many for one automaton",
                           MOST_SETS);
    t->until[t->untils++] = formula;
    return expand(t, formula) != NULL;
}

/* The state that the whole formula is; conjunctions are taken apart. */
static uint32_t initial_set(struct tableau *t, uint32_t formula) {
    uint32_t n = ltl_operands(t->l, LTL_AND, formula, NULL, 0), set = 0;
    uint32_t *operand = memory_get(n * sizeof *operand);
    ltl_operands(t->l, LTL_AND, formula, operand, n);
    for (uint32_t i = 0; i < n; i++) set = set_union(&t->sets, set, set_table_number(&t->sets, &operand[i], 1));
    free(operand);
    return set;
}

bool ltl_tableau(struct ltl *l, uint32_t formula, bool split, uint64_t work, struct ba *out, struct problem *why) {
    struct tableau t = {.l = l, .why = why, .split = split, .most_work = work * WORK_UNIT, .expansion_room = l->count};
    uint32_t untils[MOST_SETS];
    bool *seen = memory_get_zeroed(l->count);
    t.expansion = memory_get_zeroed(l->count * sizeof *t.expansion);
    t.until = untils;
    set_table_init(&t.sets);
    set_table_number(&t.sets, NULL, 0);
    bool fine = find_untils(&t, formula, seen);
    if (fine) {
        state_for(&t, reduced(&t, initial_set(&t, formula)));
        fine = find_states(&t);
        if (fine) build(&t, out);
    }
    for (uint32_t i = 0; i < t.expansion_room; i++)
        if (t.expansion[i]) {
            free(t.expansion[i]->at);
            free(t.expansion[i]);
        }
    for (uint32_t s = 0; s < t.states; s++) free(t.edges[s].at);
    free(t.expansion);
    free(t.state_of);
    free(t.set_of);
    free(t.instead);
    free(t.edges);
    free(seen);
    set_table_fini(&t.sets);
    return fine;
}
