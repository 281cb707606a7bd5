/* random_model.h: a small random model of concurrent processes, as a function of a seed.
 *
 * The same description is used twice: cross_model.c makes an onager model of it, naive.c checks it on its own.
 *
 * A state is RM_VARS small values: a location and a local variable for each process, and a few global variables.
 * A transition is a conjunction of conditions and some assignments that happen at the same time. In a symmetric model
 * every process has the same transitions, nothing but `turn` tells them apart, and all checks are symmetric.
 *
 * Obligations are derived from the description alone:
 *   - t disabled: choose a condition of t that is false; add every transition that may make it true.
 *   - t enabled: add every transition that does not accord with t: one may make a condition of the other false, or both
 *     assign to the same variable (unless both add 1 or both store the same constant), or one assigns to what the other
 *     copies from.
 *   - t enabled and may make a condition of the bad-state check false: the check is an imaginary transition that does
 *     not change the state (STOP, Theorem 4 and Section VI), and t drags it in. While no bad state has been found, it
 *     is disabled: choose a condition of the check that is false; add every transition that may make it true.
 * "May" is decided by trying all values that the variable can have before, given the conditions of the transition.
 *
 * A mutation plants one error, to see whether it is found.
 *
 * Seeds from RM_WIDE on make wide models: some levels of their graphs have hundreds of states, so that a search with
 * several threads has something to share out, and bad states are rare. From RM_HUGE on there are so many states that
 * they do not all fit into the memory that onager takes at least.
 */
#ifndef RANDOM_MODEL_H
#define RANDOM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RM_WIDE (UINT64_C(1) << 32)
#define RM_HUGE (UINT64_C(1) << 33)

/* Not inlined, so that the model compiles quickly. */
#define RM_FUNCTION __attribute__((noinline, unused)) static

enum {
    RM_PROCESSES = 4,
    RM_GLOBALS = 4,
    RM_PC = 0,                            /* variables 0..3: locations */
    RM_LOCAL = RM_PROCESSES,              /* 4..7: one variable of each process */
    RM_GLOBAL = 2 * RM_PROCESSES,         /* 8..11 */
    RM_TURN = RM_GLOBAL + RM_GLOBALS - 1, /* with rm_model.turn: the number of a process */
    RM_VARS = RM_GLOBAL + RM_GLOBALS,
    RM_MAX_VALUE = 5, /* values are 0..5 */
    RM_MAX_TRANSITIONS = 24,
    RM_MAX_CONDITIONS = 4,
    RM_MAX_ASSIGNMENTS = 3,
};

/* Conditions. `p` is a process, `x`, `y` are variables, `v` is a value, `k` a number. */
enum rm_op {
    RM_EQ,         /* x == v */
    RM_NE,         /* x != v */
    RM_LT,         /* x < v */
    RM_GE,         /* x >= v */
    RM_SAME,       /* x == y */
    RM_SOME_OTHER, /* some process other than p is at location v */
    RM_NO_OTHER,   /* no process other than p is at location v */
    RM_COUNT_GE,   /* at least k processes are at location v */
    RM_COUNT_LT,   /* fewer than k processes are at location v */
};
struct rm_condition {
    uint8_t op;
    uint8_t x;     /* x, or p */
    uint8_t value; /* v */
    uint8_t arg;   /* y, or k */
};
struct rm_predicate {
    bool any; /* true if some condition is (none: false); otherwise: if all are (none: true) */
    uint8_t count;
    struct rm_condition condition[RM_MAX_CONDITIONS];
};

enum rm_assign { RM_SET, RM_INC, RM_COPY }; /* x := v, x := x + 1 mod its number of values, x := y */
struct rm_assignment {
    uint8_t op;
    uint8_t x;
    uint8_t value; /* v, or y */
};
struct rm_transition {
    bool live; /* otherwise this number is not used: always disabled */
    struct rm_predicate guard;
    uint8_t assignments;
    struct rm_assignment assignment[RM_MAX_ASSIGNMENTS];
};

/* Where the model calls model_error. */
enum rm_raise { RM_RAISE_NEVER, RM_RAISE_FIRE, RM_RAISE_FIRE_DISABLED, RM_RAISE_CHECK_STATE, RM_RAISE_CHECK_DEADLOCK };

/* What is wrong with the model. */
enum rm_mutation {
    RM_RIGHT,
    RM_DROP_CONFLICT, /* an enabled transition lacks an obligation, or has none at all */
    RM_DROP_ENABLER,  /* a disabled transition lacks an obligation, or has none at all */
    RM_DROP_CHECK,    /* the check of states is not accounted for */
    RM_MAP_LOCATIONS, /* the symmetry map moves locations, but not the local variables or `turn` */
    RM_MAP_FORGETS,   /* the symmetry map sets a global variable or a local variable to 0 */
    RM_OTHER_EFFECT,  /* a transition does something else (to be given to one of the two sides only) */
    RM_MUTATIONS
};

enum rm_choice { RM_CHOOSE_FIRST, RM_CHOOSE_LAST, RM_CHOOSE_FEWEST };

