/* The sweep over states, up, down and to picked states, against the graph itself: who is seen, in which order, with
 * which classes, slots and edges; and how it ends when model code fails or it is interrupted. */
#include "unit.h"

#include "algo/spread.h"
#include "base/memory.h"
#include "graph.h"
#include "graph/sweep.h"

enum { MOST = 6000 };

enum direction { UP, DOWN, PICKED };

struct seen {
    struct graph *g;
    struct space *s;
    struct sweep sweep;
    const uint32_t *order; /* naive: the state with each number */
    uint64_t step, one_in; /* of picked ones; `wants` every one_in-th */
    uint8_t leaves_out;    /* `suits` all but these classes */
    _Atomic uint32_t taken[MOST];
    uint64_t put, last;
    bool in_order;
    uint32_t fails; /* in this state `take` says that model code has failed; or NO_STATE */
};

static uint64_t pick(const void *context, uint64_t i) {
    const struct seen *k = context;
    return spread_at(i, k->step, k->s->states);
}

static bool wants(const void *context, uint64_t number) { return number % ((const struct seen *)context)->one_in == 0; }

static bool suits(void *context, unsigned member, const struct sweep_state *x) {
    const struct seen *k = context;
    uint32_t id = graph_decode(k->g, x->state);
    (void)member;
    assert_int_equal(id, k->order[x->number]);
    assert_int_equal(x->slot, graph_slot(k->s, id));
    return !(x->classes & k->leaves_out);
}

static uint64_t key_of(const struct seen *k, uint32_t id) {
    word state[16];
    uint64_t key;
    graph_encode(k->g, id, state);
    store_known_keys(&k->s->store, &k->s->members[0].view, state, 1, &key);
    return key;
}

/* Edge e of a batch leads to this state. */
static void compare_edge(const struct seen *k, const struct sweep_batch *x, uint32_t e, uint32_t to) {
    uint32_t words = k->g->ts.words;
    assert_int_equal(graph_decode(k->g, x->edges->successors + (size_t)e * words), to);
    switch (k->sweep.to) {
    case SWEEP_TO_STATES: break;
    case SWEEP_TO_KEYS: assert_int_equal(x->to[e], key_of(k, to)); break;
    case SWEEP_TO_SLOTS: assert_int_equal(x->to[e], graph_slot(k->s, to)); break;
    case SWEEP_TO_NUMBERS: assert_int_equal(k->order[x->to[e]], to); break;
    }
}

static void compare_state(const struct seen *k, const struct sweep_batch *x, uint32_t i) {
    uint32_t id = k->order[x->numbers[i]], to[256], labels[256];
    assert_int_equal(graph_decode(k->g, x->states + (size_t)i * k->g->ts.words), id);
    assert_int_equal(x->slots[i], graph_slot(k->s, id));
    if (x->classes) assert_int_equal(x->classes[i], k->g->classes[id] & k->sweep.classes);
    uint32_t n = graph_successors(k->g, id, to, labels), begin = sweep_begin(x, i);
    assert_int_equal(sweep_end(x, i) - begin, n);
    for (uint32_t e = 0; e < n; e++) {
        assert_int_equal(x->edges->labels[begin + e], labels[e]);
        compare_edge(k, x, begin + e, to[e]);
    }
}

/* Only counts: assertions belong to the caller's thread. */
static void take(void *context, unsigned member, const struct sweep_batch *x) {
    struct seen *k = context;
    (void)member;
    for (uint32_t i = 0; i < x->count; i++) {
        struct ts_fault fault = {.kind = TS_RAISED, .where = "take"};
        k->taken[x->numbers[i]]++;
        ((uint64_t *)x->room)[i] = x->numbers[i];
        if (k->order[x->numbers[i]] == k->fails) sweep_fault(&k->sweep, x, i, &fault);
    }
}

