#include <assert.h>
#include <string.h>

#include "model/c/c_model_fault.h"

static bool pack(struct ts_worker *w, word *out, struct ts_fault *fault, const char *where, uint32_t t) {
    if (w->m->plugin->pack(w->native, out)) return true;
    c_fault_range(w, fault, where, t);
    return false;
}

bool c_model_initial(struct ts_worker *w, word *out, struct ts_fault *fault) {
    memset(w->native, 0, w->m->plugin->native_size);
    if (w->m->model->initial) GUARDED(w, fault, "initial", TS_NONE, false, w->m->model->initial(w->native));
    if (pack(w, out, fault, "initial", TS_NONE)) return c_strict_initial(w, fault);
    c_strict_explain(w, fault, NULL);
    return false;
}

int c_model_fire(struct ts_worker *w, const word *s, uint32_t t, word *out, struct ts_fault *fault) {
    bool fired = false;
    w->m->plugin->unpack(w->native, s);
    GUARDED(w, fault, "fire", t, -1, fired = w->m->model->fire(w->native, t));
    if (!fired) return 0;
    return pack(w, out, fault, "fire", t) ? 1 : -1;
}

bool c_model_representative(struct ts_worker *w, const word *s, word *out, struct ts_fault *fault) {
    w->m->plugin->unpack(w->native, s);
    GUARDED(w, fault, "symmetry", TS_NONE, false, w->m->model->symmetry(w->native));
    return pack(w, out, fault, "symmetry", TS_NONE);
}

bool c_model_check(struct ts_worker *w, const word *s, enum ts_feature which, const char **message,
                   struct ts_fault *fault) {
    const struct onager_model *m = w->m->model;
    const char *(*function)(const state *) = which == TS_CHECK_STATE ? m->check_state : m->check_deadlock;
    const char *volatile said = NULL;
    *message = NULL;
    w->m->plugin->unpack(w->native, s);
    GUARDED(w, fault, ts_feature_name(which), TS_NONE, false, said = function(w->native));
    if (!said) return true;
    if (!c_take_whole_text(w, said, fault, ts_feature_name(which), TS_NONE)) return false;
    *message = w->text;
    return true;
}

bool c_model_obligations(struct ts_worker *w, const word *s, uint32_t t, uint32_t *list, uint32_t *count,
                         struct ts_fault *fault) {
    uint32_t n = 0, bad = UINT32_MAX, transitions = w->m->ts.transitions;
    w->m->plugin->unpack(w->native, s);
    GUARDED(w, fault, "obligations", t, false, n = w->m->plugin->obligations(w->native, t, list, transitions, &bad));
    if (bad != UINT32_MAX) {
        c_fault_obligation(w->m, fault, "obligations", t, bad);
        return false;
    }
    if (n == UINT32_MAX)
        for (n = 0; n < transitions; n++) list[n] = n;
    assert(n <= transitions); /* the room of the list */
    *count = n;
    return true;
}

int c_model_may_change(struct ts_worker *w, uint32_t p, uint32_t t, struct ts_fault *fault) {
    int may = 1;
    GUARDED(w, fault, "CHANGES", t, -1,
            may = w->m->changes[p]->may_change(t, p < w->m->ts.propositions ? w->m->asks[p].i : 0));
    return may;
}

bool c_model_stubborn_set(struct ts_worker *w, const word *s, uint32_t *list, uint32_t *count, struct ts_fault *fault) {
    uint32_t n = 0;
    GUARDED(w, fault, "obligations", TS_NONE, false, n = w->m->plugin->stubborn_set(s, list, w->batch.scratch));
    assert(n <= w->m->ts.transitions);
    *count = n;
    return true;
}

/* ---- Actions ---- */

static const char *ask_action(struct ts_worker *w, uint32_t t, struct ts_fault *fault) {
    const char *volatile name = NULL;
    GUARDED(w, fault, "action", t, NULL, name = w->m->model->action(w->native, t));
    return name;
}

int c_model_observable(struct ts_worker *w, uint32_t t, struct ts_fault *fault) {
    int seen = 1;
    GUARDED(w, fault, "observable", t, -1, seen = w->m->model->observable(t));
    return seen;
}

uint32_t c_model_action_number(struct c_model *m, const char *name) {
    pthread_mutex_lock(&m->actions_lock);
    uint32_t number = names_add(&m->actions, name);
    m->ts.actions = m->actions.count;
    m->ts.action_names = (const char *const *)m->actions.text;
    pthread_mutex_unlock(&m->actions_lock);
    return number;
}

uint32_t c_model_action(struct ts_worker *w, const word *s, uint32_t t, struct ts_fault *fault) {
    struct c_model *m = w->m;
    m->plugin->unpack(w->native, s);
    fault->kind = TS_FINE;
    const char *name = ask_action(w, t, fault);
    if (fault->kind != TS_FINE) return TS_NONE;
    if (!name) return 0;
    if (!c_take_whole_text(w, name, fault, "action", t)) return TS_NONE;
    return *w->text ? c_model_action_number(m, w->text) : 0;
}

const char *c_model_action_name(struct ts *ts, uint32_t number) {
    struct c_model *m = (struct c_model *)(void *)ts;
    pthread_mutex_lock(&m->actions_lock);
    const char *name = m->actions.text[number];
    pthread_mutex_unlock(&m->actions_lock);
    return name;
}
