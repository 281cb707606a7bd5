#include "check/coverage.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "graph/sweep.h"

struct look {
    struct space *s;
    struct sweep sweep;
    struct coverage **parts; /* by thread */
};

static struct coverage *coverage_new(const struct ts *ts) {
    struct coverage *c = memory_get_zeroed(sizeof *c);
    c->transitions = ts->transitions;
    c->propositions = ts->ops->valuate ? ts->propositions : 0;
    for (uint32_t v = 0; v < ts->variable_count; v++)
        c->elements += ts->variables[v].length ? ts->variables[v].length : 1;
    c->fired = memory_get_zeroed((c->transitions + UINT64_C(1)) * sizeof *c->fired);
    c->element = memory_get_zeroed((c->elements + UINT64_C(1)) * sizeof *c->element);
    c->holds = memory_get_zeroed((c->propositions + UINT64_C(1)) * sizeof *c->holds);
    return c;
}

void coverage_free(struct coverage *c) {
    if (!c) return;
    free(c->fired);
    free(c->element);
    free(c->holds);
    free(c->levels);
    free(c);
}

static void note_value(struct coverage_element *e, int64_t value, bool first) {
    if (first) e->first = value;
    e->changes |= value != e->first;
    if (value >= 0 && value < COVERAGE_VALUES) e->seen[value / 64] |= UINT64_C(1) << value % 64;
    else e->other = true;
}

static void look_at_values(struct coverage *c, const struct ts *ts, const word *s) {
    struct coverage_element *e = c->element;
    for (uint32_t v = 0; v < ts->variable_count; v++) {
        for (uint32_t i = 0; i < (ts->variables[v].length ? ts->variables[v].length : 1); i++, e++) {
            const char *name;
            size_t length;
            note_value(e, ts->ops->value(ts, s, v, i, &name, &length), c->states == 0);
        }
    }
    assert(e == c->element + c->elements);
}

/* 64 propositions at a time. */
static void look_at_propositions(struct look *l, unsigned member, const struct sweep_batch *x, struct coverage *c) {
    struct ts *ts = l->s->ts;
    uint64_t *out = memory_get((x->count + 1) * sizeof *out);
    for (uint32_t begin = 0; begin < c->propositions; begin += 64) {
        uint32_t wanted[64], n = 0;
        struct ts_fault fault;
        for (; n < 64 && begin + n < c->propositions; n++) wanted[n] = begin + n;
        if (!ts->ops->valuate(l->s->members[member].worker, x->states, x->count, wanted, n, out, &fault)) {
            sweep_fault(&l->sweep, x, fault.source < x->count ? fault.source : 0, &fault);
            break;
        }
        for (uint32_t i = 0; i < x->count; i++)
            for (uint32_t k = 0; k < n; k++) c->holds[begin + k] += out[i] >> k & 1;
    }
    free(out);
}

static void look_at(void *context, unsigned member, const struct sweep_batch *x) {
    struct look *l = context;
    struct coverage *c = l->parts[member];
    const struct ts *ts = l->s->ts;
    uint32_t edges = x->count ? sweep_end(x, x->count - 1) : 0;
    for (uint32_t i = 0; i < edges; i++) c->fired[x->edges->labels[i]]++;
    for (uint32_t i = 0; i < x->count; i++, c->states++) look_at_values(c, ts, x->states + (size_t)i * ts->words);
    if (c->propositions) look_at_propositions(l, member, x, c);
}

static void add(struct coverage *sum, const struct coverage *part) {
    if (part->states == 0) return;
    for (uint32_t t = 0; t < sum->transitions; t++) sum->fired[t] += part->fired[t];
    for (uint32_t p = 0; p < sum->propositions; p++) sum->holds[p] += part->holds[p];
    for (uint32_t i = 0; i < sum->elements; i++) {
        struct coverage_element *to = &sum->element[i];
        const struct coverage_element *from = &part->element[i];
        if (sum->states == 0) to->first = from->first;
        to->changes |= from->changes || from->first != to->first;
        to->other |= from->other;
        for (uint32_t k = 0; k < COVERAGE_VALUES / 64; k++) to->seen[k] |= from->seen[k];
    }
    sum->states += part->states;
}

static void add_levels(struct coverage *c, const struct space *s) {
    c->level_count = s->levels.count;
    c->levels = memory_get((c->level_count + 1) * sizeof *c->levels);
    for (uint64_t i = 0; i < c->level_count; i++)
        c->levels[i] = (i + 1 < c->level_count ? s->levels.at[i + 1] : s->states) - s->levels.at[i];
}

struct coverage *coverage_take(struct space *s, struct stop *stop) {
    struct look l = {.s = s, .parts = memory_get(s->team.size * sizeof *l.parts)};
    struct coverage *sum = coverage_new(s->ts);
    for (unsigned k = 0; k < s->team.size; k++) l.parts[k] = coverage_new(s->ts);
    l.sweep = (struct sweep){
        .s = s, .phase = "coverage", .context = &l, .need = SWEEP_STATES | SWEEP_EDGES | SWEEP_LABELS, .take = look_at};
    sweep_init(&l.sweep);
    bool good = sweep_all(&l.sweep, stop);
    sweep_fini(&l.sweep);
    for (unsigned k = 0; k < s->team.size; k++) {
        add(sum, l.parts[k]);
        coverage_free(l.parts[k]);
    }
    free(l.parts);
    if (!good) return coverage_free(sum), NULL;
    add_levels(sum, s);
    return sum;
}
