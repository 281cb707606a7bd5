/* The strict build, held against random models that are known to be right or wrong.
 *
 * A random model has random variables and random transitions that stay within them, written in many of the ways in
 * which C reads and stores. In states with armed = 0 that is all: no transition may be accused of anything, and the
 * strict build must make the successors that the ordinary one makes. With armed = 1, each transition makes one planted
 * mistake, of which variable, index, value and line are known, and must be told. STRICT_MODELS=n in the environment
 * makes n models. */
#include "unit.h"

#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/c/c_model.h"
#include "model/c/c_model_parts.h"

enum { MOST_VARIABLES = 8, TRANSITIONS = 40, STATES = 24 };

struct variable {
    char name[16], spec[32];
    int bits, length; /* 0: a scalar */
    int64_t low, high;
    const char *type; /* that the ordinary build gives it */
    unsigned type_bits;
};

struct random_model {
    struct variable variables[MOST_VARIABLES];
    int count;
    bool layout; /* some code knows how states are laid out */
    char *text;
    size_t length;
    FILE *out;
    unsigned line;
    char *expected[TRANSITIONS]; /* a part of the message, if armed */
    char path[128];
};

static int pick(int n) { return (int)(random_word() % (uint64_t)n); }

/* ---- Making a model ---- */

__attribute__((format(printf, 2, 3))) static void put(struct random_model *m, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fputs(text, m->out);
    for (const char *p = text; *p; p++) m->line += *p == '\n';
}

static void make_variable(struct variable *v, int number) {
    static const int widths[] = {1, 2, 3, 5, 7, 8, 9, 12, 15, 16, 20, 31, 33, 40};
    int kind = pick(3), bits = widths[pick(COUNT(widths))];
    snprintf(v->name, sizeof v->name, "v%d", number);
    v->low = 0;
    v->high = ((int64_t)1 << bits) - 1;
    snprintf(v->spec, sizeof v->spec, "%d", bits);
    if (kind == 1) {
        bits = bits < 2 ? 2 : bits > 20 ? 20 : bits;
        v->low = -((int64_t)1 << (bits - 1));
        v->high = -v->low - 1;
        snprintf(v->spec, sizeof v->spec, "SIGNED(%d)", bits);
    } else if (kind == 2) {
        bits = bits > 20 ? 20 : bits;
        v->high = ((int64_t)1 << (bits - 1)) + pick(1 << (bits - 1));
        snprintf(v->spec, sizeof v->spec, "UPTO(%lld)", (long long)v->high);
    }
    v->bits = bits;
    v->length = pick(3) == 0 ? 0 : 1 + pick(9);
    v->type_bits = bits < 8 ? 8 : bits < 16 ? 16 : bits < 32 ? 32 : 64;
    v->type = kind == 1   ? (bits < 8    ? "int8_t"
                             : bits < 16 ? "int16_t"
                                         : "int")
              : bits < 8  ? "uint8_t"
              : bits < 16 ? "uint16_t"
              : bits < 32 ? "unsigned"
                          : "uint64_t";
}

static const struct variable *any(const struct random_model *m) { return &m->variables[pick(m->count)]; }

/* An array; or NULL, if there is none. */
static const struct variable *any_array(const struct random_model *m) {
    for (int i = 0; i < 50; i++) {
        const struct variable *v = any(m);
        if (v->length) return v;
    }
    return NULL;
}

/* An element of a variable, as an lvalue of `s`, with an index that is within it. */
static void put_element(struct random_model *m, const struct variable *v, const char *s, int depth);

/* An expression of type uint64_t. */
static void put_value(struct random_model *m, const char *s, int depth) {
    switch (depth > 2 ? pick(3) : pick(8)) {
    case 0: put(m, "%dull", pick(300)); break;
    case 1: put(m, "(uint64_t)t"); break;
    case 2: {
        const struct variable *v = any(m);
        put(m, "(uint64_t)%s->%s", s, v->name);
        if (v->length) put(m, "[%d]", pick(v->length));
        break;
    }
    case 3:
    case 4:
        put(m, "(uint64_t)");
        put_element(m, any(m), s, depth);
        break;
    case 5:
        put(m, "helper(*%s, (unsigned)(", s);
        put_value(m, s, depth + 1);
        put(m, "))");
        break;
    default:
        put(m, "(");
        put_value(m, s, depth + 1);
        put(m, " %c ", "+-*^&|"[pick(6)]);
        put_value(m, s, depth + 1);
        put(m, ")");
    }
}

