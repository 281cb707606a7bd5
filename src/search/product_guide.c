#include <stdlib.h>

#include "base/memory.h"
#include "search/product.h"

/* The action of a transition is the same in all states, as in every network. */
static bool see_actions(struct product *p, struct ts_worker *base, struct ts_fault *fault) {
    const struct ts *ts = p->base;
    word *s = memory_get(ts->words * sizeof(word));
    bool good = ts->ops->initial(base, s, fault);
    for (uint32_t t = 0; t < ts->transitions && good; t++) {
        uint32_t action = ts->ops->action(base, s, t, fault);
        good = action != TS_NONE;
        if (good) p->visible[t] = (p->effects[action].begins | p->effects[action].ends) != 0;
    }
    free(s);
    return good;
}

static bool see_states(struct product *p, struct ts_worker *base, bool *unknown, struct ts_fault *fault) {
    const struct ts *ts = p->base;
    for (uint32_t i = 0; i < p->propositions; i++) {
        bool known = ts->changes_known && ts->changes_known[p->wanted[i]];
        *unknown |= !known;
        for (uint32_t t = 0; t < ts->transitions; t++) {
            int may = known ? ts->ops->may_change(base, p->wanted[i], t, fault) : 1;
            if (may < 0) return false;
            p->visible[t] |= may > 0;
        }
    }
    return true;
}

bool product_guide(struct product *p, struct ts_worker *base, bool *unknown, struct problem *why) {
    struct ts_fault fault = {.text = ""};
    *unknown = false;
    p->visible = memory_get_zeroed(p->base->transitions + UINT64_C(1));
    if (p->by_action ? see_actions(p, base, &fault) : see_states(p, base, unknown, &fault)) return true;
    return problem_set(why, EXIT_BAD_INPUT, "%s: %s in transition %u: %s", p->base->path, fault.where,
                       fault.transition, fault.text);
}
