/* onager info: what an LTS has, at a glance. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/load_lts.h"
#include "lts/info.h"
#include "report/report.h"

/* ---- Text ---- */

/* " (3, 5, 8, ...)" */
static void show_first(const struct info_states *some, FILE *out) {
    for (uint64_t i = 0; i < some->count && i < INFO_SHOWN; i++) fprintf(out, "%s%u", i ? ", " : " (", some->first[i]);
    if (some->count > 0) fprintf(out, "%s)", some->count > INFO_SHOWN ? ", ..." : "");
}

static void show_states(const char *what, const struct info_states *some, FILE *out) {
    if (some->count == 0) {
        fprintf(out, "%s: none\n", what);
        return;
    }
    fprintf(out, "%s: %llu state%s", what, (unsigned long long)some->count, text_s(some->count));
    show_first(some, out);
    fprintf(out, "\n");
}

static void show_deterministic(const struct lts *l, const struct lts_info *i, FILE *out) {
    fprintf(out, "deterministic: %s", i->deterministic ? "yes\n" : "no");
    if (i->deterministic) return;
    if (i->choices.count > 0) {
        fprintf(out, ": state %u has edges '%s' to %u and to %u", i->choices.first[0], l->labels.text[i->choice_label],
                i->choice_target[0], i->choice_target[1]);
        if (i->choices.count > 1)
            fprintf(out, ", and %llu other state%s such edges", (unsigned long long)i->choices.count - 1,
                    i->choices.count == 2 ? " has" : "s have");
    }
    if (i->invisible.count > 0) {
        fprintf(out, "%s %llu state%s invisible edges", i->choices.count ? ";" : ":",
                (unsigned long long)i->invisible.count, i->invisible.count == 1 ? " has" : "s have");
        show_first(&i->invisible, out);
    }
    fprintf(out, "\n");
}

static void show_always(const char *what, const struct info_states * not, const char *lost, FILE *out) {
    fprintf(out, "always %s: %s", what, not ->count == 0 ? "yes" : "no: ");
    if (not ->count > 0) {
        fprintf(out, "from %llu state%s", (unsigned long long)not ->count, text_s(not ->count));
        show_first(not, out);
        fprintf(out, ", %s", lost);
    }
    fprintf(out, "\n");
}

static void show_bottoms(const struct lts_info *i, FILE *out) {
    fprintf(out, "strong components: %u; bottom ones: %llu, with %u state%s, %u in the largest", i->components,
            (unsigned long long)i->bottoms.count, i->bottom_states, text_s(i->bottom_states), i->largest_bottom);
    show_first(&i->bottoms, out);
    fprintf(out, "\n");
}

/* By how many edges they have, the most first; of those with as many, by name. */
struct row {
    uint64_t edges;
    const char *label;
};

static int by_edges(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    if (x->edges != y->edges) return x->edges > y->edges ? -1 : 1;
    return strcmp(x->label, y->label);
}

static struct row *sorted_labels(const struct lts *l, const struct lts_info *i) {
    struct row *row = memory_get(l->labels.count * sizeof *row);
    for (uint32_t a = 0; a < l->labels.count; a++) row[a] = (struct row){i->label_edges[a], l->labels.text[a]};
    qsort(row + 1, l->labels.count - 1, sizeof *row, by_edges);
    return row;
}

/* The invisible action first, if it is there; then the alphabet. */
static void show_labels(const struct options *o, const struct lts *l, const struct lts_info *i, FILE *out) {
    struct row *row = sorted_labels(l, i);
    uint32_t visible = l->labels.count - 1;
    const char *spelt = o->tau_met->first;
    if (visible == 0) fprintf(out, "alphabet: no visible labels\n");
    else fprintf(out, "alphabet: %u visible label%s; edges with each:\n", visible, text_s(visible));
    if (row[0].edges > 0)
        fprintf(out, "%12llu  tau (invisible%s%s)\n", (unsigned long long)row[0].edges, spelt ? ", spelt " : "",
                spelt ? spelt : "");
    for (uint32_t a = 1; a < l->labels.count; a++)
        fprintf(out, "%12llu  %s\n", (unsigned long long)row[a].edges, row[a].label);
    free(row);
}

