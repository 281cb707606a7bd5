/* The inside of a part of a product. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/fair/fair_cycle.h"

static bool in_set(const struct fair_set *set, const struct product *p, uint32_t move) {
    return move < p->base->transitions && set->has[move];
}

static void add_edge(struct inside *in, uint32_t target, struct inside_edge edge) {
    if (in->edges == in->room) {
        in->room = in->room ? 2 * in->room : 256;
        in->edge = memory_resize(in->edge, in->room * sizeof *in->edge);
        in->target = memory_resize(in->target, in->room * sizeof *in->target);
    }
    in->target[in->edges] = target;
    in->edge[in->edges++] = edge;
}

/* The edges of state i, which was expanded. `below`: the number of the first edge below it, or NOT_BELOW. */
static void take(struct inside *in, const struct product *p, const struct ts_batch *batch, struct product_view v,
                 uint32_t i, uint32_t below, inside_find *find, const void *context, const struct fair *fair) {
    for (uint32_t e = 0, m = 0; e < batch->ends[0]; e++) {
        uint32_t to = find(context, batch->successors + (size_t)e * p->ts.words);
        uint32_t move = product_move(p, batch->labels[e]);
        bool counts = below != NOT_BELOW && move < p->base->transitions + p->free.count;
        /* Edges are in the order of moves, then of free actions. */
        while (counts && (m < v.ends[0] ? v.moves[m] : p->base->transitions + m - v.ends[0]) != move) m++;
        assert(!counts || m < v.ends[0] + p->free.count); /* each edge is by one of these */
        if (to == UINT32_MAX) continue;
        assert(to < in->states);
        add_edge(in, to, (struct inside_edge){batch->labels[e], counts ? below + m : NOT_BELOW, v.edges[e]});
    }
    for (uint32_t k = 0; fair && k < fair->count; k++)
        for (uint32_t m = 0; m < v.ends[0]; m++)
            if (in_set(&fair->sets[k], p, v.moves[m])) in->enabled[(size_t)i * fair->count + k] = 1;
}

static bool no_memory(struct stop *stop) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the edges of a strong component"};
    return false;
}

static bool note_below(struct inside *in, const struct product *p, uint32_t i, const word *state, struct product_view v,
                       uint32_t *first, struct stop *stop) {
    switch (below_note(&in->below, p, state, v, &in->below.model_of[i])) {
    case NOTED: *first = in->below.first[in->below.model_of[i]]; return true;
    case NOTED_NO_MEMORY: return no_memory(stop);
    default:
        *stop = (struct stop){.kind = STOP_LIMIT,
                              .reason = "the model is not deterministic: expanding the same state twice gave different "
                                        "transitions (fire must use nothing but the state)"};
        return false;
    }
}

bool inside_init(struct inside *in, struct space *s, const struct product *p, const word *states, uint32_t count,
                 inside_find *find, const void *context, const struct fair *fair, struct stop *stop) {
    struct ts_batch batch;
    *in = (struct inside){.states = count, .first = memory_get_zeroed((count + UINT64_C(1)) * sizeof *in->first)};
    if (fair && fair->count) in->enabled = memory_get_zeroed((size_t)count * fair->count);
    ts_batch_init(&batch, s->ts, 1);
    bool choice = fair && fair->choice;
    bool good = !choice || below_init(&in->below, p, count, s->limits.max_memory) || no_memory(stop);
    for (uint32_t i = 0; i < count && good; i++) {
        batch.sources = states + (size_t)i * p->ts.words;
        batch.count = 1;
        if (s->ts->ops->expand(s->worker, &batch) < 1) {
            *stop = (struct stop){.kind = STOP_FAULT, .fault = batch.fault};
            good = false;
        } else {
            struct product_view v = product_view(s->worker);
            uint32_t below = NOT_BELOW;
            good = (!choice || note_below(in, p, i, batch.sources, v, &below, stop)) &&
                   !space_must_stop(s, "components", i, count, stop);
            if (good) take(in, p, &batch, v, i, below, find, context, fair);
            in->first[i + 1] = in->edges;
        }
    }
    ts_batch_fini(&batch);
    return good;
}

uint32_t inside_source(const struct inside *in, uint64_t edge) {
    uint32_t low = 0, high = in->states;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (in->first[middle] <= edge) low = middle;
        else high = middle;
    }
    return low;
}

void inside_fini(struct inside *in) {
    free(in->first);
    free(in->target);
    free(in->edge);
    free(in->enabled);
    below_fini(&in->below);
}
