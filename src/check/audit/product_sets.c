#include "check/audit/product_sets.h"

#include <assert.h>

#include "watch/product_worker.h"

static const struct product_worker *really(const struct ts_worker *w) {
    return (const struct product_worker *)(const void *)w;
}

/* Expanding a state alone leaves its set in the worker. The root of a product has none. */
static enum outcome look(void *context, const word *item, word *state, bool *set, uint32_t *enabled,
                         struct ts_fault *fault) {
    struct watched_sets *x = context;
    const struct guided *g = really(x->worker)->guided;
    uint32_t before = g->now;
    bool any = false;
    x->batch.sources = item;
    x->batch.count = 1;
    product_model(x->p, item, state);
    if (x->p->ts.ops->expand(x->worker, &x->batch) < 1) return *fault = x->batch.fault, OUTCOME_GIVEN_UP;
    if (g->now == before) return OUTCOME_NONE;
    for (uint32_t t = 0; t < x->p->base->transitions; t++) any |= set[t] = guided_has(g, t);
    struct product_view view = product_view(x->worker);
    *enabled = 0;
    for (uint32_t e = 0; e < view.ends[0]; e++) {
        assert(view.moves[e] < x->p->base->transitions); /* who has a set has not ended */
        *enabled += set[view.moves[e]];
    }
    return any ? OUTCOME_FOUND : OUTCOME_NONE;
}

struct sample_view watched_sets_init(struct watched_sets *x, const struct product *p, struct ts_worker *worker) {
    *x = (struct watched_sets){.p = p, .worker = worker};
    ts_batch_init(&x->batch, &p->ts, 1);
    return (struct sample_view){.ts = p->base, .worker = really(worker)->base, .context = x, .look = look};
}

void watched_sets_fini(struct watched_sets *x) { ts_batch_fini(&x->batch); }