struct rm_model {
    uint64_t random; /* state of the generator */
    unsigned processes, slots;
    bool symmetric, turn;
    bool one_pass;           /* the symmetry map is one pass of bubble sort: right, but not canonical */
    bool progress_symmetric; /* may and must answer the same on symmetric states */
    uint8_t values[RM_VARS]; /* how many values a variable has; 1: it is not used */
    uint8_t initial[RM_VARS];
    struct rm_transition transition[RM_MAX_TRANSITIONS];
    struct rm_predicate bad, may_end, may, must;
    enum rm_raise raise;
    struct rm_predicate raise_when;
    uint32_t raise_in; /* RM_RAISE_FIRE*: by these transitions */
    bool accounts;     /* the obligations account for model errors */
    enum rm_mutation mutation;
    /* Obligations. Sets of transitions are bit masks. */
    enum rm_choice choice;
    bool names_itself, says_all;
    uint32_t live;
    uint8_t order[RM_MAX_TRANSITIONS]; /* in which obligations are listed */
    uint32_t conflicts[RM_MAX_TRANSITIONS];
    uint32_t enablers[RM_MAX_TRANSITIONS][RM_MAX_CONDITIONS];
    uint32_t falsifies_bad;
    uint32_t bad_enablers[RM_MAX_CONDITIONS];
    uint32_t raise_turners;   /* accounts: who may change whether raise_when holds */
    uint32_t falsifies_raise; /* accounts, RM_RAISE_CHECK_STATE: who may end it; and who may begin it: */
    uint32_t raise_enablers[RM_MAX_CONDITIONS];
};

/* ---- Meaning ----------------------------------------------------------------------------------------------------- */

RM_FUNCTION unsigned rm_count_at(const struct rm_model *m, const uint8_t *s, unsigned location, unsigned except) {
    unsigned count = 0;
    for (unsigned p = 0; p < m->processes; p++) count += p != except && s[RM_PC + p] == location;
    return count;
}

RM_FUNCTION bool rm_condition_holds(const struct rm_model *m, const struct rm_condition *c, const uint8_t *s) {
    switch ((enum rm_op)c->op) {
    case RM_EQ: return s[c->x] == c->value;
    case RM_NE: return s[c->x] != c->value;
    case RM_LT: return s[c->x] < c->value;
    case RM_GE: return s[c->x] >= c->value;
    case RM_SAME: return s[c->x] == s[c->arg];
    case RM_SOME_OTHER: return rm_count_at(m, s, c->value, c->x) > 0;
    case RM_NO_OTHER: return rm_count_at(m, s, c->value, c->x) == 0;
    case RM_COUNT_GE: return rm_count_at(m, s, c->value, RM_PROCESSES) >= c->arg;
    case RM_COUNT_LT: return rm_count_at(m, s, c->value, RM_PROCESSES) < c->arg;
    }
    return false;
}

RM_FUNCTION bool rm_holds(const struct rm_model *m, const struct rm_predicate *p, const uint8_t *s) {
    for (unsigned i = 0; i < p->count; i++)
        if (rm_condition_holds(m, &p->condition[i], s) == p->any) return p->any;
    return !p->any;
}

RM_FUNCTION bool rm_enabled(const struct rm_model *m, const uint8_t *s, unsigned t) {
    return m->transition[t].live && rm_holds(m, &m->transition[t].guard, s);
}

RM_FUNCTION bool rm_fire(const struct rm_model *m, uint8_t *s, unsigned t) {
    const struct rm_transition *tr = &m->transition[t];
    uint8_t old[RM_VARS];
    if (!rm_enabled(m, s, t)) return false;
    memcpy(old, s, RM_VARS);
    for (unsigned i = 0; i < tr->assignments; i++) {
        const struct rm_assignment *a = &tr->assignment[i];
        switch ((enum rm_assign)a->op) {
        case RM_SET: s[a->x] = a->value; break;
        case RM_INC: s[a->x] = (uint8_t)((old[a->x] + 1) % m->values[a->x]); break;
        case RM_COPY: s[a->x] = old[a->value]; break;
        }
    }
    return true;
}

/* Does the condition look at variable x? */
RM_FUNCTION bool rm_looks_at(const struct rm_condition *c, unsigned x) {
    if (c->op >= RM_SOME_OTHER) return x < RM_PC + RM_PROCESSES;
    return x == c->x || (c->op == RM_SAME && x == c->arg);
}

/* May t change whether the predicate holds? Yes, if it stores something that the predicate looks at. */
RM_FUNCTION bool rm_may_change(const struct rm_model *m, const struct rm_predicate *p, unsigned t) {
    const struct rm_transition *tr = &m->transition[t];
    for (unsigned i = 0; tr->live && i < tr->assignments; i++)
        for (unsigned k = 0; k < p->count; k++)
            if (rm_looks_at(&p->condition[k], tr->assignment[i].x)) return true;
    return false;
}

