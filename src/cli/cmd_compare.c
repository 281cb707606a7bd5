#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/load_lts.h"
#include "cli/compare_passes.h"
#include "lts/label_list.h"
#include "model/network/network_model.h"
#include "compare/confirm.h"
#include "compare/test.h"
#include "report/comparison.h"
#include "report/report.h"

/* ---- A declared alphabet ---- */

static bool inside_alphabet(const char *list, const struct lts *l, const char *path, struct problem *why) {
    struct names declared;
    bool good = true;
    names_init(&declared);
    label_list_add(list, &declared);
    for (uint32_t i = 1; i < l->labels.count && good; i++) {
        if (names_find(&declared, l->labels.text[i]) != NAMES_NONE) continue;
        const char *near = text_nearest(l->labels.text[i], (const char *const *)declared.text, declared.count);
        good = problem_set(why, EXIT_BAD_INPUT, "%s: label '%s' is not in the alphabet that --alphabet declares%s%s%s",
                           path, l->labels.text[i], near ? "; is it '" : "", near ? near : "", near ? "'?" : "");
    }
    names_fini(&declared);
    return good;
}

/* ---- The test ---- */

/* Written, read again, and run with both sides: what is in the file is what tells them apart. */
static bool write_test(const struct options *o, const struct comparison *c, const struct lts *side,
                       struct problem *why) {
    const char *success = c->test.labels.text[c->success];
    const struct lts_file_options as_read = {.tau = o->tau};
    struct lts whole, again;
    test_for_file(&c->test, &whole);
    bool good = write_lts(o, &whole, o->test, why);
    lts_fini(&whole);
    if (!good || strcmp(o->test, "-") == 0) return good;
    if (!lts_file_read(o->test, &as_read, &again, why)) return false;
    good = confirm_fails_test(&side[c->side], side[c->side].initial, &again, success) &&
           !confirm_fails_test(&side[!c->side], side[!c->side].initial, &again, success);
    lts_fini(&again);
    return good || problem_set(why, EXIT_INTERNAL, "%s: the test, read again, does not tell the two apart", o->test);
}

/* ---- The command ---- */

static bool show(const struct options *o, struct comparison_report *r, struct problem *why) {
    if (!o->json || strcmp(o->json, "-") != 0) report_comparison(r, stdout);
    if (!o->json) return true;
    json_t *document = report_comparison_json(r);
    json_object_set_new(document, "onager", json_string(ONAGER_VERSION));
    bool good = report_write_json(document, o->json, why);
    json_decref(document);
    return good;
}

static int compare(const struct options *o, const struct comparison_question *q, char *const name[2],
                   const struct lts *side, struct problem *why) {
    struct comparison c;
    double start = clock_seconds();
    if (!lts_compare(&side[0], &side[1], q, &c, why)) return (int)why->status;
    bool wants_test = o->test && c.witness == WITNESS_TEST;
    if (!wants_test || write_test(o, &c, side, why)) {
        struct comparison_report r = {.c = &c,
                                      .relation = q->relation,
                                      .preorder = q->preorder,
                                      .stability = q->stability,
                                      .name = {name[0], name[1]},
                                      .lts = {&side[0], &side[1]},
                                      .test_file = wants_test ? o->test : NULL,
                                      .declared = o->alphabet != NULL,
                                      .no_witness = q->no_witness,
                                      .seconds = clock_seconds() - start};
        show(o, &r, why);
    }
    int status = c.holds ? EXIT_HOLDS : EXIT_VIOLATED;
    comparison_fini(&c);
    return why->status ? (int)why->status : status;
}

static int compare_named(const struct options *o, const struct options *second, const struct comparison_question *q,
                         const struct lts *side, struct problem *why) {
    char *name[2] = {network_model_subject(o->model, o->process), network_model_subject(o->second, second->process)};
    int status = compare(o, q, name, side, why);
    free(name[0]);
    free(name[1]);
    return status;
}

int command_compare(const struct options *o, struct problem *why) {
    bool preorder = o->preorder != RELATIONS;
    struct effort effort = effort_of(o);
    struct comparison_question q = {.relation = (enum lts_relation)(preorder ? o->preorder : o->eq),
                                    .preorder = preorder,
                                    .stability = o->stability,
                                    .no_witness = o->no_witness,
                                    .effort = &effort};
    struct lts side[2];
    struct options second = *o;
    if (o->passes) return passes_test(o, why);
    if (o->process2) second.process = o->process2;
    if (o->test && q.relation != RELATION_FAIR_TESTING) {
        problem_set(why, EXIT_BAD_INPUT, "--test is for fair-testing: only there do tests tell LTSs apart");
        return EXIT_BAD_INPUT;
    }
    if (o->test && o->no_witness) {
        problem_set(why, EXIT_BAD_INPUT,
                    "--test writes a test that tells the two apart, and --no-witness looks for none\nGive one "
                    "of the two");
        return EXIT_BAD_INPUT;
    }
    if (!lts_options_fit(o, why)) return (int)why->status;
    if (!load_lts(o, o->model, &effort, &side[0], why)) return (int)why->status;
    if (!load_lts(&second, o->second, &effort, &side[1], why)) {
        lts_fini(&side[0]);
        return (int)why->status;
    }
    int status = EXIT_BAD_INPUT;
    note_labels(o);
    if (!o->alphabet || (inside_alphabet(o->alphabet, &side[0], o->model, why) &&
                         inside_alphabet(o->alphabet, &side[1], o->second, why)))
        status = compare_named(o, &second, &q, side, why);
    lts_fini(&side[0]);
    lts_fini(&side[1]);
    return status;
}
