/* The writer of certificates: what holds by the definitions gets a certificate that is verified; what does not gets
 * none. (Whether the verifier can be trusted is the matter of test_verify.c.) */
#include "unit.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.h"
#include "graph.h"
#include "check/certificate.h"
#include "verify/verify.h"

static char path[64];

/* ---- Properties by the definitions ---- */

struct naive {
    struct graph *g;
    uint32_t *order, *level, n; /* reachable states; level is NO_STATE for others */
};

/* Backward by rounds: marked[s] if a target can (must) be reached. */
static bool everywhere(const struct naive *v, uint8_t class, bool terminals, bool all) {
    struct graph *g = v->g;
    bool *marked = calloc(g->count, 1), changed = true, good = true;
    uint32_t to[256], labels[256];
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < v->n; i++) {
            uint32_t s = v->order[i], count = graph_successors(g, s, to, labels), hits = 0;
            if (marked[s]) continue;
            for (uint32_t k = 0; k < count; k++) hits += marked[to[k]];
            bool now = (g->classes[s] & class) || (!count ? terminals : all ? hits == count : hits > 0);
            marked[s] = now;
            changed |= now;
        }
    }
    for (uint32_t i = 0; i < v->n; i++) good &= marked[v->order[i]];
    free(marked);
    return good;
}

/* Whether `from` reaches `goal` without the excluded transitions. */
static bool reaches(struct graph *g, uint32_t from, uint32_t goal, const bool *excluded, bool *seen) {
    uint32_t to[256], labels[256], count = graph_successors(g, from, to, labels);
    if (from == goal) return true;
    if (seen[from]) return false;
    seen[from] = true;
    for (uint32_t k = 0; k < count; k++)
        if (!excluded[labels[k]] && reaches(g, to[k], goal, excluded, seen)) return true;
    return false;
}

static bool finitely_often(const struct naive *v, uint32_t infinitely, const bool *excluded) {
    uint32_t to[256], labels[256];
    bool *seen = malloc(v->g->count), good = true;
    for (uint32_t i = 0; i < v->n; i++) {
        uint32_t count = graph_successors(v->g, v->order[i], to, labels);
        for (uint32_t k = 0; k < count; k++) {
            memset(seen, 0, v->g->count);
            if (labels[k] == infinitely && reaches(v->g, to[k], v->order[i], excluded, seen)) good = false;
        }
    }
    free(seen);
    return good;
}

static unsigned what_holds(struct graph *g, const struct questions *q) {
    struct naive v = {.g = g, .order = malloc(g->count * 4), .level = malloc(g->count * 4)};
    unsigned holds = PROP_SAFETY | PROP_DEADLOCK;
    uint32_t to[256], labels[256];
    v.n = graph_explore(g, v.order, v.level);
    for (uint32_t i = 0; i < v.n; i++) {
        if (g->classes[v.order[i]] & TS_BAD) holds &= ~(unsigned)PROP_SAFETY;
        if (!graph_successors(g, v.order[i], to, labels) && g->illegal[v.order[i]]) holds &= ~(unsigned)PROP_DEADLOCK;
    }
    if (everywhere(&v, TS_MAY, !q->terminal_not_may, false)) holds |= PROP_MAY;
    if (everywhere(&v, TS_MUST, !q->terminal_not_must, true)) holds |= PROP_MUST;
    if (everywhere(&v, 0, true, false)) holds |= PROP_TERMINATION;
    if (finitely_often(&v, q->infinitely, q->finitely)) holds |= PROP_INFINITE;
    free(v.order);
    free(v.level);
    return holds;
}

/* ---- Writing and verifying ---- */

static enum verify_end verify(struct graph *g, struct verification *v) {
    struct problem why = {0};
    struct claim claim;
    struct ts_worker *w = graph_worker(g);
    struct verify_limits limits = {.outside = 1000};
    struct reduction none = {0}, kept = g->ts.reduction;
    g->ts.reduction = none;
    if (!claim_open(&claim, path, &why) || !verify_run(v, &claim, &g->ts, w, &limits, &why)) fail_msg("%s", why.text);
    g->ts.reduction = kept;
    claim_fini(&claim);
    free(w);
    return v->end;
}

static void random_graph(struct graph *g, uint64_t i) {
    random_start(i);
    uint32_t count = 1 + random_below(i % 20 ? 60 : 400), transitions = 1 + random_below(4);
    graph_init(g, count, transitions, i % 3 ? 1 : 2);
    graph_randomise(g, 20 + random_below(70), i % 2 ? 0 : 3, i);
    if (i % 4 < 2) /* upward only, so that much ends and little comes again */
        for (uint32_t s = 0; s < count; s++)
            for (uint32_t t = 0; t < transitions; t++)
                if (*graph_next(g, s, t) <= s && random_below(count) > 3) *graph_next(g, s, t) = NO_STATE;
    uint32_t rare = 1 + random_below(6);
    for (uint32_t s = 0; s < count; s++) {
        g->classes[s] = (random_below(rare) == 0 ? TS_MAY : 0) | (random_below(rare) == 0 ? TS_MUST : 0);
        if (random_below(200) == 0) g->classes[s] |= TS_BAD;
        g->illegal[s] = random_below(100) == 0;
        if (random_chance(30)) g->image[s] = random_below(count);
    }
    g->ts.features |= TS_SYMMETRY | TS_SYMMETRIC_PROGRESS;
    g->ts.reduction = (struct reduction){.symmetry = random_chance(25), .forward = random_chance(50)};
    g->ts.identity = "0123";
}

