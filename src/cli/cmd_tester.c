/* onager tester: a specification becomes a tester in FSP. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/load_lts.h"
#include "fsp/fsp.h"
#include "lts/label_list.h"
#include "compare/canonical_tester.h"
#include "report/report.h"

static const char process_name[] = "TESTER";

static bool suits_tester(const char *path, struct problem *why) {
    return !path || strcmp(path, "-") == 0 || text_ends_with(path, ".fsp") ||
           problem_set(why, EXIT_BAD_INPUT, "-o %s: a tester is written in FSP; give it a name that ends with .fsp",
                       path);
}

static void write_head(const struct options *o, const char *relation, const struct lts *spec, FILE *out) {
    fprintf(out,
            "// What is not below %s in the %s preorder is found by\n"
            "//     onager check MODEL --tester THIS-FILE:%s\n"
            "// It sees its alphabet only; other actions of the model are invisible to it.\n",
            o->model, relation, process_name);
    if (spec->end != LTS_NONE || spec->error != LTS_NONE)
        fprintf(out, "// END and ERROR count as STOP here; onager check --refines tells them apart.\n");
    fprintf(out, "\n");
}

static bool write_text(const struct options *o, const char *text, size_t size, struct problem *why) {
    bool standard = !o->output || strcmp(o->output, "-") == 0;
    if (!standard) return files_write_new(o->output, text, size, why);
    return fwrite(text, 1, size, stdout) == size ||
           problem_set(why, EXIT_BAD_INPUT, "standard output cannot be written");
}

static bool write_tester(const struct options *o, const struct lts *spec, const struct tester *t, struct problem *why) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return problem_set(why, EXIT_INCONCLUSIVE, "there is no memory for the text of the tester");
    write_head(o, t->refines, spec, out);
    bool good = fsp_write_tester(t, process_name, out, why);
    bool whole = fclose(out) == 0;
    good = good && (whole || problem_set(why, EXIT_INCONCLUSIVE, "there is no memory for the text of the tester"));
    good = good && write_text(o, text, size, why);
    free(text);
    return good;
}

static bool show(const struct options *o, const struct lts *spec, const struct tester *t, struct problem *why) {
    bool taken = !o->output || strcmp(o->output, "-") == 0;
    if (!o->json || strcmp(o->json, "-") != 0)
        fprintf(taken ? stderr : stdout, "%s: specification with %u state%s, %s: tester with %u state%s, %llu edge%s\n",
                o->model, spec->states, spec->states == 1 ? "" : "s", t->refines, t->lts.states,
                t->lts.states == 1 ? "" : "s", (unsigned long long)t->lts.edges, t->lts.edges == 1 ? "" : "s");
    if (!o->json) return true;
    json_t *document = json_pack("{s:s, s:s, s:s, s:I, s:s, s:I, s:I, s:I}", "onager", ONAGER_VERSION, "model",
                                 o->model, "preorder", t->refines, "spec_states", (json_int_t)spec->states, "process",
                                 process_name, "states", (json_int_t)t->lts.states, "edges", (json_int_t)t->lts.edges,
                                 "labels", (json_int_t)t->lts.labels.count - 1);
    bool fine = document ? report_write_json(document, o->json, why)
                         : problem_set(why, EXIT_BAD_INPUT, "the name of the file is not UTF-8");
    json_decref(document);
    return fine;
}

int command_tester(const struct options *o, struct problem *why) {
    struct effort effort = effort_of(o);
    struct canonical_question q = {.name = "SPEC", .effort = &effort};
    struct lts spec;
    struct tester t;
    struct names more;
    if (!suits_tester(o->output, why) || !canonical_relation(o->below, &q.relation, why) || !lts_options_fit(o, why) ||
        !load_lts(o, o->model, &effort, &spec, why))
        return (int)why->status;
    names_init(&more);
    if (o->alphabet) label_list_add(o->alphabet, &more);
    q.spec = &spec;
    q.more = &more;
    if (canonical_tester(&q, &t, why)) {
        if (write_tester(o, &spec, &t, why)) show(o, &spec, &t, why);
        tester_fini(&t);
    }
    names_fini(&more);
    lts_fini(&spec);
    return (int)why->status;
}
