#include "search/fixpoint.h"

#include <stdlib.h>
#include <string.h>

#include "search/edges.h"

struct sweeper {
    struct fixpoint *f;
    struct space *s;
    struct stop *stop;
    /* The first sweep. */
    struct successors next;
    uint64_t *slots;   /* of the states of the batch */
    bool *wanted;      /* of these: not marked, so that their successors are of interest */
    struct ts_batch classes;
    /* What is left. A record is: slot, number, number of successors, their slots. */
    struct trail left;
    uint64_t left_count;
};

static bool failed(struct sweeper *w, const char *reason) {
    *w->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

/* ---- What can be marked ---- */

static bool can_be_marked(const struct fixpoint *f, const uint64_t *successors, uint64_t count) {
    bool some = f->kind == FIXPOINT_SOME;
    if (count == 0) return f->terminal_is_target;
    for (uint64_t i = 0; i < count; i++)
        if (bitmap_has(&f->marked, successors[i]) == some) return some;
    return !some;
}

static void leave(struct trail *left, uint64_t slot, uint64_t number, const uint64_t *successors, uint64_t count) {
    const uint64_t head[] = {slot, number, count};
    trail_add_words(left, head, 3);
    trail_add_words(left, successors, count);
}

/* ---- The first sweep: all states, last first ---- */

/* Marks targets by their class. */
static bool mark_targets(struct sweeper *w, const struct walk *walk) {
    if (!w->f->target) return true;
    w->classes.sources = walk->states;
    w->classes.count = walk->count;
    w->classes.wanted = w->f->target;
    uint32_t done = w->s->ts->ops->classify(w->s->worker, &w->classes);
    if (done < walk->count) {
        *w->stop = (struct stop){.kind = STOP_FAULT, .state = walk->first + done, .fault = w->classes.fault};
        return false;
    }
    for (uint32_t i = 0; i < walk->count; i++)
        if (w->classes.classes[i] & w->f->target) bitmap_add(&w->f->marked, w->slots[i]);
    return true;
}

static bool sweep_batch(struct sweeper *w, const struct walk *walk, uint64_t *marked) {
    table_find(&w->s->table, walk->states, walk->count, w->slots);
    if (!mark_targets(w, walk)) return false;
    for (uint32_t i = 0; i < walk->count; i++) w->wanted[i] = !bitmap_has(&w->f->marked, w->slots[i]);
    if (!successors_before(&w->next, walk, w->wanted, w->stop)) return false;
    for (uint32_t e = 0; e < w->next.count; e++) bitmap_prefetch(&w->f->marked, w->next.slots[e]);
    for (uint32_t i = walk->count; i-- > 0;) {
        if (!w->wanted[i]) continue;
        const uint64_t *successors = w->next.slots + w->next.begins[i];
        uint32_t count = w->next.counts[i];
        if (can_be_marked(w->f, successors, count)) {
            bitmap_add(&w->f->marked, w->slots[i]);
            ++*marked;
        } else {
            leave(&w->left, w->slots[i], walk->first + i, successors, count);
            w->left_count++;
            w->f->first_unmarked = walk->first + i;
        }
    }
    return true;
}

static bool first_sweep(struct sweeper *w, uint64_t *marked) {
    struct walk walk;
    bool good = true;
    *marked = 0;
    walk_init(&walk, w->s, true, 0, ts_batch_states(w->s->ts));
    successors_init(&w->next, w->s, walk.most);
    w->slots = memory_get(walk.most * sizeof *w->slots);
    w->wanted = memory_get(walk.most);
    w->classes = (struct ts_batch){.classes = memory_get(walk.most)};
    while (good && walk_next(&walk, w->stop)) {
        good = sweep_batch(w, &walk, marked) &&
               !space_must_stop(w->s, w->f->phase, w->s->states - walk.at, w->s->states, w->stop);
    }
    successors_fini(&w->next);
    free(w->slots);
    free(w->wanted);
    free(w->classes.classes);
    walk_fini(&walk);
    return good && w->stop->kind == STOP_DONE;
}

/* ---- Further sweeps, over what is left ---- */

/* Calls visit(context, slot, number, successors, count) for every record. */
static bool each_left(struct sweeper *w,
                      void (*visit)(void *context, uint64_t slot, uint64_t number, const uint64_t *next, uint64_t count),
                      void *context) {
    struct trail_cursor c;
    uint64_t *next = NULL, room = 0, head[3];
    bool good = true;
    trail_cursor_init(&c, &w->left);
    for (uint64_t i = 0; good && i < w->left_count; i++) {
        good = trail_next_words(&c, head, 3);
        if (good && head[2] > room) next = memory_resize(next, (room = 2 * head[2]) * sizeof *next);
        good = good && trail_next_words(&c, next, head[2]);
        if (good) visit(context, head[0], head[1], next, head[2]);
        if (i % 256 == 0 && space_must_stop(w->s, w->f->phase, i, w->left_count, w->stop)) break;
    }
    free(next);
    if (!good) failed(w, "the file of edges could not be read back");
    return w->stop->kind == STOP_DONE;
}

struct again {
    struct sweeper *w;
    struct trail left;
    uint64_t left_count, marked;
};

static void look_again(void *context, uint64_t slot, uint64_t number, const uint64_t *next, uint64_t count) {
    struct again *a = context;
    struct fixpoint *f = a->w->f;
    if (bitmap_has(&f->marked, slot)) return;
    if (can_be_marked(f, next, count)) {
        bitmap_add(&f->marked, slot);
        a->marked++;
        return;
    }
    leave(&a->left, slot, number, next, count);
    a->left_count++;
    if (number < f->first_unmarked) f->first_unmarked = number;
}

static bool sweep_again(struct sweeper *w, uint64_t *marked) {
    struct again a = {.w = w};
    trail_init(&a.left, 1);
    w->f->first_unmarked = UINT64_MAX;
    bool good = each_left(w, look_again, &a);
    trail_fini(&w->left);
    w->left = a.left;
    w->left_count = a.left_count;
    *marked = a.marked;
    return good;
}

/* ---- The reversed edges of what is left ---- */

/* States are known by their rank among those that are left. */
struct graph {
    const struct fixpoint *f;
    struct bitmap left;    /* by slot */
    struct bitmap decided; /* by rank */
    struct region starts;  /* uint64_t: where the predecessors of each begin; one more at the end */
    struct region edges;   /* uint32_t: predecessors */
    struct region degrees; /* uint32_t, FIXPOINT_ALL: successors that are not marked yet */
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

static void note_left(void *context, uint64_t slot, uint64_t number, const uint64_t *next, uint64_t count) {
    struct graph *g = context;
    (void)number, (void)next, (void)count;
    bitmap_add(&g->left, slot);
}

static void count_edges(void *context, uint64_t slot, uint64_t number, const uint64_t *next, uint64_t count) {
    struct graph *g = context;
    uint64_t from = bitmap_rank(&g->left, slot);
    (void)number;
    for (uint64_t i = 0; i < count; i++) {
        if (!bitmap_has(&g->left, next[i])) continue;
        STARTS(g)[bitmap_rank(&g->left, next[i]) + 1]++;
        DEGREES(g)[from]++;
    }
}

/* While edges are stored, starts[v + 1] is where the next predecessor of v goes; in the end, where they end. */
static void store_edges(void *context, uint64_t slot, uint64_t number, const uint64_t *next, uint64_t count) {
    struct graph *g = context;
    uint32_t from = (uint32_t)bitmap_rank(&g->left, slot);
    (void)number;
    for (uint64_t i = 0; i < count; i++)
        if (bitmap_has(&g->left, next[i])) EDGES(g)[STARTS(g)[bitmap_rank(&g->left, next[i]) + 1]++] = from;
    if (can_be_marked(g->f, next, count)) {
        QUEUE(g)[g->queued++] = from;
        bitmap_add(&g->decided, from);
    }
}

static bool build_graph(struct sweeper *w, struct graph *g) {
    static const char no_memory[] = "no memory was left for the states that backward search must still decide";
    uint64_t n = w->left_count, total = 0;
    if (!bitmap_init(&g->left, w->s->table.slots) || !bitmap_init(&g->decided, n) ||
        !region_new(&g->starts, (n + 2) * sizeof(uint64_t)) || !region_new(&g->degrees, n * sizeof(uint32_t)) ||
        !region_new(&g->queue, n * sizeof(uint32_t)))
        return failed(w, no_memory);
    if (!each_left(w, note_left, g)) return false;
    if (!bitmap_count_ranks(&g->left)) return failed(w, no_memory);
    if (!each_left(w, count_edges, g)) return false;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t count = STARTS(g)[v + 1];
        STARTS(g)[v + 1] = total;
        total += count;
    }
    if (!region_new(&g->edges, total * sizeof(uint32_t))) return failed(w, no_memory);
    return each_left(w, store_edges, g);
}

/* Linear-time search along the reversed edges; then marks what it reached. */
static void propagate(struct graph *g, struct bitmap *marked) {
    for (uint64_t i = 0; i < g->queued; i++) {
        uint32_t v = QUEUE(g)[i];
        for (uint64_t e = STARTS(g)[v]; e < STARTS(g)[v + 1]; e++) {
            uint32_t p = EDGES(g)[e];
            if (bitmap_has(&g->decided, p)) continue;
            if (g->f->kind == FIXPOINT_ALL && --DEGREES(g)[p] > 0) continue;
            bitmap_add(&g->decided, p);
            QUEUE(g)[g->queued++] = p;
        }
    }
    uint64_t rank = 0; /* from ranks back to slots */
    for (uint64_t slot = 0; slot < g->left.size; slot++)
        if (bitmap_has(&g->left, slot) && bitmap_has(&g->decided, rank++)) bitmap_add(marked, slot);
}

static bool finish_in_memory(struct sweeper *w) {
    struct graph g = {.f = w->f};
    bool good = build_graph(w, &g);
    if (good) propagate(&g, &w->f->marked);
    graph_fini(&g);
    uint64_t marked; /* the last sweep finds the first state that stays unmarked */
    return good && sweep_again(w, &marked);
}

/* Whether the graph of what is left, with as many edges a state as the average, fits well into what memory there is. */
static bool fits(const struct sweeper *w) {
    uint64_t used = memory_resident(), most = w->s->limits.max_memory;
    double edges = (double)w->s->edges / (double)w->s->states;
    return w->left_count < UINT32_MAX && used < most &&
           (double)w->left_count * (20 + 4 * edges) < 0.8 * (double)(most - used);
}

bool fixpoint_run(struct fixpoint *f, struct space *s, struct stop *stop) {
    struct sweeper w = {.f = f, .s = s, .stop = stop};
    uint64_t marked;
    *stop = (struct stop){.kind = STOP_DONE};
    trail_init(&w.left, 1);
    bool good = bitmap_init(&f->marked, s->table.slots);
    if (!good) failed(&w, "no memory was left for backward search");
    good = good && first_sweep(&w, &marked);
    for (bool finished = false; good && !finished && w.left_count > 0 && marked > 0;) {
        uint64_t before = w.left_count;
        good = sweep_again(&w, &marked);
        if (good && marked > 0 && marked < before / 16 && fits(&w)) {
            good = finish_in_memory(&w);
            finished = true;
        }
    }
    f->unmarked = w.left_count;
    trail_fini(&w.left);
    return good;
}

void fixpoint_fini(struct fixpoint *f) { bitmap_fini(&f->marked); }

bool fixpoint_unmarked(const void *fixpoint, uint64_t slot) {
    return !bitmap_has(&((const struct fixpoint *)fixpoint)->marked, slot);
}