/* Does the attempt to fire t call model_error? */
RM_FUNCTION bool rm_fire_raises(const struct rm_model *m, const uint8_t *s, unsigned t) {
    if (!(m->raise_in >> t & 1)) return false;
    if (m->raise == RM_RAISE_FIRE) return rm_enabled(m, s, t) && rm_holds(m, &m->raise_when, s);
    return m->raise == RM_RAISE_FIRE_DISABLED && rm_holds(m, &m->raise_when, s);
}

RM_FUNCTION bool rm_check_raises(const struct rm_model *m, const uint8_t *s, enum rm_raise where) {
    return m->raise == where && rm_holds(m, &m->raise_when, s);
}

RM_FUNCTION void rm_swap(uint8_t *s, unsigned i, unsigned j) {
    uint8_t x = s[i];
    s[i] = s[j];
    s[j] = x;
}

RM_FUNCTION void rm_swap_processes(const struct rm_model *m, uint8_t *s, unsigned p, unsigned q) {
    rm_swap(s, RM_PC + p, RM_PC + q);
    if (m->mutation == RM_MAP_LOCATIONS) return;
    rm_swap(s, RM_LOCAL + p, RM_LOCAL + q);
    if (!m->turn) return;
    if (s[RM_TURN] == p) s[RM_TURN] = (uint8_t)q;
    else if (s[RM_TURN] == q) s[RM_TURN] = (uint8_t)p;
}

RM_FUNCTION unsigned rm_sort_key(const struct rm_model *m, const uint8_t *s, unsigned p) {
    return s[RM_PC + p] * 64u + s[RM_LOCAL + p] * 2u + (m->turn && s[RM_TURN] == p);
}

RM_FUNCTION void rm_symmetry(const struct rm_model *m, uint8_t *s) {
    if (!m->symmetric) return;
    for (unsigned pass = 1; pass < (m->one_pass ? 2 : m->processes); pass++)
        for (unsigned p = 0; p + 1 < m->processes; p++)
            if (rm_sort_key(m, s, p) > rm_sort_key(m, s, p + 1)) rm_swap_processes(m, s, p, p + 1);
    if (m->mutation == RM_MAP_FORGETS) s[m->values[RM_LOCAL] > 1 ? RM_LOCAL : RM_GLOBAL] = 0;
}

/* ---- Obligations ------------------------------------------------------------------------------------------------- */

/* The values that x may have when t is enabled, as a bit mask. */
RM_FUNCTION unsigned rm_values_before(const struct rm_model *m, unsigned t, unsigned x) {
    const struct rm_predicate *guard = &m->transition[t].guard;
    unsigned mask = (1u << m->values[x]) - 1;
    for (unsigned i = 0; i < guard->count; i++) {
        const struct rm_condition *c = &guard->condition[i];
        if (c->op > RM_GE || c->x != x) continue;
        uint8_t s[RM_VARS] = {0};
        for (unsigned v = 0; v < m->values[x]; v++) {
            s[x] = (uint8_t)v;
            if (!rm_condition_holds(m, c, s)) mask &= ~(1u << v);
        }
    }
    return mask;
}

/* The values that x may have after t occurred with x == old; 0 if t does not assign to x. */
RM_FUNCTION unsigned rm_values_after(const struct rm_model *m, unsigned t, unsigned x, unsigned old) {
    const struct rm_transition *tr = &m->transition[t];
    for (unsigned i = 0; i < tr->assignments; i++) {
        const struct rm_assignment *a = &tr->assignment[i];
        if (a->x != x) continue;
        if (a->op == RM_SET) return 1u << a->value;
        if (a->op == RM_INC) return 1u << (old + 1) % m->values[x];
        return rm_values_before(m, t, a->value);
    }
    return 0;
}

/* May t change a condition on x alone from !truth to truth? */
RM_FUNCTION bool rm_may_turn_one(const struct rm_model *m, unsigned t, struct rm_condition c, bool truth) {
    unsigned before = rm_values_before(m, t, c.x);
    for (unsigned old = 0; old < m->values[c.x]; old++) {
        uint8_t s[RM_VARS] = {0};
        unsigned after = before >> old & 1 ? rm_values_after(m, t, c.x, old) : 0;
        s[c.x] = (uint8_t)old;
        if (rm_condition_holds(m, &c, s) == truth) continue;
        for (unsigned later = 0; after >> later; later++) {
            s[c.x] = (uint8_t)later;
            if (after >> later & 1 && rm_condition_holds(m, &c, s) == truth) return true;
        }
    }
    return false;
}

RM_FUNCTION bool rm_may_turn(const struct rm_model *m, unsigned t, const struct rm_condition *c, bool truth) {
    if (!m->transition[t].live) return false;
    if (c->op <= RM_GE) return rm_may_turn_one(m, t, *c, truth);
    if (c->op == RM_SAME) {
        for (unsigned i = 0; i < m->transition[t].assignments; i++)
            if (m->transition[t].assignment[i].x == c->x || m->transition[t].assignment[i].x == c->arg) return true;
        return false;
    }
    bool grows = (c->op == RM_SOME_OTHER || c->op == RM_COUNT_GE) == truth; /* with the number of processes there */
    unsigned except = c->op == RM_SOME_OTHER || c->op == RM_NO_OTHER ? c->x : RM_PROCESSES;
    for (unsigned p = 0; p < m->processes; p++) {
        struct rm_condition at = {RM_EQ, (uint8_t)(RM_PC + p), c->value, 0};
        if (p != except && rm_may_turn_one(m, t, at, grows)) return true;
    }
    return false;
}

