#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/c/c_model_fault.h"

/* ---- Faults, in the words of ASSET's language ---- */

static const char *const functions[][2] = {
    {"fire", "fire_transition"},
    {"initial", "nr_transitions"},
    {"obligations", "next_stubborn"},
    {"symmetry", "symmetry_representative"},
    {"may_progress", "is_may_progress"},
    {"must_progress", "is_must_progress"},
    {"check_state, may_progress or must_progress", "check_state, is_may_progress or is_must_progress"},
};

static const char *const phrases[][2] = {
    {"fire returned false but", "fire_transition returned false but"},
    {"fire may use nothing but the state", "fire_transition may use nothing but the state"},
    {"(model_error was given", "(err_msg was given"},
    {"a trap: an array index out of bounds, or",
     "a trap: an array index out of bounds, a function that ends without the value it should return, or"},
    {"a function with __attribute__((constructor))", "nr_transitions"},
};

static void replace(char *text, size_t size, const char *from, const char *to) {
    char *at = strstr(text, from);
    if (!at) return;
    char *whole = text_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    snprintf(text, size, "%s", whole);
    free(whole);
}

static void translate(struct ts_fault *f) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (f->where && strcmp(f->where, functions[i][0]) == 0) {
            f->where = functions[i][1];
            break;
        }
    if (f->kind == TS_RAISED) return; /* the model's own words */
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        replace(f->text, sizeof f->text, phrases[i][0], phrases[i][1]);
}

static uint32_t expand(struct ts_worker *w, struct ts_batch *batch) {
    uint32_t done = c_model_expand(w, batch);
    if (done < batch->count) translate(&batch->fault);
    return done;
}

static uint32_t classify(struct ts_worker *w, struct ts_batch *batch) {
    uint32_t done = c_model_classify(w, batch);
    if (done < batch->count) translate(&batch->fault);
    return done;
}

static bool initial(struct ts_worker *w, word *out, struct ts_fault *fault) {
    return c_model_initial(w, out, fault) || (translate(fault), false);
}

static int fire(struct ts_worker *w, const word *s, uint32_t t, word *out, struct ts_fault *fault) {
    int fired = c_model_fire(w, s, t, out, fault);
    if (fired < 0) translate(fault);
    return fired;
}

static bool representative(struct ts_worker *w, const word *s, word *out, struct ts_fault *fault) {
    return c_model_representative(w, s, out, fault) || (translate(fault), false);
}

static bool check(struct ts_worker *w, const word *s, enum ts_feature which, const char **message,
                  struct ts_fault *fault) {
    return c_model_check(w, s, which, message, fault) || (translate(fault), false);
}

static bool obligations(struct ts_worker *w, const word *s, uint32_t t, uint32_t *list, uint32_t *count,
                        struct ts_fault *fault) {
    return c_model_obligations(w, s, t, list, count, fault) || (translate(fault), false);
}

static bool stubborn_set(struct ts_worker *w, const word *s, uint32_t *list, uint32_t *count, struct ts_fault *fault) {
    return c_model_stubborn_set(w, s, list, count, fault) || (translate(fault), false);
}

static bool print(struct ts_worker *w, const word *s, const word *previous, FILE *out, struct ts_fault *fault) {
    return c_model_print(w, s, previous, out, fault) || (translate(fault), false);
}

/* ---- Opening ---- */

static struct ts_wishes wishes_of(const struct onager_asset *a) {
    unsigned w = *a->wishes;
    return (struct ts_wishes){.stubborn = w & ONAGER_WISH_STUBBORN,
                              .symmetry = w & ONAGER_WISH_SYMMETRY,
                              .forward = w & ONAGER_WISH_FORWARD,
                              .terminal_not_may = w & ONAGER_WISH_NOT_MAY,
                              .terminal_not_must = w & ONAGER_WISH_NOT_MUST,
                              .no_progress = w & ONAGER_WISH_NO_PROGRESS,
                              .fast = w & ONAGER_WISH_FAST,
                              .max_states = *a->most_states};
}

void c_model_open_asset(struct c_model *m, const struct c_compile *c) {
    m->asset = dlsym(m->library, "onager_asset");
    if (!m->asset) return;
    m->ts.asset = true;
    m->ts.wishes = wishes_of(m->asset);
    m->ops = *m->ts.ops;
    m->ops.expand = expand;
    m->ops.classify = classify;
    m->ops.initial = initial;
    m->ops.fire = fire;
    m->ops.representative = representative;
    m->ops.check = check;
    m->ops.obligations = obligations;
    m->ops.stubborn_set = stubborn_set;
    m->ops.print = print;
    m->ts.ops = &m->ops;
    const char *printed = m->asset->printed();
    if (printed && c->warnings) fputs(printed, c->warnings);
}

bool c_model_asset_complete(const struct c_model *m, const struct c_compile *c, struct problem *why) {
    if (c->reduction.stubborn && !m->model->obligations)
        return problem_set(why, EXIT_BAD_INPUT,
                           "stubborn sets need rules, and %s has no function void next_stubborn(unsigned)", c->path);
    if (c->reduction.symmetry && !m->model->symmetry)
        return problem_set(why, EXIT_BAD_INPUT,
                           "symmetry needs a map, and %s has no function void symmetry_representative()", c->path);
    return true;
}