static void put_element(struct random_model *m, const struct variable *v, const char *s, int depth) {
    put(m, "%s->%s", s, v->name);
    if (!v->length) return;
    put(m, "[(");
    put_value(m, s, depth + 1);
    put(m, ") %% %d]", v->length);
}

/* A value that fits v. */
static void put_fitting(struct random_model *m, const struct variable *v, const char *s) {
    put(m, "(int64_t)((");
    put_value(m, s, 0);
    put(m, ") %% %lluull)", (unsigned long long)(v->high - v->low) + 1);
    if (v->low) put(m, " + (%lldll)", (long long)v->low);
}

static void put_store(struct random_model *m, const struct variable *v, const char *s, const char *indent) {
    put(m, "%s", indent);
    put_element(m, v, s, 1);
    put(m, " = ");
    put_fitting(m, v, s);
    put(m, ";\n");
}

/* Statements that only work with the model's own types. */
static void put_layout(struct random_model *m) {
    const struct variable *a = any_array(m);
    if (!a) return;
    if (a->type_bits == 32 && a->low == 0) { /* modulo 2^32, which is no loss */
        put(m, "    if (s->%s[0] > 0) { s->%s[0] += -1u; s->%s[0] = s->%s[0] * 0x10001u %% 2; }\n", a->name, a->name,
            a->name, a->name);
    } else if (a->type_bits == 8 && pick(2)) {
        if (pick(2)) put(m, "    memset(s->%s, 1, sizeof s->%s);\n", a->name, a->name);
        else put(m, "    for (unsigned i = 0; i < sizeof s->%s; i++) s->%s[i] = 0;\n", a->name, a->name);
    } else if (pick(2)) {
        put(m, "    { %s *p = s->%s; for (int i = 0; i < %d; i++) if (p[i] == 1) p[i] = 0; }\n", a->type, a->name,
            a->length);
    } else {
        put(m, "    { %s copy[%d]; memcpy(copy, s->%s, %u); memcpy(s->%s, copy, sizeof copy); }\n", a->type, a->length,
            a->name, (unsigned)a->length * a->type_bits / 8, a->name);
    }
}

static void put_statement(struct random_model *m) {
    const struct variable *a = any_array(m), *v = any(m);
    switch (pick(m->layout ? 12 : 10)) {
    case 0:
        put(m, "    if ((");
        put_value(m, "s", 1);
        put(m, ") %% 3 == 0) {\n");
        put_store(m, v, "s", "        ");
        put(m, "    }\n");
        break;
    case 1:
        put(m, "    { state copy = *s, *c = &copy; \n");
        put_store(m, v, "c", "      ");
        put(m, "      *s = *c; }\n");
        break;
    case 2:
        if (a) put(m, "    memset(s->%s, 0, sizeof s->%s);\n", a->name, a->name);
        break;
    case 3:
        if (a)
            put(m, "    { __auto_type p = &s->%s[0]; for (int i = 0; i < %d; i++) if (p[i] > 1) p[i]--; }\n", a->name,
                a->length);
        break;
    case 4:
        if (a)
            put(m,
                "    { state other = {0}; memcpy(other.%s, s->%s, sizeof s->%s); memmove(s->%s, other.%s, sizeof "
                "s->%s); }\n",
                a->name, a->name, a->name, a->name, a->name, a->name);
        break;
    case 5:
        if (a) {
            put(m, "    for (unsigned i = 0; i < sizeof s->%s / sizeof s->%s[0]; i++) s->%s[i] = ", a->name, a->name,
                a->name);
            put_fitting(m, a, "s");
            put(m, ";\n");
        }
        break;
    case 6:
        put(m, "    if (");
        put_element(m, v, "s", 1);
        put(m, " < %lldll) ", (long long)v->high);
        put(m, "{ __typeof__(&s->%s%s) q = &s->%s%s; if (*q < %lldll) ++*q; }\n", v->name, v->length ? "[0]" : "",
            v->name, v->length ? "[0]" : "", (long long)v->high);
        break;
    case 10:
    case 11: put_layout(m); break;
    default: put_store(m, v, "s", "    ");
    }
}

/* ---- Mistakes ---- */

