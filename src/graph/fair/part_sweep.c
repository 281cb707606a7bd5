/* The inside of strong components of a complete graph, by all threads.
 *
 * Where edges lead was kept; so each state has its place, and its edges have theirs, before a state is expanded again
 * for what its edges are. For fair choice, the states of the model are numbered first, by one thread,
 * without expanding anything; what is enabled in each is known when all threads have been there. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "graph/fair/fair_cycle.h"
#include "graph/sweep.h"

struct filling {
    struct inside *in;
    struct space *s;
    const struct product *p;
    const struct strong *components;
    const struct bitmap *members;
    const struct fair *fair;
    word *model;               /* fair choice: a state of the model */
    _Atomic uint64_t *enabled; /* ... by model: what is enabled there, as it was met first; 0: not met */
    _Atomic bool differs;      /* ... something else was, later */
};

static bool no_memory(struct stop *stop) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the edges of a strong component"};
    return false;
}

static bool is_member(const void *context, uint64_t number) {
    return bitmap_has(((const struct filling *)context)->members, number);
}

static bool stays(const struct filling *f, uint64_t number, uint32_t target) {
    return strong_of(f->components, target) == strong_of(f->components, number);
}

/* ---- Places ---- */

/* Where the edges of each state begin. False: there are too many. */
static bool count_edges(struct filling *f) {
    const struct edges *e = &f->s->edge_list;
    uint64_t edges = 0;
    uint32_t place = 0;
    for (uint64_t i = 0, at = 0, end; i < f->s->states; i++, at = end) {
        end = at + EDGES_COUNTS(e)[i];
        if (!is_member(f, i)) continue;
        for (; at < end; at++) edges += stays(f, i, EDGES_TARGETS(e)[at]);
        if (edges >= UINT32_MAX) return false;
        f->in->first[++place] = (uint32_t)edges;
    }
    f->in->edges = (uint32_t)edges;
    return true;
}

static bool find_places(struct filling *f, struct stop *stop) {
    struct inside *in = f->in;
    uint64_t states = bitmap_count(f->members), most = f->s->limits.max_memory;
    uint64_t sets = f->fair->count;
    if (states >= UINT32_MAX || !memory_fits((states + 1) * (sizeof *in->first + sets), most)) return no_memory(stop);
    in->states = (uint32_t)states;
    in->first = memory_get_zeroed((states + 1) * sizeof *in->first);
    if (sets) in->enabled = memory_get_zeroed(states * sets);
    if (!count_edges(f) || !memory_fits(in->edges * (sizeof *in->edge + sizeof *in->target), most))
        return no_memory(stop);
    in->room = in->edges + 1;
    in->edge = memory_get(in->room * sizeof *in->edge);
    in->target = memory_get(in->room * sizeof *in->target);
    return true;
}

/* ---- What is below ---- */

static bool number_models(void *context, const struct sweep_batch *x) {
    struct filling *f = context;
    struct below *b = &f->in->below;
    for (uint32_t i = 0; i < x->count; i++) {
        product_model(f->p, x->states + (size_t)i * f->p->ts.words, f->model);
        uint32_t at = open_find(&b->models, f->model);
        if (at == OPEN_NONE) {
            at = b->models.count;
            if (!open_push(&b->models, f->model)) return false;
        }
        b->model_of[bitmap_rank(f->members, x->numbers[i])] = at;
    }
    return true;
}

static bool find_models(struct filling *f, struct stop *stop) {
    struct below *b = &f->in->below;
    struct sweep w = {
        .s = f->s, .phase = "components", .context = f, .need = SWEEP_STATES, .wants = is_member, .put = number_models};
    if (!below_init(b, f->p, f->in->states, f->s->limits.max_memory)) return no_memory(stop);
    f->model = memory_get(f->p->base->words * sizeof *f->model);
    sweep_init(&w);
    bool good = sweep_all(&w, stop);
    sweep_fini(&w);
    if (!good) return stop->kind == STOP_DONE ? no_memory(stop) : false;
    f->enabled = memory_get_zeroed((b->models.count + UINT64_C(1)) * sizeof *f->enabled);
    return true;
}

/* What is enabled in a state of the model: how many moves, and a hash of them. */
static void note_enabled(struct filling *f, uint32_t model, const uint32_t *moves, uint32_t count) {
    uint64_t hash = count, known = 0;
    for (uint32_t m = 0; m < count; m++) hash = (hash ^ moves[m]) * UINT64_C(0x9e3779b97f4a7c15) >> 7;
    uint64_t fact = hash << 32 | (count + UINT64_C(1));
    if (!atomic_compare_exchange_strong(&f->enabled[model], &known, fact) && known != fact) f->differs = true;
}

