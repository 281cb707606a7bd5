#include "ts/unreduced.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* What a struct ts_worker of the full system really is. */
struct full_worker {
    struct ts_full *f;
    struct ts_worker *base;
    bool owns_base;
};

static struct full_worker *really(struct ts_worker *w) { return (struct full_worker *)(void *)w; }

static uint32_t expand(struct ts_worker *worker, struct ts_batch *batch) {
    struct full_worker *w = really(worker);
    const struct ts *ts = w->f->base;
    uint32_t edge = 0;
    assert(!batch->origins && batch->count <= batch->capacity); /* it leaves nothing out, and takes no origins */
    for (uint32_t i = 0; i < batch->count; i++) {
        for (uint32_t t = 0; t < ts->transitions; t++) {
            word *next = batch->successors + (size_t)edge * ts->words;
            int fired = ts->ops->fire(w->base, batch->sources + (size_t)i * ts->words, t, next, &batch->fault);
            if (fired > 0 && w->f->ts.reduction.symmetry &&
                !ts->ops->representative(w->base, next, next, &batch->fault))
                fired = -1;
            if (fired < 0) {
                batch->fault.source = i;
                return i;
            }
            if (fired) batch->labels[edge++] = t;
        }
        batch->ends[i] = edge;
    }
    return batch->count;
}

static int fire(struct ts_worker *worker, const word *s, uint32_t t, word *out, struct ts_fault *fault) {
    struct full_worker *w = really(worker);
    return w->f->base->ops->fire(w->base, s, t, out, fault);
}

static bool representative(struct ts_worker *worker, const word *s, word *out, struct ts_fault *fault) {
    struct full_worker *w = really(worker);
    return w->f->base->ops->representative(w->base, s, out, fault);
}

static uint32_t classify(struct ts_worker *worker, struct ts_batch *batch) {
    struct full_worker *w = really(worker);
    return w->f->base->ops->classify(w->base, batch);
}

static bool valuate(struct ts_worker *worker, const word *states, uint32_t count, const uint32_t *wanted,
                    uint32_t wanted_count, uint64_t *out, struct ts_fault *fault) {
    struct full_worker *w = really(worker);
    return w->f->base->ops->valuate(w->base, states, count, wanted, wanted_count, out, fault);
}

/* For other threads: through a worker of the base that is its own. The full system is the first member of ts_full. */
static struct ts_worker *worker_new(struct ts *ts) {
    struct ts_full *f = (struct ts_full *)(void *)ts;
    struct full_worker *w = really(ts_full_worker(f, f->base->ops->worker_new(f->base)));
    w->owns_base = true;
    return (struct ts_worker *)(void *)w;
}

static void worker_free(struct ts_worker *worker) {
    struct full_worker *w = really(worker);
    if (w->owns_base) w->f->base->ops->worker_free(w->base);
    free(w);
}

void ts_full_init(struct ts_full *f, struct ts *base) {
    f->base = base;
    f->ts = *base;
    f->ts.reduction.stubborn = false;
    f->ts.takes_origins = false; /* expand fires everything */
    f->ops = (struct ts_ops){
        .expand = expand,
        .classify = classify,
        .fire = fire,
        .representative = representative,
        .valuate = valuate,
        .worker_new = worker_new,
        .worker_free = worker_free,
    };
    f->ts.ops = &f->ops;
}

struct ts_worker *ts_full_worker(struct ts_full *f, struct ts_worker *base) {
    struct full_worker *w = memory_get(sizeof *w);
    *w = (struct full_worker){f, base, false};
    return (struct ts_worker *)(void *)w;
}
