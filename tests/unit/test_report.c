/* What people and machines get to read. */
#include "unit.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/version.h"
#include "cli/progress_line.h"
#include "graph.h"
#include "report/report.h"

/* 0 -> 1 -> 2 -> 3 -> 4 -> 2, and 1 -> 0 by transition 1. */
static void lasso(struct graph *g) {
    graph_init(g, 5, 2, 1);
    for (uint32_t s = 0; s < 4; s++) *graph_next(g, s, 0) = s + 1;
    *graph_next(g, 4, 0) = 2;
    *graph_next(g, 1, 1) = 0;
}

static void check(struct graph *g, struct ts_worker *w, struct answer *a, unsigned checks) {
    static const bool none[8];
    struct limits limits = {.max_memory = UINT64_C(1) << 33};
    struct questions q = {.checks = checks, .finitely = none, .swaps = true, .no_audit = true};
    check_run(a, &g->ts, w, &q, &limits, NULL, NULL);
}

static char *text_of(const struct answer *a, struct ts *ts, struct ts_worker *w, bool colour) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    report_text(a, ts, w, (struct showing){.form = FORM_STATES, .look.colour = colour}, out);
    fclose(out);
    return text;
}

/* Begins with these lines; then come the costs; then these lines, the last ones. */
static void text_is(const struct answer *a, struct ts *ts, struct ts_worker *w, const char *first, const char *last) {
    char *text = text_of(a, ts, w, false);
    print_message("%s", text);
    assert_int_equal(strncmp(text, first, strlen(first)), 0);
    const char *costs = text + strlen(first), *rest = strchr(costs, '\n');
    assert_non_null(rest);
    assert_string_equal(rest + 1, last);
    unsigned long long terminal, depth;
    assert_int_equal(sscanf(costs, "%llu terminal, depth %llu;", &terminal, &depth), 2);
    assert_int_equal(terminal, a->terminals);
    assert_int_equal(depth, a->depth);
    assert_null(strchr(text, '\033'));
    free(text);
}

static void texts(void **unused) {
    struct graph g;
    struct answer a;
    (void)unused;
    lasso(&g);
    struct ts_worker *w = graph_worker(&g);

    check(&g, w, &a, PROP_SAFETY | PROP_DEADLOCK);
    text_is(&a, &g.ts, w, "5 states, 6 edges\n", "holds: safety, deadlock\n");
    answer_fini(&a);

    check(&g, w, &a, 0);
    text_is(&a, &g.ts, w, "5 states, 6 edges\n", "holds: (the model has no checks)\n");
    answer_fini(&a);

    g.classes[3] = TS_BAD;
    check(&g, w, &a, PROP_SAFETY);
    text_is(&a, &g.ts, w, "state 0\nstate 1\nstate 2\nstate 3\n!!! Safety error: bad state\n4 states, 4 edges\n", "");
    answer_fini(&a);

    g.classes[3] = 0;
    g.classes[0] = TS_MAY;
    check(&g, w, &a, PROP_MAY);
    text_is(&a, &g.ts, w,
            "state 0\nstate 1\n==========\n----------\nstate 2\nstate 3\nstate 4\n!!! May-type non-progress error\n"
            "5 states, 6 edges\n",
            "");
    answer_fini(&a);

    *graph_next(&g, 2, 1) = 1; /* now progress can be reached again, but is not from 2 on */
    g.classes[0] = TS_MUST;
    check(&g, w, &a, PROP_MUST);
    text_is(&a, &g.ts, w,
            "state 0\n==========\nstate 1\n----------\nstate 2\nstate 3\nstate 4\n!!! Must-type non-progress error\n"
            "5 states, 7 edges\n",
            "");
    answer_fini(&a);

    g.ts.reduction.stubborn = true;
    g.classes[2] = g.classes[1] = TS_MUST;
    *graph_next(&g, 4, 0) = NO_STATE;
    check(&g, w, &a, PROP_MUST | PROP_SAFETY);
    assert_int_equal(a.verdict, VERDICT_INCONCLUSIVE);
    char expected[300];
    snprintf(expected, sizeof expected, "known to hold: safety, termination\ninconclusive: %s\n", a.message);
    text_is(&a, &g.ts, w, "5 states, 6 edges\n", expected);
    a.note = "something else";
    a.held = 0;
    snprintf(expected, sizeof expected, "note: something else\ninconclusive: %s\n", a.message);
    text_is(&a, &g.ts, w, "5 states, 6 edges\n", expected);
    answer_fini(&a);
    free(w);
    graph_fini(&g);
}

