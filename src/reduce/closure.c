#include "reduce/closure.h"

#include <assert.h>

bool closure_add(struct ts *ts, struct ts_worker *w, const word *s, bool *set, uint32_t *list, uint32_t *stack,
                 struct ts_fault *fault) {
    uint32_t depth = 0, count;
    for (uint32_t t = 0; t < ts->transitions; t++)
        if (set[t]) stack[depth++] = t;
    while (depth > 0) {
        if (!ts->ops->obligations(w, s, stack[--depth], list, &count, fault)) return false;
        for (uint32_t i = 0; i < count; i++) {
            if (set[list[i]]) continue;
            assert(list[i] < ts->transitions && depth < ts->transitions);
            set[list[i]] = true;
            stack[depth++] = list[i];
        }
    }
    return true;
}
