/* Fair choice: all edges of the model below a strong component of the product. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/ways.h"
#include "graph/fair/fair_cycle.h"

#define MOST_STEPS (UINT64_C(1) << 24) /* of a cycle that is to be shown */
enum { STEPS_A_CHECK = 256 };

/* ---- What is below ---- */

bool below_init(struct below *b, const struct product *p, uint32_t states, uint64_t max_memory) {
    *b = (struct below){.models_room = 64};
    b->model_of = memory_get(((size_t)states + 1) * sizeof *b->model_of);
    b->first = memory_get_zeroed(b->models_room * sizeof *b->first);
    return open_init(&b->models, p->base->words, true, max_memory);
}

void below_fini(struct below *b) {
    if (!b->first) return;
    open_fini(&b->models);
    free(b->first);
    free(b->move);
    free(b->model_of);
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
    assert(b->first[b->models.count - 1] == b->edges); /* the state that was pushed last */
    if (count) memcpy(b->move + b->edges, moves, count * sizeof *moves);
    b->edges += count;
    for (uint32_t f = 0; f < p->free.count; f++) b->move[b->edges++] = p->base->transitions + f;
    b->first[b->models.count] = b->edges;
}

enum noted below_note(struct below *b, const struct product *p, const word *state, struct product_view v,
                      uint32_t *model_number) {
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
    *model_number = at;
    return result;
}

/* ---- The question ---- */

/* Sets `seen` of the edges below of which the state has copies. Returns for how many it was not so before. */
static uint32_t mark_copies(const struct inside *in, uint32_t state, bool *seen, bool on) {
    uint32_t marked = 0;
    for (uint32_t e = in->first[state]; e < in->first[state + 1]; e++) {
        uint32_t edge = in->edge[e].copy_of;
        if (edge == NOT_BELOW || seen[edge] == on) continue;
        assert(edge < in->below.edges);
        seen[edge] = on;
        marked++;
    }
    return marked;
}

static bool has_accepting(const struct inside *in, uint32_t state) {
    uint32_t e = in->first[state], end = in->first[state + 1];
    while (e < end && !(in->edge[e].kind & EDGE_ACCEPTS)) e++;
    return e < end;
}

bool choice_covers(const struct inside *in, const uint32_t *list, uint32_t count, bool *seen, bool *met) {
    const struct below *b = &in->below;
    uint64_t needed = 0, copies = 0;
    bool accepted = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t model = b->model_of[list[i]];
        if (!met[model]) needed += b->first[model + 1] - b->first[model];
        met[model] = true;
        copies += mark_copies(in, list[i], seen, true);
        accepted = accepted || has_accepting(in, list[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        mark_copies(in, list[i], seen, false);
        met[b->model_of[list[i]]] = false;
    }
    return accepted && copies == needed;
}

/* ---- A cycle ---- */

/* A walk that takes, again and again, the nearest edge of which no copy was taken yet. */
struct stroll {
    const struct inside *in;
    struct space *s;
    struct ways ways;
    bool *taken; /* by edge below */
    uint32_t all, missing, home, at;
    struct numbers *cycle;
    struct stop *stop;
};

static bool accepts(void *stroll, uint32_t edge) {
    const struct stroll *w = stroll;
    return w->in->edge[edge].kind & EDGE_ACCEPTS;
}

static bool is_new(void *stroll, uint32_t edge) {
    const struct stroll *w = stroll;
    uint32_t below = w->in->edge[edge].copy_of;
    return below != NOT_BELOW && !w->taken[below];
}

static bool is_home(void *stroll, uint32_t state) { return state == ((const struct stroll *)stroll)->home; }

static bool must_stop(void *stroll) {
    struct stroll *w = stroll;
    return space_must_stop(w->s, "a cycle", w->all - w->missing, w->all, w->stop);
}

static bool too_long(struct stroll *w) {
    if (w->cycle->count <= MOST_STEPS) return w->missing % STEPS_A_CHECK == 0 && must_stop(w);
    *w->stop = (struct stop){.kind = STOP_LIMIT,
                             .reason = "a cycle that takes all transitions of the terminal component is too long"};
    return true;
}

/* Goes to the nearest edge of that kind and takes it, or home. False: given up. */
static bool stroll_on(struct stroll *w, bool (*by)(void *, uint32_t), bool (*at)(void *, uint32_t)) {
    struct ways_wish wish = {.context = w, .ends_by = by, .ends_at = at, .stops = must_stop};
    size_t done = w->cycle->count;
    enum outcome outcome = ways_find(&w->ways, w->at, &wish, w->cycle, &w->at);
    if (outcome == OUTCOME_NONE)
        *w->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the cycle was not found again"};
    for (; done < w->cycle->count; done++) {
        uint32_t edge = (uint32_t)w->cycle->at[done];
        if (!is_new(w, edge)) continue;
        w->taken[w->in->edge[edge].copy_of] = true;
        assert(w->missing > 0);
        w->missing--;
    }
    return outcome == OUTCOME_FOUND;
}

static uint32_t accepting_source(const struct inside *in, const bool *keep) {
    uint32_t s = 0;
    while (!keep[s] || !has_accepting(in, s)) s++;
    return s;
}

bool choice_cycle(const struct inside *in, struct space *s, const bool *keep, struct numbers *cycle,
                  struct stop *stop) {
    struct stroll w = {.in = in, .s = s, .cycle = cycle, .stop = stop};
    struct digraph graph = inside_graph(in);
    size_t bytes = in->below.edges + UINT64_C(1);
    w.taken = memory_get_zeroed(bytes);
    for (uint32_t i = 0; i < in->states; i++)
        if (keep[i]) w.all += mark_copies(in, i, w.taken, true);
    memset(w.taken, 0, bytes);
    w.missing = w.all;
    ways_init(&w.ways, &graph);
    w.at = w.home = accepting_source(in, keep);
    bool good = stroll_on(&w, accepts, NULL);
    while (good && w.missing > 0) good = stroll_on(&w, is_new, NULL) && !too_long(&w);
    good = good && stroll_on(&w, NULL, is_home);
    ways_fini(&w.ways);
    free(w.taken);
    return good;
}
