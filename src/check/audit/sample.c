#include "check/audit/sample.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/spread.h"
#include "base/outcome.h"
#include "graph/sweep.h"
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
    A_BATCH = 4,         /* states that a thread audits at a time */
};

/* What one thread needs, and what it has found in the state at hand. */
struct probe {
    const struct sampler *m;
    struct ts *ts; /* the model, and a worker of it */
    struct ts_worker *w;
    struct audit *audit;
    bool *set;
    uint32_t *list, *stack;
    word *state, *next;
    enum sample_result result;
    struct audit_finding finding; /* its parts belong to the audit */
    bool advice;
    uint32_t way[64];
    uint32_t way_count;
};

/* What is to be known of a state that was looked at. */
struct seen {
    bool good, advice;
    struct audit_effort effort;
};

struct sampler {
    struct sample *a;
    struct space *s;
    const struct sample_question *q;
    struct probe *probes;    /* by thread */
    uint64_t most, map_most; /* tries in all, and for the map */
    uint64_t tries;          /* so far */
    uint64_t step;           /* see position */
    bool found;              /* something that is to be told: it is in the probe of the caller's thread */
};

/* After an audit that has found something: is it to be told? Errors that the model raises say nothing of the rules if
 * the search has found an error, too; if not, it was to find this one. */
static bool is_news(struct probe *p) {
    const struct audit_finding *f = &p->finding;
    bool raised = f->fault == AUDIT_MODEL && f->model.kind == TS_RAISED;
    if (raised && p->m->q->violated) return false;
    p->result = raised ? SAMPLE_RAISED : f->fault == AUDIT_MODEL ? SAMPLE_MODEL : SAMPLE_WRONG;
    return true;
}

/* The same if model code failed before an audit. */
static bool failure_is_news(struct probe *p, const struct ts_fault *fault) {
    p->finding = (struct audit_finding){
        .fault = AUDIT_MODEL, .transition = fault->transition, .other = TS_NONE, .model = *fault};
    return is_news(p);
}

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

/* ---- The map, and claims ---- */

static bool walks(const struct sample_question *q) { return q->symmetry || q->observable || q->changes; }

/* Goes on by one of the transitions that are enabled in p->state, which one is a matter of `chance`. NONE: nothing is
 * enabled. GIVEN_UP: model code failed. */
static enum outcome wander(struct probe *p, uint64_t chance, struct ts_fault *fault) {
    const struct ts *ts = p->ts;
    uint32_t from = (uint32_t)(mix(chance) % ts->transitions);
    for (uint32_t i = 0; i < ts->transitions; i++) {
        uint32_t t = (from + i) % ts->transitions;
        int fired = ts->ops->fire(p->w, p->state, t, p->next, fault);
        if (fired < 0) return OUTCOME_GIVEN_UP;
        if (!fired) continue;
        memcpy(p->state, p->next, ts->words * sizeof(word));
        assert(p->way_count < WALK);
        p->way[p->way_count++] = t;
        return OUTCOME_FOUND;
    }
    return OUTCOME_NONE;
}

/* The map and the claims, in p->state. */
static bool audit_here(struct probe *p) {
    struct audit_finding *f = &p->finding;
    return (!p->m->q->symmetry || audit_symmetry_kindly(p->audit, p->state, f, &p->advice)) &&
           (!p->m->q->observable || audit_observable(p->audit, p->state, f)) &&
           (!p->m->q->changes || audit_changes(p->audit, p->state, f));
}

/* So many steps from p->state; it is audited there, if `here`, and after each step. */
static bool audit_walk(struct probe *p, uint64_t chance, uint32_t steps, bool here) {
    struct ts_fault fault;
    p->way_count = 0;
    if (here && !audit_here(p)) return !is_news(p);
    for (uint32_t i = 0; i < steps; i++) {
        enum outcome step = wander(p, chance * WALK + i, &fault);
        if (step == OUTCOME_GIVEN_UP) return !failure_is_news(p, &fault);
        if (step == OUTCOME_NONE) return true;
        if (!audit_here(p)) return !is_news(p);
    }
    return true;
}

