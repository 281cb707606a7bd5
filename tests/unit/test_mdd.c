/* Decision diagrams against sets of bits: random sets and relations, with caches that lose nearly everything and a pool
 * that is collected again and again. */
#include "unit.h"

#include "algo/natural.h"
#include "symbolic/mdd.h"
#include "symbolic/relation.h"
#include "symbolic/saturate.h"

enum { LEVELS = 6, MOST = 1024, SETS = 6, EVENTS = 5 };

/* Vectors are numbers: mixed radix, level 0 first. */
struct world {
    uint32_t levels, size[LEVELS], count;
    struct mdd_pool pool;
    struct relations relations;
    mdd set[SETS];
    bool has[SETS][MOST];
};

static void vector_of(const struct world *w, uint32_t number, uint32_t *vector) {
    for (uint32_t k = w->levels; k-- > 0; number /= w->size[k]) vector[k] = number % w->size[k];
}

static uint32_t number_of(const struct world *w, const uint32_t *vector) {
    uint32_t number = 0;
    for (uint32_t k = 0; k < w->levels; k++) number = number * w->size[k] + vector[k];
    return number;
}

static uint32_t below(uint32_t n) { return (uint32_t)(random_word() % n); }

static void world_init(struct world *w) {
    *w = (struct world){.levels = 1 + below(LEVELS), .count = 1};
    for (uint32_t k = 0; k < w->levels; k++) {
        do w->size[k] = 1 + below(4);
        while (w->count * w->size[k] > MOST);
        w->count *= w->size[k];
    }
    struct mdd_limits limits = {.cache = UINT64_C(4) << below(8), .first = 16 + below(400)};
    assert_true(mdd_init(&w->pool, w->levels, w->size, &limits));
    relations_init(&w->relations, w->levels, w->size, 1 << 20);
    for (int i = 0; i < SETS; i++) mdd_root(&w->pool, &w->set[i]);
}

static void world_fini(struct world *w) {
    mdd_fini(&w->pool);
    relations_fini(&w->relations);
}

/* Is set i what it should be? */
static void compare(struct world *w, int i) {
    uint32_t vector[LEVELS] = {0}, count = 0;
    for (uint32_t n = 0; n < w->count; n++) {
        vector_of(w, n, vector);
        assert_int_equal(mdd_has(&w->pool, w->set[i], vector), w->has[i][n]);
        count += w->has[i][n];
    }
    uint64_t number[4];
    uint32_t limbs = mdd_limbs(&w->pool);
    assert_true(limbs <= 4);
    mdd_count(&w->pool, w->set[i], number, limbs);
    assert_int_equal(natural_small(number, limbs), count);
}

/* Set i becomes a random one: some vectors, each alone. */
static void randomise(struct world *w, int i) {
    uint32_t vector[LEVELS] = {0}, one_of = 1 + below(8);
    w->set[i] = MDD_EMPTY;
    for (uint32_t n = 0; n < w->count; n++) {
        w->has[i][n] = below(one_of) == 0;
        vector_of(w, n, vector);
        if (w->has[i][n]) w->set[i] = mdd_union(&w->pool, w->set[i], mdd_one(&w->pool, vector));
    }
    compare(w, i);
}

static void operate(struct world *w, int to, int a, int b) {
    uint32_t kind = below(4), level = below(w->levels);
    uint64_t values = random_word() & 15;
    uint32_t vector[LEVELS] = {0};
    bool result[MOST];
    for (uint32_t n = 0; n < w->count; n++) {
        bool x = w->has[a][n], y = w->has[b][n];
        vector_of(w, n, vector);
        result[n] = kind == 0 ? x || y : kind == 1 ? x && !y : kind == 2 ? x && y : x && (values >> vector[level] & 1);
    }
    memcpy(w->has[to], result, sizeof result);
    struct mdd_pool *m = &w->pool;
    w->set[to] = kind == 0   ? mdd_union(m, w->set[a], w->set[b])
                 : kind == 1 ? mdd_minus(m, w->set[a], w->set[b])
                 : kind == 2 ? mdd_intersect(m, w->set[a], w->set[b])
                             : mdd_select(m, w->set[a], level, &values);
    compare(w, to);
}

/* Equal sets are one node. */
static void compare_all(struct world *w) {
    for (int i = 0; i < SETS; i++)
        for (int j = 0; j < SETS; j++)
            assert_int_equal(w->set[i] == w->set[j], memcmp(w->has[i], w->has[j], w->count) == 0);
}

static void sets(void **state) {
    (void)state;
    random_start(1);
    for (int round = 0; round < ROUNDS(400); round++) {
        struct world w;
        world_init(&w);
        for (int i = 0; i < SETS; i++) randomise(&w, i);
        for (int k = 0; k < 20; k++) {
            operate(&w, (int)below(SETS), (int)below(SETS), (int)below(SETS));
            if (below(4) == 0) mdd_collect(&w.pool);
        }
        for (int i = 0; i < SETS; i++) compare(&w, i);
        compare_all(&w);
        assert_int_equal(w.pool.stack_top, 0);
        assert_false(w.pool.stopped);
        world_fini(&w);
    }
}