static void show_text(const struct options *o, const struct lts *l, const struct lts_info *i, FILE *out) {
    const char *name = strcmp(o->model, "-") == 0 ? "standard input" : o->model;
    fprintf(out, "%s: %u state%s, %llu edge%s; initial state %u%s%s\n", name, l->states, text_s(l->states),
            (unsigned long long)l->edges, text_s(l->edges), l->initial, l->end != LTS_NONE ? ", END" : "",
            l->error != LTS_NONE ? ", ERROR" : "");
    if (i->reachable < l->states)
        fprintf(out, "reachable: %u state%s, %llu edge%s; what follows is about these\n", i->reachable,
                text_s(i->reachable), (unsigned long long)i->edges, text_s(i->edges));
    show_deterministic(l, i, out);
    show_states("deadlocks", &i->deadlocks, out);
    show_states("on invisible cycles", &i->tau_cycles, out);
    show_always("may-progressing", &i->unprogressing, "nothing visible and no deadlock can be reached", out);
    show_always("may-stabilizing", &i->unstabilizing, "no state without invisible edges can be reached", out);
    show_bottoms(i, out);
    show_labels(o, l, i, out);
}

/* ---- JSON ---- */

static json_t *first_of(const struct info_states *some) {
    json_t *list = json_array();
    for (uint64_t i = 0; i < some->count && i < INFO_SHOWN; i++)
        json_array_append_new(list, json_integer(some->first[i]));
    return json_pack("{s:I, s:o}", "count", (json_int_t)some->count, "first", list);
}

static json_t *labels_of(const struct lts *l, const struct lts_info *i) {
    struct row *row = sorted_labels(l, i);
    json_t *list = json_array();
    for (uint32_t a = 1; a < l->labels.count; a++) {
        char *name = memory_copy_string(row[a].label);
        text_make_printable(name);
        json_array_append_new(list, json_pack("{s:s, s:I}", "label", name, "edges", (json_int_t)row[a].edges));
        free(name);
    }
    free(row);
    return list;
}

/* The first state that has a choice, and what it can choose. */
static json_t *choice_of(const struct lts *l, const struct lts_info *i) {
    if (i->choices.count == 0) return json_null();
    char *name = memory_copy_string(l->labels.text[i->choice_label]);
    text_make_printable(name);
    json_t *choice = json_pack("{s:I, s:s, s:[I, I]}", "state", (json_int_t)i->choices.first[0], "label", name,
                               "targets", (json_int_t)i->choice_target[0], (json_int_t)i->choice_target[1]);
    free(name);
    return choice;
}

static json_t *document_of(const struct options *o, const struct lts *l, const struct lts_info *i, double seconds) {
    json_t *bottoms = first_of(&i->bottoms);
    json_object_set_new(bottoms, "states", json_integer(i->bottom_states));
    json_object_set_new(bottoms, "largest", json_integer(i->largest_bottom));
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:b, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:I, s:o, "
        "s:f}",
        "onager", ONAGER_VERSION, "model", o->model, "states", (json_int_t)l->states, "edges", (json_int_t)l->edges,
        "initial", (json_int_t)l->initial, "reachable_states", (json_int_t)i->reachable, "reachable_edges",
        (json_int_t)i->edges, "end", l->end != LTS_NONE, "error", l->error != LTS_NONE, "deterministic",
        (int)i->deterministic, "choice", choice_of(l, i), "choices", first_of(&i->choices), "invisible",
        first_of(&i->invisible), "deadlocks", first_of(&i->deadlocks), "tau_cycles", first_of(&i->tau_cycles),
        "not_progressing", first_of(&i->unprogressing), "not_stabilizing", first_of(&i->unstabilizing), "components",
        (json_int_t)i->components, "bottom_components", bottoms, "tau_edges", (json_int_t)i->label_edges[LTS_TAU],
        "labels", labels_of(l, i), "time_s", seconds);
}

static bool write_json(const struct options *o, const struct lts *l, const struct lts_info *i, double seconds,
                       struct problem *why) {
    json_t *document = document_of(o, l, i, seconds);
    bool fine = document ? report_write_json(document, o->json, why)
                         : problem_set(why, EXIT_BAD_INPUT, "the name of the file is not UTF-8");
    json_decref(document);
    return fine;
}

int command_info(const struct options *o, struct problem *why) {
    struct effort effort = effort_of(o);
    double start = clock_seconds();
    struct lts_info info;
    struct lts l;
    if (!lts_options_fit(o, why) || !load_lts(o, o->model, &effort, &l, why)) return (int)why->status;
    note_labels(o);
    if (lts_info(&l, &effort, &info)) {
        if (!(o->json && strcmp(o->json, "-") == 0)) show_text(o, &l, &info, stdout);
        if (o->json) write_json(o, &l, &info, clock_seconds() - start, why);
        lts_info_fini(&info);
    } else effort_problem(&effort, "looking at the LTS", why);
    lts_fini(&l);
    return (int)why->status;
}