RM_FUNCTION bool rm_may_falsify(const struct rm_model *m, unsigned t, const struct rm_predicate *p) {
    for (unsigned i = 0; i < p->count; i++)
        if (rm_may_turn(m, t, &p->condition[i], false)) return true;
    return false;
}

/* Do the assignments of t and u, in either order, not come to the same? */
RM_FUNCTION bool rm_effects_clash(const struct rm_transition *t, const struct rm_transition *u) {
    for (unsigned i = 0; i < t->assignments; i++)
        for (unsigned j = 0; j < u->assignments; j++) {
            const struct rm_assignment *a = &t->assignment[i], *b = &u->assignment[j];
            if (a->op == RM_COPY && a->value == b->x) return true;
            if (b->op == RM_COPY && b->value == a->x) return true;
            if (a->x != b->x) continue;
            if (a->op == RM_INC && b->op == RM_INC) continue;
            if (a->op == RM_SET && b->op == RM_SET && a->value == b->value) continue;
            return true;
        }
    return false;
}

RM_FUNCTION uint32_t rm_enablers_of(const struct rm_model *m, const struct rm_condition *c) {
    uint32_t mask = 0;
    for (unsigned u = 0; u < m->slots; u++)
        if (rm_may_turn(m, u, c, true)) mask |= UINT32_C(1) << u;
    return mask;
}

/* A call of model_error is an imaginary transition, enabled where it happens, which changes nothing. One that `fire`
 * makes stands with the transition that is fired; one in check_state, by itself, as the check does. */
RM_FUNCTION void rm_account_for_errors(struct rm_model *m) {
    m->raise_turners = m->falsifies_raise = 0;
    if (!m->accounts || m->raise == RM_RAISE_NEVER || m->raise == RM_RAISE_CHECK_DEADLOCK) return;
    for (unsigned i = 0; i < m->raise_when.count; i++) {
        m->raise_enablers[i] = rm_enablers_of(m, &m->raise_when.condition[i]);
        m->raise_turners |= m->raise_enablers[i];
    }
    for (unsigned u = 0; u < m->slots; u++)
        if (m->transition[u].live && rm_may_falsify(m, u, &m->raise_when)) m->falsifies_raise |= UINT32_C(1) << u;
    m->raise_turners |= m->falsifies_raise;
    if (m->raise == RM_RAISE_CHECK_STATE) return;
    m->falsifies_raise = 0;
    for (unsigned t = 0; t < m->slots; t++)
        for (unsigned u = 0; u < m->slots; u++)
            if (u != t && m->raise_in >> t & 1 && m->raise_turners >> u & 1) {
                m->conflicts[t] |= UINT32_C(1) << u;
                m->conflicts[u] |= UINT32_C(1) << t;
            }
}

RM_FUNCTION void rm_derive_obligations(struct rm_model *m) {
    m->falsifies_bad = 0;
    for (unsigned t = 0; t < m->slots; t++) {
        const struct rm_transition *tr = &m->transition[t];
        m->conflicts[t] = 0;
        if (!tr->live) continue;
        for (unsigned u = 0; u < m->slots; u++) {
            const struct rm_transition *ur = &m->transition[u];
            if (u != t && ur->live &&
                (rm_may_falsify(m, u, &tr->guard) || rm_may_falsify(m, t, &ur->guard) || rm_effects_clash(tr, ur)))
                m->conflicts[t] |= UINT32_C(1) << u;
        }
        for (unsigned i = 0; i < tr->guard.count; i++) m->enablers[t][i] = rm_enablers_of(m, &tr->guard.condition[i]);
        if (rm_may_falsify(m, t, &m->bad)) m->falsifies_bad |= UINT32_C(1) << t;
    }
    for (unsigned i = 0; i < m->bad.count; i++) m->bad_enablers[i] = rm_enablers_of(m, &m->bad.condition[i]);
    rm_account_for_errors(m);
}

/* Chooses a condition of p that is false in s and returns who may make it true; 0 if p holds. */
RM_FUNCTION uint32_t rm_choose(const struct rm_model *m, const struct rm_predicate *p, const uint32_t *enablers,
                               const uint8_t *s) {
    uint32_t mask = 0;
    bool found = false;
    for (unsigned i = 0; i < p->count; i++) {
        if (rm_condition_holds(m, &p->condition[i], s)) continue;
        if (!found || m->choice == RM_CHOOSE_LAST ||
            (m->choice == RM_CHOOSE_FEWEST && __builtin_popcount(enablers[i]) < __builtin_popcount(mask)))
            mask = enablers[i];
        found = true;
    }
    return mask;
}