static void must_tell(struct random_model *m, int t, const char *format, ...) {
    char what[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    m->expected[t] = text_format("%s (%s:%u", what, text_file_name(m->path), m->line);
}

static void must_tell_value(struct random_model *m, int t, const struct variable *v, int index, int64_t value) {
    char element[24] = "";
    if (v->length) snprintf(element, sizeof element, "[%d]", index);
    must_tell(m, t, "the value %lld was stored in %s%s, which is declared as %s: %lld to %lld", (long long)value,
              v->name, element, v->spec, (long long)v->low, (long long)v->high);
}

/* A value that does not fit, computed so that no compiler sees that; perhaps one that C cuts off. */
static void plant_value(struct random_model *m, int t) {
    const struct variable *v = any(m);
    int index = v->length ? pick(v->length) : 0;
    bool narrow = v->type_bits < 64 && !m->layout, comes_back = pick(2);
    int64_t value = v->high + 1 + pick(3);
    if (narrow && pick(2))
        value = pick(2) ? v->high + ((int64_t)1 + pick(3)) * ((int64_t)1 << v->type_bits) : v->low - 1 - pick(9);
    char name[24];
    snprintf(name, sizeof name, v->length ? "%s[%d]" : "%s", v->name, index);
    /* Without a wide build, what the type cannot hold is not known. */
    put(m, "        s->%s = (int64_t)(t + %lldll);", name, (long long)value - t);
    must_tell_value(m, t, v, index, value);
    put(m, "\n");
    if (comes_back) put(m, "        s->%s = %lldll + (t > 9999);\n", name, (long long)v->high - 1);
}

static void plant_index(struct random_model *m, int t) {
    const struct variable *a = any_array(m);
    if (!a) return plant_value(m, t);
    int beyond = a->length + pick(8), before = -1 - pick(8), index = pick(2) ? beyond : before;
    const char *s = a->length == 1 ? "" : "s";
    switch (pick(4)) {
    case 0:
        put(m, "        s->%s[(int)t + (%d)] = 0;", a->name, index - t);
        must_tell(m, t, "index %d of the array %s, which has %d element%s", index, a->name, a->length, s);
        break;
    case 1:
        put(m, "        { __auto_type p = s->%s + 0; p[(int)t + (%d)] = 1; }", a->name, index - t);
        must_tell(m, t, "a store at index %d of the array %s, which has %d element%s", index, a->name, a->length, s);
        break;
    case 2:
        put(m, "        { __auto_type p = s->%s + 0; if (p[(int)t + (%d)] == 77) return false; }", a->name, index - t);
        must_tell(m, t, "a load at index %d of the array %s, which has %d element%s", index, a->name, a->length, s);
        break;
    default:
        put(m, "        memset(s->%s, 0, sizeof s->%s + 1 + t %% 9);", a->name, a->name);
        must_tell(m, t, "a store at index %d of the array %s, which has %d element%s", a->length, a->name, a->length,
                  s);
    }
    put(m, "\n");
}

static void plant(struct random_model *m, int t) {
    put(m, "    if (s->armed) {\n");
    switch (pick(6)) {
    case 0:
        put(m, "        memset(s + 1, 0, 1 + t %% 30);");
        must_tell(m, t, "a store behind the state");
        put(m, "\n");
        break;
    case 1:
    case 2:
    case 3: plant_value(m, t); break;
    default: plant_index(m, t);
    }
    put(m, "    }\n");
}

static void make_model(struct random_model *m, int number, bool layout) {
    *m = (struct random_model){.count = 3 + pick(MOST_VARIABLES - 3), .line = 1, .layout = layout};
    snprintf(m->path, sizeof m->path, "%s/strict-%ld-%d.c", files_temporary_folder(), (long)getpid(), number);
    m->out = open_memstream(&m->text, &m->length);
    for (int i = 0; i < m->count; i++) make_variable(&m->variables[i], i);
    put(m, "#include <onager.h>\n#define STATE(var, array) var(1, armed)");
    for (int i = 0; i < m->count; i++) {
        const struct variable *v = &m->variables[i];
        if (v->length) put(m, " array(%s, %s, %d)", v->spec, v->name, v->length);
        else put(m, " var(%s, %s)", v->spec, v->name);
    }
    put(m, "\nDEFINE_STATE(STATE)\n__attribute__((noinline, unused)) static uint64_t helper(state c, unsigned i) {\n");
    const struct variable *v = any(m);
    if (v->length) put(m, "    return (uint64_t)c.%s[i %% %d] + i;\n}\n", v->name, v->length);
    else put(m, "    return (uint64_t)c.%s + i;\n}\n", v->name);
    for (int t = 0; t < TRANSITIONS; t++) {
        put(m, "__attribute__((noinline)) static bool t%d(state *s, unsigned t) {\n", t);
        put(m, "    if ((%d + ", pick(99));
        put_value(m, "s", 0);
        put(m, ") %% 7 == 0 && !s->armed) return false;\n");
        plant(m, t);
        for (int i = pick(4) + 1; i > 0; i--) put_statement(m);
        put(m, "    return true;\n}\n");
    }
    put(m, "static bool fire(state *s, unsigned t) {\n    switch (t) {\n");
    for (int t = 0; t < TRANSITIONS; t++) put(m, "    case %d: return t%d(s, t);\n", t, t);
    put(m, "    }\n    return false;\n}\nMODEL(.transitions = %d, .fire = fire)\n", TRANSITIONS);
    fclose(m->out);
    FILE *file = fopen(m->path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(m->text, 1, m->length, file), m->length);
    fclose(file);
}

static void forget_model(struct random_model *m) {
    unlink(m->path);
    for (int t = 0; t < TRANSITIONS; t++) free(m->expected[t]);
    free(m->text);
}

/* ---- Running it ---- */

static void random_state(const struct random_model *m, bool armed, word *out, uint32_t words) {
    size_t at = 2;
    memset(out, 0, words * sizeof *out);
    out[0] = 1 | (word)armed << 1;
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < (m->variables[i].length ? m->variables[i].length : 1); k++) {
            const struct variable *v = &m->variables[i];
            uint64_t range = (uint64_t)(v->high - v->low) + 1;
            uint64_t value = (uint64_t)(v->low + (int64_t)(pick(3) ? random_word() % range : 0));
            onager_put_bits(out, at, value & onager_low((unsigned)v->bits), (unsigned)v->bits);
            at += (size_t)v->bits;
        }
}

