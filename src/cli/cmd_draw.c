/* onager draw: an LTS as a picture. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/load_lts.h"
#include "cli/picture.h"
#include "lts/draw_lts.h"
#include "minimize/minimize.h"
#include "report/report.h"

/* Few enough states, after minimising if need be; then *original keeps what was before. */
static bool make_small(const struct options *o, struct effort *effort, struct lts *l, uint32_t *original,
                       struct problem *why) {
    struct lts smaller;
    *original = l->states;
    if (l->states <= o->max_drawn) return true;
    if (!lts_minimize(l, RELATION_BRANCHING_DIV, effort, &smaller, why)) return false;
    lts_fini(l);
    *l = smaller;
    if (l->states <= o->max_drawn) return true;
    return problem_set(why, EXIT_BAD_INPUT,
                       "%s has %u states, and still %u after minimising (branching-div): too many for a readable "
                       "picture. Hide actions, minimise by a coarser relation (onager minimize --eq weak, trace "
                       "or fair-testing), or allow more with --max-drawn",
                       o->model, *original, l->states);
}

static char *caption_of(const struct options *o, const struct lts *l, uint32_t original) {
    const char *name = strrchr(o->model, '/');
    char *more = original != l->states ? text_format(", minimised (branching-div) from %u states", original) : NULL;
    char *caption =
        text_format("%s: %u state%s, %llu edge%s%s", name ? name + 1 : o->model, l->states, l->states == 1 ? "" : "s",
                    (unsigned long long)l->edges, l->edges == 1 ? "" : "s", more ? more : "");
    free(more);
    return caption;
}

static bool report(const struct options *o, const struct lts *l, uint32_t original, const char *caption,
                   struct problem *why) {
    bool fine = true;
    if (!(o->json && strcmp(o->json, "-") == 0))
        fprintf(o->output && strcmp(o->output, "-") != 0 ? stdout : stderr, "%s\n", caption);
    if (o->json) {
        json_t *document = json_pack("{s:s, s:s, s:I, s:I, s:I, s:b}", "onager", ONAGER_VERSION, "model", o->model,
                                     "states", (json_int_t)l->states, "edges", (json_int_t)l->edges, "original_states",
                                     (json_int_t)original, "minimised", original != l->states);
        fine = document ? report_write_json(document, o->json, why)
                        : problem_set(why, EXIT_BAD_INPUT, "the name of the file is not UTF-8");
        json_decref(document);
    }
    return fine;
}

int command_draw(const struct options *o, struct problem *why) {
    const char *to = o->output ? o->output : "-";
    struct lts l;
    uint32_t original;
    if (!picture_format(to)) {
        problem_set(why, EXIT_BAD_INPUT, "-o %s: its name must end with .svg, .png, .pdf or .dot", to);
        return (int)why->status;
    }
    struct effort effort = effort_of(o);
    if (!lts_options_fit(o, why)) return (int)why->status;
    if (!load_lts(o, o->model, &effort, &l, why)) return (int)why->status;
    note_labels(o);
    if (make_small(o, &effort, &l, &original, why)) {
        char *caption = caption_of(o, &l, original), *text = draw_dot(&l, caption);
        if (picture_write(text, to, why)) report(o, &l, original, caption, why);
        free(caption);
        free(text);
    }
    lts_fini(&l);
    return (int)why->status;
}
