/* Systems of decision diagrams, made of random models, against a search by definition: states, edges, terminal states,
 * bad ones and ones that fail; from where terminal states can be reached, and must be; infinite occurrence; executions.
 * With levels in any order, caches that lose nearly everything, and nodes that are collected all the time. */
#include "unit.h"

#include "acted.h"
#include "naive_ctl.h"
#include "omega/ctl/ctl.h"
#include "symbolic/symbolic_graph.h"

enum { MOST = 3000, NOWHERE = -1, FAILS = -2 };

/* A system whose transitions are those of a random model. */
struct acted_ts {
    struct ts ts;
    const struct acted_model *m;
    struct source *source;
};

struct ts_worker {
    struct acted_ts *of;
};

static int fire(struct ts_worker *w, const word *s, uint32_t t, word *out, struct ts_fault *fault) {
    uint32_t state[ACTED_VARIABLES], to[ACTED_VARIABLES];
    acted_unpack(w->of->source, s, state);
    int fired = acted_fire(w->of->m, t, state, to);
    if (fired < 0) *fault = (struct ts_fault){.kind = TS_RAISED, .transition = t};
    if (fired > 0) acted_pack(w->of->source, to, out);
    return fired;
}

static const struct ts_ops ops = {.fire = fire};

/* All that can be reached, by definition. */
struct found {
    const struct acted_model *m;
    uint32_t transitions, size, states, edges, terminals, bad, failing;
    int32_t *number;             /* by code; NOWHERE: not reached */
    uint32_t *code, *depth;      /* by number */
    int32_t (*to)[ACTED_UNITS];  /* by number and transition */
    uint64_t *value;             /* ... of the last unit */
    bool unsure;                 /* which fails in some state */
    bool *terminal, *some, *all; /* can, must a terminal state be reached? */
};

static uint32_t below(uint32_t n) { return (uint32_t)(random_word() % n); }

static uint32_t code_of(const struct acted_model *m, const uint32_t *state) {
    uint32_t code = 0;
    for (uint32_t x = 0; x < m->variables; x++) code = code * m->values[x] + state[x];
    return code;
}

static void state_of(const struct acted_model *m, uint32_t code, uint32_t *state) {
    for (uint32_t x = m->variables; x-- > 0; code /= m->values[x]) state[x] = code % m->values[x];
}

static int32_t number_of(struct found *f, const uint32_t *state, uint32_t depth) {
    uint32_t code = code_of(f->m, state);
    if (f->number[code] == NOWHERE) {
        f->number[code] = (int32_t)f->states;
        f->depth[f->states] = depth;
        f->code[f->states++] = code;
    }
    return f->number[code];
}

static void expand(struct found *f, uint32_t i) {
    uint32_t state[ACTED_VARIABLES], to[ACTED_VARIABLES], out = 0;
    bool fails = false;
    state_of(f->m, f->code[i], state);
    for (uint32_t u = 0; u < f->m->units; u++) {
        if (f->m->unit[u].kind != UNIT_TRANSITION) {
            uint64_t value = acted_ask(f->m, u, state);
            f->bad += f->m->unit[u].kind == UNIT_CHECK_STATE && value != 0;
            f->unsure |= f->m->unit[u].kind == UNIT_PROPOSITION && value == UINT64_MAX;
            f->value[i] = value != 0;
            continue;
        }
        int fired = acted_fire(f->m, u, state, to);
        fails |= fired < 0;
        out += fired > 0;
        f->to[i][u] = fired > 0 ? number_of(f, to, f->depth[i] + 1) : fired < 0 ? FAILS : NOWHERE;
    }
    f->failing += fails;
    f->edges += out;
    f->terminal[i] = out == 0;
    f->terminals += out == 0;
}

/* Is a terminal state reached from i, by what is known? */
static bool leads(const struct found *f, uint32_t i, const bool *known, bool all) {
    bool some = false, every = true;
    for (uint32_t t = 0; t < f->transitions; t++)
        if (f->to[i][t] >= 0) some |= known[f->to[i][t]], every &= known[f->to[i][t]];
    return f->terminal[i] || (some && (every || !all));
}

static void find_leading(const struct found *f, bool *known, bool all) {
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = f->states; i-- > 0;)
            if (!known[i] && leads(f, i, known, all)) known[i] = grown = true;
    }
}

