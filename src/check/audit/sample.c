#include "check/audit/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/outcome.h"
#include "reduce/closure.h"

/* Counts, not times. */
enum {
    TRIES = 120000,     /* of transitions, at least, unless all states are done before */
    SHARE = 32,         /* ... and a try for so many edges of the search */
    MAP_TRIES = 200000, /* the same for the map, which takes more time */
    MAP_SHARE = 256,
    IN_ORDER = 64,       /* states from the beginning of the trail, where executions are short */
    A_STATE = 600,       /* about so many tries a state */
    DEEP = 8,            /* every so many-th state, so many times more */
    LEAST_OUTSIDE = 4,   /* states outside a set */
    MOST_OUTSIDE = 1024, /* room for them */
    WALKS = 64,          /* from the initial state */
    WALK = 64,           /* steps of each */
    STEPS = 3,           /* from a state of the trail */
};

struct sampler {
    struct sample *a;
    struct space *s;
    const struct sample_question *q;
    struct ts *ts; /* the model, and a worker of it */
    struct ts_worker *w;
    struct audit *audit;
    bool *set;
    uint32_t *list, *stack;
    word *state, *next;
    uint64_t most, map_most; /* tries in all, and for the map */
};

static uint64_t tries(const struct sampler *m) { return audit_effort(m->audit).tries; }

/* After an audit that has found something: is it to be told? Errors that the model raises say nothing of the rules if
 * the search has found an error, too; if not, it was to find this one. */
static bool is_news(struct sampler *m) {
    const struct audit_finding *f = &m->a->finding;
    bool raised = f->fault == AUDIT_MODEL && f->model.kind == TS_RAISED;
    if (raised && m->q->violated) return false;
    m->a->result = raised ? SAMPLE_RAISED : f->fault == AUDIT_MODEL ? SAMPLE_MODEL : SAMPLE_WRONG;
    return true;
}

/* The same if model code failed before an audit. */
static bool failure_is_news(struct sampler *m, const struct ts_fault *fault) {
    m->a->finding = (struct audit_finding){
        .fault = AUDIT_MODEL, .transition = fault->transition, .other = TS_NONE, .model = *fault};
    return is_news(m);
}

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

/* ---- The map, and claims ---- */

static bool walks(const struct sample_question *q) { return q->symmetry || q->observable || q->changes; }

/* Goes on by one of the transitions that are enabled in m->state, which one is a matter of `chance`. NONE: nothing is
 * enabled. GIVEN_UP: model code failed. */
static enum outcome wander(struct sampler *m, uint64_t chance, struct ts_fault *fault) {
    const struct ts *ts = m->ts;
    uint32_t from = (uint32_t)(mix(chance) % ts->transitions);
    for (uint32_t i = 0; i < ts->transitions; i++) {
        uint32_t t = (from + i) % ts->transitions;
        int fired = ts->ops->fire(m->w, m->state, t, m->next, fault);
        if (fired < 0) return OUTCOME_GIVEN_UP;
        if (!fired) continue;
        memcpy(m->state, m->next, ts->words * sizeof(word));
        m->a->way[m->a->way_count++] = t;
        return OUTCOME_FOUND;
    }
    return OUTCOME_NONE;
}

/* The map and the claims, in m->state. */
static bool audit_here(struct sampler *m) {
    struct audit_finding *f = &m->a->finding;
    return (!m->q->symmetry || audit_symmetry_kindly(m->audit, m->state, f, &m->a->advice)) &&
           (!m->q->observable || audit_observable(m->audit, m->state, f)) &&
           (!m->q->changes || audit_changes(m->audit, m->state, f));
}

/* So many steps from m->state, which is state `number`; it is audited there, if `here`, and after each step. */
static bool audit_walk(struct sampler *m, uint64_t number, uint64_t chance, uint32_t steps, bool here) {
    struct ts_fault fault;
    m->a->number = number;
    m->a->way_count = 0;
    if (here && !audit_here(m)) return !is_news(m);
    for (uint32_t i = 0; i < steps; i++) {
        enum outcome step = wander(m, chance * WALK + i, &fault);
        if (step == OUTCOME_GIVEN_UP) return !failure_is_news(m, &fault);
        if (step == OUTCOME_NONE) return true;
        if (!audit_here(m)) return !is_news(m);
    }
    return true;
}

static bool audit_walks(struct sampler *m) {
    struct ts_fault fault;
    for (uint64_t i = 0; i < WALKS && tries(m) < m->map_most / 2; i++) {
        m->a->way_count = 0;
        if (!m->ts->ops->initial(m->w, m->state, &fault)) return !failure_is_news(m, &fault);
        if (!audit_walk(m, SAMPLE_INITIAL, i, WALK, i == 0)) return false;
        m->a->states += m->a->way_count + (i == 0);
    }
    return true;
}

/* ---- Obligations ---- */

/* The stubborn set that is fired in m->state, and all that its members oblige. NONE: it is empty. GIVEN_UP: model code
 * failed. *enabled: how many were fired. */
static enum outcome find_set(struct sampler *m, uint32_t *enabled, struct ts_fault *fault) {
    struct ts *ts = m->ts;
    uint32_t count = 0;
    if (!ts->ops->stubborn_set(m->w, m->state, m->list, &count, fault)) return OUTCOME_GIVEN_UP;
    memset(m->set, 0, ts->transitions);
    for (uint32_t i = 0; i < count; i++) m->set[m->list[i]] = true;
    *enabled = count;
    if (count == 0) return OUTCOME_NONE;
    bool closed = closure_add(ts, m->w, m->state, m->set, m->list, m->stack, fault);
    return closed ? OUTCOME_FOUND : OUTCOME_GIVEN_UP;
}

