/* Sources of C models (model/c/reading/read_source.h): in thousands of random states, reached or not, a walk through
 * the points ends in a leaf that says what the model's own code does, as searches use it: the same answer, the same
 * successor, an error where there is one. */
#include "model/c/reading/read_source.h"

#include <sys/stat.h>

#include "base/effort.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/c/c_model.h"
#include "reduce/derived/derived_ts.h"
#include "unit.h"

struct subject {
    struct c_model_options options;
    struct ts_parameter parameter;
    struct ts *ts;
    struct ts_worker *worker;
    struct source *source;
    word *state, *after, *expected;
    uint64_t steps, states, errors, unknown;
};

static bool subject_open(struct subject *x, const char *path, const char *name, int64_t value) {
    struct problem why = {0};
    *x = (struct subject){.parameter = {.name = name, .value = value}};
    x->options = (struct c_model_options){
        .compile = {.path = path, .parameters = &x->parameter, .parameter_count = name != NULL}, .endless = 0.2};
    x->ts = c_model_open(&x->options, &why);
    if (!x->ts) fail_msg("%s", why.text);
    x->source = x->ts->ops->read(x->ts, &why);
    if (!x->source) print_message("%s\n", why.text);
    problem_fini(&why);
    if (!x->source) return x->ts->ops->close(x->ts), false;
    x->worker = x->ts->ops->worker_new(x->ts);
    x->state = memory_get_zeroed((x->ts->words + 1) * sizeof(word));
    x->after = memory_get_zeroed((x->ts->words + 1) * sizeof(word));
    x->expected = memory_get_zeroed((x->ts->words + 1) * sizeof(word));
    return true;
}

static void subject_close(struct subject *x) {
    x->source->ops->close(x->source);
    x->ts->ops->worker_free(x->worker);
    x->ts->ops->close(x->ts);
    free(x->state);
    free(x->after);
    free(x->expected);
}

/* ---- States ---- */

static void put(word *s, const struct source_variable *v, uint64_t value) {
    for (uint32_t i = 0; i < v->bits; i++) {
        word bit = (word)1 << (v->first + i) % 64, *w = &s[(v->first + i) / 64];
        *w = value >> i & 1 ? *w | bit : *w & ~bit;
    }
}

static uint64_t random_value(const struct source_variable *v) {
    if (v->slots) return random_below(v->slots);
    uint64_t x = random_chance(50) ? random_word() : random_below(5);
    return v->bits < 64 ? x & (((uint64_t)1 << v->bits) - 1) : x;
}

static void random_state(struct subject *x) {
    memcpy(x->state, x->source->initial, x->ts->words * sizeof(word));
    uint32_t percent = random_chance(50) ? 100 : 20;
    for (uint32_t v = 0; v < x->source->variable_count; v++)
        if (random_chance(percent)) put(x->state, &x->source->variables[v], random_value(&x->source->variables[v]));
}

/* ---- Walks ---- */

static struct point_view walk(struct subject *x, uint32_t unit, bool merged) {
    const struct source_ops *ops = x->source->ops;
    point p = ops->begin(x->source, unit, merged);
    struct point_view v;
    for (uint32_t steps = 0; (v = ops->view(x->source, p)).kind == POINT_READ; steps++) {
        assert_true(steps < 100000);
        p = ops->next(x->source, p, source_value(&x->source->variables[v.variable], x->state));
        x->steps++;
    }
    return v;
}

static int cmp_fault(const struct subject *x, const struct ts_fault *f, const struct point_view *v, const char *where) {
    if (v->kind == LEAF_UNKNOWN || v->kind == LEAF_ERROR) return 0;
    fail_msg("%s, %s: the code fails (%s), and the leaf has kind %d", x->ts->path, where, f->text, v->kind);
    return 1;
}

