#include "fsp/evaluate.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- Values ---- */

static struct value number(int64_t n) { return (struct value){NULL, n}; }

struct value value_of_label(const char *label) {
    int64_t n;
    if (text_to_int(label, INT64_MIN, INT64_MAX, &n)) return number(n);
    return (struct value){label, 0};
}

char *make_value_text(struct maker *m, struct value v) {
    if (v.label) return arena_copy(&m->arena, v.label, strlen(v.label));
    char text[24];
    int length = snprintf(text, sizeof text, "%" PRId64, v.number);
    return arena_copy(&m->arena, text, (size_t)length);
}

const struct binding *make_bind(struct maker *m, const struct binding *env, struct place at, const char *name,
                                struct value value) {
    for (const struct binding *b = env; b; b = b->outer)
        if (strcmp(b->name, name) == 0) {
            maker_problem(m, at, "the index variable %s is defined already where this is; choose another name", name);
            return NULL;
        }
    struct binding *b = arena_get(&m->arena, sizeof *b);
    *b = (struct binding){env, name, value};
    return b;
}

void worked_out_fini(struct worked_out *w) {
    if (w) names_fini(&w->set);
}

/* ---- Names ---- */

static const struct ts_parameter *override_of(const struct fsp_file *f, const char *name) {
    for (uint32_t i = 0; i < f->override_count; i++)
        if (strcmp(f->overrides[i].name, name) == 0) return &f->overrides[i];
    return NULL;
}

struct worked_out *work_out_begin(struct maker *m, const struct definition *d) {
    struct definition *known = (struct definition *)d;
    if (!known->worked_out) known->worked_out = arena_get(&m->file->arena, sizeof *known->worked_out);
    if (!known->worked_out->busy) return known->worked_out;
    maker_problem(m, d->at, "%s is defined by itself", d->name);
    return NULL;
}

static bool constant(struct maker *m, const struct definition *d, struct value *out) {
    struct worked_out *w = work_out_begin(m, d);
    const struct ts_parameter *o = override_of(m->file, d->name);
    if (!w) return false;
    if (!w->done) {
        w->busy = true;
        if (o) w->value = number(o->value);
        else if (!make_evaluate(m, NULL, d->value, &w->value)) return w->busy = false;
        /* It must outlive the maker. */
        if (w->value.label) w->value.label = arena_copy(&m->file->arena, w->value.label, strlen(w->value.label));
        w->busy = false;
        w->done = true;
    }
    *out = w->value;
    return true;
}

static bool look_up(struct maker *m, const struct binding *env, const struct expression *e, struct value *out) {
    for (; env; env = env->outer)
        if (strcmp(env->name, e->name) == 0) return *out = env->value, true;
    const struct definition *d = file_value(m->file, e->name);
    if (d && d->kind == DEFINITION_CONSTANT) return constant(m, d, out);
    if (d)
        return maker_problem(m, e->at, "%s is a %s; an expression needs a single value", e->name,
                             d->kind == DEFINITION_SET ? "set" : "range");
    return maker_problem(m, e->at, "there is no variable, parameter or constant %s here", e->name);
}

/* ---- Operators ---- */

static bool overflow(struct maker *m, const struct expression *e) {
    return maker_problem(m, e->at, "the result of '%s' is too large", token_text((enum token_kind)e->op));
}

static bool divide(struct maker *m, const struct expression *e, int64_t a, int64_t b, int64_t *r) {
    assert(e->op == TOKEN_SLASH || e->op == TOKEN_PERCENT); /* calculate knows all others */
    if (b == 0) return maker_problem(m, e->at, "division by zero");
    if (b == -1 && a == INT64_MIN) return overflow(m, e);
    *r = e->op == TOKEN_SLASH ? a / b : a % b;
    return true;
}

static bool shift(struct maker *m, const struct expression *e, int64_t a, int64_t b, int64_t *r) {
    if (b < 0 || b > 31)
        return maker_problem(m, e->at, "a number can be shifted by 0 to 31 places, not by %" PRId64, b);
    if (e->op == TOKEN_SHIFT_RIGHT) return *r = a >> b, true;
    return __builtin_mul_overflow(a, INT64_C(1) << b, r) ? overflow(m, e) : true;
}

static bool calculate(struct maker *m, const struct expression *e, int64_t a, int64_t b, int64_t *r) {
    switch (e->op) {
    case TOKEN_BAR: return *r = a | b, true;
    case TOKEN_CARET: return *r = a ^ b, true;
    case TOKEN_AND: return *r = a & b, true;
    case TOKEN_LESS: return *r = a < b, true;
    case TOKEN_LESS_EQUAL: return *r = a <= b, true;
    case TOKEN_GREATER: return *r = a > b, true;
    case TOKEN_GREATER_EQUAL: return *r = a >= b, true;
    case TOKEN_SHIFT_LEFT:
    case TOKEN_SHIFT_RIGHT: return shift(m, e, a, b, r);
    case TOKEN_PLUS: return __builtin_add_overflow(a, b, r) ? overflow(m, e) : true;
    case TOKEN_MINUS: return __builtin_sub_overflow(a, b, r) ? overflow(m, e) : true;
    case TOKEN_STAR: return __builtin_mul_overflow(a, b, r) ? overflow(m, e) : true;
    default: return divide(m, e, a, b, r);
    }
}

static bool equal(struct value a, struct value b) {
    if (!a.label != !b.label) return false;
    return a.label ? strcmp(a.label, b.label) == 0 : a.number == b.number;
}

