#include "cli/wishes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suffix.h"
#include "cli/options/options_conflicts.h"

static void heed(struct options *own, const struct ts_wishes *w) {
    own->stubborn |= w->stubborn;
    own->symmetry |= w->symmetry;
    own->terminal_not_may |= w->terminal_not_may;
    own->terminal_not_must |= w->terminal_not_must;
    own->no_may_progress |= w->no_progress;
    own->no_must_progress |= w->no_progress;
    own->no_termination |= w->no_progress;
    own->fast |= w->fast;
    if (w->forward) own->forward = 1;
    if (w->max_states && (!own->max_states || w->max_states < own->max_states)) own->max_states = w->max_states;
}

static bool agree(const struct options *own, struct problem *why) {
    struct problem conflict = {0};
    struct options as_given = *own;
    if (own->order != ORDER_RANDOM) as_given.seed = 0; /* it was not given, or this would have been refused */
    as_given.max_memory = 0;                           /* it agreed before the model, which takes memory, was opened */
    if (options_agree(&as_given, &conflict)) return true;
    problem_set(why, conflict.status, "%s: one of its macros acts as an option: %s", own->model, conflict.text);
    problem_fini(&conflict);
    return false;
}

static bool is_given(const struct options *o, const char *name) {
    for (size_t i = 0; i < o->parameter_count; i++)
        if (strcmp(o->parameters[i].name, name) == 0) return true;
    return false;
}

static void define(struct options *own, bool wanted, const char *name) {
    if (wanted && !is_given(own, name))
        own->parameters[own->parameter_count++] = (struct ts_parameter){.name = name, .value = 1};
}

static struct ts_wishes of_parameters(const struct options *o) {
    struct ts_wishes w = {.stubborn = is_given(o, "stubborn"),
                          .symmetry = is_given(o, "symmetry"),
                          .forward = is_given(o, "try_forward"),
                          .terminal_not_may = is_given(o, "dl_not_may"),
                          .terminal_not_must = is_given(o, "dl_not_must"),
                          .no_progress = is_given(o, "no_progr_chk"),
                          .fast = is_given(o, "no_sanity_chk")};
    for (size_t i = 0; i < o->parameter_count; i++)
        if (strcmp(o->parameters[i].name, "stop_cnt") == 0 && o->parameters[i].value > 0)
            w.max_states = (uint64_t)o->parameters[i].value;
    return w;
}

bool wishes_init(struct options *own, const struct options *o, struct problem *why) {
    *own = *o;
    own->parameters = memory_get((o->parameter_count + 2) * sizeof *own->parameters);
    if (o->parameter_count) memcpy(own->parameters, o->parameters, o->parameter_count * sizeof *own->parameters);
    if (!o->model || suffix_type(o->model).kind != FILE_ASSET) return true;
    struct ts_wishes wishes = of_parameters(o);
    heed(own, &wishes);
    define(own, own->stubborn, "stubborn");
    define(own, own->symmetry, "symmetry");
    return agree(own, why);
}

void wishes_fini(struct options *own) { free(own->parameters); }

bool wishes_heed(struct options *own, const struct ts *ts, bool *again, struct problem *why) {
    const struct ts_wishes *w = &ts->wishes;
    *again = (w->stubborn && !own->stubborn) || (w->symmetry && !own->symmetry) || (w->forward && !own->forward) ||
             (w->fast && !own->fast);
    heed(own, w);
    return agree(own, why);
}
