#include "search/fixpoint.h"

#include <stdlib.h>
#include <string.h>

#include "search/edges.h"

enum {
    KEEP_BYTES = 256 << 20, /* of a pile, in memory */
    FETCH_AHEAD = 64,       /* numbers */
};

/* States that are not marked yet, with their successors: a sequence of records "slot, number of successors, their
 * slots". Numbers take 32 bits if all slots fit. */
struct pile {
    struct trail file;
    bool wide;
    uint64_t records; /* some may have been marked since they were written */
};

struct sweeper {
    struct fixpoint *f;
    struct space *s;
    struct stop *stop;
    /* The first sweep. */
    struct successors next;
    uint64_t *slots; /* of the states of the batch */
    bool *wanted;    /* of these: not marked, so that their successors are of interest */
    struct ts_batch classes;
    struct pile left;
    uint64_t first_number; /* no state with a smaller number is left */
};

static bool failed(struct sweeper *w, const char *reason) {
    *w->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

/* ---- What can be marked ---- */

static bool can_be_marked(const struct fixpoint *f, const uint64_t *successors, uint32_t count) {
    bool some = f->kind == FIXPOINT_SOME;
    if (count == 0) return f->terminal_is_target;
    for (uint32_t i = 0; i < count; i++)
        if (bitmap_has(&f->marked, successors[i]) == some) return some;
    return !some;
}

/* ---- Piles ---- */

static void pile_init(struct pile *p, const struct space *s) {
    uint64_t used = memory_resident(), keep = s->limits.max_memory > used ? (s->limits.max_memory - used) / 4 : 0;
    p->wide = s->table.slots > UINT32_MAX;
    p->records = 0;
    trail_init_items(&p->file, p->wide ? 8 : 4, keep < KEEP_BYTES ? keep : KEEP_BYTES);
}

static void pile_add(struct pile *p, uint64_t slot, const uint64_t *successors, uint32_t count) {
    const uint64_t head[] = {slot, count};
    p->records++;
    if (p->wide) {
        trail_add_run(&p->file, head, 2);
        trail_add_run(&p->file, successors, count);
        return;
    }
    uint32_t record[64] = {(uint32_t)slot, count};
    uint32_t n = 2;
    for (uint32_t i = 0; i < count; i++) {
        if (n == 64) trail_add_run(&p->file, record, n), n = 0;
        record[n++] = (uint32_t)successors[i];
    }
    trail_add_run(&p->file, record, n);
}

/* Reading a pile. */
struct reader {
    const struct pile *p;
    struct trail_cursor at;
    struct trail_spare spare;
    uint64_t *numbers; /* what was read last, widened */
    uint64_t room;
};

/* The next n numbers, or NULL. The marks of numbers a little further on, most of which are slots, are fetched. */
static const uint64_t *reader_next(struct reader *r, const struct bitmap *marks, uint64_t n) {
    const void *items = trail_next(&r->at, n, &r->spare);
    if (r->p->wide || !items) return items;
    const uint32_t *narrow = items;
    if (items != r->spare.memory && r->at.at + FETCH_AHEAD < r->at.end)
        for (uint64_t i = 0; i < n; i++) bitmap_prefetch(marks, narrow[FETCH_AHEAD + i]);
    if (n > r->room) r->numbers = memory_resize(r->numbers, (r->room = 2 * n) * sizeof *r->numbers);
    for (uint64_t i = 0; i < n; i++) r->numbers[i] = narrow[i];
    return r->numbers;
}

/* ---- The first sweep: all states, last first ---- */

/* Marks targets by their class, and counts them. */
static bool mark_targets(struct sweeper *w, const struct walk *walk, uint64_t *marked) {
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
        if (w->classes.classes[i] & w->f->target) {
            bitmap_add(&w->f->marked, w->slots[i]);
            ++*marked;
        }
    return true;
}

static bool sweep_batch(struct sweeper *w, const struct walk *walk, uint64_t *marked) {
    table_find(&w->s->table, walk->states, walk->count, w->slots);
    if (!mark_targets(w, walk, marked)) return false;
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
            pile_add(&w->left, w->slots[i], successors, count);
            w->first_number = walk->first + i;
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

/* Calls visit(context, slot, successors, count) for every record whose state is not marked. */
static bool each_left(struct sweeper *w,
                      void (*visit)(void *context, uint64_t slot, const uint64_t *next, uint32_t count),
                      void *context) {
    struct reader r = {.p = &w->left, .room = 64, .numbers = memory_get(64 * sizeof(uint64_t))};
    bool good = true;
    trail_cursor_init(&r.at, &w->left.file, false);
    for (uint64_t i = 0; good && i < w->left.records; i++) {
        const uint64_t *head = reader_next(&r, &w->f->marked, 2);
        uint64_t slot = head ? head[0] : 0, count = head ? head[1] : 0;
        const uint64_t *next = head ? reader_next(&r, &w->f->marked, count) : NULL;
        good = next != NULL;
        if (good && !bitmap_has(&w->f->marked, slot)) visit(context, slot, next, (uint32_t)count);
        if (i % 256 == 0 && space_must_stop(w->s, w->f->phase, i, w->left.records, w->stop)) break;
    }
    free(r.numbers);
    free(r.spare.memory);
    if (!good) failed(w, "the file of edges could not be read back");
    return w->stop->kind == STOP_DONE;
}

struct again {
    struct fixpoint *f;
    struct pile *rest; /* NULL: the records stay where they are */
    uint64_t marked, unmarked;
};

static void look_again(void *context, uint64_t slot, const uint64_t *next, uint32_t count) {
    struct again *a = context;
    if (can_be_marked(a->f, next, count)) {
        bitmap_add(&a->f->marked, slot);
        a->marked++;
    } else {
        if (a->rest) pile_add(a->rest, slot, next, count);
        a->unmarked++;
    }
}

/* Writes a new pile if half of the records of the old one are no longer needed. */
static bool sweep_again(struct sweeper *w, uint64_t *marked) {
    struct pile rest;
    struct again a = {.f = w->f};
    bool rewrite = w->f->unmarked < w->left.records / 2;
    if (rewrite) {
        pile_init(&rest, w->s);
        a.rest = &rest;
    }
    bool good = each_left(w, look_again, &a);
    if (rewrite) {
        trail_fini(&w->left.file);
        w->left = rest;
    }
    *marked = a.marked;
    w->f->unmarked = a.unmarked;
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

static void note_left(void *context, uint64_t slot, const uint64_t *next, uint32_t count) {
    struct graph *g = context;
    (void)next, (void)count;
    bitmap_add(&g->left, slot);
}

static void count_edges(void *context, uint64_t slot, const uint64_t *next, uint32_t count) {
    struct graph *g = context;
    uint64_t from = bitmap_rank(&g->left, slot);
    for (uint32_t i = 0; i < count; i++) {
        if (!bitmap_has(&g->left, next[i])) continue;
        STARTS(g)[bitmap_rank(&g->left, next[i]) + 1]++;
        DEGREES(g)[from]++;
    }
}

/* While edges are stored, starts[v + 1] is where the next predecessor of v goes; in the end, where they end. */
static void store_edges(void *context, uint64_t slot, const uint64_t *next, uint32_t count) {
    struct graph *g = context;
    uint32_t from = (uint32_t)bitmap_rank(&g->left, slot);
    for (uint32_t i = 0; i < count; i++)
        if (bitmap_has(&g->left, next[i])) EDGES(g)[STARTS(g)[bitmap_rank(&g->left, next[i]) + 1]++] = from;
    if (can_be_marked(g->f, next, count)) {
        QUEUE(g)[g->queued++] = from;
        bitmap_add(&g->decided, from);
    }
}

static bool build_graph(struct sweeper *w, struct graph *g) {
    static const char no_memory[] = "no memory was left for the states that backward search must still decide";
    uint64_t n = w->f->unmarked, total = 0;
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
    if (good) {
        propagate(&g, &w->f->marked);
        w->f->unmarked -= g.queued;
    }
    graph_fini(&g);
    return good;
}

/* Whether the graph of what is left, with as many edges a state as the average, fits well into what memory there is. */
static bool fits(const struct sweeper *w) {
    uint64_t used = memory_resident(), most = w->s->limits.max_memory;
    double edges = (double)w->s->edges / (double)w->s->states;
    return w->f->unmarked < UINT32_MAX && used < most &&
           (double)w->f->unmarked * (20 + 4 * edges) < 0.8 * (double)(most - used);
}

/* The number of the first state that is not marked; there is one, and not before first_number. */
static bool find_first(struct sweeper *w) {
    struct walk walk;
    bool found = false;
    walk_init(&walk, w->s, false, w->first_number, ts_batch_states(w->s->ts));
    uint64_t *slots = memory_get(walk.most * sizeof *slots);
    while (!found && walk_next(&walk, w->stop)) {
        table_find(&w->s->table, walk.states, walk.count, slots);
        for (uint32_t i = 0; i < walk.count && !found; i++) {
            found = !bitmap_has(&w->f->marked, slots[i]);
            w->f->first_unmarked = walk.first + i;
        }
    }
    free(slots);
    walk_fini(&walk);
    return found;
}

bool fixpoint_run(struct fixpoint *f, struct space *s, struct stop *stop) {
    struct sweeper w = {.f = f, .s = s, .stop = stop};
    uint64_t marked;
    *stop = (struct stop){.kind = STOP_DONE};
    pile_init(&w.left, s);
    bool good = bitmap_init(&f->marked, s->table.slots) || failed(&w, "no memory was left for backward search");
    good = good && first_sweep(&w, &marked);
    f->unmarked = w.left.records;
    while (good && f->unmarked > 0 && marked > 0) {
        good = sweep_again(&w, &marked);
        if (good && marked > 0 && marked < f->unmarked / 16 && fits(&w)) {
            good = finish_in_memory(&w);
            break;
        }
    }
    good = good && (f->unmarked == 0 || find_first(&w));
    trail_fini(&w.left.file);
    return good;
}

bool fixpoint_renumber(struct fixpoint *f, struct space *s, struct stop *stop) {
    struct sweeper w = {.f = f, .s = s, .stop = stop};
    *stop = (struct stop){.kind = STOP_DONE};
    return f->unmarked == 0 || find_first(&w);
}

void fixpoint_fini(struct fixpoint *f) { bitmap_fini(&f->marked); }

bool fixpoint_unmarked(const void *fixpoint, uint64_t slot) {
    return !bitmap_has(&((const struct fixpoint *)fixpoint)->marked, slot);
}
