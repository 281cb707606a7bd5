#include "ts/ts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void ts_batch_init(struct ts_batch *batch, const struct ts *ts, uint32_t states) {
    size_t successors = (size_t)states * ts->transitions;
    *batch = (struct ts_batch){
        .capacity = states,
        .successors = memory_get(successors * ts->words * sizeof(word)),
        .labels = memory_get(successors * sizeof(uint32_t)),
        .ends = memory_get(states * sizeof(uint32_t)),
        .totals = ts->takes_origins ? memory_get(states * sizeof(uint32_t)) : NULL,
        .classes = memory_get(states),
    };
}

void ts_batch_fini(struct ts_batch *batch) {
    free(batch->successors);
    free(batch->labels);
    free(batch->ends);
    free(batch->totals);
    free(batch->classes);
    *batch = (struct ts_batch){0};
}

uint32_t ts_batch_states(const struct ts *ts) {
    /* About 64 KiB of room for successors, of which only a part is ever filled. */
    assert(ts->transitions > 0 && ts->words > 0);
    size_t state = (size_t)ts->transitions * (ts->words * sizeof(word) + sizeof(uint32_t));
    size_t states = 65536 / state;
    return states < 4 ? 4 : states > 128 ? 128 : (uint32_t)states;
}

bool ts_batch_is_sound(const struct ts_batch *batch, const struct ts *ts, uint32_t done) {
    if (done > batch->count || batch->count > batch->capacity) return false;
    for (uint32_t i = 0, edge = 0; i < done; i++) {
        if (batch->ends[i] < edge || batch->ends[i] - edge > ts->transitions) return false;
        for (; edge < batch->ends[i]; edge++) {
            bool labelled = batch->unlabelled || batch->labels[edge] < ts->transitions;
            if (!labelled || !(batch->successors[(size_t)edge * ts->words] & 1)) return false;
        }
    }
    return true;
}

uint32_t ts_find_transition(const struct ts *ts, struct ts_worker *w, const char *name) {
    int64_t number;
    if (text_to_int(name, 0, (int64_t)ts->transitions - 1, &number)) return (uint32_t)number;
    for (uint32_t t = 0; t < ts->transitions; t++) {
        char buffer[128];
        ts->ops->transition_name(w, t, buffer, sizeof buffer);
        if (strcmp(buffer, name) == 0) return t;
    }
    return TS_NONE;
}

/* "'a', 'b', ...", to be freed. */
static char *list_names(const char *const *names, uint32_t count, uint32_t all) {
    char *list = memory_copy_string("");
    for (uint32_t i = 0; i < count; i++) {
        char *longer = text_format("%s%s'%s'", list, i ? ", " : "", names[i]);
        free(list);
        list = longer;
    }
    if (count == all) return list;
    char *open = text_format("%s, ...", list);
    free(list);
    return open;
}

bool ts_lacks_transition(const struct ts *ts, struct ts_worker *w, const char *name, struct problem *why) {
    enum { LOOKED_AT = 4096, SHOWN = 6 };
    uint32_t all = ts->transitions, count = all < LOOKED_AT ? all : LOOKED_AT;
    if (all == 0) return problem_set(why, EXIT_BAD_INPUT, "%s has no transition '%s': it has none", ts->path, name);
    char **names = memory_get(count * sizeof *names);
    for (uint32_t t = 0; t < count; t++) {
        char buffer[128];
        ts->ops->transition_name(w, t, buffer, sizeof buffer);
        names[t] = memory_copy_string(buffer);
    }
    const char *near = text_nearest(name, (const char *const *)names, count);
    char *some = list_names((const char *const *)names, count < SHOWN ? count : SHOWN, all);
    problem_set(why, EXIT_BAD_INPUT, "%s has no transition '%s'; %s%s%s are numbered 0 to %u: %s", ts->path, name,
                near ? "did you mean '" : "", near ? near : "", near ? "'? They" : "they", all - 1, some);
    for (uint32_t t = 0; t < count; t++) free(names[t]);
    free(names);
    free(some);
    return false;
}

const char *ts_feature_name(enum ts_feature feature) {
    switch (feature) {
    case TS_CHECK_STATE: return "check_state";
    case TS_CHECK_DEADLOCK: return "check_deadlock";
    case TS_MAY_PROGRESS: return "may_progress";
    case TS_MUST_PROGRESS: return "must_progress";
    case TS_OBLIGATIONS: return "obligations";
    case TS_SYMMETRY: return "symmetry";
    case TS_SYMMETRIC_PROGRESS: return "progress_is_symmetric";
    case TS_CHOICE_OF_RULES: return "choice_of_rules";
    case TS_BAD_IS_TERMINAL: return "bad_is_terminal";
    case TS_RAISES: return "model_error";
    }
    return "?";
}
