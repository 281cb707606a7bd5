/* Composites.
 *
 * What a named composite hides would be tau for those who use it. To compose it for that would cost what taking it
 * apart is to save, so its components go on synchronising on the label, under a name that no other has: an inner label.
 * That is the same, unless some components of the whole have an END and others not: then END depends on who is composed
 * with whom first, and on alphabets without what is hidden. If so, it is all done again with `compose_hidden`. */
#include "fsp/composite.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fsp/process.h"
#include "minimize/qualities.h"

struct scope {
    struct maker *m;
    struct pieces *out;
    const struct composite *now; /* for visitors */
    const struct binding *outer; /* what `now` is evaluated in */
};

static bool put(struct maker *m, const struct composite *c, const struct binding *env, struct pieces *out);

/* ---- Single components ---- */

bool make_piece(struct maker *m, const struct definition *d, const struct binding *env, struct place at,
                struct pieces *out) {
    const struct lts *made = make_process(m, d, env, at);
    struct lts l;
    if (!made) return false;
    if (out->count >= m->file->limits.components)
        return maker_problem(m, at, "there are more than %u components", m->file->limits.components);
    lts_copy(&l, made);
    if (l.end == l.initial) l.end = LTS_NONE;
    pieces_add(out, memory_copy_string(make_instance_name(m, d, env)), &l);
    return true;
}

/* ---- Named composites ---- */

struct inner {
    struct hiding hiding;
    uint32_t number;
};

static void inner_map(void *context, const char *label, struct names *images) {
    const struct inner *i = context;
    if (!hiding_hides(&i->hiding, label)) {
        names_add(images, label);
        return;
    }
    char *inner = text_format("~%u.%s", i->number, label);
    names_add(images, inner);
    free(inner);
}

static bool hide_inside(struct maker *m, const struct definition *d, const struct binding *env, struct pieces *p,
                        uint32_t from) {
    struct matcher k;
    if (!d->hidden) return true;
    m->hidden_inside = true;
    bool good = matcher_init(&k, m, env, d->hidden);
    struct inner inner = {{&k, d->hidden_rest}, ++m->inner};
    good = good && pieces_map(m, p, from, inner_map, &inner, d->at);
    matcher_fini(&k);
    return good;
}

static bool must_compose(const struct maker *m, const struct definition *d) {
    return d->priority || d->property || d->minimal || d->deterministic || (d->hidden && m->compose_hidden);
}

static bool put_named(struct maker *m, const struct definition *d, const struct binding *env, struct place at,
                      struct pieces *out) {
    uint32_t from = out->count;
    if (d->kind != DEFINITION_COMPOSITE || must_compose(m, d)) return make_piece(m, d, env, at, out);
    if (!maker_enter(m, at) || !put(m, d->composite, env, out) || !hide_inside(m, d, env, out, from)) return false;
    maker_leave(m);
    out->groups++;
    for (uint32_t i = from; i < out->count; i++) out->at[i].group = out->groups;
    return true;
}

static bool put_reference(struct maker *m, const struct composite *c, const struct binding *env, struct pieces *out) {
    const struct definition *d = file_process(m->file, c->name);
    const struct binding *inner;
    if (!d) {
        char *hint = file_hint(m->file, c->name);
        maker_problem(m, c->at, "there is no process %s%s", c->name, hint);
        free(hint);
        return false;
    }
    return make_parameters(m, env, d, c->arguments, c->at, &inner) && put_named(m, d, inner, c->at, out);
}

/* ---- Labels in front ---- */

static bool put_unlabelled(struct maker *m, const struct composite *c, const struct binding *env, struct pieces *out) {
    if (c->kind == COMPOSITE_REFERENCE) return put_reference(m, c, env, out);
    for (const struct composite *i = c->inner; i; i = i->next)
        if (!put(m, i, env, out)) return false;
    return true;
}

static bool add_prefix(struct maker *m, struct pieces *p, uint32_t from, const char *prefix, struct place at) {
    struct names one;
    names_init(&one);
    names_add(&one, prefix);
    bool good = pieces_map(m, p, from, prefix_map, &one, at);
    names_fini(&one);
    char *text = text_format("%s:", prefix);
    pieces_rename(p, from, text);
    free(text);
    return good;
}

static bool collect_prefix(void *context, const char *label, const struct binding *env) {
    (void)env;
    names_add(context, label);
    return true;
}

static bool share(struct maker *m, struct pieces *p, uint32_t from, const struct label *shared,
                  const struct binding *env) {
    struct names prefixes;
    names_init(&prefixes);
    bool good = make_labels(m, env, shared, collect_prefix, &prefixes);
    if (good && prefixes.count == 0) good = maker_problem(m, shared->at, "there is no label here to share with");
    good = good && pieces_map(m, p, from, prefix_map, &prefixes, shared->at);
    if (good) {
        char *text = text_format(prefixes.count == 1   ? "%s::"
                                 : prefixes.count == 2 ? "{%s,%s}::"
                                                       : "{%s,...,%s}::",
                                 prefixes.text[0], prefixes.text[prefixes.count - 1]);
        pieces_rename(p, from, text);
        free(text);
    }
    names_fini(&prefixes);
    return good;
}

