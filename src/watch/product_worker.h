/* product_worker.h: what workers of products have in common, whatever watches the model: an automaton (product.c) or a
 * tester (tester_product.c). Searches need not know; for them there is product_view.
 *
 * A worker of a product begins with a struct product_worker. It works through one of the model: the sources are split,
 * the model expands its parts of them all at a time, and edges of the product are made of that, source by source.
 */
#ifndef WATCH_PRODUCT_WORKER_H
#define WATCH_PRODUCT_WORKER_H

#include "reduce/guided.h"
#include "watch/product.h"

struct product_worker {
    struct product *p;
    struct ts_worker *base; /* of the model */
    bool owns_base;
    struct ts_batch batch; /* of the model */
    word *sources;         /* of the batch */
    uint8_t *edges;        /* of the caller's batch: EDGE_..., by edge */
    bool *lost, *ended;    /* by source */
    struct guided *guided; /* NULL: no stubborn sets */
    bool reduces;          /* with them, now */
    /* Where the next edge goes. */
    word *next;
    uint32_t *label;
    uint8_t *edge;
};

/* `base` stays the caller's; NULL: the worker makes its own. Stubborn sets are used if p->visible is set. */
void product_worker_init(struct product_worker *w, struct product *p, struct ts_worker *base);
void product_worker_fini(struct product_worker *w);

/* Sets the layout of states, and p->ts. The watcher has so many states, numbered from 0, and there are so many moves,
 * of the model and of its own; base, choices, accept, by_action and propositions are set. False: too much. */
bool product_lay_out(struct product *p, const struct ts_ops *ops, uint32_t states, uint64_t moves, struct problem *why);

/* Room for so many sources. True: there was less before, so that what else is kept by source must grow, too. */
bool product_worker_grow(struct product_worker *w, uint32_t states);

/* Splits the sources of the caller's batch: w->batch is ready to be expanded by the model, and the first edge goes to
 * the beginning of the caller's batch. There must be room. */
void product_worker_begin(struct product_worker *w, struct ts_batch *batch);

/* For expand: the model failed in this source, and that is all that was done. `fault` may be the batch's own. */
uint32_t product_worker_fail(struct ts_batch *batch, const struct ts_fault *fault, uint32_t source);

/* An edge: the model goes to `model`, where `values` hold, and what watches it to `state`. */
static inline void product_worker_add(struct product_worker *w, const word *model, uint64_t values, uint32_t state,
                                      uint8_t kind, uint32_t label) {
    product_pack(w->p, model, values, state, w->next);
    w->next += w->p->ts.words;
    *w->edge++ = kind;
    *w->label++ = label;
}

/* For ts_ops of products. The product begins where the model does, with p->initially and p->start. A state is TS_BAD if
 * what was read is accepted whatever follows (ACCEPT_FINITE); one without moves is an illegal deadlock if an execution
 * ends there and is accepted (ACCEPT_DEADLOCK). */
bool product_initial(struct ts_worker *w, word *out, struct ts_fault *fault);
uint32_t product_classify(struct ts_worker *w, struct ts_batch *batch);
bool product_check(struct ts_worker *w, const word *s, enum ts_feature which, const char **message,
                   struct ts_fault *fault);

#endif
