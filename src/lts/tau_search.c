#include "lts/tau_search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void tau_search_init(struct tau_search *q, const struct lts *l, uint64_t most_work) {
    *q = (struct tau_search){.l = l, .most_work = most_work};
    q->found = memory_get_large(l->states * sizeof *q->found);
    q->stamp = memory_get_large_zeroed(l->states * sizeof *q->stamp);
}

void tau_search_fini(struct tau_search *q) {
    free(q->found);
    free(q->stamp);
    *q = (struct tau_search){0};
}

void tau_search_begin(struct tau_search *q) {
    q->count = 0;
    if (++q->now != 0) return;
    memset(q->stamp, 0, q->l->states * sizeof *q->stamp); /* after so many searches, old stamps would look new */
    q->now = 1;
}

bool tau_search_close(struct tau_search *q) {
    for (uint32_t i = 0; i < q->count && q->work <= q->most_work; i++) tau_search_step(q, q->found[i]);
    assert(q->count <= q->l->states); /* each state is found once */
    return q->work <= q->most_work;
}
