#include "graph.h"

#include <stdatomic.h>

#include "unit.h"

#include "base/memory.h"
#include "explore/bfs.h"

struct ts_worker {
    struct graph *g;
};

static const struct ts_variable variables[] = {{"id", 0, false}};

/* ---- States ---- */

void graph_encode(const struct graph *g, uint32_t id, word *out) {
    out[0] = (word)id << 1 | 1;
    for (uint32_t i = 1; i < g->ts.words; i++) {
        if (g->ts.words == 3) out[i] = (i % 2 ? id % 16 : id / 16 % 64) * UINT64_C(0x9e3779b97f4a7c15); /* components */
        else out[i] = i % 2 ? (word)id * UINT64_C(0x9e3779b97f4a7c15) : i;
    }
}

uint32_t graph_decode(const struct graph *g, const word *state) {
    word same[16];
    assert_in_range(g->ts.words, 1, COUNT(same));
    assert_in_range(state[0] >> 1, 0, g->count - 1);
    graph_encode(g, (uint32_t)(state[0] >> 1), same);
    assert_memory_equal(state, same, g->ts.words * sizeof(word));
    return (uint32_t)(state[0] >> 1);
}

/* ---- What a model answers ---- */

static bool fails(const struct graph *g, uint32_t s, uint32_t t, struct ts_fault *f) {
    if (s != g->fault_state || (g->fault_transition != TS_NONE && t != g->fault_transition)) return false;
    *f = (struct ts_fault){.kind = g->fault_kind, .transition = t, .where = "fire", .text = "the graph says so"};
    return true;
}

static uint32_t expand(struct ts_worker *w, struct ts_batch *b) {
    struct graph *g = w->g;
    uint32_t n = 0, labels[256], to[256];
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t s = graph_decode(g, b->sources + (size_t)i * g->ts.words);
        for (uint32_t k = 0; k < g->ts.transitions; k++) {
            if (!fails(g, s, g->ts.reduction.forward ? k : g->ts.transitions - 1 - k, &b->fault)) continue;
            b->fault.source = i;
            return i;
        }
        uint32_t edges = graph_successors(g, s, to, labels);
        for (uint32_t e = 0; e < edges; e++, n++) {
            b->labels[n] = labels[e];
            graph_encode(g, to[e], b->successors + (size_t)n * g->ts.words);
        }
        b->ends[i] = n;
        atomic_fetch_add_explicit(&g->expanded, 1, memory_order_relaxed);
    }
    return b->count;
}

static uint32_t classify(struct ts_worker *w, struct ts_batch *b) {
    struct graph *g = w->g;
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t s = graph_decode(g, b->sources + (size_t)i * g->ts.words);
        if (s == g->fault_class_state) {
            b->fault =
                (struct ts_fault){.kind = g->fault_kind, .source = i, .transition = TS_NONE, .where = "check_state"};
            return i;
        }
        b->classes[i] = g->classes[s] & (uint8_t)b->wanted;
    }
    return b->count;
}

static bool initial(struct ts_worker *w, word *out, struct ts_fault *fault) {
    (void)fault;
    graph_encode(w->g, 0, out);
    return true;
}

static int fire(struct ts_worker *w, const word *s, uint32_t t, word *out, struct ts_fault *fault) {
    uint32_t from = graph_decode(w->g, s), to = *graph_next(w->g, from, t);
    if (fails(w->g, from, t, fault)) return -1;
    if (to != NO_STATE) graph_encode(w->g, to, out);
    return to != NO_STATE;
}

static bool representative(struct ts_worker *w, const word *s, word *out, struct ts_fault *fault) {
    (void)fault;
    graph_encode(w->g, w->g->image[graph_decode(w->g, s)], out);
    return true;
}

static bool check(struct ts_worker *w, const word *s, enum ts_feature which, const char **message,
                  struct ts_fault *fault) {
    uint32_t id = graph_decode(w->g, s);
    (void)fault;
    if (which == TS_CHECK_STATE) *message = w->g->classes[id] & TS_BAD ? "bad state" : NULL;
    else *message = w->g->illegal[id] ? "illegal end" : NULL;
    return true;
}