/* Fills list (room for RM_MAX_TRANSITIONS + 2) and returns its length. *all: all transitions. */
RM_FUNCTION unsigned rm_obligations(const struct rm_model *m, const uint8_t *s, unsigned t, unsigned *list, bool *all) {
    const struct rm_transition *tr = &m->transition[t];
    uint32_t mask = 0;
    unsigned count = 0;
    *all = false;
    if (!tr->live) return 0;
    if (rm_holds(m, &tr->guard, s)) {
        mask = m->conflicts[t];
        if (m->falsifies_bad >> t & 1) mask |= rm_choose(m, &m->bad, m->bad_enablers, s);
        if (m->falsifies_raise >> t & 1) mask |= rm_choose(m, &m->raise_when, m->raise_enablers, s);
    } else {
        mask = rm_choose(m, &tr->guard, m->enablers[t], s);
        if (m->raise == RM_RAISE_FIRE_DISABLED && m->raise_in >> t & 1) mask |= m->raise_turners & ~(UINT32_C(1) << t);
    }
    if (m->says_all && (mask | UINT32_C(1) << t) == m->live) {
        *all = true;
        return 0;
    }
    if (m->names_itself) list[count++] = t;
    for (unsigned i = 0; i < m->slots; i++)
        if (mask >> m->order[i] & 1) list[count++] = m->order[i];
    if (m->names_itself && mask) list[count] = list[count - 1], count++;
    return count;
}

#ifndef __clang__ /* this part runs once: compile it quickly */
#pragma GCC push_options
#pragma GCC optimize("O0")
#endif

/* ---- Making one -------------------------------------------------------------------------------------------------- */

RM_FUNCTION uint64_t rm_random64(struct rm_model *m) {
    uint64_t z = m->random += UINT64_C(0x9E3779B97F4A7C15); /* splitmix64 */
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}
RM_FUNCTION unsigned rm_below(struct rm_model *m, unsigned n) { return (unsigned)(rm_random64(m) >> 33) % n; }
RM_FUNCTION bool rm_chance(struct rm_model *m, unsigned percent) { return rm_below(m, 100) < percent; }

/* What kind of model it is: how likely it is to end. */
enum rm_flavour { RM_ACYCLIC, RM_STOPS_AT_START, RM_STOPS_ANYWHERE, RM_FREE };

struct rm_recipe {
    enum rm_flavour flavour;
    unsigned conditions, effects; /* percent: how often a transition reads or writes more than its location */
    unsigned round_trips;         /* percent: how often a transition goes to the next location */
    unsigned locations;
    unsigned globals; /* how many are used, without `turn` */
    bool locals;
    bool wide;
};

RM_FUNCTION void rm_and(struct rm_predicate *p, unsigned op, unsigned x, unsigned value, unsigned arg) {
    if (p->count == RM_MAX_CONDITIONS) return;
    p->condition[p->count++] = (struct rm_condition){(uint8_t)op, (uint8_t)x, (uint8_t)value, (uint8_t)arg};
}

RM_FUNCTION bool rm_assigns(const struct rm_transition *t, unsigned x) {
    for (unsigned i = 0; i < t->assignments; i++)
        if (t->assignment[i].x == x) return true;
    return false;
}

RM_FUNCTION void rm_assign(struct rm_transition *t, unsigned op, unsigned x, unsigned value) {
    if (t->assignments == RM_MAX_ASSIGNMENTS || rm_assigns(t, x)) return;
    t->assignment[t->assignments++] = (struct rm_assignment){(uint8_t)op, (uint8_t)x, (uint8_t)value};
}

RM_FUNCTION void rm_condition_on(struct rm_model *m, struct rm_predicate *p, unsigned x) {
    static const uint8_t ops[] = {RM_EQ, RM_EQ, RM_NE, RM_NE, RM_LT, RM_GE};
    unsigned op = ops[rm_below(m, sizeof ops)];
    unsigned value = op >= RM_LT ? 1 + rm_below(m, m->values[x] - 1u) : rm_below(m, m->values[x]);
    rm_and(p, op, x, value, 0);
}

/* A condition that a transition of process p may have; in a symmetric model it has the same meaning for every p. */
RM_FUNCTION void rm_some_condition(struct rm_model *m, const struct rm_recipe *r, struct rm_predicate *p,
                                   unsigned own) {
    unsigned what = rm_below(m, 10), global = RM_GLOBAL + (r->globals ? rm_below(m, r->globals) : 0);
    if (what < 3 && m->turn) rm_and(p, what == 0 ? RM_NE : RM_EQ, RM_TURN, own, 0);
    else if (what < 6 && r->globals) rm_condition_on(m, p, global);
    else if (what < 7 && r->globals && r->locals) rm_and(p, RM_SAME, RM_LOCAL + own, 0, global);
    else if (what < 8 && r->locals) rm_condition_on(m, p, RM_LOCAL + own);
    else rm_and(p, what == 8 ? RM_SOME_OTHER : RM_NO_OTHER, own, rm_below(m, r->locations), 0);
}

