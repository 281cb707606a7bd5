#include "explore/terminal_error.h"

#include <assert.h>

bool ends_lack(const struct ts *ts, struct ts_worker *w, const word *state, uint32_t classes, uint32_t *lacks,
               struct ts_fault *fault) {
    *lacks = 0;
    assert(!(classes & TS_NAMED)); /* ops->classify does not know it */
    /* One class at a time, so that a fault names the function in which it is. */
    for (uint32_t class = 1; class <= classes; class *= 2) {
        uint8_t has = 0;
        struct ts_batch one = {.sources = state, .count = 1, .wanted = class, .capacity = 1, .classes = &has};
        if (!(classes & class)) continue;
        if (ts->ops->classify(w, &one) < 1) return *fault = one.fault, false;
        if (!(has & class)) *lacks |= class;
    }
    return true;
}

enum stop_kind ends_look(const struct ts *ts, struct ts_worker *w, const word *state, const struct bfs_goals *goals,
                         struct ts_fault *fault) {
    const char *message = NULL;
    uint32_t lacks = 0;
    if (goals->any_terminal) return STOP_DEADLOCK;
    if (goals->check_deadlock && !ts->ops->check(w, state, TS_CHECK_DEADLOCK, &message, fault)) return STOP_FAULT;
    if (message) return STOP_DEADLOCK;
    if (goals->at_ends && !ends_lack(ts, w, state, goals->at_ends, &lacks, fault)) return STOP_FAULT;
    return lacks ? STOP_STUCK : STOP_DONE;
}
