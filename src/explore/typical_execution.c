#include "explore/typical_execution.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/store.h"

static int first_enabled(const struct trace *t, struct ts *ts, struct ts_worker *w, word *next, uint32_t *label,
                         struct ts_fault *fault) {
    for (uint32_t u = 0; u < ts->transitions; u++) {
        int fired = ts->ops->fire(w, trace_state(t, t->count - 1), u, next, fault);
        if (!fired) continue;
        *label = u;
        return fired;
    }
    return 0;
}

enum typical typical_run(struct trace *t, struct ts *ts, struct ts_worker *w, const volatile sig_atomic_t *interrupted,
                         struct ts_fault *fault) {
    word *next = memory_get(ts->words * sizeof(word));
    struct store seen;
    struct store_view view;
    const struct store_options exact = {0};
    uint32_t label = TS_NONE, fresh, fresh_count;
    bool begun = ts->ops->initial(w, next, fault), ended = false,
         room = begun && store_init(&seen, ts->bits, UINT64_C(1) << 40, &exact);
    bool stored = room;
    if (stored) store_view_init(&view, &seen);
    for (int fired = 1; room && fired > 0;) {
        room = store_insert(&seen, &view, next, 1, &fresh, &fresh_count) == 1;
        if (!room) break;
        if (!fresh_count) {
            for (t->cycle = 0; memcmp(trace_state(t, t->cycle), next, ts->words * sizeof(word)) != 0;) t->cycle++;
            t->closing = label;
            break;
        }
        trace_add(t, label, next);
        if ((ended = interrupted && *interrupted)) break;
        fired = first_enabled(t, ts, w, next, &label, fault);
    }
    if (stored) {
        store_view_fini(&view);
        store_fini(&seen);
    }
    free(next);
    return ended ? TYPICAL_INTERRUPTED : room || !begun ? TYPICAL_WHOLE : TYPICAL_NO_MEMORY;
}
