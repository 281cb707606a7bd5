/* Primitive processes.
 *
 * A node is a state in the making: it has edges, or it is an alias of another node. First every local process gets a
 * node for every value of its indices; then the nodes are filled, and what they lead to gets nodes too, until none is
 * left. Each label of a prefix leads to a node of its own. */
#include "fsp/process.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fsp/composite.h"
#include "fsp/relabel.h"
#include "minimize/qualities.h"

enum { NODE_STOP, NODE_END, NODE_ERROR, FIRST_NODE };

/* A node that is to be filled: with a body, or with an alternative from one of its actions on. */
struct work {
    uint32_t node;
    const struct body *body;
    const struct alternative *alternative; /* NULL: the body */
    const struct label *action;
    const struct binding *env;
};

struct build {
    struct maker *m;
    const struct definition *d;
    struct lts_builder b;
    struct names known; /* local processes with their indices: "P.1.2" */
    struct numbers node_of;
    uint32_t *alias; /* by node; LTS_NONE: it is a state */
    uint32_t nodes, room;
    struct work *work;
    size_t work_count, work_room;
    const struct local *local;    /* which is being declared */
    const struct work *expanding; /* whose action is being expanded */
    struct local_states *where;   /* to be filled; or NULL */
};

/* ---- Nodes and work ---- */

static uint32_t new_node(struct build *x) {
    if (x->nodes == x->room) {
        x->room = x->room ? x->room + x->room / 2 : 64;
        x->alias = memory_resize(x->alias, x->room * sizeof *x->alias);
    }
    x->alias[x->nodes] = LTS_NONE;
    return x->nodes++;
}

static bool check_size(struct build *x, struct place at) {
    const struct fsp_limits *limits = &x->m->file->limits;
    if (x->nodes > limits->process_states)
        return maker_problem(x->m, at, "%s has more than %u states", x->d->name, limits->process_states);
    if (x->b.count > limits->edges)
        return maker_problem(x->m, at, "%s has more than %llu edges", x->d->name, (unsigned long long)limits->edges);
    return maker_step(x->m, at);
}

static void add_work(struct build *x, struct work w) {
    if (x->work_count == x->work_room) {
        x->work_room = x->work_room ? 2 * x->work_room : 64;
        x->work = memory_resize(x->work, x->work_room * sizeof *x->work);
    }
    x->work[x->work_count++] = w;
}

/* ---- Local processes ---- */

static bool declare(void *context, const char *suffix, const struct binding *env) {
    struct build *x = context;
    char *name = text_format("%s%s", x->local->name, suffix);
    bool is_new = names_find(&x->known, name) == NAMES_NONE;
    names_add(&x->known, name);
    free(name);
    if (!is_new)
        return maker_problem(x->m, x->local->at, "%s%s is defined already in %s", x->local->name, suffix, x->d->name);
    uint32_t node = new_node(x);
    numbers_add(&x->node_of, node);
    add_work(x, (struct work){.node = node, .body = x->local->body, .env = env});
    return check_size(x, x->local->at);
}

static bool declare_all(struct build *x, const struct binding *env) {
    for (x->local = x->d->locals; x->local; x->local = x->local->next)
        if (!make_indices(x->m, env, x->local->indices, declare, x)) return false;
    return true;
}

/* "P" and "P[1][a]" for messages; the name in the table of local processes has dots. */
static bool reference_name(struct build *x, const struct body *b, const struct binding *env, char **name,
                           char **shown) {
    *name = arena_copy(&x->m->arena, b->name, strlen(b->name));
    *shown = *name;
    for (const struct argument *a = b->indices; a; a = a->next) {
        struct value v;
        if (!make_evaluate(x->m, env, a->value, &v)) return false;
        const char *text = make_value_text(x->m, v);
        char *longer = text_format("%s.%s", *name, text), *longer_shown = text_format("%s[%s]", *shown, text);
        *name = arena_copy(&x->m->arena, longer, strlen(longer));
        *shown = arena_copy(&x->m->arena, longer_shown, strlen(longer_shown));
        free(longer);
        free(longer_shown);
    }
    return true;
}

static bool reference(struct build *x, const struct body *b, const struct binding *env, uint32_t *node) {
    char *name, *shown;
    struct arena_mark mark = arena_mark(&x->m->arena);
    if (!reference_name(x, b, env, &name, &shown)) return false;
    uint32_t number = names_find(&x->known, name);
    *node = number == NAMES_NONE ? NODE_ERROR : (uint32_t)x->node_of.at[number];
    if (number == NAMES_NONE)
        maker_warning(x->m, b->at, "%s is not defined in %s, so it is ERROR%s", shown, x->d->name,
                      !b->indices && file_process(x->m->file, b->name)
                          ? "; other processes can be used before ';' and in composites only"
                          : "");
    arena_release(&x->m->arena, mark);
    return true;
}

