/* Fair choice: an execution counts if it takes, in each state that it visits infinitely often, every transition that is
 * enabled there infinitely often.
 *
 * Random small graphs and formulas, about states and about actions. The verdict is held against a naive check
 * (naive_ltl.h: a tableau, the matrix of what reaches what, and all edges of the graph below); what holds is attacked
 * with random fair executions, in which the formula is evaluated by its definition; and what is shown must be fair and
 * violate the formula, by the definitions. None of that is the code under test. */
#include "unit.h"

#include "naive_ltl.h"
#include "graph/fair/fair_execution.h"
#include "check/ltl_check.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};
static const struct fair choice = {.choice = true};

struct sample {
    struct graph g;
    struct tree *tree;
    char text[1000];
};

static struct tree *random_tree(int propositions, int most) {
    for (;;) {
        struct tree *t = tree_random(1 + (int)random_below(7), propositions, random_chance(50));
        int temporal = naive_temporal(t);
        if (temporal > 0 && temporal <= most) return t;
        tree_free(t);
    }
}

/* In these, fairness matters more often: infinitely often, from some time on. */
static struct tree *often_tree(int propositions, int most) {
    struct tree *t = random_tree(propositions, most - 2);
    bool first = random_chance(50);
    return tree_new(first ? 'G' : 'F', tree_new(first ? 'F' : 'G', t, NULL), NULL);
}

static void sample_graph(struct graph *g, int propositions) {
    uint32_t states = 1 + random_below(5), transitions = 1 + random_below(3), percent = 40 + random_below(45);
    graph_init(g, states, transitions, 1 + random_below(2));
    for (uint32_t s = 0; s < states; s++) {
        g->values[s] = random_below(1u << propositions);
        for (uint32_t t = 0; t < transitions; t++)
            if (random_chance(percent)) *graph_next(g, s, t) = random_below(states);
    }
    g->ts.reduction.forward = random_chance(50);
}

static void sample_fini(struct sample *s) {
    tree_free(s->tree);
    graph_fini(&s->g);
}

/* ---- Executions ---- */

enum { MOST_WALKED = 60 };

/* States and transitions; from `cycle` on for ever again, if that is not `count`: then it ends there. */
struct walk_of {
    uint32_t state[MOST_WALKED], taken[MOST_WALKED], count, cycle;
};

static uint32_t random_move(struct graph *g, uint32_t s) {
    uint32_t moves[8], n = 0;
    for (uint32_t t = 0; t < g->ts.transitions; t++)
        if (*graph_next(g, s, t) != NO_STATE) moves[n++] = t;
    return n ? moves[random_below(n)] : NO_STATE;
}

/* Is every move of every state of the cycle taken in it? By definition. */
static bool is_fair(struct graph *g, const struct walk_of *w) {
    for (uint32_t i = w->cycle; i < w->count; i++)
        for (uint32_t t = 0; t < g->ts.transitions; t++) {
            bool taken = *graph_next(g, w->state[i], t) == NO_STATE;
            for (uint32_t k = w->cycle; k < w->count && !taken; k++)
                taken = w->state[k] == w->state[i] && w->taken[k] == t;
            if (!taken) return false;
        }
    return true;
}

/* A random execution, with a cycle that begins somewhere; false: none that is fair. */
static bool walk_fairly(struct graph *g, struct walk_of *w) {
    uint32_t s = 0;
    w->count = 0;
    while (w->count < MOST_WALKED) {
        uint32_t t = random_move(g, s);
        w->state[w->count] = s;
        w->taken[w->count++] = t;
        if (t == NO_STATE) return w->cycle = w->count, true;
        s = *graph_next(g, s, t);
        for (w->cycle = 0; w->cycle < w->count; w->cycle++)
            if (w->state[w->cycle] == s && is_fair(g, w)) return true;
    }
    return false;
}

/* Does the formula hold at the first position? Valuations of any length, by the definition, as fixed points. */
static void holds_along(const struct tree *t, const uint64_t *values, uint32_t n, uint32_t cycle, bool *out) {
    bool l[MOST_WALKED + 1] = {0}, r[MOST_WALKED + 1] = {0};
    uint32_t back = cycle < n ? cycle : n - 1; /* the last is repeated */
    if (t->left) holds_along(t->left, values, n, cycle, l);
    if (t->right) holds_along(t->right, values, n, cycle, r);
    bool greatest = strchr("GWR", t->op) != NULL;
    for (uint32_t i = 0; i < n; i++) out[i] = greatest;
    for (uint32_t round = 0; round < 2 * n + 2; round++)
        for (uint32_t i = n; i-- > 0;) {
            uint32_t next = i + 1 < n ? i + 1 : back;
            switch (t->op) {
            case '0': out[i] = false; break;
            case '1': out[i] = true; break;
            case 'p': out[i] = values[i] >> t->p & 1; break;
            case '!': out[i] = !l[i]; break;
            case '&': out[i] = l[i] && r[i]; break;
            case '|': out[i] = l[i] || r[i]; break;
            case '>': out[i] = !l[i] || r[i]; break;
            case '=': out[i] = l[i] == r[i]; break;
            case '^': out[i] = l[i] != r[i]; break;
            case 'X': out[i] = l[next]; break;
            case 'F': out[i] = l[i] || out[next]; break;
            case 'G': out[i] = l[i] && out[next]; break;
            case 'U':
            case 'W': out[i] = r[i] || (l[i] && out[next]); break;
            default: out[i] = r[i] && (l[i] || out[next]); /* R, M */
            }
        }
}