/* From the initial state, by the caller's thread. */
static bool audit_walks(struct sampler *m) {
    struct probe *p = &m->probes[0];
    struct ts_fault fault;
    m->a->number = SAMPLE_INITIAL;
    for (uint64_t i = 0; i < WALKS && audit_effort(p->audit).tries < m->map_most / 2; i++) {
        p->way_count = 0;
        if (!p->ts->ops->initial(p->w, p->state, &fault)) return !failure_is_news(p, &fault);
        if (!audit_walk(p, i, WALK, i == 0)) return false;
        m->a->states += p->way_count + (i == 0);
    }
    return true;
}

/* ---- Obligations ---- */

/* The stubborn set that is fired in p->state, and all that its members oblige. NONE: it is empty. GIVEN_UP: model code
 * failed. *enabled: how many were fired. */
static enum outcome find_set(struct probe *p, uint32_t *enabled, struct ts_fault *fault) {
    struct ts *ts = p->ts;
    uint32_t count = 0;
    if (!ts->ops->stubborn_set(p->w, p->state, p->list, &count, fault)) return OUTCOME_GIVEN_UP;
    memset(p->set, 0, ts->transitions);
    for (uint32_t i = 0; i < count; i++) p->set[p->list[i]] = true;
    assert(count <= ts->transitions); /* the room of the list */
    *enabled = count;
    if (count == 0) return OUTCOME_NONE;
    bool closed = closure_add(ts, p->w, p->state, p->set, p->list, p->stack, fault);
    return closed ? OUTCOME_FOUND : OUTCOME_GIVEN_UP;
}

/* The same, of an item of the space; p->state is what it is a state of, if that is not known yet. */
static enum outcome find_set_of(struct probe *p, const word *item, uint32_t *enabled, struct ts_fault *fault) {
    const struct sample_view *view = p->m->q->view;
    return view ? view->look(view->context, item, p->state, p->set, enabled, fault) : find_set(p, enabled, fault);
}

static bool audit_fired(struct probe *p, const word *item, uint64_t i) {
    uint32_t enabled;
    bool cut = false;
    struct ts_fault fault;
    p->way_count = 0;
    enum outcome set = find_set_of(p, item, &enabled, &fault);
    if (set == OUTCOME_GIVEN_UP) return !failure_is_news(p, &fault);
    if (set == OUTCOME_NONE) return true;
    uint64_t each =
        (uint64_t)A_STATE * (i % DEEP == DEEP - 1 ? DEEP : 1) / ((uint64_t)p->ts->transitions * (2 + enabled));
    audit_bound(p->audit, each < LEAST_OUTSIDE ? LEAST_OUTSIDE : each > MOST_OUTSIDE ? MOST_OUTSIDE : (uint32_t)each);
    return audit_set(p->audit, p->state, p->set, p->m->q->with_check, &p->finding, &cut) || !is_news(p);
}

/* ---- States ---- */

/* The number of the i-th state of the sample: first those at the beginning; then the others, each once, in an order
 * that spreads over all of them. */
static uint64_t position(const void *context, uint64_t i) {
    const struct sampler *m = context;
    assert(i < m->s->states);
    if (i < IN_ORDER) return i;
    return IN_ORDER + spread_at(i - IN_ORDER, m->step, m->s->states - IN_ORDER);
}

static struct audit_effort effort_since(const struct probe *p, struct audit_effort before) {
    struct audit_effort now = audit_effort(p->audit);
    return (struct audit_effort){now.tries - before.tries, now.checks - before.checks};
}

/* State i of the batch. */
static struct seen audit_state(struct probe *p, const struct sweep_batch *x, uint32_t i) {
    const struct sample_question *q = p->m->q;
    const struct audit_effort before = audit_effort(p->audit);
    uint32_t words = p->m->s->ts->words;
    const word *item = x->states + (size_t)i * words;
    if (!q->view) memcpy(p->state, item, words * sizeof(word));
    p->advice = false;
    bool good = (!q->obligations || audit_fired(p, item, x->positions[i])) &&
                (!walks(q) || audit_walk(p, x->numbers[i], STEPS, true));
    return (struct seen){good, p->advice, effort_since(p, before)};
}

static void audit_batch(void *context, unsigned member, const struct sweep_batch *x) {
    const struct sampler *m = context;
    struct seen *seen = x->room;
    for (uint32_t i = 0; i < x->count; i++) seen[i] = audit_state(&m->probes[member], x, i);
}

/* What the threads have seen, in order, until enough has been tried. Who has found something need not have been the
 * caller's thread, which looks at that state again. */