/* ---- Sequences ---- */

/* A copy of the LTS whose end is the node; *entry is where it begins. */
static bool paste(struct build *x, const struct lts *l, uint32_t end, struct place at, uint32_t *entry) {
    uint32_t *node = memory_get(l->states * sizeof *node), *label = memory_get(l->labels.count * sizeof *label);
    for (uint32_t a = 0; a < l->labels.count; a++) label[a] = names_add(&x->b.labels, l->labels.text[a]);
    for (uint32_t s = 0; s < l->states; s++) node[s] = s == l->end ? end : s == l->error ? NODE_ERROR : new_node(x);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            lts_build_edge(&x->b, node[s], label[e->label], node[e->target]);
    *entry = node[l->initial];
    free(node);
    free(label);
    return check_size(x, at);
}

static const struct lts *called(struct build *x, const struct call *c, const struct binding *env) {
    const struct definition *d = file_process(x->m->file, c->name);
    const struct binding *inner;
    if (!d) {
        char *hint = file_hint(x->m->file, c->name);
        maker_problem(x->m, c->at, "there is no process %s%s", c->name, hint);
        free(hint);
        return NULL;
    }
    if (!make_parameters(x->m, env, d, c->arguments, c->at, &inner)) return NULL;
    const struct lts *l = make_process(x->m, d, inner, c->at);
    if (!l || l->end != LTS_NONE) return l;
    maker_problem(x->m, c->at, "%s cannot come before ';', because it never reaches END", c->name);
    return NULL;
}

/* From the last to the first: each ends where the one after it begins. */
static bool paste_calls(struct build *x, const struct call *first, const struct binding *env, uint32_t rest,
                        uint32_t *entry) {
    size_t count = 0;
    bool good = true;
    for (const struct call *c = first; c; c = c->next) count++;
    const struct call **calls = memory_get(count * sizeof(const struct call *));
    for (const struct call *c = first; c; c = c->next) calls[--count] = c;
    *entry = rest;
    for (const struct call *c = first; c && good; c = c->next) {
        const struct lts *l = called(x, calls[count], env);
        good = l && paste(x, l, *entry, calls[count]->at, entry);
        count++;
    }
    free(calls);
    return good;
}

/* ---- Filling ---- */

/* The node that the body is; a new one if it is no reference. */
static bool node_for(struct build *x, const struct body *b, const struct binding *env, uint32_t *node) {
    switch (b->kind) {
    case BODY_STOP: return *node = NODE_STOP, true;
    case BODY_END: return *node = NODE_END, true;
    case BODY_ERROR: return *node = NODE_ERROR, true;
    case BODY_REFERENCE: return reference(x, b, env, node);
    default:
        *node = new_node(x);
        add_work(x, (struct work){.node = *node, .body = b, .env = env});
        return true;
    }
}

/* One label of an action. */
static bool add_edge(void *context, const char *label, const struct binding *env) {
    struct build *x = context;
    const struct work *w = x->expanding;
    const struct label *next = w->action->next;
    assert(x->alias[w->node] == LTS_NONE); /* a node with edges is no alias */
    uint32_t target;
    if (next) {
        target = new_node(x);
        add_work(x, (struct work){target, NULL, w->alternative, next, env});
    } else if (!node_for(x, w->alternative->body, env, &target)) return false;
    lts_build_edge(&x->b, w->node, names_add(&x->b.labels, label), target);
    return check_size(x, w->action->at);
}

static bool expand_action(struct build *x, const struct work *w) {
    x->expanding = w;
    return make_labels(x->m, w->env, w->action, add_edge, x);
}

static bool fill_choice(struct build *x, const struct work *w, const struct body *b) {
    for (const struct alternative *a = b->alternatives; a; a = a->next) {
        bool holds = true;
        if (a->guard && !make_condition(x->m, w->env, a->guard, &holds)) return false;
        struct work first = {w->node, NULL, a, a->actions, w->env};
        if (holds && !expand_action(x, &first)) return false;
    }
    return true;
}

static bool fill_body(struct build *x, const struct work *w) {
    const struct body *b = w->body;
    assert(x->alias[w->node] == LTS_NONE); /* each node is filled once */
    uint32_t rest;
    while (b && b->kind == BODY_IF) {
        bool holds;
        if (!make_condition(x->m, w->env, b->condition, &holds)) return false;
        b = holds ? b->then : b->otherwise;
    }
    if (x->where && (!b || b->kind == BODY_STOP)) return true; /* a state that may have a meaning of its own */
    if (!b) return x->alias[w->node] = NODE_STOP, true;
    if (b->kind == BODY_CHOICE) return fill_choice(x, w, b);
    if (b->kind == BODY_SEQUENCE) {
        uint32_t entry;
        if (!node_for(x, b->then, w->env, &rest) || !paste_calls(x, b->calls, w->env, rest, &entry)) return false;
        x->alias[w->node] = entry;
        return true;
    }
    return node_for(x, b, w->env, &rest) && (x->alias[w->node] = rest, true);
}

