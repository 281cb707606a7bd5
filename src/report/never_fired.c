#include "report/never_fired.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { NAME = 128 };

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Of a network, an action may be several transitions: did none of them occur? By name. */
static bool occurred(const struct answer *a, struct ts *ts, struct ts_worker *w, uint32_t t) {
    char name[NAME], other[NAME];
    uint32_t k = 0;
    ts->ops->transition_name(w, t, name, sizeof name);
    for (uint32_t u = 0; u < ts->transitions; u++) {
        while (k < a->never_fired_count && a->never_fired[k] < u) k++;
        if (k < a->never_fired_count && a->never_fired[k] == u) continue;
        ts->ops->transition_name(w, u, other, sizeof other);
        if (strcmp(name, other) == 0) return true;
    }
    return false;
}

json_t *never_fired_json(const struct answer *a, struct ts *ts, struct ts_worker *w) {
    enum { MOST_NAMED = 4096 };
    if (!a->fired_known) return json_null();
    char **names = memory_get((a->never_fired_count + 1) * sizeof *names);
    uint32_t count = 0;
    bool network = ts->ops->takes_part != NULL;
    for (uint32_t k = 0; k < a->never_fired_count && count < MOST_NAMED; k++) {
        char name[NAME];
        if (network && occurred(a, ts, w, a->never_fired[k])) continue;
        ts->ops->transition_name(w, a->never_fired[k], name, sizeof name);
        names[count++] = memory_copy_string(name);
    }
    if (network) qsort(names, count, sizeof *names, compare_names);
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        if (!network || i == 0 || strcmp(names[i], names[i - 1]) != 0)
            json_array_append_new(list, execution_text(names[i]));
    }
    for (uint32_t i = 0; i < count; i++) free(names[i]);
    free(names);
    return list;
}

void never_fired_text(const struct answer *a, struct ts *ts, struct ts_worker *w, FILE *out) {
    enum { MOST = 8 };
    json_t *list = never_fired_json(a, ts, w), *one;
    size_t i, count = json_array_size(list);
    bool reduced = ts->reduction.stubborn || ts->reduction.symmetry;
    if (count > 0) fprintf(out, "never fired%s: ", reduced ? ", in the reduced state space" : "");
    json_array_foreach(list, i, one) if (i < MOST) fprintf(out, "%s%s", i ? ", " : "", json_string_value(one));
    if (count > MOST) fprintf(out, ", and %zu more", count - MOST);
    if (count > 0) fputc('\n', out);
    json_decref(list);
}
