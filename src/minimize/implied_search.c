/* Edges that others imply, found by searching from each state. That is fast where little is reached by tau*. */
#include <stdlib.h>

#include "base/memory.h"
#include "lts/tau_search.h"
#include "minimize/steps.h"

struct implied_search {
    struct tau_search q;
    uint32_t *later, later_count; /* what the state gets to by tau tau* */
    uint8_t *implied;
};

static void mark_found(struct implied_search *m, const struct lts_edge *e, const struct lts_edge *end) {
    for (; e < end; e++) m->implied[e - m->q.l->edge] = tau_search_has(&m->q, e->target);
}

/* A tau-edge is implied if its target is reached from one of all the targets by tau tau*. */
static void mark_taus(struct implied_search *m, const struct lts_edge *e, const struct lts_edge *end) {
    m->later_count = 0;
    if (e == end) return;
    if (end - e > 1) {
        tau_search_begin(&m->q);
        for (const struct lts_edge *f = e; f < end; f++) tau_search_step(&m->q, f->target);
        tau_search_close(&m->q);
        mark_found(m, e, end);
    }
    tau_search_begin(&m->q);
    for (; e < end; e++) tau_search_add(&m->q, e->target);
    tau_search_close(&m->q);
    for (uint32_t i = 0; i < m->q.count; i++) m->later[m->later_count++] = m->q.found[i];
}

/* An a-edge is implied if its target is reached from one of all these targets by tau tau*, or after a tau-edge. */
static void mark_label(struct implied_search *m, const struct lts_edge *e, const struct lts_edge *end) {
    if (end - e == 1 && m->later_count == 0) return;
    tau_search_begin(&m->q);
    for (const struct lts_edge *f = e; f < end; f++) tau_search_step(&m->q, f->target);
    for (uint32_t i = 0; i < m->later_count; i++)
        for (const struct lts_edge *f = lts_begin(m->q.l, m->later[i]); f < lts_end(m->q.l, m->later[i]);
             f++, m->q.work++)
            if (f->label == e->label) tau_search_add(&m->q, f->target);
    tau_search_close(&m->q);
    mark_found(m, e, end);
}

static void mark_state(struct implied_search *m, uint32_t s) {
    const struct lts_edge *e = lts_begin(m->q.l, s), *end = lts_end(m->q.l, s), *begin = e;
    while (e < end && e->label == LTS_TAU) e++;
    mark_taus(m, begin, e);
    for (begin = e; e < end; begin = e) {
        while (e < end && e->label == begin->label) e++;
        mark_label(m, begin, e);
    }
}

bool find_implied_by_search(const struct lts *l, uint64_t most_work, struct effort *effort, uint8_t *implied) {
    struct implied_search m = {.implied = implied};
    tau_search_init(&m.q, l, most_work);
    m.later = memory_get_large(l->states * sizeof *m.later);
    for (uint32_t s = 0; s < l->states && m.q.work <= most_work && !effort_over(effort); s++) mark_state(&m, s);
    bool done = m.q.work <= most_work && !effort_over(effort);
    free(m.later);
    tau_search_fini(&m.q);
    return done;
}