/* Now the edges below have numbers. */
static bool number_below(struct filling *f, struct stop *stop) {
    struct inside *in = f->in;
    struct below *b = &in->below;
    uint64_t edges = 0;
    b->first = memory_resize(b->first, (b->models.count + UINT64_C(1)) * sizeof *b->first);
    b->first[0] = 0;
    for (uint32_t m = 0; m < b->models.count; m++) {
        edges += (uint32_t)f->enabled[m] - 1 + f->p->free.count;
        if (edges >= NOT_BELOW) return no_memory(stop);
        b->first[m + 1] = (uint32_t)edges;
    }
    b->edges = (uint32_t)edges;
    for (uint32_t i = 0; i < in->states; i++)
        for (uint32_t e = in->first[i]; e < in->first[i + 1]; e++)
            if (in->edge[e].copy_of != NOT_BELOW) in->edge[e].copy_of += b->first[b->model_of[i]];
    return true;
}

/* ---- What edges are ---- */

struct moves {
    const uint32_t *at;
    uint32_t count;
};

/* The edges of a state; `kinds` are theirs. A copy is numbered among those of its state of the model. */
static void take_edges(struct filling *f, uint32_t place, uint64_t number, const uint32_t *labels, const uint8_t *kinds,
                       struct moves moves) {
    const struct product *p = f->p;
    const struct edges *e = &f->s->edge_list;
    uint32_t at = f->in->first[place];
    const uint32_t *target = EDGES_TARGETS(e) + edges_begin(e, number);
    for (uint32_t k = 0, m = 0; k < EDGES_COUNTS(e)[number]; k++) {
        uint32_t move = product_move(p, labels[k]);
        bool counts = f->fair->choice && move < p->base->transitions + p->free.count;
        /* Edges are in the order of moves, then of free actions. */
        while (counts && (m < moves.count ? moves.at[m] : p->base->transitions + m - moves.count) != move) m++;
        if (!stays(f, number, target[k])) continue;
        f->in->target[at] = (uint32_t)bitmap_rank(f->members, target[k]);
        f->in->edge[at++] = (struct inside_edge){labels[k], counts ? m : NOT_BELOW, kinds[k]};
    }
}

static void take_enabled(struct filling *f, uint32_t place, struct moves moves) {
    uint8_t *enabled = f->in->enabled + (size_t)place * f->fair->count;
    for (uint32_t k = 0; k < f->fair->count; k++)
        for (uint32_t m = 0; m < moves.count && !enabled[k]; m++)
            enabled[k] = moves.at[m] < f->p->base->transitions && f->fair->sets[k].has[moves.at[m]];
}

static void take(void *context, unsigned member, const struct sweep_batch *x) {
    struct filling *f = context;
    struct product_view v = product_view(f->s->members[member].worker);
    for (uint32_t i = 0; i < x->count; i++) {
        uint32_t place = (uint32_t)bitmap_rank(f->members, x->numbers[i]), begin = i ? v.ends[i - 1] : 0;
        struct moves moves = {v.moves + begin, v.ends[i] - begin};
        uint32_t edge = sweep_begin(x, i);
        take_edges(f, place, x->numbers[i], x->edges->labels + edge, v.edges + edge, moves);
        take_enabled(f, place, moves);
        if (f->fair->choice) note_enabled(f, f->in->below.model_of[place], moves.at, moves.count);
    }
}

static bool is_deterministic(struct filling *f, struct stop *stop) {
    if (!f->differs) return true;
    *stop = (struct stop){.kind = STOP_LIMIT,
                          .reason = "the model is not deterministic: expanding the same state twice gave different "
                                    "transitions (fire must use nothing but the state)"};
    return false;
}

static bool fill(struct filling *f, struct stop *stop) {
    struct sweep w = {.s = f->s,
                      .phase = "components",
                      .context = f,
                      .need = SWEEP_EDGES | SWEEP_LABELS,
                      .wants = is_member,
                      .take = take};
    sweep_init(&w);
    bool good = sweep_all(&w, stop);
    sweep_fini(&w);
    return good && is_deterministic(f, stop) && (!f->fair->choice || number_below(f, stop));
}

bool inside_sweep(struct inside *in, struct space *s, const struct product *p, const struct strong *components,
                  const struct bitmap *members, const struct fair *fair, struct stop *stop) {
    struct filling f = {.in = in, .s = s, .p = p, .components = components, .members = members, .fair = fair};
    *in = (struct inside){0};
    *stop = (struct stop){.kind = STOP_DONE};
    bool good = find_places(&f, stop) && (!fair->choice || find_models(&f, stop)) && fill(&f, stop);
    free(f.model);
    free(f.enabled);
    return good;
}