static void found_init(struct found *f, const struct acted_model *m) {
    *f = (struct found){.m = m, .size = 1};
    while (f->transitions < m->units && m->unit[f->transitions].kind == UNIT_TRANSITION) f->transitions++;
    for (uint32_t x = 0; x < m->variables; x++) f->size *= m->values[x];
    f->number = malloc(f->size * sizeof *f->number);
    f->code = malloc(f->size * sizeof *f->code);
    f->depth = malloc(f->size * sizeof *f->depth);
    f->to = malloc(f->size * sizeof *f->to);
    f->value = calloc(f->size, sizeof *f->value);
    f->terminal = calloc(f->size, 1), f->some = calloc(f->size, 1), f->all = calloc(f->size, 1);
    for (uint32_t i = 0; i < f->size; i++) f->number[i] = NOWHERE;
    number_of(f, m->initial, 0);
    for (uint32_t i = 0; i < f->states; i++) expand(f, i);
    find_leading(f, f->some, false);
    find_leading(f, f->all, true);
}

static void found_fini(struct found *f) {
    free(f->number), free(f->code), free(f->depth), free(f->to), free(f->value);
    free(f->terminal), free(f->some), free(f->all);
}

/* ---- Comparing ---- */

static void same_number(char *text, uint32_t number) {
    char wanted[16];
    snprintf(wanted, sizeof wanted, "%u", number);
    assert_string_equal(text, wanted);
    free(text);
}

static void pack(const struct symbolic *s, const struct found *f, uint32_t i, word *packed) {
    uint32_t state[ACTED_VARIABLES];
    state_of(f->m, f->code[i], state);
    acted_pack(s->source, state, packed);
}

static void compare_sets(struct symbolic *s, struct found *f) {
    word packed[8];
    same_number(symbolic_count(s, s->reached), f->states);
    same_number(symbolic_edges(s), f->edges);
    same_number(symbolic_count(s, symbolic_terminal(s)), f->terminals);
    same_number(symbolic_count(s, symbolic_failing(s)), f->failing);
    same_number(symbolic_count(s, symbolic_where(s, s->views.bad, s->reached, LEAVES_ENABLED)), f->bad);
    for (uint32_t i = 0; i < f->states; i++) {
        pack(s, f, i, packed);
        assert_true(symbolic_has(s, s->reached, packed));
    }
}

/* Each step of the execution is one of the model. Returns the number of its last state. */
static uint32_t follow(const struct symbolic *s, const struct found *f, const struct trace *t) {
    uint32_t state[ACTED_VARIABLES], at = 0;
    for (uint64_t i = 0; i < t->count; i++) {
        acted_unpack(s->source, trace_state(t, i), state);
        uint32_t now = (uint32_t)f->number[code_of(f->m, state)];
        if (i > 0) assert_int_equal(f->to[at][t->transitions[i]], now);
        at = now;
    }
    return at;
}

static uint32_t lost_nodes;

/* The first state, in the order of a search, that is not marked; and the marks of all. */
static void ask_backward(struct state_graph *g, struct symbolic *s, const struct found *f, enum backward_kind kind) {
    struct backward q = {.kind = kind, .terminal_is_target = true, .phase = "test"};
    struct stop stop = {.kind = STOP_DONE};
    const bool *marked = kind == BACKWARD_ALL ? f->all : f->some;
    word packed[8];
    uint32_t first = 0;
    while (first < f->states && marked[first]) first++;
    assert_int_equal(graph_backward(g, &q, &stop), first < f->states ? OUTCOME_FOUND : OUTCOME_NONE);
    for (uint32_t i = 0; i < f->states; i++) {
        pack(s, f, i, packed);
        assert_int_equal(q.unmarked.has(q.unmarked.context, packed), !marked[i]);
    }
    if (first < f->states) {
        struct trace t;
        uint64_t node;
        lost_nodes++;
        trace_init(&t, s->ts->words);
        assert_true(graph_nearest(g, &q, &node, &stop));
        assert_true(graph_way(g, node, &t, &stop));
        assert_int_equal(follow(s, f, &t), first);
        assert_int_equal(t.count, f->depth[first] + 1);
        trace_fini(&t);
    }
    graph_forget(g, q.marks);
}

