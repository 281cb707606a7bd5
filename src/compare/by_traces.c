/* Traces, failures and divergence traces: what the aims of the relation ask for (relation.h). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/contest.h"

struct linear {
    struct contest *c;
    struct linear_aims aims;
    enum witness found;
};

static bool has_label(const struct lts *l, uint32_t s, uint32_t label) {
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s) && e->label <= label; e++)
        if (e->label == label) return true;
    return false;
}

/* Every label of r is one of s: what s refuses, r refuses. Both are stable. */
static bool offers_no_more(const struct lts *l, uint32_t r, uint32_t s) {
    const struct lts_edge *e = lts_begin(l, s), *end = lts_end(l, s);
    for (const struct lts_edge *f = lts_begin(l, r); f < lts_end(l, r); f++) {
        while (e < end && e->label < f->label) e++;
        if (e == end || e->label != f->label) return false;
    }
    return true;
}

static bool some_diverges(const struct linear *q, uint32_t set) {
    const uint32_t *member = after_members(&q->c->after, set);
    for (uint32_t i = 0; i < after_count(&q->c->after, set); i++)
        if (q->c->small.diverges[member[i]]) return true;
    return false;
}

static bool some_refuses_like(const struct linear *q, uint32_t set, uint32_t s) {
    const uint32_t *member = after_members(&q->c->after, set);
    for (uint32_t i = 0; i < after_count(&q->c->after, set); i++)
        if (joint_stable(&q->c->small, member[i]) && offers_no_more(&q->c->small.lts, member[i], s)) return true;
    return false;
}

static enum pair_answer fails(struct linear *q, enum witness how) {
    q->found = how;
    return PAIR_FAILS;
}

static enum pair_answer visit(void *context, uint32_t s, uint32_t set) {
    struct linear *q = context;
    const struct joint *j = &q->c->small;
    if (q->aims.traces && set == AFTER_EMPTY) return fails(q, WITNESS_TRACE);
    if (q->aims.catastrophic && some_diverges(q, set)) return PAIR_IS_FINE;
    if (q->aims.divergences && j->diverges[s] && !some_diverges(q, set)) return fails(q, WITNESS_DIVERGENCE);
    if (!q->aims.failures || (q->aims.hiding && some_diverges(q, set))) return PAIR_GOES_ON;
    if (joint_stable(j, s) && !some_refuses_like(q, set, s)) return fails(q, WITNESS_FAILURE);
    return PAIR_GOES_ON;
}

/* ---- The refused set ---- */

/* How many of the states have the label. */
static uint32_t count_with(const struct lts *l, const uint32_t *state, uint32_t count, uint32_t label) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) found += has_label(l, state[i], label);
    return found;
}

static uint32_t drop_with(const struct lts *l, uint32_t *state, uint32_t count, uint32_t label) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!has_label(l, state[i], label)) state[kept++] = state[i];
    return kept;
}

/* A small set of labels that s refuses and no stable member of the set does: each step takes the label that most of the
 * members left have. */
static void find_refused(const struct contest *c, uint32_t s, uint32_t set, struct word *refused) {
    const struct lts *l = &c->small.lts;
    const uint32_t *member = after_members(&c->after, set);
    uint32_t *left = memory_get((after_count(&c->after, set) + UINT64_C(1)) * sizeof *left), count = 0;
    for (uint32_t i = 0; i < after_count(&c->after, set); i++)
        if (joint_stable(&c->small, member[i])) left[count++] = member[i];
    refused->label = memory_get(l->labels.count * sizeof *refused->label);
    while (count > 0) {
        uint32_t best = LTS_TAU, most = 0;
        for (uint32_t label = 1; label < l->labels.count; label++) {
            uint32_t with = has_label(l, s, label) ? 0 : count_with(l, left, count, label);
            if (with > most) best = label, most = with;
        }
        assert(most > 0); /* no stable member is like s: each has a label that s refuses */
        refused->label[refused->length++] = best;
        count = drop_with(l, left, count, best);
    }
    free(left);
}

static enum outcome search(struct linear *q, int side, uint32_t before, struct comparison *out) {
    struct pairs p;
    pairs_init(&p, &q->c->small, &q->c->after);
    uint32_t failing;
    enum outcome outcome = pairs_search(&p, side, before, visit, q, &failing);
    out->pairs += p.count;
    if (outcome == OUTCOME_FOUND) {
        out->witness = q->found;
        out->side = side;
        out->trace.label = pairs_trace(&p, failing, &out->trace.length);
        if (q->found == WITNESS_FAILURE) find_refused(q->c, p.pair[failing].state, p.pair[failing].set, &out->refused);
    }
    pairs_fini(&p);
    return outcome;
}

enum outcome contest_aims(struct contest *c, int side, uint32_t before, struct comparison *out) {
    struct linear q = {.c = c, .aims = c->row->aims};
    return search(&q, side, before, out);
}

/* However little deciding took, so much may be done. */
enum { ALWAYS_WORK = 1 << 18 };

/* The same time and memory, but a limit of its own. */
static struct effort effort_for_lone_trace(const struct effort *whole, uint64_t most) {
    struct effort e = *whole;
    e.over = EFFORT_GOES_ON;
    e.work = 0;
    e.most_work = most > ALWAYS_WORK ? most : ALWAYS_WORK;
    effort_look(&e);
    return e;
}

void contest_lone_trace(const struct contest *c, int sides, uint64_t most, struct comparison *out) {
    struct contest traces = {.question = c->question, .small = c->given, .row = relation_row(RELATION_TRACE)};
    struct comparison found[2] = {0};
    int best = -1;
    traces.effort = effort_for_lone_trace(&c->effort, most);
    after_init(&traces.after, &traces.small, &traces.effort);
    for (int side = 0; side < sides; side++) {
        uint32_t before = best < 0 ? UINT32_MAX : found[best].trace.length;
        if (contest_aims(&traces, side, before, &found[side]) == OUTCOME_FOUND) best = side;
    }
    if (best >= 0) {
        out->lone = found[best].trace;
        out->lone_side = best;
        found[best].trace.label = NULL;
    }
    free(found[0].trace.label);
    free(found[1].trace.label);
    after_fini(&traces.after);
}