/* Where the symmetry map came in, the line says so. */
static void mapped_states(void **unused) {
    struct graph g;
    struct answer a;
    (void)unused;
    lasso(&g);
    struct ts_worker *w = graph_worker(&g);
    g.ts.reduction.symmetry = true;
    g.image[3] = 4;
    g.classes[2] = TS_BAD;
    g.ts.features |= TS_SYMMETRIC_PROGRESS;
    check(&g, w, &a, PROP_MAY);
    char *text = text_of(&a, &g.ts, w, false);
    print_message("%s", text);
    assert_non_null(strstr(text, "state 4   [mapped]\n"));
    assert_null(strstr(text, "state 2   [mapped]\n"));
    free(text);
    answer_fini(&a);
    /* The closing step has no line of its own. */
    *graph_next(&g, 4, 0) = 1;
    g.image[1] = 2;
    check(&g, w, &a, PROP_MAY);
    text = text_of(&a, &g.ts, w, false);
    print_message("%s", text);
    assert_non_null(strstr(text, "(back to the beginning of the cycle)   [mapped]\n"));
    free(text);
    answer_fini(&a);
    free(w);
    graph_fini(&g);
}

static void colours(void **unused) {
    struct graph g;
    struct answer a;
    (void)unused;
    lasso(&g);
    struct ts_worker *w = graph_worker(&g);
    check(&g, w, &a, PROP_SAFETY);
    char *text = text_of(&a, &g.ts, w, true);
    assert_non_null(strstr(text, "\033[1;32mholds\033[0m: safety\n"));
    free(text);
    answer_fini(&a);
    g.classes[0] = TS_BAD;
    check(&g, w, &a, PROP_SAFETY);
    text = text_of(&a, &g.ts, w, true);
    assert_non_null(strstr(text, "\033[1;31m!!! Safety error: bad state\033[0m\n"));
    free(text);
    answer_fini(&a);
    free(w);
    graph_fini(&g);
}

/* ---- JSON ---- */

static const json_t *at(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    assert_non_null(value);
    return value;
}

static void is_text(const json_t *object, const char *key, const char *text) {
    assert_true(json_is_string(at(object, key)));
    assert_string_equal(json_string_value(at(object, key)), text);
}

static void is_number(const json_t *object, const char *key, int64_t n) {
    assert_true(json_is_integer(at(object, key)));
    assert_int_equal(json_integer_value(at(object, key)), n);
}

/* Step i of a list: the state, and the transition that led there. */
static void is_step(const json_t *list, size_t i, uint32_t state, uint32_t transition) {
    const json_t *step = json_array_get(list, i), *t = at(step, "transition");
    char text[32], name[32];
    assert_non_null(step);
    snprintf(text, sizeof text, "state %u", state);
    snprintf(name, sizeof name, "go %u", transition);
    is_text(step, "text", text);
    is_number(at(step, "state"), "id", state);
    assert_null(json_object_get(step, "mapped"));
    if (transition == TS_NONE) {
        assert_true(json_is_null(t));
    } else {
        is_number(t, "number", transition);
        is_text(t, "name", name);
    }
}