/* Can `to` be reached from `from` without excluded transitions? */
static bool reaches(const struct found *f, uint32_t from, uint32_t to, const bool *excluded) {
    bool *seen = calloc(f->states, 1);
    uint32_t *queue = malloc((f->states + 1) * sizeof *queue), count = 0;
    queue[count++] = from;
    seen[from] = true;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t t = 0; t < f->transitions; t++)
            if (f->to[queue[i]][t] >= 0 && !excluded[t] && !seen[f->to[queue[i]][t]])
                seen[f->to[queue[i]][t]] = true, queue[count++] = (uint32_t)f->to[queue[i]][t];
    bool there = seen[to];
    free(seen), free(queue);
    return there;
}

static uint32_t recurring, nearest_recurring;

static void ask_recurrence(struct state_graph *g, struct symbolic *s, const struct found *f) {
    bool excluded[ACTED_UNITS] = {false};
    uint32_t u = below(f->transitions), first = UINT32_MAX;
    for (uint32_t t = 0; t < f->transitions; t++) excluded[t] = t != u && below(5) == 0;
    for (uint32_t i = 0; i < f->states && first == UINT32_MAX; i++)
        if (f->to[i][u] >= 0 && reaches(f, (uint32_t)f->to[i][u], i, excluded)) first = i;
    struct recurrence q = {.transition = u, .excluded = excluded, .phase = "test"};
    struct stop stop = {.kind = STOP_DONE};
    struct trace t;
    trace_init(&t, s->ts->words);
    assert_int_equal(graph_recurrence(g, &q, &t, &stop), first == UINT32_MAX ? OUTCOME_NONE : OUTCOME_FOUND);
    if (first != UINT32_MAX) {
        bool occurs = t.closing == u;
        recurring++;
        assert_int_equal(stop.kind, STOP_DONE);
        uint32_t last = follow(s, f, &t), state[ACTED_VARIABLES];
        for (uint64_t i = t.cycle + 1; i < t.count; i++) {
            occurs |= t.transitions[i] == u;
            assert_false(excluded[t.transitions[i]]);
        }
        assert_true(occurs && !excluded[t.closing]);
        acted_unpack(s->source, trace_state(&t, t.cycle), state);
        assert_int_equal(f->to[last][t.closing], f->number[code_of(f->m, state)]);
        nearest_recurring += t.cycle == f->depth[first];
    }
    trace_fini(&t);
}

/* ---- Computation tree logic ---- */

static uint32_t formulas_held, formulas_failed;

static void ask_ctl(struct state_graph *g, struct symbolic *s, const struct found *f) {
    uint32_t *next = malloc((uint64_t)f->states * f->transitions * sizeof *next + 1);
    bool *holds = malloc(f->states);
    char text[2000];
    for (uint32_t i = 0; i < f->states; i++)
        for (uint32_t t = 0; t < f->transitions; t++)
            next[i * f->transitions + t] = f->to[i][t] < 0 ? UINT32_MAX : (uint32_t)f->to[i][t];
    const struct naive_system system = {f->states, f->transitions, next, f->value, 1, below};
    for (int k = 0; k < 4; k++) {
        struct ctl formula;
        struct problem why = {0};
        struct stop stop = {.kind = STOP_DONE};
        struct trace t;
        naive_ctl(&system, 1 + below(4), text, sizeof text, holds);
        assert_true(ctl_parse(&formula, text, &why));
        trace_init(&t, s->ts->words);
        trace_add(&t, TS_NONE, s->source->initial);
        enum outcome found = graph_ctl(g, &formula, &t, &stop);
        if (found != (holds[0] ? OUTCOME_NONE : OUTCOME_FOUND)) fail_msg("%s", text);
        follow(s, f, &t);
        formulas_held += holds[0];
        formulas_failed += !holds[0];
        trace_fini(&t);
        ctl_fini(&formula);
    }
    free(next), free(holds);
}

/* ---- Random models ---- */

static uint32_t refused, made, with_bad, with_failing;