static void check_transition(struct subject *x, uint32_t t, const struct point_view *v) {
    struct ts_fault fault = {.kind = TS_FINE};
    int fired = x->ts->ops->fire(x->worker, x->state, t, x->expected, &fault);
    if (v->kind == LEAF_UNKNOWN) x->unknown++;
    if (v->kind == LEAF_ERROR) x->errors++;
    if (v->kind == LEAF_UNKNOWN) return;
    if (fired < 0) {
        cmp_fault(x, &fault, v, x->source->units[t].name);
        return;
    }
    /* A change before `false` is seen by expand only. */
    if (v->kind == LEAF_ERROR && fired == 0) return;
    if (v->kind == LEAF_ERROR) fail_msg("%s, %u: error leaf (%s), and the code is well", x->ts->path, t, v->text);
    assert_int_equal(v->kind, fired ? LEAF_ENABLED : LEAF_DISABLED);
    if (!fired) return;
    memcpy(x->after, x->state, x->ts->words * sizeof(word));
    for (uint32_t i = 0; i < v->store_count; i++) {
        assert_true(i == 0 || v->stores[i - 1].variable < v->stores[i].variable);
        put(x->after, &x->source->variables[v->stores[i].variable], v->stores[i].value);
    }
    assert_memory_equal(x->after, x->expected, x->ts->words * sizeof(word));
}

/* What the code itself answers. */
static bool ask_code(struct subject *x, const struct source_unit *u, uint64_t *answer, struct ts_fault *fault) {
    struct ts_batch batch;
    const char *message = NULL;
    bool asked = true;
    *answer = 0;
    switch (u->kind) {
    case UNIT_CHECK_STATE: asked = x->ts->ops->check(x->worker, x->state, TS_CHECK_STATE, &message, fault); break;
    case UNIT_CHECK_DEADLOCK: asked = x->ts->ops->check(x->worker, x->state, TS_CHECK_DEADLOCK, &message, fault); break;
    case UNIT_PROPOSITION: return x->ts->ops->valuate(x->worker, x->state, 1, &u->of, 1, answer, fault);
    case UNIT_ACTION: *answer = x->ts->ops->action(x->worker, x->state, u->of, fault); return *answer != TS_NONE;
    default:
        ts_batch_init(&batch, x->ts, 1);
        batch.sources = x->state;
        batch.count = 1;
        batch.wanted = u->kind == UNIT_MAY_PROGRESS ? TS_MAY : TS_MUST;
        asked = x->ts->ops->classify(x->worker, &batch) == 1;
        *answer = asked && batch.classes[0] & batch.wanted;
        *fault = batch.fault;
        batch.sources = NULL;
        ts_batch_fini(&batch);
        return asked;
    }
    *answer = message != NULL;
    return asked;
}

static void check_answer(struct subject *x, const struct source_unit *u, const struct point_view *v) {
    struct ts_fault fault = {.kind = TS_FINE};
    uint64_t answer;
    bool asked = ask_code(x, u, &answer, &fault);
    if (v->kind == LEAF_UNKNOWN) x->unknown++;
    if (v->kind == LEAF_ERROR) x->errors++;
    if (v->kind == LEAF_UNKNOWN) return;
    if (!asked) {
        cmp_fault(x, &fault, v, u->name);
        return;
    }
    assert_int_equal(v->kind, LEAF_VALUE);
    assert_int_equal(v->value, answer);
}

static void check_states(struct subject *x, uint32_t states) {
    for (uint32_t i = 0; i < states; i++) {
        random_state(x);
        for (uint32_t u = 0; u < x->source->unit_count; u++)
            for (int merged = 0; merged < 2; merged++) {
                struct point_view v = walk(x, u, merged);
                x->states++;
                if (x->source->units[u].kind == UNIT_TRANSITION) check_transition(x, u, &v);
                else check_answer(x, &x->source->units[u], &v);
            }
    }
}

static void check_model(const char *path, const char *name, int64_t value, uint32_t states) {
    struct subject x;
    if (!subject_open(&x, path, name, value)) return;
    check_states(&x, states);
    print_message("%s: %llu walks, %llu steps, %llu errors, %llu unknown\n", path, (unsigned long long)x.states,
                  (unsigned long long)x.steps, (unsigned long long)x.errors, (unsigned long long)x.unknown);
    subject_close(&x);
}

static void test_examples(void **unused) {
    (void)unused;
    random_start(1);
    check_model("examples/token_ring.c", "n", 5, ROUNDS(300));
    check_model("examples/peterson.c", "n", 4, ROUNDS(300));
    check_model("examples/philosophers.c", "n", 6, ROUNDS(300));
    check_model("examples/fischer.c", NULL, 0, ROUNDS(300));
    check_model("examples/ssabp.c", NULL, 0, ROUNDS(300));
    check_model("examples/wolf_goat_cabbage.c", NULL, 0, ROUNDS(300));
}