static void documents(void **unused) {
    struct graph g;
    struct answer a;
    (void)unused;
    lasso(&g);
    struct ts_worker *w = graph_worker(&g);
    static const struct ts_parameter parameters[] = {{"n", 4, false, false}, {"fault", -1, false, false}};
    g.ts.parameters = parameters;
    g.ts.parameter_count = 2;

    check(&g, w, &a, PROP_SAFETY | PROP_MAY);
    json_t *d = report_json(&a, &g.ts, w);
    assert_non_null(d);
    is_text(d, "onager", ONAGER_VERSION);
    is_text(d, "model", "graph.c");
    is_number(at(d, "parameters"), "n", 4);
    is_number(at(d, "parameters"), "fault", -1);
    is_text(d, "verdict", "violated");
    is_text(d, "property", "may_progress");
    is_text(d, "message", "May-type non-progress error");
    is_number(d, "states", 5);
    is_number(d, "edges", 6);
    is_number(d, "terminal_states", 0);
    is_number(d, "depth", 4);
    is_number(d, "threads", 1);
    assert_true(json_is_real(at(d, "time_s")) && json_real_value(at(d, "time_s")) < 10);
    assert_in_range(json_integer_value(at(d, "peak_bytes")), 1 << 17, UINT64_C(1) << 40);
    assert_true(json_is_false(at(at(d, "reduction"), "stubborn")));
    assert_true(json_is_false(at(at(d, "reduction"), "symmetry")));
    is_text(at(d, "reduction"), "scan", "backward");
    is_text(at(d, "search"), "order", "bfs");
    assert_int_equal(json_array_size(at(d, "checks")), 2);
    assert_string_equal(json_string_value(json_array_get(at(d, "checks"), 0)), "safety");
    assert_string_equal(json_string_value(json_array_get(at(d, "checks"), 1)), "may_progress");
    assert_true(json_is_null(at(d, "note")));
    const json_t *trace = at(d, "trace"), *stem = at(trace, "stem"), *cycle = at(trace, "cycle");
    is_number(trace, "point_of_no_return", 0);
    assert_int_equal(json_array_size(stem), 2);
    assert_int_equal(json_array_size(cycle), 3);
    is_step(stem, 0, 0, TS_NONE);
    is_step(stem, 1, 1, 0);
    for (uint32_t i = 0; i < 3; i++) is_step(cycle, i, 2 + i, 0);
    is_number(at(trace, "closing"), "number", 0);
    is_text(at(trace, "closing"), "name", "go 0");
    json_decref(d);
    answer_fini(&a);

    /* In the order of the documentation, one key a line. */
    static const char *const keys[] = {"onager",    "model",  "parameters",      "verdict", "property", "message",
                                       "states",    "edges",  "terminal_states", "depth",   "time_s",   "peak_bytes",
                                       "reduction", "search", "threads",         "store",   "checks",   "unchecked",
                                       "note",      "trace"};
    check(&g, w, &a, PROP_SAFETY);
    d = report_json(&a, &g.ts, w);
    char *text = json_dumps(d, JSON_INDENT(2)), *from = text;
    for (size_t i = 0; i < COUNT(keys); i++) {
        char line[40];
        snprintf(line, sizeof line, "\n  \"%s\": ", keys[i]);
        from = strstr(from, line);
        assert_non_null(from);
    }
    free(text);
    is_text(d, "verdict", "holds");
    assert_true(json_is_null(at(d, "property")));
    assert_true(json_is_null(at(d, "message")));
    assert_true(json_is_null(at(d, "trace")));
    json_decref(d);
    answer_fini(&a);

    g.classes[2] = TS_BAD;
    g.ts.reduction.forward = true;
    check(&g, w, &a, PROP_SAFETY);
    d = report_json(&a, &g.ts, w);
    trace = at(d, "trace");
    assert_true(json_is_null(at(trace, "point_of_no_return")));
    assert_true(json_is_null(at(trace, "closing")));
    assert_int_equal(json_array_size(at(trace, "cycle")), 0);
    assert_int_equal(json_array_size(at(trace, "stem")), 3);
    is_step(at(trace, "stem"), 0, 0, TS_NONE);
    is_step(at(trace, "stem"), 1, 1, 0);
    is_step(at(trace, "stem"), 2, 2, 0);
    is_text(at(d, "reduction"), "scan", "forward");
    json_decref(d);
    answer_fini(&a);
    free(w);
    graph_fini(&g);
}

/* Messages and names that are not UTF-8 must not lose the document. */
static void odd_texts(void **unused) {
    struct graph g;
    (void)unused;
    lasso(&g);
    struct ts_worker *w = graph_worker(&g);
    struct answer a = {.verdict = VERDICT_INCONCLUSIVE, .message = strdup("caf\xe9 \"quoted\"\n")};
    trace_init(&a.trace, 1);
    g.ts.path = "mod\xff.c";
    json_t *d = report_json(&a, &g.ts, w);
    assert_non_null(d);
    assert_true(json_is_string(at(d, "message")));
    assert_true(json_is_string(at(d, "model")));
    json_decref(d);
    answer_fini(&a);
    d = report_json_problem(EXIT_BAD_INPUT, "a \"b\" \\ c\n");
    is_text(d, "message", "a \"b\" \\ c\n");
    is_text(d, "verdict", "error");
    is_text(d, "onager", ONAGER_VERSION);
    json_decref(d);
    d = report_json_problem(EXIT_BAD_INPUT, "caf\xe9");
    assert_non_null(d);
    is_text(d, "verdict", "error");
    json_decref(d);
    d = report_json_problem(EXIT_INCONCLUSIVE, "interrupted");
    is_text(d, "verdict", "inconclusive");
    json_decref(d);
    free(w);
    graph_fini(&g);
}

