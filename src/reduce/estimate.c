#include "reduce/estimate.h"

#include <stdlib.h>
#include <string.h>

#include "algo/set_table.h"
#include "base/memory.h"

struct sampling {
    struct ts *ts;
    struct ts_worker *w;
    struct ts_batch batch; /* of one state */
    word *scratch;
    struct set_table found;
    uint32_t states, most;
    bool cut; /* some were not taken */
};

static void take(struct sampling *x, const word *s) {
    uint32_t words = x->ts->words, member[2 * words];
    memcpy(member, s, words * sizeof *s);
    uint32_t number = set_table_number(&x->found, member, 2 * words);
    if (number >= x->most) x->cut = true;
    else if (number == x->states) x->states++;
}

/* False: the model fails in this state. */
static bool look_at(struct sampling *x, uint32_t number, struct reduction_estimate *e) {
    uint32_t words = x->ts->words, enabled = 0;
    struct ts_fault fault;
    word s[words];
    memcpy(s, set_table_members(&x->found, number), words * sizeof *s);
    for (uint32_t t = 0; t < x->ts->transitions; t++) {
        int fired = x->ts->ops->fire(x->w, s, t, x->scratch, &fault);
        if (fired < 0) return false;
        enabled += fired > 0;
    }
    x->batch.sources = s;
    x->batch.count = 1;
    if (x->ts->ops->expand(x->w, &x->batch) < 1) return false;
    e->states++;
    e->enabled += enabled;
    e->fired += x->batch.ends[0];
    for (uint32_t i = 0; i < x->batch.ends[0]; i++) take(x, x->batch.successors + (size_t)i * words);
    return true;
}

static bool begin(struct sampling *x) {
    word s[x->ts->words];
    struct ts_fault fault;
    if (!x->ts->ops->initial(x->w, s, &fault)) return false;
    if (x->ts->reduction.symmetry && !x->ts->ops->representative(x->w, s, s, &fault)) return false;
    take(x, s);
    return true;
}

struct reduction_estimate reduction_estimate(struct ts *ts, uint32_t most) {
    struct reduction_estimate e = {0};
    struct sampling x = {.ts = ts, .most = most};
    x.w = ts->ops->worker_new(ts);
    x.scratch = memory_get((ts->words + UINT64_C(1)) * sizeof *x.scratch);
    ts_batch_init(&x.batch, ts, 1);
    set_table_init(&x.found);
    bool good = begin(&x);
    for (uint32_t i = 0; good && i < x.states; i++) good = look_at(&x, i, &e);
    e.whole = good && !x.cut;
    set_table_fini(&x.found);
    ts_batch_fini(&x.batch);
    free(x.scratch);
    ts->ops->worker_free(x.w);
    return e;
}