RM_FUNCTION void rm_some_assignment(struct rm_model *m, const struct rm_recipe *r, struct rm_transition *t,
                                    unsigned own) {
    unsigned what = rm_below(m, 10), global = RM_GLOBAL + (r->globals ? rm_below(m, r->globals) : 0);
    unsigned x = r->locals && (what & 1) ? RM_LOCAL + own : global;
    if (what < 2 && m->turn) rm_assign(t, RM_SET, RM_TURN, own);
    else if (m->values[x] < 2) return;
    else if (what < 6) rm_assign(t, RM_SET, x, rm_below(m, m->values[x]));
    else if (what < 8 || !r->locals || !r->globals) rm_assign(t, RM_INC, x, 0);
    else if (x == global && m->values[RM_LOCAL + own] <= m->values[x]) rm_assign(t, RM_COPY, x, RM_LOCAL + own);
    else if (x != global && m->values[global] <= m->values[x]) rm_assign(t, RM_COPY, x, global);
}

RM_FUNCTION struct rm_transition rm_some_transition(struct rm_model *m, const struct rm_recipe *r, unsigned own,
                                                    unsigned number) {
    struct rm_transition t = {.live = true};
    unsigned last = r->locations - 1, pc = RM_PC + own;
    if (number == 0 && (r->flavour == RM_STOPS_AT_START || r->flavour == RM_STOPS_ANYWHERE)) {
        rm_and(&t.guard, r->flavour == RM_STOPS_AT_START ? RM_EQ : RM_NE, pc,
               r->flavour == RM_STOPS_AT_START ? 0 : last, 0);
        rm_assign(&t, RM_SET, pc, last);
        return t;
    }
    bool stops = r->flavour == RM_STOPS_AT_START || r->flavour == RM_STOPS_ANYWHERE;
    unsigned inside = stops ? last : r->locations; /* locations that it moves in */
    unsigned from = r->flavour == RM_ACYCLIC ? rm_below(m, last) : rm_below(m, inside);
    unsigned to = r->flavour == RM_ACYCLIC ? from + 1 + rm_below(m, last - from) : rm_below(m, inside);
    if (rm_chance(m, r->round_trips)) { /* a path, or a round trip, makes a lively process */
        from = r->flavour == RM_ACYCLIC ? number % last : (number - stops) % inside;
        to = r->flavour == RM_ACYCLIC ? from + 1 : (from + 1) % inside;
    }
    if (r->flavour == RM_FREE && rm_chance(m, 10)) {
        rm_and(&t.guard, RM_NE, pc, to, 0);
    } else {
        rm_and(&t.guard, RM_EQ, pc, from, 0);
    }
    if (to != from) rm_assign(&t, RM_SET, pc, to);
    for (unsigned i = 0; i < 2; i++)
        if (rm_chance(m, r->conditions)) rm_some_condition(m, r, &t.guard, own);
    for (unsigned i = 0; i < 2; i++)
        if (rm_chance(m, r->effects)) rm_some_assignment(m, r, &t, own);
    /* The condition on the location need not come first. */
    if (t.guard.count > 1 && rm_chance(m, 30)) {
        struct rm_condition c = t.guard.condition[0];
        t.guard.condition[0] = t.guard.condition[t.guard.count - 1];
        t.guard.condition[t.guard.count - 1] = c;
    }
    return t;
}

/* A template of process 0, for process p. */
RM_FUNCTION struct rm_transition rm_instance(const struct rm_model *m, struct rm_transition t, unsigned p) {
    for (unsigned i = 0; i < t.guard.count; i++) {
        struct rm_condition *c = &t.guard.condition[i];
        if (c->op == RM_SOME_OTHER || c->op == RM_NO_OTHER) c->x = (uint8_t)p;
        else if (m->turn && c->x == RM_TURN) c->value = (uint8_t)p;
        else if (c->x < RM_GLOBAL) c->x = (uint8_t)(c->x + p);
    }
    for (unsigned i = 0; i < t.assignments; i++) {
        struct rm_assignment *a = &t.assignment[i];
        if (a->op == RM_COPY && a->value < RM_GLOBAL) a->value = (uint8_t)(a->value + p);
        if (m->turn && a->x == RM_TURN) a->value = (uint8_t)p;
        if (a->x < RM_GLOBAL) a->x = (uint8_t)(a->x + p);
    }
    return t;
}

/* A condition for a check. */
RM_FUNCTION void rm_check_condition(struct rm_model *m, const struct rm_recipe *r, struct rm_predicate *p,
                                    bool symmetric) {
    unsigned what = rm_below(m, 6), process = rm_below(m, m->processes);
    if (what < 2 && r->globals) rm_condition_on(m, p, RM_GLOBAL + rm_below(m, r->globals));
    else if (symmetric || what == 2)
        rm_and(p, what == 5 ? RM_COUNT_LT : RM_COUNT_GE, 0, rm_below(m, r->locations), 1 + rm_below(m, m->processes));
    else if (what == 3 && r->locals) rm_condition_on(m, p, RM_LOCAL + process);
    else if (what == 4 && r->locals && r->globals)
        rm_and(p, RM_SAME, RM_LOCAL + process, 0, RM_GLOBAL + rm_below(m, r->globals));
    else rm_and(p, RM_EQ, RM_PC + process, rm_below(m, r->locations), 0);
}