static void what_holds_is_verified(void **unused) {
    uint32_t verified[PROP_COUNT] = {0}, refused[PROP_COUNT] = {0};
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(1000); i++) {
        struct graph g;
        struct space s;
        struct verification v;
        bool finitely[4] = {0};
        random_graph(&g, i);
        struct questions q = {.terminal_not_may = random_chance(20), .terminal_not_must = random_chance(20)};
        q.infinitely = random_below(g.ts.transitions);
        q.finitely = finitely;
        for (uint32_t t = 0; t < g.ts.transitions; t++) finitely[t] = t != q.infinitely && random_chance(40);
        struct ts_worker *w = graph_worker(&g);
        graph_space(&s, &g, w, 0);
        unsigned holds = what_holds(&g, &q);
        struct problem why = {0};
        if (g.ts.reduction.symmetry) holds &= ~(unsigned)PROP_INFINITE;
        if (!certificate_write(path, &s, &q, holds, &why)) fail_msg("%s", why.text);
        if (verify(&g, &v) != VERIFY_VERIFIED) fail_msg("%llu: %s", (unsigned long long)i, v.message);
        verification_fini(&v);
        for (int k = 0; k < PROP_COUNT; k++) verified[k] += holds >> k & 1;
        /* What has ranks and does not hold is not written at all, or is refuted. */
        for (int k = 3; k < PROP_COUNT; k++) {
            if (holds >> k & 1) continue;
            unlink(path);
            if (1u << k == PROP_INFINITE) {
                assert_true(certificate_write(path, &s, &q, holds | PROP_INFINITE, &why));
                assert_int_equal(verify(&g, &v), VERIFY_REFUTED);
                verification_fini(&v);
            } else {
                assert_false(certificate_write(path, &s, &q, holds | 1u << k, &why));
                bool unknown = property_table[k].rank == RANK_UNKNOWN;
                assert_int_equal(why.status, unknown ? EXIT_BAD_INPUT : EXIT_INTERNAL);
                assert_int_equal(access(path, F_OK), -1);
                problem_fini(&why);
            }
            refused[k]++;
        }
        space_fini(&s);
        free(w);
        graph_fini(&g);
    }
    for (int k = 0; k < PROP_COUNT; k++)
        if (1u << k != PROP_MODEL_ERROR && 1u << k < PROP_PROGRESS) assert_true(verified[k] > OFTEN(30));
    for (int k = 3; k < PROP_COUNT; k++) assert_true(refused[k] > OFTEN(30));
}

/* ---- No memory, no disk, interrupted ---- */

static void expect_none(struct space *s, const char *text) {
    struct problem why = {0};
    struct questions q = {0};
    unlink(path);
    assert_false(certificate_write(path, s, &q, PROP_TERMINATION, &why));
    if (!strstr(why.text, text)) fail_msg("'%s' does not say '%s'", why.text, text);
    assert_int_equal(access(path, F_OK), -1);
    problem_fini(&why);
}

static void obstacles(void **unused) {
    volatile sig_atomic_t interrupted = 1;
    struct rlimit old, tiny;
    struct graph g;
    struct space s;
    (void)unused;
    graph_init(&g, 2000, 1, 1);
    for (uint32_t i = 0; i + 1 < g.count; i++) *graph_next(&g, i, 0) = i + 1;
    struct ts_worker *w = graph_worker(&g);
    graph_space(&s, &g, w, 0);
    uint64_t plenty = s.limits.max_memory;
    s.limits.max_memory = memory_resident() + 10000;
    expect_none(&s, "of memory, and");
    s.limits.max_memory = plenty;
    s.limits.interrupted = &interrupted;
    expect_none(&s, "interrupted");
    interrupted = 0;
    g.fault_state = 1000;
    expect_none(&s, "the graph says so");
    g.fault_state = NO_STATE;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    tiny = (struct rlimit){100, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &tiny);
    expect_none(&s, "File too large");
    setrlimit(RLIMIT_FSIZE, &old);
    struct problem why = {0};
    struct questions q = {0};
    struct verification v;
    assert_true(certificate_write(path, &s, &q, PROP_TERMINATION, &why));
    assert_int_equal(verify(&g, &v), VERIFY_VERIFIED);
    space_fini(&s);
    free(w);
    graph_fini(&g);
}

static int set_path(void **unused) {
    (void)unused;
    snprintf(path, sizeof path, "%s/onager-certificate-%ld", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid());
    return 0;
}
static int remove_path(void **unused) { return (void)unused, unlink(path); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_is_verified),
        cmocka_unit_test(obstacles),
    };
    return cmocka_run_group_tests(tests, set_path, remove_path);
}