static bool holds_in(const struct sample *s, const uint64_t *values, uint32_t n, uint32_t cycle) {
    bool out[MOST_WALKED + 1];
    holds_along(s->tree, values, n, cycle, out);
    return out[0];
}

/* ---- Formulas about states ---- */

/* What is shown: a fair execution, in which the formula does not hold. */
static void check_shown(struct sample *s, const struct answer *a) {
    const struct trace *t = &a->trace;
    struct walk_of w = {.count = (uint32_t)t->count};
    uint64_t values[MOST_WALKED];
    assert_true(t->count > 0);
    if (strstr(a->message, "whatever") || t->count > MOST_WALKED) return;
    for (uint32_t i = 0; i < w.count; i++) {
        w.state[i] = graph_decode(&s->g, trace_state(t, i));
        w.taken[i] = i + 1 < w.count ? t->transitions[i + 1] : t->cycle == TRACE_NONE ? NO_STATE : t->closing;
        values[i] = s->g.values[w.state[i]];
        uint32_t next = i + 1 < w.count ? graph_decode(&s->g, trace_state(t, i + 1)) : NO_STATE;
        if (i + 1 < w.count) assert_int_equal(*graph_next(&s->g, w.state[i], w.taken[i]), next);
    }
    w.cycle = t->cycle == TRACE_NONE ? w.count : (uint32_t)t->cycle;
    if (w.cycle < w.count) assert_int_equal(*graph_next(&s->g, w.state[w.count - 1], t->closing), w.state[w.cycle]);
    else assert_int_equal(random_move(&s->g, w.state[w.count - 1]), NO_STATE);
    assert_true(is_fair(&s->g, &w));
    assert_false(holds_in(s, values, w.count, w.cycle));
}

static enum verdict ask(struct sample *s, const struct fair *f, bool shown) {
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = graph_worker(&s->g);
    static const enum ltl_algorithm algorithms[] = {LTL_TARJAN, LTL_DEFAULT, LTL_LEVELS, LTL_LEVELS};
    struct ltl_question q = {.formula = s->text, .fair = f, .algorithm = algorithms[random_below(4)]};
    struct means means = {.threads = 1 + random_below(3)};
    if (!ltl_check(&a, &s->g.ts, w, &q, &plenty, &means, NULL, &why)) fail_msg("%s: %s", s->text, why.text);
    if (a.verdict > VERDICT_VIOLATED) fail_msg("%s: %s", s->text, a.message);
    enum verdict v = a.verdict;
    if (v == VERDICT_VIOLATED && shown) check_shown(s, &a);
    answer_fini(&a);
    free(w);
    return v;
}

/* No random fair execution may violate what holds. */
static int attack(struct sample *s, int walks) {
    int tried = 0;
    for (int i = 0; i < walks; i++) {
        struct walk_of w;
        uint64_t values[MOST_WALKED];
        if (!walk_fairly(&s->g, &w)) continue;
        for (uint32_t k = 0; k < w.count; k++) values[k] = s->g.values[w.state[k]];
        if (!holds_in(s, values, w.count, w.cycle)) fail_msg("%s holds, but not in a fair execution", s->text);
        tried++;
    }
    return tried;
}

static void test_states(void **state) {
    int counts[2] = {0, 0}, matters = 0, walked = 0;
    (void)state;
    for (int i = 0; i < ROUNDS(2500); i++) {
        struct sample s;
        random_start((uint64_t)i);
        int propositions = 1 + (int)random_below(3);
        sample_graph(&s.g, propositions);
        s.tree = random_chance(60) ? often_tree(propositions, 4) : random_tree(propositions, 4);
        tree_print(s.tree, s.text, sizeof s.text);
        bool violated = naive_violated_fairly(&s.g, NULL, s.g.ts.transitions, s.tree);
        enum verdict v = ask(&s, &choice, true);
        if (v != (violated ? VERDICT_VIOLATED : VERDICT_HOLDS))
            fail_msg("%s, graph %d: verdict %d, but violated is %d", s.text, i, (int)v, violated);
        counts[violated]++;
        if (!violated) walked += attack(&s, 20);
        matters += !violated && naive_violated(&s.g, s.tree);
        sample_fini(&s);
    }
    print_message("%d hold, %d do not, fairness matters for %d; %d fair executions tried where it holds\n", counts[0],
                  counts[1], matters, walked);
    assert_true(counts[0] > OFTEN(500) && counts[1] > OFTEN(500) && matters > OFTEN(60) && walked > OFTEN(5000));
}

