#include "net/network.h"

#include <stdlib.h>

#include "base/memory.h"

void network_fini(struct network *n) {
    for (uint32_t i = 0; i < n->count; i++) {
        free(n->component[i].name);
        lts_fini(&n->component[i].lts);
    }
    for (uint32_t i = 0; i < n->progress_count; i++) {
        free(n->progress[i].name);
        free(n->progress[i].when);
        free(n->progress[i].then);
    }
    for (uint32_t i = 0; i < n->parameter_count; i++) free((char *)(uintptr_t)n->parameters[i].name);
    free(n->parameters);
    free(n->process);
    free(n->component);
    free(n->progress);
    names_fini(&n->labels);
    free(n->fluents);
    if (n->logic) arena_fini(n->logic);
    free(n->logic);
    free(n->sight);
    free(n->low);
    *n = (struct network){0};
}

/* Marks the labels of all components that have, or have not, an end state. */
static bool mark(const struct network *n, bool with_end, bool *marked) {
    bool any = false;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct lts *l = &n->component[i].lts;
        if ((l->end != LTS_NONE) != with_end) continue;
        any = true;
        for (uint32_t a = 1; a < l->labels.count; a++) marked[names_find(&n->labels, l->labels.text[a])] = true;
    }
    return any;
}

bool network_can_end(const struct network *n) {
    bool *ending = memory_get_zeroed(n->labels.count + UINT64_C(1));
    bool *other = memory_get_zeroed(n->labels.count + UINT64_C(1));
    bool can = mark(n, true, ending);
    mark(n, false, other);
    for (uint32_t a = 0; can && a < n->labels.count; a++)
        if (other[a] && !ending[a]) can = false;
    free(ending);
    free(other);
    return can;
}
