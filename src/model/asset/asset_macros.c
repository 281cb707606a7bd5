#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/asset/asset_scan.h"
#include "model/asset/asset_text.h"

/* What ASSET itself looks at. */
static const char *const known[] = {"chk_state",  "chk_deadlock", "chk_may_progress", "chk_must_progress",
                                    "stubborn",   "symmetry",     "stop_cnt",         "try_forward",
                                    "dl_not_may", "dl_not_must",  "no_sanity_chk",    "no_progr_chk"};

/* What is done in another way here. */
static const struct {
    const char *name, *advice;
} foreign[] = {
    {"only_typical", "a typical execution is shown by: onager run"},
    {"show_cnt", "how often the progress line is shown cannot be chosen; --quiet leaves it out"},
    {"no_show_cnt", "the progress line is left out by --quiet"},
    {"hash_count", "the table of states grows as it must"},
};

enum {
    KNOWN = sizeof known / sizeof *known,
    FOREIGN = sizeof foreign / sizeof *foreign,
    MOST_NAMES = 256,
    MOST_DEPTH = 8,
};

/* Names that the text speaks of. */
struct names {
    const char *wanted;
    bool found;
    char *in_conditions[MOST_NAMES]; /* the ones that were probably meant */
    size_t count;
};

static void note(struct names *n, const struct asset_token *t) {
    if (n->count == MOST_NAMES) return;
    char *name = text_format("%.*s", (int)t->length, t->at);
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->in_conditions[i], name) == 0) {
            free(name);
            return;
        }
    n->in_conditions[n->count++] = name;
}

/* The names in a directive other than its own. */
static void look_at_rest(struct names *n, const struct asset_token *rest, bool condition) {
    char *text = text_format("%.*s", (int)rest->length, rest->at);
    struct asset_scan scan;
    asset_scan_begin(&scan, text, "");
    scan.line_begins = false;
    for (struct asset_token t; t = asset_scan_next(&scan), t.kind != ASSET_END;) {
        if (t.kind != ASSET_WORD) continue;
        n->found |= asset_token_is(&t, n->wanted);
        if (condition && !asset_token_is(&t, "defined")) note(n, &t);
    }
    free(text);
}

static void look_at(struct names *n, const char *path, const char *text, int depth);

/* #include "...", beside the file that includes it. */
static void look_at_included(struct names *n, const char *path, const struct asset_token *rest, int depth) {
    const char *slash = strrchr(path, '/');
    char *file = text_format("%.*s%.*s", slash ? (int)(slash - path) + 1 : 0, path, (int)strcspn(rest->at + 1, "\"\n"),
                             rest->at + 1);
    char *text = depth < MOST_DEPTH ? files_read(file, NULL) : NULL;
    if (text) look_at(n, file, text, depth + 1);
    free(text);
    free(file);
}

static void look_at(struct names *n, const char *path, const char *text, int depth) {
    struct asset_scan scan;
    asset_scan_begin(&scan, text, "");
    for (struct asset_token t; t = asset_scan_next(&scan), t.kind != ASSET_END;) {
        struct asset_token name, rest;
        if (t.kind == ASSET_WORD) n->found |= asset_token_is(&t, n->wanted);
        if (!asset_directive(&t, &name, &rest)) continue;
        if (asset_token_is(&name, "include") && *rest.at == '"') look_at_included(n, path, &rest, depth);
        else look_at_rest(n, &rest, strncmp(name.at, "if", 2) == 0 || strncmp(name.at, "el", 2) == 0);
    }
}

static char *list_of(const struct names *n) {
    char *list = memory_copy_string("");
    for (size_t i = 0; i < n->count; i++) {
        char *longer = text_format("%s%s%s", list, i ? ", " : "", n->in_conditions[i]);
        free(list);
        list = longer;
    }
    return list;
}

static bool unknown(const char *path, const char *name, const struct names *n, struct problem *why) {
    const char *all[KNOWN + MOST_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < n->count; i++) all[count++] = n->in_conditions[i];
    for (size_t i = 0; i < KNOWN; i++) all[count++] = known[i];
    const char *near = text_nearest(name, all, count);
    char *list = list_of(n);
    problem_set(why, EXIT_BAD_INPUT,
                "-p %s: %s does not speak of a macro of that name%s%s%s; its #if and #ifdef ask for %s", name, path,
                near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "", *list ? list : "none");
    free(list);
    return false;
}

static void look_for(struct names *n, const char *name, const char *path, const char *model) {
    *n = (struct names){.wanted = name};
    look_at(n, path, model, 0);
}

static void names_done(struct names *n) {
    for (size_t i = 0; i < n->count; i++) free(n->in_conditions[i]);
}

static bool is_known(const char *path, const char *model, const char *name, struct problem *why) {
    struct names n;
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(known[i], name) == 0) return true;
    look_for(&n, name, path, model);
    bool good = n.found;
    for (size_t i = 0; i < FOREIGN && !good; i++)
        if (strcmp(foreign[i].name, name) == 0)
            return names_done(&n), problem_set(why, EXIT_BAD_INPUT, "-p %s: leave it out: %s", name, foreign[i].advice);
    if (!good) unknown(path, name, &n, why);
    names_done(&n);
    return good;
}

/* A model in C under another name? */
static bool is_c(const char *model) {
    struct asset_scan scan;
    asset_scan_begin(&scan, model, "");
    for (struct asset_token t, name, rest; t = asset_scan_next(&scan), t.kind != ASSET_END;)
        if (asset_directive(&t, &name, &rest) && asset_token_is(&name, "include") &&
            strncmp(rest.at, "<onager.h>", 10) == 0)
            return true;
    return false;
}

bool asset_text_fits(const char *path, const char *model, const struct ts_parameter *parameters, size_t count,
                     struct problem *why) {
    if (is_c(model))
        return problem_set(
            why, EXIT_BAD_INPUT,
            "%s includes <onager.h>, as models in C do, whose names end with .c; a name like this one is for "
            "models in ASSET's language, which include nothing of the kind",
            path);
    for (size_t i = 0; i < count; i++)
        if (!is_known(path, model, parameters[i].name, why)) return false;
    return true;
}

char *asset_text_doubt(const char *path, const char *model, const struct ts_parameter *parameters, size_t count) {
    char *doubt = NULL;
    for (size_t i = 0; i < count && !doubt; i++) {
        struct names n;
        bool usual = false;
        look_for(&n, parameters[i].name, path, model);
        for (size_t k = 0; k < KNOWN; k++) usual |= strcmp(known[k], parameters[i].name) == 0;
        for (size_t k = 0; k < n.count; k++) usual |= strcmp(n.in_conditions[k], parameters[i].name) == 0;
        char *list = list_of(&n);
        if (!usual)
            doubt = text_format("-p %s replaces the word %s by %lld wherever it stands, and no #if or #ifdef asks for "
                                "it; they ask for %s",
                                n.wanted, n.wanted, (long long)parameters[i].value, *list ? list : "nothing");
        free(list);
        names_done(&n);
    }
    return doubt;
}
