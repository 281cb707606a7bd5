#include "reduce/derived/rules_held.h"

#include <stdlib.h>
#include <string.h>

#include "algo/set_table.h"
#include "base/memory.h"
#include "reduce/derived/asker.h"

struct holding {
    struct ts *ts;
    struct ts_worker *w;
    struct effort *effort;
    const struct derived *d;
    struct derived_asker asker;
    struct ts_batch batch; /* of one state */
    struct set_table found;
    uint32_t states, most;
    bool *closure, *part; /* by member */
    uint32_t *list, *stack;
    struct rules_held *r;
};

static void take(struct holding *h, const word *s) {
    uint32_t member[2 * h->ts->words];
    memcpy(member, s, h->ts->words * sizeof *s);
    uint32_t number = set_table_number(&h->found, member, 2 * h->ts->words);
    if (number == h->states && number < h->most) h->states++;
}

/* What t obliges, directly or not. False: the rules fail. */
static bool close_under_rules(struct holding *h, const word *s, uint32_t t) {
    struct ts_fault fault;
    uint32_t depth = 0, count;
    memset(h->closure, false, h->d->transitions);
    memset(h->closure + h->d->transitions, true, h->d->members - h->d->transitions);
    h->closure[t] = true;
    h->stack[depth++] = t;
    while (depth > 0) {
        if (!h->ts->ops->obligations(h->w, s, h->stack[--depth], h->list, &count, &fault)) return false;
        for (uint32_t i = 0; i < count; i++) {
            if (h->closure[h->list[i]]) continue;
            h->closure[h->list[i]] = true;
            h->stack[depth++] = h->list[i];
        }
    }
    return true;
}

static bool has_smaller(struct holding *h, uint32_t t) {
    for (uint32_t u = 0; u < h->d->transitions; u++) {
        if (u == t || !h->closure[u] || !derived_sets_enabled(h->asker.sets, u)) continue;
        memcpy(h->part, h->closure, h->d->members);
        h->part[u] = false;
        if (derived_sets_largest(h->asker.sets, h->part) && h->part[t]) return true;
    }
    return false;
}

static bool look_at_rule(struct holding *h, const word *s, uint32_t t) {
    if (!close_under_rules(h, s, t)) return false;
    memcpy(h->part, h->closure, h->d->members);
    if (!derived_sets_largest(h->asker.sets, h->part)) return false;
    if (memcmp(h->part, h->closure, h->d->transitions) != 0) h->r->looser[t]++;
    else if (has_smaller(h, t)) h->r->stricter[t]++;
    return true;
}

static bool look_at(struct holding *h, uint32_t number) {
    uint32_t words = h->ts->words;
    word s[words];
    memcpy(s, set_table_members(&h->found, number), words * sizeof *s);
    h->batch.sources = s;
    h->batch.count = 1;
    if (h->ts->ops->expand(h->w, &h->batch) < 1 || !derived_sets_enter(h->asker.sets, s)) return false;
    for (uint32_t i = 0; i < h->batch.ends[0]; i++)
        if (!look_at_rule(h, s, h->batch.labels[i])) return false;
    for (uint32_t i = 0; i < h->batch.ends[0]; i++) take(h, h->batch.successors + (size_t)i * words);
    h->r->states++;
    return true;
}

static bool hold(struct holding *h) {
    word s[h->ts->words];
    struct ts_fault fault;
    bool good = h->ts->ops->initial(h->w, s, &fault);
    if (good) take(h, s);
    for (uint32_t i = 0; good && i < h->states; i++) good = look_at(h, i) && !effort_look(h->effort);
    return good;
}

static bool hold_facts(struct ts *ts, const struct derived *d, uint32_t most, struct effort *effort,
                       struct rules_held *r) {
    struct holding h = {.ts = ts, .d = d, .most = most, .effort = effort, .r = r};
    size_t transitions = d->transitions + UINT64_C(1);
    h.w = ts->ops->worker_new(ts);
    derived_asker_init(&h.asker, d, ts);
    h.asker.w = h.w;
    ts_batch_init(&h.batch, ts, 1);
    set_table_init(&h.found);
    h.closure = memory_get(d->members + UINT64_C(1));
    h.part = memory_get(d->members + UINT64_C(1));
    h.list = memory_get(transitions * sizeof *h.list);
    h.stack = memory_get(transitions * sizeof *h.stack);
    bool good = hold(&h);
    free(h.closure), free(h.part), free(h.list), free(h.stack);
    set_table_fini(&h.found);
    ts_batch_fini(&h.batch);
    derived_asker_fini(&h.asker);
    ts->ops->worker_free(h.w);
    return good;
}

bool rules_held_against_facts(struct ts *ts, uint32_t most, struct effort *effort, struct rules_held *r) {
    struct problem ignored = {0};
    struct source *source = ts->ops->read ? ts->ops->read(ts, &ignored) : NULL;
    *r = (struct rules_held){0};
    problem_fini(&ignored);
    if (!source) return false;
    r->looser = memory_get_zeroed((ts->transitions + UINT64_C(1)) * sizeof *r->looser);
    r->stricter = memory_get_zeroed((ts->transitions + UINT64_C(1)) * sizeof *r->stricter);
    source->effort = effort;
    struct derived *d = derived_new(source, false, DERIVED_BUDGET);
    bool good = !effort_look(effort) && hold_facts(ts, d, most, effort, r) && !effort_look(effort);
    derived_free(d);
    source->ops->close(source);
    return good;
}

void rules_held_fini(struct rules_held *r) { free(r->looser), free(r->stricter); }