static struct ts *open_random(const struct random_model *m, const char *compiler) {
    struct problem why = {0};
    struct c_model_options options = {
        .compile = {.path = m->path, .compiler = compiler, .no_cache = true}, .endless = 20, .strict = C_STRICT_ALWAYS};
    struct ts *ts = c_model_open(&options, &why);
    if (!ts) print_message("%s", why.text ? why.text : "?");
    assert_non_null(ts);
    problem_fini(&why);
    return ts;
}

/* Nothing is wrong where nothing is planted. */
static void right_ones(const struct random_model *m, struct ts *ts, struct ts_worker *w) {
    struct ts_batch batch;
    word *states = memory_get(STATES * ts->words * sizeof *states);
    for (uint32_t i = 0; i < STATES; i++) random_state(m, false, states + i * ts->words, ts->words);
    ts_batch_init(&batch, ts, STATES);
    batch.sources = states;
    batch.count = STATES;
    uint32_t done = ts->ops->expand(w, &batch);
    if (done < STATES) fail_msg("%s: transition %u: %s", m->path, batch.fault.transition, batch.fault.text);
    const struct strict *strict = &c_model_of(ts)->strict;
    assert_int_equal(strict->trust, m->layout ? strict->trust : TRUST_WIDEST);
    assert_int_not_equal(strict->trust, TRUST_NONE);
    assert_int_equal(strict->checked, STATES);
    ts_batch_fini(&batch);
    free(states);
}

/* What is planted is told. */
static void wrong_ones(const struct random_model *m, struct ts *ts, struct ts_worker *w) {
    word *s = memory_get(ts->words * sizeof *s);
    for (uint32_t t = 0; t < TRANSITIONS; t++) {
        random_state(m, true, s, ts->words);
        struct ts_fault fault = {.kind = TS_OUT_OF_RANGE, .where = "fire", .transition = t, .text = "nothing"};
        c_strict_explain(w, &fault, s);
        if (!strstr(fault.text, m->expected[t]))
            fail_msg("%s: transition %u: expected \"%s\", found \"%s\"", m->path, t, m->expected[t], fault.text);
    }
    free(s);
}

static void one_model(int number, bool layout, const char *compiler) {
    struct random_model m;
    make_model(&m, number, layout);
    struct ts *ts = open_random(&m, compiler);
    struct ts_worker *w = ts->ops->worker_new(ts);
    right_ones(&m, ts, w);
    wrong_ones(&m, ts, w);
    ts->ops->worker_free(w);
    ts->ops->close(ts);
    forget_model(&m);
}

static int models(int usual) {
    const char *wanted = getenv("STRICT_MODELS");
    return wanted ? atoi(wanted) : ROUNDS(usual);
}

static void with_compiler(const char *compiler, uint64_t seed) {
    char *found = files_find_program(compiler);
    free(found);
    if (!found) skip();
    setenv("ONAGER_INCLUDE", "include", 0);
    random_start(seed);
    for (int i = 0; i < models(4); i++) one_model(i, i % 4 == 3, compiler);
}

static void random_models_by_gcc(void **unused) { (void)unused, with_compiler("gcc", 1); }
static void random_models_by_clang(void **unused) { (void)unused, with_compiler("clang", 2); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_models_by_gcc),
        cmocka_unit_test(random_models_by_clang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