static bool needs_number(struct maker *m, const struct expression *e, struct value v) {
    if (!v.label) return true;
    return maker_problem(m, e->at,
                         "this is the label %s, where a number is needed; labels can be compared with == and != only",
                         v.label);
}

static bool logical(struct maker *m, const struct binding *env, const struct expression *e, struct value *out) {
    bool left, right;
    if (!make_condition(m, env, e->left, &left)) return false;
    *out = number(left);
    if (left == (e->op == TOKEN_BARS)) return true; /* the other side may make no sense */
    if (!make_condition(m, env, e->right, &right)) return false;
    *out = number(right);
    return true;
}

static bool binary(struct maker *m, const struct binding *env, const struct expression *e, struct value *out) {
    struct value a = {0}, b = {0};
    if (e->op == TOKEN_BARS || e->op == TOKEN_ANDS) return logical(m, env, e, out);
    if (!make_evaluate(m, env, e->left, &a) || !make_evaluate(m, env, e->right, &b)) return false;
    if (e->op == TOKEN_EQUAL || e->op == TOKEN_UNEQUAL) {
        *out = number(equal(a, b) == (e->op == TOKEN_EQUAL));
        return true;
    }
    *out = number(0);
    if (!needs_number(m, e->left, a) || !needs_number(m, e->right, b)) return false;
    return calculate(m, e, a.number, b.number, &out->number);
}

static bool unary(struct maker *m, const struct binding *env, const struct expression *e, struct value *out) {
    if (!make_evaluate(m, env, e->left, out) || !needs_number(m, e->left, *out)) return false;
    if (e->op == TOKEN_NOT) *out = number(!out->number);
    if (e->op == TOKEN_MINUS && __builtin_sub_overflow(0, out->number, &out->number)) return overflow(m, e);
    return true;
}

/* ---- Labels and sets as values ---- */

struct single {
    struct maker *m;
    const char *label;
    unsigned count;
};

static bool keep(void *context, const char *label, const struct binding *env) {
    struct single *s = context;
    (void)env;
    if (s->count++ == 0) s->label = arena_copy(&s->m->arena, label, strlen(label));
    return true;
}

static bool label_value(struct maker *m, const struct binding *env, const struct expression *e, struct value *out) {
    struct single s = {.m = m};
    if (!make_labels(m, env, e->label, keep, &s)) return false;
    if (s.count != 1) return maker_problem(m, e->at, "one label is needed here; these are %u", s.count);
    *out = value_of_label(s.label);
    return true;
}

static bool element(struct maker *m, const struct binding *env, const struct expression *e, struct value *out) {
    struct names set;
    struct value index = {0};
    bool good;
    if (!make_evaluate(m, env, e->left, &index) || !needs_number(m, e->left, index)) return false;
    names_init(&set);
    good = make_set(m, env, e->set, &set);
    if (good && (index.number < 0 || index.number >= set.count))
        good = maker_problem(m, e->at, "the set has %u elements, numbered from 0; there is no element %" PRId64,
                             set.count, index.number);
    if (good) {
        const char *label = set.text[index.number];
        *out = value_of_label(arena_copy(&m->arena, label, strlen(label)));
    }
    names_fini(&set);
    return good;
}

static bool size_of_set(struct maker *m, const struct binding *env, const struct expression *e, struct value *out) {
    struct names set;
    names_init(&set);
    bool good = make_set(m, env, e->set, &set);
    *out = number(set.count);
    names_fini(&set);
    return good;
}

/* ---- Expressions ---- */

static bool evaluate(struct maker *m, const struct binding *env, const struct expression *e, struct value *out) {
    switch (e->kind) {
    case EXPRESSION_NUMBER: return *out = number(e->number), true;
    case EXPRESSION_NAME: return look_up(m, env, e, out);
    case EXPRESSION_LABEL: return label_value(m, env, e, out);
    case EXPRESSION_SIZE: return size_of_set(m, env, e, out);
    case EXPRESSION_ELEMENT: return element(m, env, e, out);
    case EXPRESSION_UNARY: return unary(m, env, e, out);
    case EXPRESSION_BINARY: return binary(m, env, e, out);
    }
    return false;
}

bool make_evaluate(struct maker *m, const struct binding *env, const struct expression *e, struct value *out) {
    if (!maker_step(m, e->at) || !maker_enter(m, e->at)) return false;
    bool good = evaluate(m, env, e, out);
    maker_leave(m);
    return good;
}

bool make_condition(struct maker *m, const struct binding *env, const struct expression *e, bool *out) {
    struct value v = {0};
    if (!make_evaluate(m, env, e, &v) || !needs_number(m, e, v)) return false;
    *out = v.number != 0;
    return true;
}

/* ---- Parameters ---- */

bool make_parameters(struct maker *m, const struct binding *env, const struct definition *d,
                     const struct argument *arguments, struct place at, const struct binding **out) {
    const struct argument *a = arguments;
    unsigned given = 0, wanted = 0;
    for (const struct argument *i = arguments; i; i = i->next) given++;
    for (const struct parameter *p = d->parameters; p; p = p->next) wanted++;
    if (given != 0 && given != wanted)
        return maker_problem(m, at,
                             "%s has %u parameters, but %u are given; give all of them, or none for the defaults",
                             d->name, wanted, given);
    *out = NULL;
    for (const struct parameter *p = d->parameters; p; p = p->next) {
        struct value v;
        /* A default may use the parameters before it. */
        if (!(a ? make_evaluate(m, env, a->value, &v) : make_evaluate(m, *out, p->value, &v))) return false;
        if (!(*out = make_bind(m, *out, p->at, p->name, v))) return false;
        if (a) a = a->next;
    }
    return true;
}
