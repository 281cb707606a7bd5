/* Fair choice: all edges of the model below a strong component of the product. */
#include <stdlib.h>
#include <string.h>

#include "graph/fair_cycle.h"

#define NONE UINT32_MAX
#define MOST_STEPS (UINT64_C(1) << 24) /* of a cycle that is to be shown */
enum { STEPS_A_CHECK = 256, STATES_A_CHECK = 1 << 16 };

/* ---- What is below ---- */

bool below_init(struct below *b, const struct product *p, uint64_t max_memory) {
    *b = (struct below){.models_room = 64};
    b->first = memory_get_zeroed(b->models_room * sizeof *b->first);
    return open_init(&b->models, p->base->words, true, max_memory);
}

void below_fini(struct below *b) {
    if (!b->first) return;
    open_fini(&b->models);
    free(b->first);
    free(b->move);
}

/* The edges of the state of the model that was pushed last. Free actions have the numbers after the transitions. */
static void add_moves(struct below *b, const struct product *p, const uint32_t *moves, uint32_t count) {
    while (b->edges + count + p->free.count > b->room) {
        b->room = b->room ? 2 * b->room : 256;
        b->move = memory_resize(b->move, b->room * sizeof *b->move);
    }
    if (b->models.count == b->models_room) {
        b->models_room *= 2;
        b->first = memory_resize(b->first, b->models_room * sizeof *b->first);
    }
    if (count) memcpy(b->move + b->edges, moves, count * sizeof *moves);
    b->edges += count;
    for (uint32_t f = 0; f < p->free.count; f++) b->move[b->edges++] = p->base->transitions + f;
    b->first[b->models.count] = b->edges;
}

enum noted below_note(struct below *b, const struct product *p, const word *state, struct product_view v,
                      uint32_t *first) {
    word *model = memory_get(p->base->words * sizeof *model);
    product_model(p, state, model);
    uint32_t at = open_find(&b->models, model), count = v.ends[0];
    enum noted result = NOTED;
    if (at == OPEN_NONE) {
        at = b->models.count;
        if (open_push(&b->models, model)) add_moves(b, p, v.moves, count);
        else result = NOTED_NO_MEMORY;
    } else if (b->first[at + 1] - b->first[at] != count + p->free.count ||
               (count && memcmp(b->move + b->first[at], v.moves, count * sizeof *v.moves) != 0)) {
        result = NOTED_DIFFERENT;
    }
    free(model);
    *first = result == NOTED ? b->first[at] : NOT_BELOW;
    return result;
}

/* ---- The question ---- */

bool choice_covers(const struct inside *in) {
    uint32_t met = 0;
    bool *seen = memory_get_zeroed(in->below.edges + UINT64_C(1));
    for (uint32_t e = 0; e < in->edges; e++) {
        uint32_t edge = in->edge[e].copy_of;
        if (edge == NOT_BELOW || seen[edge]) continue;
        seen[edge] = true;
        met++;
    }
    free(seen);
    return met == in->below.edges;
}

/* ---- A cycle ---- */

/* A walk that takes, again and again, the nearest edge of which no copy was taken yet. */
struct stroll {
    const struct inside *in;
    struct space *s;
    bool *taken; /* by edge below */
    uint32_t missing;
    uint32_t *stamp, *from, *source, *queue; /* of a breadth-first search: met in which, by which edge, from where */
    uint32_t searches, at;
    uint64_t work;
    struct numbers *cycle;
    struct stop *stop;
};

enum wish { TO_NEW_EDGE, TO_ACCEPT, TO_HOME };

static bool meets(const struct stroll *w, enum wish wish, const struct inside_edge *e) {
    if (wish == TO_ACCEPT) return e->kind & EDGE_ACCEPTS;
    return wish == TO_NEW_EDGE && e->copy_of != NOT_BELOW && !w->taken[e->copy_of];
}

static void take_edge(struct stroll *w, uint32_t e) {
    const struct inside_edge *edge = &w->in->edge[e];
    numbers_add(w->cycle, e);
    w->at = edge->target;
    if (edge->copy_of == NOT_BELOW || w->taken[edge->copy_of]) return;
    w->taken[edge->copy_of] = true;
    w->missing--;
}

/* Along the way that was found to state `to`. */
static void walk_to(struct stroll *w, uint32_t to) {
    uint32_t length = 0;
    for (uint32_t s = to; s != w->at; s = w->source[s]) w->queue[length++] = w->from[s];
    while (length > 0) take_edge(w, w->queue[--length]);
}

static bool must_stop(struct stroll *w) {
    return space_must_stop(w->s, "a cycle", w->in->below.edges - w->missing, w->in->below.edges, w->stop);
}

static bool too_long(struct stroll *w) {
    if (w->cycle->count <= MOST_STEPS) return w->missing % STEPS_A_CHECK == 0 && must_stop(w);
    *w->stop = (struct stop){.kind = STOP_LIMIT,
                             .reason = "a cycle that takes all transitions of the terminal component is too long"};
    return true;
}

static void reach(struct stroll *w, uint32_t e, uint32_t from, uint32_t *tail) {
    uint32_t to = w->in->edge[e].target;
    if (w->stamp[to] == w->searches) return;
    w->stamp[to] = w->searches;
    w->from[to] = e;
    w->source[to] = from;
    w->queue[(*tail)++] = to;
}

/* Goes to the nearest edge that is wished for, and takes it; or to state `home`. False: given up. */
static bool stroll_on(struct stroll *w, enum wish wish, uint32_t home) {
    const struct inside *in = w->in;
    uint32_t head = 0, tail = 0;
    w->stamp[w->at] = ++w->searches;
    w->queue[tail++] = w->at;
    while (head < tail) {
        uint32_t s = w->queue[head++];
        if (wish == TO_HOME && s == home) return walk_to(w, s), true;
        for (uint32_t e = in->first[s]; e < in->first[s + 1]; e++) {
            if (meets(w, wish, &in->edge[e])) return walk_to(w, s), take_edge(w, e), true;
            reach(w, e, s, &tail);
        }
        if (++w->work % STATES_A_CHECK == 0 && must_stop(w)) return false;
    }
    *w->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the cycle was not found again"};
    return false;
}

static uint32_t accepting_source(const struct inside *in) {
    for (uint32_t s = 0; s < in->states; s++)
        for (uint32_t e = in->first[s]; e < in->first[s + 1]; e++)
            if (in->edge[e].kind & EDGE_ACCEPTS) return s;
    return 0;
}

bool choice_cycle(const struct inside *in, struct space *s, struct numbers *cycle, struct stop *stop) {
    size_t n = in->states + UINT64_C(1);
    struct stroll w = {.in = in, .s = s, .missing = in->below.edges, .cycle = cycle, .stop = stop};
    w.taken = memory_get_zeroed(in->below.edges + UINT64_C(1));
    w.stamp = memory_get_zeroed(4 * n * sizeof *w.stamp);
    w.from = w.stamp + n;
    w.source = w.from + n;
    w.queue = w.source + n;
    uint32_t home = accepting_source(in);
    w.at = home;
    bool good = stroll_on(&w, TO_ACCEPT, NONE);
    while (good && w.missing > 0) good = stroll_on(&w, TO_NEW_EDGE, NONE) && !too_long(&w);
    good = good && stroll_on(&w, TO_HOME, home);
    free(w.taken);
    free(w.stamp);
    return good;
}
