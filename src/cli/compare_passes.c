#include "cli/compare_passes.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/load_lts.h"
#include "compare/confirm.h"
#include "compare/run_test.h"
#include "report/report.h"

struct passing {
    const struct options *o;
    const char *success;
    struct lts lts, test;
    struct test_run run;
    bool fails;
    double seconds;
};

/* ---- Alphabets ---- */

/* "a, b, c": labels of one that the other has not, but success; NULL: none. To be freed. */
static char *list_lonely(const struct lts *one, const struct lts *other, const char *success) {
    char *list = NULL;
    for (uint32_t i = 1; i < one->labels.count; i++) {
        const char *label = one->labels.text[i];
        if (strcmp(label, success) == 0 || names_find(&other->labels, label) != NAMES_NONE) continue;
        char *longer = list ? text_format("%s, %s", list, label) : memory_copy_string(label);
        free(list);
        list = longer;
    }
    return list;
}

static bool can_succeed(const struct passing *p, struct problem *why) {
    const struct options *o = p->o;
    if (names_find(&p->test.labels, p->success) == NAMES_NONE) {
        const char *near = text_nearest(p->success, (const char *const *)p->test.labels.text, p->test.labels.count);
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s has no label %s, so it cannot succeed%s%s%s. Name the label that means success with "
                           "--success NAME",
                           o->passes, p->success, near ? "; it has '" : "", near ? near : "", near ? "'" : "");
    }
    return names_find(&p->lts.labels, p->success) == NAMES_NONE ||
           problem_set(why, EXIT_BAD_INPUT,
                       "%s has a label %s, too, but success is the test's alone; rename it in the test, and give "
                       "the new name with --success NAME",
                       o->model, p->success);
}

/* ---- Report ---- */

static void show_text(const struct passing *p) {
    char *foreign = list_lonely(&p->test, &p->lts, p->success), *unseen = list_lonely(&p->lts, &p->test, p->success);
    if (foreign) printf("note: labels of the test that %s does not have never occur: %s\n", p->o->model, foreign);
    if (unseen) printf("note: labels that the test does not have are invisible to it: %s\n", unseen);
    if (p->fails) {
        printf(p->run.trace.length ? "after " : "at the start,");
        for (uint32_t i = 0; i < p->run.trace.length; i++) printf(" %s", p->lts.labels.text[p->run.trace.label[i]]);
        printf("%s %s can be impossible: the first is in its state %u, the test in %u\n",
               p->run.trace.length ? " " : "", p->success, p->run.state, p->run.with);
        printf("!!! %s fails the test %s\n", p->o->model, p->o->passes);
    }
    printf("%u and %u states, %llu together; %.2f s\n", p->lts.states, p->test.states, (unsigned long long)p->run.pairs,
           p->seconds);
    if (!p->fails) printf("holds: %s passes the test %s\n", p->o->model, p->o->passes);
    free(foreign);
    free(unseen);
}

static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

static bool show_json(const struct passing *p, struct problem *why) {
    char *foreign = list_lonely(&p->test, &p->lts, p->success), *unseen = list_lonely(&p->lts, &p->test, p->success);
    json_t *trace = p->fails ? json_array() : json_null();
    for (uint32_t i = 0; i < p->run.trace.length; i++)
        json_array_append_new(trace, json_string(p->lts.labels.text[p->run.trace.label[i]]));
    json_t *document = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:[I, I], s:I, s:f, s:o, s:o, s:o}", "onager", ONAGER_VERSION, "first",
        p->o->model, "test", p->o->passes, "verdict", p->fails ? "violated" : "holds", "mode", "passes", "success",
        p->success, "states", (json_int_t)p->lts.states, (json_int_t)p->test.states, "pairs", (json_int_t)p->run.pairs,
        "time_s", p->seconds, "trace", trace, "only_test", text_or_null(foreign), "only_first", text_or_null(unseen));
    bool fine = document ? report_write_json(document, p->o->json, why)
                         : problem_set(why, EXIT_BAD_INPUT, "a name or a label is not UTF-8");
    json_decref(document);
    free(foreign);
    free(unseen);
    return fine;
}

/* ---- Running ---- */

/* Straight from the definitions, as other witnesses are. */
static bool is_confirmed(const struct passing *p) {
    struct test_run rest;
    struct lts test = p->test;
    test.initial = p->run.with;
    enum outcome outcome = run_test_fails(&p->lts, p->run.state, &test, p->success, NULL, &rest);
    free(rest.trace.label);
    return confirm_trace(&p->lts, p->lts.initial, &p->run.trace) && outcome == OUTCOME_FOUND && rest.trace.length == 0;
}

static int run(struct passing *p, struct effort *effort, struct problem *why) {
    double start = clock_seconds();
    enum outcome outcome = run_test_fails(&p->lts, p->lts.initial, &p->test, p->success, effort, &p->run);
    p->seconds = clock_seconds() - start;
    p->fails = outcome == OUTCOME_FOUND;
    if (outcome == OUTCOME_GIVEN_UP) effort_problem(effort, "running the test", why);
    else if (p->fails && !is_confirmed(p))
        problem_set(why, EXIT_INTERNAL, "internal error: the trace after which success is impossible is wrong");
    else {
        if (!p->o->json || strcmp(p->o->json, "-") != 0) show_text(p);
        if (p->o->json) show_json(p, why);
    }
    free(p->run.trace.label);
    return why->status ? (int)why->status : p->fails ? EXIT_VIOLATED : EXIT_HOLDS;
}

int passes_test(const struct options *o, struct problem *why) {
    struct passing p = {.o = o, .success = o->success ? o->success : "success"};
    struct effort effort = effort_of(o);
    struct options test;
    if (!lts_options_fit(o, why) || !beside_model(o, "--passes", o->passes, &test, why)) return (int)why->status;
    if (!load_lts(o, o->model, &effort, &p.lts, why)) return (int)why->status;
    if (load_lts(&test, test.model, &effort, &p.test, why)) {
        int status = can_succeed(&p, why) ? run(&p, &effort, why) : (int)why->status;
        lts_fini(&p.test);
        lts_fini(&p.lts);
        return status;
    }
    lts_fini(&p.lts);
    return (int)why->status;
}
