#include "reduce/derived/asker.h"

#include <stdlib.h>

#include "base/memory.h"

static bool ask(void *context, uint32_t member) {
    const struct derived_asker *a = context;
    const struct member *m = &a->d->member[member];
    const word *s = derived_sets_state(a->sets);
    struct ts_fault fault;
    if (m->kind == MEMBER_BAD_STATE) {
        const char *message = NULL;
        return !a->ts->ops->check(a->w, s, TS_CHECK_STATE, &message, &fault) || message;
    }
    int fired = a->ts->ops->fire(a->w, s, m->transition, a->scratch, &fault);
    return m->kind == MEMBER_ERROR ? fired < 0 : fired > 0;
}

static bool map(void *context, uint64_t *state) {
    const struct derived_asker *a = context;
    struct ts_fault fault;
    return a->ts->ops->representative(a->w, state, state, &fault);
}

void derived_asker_init(struct derived_asker *a, const struct derived *d, const struct ts *ts) {
    *a = (struct derived_asker){.d = d, .ts = ts};
    a->scratch = memory_get((ts->words + UINT64_C(1)) * sizeof *a->scratch);
    a->sets = derived_sets_new(d, (struct derived_sets_asking){ask, a, ts->reduction.symmetry ? map : NULL});
}

void derived_asker_fini(struct derived_asker *a) {
    derived_sets_free(a->sets);
    free(a->scratch);
}

bool derived_contradicted(struct ts_fault *fault, uint32_t t) {
    *fault = (struct ts_fault){.kind = TS_UNSTEADY, .transition = t, .where = "fire"};
    snprintf(fault->text, sizeof fault->text,
             "the code does something else here than when it was read without a state");
    return false;
}
