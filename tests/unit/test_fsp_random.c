/* Random FSP.
 *
 * Round trips: a random LTS, written as a process, must come back as it was.
 * Two ways: a composite is taken apart, or composed before it is used. A priority that concerns no action of it
 * enforces the latter, so that the same system, written with and without such priorities, must come out strongly
 * bisimilar, with as many states. */
#include "unit.h"

#include "base/text.h"
#include "fsp/fsp.h"
#include "minimize/minimize.h"

/* A text that grows. */
struct text {
    char *at;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *more = text_vformat(fmt, args), *all = text_format("%s%s", t->at ? t->at : "", more);
    va_end(args);
    free(more);
    free(t->at);
    t->at = all;
}

/* ---- Processes ---- */

static const char *const labels[] = {"a", "b", "c.x", "c.y", "d[1]", "h"};

enum { MOST_STATES = 6 };

struct random_process {
    uint32_t states, end, error; /* the latter two may be LTS_NONE */
    bool edge[MOST_STATES][COUNT(labels)][MOST_STATES];
};

static void random_process(struct random_process *p, bool may_end) {
    *p = (struct random_process){.states = 1 + random_below(MOST_STATES), .end = LTS_NONE, .error = LTS_NONE};
    if (p->states > 1 && may_end && random_chance(60)) p->end = 1 + random_below(p->states - 1);
    if (p->states > 1 && random_chance(10)) p->error = 1 + random_below(p->states - 1);
    if (p->error == p->end) p->error = LTS_NONE;
    for (uint32_t i = random_below(3 * p->states + 1); i > 0; i--) {
        uint32_t source = random_below(p->states);
        if (source == p->end || source == p->error) continue;
        p->edge[source][random_below(COUNT(labels))][random_below(p->states)] = true;
    }
}

static void put_state(struct text *t, const struct random_process *p, uint32_t s) {
    if (s == p->end) put(t, "END");
    else if (s == p->error) put(t, "ERROR");
    else put(t, "S[%u]", s);
}

/* Named: each state can do an action of its own. */
static void put_process(struct text *t, const struct random_process *p, const char *name, bool named) {
    put(t, "%s = S[0]", name);
    for (uint32_t s = 0; s < p->states; s++) {
        const char *between = "";
        if (s == p->end || s == p->error) continue;
        put(t, ",\nS[%u] = (", s);
        for (uint32_t a = 0; a < COUNT(labels); a++)
            for (uint32_t u = 0; u < p->states; u++) {
                if (!p->edge[s][a][u]) continue;
                put(t, "%s%s -> ", between, labels[a]);
                put_state(t, p, u);
                between = " | ";
            }
        if (named) put(t, "%sself[%u] -> S[%u]", between, s, s);
        else if (!*between) put(t, "when (0) a -> STOP");
        put(t, ")");
    }
}

/* ---- Round trips ---- */

/* The label of the LTS that is written so. */
static uint32_t label_number(const struct lts *l, const char *text) {
    return names_find(&l->labels, strcmp(text, "d[1]") == 0 ? "d.1" : text);
}

static bool has_edge(const struct lts *l, uint32_t s, uint32_t label, uint32_t target) {
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        if (e->label == label && e->target == target) return true;
    return false;
}

/* By state of the process: that of the LTS, or LTS_NONE. */
static void find_states(const struct lts *l, const struct random_process *p, uint32_t *state) {
    for (uint32_t s = 0; s < p->states; s++) {
        char *text = text_format("self.%u", s);
        uint32_t label = names_find(&l->labels, text);
        free(text);
        state[s] = s == p->end ? l->end : s == p->error ? l->error : LTS_NONE;
        for (uint32_t u = 0; u < l->states && label != NAMES_NONE; u++)
            if (has_edge(l, u, label, u)) state[s] = u;
    }
}

static void expect_same(const struct lts *l, const struct random_process *p) {
    uint32_t state[MOST_STATES] = {0}, reached = 0;
    uint64_t edges = 0;
    find_states(l, p, state);
    assert_int_equal(state[0], l->initial);
    for (uint32_t s = 0; s < p->states; s++) {
        if (state[s] == LTS_NONE) continue;
        reached++;
        edges += s != p->end && s != p->error;
        for (uint32_t a = 0; a < COUNT(labels); a++)
            for (uint32_t u = 0; u < p->states; u++) {
                if (!p->edge[s][a][u]) continue;
                assert_true(state[u] != LTS_NONE); /* what can be reached is there */
                assert_true(has_edge(l, state[s], label_number(l, labels[a]), state[u]));
                edges++;
            }
    }
    assert_int_equal(l->states, reached); /* and nothing else */
    assert_int_equal(l->edges, edges);
}

static void round_trips(void **unused) {
    uint32_t large = 0;
    (void)unused;
    for (uint32_t i = 0; i < ROUNDS(3000); i++) {
        struct problem why = {0};
        struct random_process p;
        struct text t = {0};
        struct lts l;
        random_start(i);
        random_process(&p, true);
        put_process(&t, &p, "P", true);
        put(&t, ".");
        struct fsp_file *f = fsp_read_text("random.fsp", t.at, NULL, 0, NULL, &why);
        if (!f || !fsp_primitive(f, "P", &l, &why)) fail_msg("%s\n%s", t.at, why.text);
        expect_same(&l, &p);
        large += l.states > 3;
        lts_fini(&l);
        fsp_free(f);
        free(t.at);
    }
    assert_true(large > ROUNDS(3000) / 10);
}

