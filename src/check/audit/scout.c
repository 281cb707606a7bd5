#include "check/audit/scout.h"

#include <stdlib.h>

#include "explore/bfs.h"

enum scouted scout_run(struct space *s, struct ts *ts, struct ts_worker *w, uint32_t classes,
                       const struct limits *limits, const struct ticker *ticker, struct stop *stop) {
    const struct bfs_goals goals = {.classes = classes};
    const struct limits few = {
        .max_states = SCOUT_STATES, .max_memory = limits->max_memory, .interrupted = limits->interrupted};
    struct ts_fault fault = {.kind = TS_FINE};
    struct problem why = {0};
    *stop = (struct stop){.kind = STOP_DONE};
    bool room = space_init(s, ts, w, &few, NULL, &why);
    problem_fini(&why);
    if (!room) return SCOUT_NO_MEMORY;
    if (ticker) s->ticker = *ticker;
    word *start = memory_get(ts->words * sizeof(word));
    if (ts->ops->initial(w, start, &fault) &&
        (!ts->reduction.symmetry || ts->ops->representative(w, start, start, &fault)))
        bfs_run(s, start, &goals, stop);
    free(start);
    return stop->kind == STOP_FAULT && stop->fault.kind != TS_RAISED ? SCOUT_FAULT : SCOUT_READY;
}