static bool obligations(struct ts_worker *w, const word *s, uint32_t t, uint32_t *list, uint32_t *count,
                        struct ts_fault *fault) {
    const bool *row = graph_obliges(w->g, graph_decode(w->g, s), t);
    (void)fault;
    *count = 0;
    for (uint32_t u = 0; u < w->g->ts.transitions; u++)
        if (row[u]) list[(*count)++] = u;
    return true;
}

static bool print(struct ts_worker *w, const word *s, const word *previous, FILE *out, struct ts_fault *fault) {
    (void)previous;
    (void)fault;
    fprintf(out, "state %u", graph_decode(w->g, s));
    return true;
}

static void transition_name(struct ts_worker *w, uint32_t t, char *buffer, size_t size) {
    (void)w;
    snprintf(buffer, size, "go %u", t);
}

static int64_t value(const struct ts *ts, const word *s, uint32_t v, uint32_t i, const char **name, size_t *length) {
    (void)ts, (void)v, (void)i, (void)length;
    *name = NULL;
    return (int64_t)(s[0] >> 1);
}

static void close_graph(struct ts *ts) { graph_fini((struct graph *)(void *)ts); }
static struct ts_worker *worker_new(struct ts *ts) { return graph_worker((struct graph *)(void *)ts); }
static void worker_free(struct ts_worker *w) { free(w); }

static uint32_t action(struct ts_worker *w, const word *s, uint32_t t, struct ts_fault *fault) {
    const struct graph *g = w->g;
    (void)fault;
    uint32_t plain = g->actions[t], shade = g->shades ? g->values[graph_decode(g, s)] & 1 : 0;
    return plain ? plain + shade * g->shades : 0;
}

static int observable(struct ts_worker *w, uint32_t t, struct ts_fault *fault) {
    (void)fault;
    return w->g->observable[t];
}

static bool valuate(struct ts_worker *w, const word *states, uint32_t count, const uint32_t *wanted,
                    uint32_t wanted_count, uint64_t *out, struct ts_fault *fault) {
    (void)fault;
    for (uint32_t k = 0; k < count; k++) {
        uint64_t all = w->g->values[graph_decode(w->g, states + (size_t)k * w->g->ts.words)];
        out[k] = 0;
        for (uint32_t i = 0; i < wanted_count; i++) out[k] |= (all >> wanted[i] & 1) << i;
    }
    return true;
}

static int may_change(struct ts_worker *w, uint32_t p, uint32_t t, struct ts_fault *fault) {
    (void)fault;
    return *graph_changes(w->g, p, t);
}

static const struct ts_ops ops = {
    .close = close_graph,
    .worker_new = worker_new,
    .worker_free = worker_free,
    .expand = expand,
    .classify = classify,
    .valuate = valuate,
    .may_change = may_change,
    .action = action,
    .observable = observable,
    .initial = initial,
    .fire = fire,
    .representative = representative,
    .check = check,
    .obligations = obligations,
    .print = print,
    .transition_name = transition_name,
    .value = value,
};

static const char *const proposition_names[] = {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};

/* ---- Graphs ---- */

void graph_init(struct graph *g, uint32_t count, uint32_t transitions, uint32_t words) {
    *g = (struct graph){
        .ts = {.ops = &ops,
               .path = "graph.c",
               .words = words,
               .bits = words == 1 ? 30 : words * 64 - 1, /* few enough for narrow lines, and not */
               .transitions = transitions,
               .features = TS_CHECK_STATE | TS_CHECK_DEADLOCK | TS_MAY_PROGRESS | TS_MUST_PROGRESS,
               .variables = variables,
               .variable_count = 1,
               .propositions = COUNT(proposition_names),
               .proposition_names = proposition_names},
        .count = count,
        .next = memory_get((size_t)count * transitions * sizeof *g->next),
        .classes = memory_get_zeroed(count),
        .illegal = memory_get_zeroed(count),
        .image = memory_get(count * sizeof *g->image),
        .values = memory_get_zeroed(count * sizeof *g->values),
        .fault_state = NO_STATE,
        .fault_class_state = NO_STATE,
        .fault_transition = TS_NONE,
        .fault_kind = TS_RAISED,
    };
    memset(g->next, 0xff, (size_t)count * transitions * sizeof *g->next);
    for (uint32_t s = 0; s < count; s++) g->image[s] = s;
}

