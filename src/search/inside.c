/* The inside of a part of a product. */
#include <stdlib.h>
#include <string.h>

#include "search/fair.h"

static bool in_set(const struct fair_set *set, const struct product *p, uint32_t move) {
    return move < p->base->transitions && set->has[move];
}

static void add_edge(struct inside *in, uint32_t target, uint32_t transition, uint8_t kind) {
    if (in->edges == in->room) {
        in->room = in->room ? 2 * in->room : 256;
        in->edge = memory_resize(in->edge, in->room * sizeof *in->edge);
    }
    in->edge[in->edges++] = (struct inside_edge){target, transition, kind};
}

/* The edges of state i, which was expanded. */
static void take(struct inside *in, const struct product *p, const struct ts_batch *batch, struct product_view v,
                 uint32_t i, inside_find *find, const void *context, const struct fair *fair) {
    for (uint32_t e = 0; e < batch->ends[0]; e++) {
        uint32_t to = find(context, batch->successors + (size_t)e * p->ts.words);
        if (to == UINT32_MAX) in->left = true;
        else add_edge(in, to, batch->labels[e], v.edges[e]);
    }
    if (v.lost[0]) in->left = true;
    for (uint32_t k = 0; fair && k < fair->count; k++)
        for (uint32_t m = 0; m < v.ends[0]; m++)
            if (in_set(&fair->sets[k], p, v.moves[m])) in->enabled[(size_t)i * fair->count + k] = 1;
}

bool inside_init(struct inside *in, struct space *s, const struct product *p, const word *states, uint32_t count,
                 inside_find *find, const void *context, const struct fair *fair, struct stop *stop) {
    struct ts_batch batch;
    *in = (struct inside){.states = count, .first = memory_get_zeroed((count + UINT64_C(1)) * sizeof *in->first)};
    if (fair && fair->count) in->enabled = memory_get_zeroed((size_t)count * fair->count);
    ts_batch_init(&batch, s->ts, 1);
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        batch.sources = states + (size_t)i * p->ts.words;
        batch.count = 1;
        if (s->ts->ops->expand(s->worker, &batch) < 1) {
            *stop = (struct stop){.kind = STOP_FAULT, .fault = batch.fault};
            good = false;
        } else {
            take(in, p, &batch, product_view(s->worker), i, find, context, fair);
            in->first[i + 1] = in->edges;
            good = !space_must_stop(s, "components", i, count, stop);
        }
    }
    ts_batch_fini(&batch);
    return good;
}

void inside_fini(struct inside *in) {
    free(in->first);
    free(in->edge);
    free(in->enabled);
}