RM_FUNCTION void rm_checks(struct rm_model *m, const struct rm_recipe *r) {
    unsigned n = r->wide ? 2 + rm_below(m, 3) : 1 + rm_below(m, RM_MAX_CONDITIONS);
    for (unsigned i = 0; i < n; i++) rm_check_condition(m, r, &m->bad, m->symmetric);
    /* Where it may end: anywhere; where all have stopped; some condition. */
    switch (rm_below(m, 4)) {
    case 0:
    case 1: break;
    case 2: rm_and(&m->may_end, RM_COUNT_GE, 0, r->locations - 1, m->processes); break;
    default: rm_check_condition(m, r, &m->may_end, m->symmetric); break;
    }
    m->progress_symmetric = m->symmetric && rm_chance(m, 70);
    struct rm_predicate *progress[] = {&m->may, &m->must};
    for (unsigned k = 0; k < 2; k++) {
        n = 1 + rm_below(m, 2);
        progress[k]->any = rm_chance(m, 60);
        for (unsigned i = 0; i < n; i++) rm_check_condition(m, r, progress[k], m->progress_symmetric);
    }
    if (rm_chance(m, r->wide ? 30 : 12)) {
        m->raise = (enum rm_raise)(RM_RAISE_FIRE + rm_below(m, 4));
        n = r->wide ? 2 + rm_below(m, 3) : 1 + rm_below(m, 2);
        for (unsigned i = 0; i < n; i++) rm_check_condition(m, r, &m->raise_when, m->symmetric);
    }
}

RM_FUNCTION double rm_size(const struct rm_model *m) {
    double size = 1;
    for (unsigned x = 0; x < RM_VARS; x++) size *= m->values[x];
    return size;
}

/* Variables: how many of each, so that there are not more than `limit` states. */
RM_FUNCTION void rm_variables(struct rm_model *m, struct rm_recipe *r, double limit) {
    unsigned local_values = r->wide ? 3 : 2 + rm_below(m, 2);
    memset(m->values, 1, RM_VARS);
    r->locations = 3 + rm_below(m, 4);
    for (unsigned p = 0; p < m->processes; p++) m->values[RM_PC + p] = (uint8_t)r->locations;
    if (m->turn) m->values[RM_TURN] = (uint8_t)m->processes;
    while (r->locations > 3 && rm_size(m) > limit / 2) {
        r->locations--;
        for (unsigned p = 0; p < m->processes; p++) m->values[RM_PC + p] = (uint8_t)r->locations;
    }
    unsigned wanted = rm_below(m, RM_GLOBALS);
    while (r->globals < wanted && rm_size(m) * 4 <= limit)
        m->values[RM_GLOBAL + r->globals++] = (uint8_t)(2 + rm_below(m, 3));
    double size = rm_size(m);
    for (unsigned p = 0; p < m->processes; p++) size *= local_values;
    r->locals = r->wide || (size <= limit && rm_chance(m, 60));
    for (unsigned p = 0; r->locals && p < m->processes; p++) m->values[RM_LOCAL + p] = (uint8_t)local_values;
    for (unsigned g = 0; g < r->globals; g++)
        if (rm_chance(m, 30)) m->initial[RM_GLOBAL + g] = (uint8_t)rm_below(m, m->values[RM_GLOBAL + g]);
    if (m->turn) m->initial[RM_TURN] = (uint8_t)rm_below(m, m->processes);
    for (unsigned p = 0; r->locals && p < m->processes; p++)
        if (rm_chance(m, 20)) m->initial[RM_LOCAL + p] = (uint8_t)rm_below(m, local_values);
}

RM_FUNCTION void rm_shuffle(struct rm_model *m, uint8_t *order, unsigned n) {
    for (unsigned i = 0; i < n; i++) order[i] = (uint8_t)i;
    for (unsigned i = n; i > 1; i--) rm_swap(order, i - 1, rm_below(m, i));
}

RM_FUNCTION void rm_transitions(struct rm_model *m, const struct rm_recipe *r) {
    uint8_t number[RM_MAX_TRANSITIONS];
    unsigned each = m->slots / m->processes, first_raising = rm_below(m, each);
    rm_shuffle(m, number, m->slots);
    if (rm_chance(m, 50)) /* sometimes orderly: the processes follow each other */
        for (unsigned i = 0; i < m->slots; i++) number[i] = (uint8_t)i;
    for (unsigned k = 0; k < each; k++) {
        struct rm_transition pattern = rm_some_transition(m, r, 0, k);
        for (unsigned p = 0; p < m->processes; p++) {
            unsigned t = number[k * m->processes + p];
            if (!m->symmetric && rm_chance(m, 10)) continue;
            m->transition[t] = m->symmetric ? rm_instance(m, pattern, p) : rm_some_transition(m, r, p, k);
            m->live |= UINT32_C(1) << t;
            if (k >= first_raising) m->raise_in |= UINT32_C(1) << t;
        }
    }
}