/* ---- Two ways ---- */

static const char *const relabelings[] = {"",          "/{e/a}",       "/{a/b}",          "/{e/a,e/b}",
                                          "/{c/a}",    "/{{e,f}/c.x}", "/{c.x/c.y}",      "/{a/c.x,b/c.y}",
                                          "/{d[2]/d}", "/{p.a/q.a}",   "/{e/{p,q}.{a,b}}"};
static const char *const prefixes[] = {"", "", "p:", "q:", "{p,q}:", "{p,q}::", "p::q:"};
static const char *const hidings[] = {"", "\\{h}", "\\{a,p.h}", "@{a,b,p,q}", "\\{c}"};

static const char *any(const char *const *list, size_t count) { return list[random_below((uint32_t)count)]; }
#define ANY(list) any(list, COUNT(list))

/* `composed`: as if it were not written there; it goes behind the body of every named composite but the last. */
static void put_composites(struct text *t, const char *composed, bool always_hide) {
    enum { NAMED = 3 };
    for (uint32_t i = 0; i <= NAMED; i++) {
        uint32_t parts = 1 + random_below(3);
        put(t, "||%s%u = (", i == NAMED ? "T" : "C", i);
        for (uint32_t k = 0; k < parts; k++) {
            bool composite = i > 0 && (k == 0 || random_chance(30));
            put(t, "%s%s%s%u%s", k ? " || " : "", ANY(prefixes), composite ? "C" : "P",
                composite ? random_below(i) : random_below(3), ANY(relabelings));
        }
        put(t, ")%s", ANY(relabelings));
        const char *hiding = ANY(hidings);
        if (always_hide && !*hiding) hiding = "\\{h}";
        put(t, "%s%s.\n", i == NAMED ? "" : composed, hiding);
    }
}

static bool compose_text(const char *text, struct lts *out, uint32_t *components) {
    const struct fsp_limits limits = {.process_states = 1000,
                                      .composed_states = 2000,
                                      .edges = 20000,
                                      .labels = 1000,
                                      .components = 50,
                                      .steps = 1000000,
                                      .memory = 1 << 26};
    struct problem why = {0};
    struct fsp_system s;
    struct fsp_file *f = fsp_read_text("random.fsp", text, NULL, 0, &limits, &why);
    if (!f) fail_msg("%s\n%s", text, why.text);
    bool good = fsp_target(f, "T3", &s, &why);
    if (good) {
        *components = s.network.count;
        good = network_compose(&s.network, true, 2000, out, &why);
        fsp_system_fini(&s);
    }
    if (!good && !strstr(why.text, "more than")) fail_msg("%s\n%s", text, why.text);
    problem_fini(&why);
    fsp_free(f);
    return good;
}

static void expect_bisimilar(const char *text, const struct lts *a, const struct lts *b) {
    struct problem why = {0};
    struct lts x, y;
    assert_true(lts_minimize(a, RELATION_STRONG, NULL, &x, &why));
    assert_true(lts_minimize(b, RELATION_STRONG, NULL, &y, &why));
    bool same = x.states == y.states && x.edges == y.edges && x.labels.count == y.labels.count;
    same = same && a->states == b->states && (a->end == LTS_NONE) == (b->end == LTS_NONE);
    if (!same) fail_msg("%s\n%u/%u states, %u/%u classes", text, a->states, b->states, x.states, y.states);
    for (uint32_t i = 0; i < x.labels.count; i++)
        if (names_find(&y.labels, x.labels.text[i]) == NAMES_NONE) fail_msg("%s\nno %s", text, x.labels.text[i]);
    lts_fini(&x);
    lts_fini(&y);
}

static void two_ways(void **unused) {
    uint32_t compared = 0, flat = 0, ends = 0, large = 0;
    (void)unused;
    for (uint32_t i = 0; i < ROUNDS(3000); i++) {
        struct text t[2] = {{0}};
        struct lts l[2];
        uint32_t components[2];
        bool may_end = i % 2, good = true;
        for (int way = 0; way < 2; way++) {
            random_start(i);
            for (int k = 0; k < 3; k++) {
                struct random_process p;
                char name[] = {'P', (char)('0' + k), 0};
                random_process(&p, may_end);
                put_process(&t[way], &p, name, false);
                put(&t[way], "%s.\n", random_chance(30) ? "\\{h}" : "");
            }
            /* Who has an END depends on who is composed first; LTSA composes only what hides, so here all do. */
            put_composites(&t[way], way ? " >> {zzz}" : "", may_end);
        }
        for (int way = 0; way < 2 && good; way++) {
            good = compose_text(t[way].at, &l[way], &components[way]);
            if (!good && way) lts_fini(&l[0]);
        }
        if (good) {
            expect_bisimilar(t[0].at, &l[0], &l[1]);
            compared++;
            flat += components[0] > components[1];
            ends += l[0].end != LTS_NONE;
            large += l[0].states > 20;
            lts_fini(&l[0]);
            lts_fini(&l[1]);
        }
        free(t[0].at);
        free(t[1].at);
    }
    assert_true(compared > ROUNDS(3000) / 2 && flat > ROUNDS(3000) / 4);
    assert_true(ends > ROUNDS(3000) / 100 && large > ROUNDS(3000) / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trips), cmocka_unit_test(two_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