/* ---- Relations ---- */

/* One event as code: conditions on some levels, stores to some. */
struct rule {
    uint64_t allowed[LEVELS];
    bool stores[LEVELS];
    uint32_t value[LEVELS];
};

/* An event: some rules. */
struct event {
    struct rule rule[3];
    uint32_t rules;
    relation r;
};

static void random_event(struct world *w, struct event *e) {
    e->rules = 1 + below(3);
    e->r = RELATION_NONE;
    for (uint32_t i = 0; i < e->rules; i++) {
        struct rule *rule = &e->rule[i];
        relation r = RELATION_SAME;
        for (uint32_t k = w->levels; k-- > 0;) {
            rule->allowed[k] = below(2) ? random_word() | 1u << below(w->size[k]) : UINT64_MAX;
            rule->stores[k] = below(3) == 0;
            rule->value[k] = below(w->size[k]);
            if (rule->stores[k]) r = relation_store(&w->relations, r, k, rule->value[k]);
        }
        uint32_t first = below(w->levels); /* in any order */
        for (uint32_t i2 = 0; i2 < w->levels; i2++) {
            uint32_t k = (i2 + first) % w->levels;
            r = relation_restrict(&w->relations, r, k, &rule->allowed[k]);
        }
        e->r = relation_union(&w->relations, e->r, r);
    }
}

/* successors[n]: by the events. */
static bool leads(const struct world *w, const struct event *e, uint32_t rule, uint32_t n, uint32_t *to) {
    uint32_t vector[LEVELS] = {0};
    vector_of(w, n, vector);
    const struct rule *r = &e->rule[rule];
    for (uint32_t k = 0; k < w->levels; k++) {
        if (!(r->allowed[k] >> vector[k] & 1)) return false;
    }
    for (uint32_t k = 0; k < w->levels; k++)
        if (r->stores[k]) vector[k] = r->value[k];
    *to = number_of(w, vector);
    return true;
}

/* One step from each vector of set a, forward or backward, into `result`. */
static void naive_step(const struct world *w, const struct event *e, uint32_t events, bool backward, const bool *from,
                       bool *result) {
    uint32_t to;
    memset(result, 0, MOST);
    for (uint32_t n = 0; n < w->count; n++)
        for (uint32_t i = 0; i < events; i++)
            for (uint32_t k = 0; k < e[i].rules; k++)
                if (leads(w, &e[i], k, n, &to)) {
                    if (backward && from[to]) result[n] = true;
                    if (!backward && from[n]) result[to] = true;
                }
}

static void naive_closure(const struct world *w, const struct event *e, bool backward, const bool *within, bool *set) {
    bool next[MOST];
    for (bool grown = true; grown;) {
        grown = false;
        naive_step(w, e, EVENTS, backward, set, next);
        for (uint32_t n = 0; n < w->count; n++)
            if (next[n] && (!within || within[n]) && !set[n]) set[n] = grown = true;
    }
}

static void relate(struct world *w) {
    struct event e[EVENTS];
    relation list[EVENTS], back[EVENTS];
    for (int i = 0; i < EVENTS; i++) {
        random_event(w, &e[i]);
        list[i] = e[i].r;
        back[i] = relation_inverse(&w->relations, e[i].r);
        assert_int_equal(relation_inverse(&w->relations, back[i]), e[i].r);
    }
    struct way ways[2];
    assert_true(way_init(&ways[0], &w->relations, 0, list, EVENTS));
    assert_true(way_init(&ways[1], &w->relations, 1, back, EVENTS));
    struct mdd_pool *m = &w->pool;
    for (int i = 0; i < 6; i++) {
        int a = (int)below(3), b = (int)below(3), x = (int)below(EVENTS);
        bool backward = below(2);
        naive_step(w, &e[x], 1, backward, w->has[a], w->has[3]);
        w->set[3] = relation_image(m, &w->relations, w->set[a], backward ? back[x] : list[x]);
        compare(w, 3);
        naive_step(w, e, EVENTS, backward, w->has[a], w->has[4]);
        bool any[MOST];
        memset(any, true, sizeof any);
        naive_step(w, &e[x], 1, true, any, w->has[3]);
        for (uint32_t n = 0; n < w->count; n++) w->has[3][n] &= w->has[a][n];
        w->set[3] = relation_sources(m, &w->relations, w->set[a], list[x]);
        compare(w, 3);
        memcpy(w->has[4], w->has[a], MOST);
        naive_closure(w, e, backward, NULL, w->has[4]);
        w->set[4] = way_closure(m, &ways[backward], w->set[a]);
        compare(w, 4);
        memcpy(w->has[5], w->has[a], MOST);
        naive_closure(w, e, backward, w->has[b], w->has[5]);
        w->set[5] = way_closure_within(m, &ways[backward], w->set[a], w->set[b]);
        compare(w, 5);
    }
    way_fini(&ways[0]);
    way_fini(&ways[1]);
}