/* Drops one member of a set, or all. */
RM_FUNCTION void rm_drop(struct rm_model *m, uint32_t *set) {
    uint32_t rest = *set;
    unsigned skip = rm_below(m, (unsigned)__builtin_popcount(rest));
    while (skip-- > 0) rest &= rest - 1;
    *set = rm_chance(m, 60) ? 0 : *set & ~(rest & -rest);
}

/* Plants the error. False: this model has no place for it. */
RM_FUNCTION bool rm_mutate(struct rm_model *m, enum rm_mutation mutation) {
    m->mutation = mutation;
    unsigned start = rm_below(m, m->slots);
    switch (mutation) {
    case RM_DROP_CONFLICT:
        for (unsigned i = 0; i < m->slots; i++) {
            unsigned t = (start + i) % m->slots;
            if (!m->conflicts[t]) continue;
            rm_drop(m, &m->conflicts[t]);
            return true;
        }
        return false;
    case RM_DROP_ENABLER:
        for (unsigned i = 0; i < m->slots; i++) {
            unsigned t = (start + i) % m->slots, c = m->transition[t].guard.count;
            while (c > 0 && !m->enablers[t][c - 1]) c--;
            if (!m->transition[t].live || !c) continue;
            rm_drop(m, &m->enablers[t][c - 1]);
            return true;
        }
        return false;
    case RM_DROP_CHECK: m->falsifies_bad = 0; return true;
    case RM_MAP_LOCATIONS: return m->symmetric && (m->values[RM_LOCAL] > 1 || m->turn);
    case RM_MAP_FORGETS: return m->symmetric && (m->values[RM_LOCAL] > 1 || m->values[RM_GLOBAL] > 1);
    case RM_OTHER_EFFECT:
        for (unsigned i = 0; i < m->slots; i++) {
            struct rm_transition *t = &m->transition[(start + i) % m->slots];
            if (!t->live || !t->assignments || t->assignment[0].op != RM_SET) continue;
            t->assignment[0].value = (uint8_t)((t->assignment[0].value + 1) % m->values[t->assignment[0].x]);
            return true;
        }
        return false;
    default: return true;
    }
}

/* `slots`: how many numbers of transitions there are. */
RM_FUNCTION bool rm_generate(struct rm_model *m, uint64_t seed, unsigned slots, enum rm_mutation mutation) {
    static const double limits[] = {100, 300, 1000, 1000, 3000, 3000, 10000, 10000};
    static const uint8_t flavours[] = {RM_ACYCLIC,        RM_STOPS_AT_START, RM_STOPS_AT_START,
                                       RM_STOPS_ANYWHERE, RM_FREE,           RM_FREE};
    struct rm_recipe r = {.flavour = RM_ACYCLIC};
    memset(m, 0, sizeof *m);
    m->random = seed * UINT64_C(0xD1342543DE82EF95) + 1;
    m->slots = slots;
    m->processes = 2 + rm_below(m, 3);
    m->symmetric = rm_chance(m, 50);
    m->turn = m->symmetric && rm_chance(m, 40);
    m->one_pass = m->symmetric && rm_chance(m, 15);
    r.flavour = (enum rm_flavour)flavours[rm_below(m, sizeof flavours)];
    r.effects = 10 + rm_below(m, 60);
    r.conditions = r.effects / 2;
    r.round_trips = 75;
    double limit = limits[rm_below(m, sizeof limits / sizeof limits[0])];
    if (rm_chance(m, 8)) { /* a large one: many processes that do not wait for each other much */
        m->processes = RM_PROCESSES;
        r.effects = 10 + rm_below(m, 30);
        r.conditions = rm_below(m, 10);
        r.round_trips = 100;
        limit = 100000;
    }
    if (seed >= RM_WIDE) {
        m->processes = RM_PROCESSES;
        r.wide = true;
        r.effects = 50 + rm_below(m, 50);
        r.conditions = rm_below(m, 10);
        r.round_trips = 100;
        limit = seed >= RM_HUGE ? 20000 : 1000; /* for locations and global variables; local ones come on top */
    }
    rm_variables(m, &r, limit);
    rm_transitions(m, &r);
    rm_checks(m, &r);
    m->choice = (enum rm_choice)rm_below(m, 3);
    m->names_itself = rm_chance(m, 20);
    m->says_all = rm_chance(m, 20);
    rm_shuffle(m, m->order, slots);
    if (rm_chance(m, 50))
        for (unsigned i = 0; i < slots; i++) m->order[i] = (uint8_t)i;
    m->accounts = rm_chance(m, 70);
    rm_derive_obligations(m);
    return rm_mutate(m, mutation);
}

#ifndef __clang__
#pragma GCC pop_options
#endif

#endif