static bool fill_all(struct build *x) {
    while (x->work_count > 0) {
        struct work w = x->work[--x->work_count];
        if (!(w.alternative ? expand_action(x, &w) : fill_body(x, &w))) return false;
    }
    return true;
}

/* ---- From nodes to states ---- */

/* Every alias becomes a state in the end; those in a circle are STOP. */
static void resolve_aliases(struct build *x) {
    uint32_t *stamp = memory_get_zeroed(x->nodes * sizeof *stamp);
    for (uint32_t i = FIRST_NODE; i < x->nodes; i++) {
        uint32_t last = i;
        while (x->alias[last] != LTS_NONE && stamp[last] != i) {
            stamp[last] = i;
            last = x->alias[last];
        }
        if (x->alias[last] != LTS_NONE) last = NODE_STOP;
        for (uint32_t n = i, next; x->alias[n] != LTS_NONE && n != last; n = next) {
            next = x->alias[n];
            x->alias[n] = last;
        }
    }
    free(stamp);
}

static uint32_t state_of(const struct build *x, uint32_t node) {
    assert(x->alias[node] == LTS_NONE || x->alias[x->alias[node]] == LTS_NONE); /* aliases lead to states at once */
    return x->alias[node] == LTS_NONE ? node : x->alias[node];
}

static void note_states(const struct build *x, struct local_states *where) {
    names_fini(&where->names);
    names_copy(&where->names, &x->known);
    where->state = memory_get(x->known.count * sizeof *where->state);
    for (uint32_t i = 0; i < x->known.count; i++) where->state[i] = state_of(x, (uint32_t)x->node_of.at[i]);
}

static void finish(struct build *x, struct lts *out) {
    resolve_aliases(x);
    if (x->where) note_states(x, x->where);
    assert(x->node_of.count == x->known.count && x->known.count > 0); /* the first one is the process itself */
    uint32_t initial = state_of(x, (uint32_t)x->node_of.at[0]);
    for (uint64_t i = 0; i < x->b.count; i++) {
        x->b.triples[i].source = state_of(x, x->b.triples[i].source);
        x->b.triples[i].target = state_of(x, x->b.triples[i].target);
    }
    if (initial == NODE_ERROR) {
        initial = new_node(x);
        lts_build_edge(&x->b, initial, LTS_TAU, NODE_ERROR);
    }
    x->b.states = x->nodes;
    x->b.initial = initial;
    x->b.end = NODE_END;
    x->b.error = NODE_ERROR;
    lts_build_finish(&x->b, out);
}

/* ---- What is written around the process ---- */

static void replace(struct lts *l, struct lts *by) {
    lts_fini(l);
    *l = *by;
}

static bool extend(struct build *x, const struct binding *env) {
    struct names more;
    names_init(&more);
    bool good = !x->d->extension || make_set(x->m, env, x->d->extension, &more);
    for (uint32_t i = 0; good && i < more.count; i++) names_add(&x->b.labels, more.text[i]);
    names_fini(&more);
    return good;
}

static bool map_labels(struct maker *m, const struct definition *d, label_map *map, void *context, struct lts *l) {
    struct lts changed;
    if (!relabel_lts(l, map, context, m->file->limits.edges, &changed))
        return maker_problem(m, d->at, "%s has more than %llu edges", d->name,
                             (unsigned long long)m->file->limits.edges);
    replace(l, &changed);
    return true;
}

static bool rename_labels(struct maker *m, const struct definition *d, const struct binding *env, struct lts *l) {
    struct renaming r;
    if (!d->relabels) return true;
    bool good = renaming_init(&r, m, env, d->relabels) && map_labels(m, d, renaming_map, &r, l);
    renaming_fini(&r);
    return good;
}

static bool hide_labels(struct maker *m, const struct definition *d, const struct binding *env, struct lts *l) {
    struct matcher k;
    if (!d->hidden) return true;
    bool good = matcher_init(&k, m, env, d->hidden);
    struct hiding h = {&k, d->hidden_rest};
    good = good && map_labels(m, d, hiding_map, &h, l);
    matcher_fini(&k);
    return good;
}