/* Fair choice makes an execution fair to every set: sets make no difference. */
static void test_sets(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS(300); i++) {
        struct sample s;
        struct fair both = {.choice = true};
        struct problem why = {0};
        random_start(50000 + (uint64_t)i);
        sample_graph(&s.g, 2);
        s.tree = often_tree(2, 4);
        tree_print(s.tree, s.text, sizeof s.text);
        struct ts_worker *w = graph_worker(&s.g);
        assert_true(fair_add(&both, &s.g.ts, w, "all", random_chance(50), &why));
        assert_int_equal(ask(&s, &both, true), ask(&s, &choice, true));
        fair_fini(&both);
        free(w);
        sample_fini(&s);
    }
}

/* ---- Formulas about actions ----
 *
 * p0 and p1 are actions, p2 is a fluent from p0 to p1; p1 may be an action that the graph has not. What was last and
 * the fluent become parts of states, below which is the state of the graph. */

enum { NOTHING, FIRST, SECOND, OTHER, LASTS };

static bool lacks_second(const struct graph *g) {
    for (uint32_t t = 0; t < g->ts.transitions; t++)
        if (g->actions[t] == SECOND) return false;
    return true;
}

static uint32_t memory_of(uint32_t s, uint32_t last, uint32_t fluent) {
    if (last == FIRST) fluent = 1;
    if (last == SECOND) fluent = 0;
    return 1 + (s * LASTS + last) * 2 + fluent;
}

/* State 0 is the beginning, where nothing was yet. There are two more transitions: the free action, and the end. */
static void remember(struct graph *to, const struct graph *g, bool initially, uint32_t *below) {
    uint32_t n = g->ts.transitions;
    bool free = lacks_second(g);
    graph_init(to, 1 + g->count * LASTS * 2, n + 2, 1);
    for (uint32_t id = 0; id < to->count; id++) {
        uint32_t s = id ? (id - 1) / 2 / LASTS : 0, last = id ? (id - 1) / 2 % LASTS : NOTHING;
        uint32_t fluent = id ? (id - 1) % 2 : initially;
        bool any = false;
        below[id] = s;
        for (uint32_t t = 0; t < n; t++) {
            uint32_t next = g->next[s * n + t];
            if (next == NO_STATE) continue;
            any = true;
            *graph_next(to, id, t) = memory_of(next, g->actions[t], fluent);
        }
        if (free) *graph_next(to, id, n) = memory_of(s, SECOND, fluent);
        if (!any && !free) *graph_next(to, id, n + 1) = memory_of(s, NOTHING, fluent);
        to->values[id] = (last == FIRST) | (uint64_t)(last == SECOND) << 1 | (uint64_t)fluent << 2;
    }
}

static void test_actions(void **state) {
    static const char *const names[] = {"tau", "p0", "p1", "other"}, *const fewer[] = {"tau", "p0", "unused", "other"};
    static const char *const begins[] = {"p0", NULL}, *const ends[] = {"p1", NULL};
    int counts[2] = {0, 0}, free_actions = 0;
    (void)state;
    for (int i = 0; i < ROUNDS(500); i++) {
        struct sample s;
        struct graph memory;
        uint32_t actions[3], below[64];
        random_start(90000 + (uint64_t)i);
        do {
            sample_graph(&s.g, 1);
            if (s.g.count <= 3) break;
            graph_fini(&s.g);
        } while (true);
        for (int t = 0; t < 3; t++) actions[t] = random_chance(20) ? OTHER : FIRST + random_below(2);
        struct ts_fluent fluent = {"p2", begins, ends, random_chance(50)};
        s.g.actions = actions;
        s.g.ts.propositions = 0;
        s.g.ts.actions = LASTS;
        s.g.ts.action_names = lacks_second(&s.g) ? fewer : names;
        s.g.ts.whole_counts = true;
        s.g.ts.fluents = &fluent;
        s.g.ts.fluent_count = 1;
        s.tree = often_tree(3, 3);
        tree_print(s.tree, s.text, sizeof s.text);
        /* All propositions must be named, or an action might not be free. */
        snprintf(s.text + strlen(s.text), sizeof s.text - strlen(s.text), " & (p0|p1|p2|!p0)");
        remember(&memory, &s.g, fluent.initially, below);
        struct tree *later = tree_new('X', tree_copy(s.tree), NULL);
        bool violated = naive_violated_fairly(&memory, below, s.g.ts.transitions + 1, later); /* the free action, too */
        counts[violated]++;
        free_actions += lacks_second(&s.g);
        enum verdict v = ask(&s, &choice, false);
        if (v != (violated ? VERDICT_VIOLATED : VERDICT_HOLDS))
            fail_msg("%s, graph %d: verdict %d, but violated is %d", s.text, i, (int)v, violated);
        tree_free(later);
        graph_fini(&memory);
        sample_fini(&s);
    }
    print_message("%d hold, %d do not; %d with a free action\n", counts[0], counts[1], free_actions);
    assert_true(counts[0] > OFTEN(80) && counts[1] > OFTEN(80) && free_actions > OFTEN(50));
}

