/* Terminal states without progress, where these do not count as progress by themselves: found on the fly. */
#include "base/text.h"
#include "check/property/target.h"
#include "explore/terminal_error.h"

/* The states before the last of the trace that are no must-progress states, up to one that is: from them, too, must
 * progress can be avoided. */
static void sharpen_must(struct check *c) {
    struct trace *t = &c->a->trace;
    struct ts_fault fault;
    uint32_t lacks = TS_MUST;
    while (t->no_return > 0) {
        bool good = ends_lack(c->ts, c->w, trace_state(t, t->no_return - 1), TS_MUST, &lacks, &fault);
        if (!good || !lacks) return;
        t->no_return--;
    }
}

void check_stuck(struct check *c, bool sharpened) {
    struct trace *t = &c->a->trace;
    const struct bfs_goals may = {.classes = TS_MAY};
    uint32_t lacks = 0;
    struct ts_fault fault;
    if (!check_believe(c)) return;
    if (!ends_lack(c->ts, c->w, trace_state(t, t->count - 1), check_goals(c).at_ends, &lacks, &fault)) {
        check_fault(c, &fault);
        return;
    }
    if (!lacks) {
        check_answer(
            c, VERDICT_ERROR, PROP_NONE,
            text_format("%s: may_progress or must_progress gives different answers for the same state (it must "
                        "use nothing but the state)",
                        c->ts->path));
        return;
    }
    t->no_return = t->count - 1;
    if (lacks & TS_MAY && sharpened) target_sharpen(c, &may);
    else if (!(lacks & TS_MAY)) sharpen_must(c);
    target_answer(c, lacks & TS_MAY ? PROP_MAY : PROP_MUST);
}