static void test_models(void **unused) {
    static const char *const paths[] = {"arrays",   "crash_division", "crash_index",   "cube",
                                        "enum",     "false_changed",  "limits",        "long_state",
                                        "mcs",      "model_error",    "out_of_range",  "signed",
                                        "switches", "upto",           "widths_signed", "widths_unsigned",
                                        "scan",     "crash_null",     "strict_matrix", "corners"};
    (void)unused;
    random_start(2);
    for (size_t i = 0; i < COUNT(paths); i++) {
        char *path = text_format("tests/model/%s.c", paths[i]);
        check_model(path, NULL, 0, ROUNDS(100));
        free(path);
    }
}

/* ---- Giving up ---- */

/* The leaves of all units, by kind. */
static void count_leaves(struct source *s, point p, uint32_t *count) {
    struct point_view v = s->ops->view(s, p);
    count[v.kind]++;
    if (v.kind != POINT_READ) return;
    for (uint64_t value = 0; value < s->variables[v.variable].slots; value++)
        count_leaves(s, s->ops->next(s, p, value), count);
}

/* Each of its transitions is in an endless loop for 6 pairs of values. */
static void test_loops(void **unused) {
    struct subject x;
    uint32_t count[LEAF_UNKNOWN + 1] = {0};
    (void)unused;
    if (!subject_open(&x, "tests/model/endless_pairs.c", NULL, 0)) return;
    for (uint32_t u = 0; u < x.source->unit_count; u++)
        count_leaves(x.source, x.source->ops->begin(x.source, u, false), count);
    assert_int_equal(count[LEAF_ERROR], 3);
    assert_true(count[LEAF_ENABLED] > 0 && count[LEAF_UNKNOWN] > 0);
    subject_close(&x);
}

/* It is too late. The effort looks at its time now and then only: so the loop is begun, and ended by the timer. */
static void test_late(void **unused) {
    volatile sig_atomic_t interrupted = 1;
    struct effort late = {.deadline = 0.001, .asked = 1}, ended = {.interrupted = &interrupted, .asked = 1};
    struct effort *efforts[] = {&late, &ended};
    struct problem why = {0};
    struct c_model_options options = {.compile = {.path = "tests/model/endless_pairs.c"}, .endless = 30};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        struct ts *ts = c_model_open(&options, &why);
        struct source *s = ts ? ts->ops->read(ts, &why) : NULL;
        if (s) {
            s->effort = efforts[i];
            point p = s->ops->begin(s, 0, false);
            for (int k = 0; k < 2; k++) p = s->ops->next(s, p, 3); /* x[0]=3 x[1]=3 */
            assert_int_equal(s->ops->view(s, p).kind, LEAF_UNKNOWN);
            assert_int_equal(efforts[i]->over, i ? EFFORT_INTERRUPTED : EFFORT_LATE);
            s->ops->close(s);
        }
        if (ts) ts->ops->close(ts);
    }
    problem_fini(&why);
}

/* So is the derivation of rules: it leaves nothing behind but what it says. */
static void test_underived(void **unused) {
    volatile sig_atomic_t interrupted = 1;
    struct problem why = {0};
    struct c_model_options options = {.compile = {.path = "examples/token_ring.c"}, .endless = 30};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        struct effort effort = {.interrupted = &interrupted};
        struct ts *ts = c_model_open(&options, &why);
        bool reads = ts && ts->ops->read;
        interrupted = i == 0;
        if (ts) ts = derived_ts_open(ts, DERIVED_TS_DEADLOCKS, &effort, &why);
        if (reads && i == 0 && why.status != EXIT_BAD_INPUT) {
            assert_null(ts);
            assert_int_equal(why.status, EXIT_INCONCLUSIVE);
        }
        if (ts) ts->ops->close(ts);
        problem_fini(&why);
        why = (struct problem){0};
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples), cmocka_unit_test(test_models),
                                       cmocka_unit_test(test_loops), cmocka_unit_test(test_late),
                                       cmocka_unit_test(test_underived)};
    setenv("ONAGER_INCLUDE", "include", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