/* ---- Small cases ---- */

/* P = (try -> (ok -> P | fail -> P)). */
static void test_coin(void **state) {
    static const char *const names[] = {"tau", "try", "ok", "fail"};
    static const struct {
        const char *formula;
        enum verdict verdict;
    } cases[] = {
        {"<>[](try -> X fail)", VERDICT_VIOLATED},
        {"<>[]!ok", VERDICT_VIOLATED},
        {"<>[](try -> X ok)", VERDICT_VIOLATED},
        {"[]<>(ok & X X ok)", VERDICT_VIOLATED}, /* ok, fail, ok, fail, ... */
        {"[]<>ok", VERDICT_HOLDS},
        {"[]<>fail", VERDICT_HOLDS},
        {"[](try -> X(ok | fail))", VERDICT_HOLDS},
    };
    uint32_t actions[] = {1, 2, 3};
    struct sample s = {.tree = NULL};
    (void)state;
    graph_init(&s.g, 2, 3, 1);
    *graph_next(&s.g, 0, 0) = 1;
    *graph_next(&s.g, 1, 1) = 0;
    *graph_next(&s.g, 1, 2) = 0;
    s.g.actions = actions;
    s.g.ts.propositions = 0;
    s.g.ts.actions = COUNT(names);
    s.g.ts.action_names = names;
    s.g.ts.whole_counts = true;
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(s.text, sizeof s.text, "%s", cases[i].formula);
        if (ask(&s, &choice, false) != cases[i].verdict) fail_msg("%s: not as expected", s.text);
    }
    graph_fini(&s.g);
}

static const char *judge(struct graph *g, const uint32_t *states, const uint32_t *taken, uint32_t n, uint64_t cycle) {
    struct trace t;
    struct ts_worker *w = graph_worker(g);
    word state[4];
    trace_init(&t, g->ts.words);
    for (uint32_t i = 0; i < n; i++) {
        graph_encode(g, states[i], state);
        trace_add(&t, i ? taken[i - 1] : TS_NONE, state);
    }
    t.cycle = cycle;
    t.closing = taken[n - 1];
    const char *wrong = fair_trace_wrong(&t, &choice, &g->ts, w);
    trace_fini(&t);
    free(w);
    return wrong;
}

/* The second opinion itself: two transitions between the same states are two edges. */
static void test_second_opinion(void **state) {
    struct graph g;
    (void)state;
    graph_init(&g, 3, 2, 1);
    *graph_next(&g, 0, 0) = *graph_next(&g, 0, 1) = 1;
    *graph_next(&g, 1, 0) = 0;
    assert_null(judge(&g, (uint32_t[]){0, 1, 0, 1}, (uint32_t[]){0, 0, 1, 0}, 4, 0));
    assert_non_null(judge(&g, (uint32_t[]){0, 1}, (uint32_t[]){0, 0}, 2, 0));
    assert_non_null(judge(&g, (uint32_t[]){0, 1, 0, 1}, (uint32_t[]){0, 0, 0, 0}, 4, 0));
    assert_non_null(judge(&g, (uint32_t[]){0, 1, 0, 1}, (uint32_t[]){1, 0, 0, 0}, 4, 2)); /* before the cycle */
    assert_non_null(judge(&g, (uint32_t[]){0, 1}, (uint32_t[]){0, 0}, 2, TRACE_NONE));
    *graph_next(&g, 1, 1) = 2;
    assert_non_null(judge(&g, (uint32_t[]){0, 1, 0, 1}, (uint32_t[]){0, 0, 1, 0}, 4, 0));
    assert_null(judge(&g, (uint32_t[]){0, 1, 2}, (uint32_t[]){0, 1, 0}, 3, TRACE_NONE));
    graph_fini(&g);
}

int main(void) {
    words_random = random_below;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states), cmocka_unit_test(test_sets),           cmocka_unit_test(test_actions),
        cmocka_unit_test(test_coin),   cmocka_unit_test(test_second_opinion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
