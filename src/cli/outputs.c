#include "cli/outputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"

struct named {
    const char *what, *path; /* no path: it was not given */
};

/* Where a file would be made: its name in its folder, whatever way leads there. To be freed. */
static char *place_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? text_format("%.*s/", (int)(slash - path), path) : memory_copy_string(".");
    char *real = realpath(folder, NULL), *place = text_format("%s/%s", real ? real : folder, slash ? slash + 1 : path);
    free(folder);
    free(real);
    return place;
}

static bool same_place(const char *a, const char *b) {
    char *one = place_of(a), *other = place_of(b);
    bool same = strcmp(one, other) == 0;
    free(one);
    free(other);
    return same;
}

static bool same_file(const char *a, const char *b) {
    struct stat one, other;
    if (stat(a, &one) != 0 || stat(b, &other) != 0) return same_place(a, b);
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino && !S_ISCHR(one.st_mode);
}

/* The first of the list that is this file, or NULL. The list ends with a row that says nothing. */
static const struct named *find(const struct named *list, const char *path) {
    for (; list->what; list++)
        if (list->path && strcmp(list->path, "-") != 0 && same_file(list->path, path)) return list;
    return NULL;
}

bool outputs_agree(const struct options *o, struct problem *why) {
    const struct named read[] = {
        {"the model", o->command == COMMAND_LTL ? NULL : o->model}, /* that is a formula */
        {"what it is compared with", o->second},
        {"the trace", o->trace},
        {"the certificate", o->file},
        {"the automaton", o->automaton},
        {"the automaton", o->hoa},
        {"the specification", o->refines},
        {"the test", o->passes},
        {0},
    };
    const struct named written[] = {
        {"output", o->output},
        {"json", o->json},
        {"certificate", o->certificate},
        {"test", o->test},
        {"trace-file", o->trace_file},
        {"html", o->html},
        {0},
    };
    for (const struct named *w = written; w->what; w++) {
        if (!w->path || strcmp(w->path, "-") == 0) continue;
        bool replaces = w->path == o->output && o->command != COMMAND_TESTER; /* an LTS by a smaller one */
        const struct named *hit = replaces ? NULL : find(read, w->path);
        if (hit)
            return problem_set(why, EXIT_BAD_INPUT, "--%s %s would overwrite %s; give another name", w->what, w->path,
                               hit->what);
        hit = find(w + 1, w->path);
        if (hit)
            return problem_set(why, EXIT_BAD_INPUT, "--%s %s and --%s %s are the same file; give one another name",
                               w->what, w->path, hit->what, hit->path);
    }
    return true;
}

bool outputs_can_begin(const struct options *o, struct problem *why) {
    const char *const written[] = {o->output, o->json, o->test, o->trace_file, o->html};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (written[i] && *written[i] && strcmp(written[i], "-") != 0 && !files_can_begin(written[i], why))
            return false;
    return true;
}