/* The same, of an item of the space; m->state is what it is a state of, if that is not known yet. */
static enum outcome find_set_of(struct sampler *m, const word *item, uint32_t *enabled, struct ts_fault *fault) {
    const struct sample_view *view = m->q->view;
    return view ? view->look(view->context, item, m->state, m->set, enabled, fault) : find_set(m, enabled, fault);
}

static bool audit_fired(struct sampler *m, const word *item, uint64_t i) {
    uint32_t enabled;
    bool cut = false;
    struct ts_fault fault;
    m->a->way_count = 0;
    enum outcome set = find_set_of(m, item, &enabled, &fault);
    if (set == OUTCOME_GIVEN_UP) return !failure_is_news(m, &fault);
    if (set == OUTCOME_NONE) return true;
    uint64_t each =
        (uint64_t)A_STATE * (i % DEEP == DEEP - 1 ? DEEP : 1) / ((uint64_t)m->ts->transitions * (2 + enabled));
    audit_bound(m->audit, each < LEAST_OUTSIDE ? LEAST_OUTSIDE : each > MOST_OUTSIDE ? MOST_OUTSIDE : (uint32_t)each);
    return audit_set(m->audit, m->state, m->set, m->q->with_check, &m->a->finding, &cut) || !is_news(m);
}

/* ---- States ---- */

/* The number of the i-th state of the sample: first those at the beginning; then the others, each once, in an order
 * that spreads over all of them. */
static uint64_t position(uint64_t i, uint64_t states, uint64_t step) {
    if (i < IN_ORDER) return i;
    return IN_ORDER + (uint64_t)((unsigned __int128)(i - IN_ORDER) * step % (states - IN_ORDER));
}

/* A step that has no divisor in common with n. */
static uint64_t find_step(uint64_t n) {
    for (uint64_t step = (uint64_t)(0.6180339887 * (double)n) | 1;; step += 2) {
        uint64_t a = n, b = step;
        while (b) {
            uint64_t r = a % b;
            a = b;
            b = r;
        }
        if (a == 1) return step;
    }
}

static void audit_states(struct sampler *m) {
    struct space *s = m->s;
    uint64_t step = s->states > IN_ORDER ? find_step(s->states - IN_ORDER) : 0;
    word *start = memory_get(s->ts->words * sizeof(word));
    bool good = true;
    for (uint64_t i = 0; i < s->states && tries(m) < m->most && good; i++) {
        uint64_t number = m->a->number = position(i, s->states, step);
        if (s->limits.interrupted && *s->limits.interrupted) m->a->stopped = "interrupted";
        else if (!space_state(s, number, start)) m->a->stopped = "a state could not be read again";
        if (m->a->stopped) break;
        if (!m->q->view) memcpy(m->state, start, s->ts->words * sizeof(word));
        good = (!m->q->obligations || audit_fired(m, start, i)) &&
               (!walks(m->q) || audit_walk(m, number, number, STEPS, true));
        m->a->states++;
    }
    if (m->a->stopped) m->a->result = SAMPLE_STOPPED;
    free(start);
}

static void sampler_init(struct sampler *m, struct sample *a, struct space *s, const struct sample_question *q) {
    struct ts *ts = q->view ? q->view->ts : s->ts;
    struct ts_worker *w = q->view ? q->view->worker : s->worker;
    uint32_t n = ts->transitions;
    *m = (struct sampler){.a = a, .s = s, .q = q, .ts = ts, .w = w, .audit = audit_new(ts, w, MOST_OUTSIDE)};
    uint64_t sets = q->edges / SHARE, map = q->edges / MAP_SHARE;
    m->map_most = !walks(q) ? 0 : map > MAP_TRIES ? map : MAP_TRIES;
    m->most = m->map_most + (!q->obligations ? 0 : sets > TRIES ? sets : TRIES);
    m->set = memory_get(n);
    m->list = memory_get(n * sizeof(uint32_t));
    m->stack = memory_get(n * sizeof(uint32_t));
    m->state = memory_get(ts->words * sizeof(word));
    m->next = memory_get(ts->words * sizeof(word));
    audit_ask(m->audit, q->checks);
}

/* The finding's parts belong to the audit: they are copied. */
static void keep_finding(struct sampler *m) {
    struct audit_finding *f = &m->a->finding;
    size_t n = m->ts->transitions, length = f->outside_count * sizeof(uint32_t);
    if (f->set) f->set = memcpy(memory_get(n), f->set, n);
    f->outside = f->outside_count ? memcpy(memory_get(length), f->outside, length) : NULL;
    m->a->state = m->state;
    m->state = NULL;
}

void sample_take(struct sample *a, struct space *s, const struct sample_question *q) {
    struct sampler m;
    *a = (struct sample){.result = SAMPLE_FINE};
    if (s->ts->transitions == 0) return;
    sampler_init(&m, a, s, q);
    if (!walks(q) || audit_walks(&m)) audit_states(&m);
    a->checks = audit_effort(m.audit).checks;
    if (a->result == SAMPLE_FINE || a->result == SAMPLE_STOPPED)
        a->finding = (struct audit_finding){.fault = AUDIT_FINE};
    else keep_finding(&m);
    audit_free(m.audit);
    void *all[] = {m.set, m.list, m.stack, m.state, m.next};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

void sample_fini(struct sample *a) {
    free(a->finding.set);
    free(a->finding.outside);
    free(a->state);
}