static bool complete(struct maker *m, const struct definition *d, struct lts *l) {
    struct lts reachable, whole;
    lts_reachable(l, &reachable);
    bool good = transform_nondeterminism(&reachable) == LTS_NONE;
    lts_fini(&reachable);
    if (!good)
        return maker_problem(
            m, d->at,
            "the property %s is not deterministic: after the same actions it can be in different states. "
            "A composite that contains it can be a property (property ||...), which makes it deterministic",
            d->name);
    transform_complete(l, &whole);
    replace(l, &whole);
    return true;
}

static bool qualify(struct maker *m, const struct definition *d, struct lts *l) {
    struct problem why = {0};
    struct lts changed;
    bool good = true;
    if (d->minimal && (good = transform_minimize(l, m->file->limits.effort, &changed, &why))) replace(l, &changed);
    if (good && d->deterministic &&
        (good = transform_determinize(l, m->file->limits.process_states, m->file->limits.effort, &changed, &why)))
        replace(l, &changed);
    if (!good) maker_problem(m, d->at, "%s: %s", d->name, why.text);
    problem_fini(&why);
    return good;
}

static bool finish_around(struct maker *m, const struct definition *d, const struct binding *env, bool whole,
                          struct lts *l) {
    struct lts changed;
    if (!rename_labels(m, d, env, l) || !hide_labels(m, d, env, l)) return false;
    if (d->property && !complete(m, d, l)) return false;
    if (whole) return true;
    lts_reachable(l, &changed);
    replace(l, &changed);
    return qualify(m, d, l);
}

static bool build_process(struct maker *m, const struct definition *d, const struct binding *env,
                          struct local_states *where, struct lts *out) {
    struct build x = {.m = m, .d = d, .where = where};
    lts_build(&x.b);
    names_init(&x.known);
    while (x.nodes < FIRST_NODE) new_node(&x);
    bool good = declare_all(&x, env) && fill_all(&x) && extend(&x, env);
    if (good) finish(&x, out);
    else {
        struct lts unfinished;
        lts_build_finish(&x.b, &unfinished);
        lts_fini(&unfinished);
    }
    names_fini(&x.known);
    numbers_fini(&x.node_of);
    free(x.alias);
    free(x.work);
    if (!good || finish_around(m, d, env, where != NULL, out)) return good;
    lts_fini(out);
    return false;
}

bool make_with_states(struct maker *m, const struct definition *d, const struct binding *env, struct lts *out,
                      struct local_states *where) {
    *where = (struct local_states){0};
    names_init(&where->names);
    if (build_process(m, d, env, where, out)) return true;
    names_fini(&where->names);
    free(where->state);
    return false;
}

/* ---- Processes that are made once ---- */

char *make_instance_name(struct maker *m, const struct definition *d, const struct binding *env) {
    char *values = memory_copy_string("");
    for (const struct binding *b = env; b; b = b->outer) { /* the last parameter is the first here */
        char *longer = text_format("%s%s%s", make_value_text(m, b->value), *values ? "," : "", values);
        free(values);
        values = longer;
    }
    char *name = *values ? text_format("%s(%s)", d->name, values) : text_format("%s", d->name);
    char *kept = arena_copy(&m->arena, name, strlen(name));
    free(values);
    free(name);
    return kept;
}

static uint32_t number_of(struct maker *m, const struct definition *d, const struct binding *env) {
    uint32_t known = m->made_names.count, number = names_add(&m->made_names, make_instance_name(m, d, env));
    if (number < known) return number;
    if (number >= m->made_room) {
        m->made_room = m->made_room ? 2 * m->made_room : 16;
        m->made = memory_resize(m->made, m->made_room * sizeof(struct made *));
    }
    m->made[number] = memory_get_zeroed(sizeof **m->made);
    return number;
}

static bool make(struct maker *m, const struct definition *d, const struct binding *env, struct lts *out) {
    switch (d->kind) {
    case DEFINITION_COMPOSITE: return make_composed(m, d, env, out);
    case DEFINITION_IMPORT: return make_import(m, d, out);
    default: return build_process(m, d, env, NULL, out);
    }
}

const struct lts *make_process(struct maker *m, const struct definition *d, const struct binding *env,
                               struct place at) {
    uint32_t number = number_of(m, d, env);
    struct made *made = m->made[number];
    if (made->done) return &made->lts;
    if (made->busy) {
        maker_problem(m, at, "%s would contain itself", m->made_names.text[number]);
        return NULL;
    }
    struct arena_mark mark = arena_mark(&m->arena);
    made->busy = true;
    if (!maker_enter(m, at) || !make(m, d, env, &made->lts)) return NULL;
    maker_leave(m);
    made->busy = false;
    made->done = true;
    arena_release(&m->arena, mark);
    return &made->lts;
}