void graph_fini(struct graph *g) {
    free(g->next);
    free(g->classes);
    free(g->illegal);
    free(g->image);
    free(g->values);
    free(g->obliges);
    free(g->changes);
}

bool *graph_obliges(struct graph *g, uint32_t s, uint32_t t) {
    size_t n = g->ts.transitions;
    if (!g->obliges) g->obliges = memory_get_zeroed(g->count * n * n);
    g->ts.features |= TS_OBLIGATIONS;
    return g->obliges + (s * n + t) * n;
}

bool *graph_changes(struct graph *g, uint32_t p, uint32_t t) {
    static const bool known[COUNT(proposition_names) + 2] = {true, true, true, true, true, true, true, true};
    if (!g->changes) g->changes = memory_get_zeroed((COUNT(proposition_names) + 2) * (size_t)g->ts.transitions);
    g->ts.changes_known = known;
    return g->changes + p * g->ts.transitions + t;
}

void graph_randomise(struct graph *g, uint32_t percent, uint32_t reach, uint64_t seed) {
    random_start(seed);
    for (uint32_t s = 0; s < g->count; s++)
        for (uint32_t t = 0; t < g->ts.transitions; t++) {
            *graph_next(g, s, t) = NO_STATE;
            if (!random_chance(percent)) continue;
            *graph_next(g, s, t) =
                reach ? (s + g->count + random_below(2 * reach + 1) - reach) % g->count : random_below(g->count);
        }
}

unsigned graph_threads(uint64_t i) {
    static const unsigned threads[] = {1, 2, 1, 3, 1, 8, 1};
    return threads[i % COUNT(threads)];
}

struct ts_worker *graph_worker(struct graph *g) {
    struct ts_worker *w = memory_get(sizeof *w);
    w->g = g;
    return w;
}

uint32_t graph_successors(const struct graph *g, uint32_t s, uint32_t *to, uint32_t *labels) {
    uint32_t n = 0, transitions = g->ts.transitions;
    for (uint32_t k = 0; k < transitions; k++) {
        uint32_t t = g->ts.reduction.forward ? k : transitions - 1 - k, next = g->next[s * transitions + t];
        if (next == NO_STATE) continue;
        labels[n] = t;
        to[n++] = g->ts.reduction.symmetry ? g->image[next] : next;
    }
    return n;
}

uint32_t graph_explore(const struct graph *g, uint32_t *order, uint32_t *level) {
    uint32_t n = 1, to[256], labels[256];
    for (uint32_t s = 0; s < g->count; s++) level[s] = NO_STATE;
    order[0] = g->ts.reduction.symmetry ? g->image[0] : 0;
    level[order[0]] = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t edges = graph_successors(g, order[i], to, labels);
        for (uint32_t e = 0; e < edges; e++) {
            if (level[to[e]] != NO_STATE) continue;
            level[to[e]] = level[order[i]] + 1;
            order[n++] = to[e];
        }
    }
    return n;
}

/* ---- Spaces ---- */

void graph_space(struct space *s, struct graph *g, struct ts_worker *w, uint64_t max_memory) {
    struct problem why = {0};
    struct limits limits = {.max_memory = max_memory ? max_memory : UINT64_C(1) << 33};
    struct stop stop;
    word start[16];
    assert_true(space_init(s, &g->ts, w, &limits, &(struct means){.threads = g->threads}, &why));
    s->edges_kept = g->keep_edges;
    if (g->layout_from) s->layout_from = g->layout_from;
    graph_encode(g, g->ts.reduction.symmetry ? g->image[0] : 0, start);
    bfs_run(s, start, &(struct bfs_goals){0}, &stop);
    assert_int_equal(stop.kind, STOP_DONE);
    problem_fini(&why);
}

uint32_t graph_number(struct space *s, uint64_t i) {
    word state[16];
    assert_true(space_state(s, i, state));
    return graph_decode((struct graph *)(void *)s->ts, state);
}

uint64_t graph_slot(struct space *s, uint32_t id) {
    word state[16];
    uint64_t slot;
    graph_encode((struct graph *)(void *)s->ts, id, state);
    space_find(s, state, 1, &slot);
    return slot;
}