static bool put(void *context, const struct sweep_batch *x) {
    struct seen *k = context;
    for (uint32_t i = 0; i < x->count; i++) {
        k->in_order &= k->put == 0 || x->positions[i] > k->last;
        k->last = x->positions[i];
        k->put++;
        assert_int_equal(((uint64_t *)x->room)[i], x->numbers[i]);
        compare_state(k, x, i);
    }
    return true;
}

static void make(struct graph *g, uint64_t i) {
    random_start(i);
    graph_init(g, 1 + random_below(i % 10 ? 60 : MOST - 1), 1 + random_below(4), i % 3 ? 1 : 2);
    graph_randomise(g, 30 + random_below(70), random_chance(50) ? 3 : 0, i);
    random_start(i + 1000000);
    for (uint32_t s = 0; s + 1 < g->count; s++)
        if (random_chance(90)) *graph_next(g, s, 0) = s + 1; /* so that much is reachable */
    for (uint32_t s = 0; s < g->count; s++) g->classes[s] = (uint8_t)random_below(8);
    g->threads = 1 + (unsigned)(i % 3);
    g->keep_edges = random_chance(50);
}

static void prepare(struct seen *k, struct graph *g, struct space *s, const uint32_t *order, enum direction way) {
    *k = (struct seen){.g = g, .s = s, .order = order, .one_in = 1, .in_order = true, .fails = NO_STATE};
    k->step = random_chance(50) ? spread_step(s->states) : 1;
    k->sweep = (struct sweep){.s = s,
                              .phase = "test",
                              .context = k,
                              .need = SWEEP_STATES | SWEEP_SLOTS | SWEEP_EDGES | SWEEP_LABELS,
                              .classes = random_chance(70) ? random_below(8) : 0,
                              .room = sizeof(uint64_t),
                              .most = random_chance(50) ? 1 + random_below(9) : 0,
                              .backward = way == DOWN,
                              .pick = way == PICKED ? pick : NULL,
                              .take = take,
                              .put = put};
}

/* The number at a position. */
static uint64_t number_at(const struct seen *k, uint64_t i) {
    return k->sweep.pick ? pick(k, i) : k->sweep.backward ? k->sweep.end - 1 - i : i;
}

/* Was it that states were wanted, and no others? Returns how many. */
static uint64_t compare_taken(const struct seen *k, uint64_t begin, uint64_t end) {
    static bool wanted[MOST];
    uint64_t count = 0;
    memset(wanted, 0, sizeof wanted);
    for (uint64_t i = begin; i < end; i++) {
        uint64_t number = number_at(k, i);
        uint8_t classes = k->g->classes[k->order[number]] & (uint8_t)k->sweep.classes;
        wanted[number] = number % k->one_in == 0 && (!k->sweep.suits || !(classes & k->leaves_out));
        count += wanted[number];
    }
    for (uint64_t n = 0; n < k->s->states; n++) assert_int_equal(k->taken[n], wanted[n]);
    return count;
}

static void sweep_once(struct graph *g, struct space *s, const uint32_t *order, enum direction way,
                       struct region *numbers) {
    static struct seen k;
    struct stop stop;
    prepare(&k, g, s, order, way);
    k.sweep.to = (enum sweep_to)random_below(4);
    if (k.sweep.to == SWEEP_TO_NUMBERS) k.sweep.numbers = numbers;
    if (random_chance(40)) k.sweep.wants = wants, k.one_in = 1 + random_below(4);
    if (random_chance(40)) k.sweep.suits = suits, k.leaves_out = (uint8_t)random_below(8);
    if (g->threads > 1) k.sweep.suits = NULL, k.leaves_out = 0; /* it asserts */
    uint64_t begin = random_chance(30) ? random_below((uint32_t)s->states) : 0;
    k.sweep.end = random_chance(70) ? 0 : begin + 1 + random_below((uint32_t)(s->states - begin));
    k.sweep.next = begin;
    sweep_init(&k.sweep);
    assert_true(sweep_all(&k.sweep, &stop));
    assert_int_equal(stop.kind, STOP_DONE);
    assert_int_equal(k.put, compare_taken(&k, begin, k.sweep.end));
    assert_int_equal(k.sweep.expanded, k.put);
    assert_true(k.in_order);
    sweep_fini(&k.sweep);
}