static void written_files(void **unused) {
    char path[] = "/tmp/onager-unit-XXXXXX";
    struct problem why = {0};
    json_t *d = report_json_problem(EXIT_BAD_INPUT, "x"), *back;
    (void)unused;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_true(report_write_json(d, path, &why));
    back = json_load_file(path, 0, NULL);
    assert_true(json_equal(d, back));
    json_decref(back);
    unlink(path);
    assert_false(report_write_json(d, "/dev/null/x.json", &why));
    assert_int_equal(why.status, EXIT_BAD_INPUT);
    assert_non_null(strstr(why.text, "/dev/null/x.json"));
    problem_fini(&why);
    if (access("/dev/full", W_OK) == 0) {
        assert_false(report_write_json(d, "/dev/full", &why));
        assert_non_null(strstr(why.text, "/dev/full"));
        print_message("%s\n", why.text);
        assert_non_null(strstr(why.text, "No space left"));
        problem_fini(&why);
    }
    json_decref(d);
}

/* ---- The progress line ---- */

static void progress_without_terminal(void **unused) {
    struct progress p;
    (void)unused;
    int kept = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    progress_init(&p);
    setenv("TERM", "xterm", 1);
    bool ticks = progress_ticker(&p, false).tick != NULL;
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(null);
    assert_false(ticks);
    assert_false(p.shown);
    progress_wipe(&p);
}

/* On a terminal of so many columns: what it gets to see of one tick. */
static void tick_on_terminal(unsigned short columns, const char *phase, char *seen, size_t size) {
    struct winsize window = {.ws_row = 20, .ws_col = columns};
    struct graph g;
    struct space s;
    struct progress p;
    int master, slave;
    lasso(&g);
    struct ts_worker *w = graph_worker(&g);
    graph_space(&s, &g, w, 0);
    assert_int_equal(openpty(&master, &slave, NULL, NULL, &window), 0);
    setenv("TERM", "xterm", 1);
    int kept = dup(STDERR_FILENO);
    dup2(slave, STDERR_FILENO);
    progress_init(&p);
    struct ticker t = progress_ticker(&p, false);
    bool quiet = progress_ticker(&p, true).tick == NULL;
    setenv("TERM", "dumb", 1);
    bool dumb = progress_ticker(&p, false).tick == NULL;
    if (t.tick) t.tick(t.context, &s, phase, 1, 4);
    bool shown = p.shown;
    progress_wipe(&p);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    /* It may come in pieces, and late; the end is where the line is wiped. */
    size_t length = 0;
    struct pollfd ready = {.fd = master, .events = POLLIN};
    while (length < size - 1 && poll(&ready, 1, 2000) > 0) {
        ssize_t n = read(master, seen + length, size - 1 - length);
        if (n <= 0) break;
        length += (size_t)n;
        if (length >= 8 && memcmp(seen + length - 4, "\r\033[K", 4) == 0) break;
    }
    seen[length] = 0;
    close(slave);
    close(master);
    assert_non_null(t.tick);
    assert_true(quiet && dumb && shown && !p.shown);
    space_fini(&s);
    free(w);
    graph_fini(&g);
}

static void progress_on_terminal(void **unused) {
    char seen[1000];
    (void)unused;
    tick_on_terminal(200, "exploring", seen, sizeof seen);
    print_message("%s\n", seen);
    assert_int_equal(strncmp(seen, "\r\033[K5 states, 6 edges, ", 22), 0);
    assert_non_null(strstr(seen, "depth 4"));
    assert_non_null(strstr(seen, "queue 75 %"));
    assert_string_equal(seen + strlen(seen) - 4, "\r\033[K");
    tick_on_terminal(200, "may progress", seen, sizeof seen);
    assert_non_null(strstr(seen, "5 states; may progress: 25 %"));
    /* A narrow one: the line must not wrap, else it could not be wiped. */
    tick_on_terminal(20, "exploring", seen, sizeof seen);
    print_message("%s\n", seen);
    assert_in_range(strlen(seen), 5, 4 + 19 + 4);
    tick_on_terminal(1, "exploring", seen, sizeof seen);
    assert_in_range(strlen(seen), 5, 4 + 1 + 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(mapped_states),
        cmocka_unit_test(colours),
        cmocka_unit_test(documents),
        cmocka_unit_test(odd_texts),
        cmocka_unit_test(written_files),
        cmocka_unit_test(progress_without_terminal),
        cmocka_unit_test(progress_on_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
