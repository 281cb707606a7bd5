/* Random models: see acted.h. */
#include <stdlib.h>
#include <string.h>

#include "acted.h"
#include "base/memory.h"

enum { MOST_TERMS = 5, MOST_STORES = 4, MOST_BRANCHES = 3, MOST_TRANSITIONS = 16 };

/* A condition; index[] at [y] is variable first + value of y. */
struct term {
    enum { IS, IS_NOT, SAME, LESS, BELOW, INDEXED, SUM } what;
    uint32_t x, y, z;
};

struct assignment {
    enum { CONSTANT, UP, DOWN, COPY, FLIP, AT_INDEX, ADD_UP } what;
    uint32_t x, y;
};

struct branch {
    uint32_t terms, stores;
    struct term term[MOST_TERMS];
    struct assignment store[MOST_STORES];
    enum { DOES, REFUSES, FAILS, HIDES } then;
};

struct code {
    uint32_t branches;
    struct branch branch[MOST_BRANCHES];
    uint64_t later[MOST_BRANCHES]; /* what it may still get from this branch on */
};

struct program {
    struct acted_model model; /* first: freed as one */
    struct code code[MOST_TRANSITIONS + 4];
};

/* ---- Running ---- */

static bool term_holds(struct actor *a, const struct term *t) {
    const struct acted_model *m = acted_model(a);
    uint32_t v = acted_get(a, t->x);
    switch (t->what) {
    case IS: return v == t->y;
    case IS_NOT: return v != t->y;
    case SAME: return v == acted_get(a, t->y);
    case LESS: return v < acted_get(a, t->y);
    case BELOW: return v < t->y;
    case INDEXED: return acted_get(a, v % m->variables) == t->y;
    case SUM: return v + acted_get(a, t->y) + acted_get(a, t->z) > 2;
    }
    return false;
}

static void assign(struct actor *a, const struct assignment *e) {
    const struct acted_model *m = acted_model(a);
    uint32_t many = m->values[e->x], z;
    switch (e->what) {
    case CONSTANT: acted_set(a, e->x, e->y); break;
    case UP: acted_set(a, e->x, (acted_get(a, e->x) + 1) % many); break;
    case DOWN: acted_set(a, e->x, (acted_get(a, e->x) + many - 1) % many); break;
    case COPY: acted_set(a, e->x, acted_get(a, e->y) % many); break;
    case FLIP: acted_set(a, e->x, many - 1 - acted_get(a, e->x)); break;
    case AT_INDEX:
        z = acted_get(a, e->x) % m->variables;
        acted_set(a, z, e->y % m->values[z]);
        break;
    case ADD_UP: acted_set(a, e->x, acted_get(a, e->x) + acted_get(a, e->y)); break; /* may be too much */
    }
}

static uint64_t run(struct actor *a, uint32_t unit) {
    const struct code *c = &((const struct program *)acted_model(a)->program)->code[unit];
    for (uint32_t i = 0; i < c->branches; i++) {
        const struct branch *b = &c->branch[i];
        bool holds = true;
        acted_at(a, i, c->later[i]);
        for (uint32_t k = 0; k < b->terms && holds; k++) holds = term_holds(a, &b->term[k]);
        if (!holds) continue;
        if (b->then == FAILS) acted_fail(a);
        if (b->then == HIDES) acted_hide(a);
        if (b->then == REFUSES) return 0;
        acted_at(a, 100 + i, UINT64_MAX);
        for (uint32_t k = 0; k < b->stores; k++) assign(a, &b->store[k]);
        return 1;
    }
    return 0;
}

/* Within a branch, what is known of its own terms tells where it is. */
static uint64_t gets(const struct acted_model *m, const struct branch *b) {
    uint64_t set = 0, all = (UINT64_C(1) << m->variables) - 1;
    for (uint32_t k = 0; k < b->terms; k++) {
        const struct term *t = &b->term[k];
        set |= UINT64_C(1) << t->x;
        if (t->what == SAME || t->what == LESS || t->what == SUM) set |= UINT64_C(1) << t->y;
        if (t->what == SUM) set |= UINT64_C(1) << t->z;
        if (t->what == INDEXED) set = all;
    }
    for (uint32_t k = 0; k < b->stores; k++) {
        const struct assignment *e = &b->store[k];
        set |= UINT64_C(1) << e->x;
        if (e->what == COPY || e->what == ADD_UP) set |= UINT64_C(1) << e->y;
        if (e->what == AT_INDEX) set = all;
    }
    return set;
}

/* ---- Making ---- */

struct chances {
    const struct acted_chance *chance;
    struct program *p;
};

static uint32_t below(const struct chances *c, uint32_t n) { return c->chance->below(n); }
static bool percent(const struct chances *c, uint32_t n) { return below(c, 100) < n; }

static struct term random_term(const struct chances *c) {
    struct acted_model *m = &c->p->model;
    uint32_t x = below(c, m->variables), k = below(c, 100), y = below(c, m->variables);
    if (k < 42) return (struct term){IS, x, below(c, m->values[x]), 0};
    if (k < 66) return (struct term){IS_NOT, x, below(c, m->values[x]), 0};
    if (k < 74) return (struct term){SAME, x, y, 0};
    if (k < 82) return (struct term){LESS, x, y, 0};
    if (k < 90) return (struct term){BELOW, x, 1 + below(c, m->values[x]), 0};
    if (k < 95) return (struct term){INDEXED, x, below(c, 3), 0};
    return (struct term){SUM, x, y, below(c, m->variables)};
}

