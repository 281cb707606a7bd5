/* Fluents and assertions, as product.h of the search and ltl_formula.h of the automata want them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fsp/evaluate.h"
#include "fsp/syntax.h"

enum { LONGEST = 1 << 20 }; /* formula, in characters */

struct logic {
    struct maker *m;
    struct network *n;
    const struct definition *d; /* the fluent that is being made */
    FILE *out;                  /* the formula that is being made */
};

static bool print_formula(struct logic *x, const struct binding *env, const struct formula *f);

/* ---- Fluents ---- */

static const char *const *keep_names(struct logic *x, const struct names *names) {
    const char **list = arena_get(x->n->logic, (names->count + UINT64_C(1)) * sizeof *list);
    for (uint32_t i = 0; i < names->count; i++)
        list[i] = arena_copy(x->n->logic, names->text[i], strlen(names->text[i]));
    return list;
}

static struct ts_fluent *new_fluent(struct logic *x, const char *name) {
    struct network *n = x->n;
    n->fluents = memory_resize(n->fluents, (n->fluent_count + UINT64_C(1)) * sizeof *n->fluents);
    struct ts_fluent *f = &n->fluents[n->fluent_count++];
    *f = (struct ts_fluent){.name = arena_copy(n->logic, name, strlen(name))};
    return f;
}

static bool known_fluent(const struct network *n, const char *name) {
    for (uint32_t i = 0; i < n->fluent_count; i++)
        if (strcmp(n->fluents[i].name, name) == 0) return true;
    return false;
}

static bool actions_of(struct logic *x, const struct binding *env, const struct set *s, const char *const **list) {
    struct names set;
    names_init(&set);
    bool good = make_set(x->m, env, s, &set);
    if (good) *list = keep_names(x, &set);
    names_fini(&set);
    return good;
}

static bool add_fluent(void *context, const char *suffix, const struct binding *env) {
    struct logic *x = context;
    const struct definition *d = x->d;
    struct value initially = {NULL, 0};
    if (!maker_step(x->m, d->at)) return false;
    if (d->value && !make_evaluate(x->m, env, d->value, &initially)) return false;
    char *name = text_format("%s%s", d->name, suffix);
    struct ts_fluent *f = new_fluent(x, name);
    free(name);
    f->initially = initially.label || initially.number != 0;
    return actions_of(x, env, d->set, &f->begins) && actions_of(x, env, d->second_set, &f->ends);
}

static bool add_fluents(struct logic *x) {
    for (const struct definition *d = x->m->file->definitions; d; d = d->next) {
        x->d = d;
        if (d->kind == DEFINITION_FLUENT && !make_indices(x->m, NULL, d->indices, add_fluent, x)) return false;
    }
    return true;
}

/* ---- Formulas ---- */

static void print_name(struct logic *x, const char *name) {
    fputc('"', x->out);
    for (; *name; name++) {
        if (*name == '"' || *name == '\\') fputc('\\', x->out);
        fputc(*name, x->out);
    }
    fputc('"', x->out);
}

static bool collect(void *context, const char *label, const struct binding *env) {
    (void)env;
    names_add(context, label);
    return true;
}

/* One action is its own name; of several, any will do. */
static bool print_actions(struct logic *x, const struct binding *env, const struct formula *f) {
    struct names set;
    names_init(&set);
    bool good = make_labels(x->m, env, f->actions, collect, &set);
    if (good && set.count == 0) fputs("false", x->out);
    else if (good && set.count == 1) print_name(x, set.text[0]);
    else if (good) {
        char *name = text_format("{%s", set.text[0]);
        for (uint32_t i = 1; i < set.count; i++) {
            char *longer = text_format("%s,%s", name, set.text[i]);
            free(name);
            name = longer;
        }
        char *whole = text_format("%s}", name);
        if (!known_fluent(x->n, whole)) new_fluent(x, whole)->begins = keep_names(x, &set);
        if (strlen(whole) < 1000) print_name(x, whole);
        else good = maker_problem(x->m, f->at, "this formula names too many actions in one set");
        free(whole);
        free(name);
    }
    names_fini(&set);
    return good;
}

static const struct definition *find_logic(const struct maker *m, const char *name) {
    for (const struct definition *d = m->file->definitions; d; d = d->next)
        if ((d->kind == DEFINITION_FLUENT || d->kind == DEFINITION_ASSERT) && strcmp(d->name, name) == 0) return d;
    return NULL;
}

static bool print_fluent(struct logic *x, const struct binding *env, const struct formula *f) {
    char *name = memory_copy_string(f->name);
    bool good = true;
    for (const struct argument *a = f->subscripts; a && good; a = a->next) {
        struct value v;
        good = make_evaluate(x->m, env, a->value, &v);
        char *longer = good ? text_format("%s.%s", name, make_value_text(x->m, v)) : NULL;
        if (!good) break;
        free(name);
        name = longer;
    }
    if (good && !known_fluent(x->n, name)) good = maker_problem(x->m, f->at, "there is no fluent %s", name);
    if (good) print_name(x, name);
    free(name);
    return good;
}

static bool print_reference(struct logic *x, const struct binding *env, const struct formula *f) {
    const struct definition *d = find_logic(x->m, f->name);
    const struct binding *own;
    if (!d) return maker_problem(x->m, f->at, "there is no fluent and no assertion %s", f->name);
    if (d->kind == DEFINITION_FLUENT) return print_fluent(x, env, f);
    if (f->subscripts) return maker_problem(x->m, f->at, "the assertion %s has no indices", f->name);
    return make_parameters(x->m, env, d, f->arguments, f->at, &own) && print_formula(x, own, d->formula);
}