static void all_ways(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(1500); i++) {
        struct graph g;
        struct space s;
        struct stop stop;
        struct region numbers = {0};
        make(&g, i);
        uint32_t *order = malloc(g.count * sizeof *order), *level = malloc(g.count * sizeof *level);
        struct ts_worker *w = graph_worker(&g);
        graph_space(&s, &g, w, 0);
        assert_int_equal(graph_explore(&g, order, level), s.states);
        if (s.edges_kept && random_chance(50)) assert_int_equal(edges_settle(&s, &stop), EDGES_SETTLED);
        assert_true(sweep_number_slots(&s, &numbers, "test", &stop));
        for (enum direction way = UP; way <= PICKED; way++) sweep_once(&g, &s, order, way, &numbers);
        region_fini(&numbers);
        space_fini(&s);
        free(w);
        free(order);
        free(level);
        graph_fini(&g);
    }
}

/* Model code fails in some states; the first in the order of the sweep is told, whatever the number of threads, and all
 * before it were put. */
static void failures(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(600); i++) {
        struct graph g;
        struct space s;
        struct stop stop;
        static struct seen k;
        make(&g, i);
        uint32_t *order = malloc(g.count * sizeof *order), *level = malloc(g.count * sizeof *level);
        struct ts_worker *w = graph_worker(&g);
        graph_space(&s, &g, w, 0);
        graph_explore(&g, order, level);
        prepare(&k, &g, &s, order, i % 2 ? DOWN : UP);
        k.sweep.classes = TS_MAY;
        uint64_t at[3], first = UINT64_MAX;
        for (int f = 0; f < 3; f++) at[f] = random_below((uint32_t)s.states);
        g.fault_state = order[at[0]];
        g.fault_transition = TS_NONE;
        g.fault_class_state = order[at[1]];
        k.fails = order[at[2]];
        sweep_init(&k.sweep);
        assert_false(sweep_all(&k.sweep, &stop));
        for (int f = 0; f < 3; f++) {
            uint64_t position = i % 2 ? s.states - 1 - at[f] : at[f];
            if (position < first) first = position;
        }
        assert_int_equal(stop.kind, STOP_FAULT);
        assert_int_equal(stop.state, number_at(&k, first));
        assert_int_equal(k.put, first);
        assert_true(k.in_order);
        sweep_fini(&k.sweep);
        space_fini(&s);
        free(w);
        free(order);
        free(level);
        graph_fini(&g);
    }
}

static volatile sig_atomic_t interrupted;

static void interruptions(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < 60; i++) {
        struct graph g;
        struct space s;
        struct stop stop;
        static struct seen k;
        make(&g, i);
        uint32_t *order = malloc(g.count * sizeof *order), *level = malloc(g.count * sizeof *level);
        struct ts_worker *w = graph_worker(&g);
        graph_space(&s, &g, w, 0);
        graph_explore(&g, order, level);
        prepare(&k, &g, &s, order, UP);
        k.sweep.put = NULL;
        k.sweep.showing = i % 2;
        s.limits.max_states = 1; /* has been passed, if there are more: of no matter to what is worth showing */
        s.limits.interrupted = &interrupted;
        interrupted = i % 4 < 2;
        sweep_init(&k.sweep);
        bool ends = interrupted || (!k.sweep.showing && s.states > 1);
        assert_int_equal(sweep_all(&k.sweep, &stop), !ends);
        assert_int_equal(stop.kind, ends ? STOP_LIMIT : STOP_DONE);
        if (interrupted) assert_string_equal(stop.reason, "interrupted");
        interrupted = 0;
        sweep_fini(&k.sweep);
        space_fini(&s);
        free(w);
        free(order);
        free(level);
        graph_fini(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways),
        cmocka_unit_test(failures),
        cmocka_unit_test(interruptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
