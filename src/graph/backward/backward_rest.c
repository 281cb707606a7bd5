#include "graph/backward/backward_rest.h"

#include <assert.h>

/* States are known by their rank among those that are left. */
struct graph {
    const struct undecided *u;
    struct bitmap left;    /* by the caller's numbers */
    struct bitmap decided; /* by rank */
    struct region starts;  /* uint64_t: where the predecessors of each begin; one more at the end */
    struct region edges;   /* uint32_t: predecessors */
    struct region degrees; /* uint32_t, BACKWARD_ALL: successors that are not marked yet */
    struct region queue;   /* uint32_t: states that became marked */
    uint64_t queued;
};

#define STARTS(g) ((uint64_t *)(void *)(g)->starts.base)
#define EDGES(g) ((uint32_t *)(void *)(g)->edges.base)
#define DEGREES(g) ((uint32_t *)(void *)(g)->degrees.base)
#define QUEUE(g) ((uint32_t *)(void *)(g)->queue.base)

static bool region_new(struct region *r, uint64_t bytes) {
    if (!bytes) bytes = 8;
    return region_init(r, bytes) && region_grow(r, bytes);
}

static void graph_fini(struct graph *g) {
    bitmap_fini(&g->left);
    bitmap_fini(&g->decided);
    region_fini(&g->starts);
    region_fini(&g->edges);
    region_fini(&g->degrees);
    region_fini(&g->queue);
}

static void note_left(void *context, uint64_t state, const uint64_t *next, uint32_t count) {
    struct graph *g = context;
    (void)next, (void)count;
    bitmap_add(&g->left, state);
}

static void count_edges(void *context, uint64_t state, const uint64_t *next, uint32_t count) {
    struct graph *g = context;
    uint64_t from = bitmap_rank(&g->left, state);
    for (uint32_t i = 0; i < count; i++) {
        if (!bitmap_has(&g->left, next[i])) continue;
        STARTS(g)[bitmap_rank(&g->left, next[i]) + 1]++;
        DEGREES(g)[from]++;
    }
}

/* While edges are stored, starts[v + 1] is where the next predecessor of v goes; in the end, where they end. */
static void store_edges(void *context, uint64_t state, const uint64_t *next, uint32_t count) {
    struct graph *g = context;
    uint32_t from = (uint32_t)bitmap_rank(&g->left, state);
    for (uint32_t i = 0; i < count; i++)
        if (bitmap_has(&g->left, next[i])) EDGES(g)[STARTS(g)[bitmap_rank(&g->left, next[i]) + 1]++] = from;
    if (undecided_can_mark(g->u->f, g->u->marked, next, count)) {
        assert(g->queued < g->u->count);
        QUEUE(g)[g->queued++] = from;
        bitmap_add(&g->decided, from);
    }
}

static bool no_memory(struct stop *stop) {
    *stop = (struct stop){.kind = STOP_LIMIT,
                          .reason = "no memory was left for the states that backward search must still decide"};
    return false;
}

static bool build(struct graph *g, struct stop *stop) {
    const struct undecided *u = g->u;
    uint64_t n = u->count, total = 0;
    if (!bitmap_init(&g->left, u->size) || !bitmap_init(&g->decided, n) ||
        !region_new(&g->starts, (n + 2) * sizeof(uint64_t)) || !region_new(&g->degrees, n * sizeof(uint32_t)) ||
        !region_new(&g->queue, n * sizeof(uint32_t)))
        return no_memory(stop);
    if (!u->each(u->source, note_left, g)) return false;
    if (!bitmap_count_ranks(&g->left)) return no_memory(stop);
    assert(bitmap_count(&g->left) == n); /* each of them was visited, and nothing else */
    if (!u->each(u->source, count_edges, g)) return false;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t count = STARTS(g)[v + 1];
        STARTS(g)[v + 1] = total;
        total += count;
    }
    if (!region_new(&g->edges, total * sizeof(uint32_t))) return no_memory(stop);
    return u->each(u->source, store_edges, g);
}

/* Linear-time search along the reversed edges; then marks what it reached. */
static void propagate(struct graph *g) {
    for (uint64_t i = 0; i < g->queued; i++) {
        uint32_t v = QUEUE(g)[i];
        for (uint64_t e = STARTS(g)[v]; e < STARTS(g)[v + 1]; e++) {
            uint32_t p = EDGES(g)[e];
            if (bitmap_has(&g->decided, p)) continue;
            assert(g->u->f->kind != BACKWARD_ALL || DEGREES(g)[p] > 0);
            if (g->u->f->kind == BACKWARD_ALL && --DEGREES(g)[p] > 0) continue;
            bitmap_add(&g->decided, p);
            QUEUE(g)[g->queued++] = p;
        }
    }
    uint64_t rank = 0; /* from ranks back to the caller's numbers */
    for (uint64_t state = 0; state < g->left.size; state++)
        if (bitmap_has(&g->left, state) && bitmap_has(&g->decided, rank++)) bitmap_add(g->u->marked, state);
}

bool undecided_fits(const struct space *s, uint64_t count) {
    uint64_t used = memory_resident(), most = s->limits.max_memory;
    double edges = (double)s->edges / (double)s->states;
    return count < UINT32_MAX && used < most && (double)count * (20 + 4 * edges) < 0.8 * (double)(most - used);
}

bool undecided_finish(struct undecided *u, struct stop *stop) {
    struct graph g = {.u = u};
    bool good = build(&g, stop);
    if (good) {
        propagate(&g);
        assert(g.queued <= u->count);
        u->count -= g.queued;
    }
    graph_fini(&g);
    return good;
}
