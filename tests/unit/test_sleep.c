/* Successors that are left out are known: breadth-first searches of random systems whose dependences are known, with
 * and without tables, must find the same states in the same order, and count the same edges. */
#include "reduce/sleep.h"

#include <string.h>

#include "model/c/tables.h"
#include "moves.h"
#include "unit.h"

enum { BITS = 13, STATES = 1 << BITS, MOST = 24, BATCH = 7, HANDS = 3 };

/* A search: the states in the order of finding, and which are known. */
struct search {
    word order[STATES];
    uint8_t origins[STATES + TS_MOST_SIBLINGS];
    bool known[STATES];
    uint32_t count;
    uint64_t edges, looked_up;
};

static bool meet(struct search *x, word successor) {
    word state = ts_without_origin(successor);
    x->looked_up++;
    if (x->known[state >> 1]) return false;
    x->known[state >> 1] = true;
    x->origins[x->count] = ts_origin(successor);
    x->order[x->count++] = state;
    return true;
}

static void begin(struct search *x) {
    *x = (struct search){0};
    meet(x, 1);
}

static void search_naively(struct search *x, const struct moves *m) {
    word successors[MOST];
    uint32_t labels[MOST];
    begin(x);
    for (uint32_t i = 0; i < x->count; i++) {
        uint32_t n = moves_expand(m, x->order[i], successors, labels);
        for (uint32_t e = 0; e < n; e++) meet(x, successors[e]);
        x->edges += n;
    }
}

/* The successors of a batch by tables, with help where these do not know. */
static void expand_batch(struct lookup *l, const struct moves *m, struct ts_batch *batch) {
    struct lookup_progress at = {0};
    uint32_t labels[MOST];
    while (at.next < batch->count) {
        if (l->phase == LOOKUP_WORKS) lookup_run(l, batch, &at);
        if (at.next == batch->count) break;
        word *successors = batch->successors + at.end, source = batch->sources[at.next];
        uint32_t n = moves_expand(m, source, successors, labels);
        lookup_learn(l, source, successors, labels, n);
        batch->totals[at.next] = at.total += n;
        batch->ends[at.next++] = at.end += n;
    }
}

/* Of all that was left out, in their order, the successors must be known by then. */
static void look_at_batch(struct search *x, const struct moves *m, const struct ts_batch *batch) {
    word all[MOST];
    uint32_t labels[MOST];
    for (uint32_t i = 0, e = 0; i < batch->count; i++) {
        uint32_t n = moves_expand(m, batch->sources[i], all, labels), first = x->count;
        assert_int_equal(n, batch->totals[i] - (i ? batch->totals[i - 1] : 0));
        for (uint32_t k = 0; k < n; k++)
            if (e < batch->ends[i] && ts_without_origin(batch->successors[e]) == all[k])
                meet(x, batch->successors[e++]);
            else assert_true(x->known[all[k] >> 1]);
        assert_int_equal(e, batch->ends[i]);
        for (; first + 1 < x->count; first++) x->origins[first] |= TS_ORIGIN_MORE;
        x->edges += n;
    }
}

/* Several hands, each with tables of its own, take turns. */
static void search_by_tables(struct search *x, struct moves *m) {
    struct facts_seen *facts = facts_seen_new(m->count);
    struct lookup hands[HANDS];
    word successors[BATCH * MOST + 64];
    uint32_t ends[BATCH], totals[BATCH], used = 1 + random_below(HANDS);
    for (uint32_t i = 0; i < used; i++) lookup_init(&hands[i], facts, m->forward, true, moves_ask, m);
    begin(x);
    for (uint32_t at = 0, some; at < x->count; at += some) {
        word sources[BATCH];
        uint8_t origins[BATCH + TS_MOST_SIBLINGS];
        some = 1 + random_below(BATCH);
        if (some > x->count - at) some = x->count - at;
        memcpy(sources, x->order + at, some * sizeof *sources);
        memcpy(origins, x->origins + at, some + TS_MOST_SIBLINGS);
        struct ts_batch batch = {.sources = sources,
                                 .origins = origins,
                                 .count = some,
                                 .capacity = BATCH + 2,
                                 .successors = successors,
                                 .ends = ends,
                                 .totals = totals};
        expand_batch(&hands[random_below(used)], m, &batch);
        look_at_batch(x, m, &batch);
    }
    for (uint32_t i = 0; i < used; i++) lookup_fini(&hands[i]);
    facts_seen_free(facts);
}

static void test_same(void **state) {
    (void)state;
    static struct search right, tables;
    struct moves_chance chance = {.bits = BITS, .least = 2, .most = MOST - 1, .looks = 5};
    uint64_t edges = 0, looked_up = 0;
    chance.small = 80; /* most are independent of each other; some flip more than is remembered one by one */
    chance.second = chance.elsewhere = 20;
    chance.below = random_below;
    random_start(1);
    for (uint32_t i = 0; i < ROUNDS(10000); i++) {
        struct moves m;
        chance.twins = random_below(3) ? 0 : 30;
        moves_random(&m, &chance);
        search_naively(&right, &m);
        search_by_tables(&tables, &m);
        assert_int_equal(right.count, tables.count);
        assert_memory_equal(right.order, tables.order, right.count * sizeof(word));
        assert_true(right.edges == tables.edges);
        edges += right.edges;
        looked_up += tables.looked_up;
        moves_fini(&m);
    }
    assert_true(looked_up < edges / 10 * 9);
}

int main(void) {
    if (!lookup_is_fast()) {
        puts("no tables on this machine");
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
