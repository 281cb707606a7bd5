/* Labels, sets and indices. */
#include "fsp/evaluate.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LONGEST = 2000 }; /* label, in characters */

/* ---- What an index runs over: numbers or labels ---- */

struct domain {
    bool numeric;
    int64_t low, high;
    struct names labels; /* only if not numeric */
};

static void domain_fini(struct domain *d) {
    if (!d->numeric) names_fini(&d->labels);
}

static uint64_t domain_size(const struct domain *d) {
    return d->numeric ? (uint64_t)d->high - (uint64_t)d->low + 1 : d->labels.count;
}

static struct value domain_value(struct maker *m, const struct domain *d, uint64_t i) {
    assert(i < domain_size(d));
    if (d->numeric) return (struct value){NULL, d->low + (int64_t)i};
    return value_of_label(arena_copy(&m->arena, d->labels.text[i], strlen(d->labels.text[i])));
}

static bool number_of(struct maker *m, const struct binding *env, const struct expression *e, int64_t *out) {
    struct value v = {0};
    if (!make_evaluate(m, env, e, &v)) return false;
    if (v.label) return maker_problem(m, e->at, "a bound of a range is a number, not the label %s", v.label);
    *out = v.number;
    return true;
}

static bool interval(struct maker *m, const struct binding *env, const struct range *r, struct domain *d) {
    d->numeric = true;
    if (!number_of(m, env, r->low, &d->low) || !number_of(m, env, r->high, &d->high)) return false;
    if (d->low > d->high)
        return maker_problem(m, r->at, "the range %" PRId64 "..%" PRId64 " is empty", d->low, d->high);
    if ((uint64_t)d->high - (uint64_t)d->low >= m->file->limits.labels)
        return maker_problem(m, r->at, "the range %" PRId64 "..%" PRId64 " has more than %u values", d->low, d->high,
                             m->file->limits.labels);
    return true;
}

static bool is_bound(const struct binding *env, const char *name) {
    for (; env; env = env->outer)
        if (strcmp(env->name, name) == 0) return true;
    return false;
}

static const struct names *worked_out_set(struct maker *m, const struct definition *d);

/* A name in the place of a range: a set, a range, or anything with one value. */
static bool named_domain(struct maker *m, const struct binding *env, const struct expression *e, struct domain *d) {
    const struct definition *known = is_bound(env, e->name) ? NULL : file_value(m->file, e->name);
    if (known && known->kind == DEFINITION_RANGE) return interval(m, NULL, known->range, d);
    if (known && known->kind == DEFINITION_SET) {
        const struct names *set = worked_out_set(m, known);
        if (!set) return false;
        d->numeric = false;
        names_copy(&d->labels, set);
        return true;
    }
    return false;
}

static bool single_value(struct maker *m, const struct binding *env, const struct expression *e, struct domain *d) {
    struct value v = {0};
    if (!make_evaluate(m, env, e, &v)) return false;
    *d = (struct domain){.numeric = !v.label, .low = v.number, .high = v.number};
    if (!v.label) return true;
    names_init(&d->labels);
    names_add(&d->labels, v.label);
    return true;
}

static bool is_collection(const struct maker *m, const struct binding *env, const char *name) {
    const struct definition *d = is_bound(env, name) ? NULL : file_value(m->file, name);
    return d && d->kind != DEFINITION_CONSTANT;
}

static bool domain_init(struct maker *m, const struct binding *env, const struct range *r, struct domain *d) {
    *d = (struct domain){.numeric = true};
    if (r->set) {
        d->numeric = false;
        names_init(&d->labels);
        return make_set(m, env, r->set, &d->labels);
    }
    if (r->high) return interval(m, env, r, d);
    if (r->low->kind == EXPRESSION_NAME && is_collection(m, env, r->low->name)) return named_domain(m, env, r->low, d);
    return single_value(m, env, r->low, d);
}

/* ---- Labels ---- */

struct walk {
    struct maker *m;
    struct place at;
    char *text;
    uint32_t visited;
    label_visitor *visit;
    void *context;
};

static bool walk_steps(struct walk *w, const struct label_step *s, size_t length, const struct binding *env);

static bool walk_on(struct walk *w, const struct label_step *s, size_t length, const char *text,
                    const struct binding *env) {
    size_t more = strlen(text), dot = length > 0;
    if (length + dot + more > LONGEST)
        return maker_problem(w->m, s->at, "this label would be longer than %d characters", LONGEST);
    if (dot) w->text[length] = '.';
    memcpy(w->text + length + dot, text, more + 1);
    return walk_steps(w, s->next, length + dot + more, env);
}

static bool walk_set(struct walk *w, const struct label_step *s, size_t length, const struct binding *env) {
    struct names set;
    names_init(&set);
    bool good = make_set(w->m, env, s->set, &set);
    for (uint32_t i = 0; good && i < set.count; i++) good = walk_on(w, s, length, set.text[i], env);
    names_fini(&set);
    return good;
}

static bool walk_index(struct walk *w, const struct label_step *s, size_t length, const struct binding *env) {
    struct domain d;
    bool good = domain_init(w->m, env, s->range, &d);
    for (uint64_t i = 0; good && i < domain_size(&d); i++) {
        struct value v = domain_value(w->m, &d, i);
        const struct binding *inner = s->name ? make_bind(w->m, env, s->at, s->name, v) : env;
        char number[24];
        if (!v.label) snprintf(number, sizeof number, "%" PRId64, v.number);
        good = (inner || !s->name) && walk_on(w, s, length, v.label ? v.label : number, inner);
    }
    domain_fini(&d);
    return good;
}