static void compare_model(const struct acted_model *m, bool sure) {
    struct found f;
    struct problem why = {0};
    found_init(&f, m);
    struct acted_ts ts = {.m = m, .source = acted_source(m)};
    struct ts_worker w = {&ts};
    ts.ts = (struct ts){.ops = &ops, .words = ts.source->words, .transitions = f.transitions};
    ts.ts.reduction.forward = true; /* as `expand` numbers states */
    static const char *const names[] = {"p0"};
    ts.ts.propositions = m->unit[m->units - 1].kind == UNIT_PROPOSITION;
    ts.ts.proposition_names = names;
    struct symbolic_options o = {.order = below(3) ? LEVELS_SHUFFLED : (enum order_of_levels)below(LEVELS_SHUFFLED),
                                 .seed = random_word(),
                                 .limits = {.cache = UINT64_C(4) << below(10), .first = 16 + below(500)}};
    struct symbolic *s = symbolic_new(&ts.ts, ts.source, &o, &why);
    if (!s) {
        assert_false(sure);
        assert_non_null(why.text);
        problem_fini(&why);
        refused++;
    } else {
        struct space space = {.ts = &ts.ts, .worker = &w, .limits = {.max_memory = UINT64_C(1) << 32}};
        struct symbolic_graph own;
        struct state_graph g;
        made++;
        with_bad += f.bad > 0;
        with_failing += f.failing > 0;
        symbolic_graph_init(&g, &own, s, &space);
        compare_sets(s, &f);
        ask_backward(&g, s, &f, BACKWARD_SOME);
        ask_backward(&g, s, &f, BACKWARD_ALL);
        if (f.states < 400) ask_recurrence(&g, s, &f);
        if (ts.ts.propositions && !f.unsure && !f.failing && sure) ask_ctl(&g, s, &f);
        assert_int_equal(s->pool.stack_top, 0);
        assert_int_equal(s->pool.roots, 2);
        symbolic_graph_fini(&own);
        symbolic_free(s);
    }
    found_fini(&f);
}

static uint32_t wanted(uint32_t usual) {
    const char *more = getenv("ONAGER_SYMBOLIC_MODELS");
    return more ? (uint32_t)strtoul(more, NULL, 10) : (uint32_t)ROUNDS(usual);
}

static void models(void **state) {
    (void)state;
    random_start(1);
    uint32_t count = wanted(1500);
    for (uint32_t i = 0; i < count; i++) {
        struct acted_chance chance = {
            .states = MOST, .wide = i % 4 == 0, .hidden = i % 5 == 0, .errors = i % 3 == 0, .below = below};
        struct acted_model *m = acted_random(&chance);
        if (m->unit[m->units - 1].kind == UNIT_CHECK_STATE && below(2))
            m->unit[m->units - 1] = (struct source_unit){UNIT_PROPOSITION, 0, "p0"};
        compare_model(m, !chance.wide && !chance.hidden);
        free(m);
    }
    assert_true(made > count / 2 && refused > count / 40);
    assert_true(with_bad > count / 40 && with_failing > count / 40);
    assert_true(lost_nodes > count / 10 && recurring > count / 20);
    assert_true(formulas_held > count / 10 && formulas_failed > count / 10);
    assert_true(nearest_recurring > recurring / 10 * 9);
}

/* Too little of anything is no wrong answer. */
static void limits(void **state) {
    (void)state;
    uint32_t given_up = 0;
    random_start(2);
    for (int i = 0; i < ROUNDS(200); i++) {
        struct acted_chance chance = {.states = MOST, .below = below};
        struct acted_model *m = acted_random(&chance);
        struct found f;
        struct problem why = {0};
        found_init(&f, m);
        struct acted_ts ts = {.m = m, .source = acted_source(m)};
        ts.ts = (struct ts){.ops = &ops, .words = ts.source->words, .transitions = f.transitions};
        struct symbolic_options o = {.limits = {.work = 1 + below(500), .cache = 4}};
        struct symbolic *s = symbolic_new(&ts.ts, ts.source, &o, &why);
        if (s && !symbolic_stopped(s)) same_number(symbolic_count(s, s->reached), f.states);
        else {
            given_up++;
            if (!s) assert_int_equal(why.status, EXIT_INCONCLUSIVE);
        }
        problem_fini(&why);
        symbolic_free(s);
        found_fini(&f);
        free(m);
    }
    assert_true(given_up > OFTEN(10));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(models), cmocka_unit_test(limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