/* One copy, with its prefix. */
static bool put_copy(void *context, const char *prefix, const struct binding *env) {
    struct scope *s = context;
    const struct composite *c = s->now;
    uint32_t from = s->out->count;
    bool good = maker_step(s->m, c->at) && put_unlabelled(s->m, c, env, s->out) &&
                (!prefix || add_prefix(s->m, s->out, from, prefix, c->at)) &&
                (!c->shared || share(s->m, s->out, from, c->shared, s->outer)) &&
                pieces_relabel(s->m, s->out, from, env, c->relabels);
    return good;
}

/* ---- All kinds ---- */

static bool put_value(void *context, const char *suffix, const struct binding *env) {
    struct scope *s = context;
    (void)suffix;
    return maker_step(s->m, s->now->at) && put(s->m, s->now->inner, env, s->out);
}

static bool put_condition(struct maker *m, const struct composite *c, const struct binding *env, struct pieces *out) {
    bool holds;
    if (!make_condition(m, env, c->condition, &holds)) return false;
    const struct composite *chosen = holds ? c->inner : c->otherwise;
    return !chosen || put(m, chosen, env, out);
}

static bool put(struct maker *m, const struct composite *c, const struct binding *env, struct pieces *out) {
    struct scope s = {m, out, c, env};
    bool good;
    if (!maker_step(m, c->at) || !maker_enter(m, c->at)) return false;
    switch (c->kind) {
    case COMPOSITE_FORALL: good = make_indices(m, env, c->indices, put_value, &s); break;
    case COMPOSITE_IF: good = put_condition(m, c, env, out); break;
    default: good = c->prefix ? make_labels(m, env, c->prefix, put_copy, &s) : put_copy(&s, NULL, env); break;
    }
    maker_leave(m);
    return good;
}

/* ---- The whole ---- */

/* Are there components with and without END? */
static bool is_mixed(const struct pieces *p) {
    bool with = false, without = false;
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->at[i].lts.end == LTS_NONE) without = true;
        else with = true;
    }
    return with && without;
}

bool make_pieces(struct maker *m, const struct definition *d, const struct binding *env, struct pieces *out) {
    bool outer_compose = m->compose_hidden, outer_hidden = m->hidden_inside;
    m->compose_hidden = m->hidden_inside = false;
    bool good = put(m, d->composite, env, out);
    if (good && m->hidden_inside && is_mixed(out)) {
        pieces_shrink(out, 0);
        m->compose_hidden = true;
        good = put(m, d->composite, env, out);
    }
    m->compose_hidden = outer_compose;
    m->hidden_inside = outer_hidden;
    if (good && out->count == 0) return maker_problem(m, d->at, "%s has no component", d->name);
    return good;
}

static bool set_priority(struct maker *m, const struct definition *d, const struct binding *env, struct network *n) {
    struct matcher k;
    if (!d->priority) return true;
    bool good = matcher_init(&k, m, env, d->priority);
    n->low = memory_get(n->labels.count * sizeof *n->low);
    for (uint32_t a = 0; a < n->labels.count; a++) {
        bool named = a != LTS_TAU && n->sight[a] != SIGHT_INNER && matcher_matches(&k, n->labels.text[a]);
        n->low[a] = named != d->priority_high;
    }
    matcher_fini(&k);
    return good;
}

bool make_sight(struct maker *m, const struct definition *d, const struct binding *env, struct network *n) {
    struct matcher k;
    if (!set_priority(m, d, env, n)) return false;
    if (!d->hidden) return true;
    bool good = matcher_init(&k, m, env, d->hidden);
    struct hiding h = {&k, d->hidden_rest};
    for (uint32_t a = 1; a < n->labels.count; a++)
        if (n->sight[a] != SIGHT_INNER && hiding_hides(&h, n->labels.text[a])) n->sight[a] = SIGHT_HIDDEN;
    matcher_fini(&k);
    return good;
}

unsigned composite_qualities(const struct definition *d) {
    return (d->property ? TS_PROPERTY : 0U) | (d->minimal ? TS_MINIMAL : 0U) |
           (d->deterministic ? TS_DETERMINISTIC : 0U);
}

static bool qualify(struct maker *m, const struct definition *d, struct lts *l) {
    struct problem why = {0};
    bool good =
        transform_qualify(composite_qualities(d), m->file->limits.process_states, m->file->limits.effort, l, &why);
    if (!good) maker_problem(m, d->at, "%s: %s", d->name, why.text);
    problem_fini(&why);
    return good;
}

static bool compose(struct maker *m, const struct definition *d, const struct network *n, struct lts *out) {
    struct problem why = {0};
    bool good = network_compose_within(n, true, m->file->limits.composed_states, m->file->limits.effort, out, &why);
    if (!good) maker_problem(m, d->at, "%s must be composed before it can be used, but: %s", d->name, why.text);
    problem_fini(&why);
    return good;
}

bool make_composed(struct maker *m, const struct definition *d, const struct binding *env, struct lts *out) {
    struct pieces p;
    struct network n;
    pieces_init(&p);
    bool good = make_pieces(m, d, env, &p);
    if (good) {
        pieces_network(&p, &n);
        good = make_sight(m, d, env, &n) && compose(m, d, &n, out);
        network_fini(&n);
        if (good && !qualify(m, d, out)) {
            lts_fini(out);
            good = false;
        }
    }
    pieces_fini(&p);
    return good;
}