struct quantified {
    struct logic *x;
    const struct formula *f;
    bool any;
};

static bool print_instance(void *context, const char *suffix, const struct binding *env) {
    struct quantified *q = context;
    (void)suffix;
    if (q->any) fputs(q->f->kind == FORMULA_FORALL ? " & " : " | ", q->x->out);
    q->any = true;
    return print_formula(q->x, env, q->f->left);
}

static bool print_quantified(struct logic *x, const struct binding *env, const struct formula *f) {
    struct quantified q = {x, f, false};
    fputc('(', x->out);
    bool good = make_indices(x->m, env, f->indices, print_instance, &q);
    if (!q.any) fputs(f->kind == FORMULA_FORALL ? "true" : "false", x->out);
    fputc(')', x->out);
    return good;
}

static bool print_unary(struct logic *x, const struct binding *env, const struct formula *f, const char *sign) {
    fprintf(x->out, "%s(", sign);
    bool good = print_formula(x, env, f->left);
    fputc(')', x->out);
    return good;
}

static bool print_binary(struct logic *x, const struct binding *env, const struct formula *f, const char *sign) {
    fputc('(', x->out);
    bool good = print_formula(x, env, f->left);
    fprintf(x->out, " %s ", sign);
    good = good && print_formula(x, env, f->right);
    fputc(')', x->out);
    return good;
}

static bool print_rigid(struct logic *x, const struct binding *env, const struct formula *f) {
    bool holds;
    if (!make_condition(x->m, env, f->condition, &holds)) return false;
    fputs(holds ? "true" : "false", x->out);
    return true;
}

static bool print_kind(struct logic *x, const struct binding *env, const struct formula *f) {
    switch (f->kind) {
    case FORMULA_TRUE: return fputs("true", x->out), true;
    case FORMULA_FALSE: return fputs("false", x->out), true;
    case FORMULA_ACTIONS: return print_actions(x, env, f);
    case FORMULA_REFERENCE: return print_reference(x, env, f);
    case FORMULA_RIGID: return print_rigid(x, env, f);
    case FORMULA_NOT: return print_unary(x, env, f, "!");
    case FORMULA_NEXT: return print_unary(x, env, f, "X ");
    case FORMULA_ALWAYS: return print_unary(x, env, f, "[]");
    case FORMULA_EVENTUALLY: return print_unary(x, env, f, "<>");
    case FORMULA_UNTIL: return print_binary(x, env, f, "U");
    case FORMULA_WEAK_UNTIL: return print_binary(x, env, f, "W");
    case FORMULA_AND: return print_binary(x, env, f, "&");
    case FORMULA_OR: return print_binary(x, env, f, "|");
    case FORMULA_IMPLIES: return print_binary(x, env, f, "->");
    case FORMULA_EQUIVALENT: return print_binary(x, env, f, "<->");
    case FORMULA_FORALL:
    case FORMULA_EXISTS: return print_quantified(x, env, f);
    }
    return false;
}

static bool print_formula(struct logic *x, const struct binding *env, const struct formula *f) {
    if (ftell(x->out) > LONGEST) return maker_problem(x->m, f->at, "this formula is too long when it is written out");
    if (!maker_step(x->m, f->at) || !maker_enter(x->m, f->at)) return false;
    bool good = print_kind(x, env, f);
    maker_leave(x->m);
    return good;
}

/* ---- Assertions ---- */

static bool unknown_assertion(const struct maker *m, const char *name, struct problem *why) {
    struct names all;
    names_init(&all);
    for (const struct definition *d = m->file->definitions; d; d = d->next)
        if (d->kind == DEFINITION_ASSERT) names_add(&all, d->name);
    const char *near = text_nearest(name, (const char *const *)all.text, all.count);
    problem_set(why, EXIT_BAD_INPUT, "%s has no assertion '%s'%s%s%s", m->file->path, name,
                near        ? "; did you mean '"
                : all.count ? "; the first one is '"
                            : "; it has none at all",
                near        ? near
                : all.count ? all.text[0]
                            : "",
                near || all.count ? "'" : "");
    names_fini(&all);
    return false;
}

static bool add_assertion(struct logic *x, const char *name) {
    const struct definition *d = find_logic(x->m, name);
    const struct binding *env;
    char *text = NULL;
    size_t size = 0;
    if (!d || d->kind != DEFINITION_ASSERT) return unknown_assertion(x->m, name, x->m->why);
    if (!make_parameters(x->m, NULL, d, NULL, d->at, &env)) return false;
    x->out = open_memstream(&text, &size);
    bool good = print_formula(x, env, d->formula);
    fclose(x->out);
    if (good) {
        struct network *n = x->n;
        n->assertion = arena_get(n->logic, sizeof *n->assertion);
        *n->assertion =
            (struct ts_assertion){arena_copy(n->logic, name, strlen(name)), arena_copy(n->logic, text, size)};
    }
    free(text);
    return good;
}

bool fsp_logic(struct fsp_file *f, const char *assertion, struct network *n, struct problem *why) {
    struct maker m;
    maker_init(&m, f, why);
    struct logic x = {.m = &m, .n = n};
    n->logic = memory_get(sizeof *n->logic);
    arena_init(n->logic);
    bool good = add_fluents(&x) && (!assertion || add_assertion(&x, assertion));
    maker_fini(&m);
    return good;
}
