#include "check/product_answer.h"

#include <stdlib.h>

#include "base/text.h"

void watched_answer(struct answer *a, enum verdict verdict, char *message) {
    a->verdict = verdict;
    a->property = verdict == VERDICT_VIOLATED ? (enum property)a->checked : PROP_NONE;
    free(a->message);
    a->message = message;
}

void watched_fault(struct answer *a, struct ts *ts, struct ts_worker *w, const struct ts_fault *f) {
    char name[128] = "";
    if (f->transition != TS_NONE && f->transition < ts->transitions)
        ts->ops->transition_name(w, f->transition, name, sizeof name);
    char *where = *name ? text_format("%s in transition %u (%s)", f->where, f->transition, name)
                        : memory_copy_string(f->where ? f->where : "?");
    if (f->kind == TS_RAISED) {
        watched_answer(a, VERDICT_VIOLATED,
                       text_format("%s: %s (%s)", property_headline(PROP_MODEL_ERROR), f->text, where));
        a->property = PROP_MODEL_ERROR;
    } else {
        watched_answer(a, VERDICT_ERROR, text_format("%s: %s: %s", ts->path, where, f->text));
    }
    free(where);
}

void watched_counts(struct answer *a, const struct space *s) {
    a->states += s->states;
    a->edges += s->edges;
    if (space_depth(s) > a->depth) a->depth = space_depth(s);
    a->threads = s->team.size;
    a->store = s->store.kind;
    a->exact = a->exact && store_exact(&s->store);
    if (store_coverage(&s->store, s->states) > a->coverage) return; /* an earlier search has left out more */
    a->omitted = store_omitted(&s->store, s->states);
    a->coverage = store_coverage(&s->store, s->states);
}
