#include "ts/ts.h"

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
    size_t state = (size_t)ts->transitions * (ts->words * sizeof(word) + sizeof(uint32_t));
    size_t states = 65536 / state;
    return states < 4 ? 4 : states > 128 ? 128 : (uint32_t)states;
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
    }
    return "?";
}