static bool sum_up(void *context, const struct sweep_batch *x) {
    struct sampler *m = context;
    const struct seen *seen = x->room;
    for (uint32_t i = 0; i < x->count; i++) {
        if (m->tries >= m->most) return false;
        m->tries += seen[i].effort.tries;
        m->a->checks += seen[i].effort.checks;
        m->a->advice |= seen[i].advice;
        m->a->states++;
        m->a->number = x->numbers[i];
        m->found = !seen[i].good && !audit_state(&m->probes[0], x, i).good;
        if (m->found) return false;
    }
    return true;
}

static void audit_states(struct sampler *m) {
    struct stop stop;
    struct sweep w = {.s = m->s,
                      .phase = "audit",
                      .context = m,
                      .need = SWEEP_STATES,
                      .room = sizeof(struct seen),
                      .most = A_BATCH,
                      .end = m->s->states, /* the trail has more if the search has ended within a chunk */
                      .pick = position,
                      .showing = true, /* what a sample finds does not depend on limits */
                      .take = audit_batch,
                      .put = sum_up};
    if (m->s->states > IN_ORDER) m->step = spread_step(m->s->states - IN_ORDER);
    sweep_init(&w);
    if (!sweep_all(&w, &stop) && stop.kind != STOP_DONE) {
        m->a->stopped = stop.reason;
        m->a->result = SAMPLE_STOPPED;
    }
    sweep_fini(&w);
}

static void probe_init(struct probe *p, const struct sampler *m, unsigned member) {
    const struct sample_question *q = m->q;
    struct ts *ts = q->view ? q->view->ts : m->s->ts;
    struct ts_worker *w = q->view ? q->view->worker : m->s->members[member].worker;
    uint32_t n = ts->transitions;
    *p = (struct probe){.m = m, .ts = ts, .w = w, .audit = audit_new(ts, w, MOST_OUTSIDE)};
    p->set = memory_get(n);
    p->list = memory_get(n * sizeof(uint32_t));
    p->stack = memory_get(n * sizeof(uint32_t));
    p->state = memory_get(ts->words * sizeof(word));
    p->next = memory_get(ts->words * sizeof(word));
    audit_ask(p->audit, q->checks);
}

static void probe_fini(struct probe *p) {
    audit_free(p->audit);
    void *all[] = {p->set, p->list, p->stack, p->state, p->next};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

/* What the caller's thread has found. Its parts belong to the audit: they are copied. */
static void keep_finding(struct sample *a, struct probe *p) {
    struct audit_finding *f = &a->finding;
    size_t n = p->ts->transitions, length = p->finding.outside_count * sizeof(uint32_t);
    a->result = p->result;
    *f = p->finding;
    if (f->set) f->set = memcpy(memory_get(n), f->set, n);
    f->outside = f->outside_count ? memcpy(memory_get(length), f->outside, length) : NULL;
    memcpy(a->way, p->way, sizeof a->way);
    a->way_count = p->way_count;
    a->state = p->state;
    p->state = NULL;
}

void sample_take(struct sample *a, struct space *s, const struct sample_question *q) {
    struct sampler m = {.a = a, .s = s, .q = q};
    uint64_t sets = q->edges / SHARE, map = q->edges / MAP_SHARE;
    *a = (struct sample){.result = SAMPLE_FINE};
    if (s->ts->transitions == 0) return;
    assert(!q->view || s->team.size == 1); /* it has one worker */
    m.map_most = !walks(q) ? 0 : map > MAP_TRIES ? map : MAP_TRIES;
    m.most = m.map_most + (!q->obligations ? 0 : sets > TRIES ? sets : TRIES);
    m.probes = memory_get(s->team.size * sizeof *m.probes);
    for (unsigned k = 0; k < s->team.size; k++) probe_init(&m.probes[k], &m, k);
    m.found = walks(q) && !audit_walks(&m);
    struct audit_effort first = audit_effort(m.probes[0].audit);
    m.tries = first.tries;
    a->checks = first.checks;
    a->advice = m.probes[0].advice;
    if (!m.found) audit_states(&m);
    if (m.found) keep_finding(a, &m.probes[0]);
    for (unsigned k = 0; k < s->team.size; k++) probe_fini(&m.probes[k]);
    free(m.probes);
}

void sample_fini(struct sample *a) {
    free(a->finding.set);
    free(a->finding.outside);
    free(a->state);
}