static void random_store(const struct chances *c, struct branch *b) {
    struct acted_model *m = &c->p->model;
    uint32_t x = below(c, m->variables), k = below(c, 100), y = below(c, m->variables);
    struct assignment e = {CONSTANT, x, below(c, m->values[x])};
    if (k >= 50) e = (struct assignment){k < 60 ? UP : k < 70 ? DOWN : k < 75 ? FLIP : COPY, x, y};
    if (k >= 88) e = (struct assignment){AT_INDEX, x, below(c, 3)};
    if (k >= 96 && c->chance->errors) e = (struct assignment){ADD_UP, x, y};
    b->store[b->stores++] = e;
}

static void random_branch(const struct chances *c, struct branch *b, uint32_t terms) {
    static const uint32_t stores[] = {0, 1, 1, 1, 2, 2};
    while (terms--) b->term[b->terms++] = random_term(c);
    for (uint32_t k = stores[below(c, 6)]; k--;) random_store(c, b);
    if (percent(c, 8)) b->then = REFUSES;
    if (c->chance->errors && percent(c, 4)) b->then = FAILS;
    if (c->chance->hidden && percent(c, 3)) b->then = HIDES;
}

/* Process `pc` at location `at`: goes on, most often. */
static void process_step(const struct chances *c, struct code *code, uint32_t pc, uint32_t at) {
    static const uint32_t terms[] = {0, 0, 1, 1, 2};
    uint32_t many = c->p->model.values[pc];
    code->branches = 1 + percent(c, 25);
    for (uint32_t i = 0; i < code->branches; i++) {
        struct branch *b = &code->branch[i];
        b->term[b->terms++] = (struct term){IS, pc, at, 0};
        random_branch(c, b, i ? 0 : terms[below(c, 5)]);
        uint32_t to = percent(c, 85) ? (at + 1) % many : below(c, many);
        b->store[b->stores++] = (struct assignment){CONSTANT, pc, to};
    }
}

static uint32_t make_processes(const struct chances *c) {
    struct acted_model *m = &c->p->model;
    uint32_t processes = 2 + (uint32_t)percent(c, 35), n = 0;
    bool ends = percent(c, 70);
    m->variables = processes + 1 + below(c, 4);
    for (uint32_t x = 0; x < m->variables; x++) {
        m->values[x] = x < processes ? 3 + below(c, 2) : 2 + (uint32_t)percent(c, 35);
        m->initial[x] = x < processes ? 0 : below(c, m->values[x]);
    }
    for (uint32_t p = 0; p < processes; p++)
        for (uint32_t at = 0; at + ends < m->values[p]; at++)
            for (uint32_t k = 1 + percent(c, 25); k && n < MOST_TRANSITIONS; k--)
                process_step(c, &c->p->code[n++], p, at);
    return n;
}

static uint32_t make_soup(const struct chances *c) {
    static const uint32_t values[] = {2, 2, 3, 3, 4};
    struct acted_model *m = &c->p->model;
    uint32_t n = 3 + below(c, 6);
    m->variables = 3 + below(c, 4);
    for (uint32_t x = 0; x < m->variables; x++) {
        m->values[x] = values[below(c, 5)];
        m->initial[x] = below(c, m->values[x]);
    }
    for (uint32_t t = 0; t < n; t++) {
        struct code *code = &c->p->code[t];
        code->branches = 1 + below(c, MOST_BRANCHES);
        for (uint32_t i = 0; i < code->branches; i++) random_branch(c, &code->branch[i], 1 + below(c, 3));
    }
    return n;
}

static uint64_t combinations(const struct acted_model *m) {
    uint64_t n = 1;
    for (uint32_t x = 0; x < m->variables; x++) n *= m->values[x];
    return n;
}

static void random_function(const struct chances *c, uint32_t unit, enum unit_kind kind, uint32_t of) {
    struct code *code = &c->p->code[unit];
    code->branches = 1;
    for (uint32_t k = 1 + below(c, 3); k--;) code->branch[0].term[code->branch[0].terms++] = random_term(c);
    c->p->model.unit[unit] = (struct source_unit){kind, of, "function"};
}

struct acted_model *acted_random(const struct acted_chance *chance) {
    struct program *p = memory_get_zeroed(sizeof *p);
    struct chances c = {chance, p};
    struct acted_model *m = &p->model;
    uint32_t n;
    do {
        memset(p, 0, sizeof *p);
        n = percent(&c, 60) ? make_processes(&c) : make_soup(&c);
    } while (combinations(m) > chance->states);
    for (uint32_t t = 0; t < n; t++) m->unit[t] = (struct source_unit){UNIT_TRANSITION, t, "step"};
    if (percent(&c, 65)) random_function(&c, n++, UNIT_CHECK_STATE, 0);
    for (uint32_t p = 0; p < 2 && chance->watched; p++) random_function(&c, n++, UNIT_PROPOSITION, p);
    if (chance->watched) random_function(&c, n++, UNIT_MUST_PROGRESS, 0);
    for (uint32_t x = 0; x < m->variables && chance->wide; x++) m->wide[x] = percent(&c, 15);
    m->units = n;
    m->run = run;
    m->program = p;
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t i = p->code[u].branches; i-- > 0;)
            p->code[u].later[i] =
                gets(m, &p->code[u].branch[i]) | (i + 1 < p->code[u].branches ? p->code[u].later[i + 1] : 0);
    return m;
}