static bool walk_steps(struct walk *w, const struct label_step *s, size_t length, const struct binding *env) {
    if (!maker_step(w->m, w->at)) return false;
    if (!s) {
        assert(strlen(w->text) == length); /* steps replace what longer labels before have left behind */
        if (++w->visited > w->m->file->limits.labels)
            return maker_problem(w->m, w->at, "there are more than %u labels here", w->m->file->limits.labels);
        return w->visit(w->context, w->text, env);
    }
    switch (s->kind) {
    case STEP_NAME: return walk_on(w, s, length, s->name, env);
    case STEP_SET: return walk_set(w, s, length, env);
    case STEP_INDEX: return walk_index(w, s, length, env);
    }
    return false;
}

bool make_labels(struct maker *m, const struct binding *env, const struct label *l, label_visitor *visit,
                 void *context) {
    if (!maker_enter(m, l->at)) return false;
    struct walk w = {.m = m, .at = l->at, .text = memory_get(LONGEST + 1), .visit = visit, .context = context};
    bool good = walk_steps(&w, l->steps, 0, env);
    free(w.text);
    maker_leave(m);
    return good;
}

/* ---- Sets ---- */

struct collection {
    struct maker *m;
    struct place at;
    struct names *out;
};

static bool collect(void *context, const char *label, const struct binding *env) {
    struct collection *c = context;
    (void)env;
    names_add(c->out, label);
    if (c->out->count <= c->m->file->limits.labels) return true;
    return maker_problem(c->m, c->at, "this set has more than %u labels", c->m->file->limits.labels);
}

/* The labels of a set that is defined by itself; they do not depend on variables. */
static const struct names *worked_out_set(struct maker *m, const struct definition *d) {
    struct worked_out *w = work_out_begin(m, d);
    if (!w) return NULL;
    if (w->done) return &w->set;
    w->busy = true;
    names_init(&w->set);
    w->done = make_set(m, NULL, d->set, &w->set);
    w->busy = false;
    if (w->done) return &w->set;
    names_fini(&w->set);
    return NULL;
}

static bool named_set(struct maker *m, const struct binding *env, const struct set *s, struct names *out) {
    const struct expression name = {.at = s->at, .kind = EXPRESSION_NAME, .name = s->name};
    const struct range range = {.at = s->at, .low = &name};
    struct collection c = {m, s->at, out};
    struct domain d;
    if (!is_bound(env, s->name) && !file_value(m->file, s->name))
        return maker_problem(m, s->at, "there is no set %s", s->name);
    bool good = domain_init(m, env, &range, &d);
    for (uint64_t i = 0; good && i < domain_size(&d); i++)
        good = maker_step(m, s->at) && collect(&c, make_value_text(m, domain_value(m, &d, i)), env);
    domain_fini(&d);
    return good;
}

static bool whole_set(struct maker *m, const struct binding *env, const struct set *s, struct names *out) {
    struct collection c = {m, s->at, out};
    if (s->name) return named_set(m, env, s, out);
    for (const struct label *l = s->members; l; l = l->next)
        if (!make_labels(m, env, l, collect, &c)) return false;
    return true;
}

static bool difference(struct maker *m, const struct binding *env, const struct set *s, struct names *out) {
    struct names with, without;
    names_init(&with);
    names_init(&without);
    bool good = whole_set(m, env, s, &with) && make_set(m, env, s->without, &without);
    for (uint32_t i = 0; good && i < with.count; i++)
        if (names_find(&without, with.text[i]) == NAMES_NONE) names_add(out, with.text[i]);
    names_fini(&with);
    names_fini(&without);
    return good;
}

bool make_set(struct maker *m, const struct binding *env, const struct set *s, struct names *out) {
    if (!maker_enter(m, s->at)) return false;
    bool good = s->without ? difference(m, env, s, out) : whole_set(m, env, s, out);
    maker_leave(m);
    return good;
}

/* ---- Indices ---- */

static bool next_index(struct maker *m, const struct binding *env, const struct index *i, char *suffix,
                       index_visitor *visit, void *context) {
    struct domain d;
    size_t length = strlen(suffix);
    if (!maker_step(m, i ? i->at : (struct place){1, 1})) return false;
    if (!i) return visit(context, suffix, env);
    bool good = maker_enter(m, i->at);
    if (!good) return false;
    good = domain_init(m, env, i->range, &d);
    for (uint64_t n = 0; good && n < domain_size(&d); n++) {
        struct value v = domain_value(m, &d, n);
        const char *text = make_value_text(m, v);
        const struct binding *inner = i->variable ? make_bind(m, env, i->at, i->variable, v) : env;
        if (length + 1 + strlen(text) > LONGEST)
            good = maker_problem(m, i->at, "these indices have more than %d characters", LONGEST);
        else if (i->variable && !inner) good = false;
        else {
            suffix[length] = '.';
            memcpy(suffix + length + 1, text, strlen(text) + 1);
            good = next_index(m, inner, i->next, suffix, visit, context);
        }
    }
    domain_fini(&d);
    suffix[length] = 0;
    maker_leave(m);
    return good;
}

bool make_indices(struct maker *m, const struct binding *env, const struct index *i, index_visitor *visit,
                  void *context) {
    char *suffix = memory_get(LONGEST + 1);
    suffix[0] = 0;
    bool good = next_index(m, env, i, suffix, visit, context);
    free(suffix);
    return good;
}
