/* tau_search.h: which states tau edges lead to, found by searching, again and again from other states. */
#ifndef LTS_TAU_SEARCH_H
#define LTS_TAU_SEARCH_H

#include "lts/lts.h"

struct tau_search {
    const struct lts *l;
    uint32_t *found, count;
    uint32_t *stamp, now; /* of a state: the last search that has found it */
    uint64_t work;        /* states and tau edges that were looked at, in all searches */
    uint64_t most_work;   /* then searches end early */
};

void tau_search_init(struct tau_search *q, const struct lts *l, uint64_t most_work);
void tau_search_fini(struct tau_search *q);

/* Nothing has been found. */
void tau_search_begin(struct tau_search *q);

static inline bool tau_search_has(const struct tau_search *q, uint32_t s) { return q->stamp[s] == q->now; }

static inline void tau_search_add(struct tau_search *q, uint32_t s) {
    if (tau_search_has(q, s)) return;
    q->stamp[s] = q->now;
    q->found[q->count++] = s;
}

/* Adds what tau edges of the state lead to. */
static inline void tau_search_step(struct tau_search *q, uint32_t s) {
    const struct lts_edge *e = lts_begin(q->l, s), *end = lts_end(q->l, s);
    for (q->work++; e < end && e->label == LTS_TAU; e++, q->work++) tau_search_add(q, e->target);
}

/* Adds all that tau edges lead to from what was found. False: too much work, and not all was found. */
bool tau_search_close(struct tau_search *q);

#endif
