/* product_sets.h: the stubborn sets of a product, as an audit sees them (sample.h): the model's part of a state, and
 * the set that the product's worker chooses there (reduce/guided.h), without what stands for the watcher. */
#ifndef CHECK_AUDIT_PRODUCT_SETS_H
#define CHECK_AUDIT_PRODUCT_SETS_H

#include "watch/product.h"
#include "check/audit/sample.h"

struct watched_sets {
    const struct product *p;
    struct ts_worker *worker; /* of the product, with stubborn sets */
    struct ts_batch batch;
};

/* `worker` stays the caller's. The view is good until watched_sets_fini. */
struct sample_view watched_sets_init(struct watched_sets *x, const struct product *p, struct ts_worker *worker);
void watched_sets_fini(struct watched_sets *x);

#endif
