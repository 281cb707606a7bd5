#include <stdlib.h>

#include "check/audit/sample.h"

static void name_to(FILE *out, struct ts *ts, struct ts_worker *w, uint32_t t) {
    char name[128];
    ts->ops->transition_name(w, t, name, sizeof name);
    fprintf(out, "%u (%s)", t, name);
}

static void list_to(FILE *out, struct ts *ts, struct ts_worker *w, const char *what, const uint32_t *list,
                    uint32_t count) {
    fprintf(out, "; %s: ", what);
    if (!count) fputs("(empty)", out);
    for (uint32_t i = 0; i < count; i++) {
        if (i) fputs(", ", out);
        name_to(out, ts, w, list[i]);
    }
}

static void describe_set(FILE *out, struct ts *ts, struct ts_worker *w, const struct audit_finding *f) {
    uint32_t *list = memory_get(ts->transitions * sizeof(uint32_t)), count = 0;
    for (uint32_t t = 0; t < ts->transitions; t++)
        if (f->set[t]) list[count++] = t;
    list_to(out, ts, w, "set", list, count);
    list_to(out, ts, w, "word", f->outside, f->outside_count);
    free(list);
}

char *sample_describe(const struct sample *a, struct ts *ts, struct ts_worker *w) {
    const struct audit_finding *f = &a->finding;
    char *text = NULL;
    size_t size;
    struct ts_fault fault;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "%s: %s", ts->path, audit_text(f->fault));
    if (f->what) fprintf(out, ": %s", f->what);
    if (f->fault == AUDIT_MODEL) fprintf(out, ": %s: %s", f->model.where, f->model.text);
    fputs("; state: ", out);
    if (!ts->ops->print(w, a->state, NULL, out, &fault)) fprintf(out, "(%s: %s)", fault.where, fault.text);
    if (f->transition != TS_NONE) list_to(out, ts, w, "member", &f->transition, 1);
    if (f->other != TS_NONE) list_to(out, ts, w, f->fault == AUDIT_SUCCESSORS ? "successor" : "outside", &f->other, 1);
    if (f->set) describe_set(out, ts, w, f);
    fputs(" (all states: onager audit; to trust the rules: --no-audit)", out);
    fclose(out);
    return text;
}