/* RELATION_SAME is no step of a way, but it is one of the naive ones: it changes nothing there either. */
static void closures(void **state) {
    (void)state;
    random_start(2);
    for (int round = 0; round < ROUNDS(1500); round++) {
        struct world w;
        world_init(&w);
        for (int i = 0; i < 3; i++) randomise(&w, i);
        relate(&w);
        assert_int_equal(w.pool.stack_top, 0);
        world_fini(&w);
    }
}

/* ---- Limits, and numbers ---- */

static bool is_over(void *context) { return *(bool *)context; }

static void giving_up(void **state) {
    (void)state;
    enum { MANY = 40 };
    uint32_t size[MANY], vector[MANY];
    struct mdd_pool m;
    bool over = false;
    random_start(3);
    for (int k = 0; k < MANY; k++) size[k] = 4;
    for (int what = 0; what < 3; what++) {
        struct mdd_limits limits = {.pool = what == 0 ? 4 << 20 : 0,
                                    .work = what == 1 ? 100000 : 0,
                                    .first = 1000,
                                    .over = is_over,
                                    .context = &over};
        mdd set = MDD_EMPTY;
        assert_true(mdd_init(&m, MANY, size, &limits));
        mdd_root(&m, &set);
        for (int i = 0; i < 1000000 && !m.stopped; i++) {
            for (int k = 0; k < MANY; k++) vector[k] = below(4);
            set = mdd_union(&m, set, mdd_one(&m, vector));
            over = what == 2 && i == 1000;
            if (over) i = 0;
        }
        assert_int_equal(m.stopped, what == 0 ? MDD_NO_MEMORY : what == 1 ? MDD_NO_WORK : MDD_OVER);
        assert_int_equal(mdd_one(&m, vector), MDD_EMPTY);
        assert_int_equal(m.stack_top, 0);
        if (what == 0) assert_true(m.region.size <= 6 << 20);
        over = false;
        mdd_fini(&m);
    }
}

/* The pool stays small if little of what is made is needed. */
static void collecting(void **state) {
    (void)state;
    enum { MANY = 20 };
    uint32_t size[MANY], vector[MANY];
    struct mdd_pool m;
    mdd kept = MDD_EMPTY, again = MDD_EMPTY;
    random_start(4);
    for (int k = 0; k < MANY; k++) size[k] = 2 + k % 3, vector[k] = 0;
    assert_true(mdd_init(&m, MANY, size, &(struct mdd_limits){.first = 2000, .cache = 64}));
    mdd_root(&m, &kept);
    kept = mdd_one(&m, vector);
    for (int i = 0; i < 20000; i++) {
        for (int k = 0; k < MANY; k++) vector[k] = below(size[k]);
        mdd_one(&m, vector);
    }
    assert_true(m.collections > 10);
    assert_true(m.end < 20000);
    memset(vector, 0, sizeof vector);
    assert_true(mdd_has(&m, kept, vector));
    again = mdd_one(&m, vector);
    assert_int_equal(again, kept);
    mdd_collect(&m);
    assert_int_equal(m.nodes, MANY);
    assert_int_equal(mdd_nodes(&m, kept), MANY);
    mdd_fini(&m);
}

static void large_numbers(void **state) {
    (void)state;
    enum { MANY = 400 };
    uint32_t size[MANY], limbs;
    uint64_t all = 3, number[16];
    struct mdd_pool m;
    for (int k = 0; k < MANY; k++) size[k] = 2;
    assert_true(mdd_init(&m, MANY, size, &(struct mdd_limits){0}));
    uint32_t *hold = mdd_push(&m, 1);
    hold[0] = MDD_TRUE;
    for (uint32_t k = MANY; k-- > 0;) {
        uint32_t *c = mdd_push(&m, 2);
        c[0] = c[1] = hold[0];
        hold[0] = mdd_make(&m, k, c);
        mdd_pop(&m, 2);
    }
    (void)all;
    limbs = mdd_limbs(&m);
    assert_true(limbs <= 16);
    mdd_count(&m, hold[0], number, limbs);
    char *text = natural_text(number, limbs);
    /* 2^400 */
    assert_string_equal(text,
                        "258224987808690858965591917200301187432970579282922351283065935654064762201684119462964535328"
                        "0137831435903171972747493376");
    free(text);
    assert_int_equal(natural_small(number, limbs), UINT64_MAX);
    mdd_pop(&m, 1);
    mdd_fini(&m);
    number[0] = UINT64_C(10000000000000000000), number[1] = 0;
    text = natural_text(number, 2);
    assert_string_equal(text, "10000000000000000000");
    free(text);
    number[0] = 0;
    text = natural_text(number, 2);
    assert_string_equal(text, "0");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets),       cmocka_unit_test(closures),      cmocka_unit_test(giving_up),
        cmocka_unit_test(collecting), cmocka_unit_test(large_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
