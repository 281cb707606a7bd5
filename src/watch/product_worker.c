#include "watch/product_worker.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

static struct product_worker *common(struct ts_worker *w) { return (struct product_worker *)(void *)w; }

void product_worker_init(struct product_worker *w, struct product *p, struct ts_worker *base) {
    *w = (struct product_worker){.p = p, .base = base, .owns_base = !base};
    if (!base) w->base = p->base->ops->worker_new(p->base);
    if (p->visible) w->guided = guided_new(p->base, p->visible);
    w->reduces = w->guided != NULL;
}

void product_worker_fini(struct product_worker *w) {
    ts_batch_fini(&w->batch);
    guided_free(w->guided);
    free(w->sources);
    free(w->edges);
    free(w->lost);
    free(w->ended);
    if (w->owns_base) w->p->base->ops->worker_free(w->base);
}

bool product_worker_grow(struct product_worker *w, uint32_t states) {
    const struct product *p = w->p;
    if (w->batch.capacity >= states) return false;
    ts_batch_fini(&w->batch);
    ts_batch_init(&w->batch, p->base, states);
    w->sources = memory_resize(w->sources, (size_t)states * p->base->words * sizeof(word));
    w->edges = memory_resize(w->edges, (size_t)states * p->ts.transitions);
    free(w->lost);
    w->lost = memory_get_zeroed(states * sizeof *w->lost);
    w->ended = memory_resize(w->ended, states * sizeof *w->ended);
    return true;
}

void product_worker_begin(struct product_worker *w, struct ts_batch *batch) {
    const struct product *p = w->p;
    assert(batch->count <= w->batch.capacity); /* product_worker_grow has made room */
    for (uint32_t i = 0; i < batch->count; i++)
        product_model(p, batch->sources + (size_t)i * p->ts.words, w->sources + (size_t)i * p->base->words);
    w->batch.sources = w->sources;
    w->batch.count = batch->count;
    w->next = batch->successors;
    w->label = batch->labels;
    w->edge = w->edges;
    batch->fault.kind = TS_FINE;
}

uint32_t product_worker_fail(struct ts_batch *batch, const struct ts_fault *fault, uint32_t source) {
    if (fault != &batch->fault) batch->fault = *fault;
    batch->fault.source = source;
    return source;
}

void product_full(struct ts_worker *w) { common(w)->reduces = false; }

struct product_view product_view(struct ts_worker *worker) {
    const struct product_worker *w = common(worker);
    return (struct product_view){w->edges, w->lost, w->ended, w->batch.labels, w->batch.ends};
}

bool product_initial(struct ts_worker *worker, word *out, struct ts_fault *fault) {
    struct product_worker *w = common(worker);
    const struct product *p = w->p;
    if (!p->base->ops->initial(w->base, w->sources, fault)) return false;
    product_pack(p, w->sources, p->initially, p->start, out);
    return true;
}

uint32_t product_classify(struct ts_worker *worker, struct ts_batch *batch) {
    const struct product *p = common(worker)->p;
    for (uint32_t i = 0; i < batch->count; i++) {
        bool bad = product_accept(p, batch->sources + (size_t)i * p->ts.words) & ACCEPT_FINITE;
        batch->classes[i] = bad ? TS_BAD : 0;
    }
    return batch->count;
}

bool product_check(struct ts_worker *worker, const word *s, enum ts_feature which, const char **message,
                   struct ts_fault *fault) {
    const struct product *p = common(worker)->p;
    struct ts_batch batch;
    *message = NULL;
    if (which != TS_CHECK_DEADLOCK || !(product_accept(p, s) & ACCEPT_DEADLOCK)) return true;
    ts_batch_init(&batch, &p->ts, 1);
    batch.sources = s;
    batch.count = 1;
    bool good = p->ts.ops->expand(worker, &batch) == 1;
    if (!good) *fault = batch.fault;
    else if (product_view(worker).ended[0]) *message = "an execution that ends here is accepted";
    ts_batch_fini(&batch);
    return good;
}
