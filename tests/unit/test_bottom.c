/* Continuations after a point of no return: with each expansion failing in turn, the continuation is the one without
 * that, or none was found and the trace is as it was. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "check/continuation.h"

enum { STATES = 14, TRANSITIONS = 3 };

static struct ts_ops failing;
static const struct ts_ops *really;
static uint64_t expansions, failing_at;

static uint32_t expand(struct ts_worker *w, struct ts_batch *b) {
    if (++expansions != failing_at) return really->expand(w, b);
    b->fault = (struct ts_fault){.kind = TS_CRASHED, .transition = TS_NONE, .where = "fire", .text = "it fails now"};
    return 0;
}

/* From state 0, by the first transitions, to a cycle or an end. */
static void walk(struct trace *t, struct graph *g) {
    uint32_t seen[STATES] = {0}, s = 0, to[TRANSITIONS], labels[TRANSITIONS], label = TS_NONE;
    word state[1];
    trace_init(t, 1);
    t->no_return = 0;
    while (!seen[s]) {
        graph_encode(g, s, state);
        trace_add(t, label, state);
        seen[s] = (uint32_t)t->count;
        if (graph_successors(g, s, to, labels) == 0) return;
        s = to[0];
        label = labels[0];
    }
    t->cycle = seen[s] - 1;
    t->closing = label;
}

static bool same(const struct trace *a, const struct trace *b) {
    if (a->count != b->count || a->cycle != b->cycle || a->no_return != b->no_return) return false;
    if (a->cycle != TRACE_NONE && a->closing != b->closing) return false;
    for (uint64_t i = 0; i < a->count; i++)
        if (a->transitions[i] != b->transitions[i] || *trace_state(a, i) != *trace_state(b, i)) return false;
    return true;
}

static enum bottom lead(struct trace *t, struct graph *g, uint64_t at) {
    const struct limits plenty = {.max_memory = UINT64_C(1) << 30};
    struct space s = {.ts = &g->ts, .worker = graph_worker(g), .limits = plenty};
    walk(t, g);
    expansions = 0;
    failing_at = at;
    enum bottom result = bottom_lead(t, &s);
    free(s.worker);
    return result;
}

static void with_failures(void **state) {
    uint64_t tried = 0, unknown = 0;
    (void)state;
    for (uint64_t i = 0; i < ROUNDS(300); i++) {
        struct graph g;
        struct trace before, right, now;
        graph_init(&g, STATES, TRANSITIONS, 1);
        graph_randomise(&g, 30 + (uint32_t)(i % 4) * 20, 4, i + 1);
        really = g.ts.ops;
        failing = *really;
        failing.expand = expand;
        g.ts.ops = &failing;
        walk(&before, &g);
        assert_int_equal(lead(&right, &g, 0), BOTTOM_REACHED);
        uint64_t all = expansions;
        for (uint64_t at = 1; at <= all; at++) {
            enum bottom result = lead(&now, &g, at);
            tried++;
            unknown += result == BOTTOM_UNKNOWN;
            assert_true(same(&now, result == BOTTOM_UNKNOWN ? &before : &right));
            trace_fini(&now);
        }
        trace_fini(&before);
        trace_fini(&right);
        g.ts.ops = really;
        graph_fini(&g);
    }
    print_message("%llu failures, %llu of them ended it\n", (unsigned long long)tried, (unsigned long long)unknown);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(with_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
