/* onager draw: the text that draw.h makes, or what Graphviz makes of it. */
#include <errno.h>
#include <jansson.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/load_lts.h"
#include "lts/draw.h"
#include "lts/minimize.h"
#include "report/report.h"

extern char **environ;

/* What -T says to dot for a file of that name; "dot" for its own language; NULL: unknown. */
static const char *format_of(const char *path) {
    static const char *const known[][2] = {
        {".dot", "dot"}, {".gv", "dot"}, {".svg", "svg"}, {".png", "png"}, {".pdf", "pdf"}};
    if (strcmp(path, "-") == 0) return "dot";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (text_ends_with(path, known[i][0])) return known[i][1];
    return NULL;
}

/* ---- Graphviz ---- */

/* Runs dot with the text as its input, and the file as its output; it says to `messages` what is wrong. */
static bool run_dot(const char *dot, const char *format, int in, int out, int messages) {
    char *type = text_format("-T%s", format);
    char *args[] = {(char *)(uintptr_t)dot, type, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    if (posix_spawn(&child, dot, &actions, NULL, args, environ) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    posix_spawn_file_actions_destroy(&actions);
    free(type);
    return status == 0;
}

static bool write_text(int fd, const char *text) { return fd >= 0 && files_write_all(fd, text, strlen(text)); }

static bool draw_with(const char *dot, const char *text, const char *format, const char *path, int out,
                      struct problem *why) {
    int in = memfd_create("graph", MFD_CLOEXEC), messages = memfd_create("messages", MFD_CLOEXEC);
    bool fine = write_text(in, text) && lseek(in, 0, SEEK_SET) == 0 && messages >= 0;
    if (!fine) problem_set(why, EXIT_INTERNAL, "no room for the text of the graph: %s", strerror(errno));
    struct stat made;
    if (fine && (!run_dot(dot, format, in, out, messages) || fstat(out, &made) != 0 ||
                 (S_ISREG(made.st_mode) && made.st_size == 0))) {
        char *said = files_read_fd(messages);
        fine = problem_set(why, EXIT_BAD_INPUT, "%s could not draw %s%s%s", dot, path, said && *said ? ":\n" : "",
                           said ? said : "");
        free(said);
    }
    if (in >= 0) close(in);
    if (messages >= 0) close(messages);
    return fine;
}

/* The file, by dot or, if `dot` is NULL, as it is. */
static bool write_file(const char *text, const char *dot, const char *format, const char *path, struct problem *why) {
    struct new_file file;
    if (!files_begin(&file, path, why)) return false;
    bool fine = dot ? draw_with(dot, text, format, path, file.fd, why)
                    : write_text(file.fd, text) ||
                          problem_set(why, EXIT_BAD_INPUT, "cannot write %s: %s", path, strerror(errno));
    return files_finish(&file, fine, why);
}

static bool write_picture(const char *text, const char *path, struct problem *why) {
    const char *format = format_of(path);
    if (strcmp(path, "-") == 0) return fputs(text, stdout) >= 0;
    if (strcmp(format, "dot") == 0) return write_file(text, NULL, format, path, why);
    char *dot = files_find_program("dot");
    if (!dot)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s needs the program dot of Graphviz, which is not here. Install it (apt-get install "
                           "graphviz), or write a .dot file and draw it elsewhere",
                           path);
    bool fine = write_file(text, dot, format, path, why);
    free(dot);
    return fine;
}

/* ---- What is drawn ---- */

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
                       "%s has %u states, and still %u after minimising (branching-div): too many for a picture that "
                       "says something. Hide actions, minimise by a coarser relation (onager minimize --eq weak, trace "
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
    if (!format_of(to)) {
        problem_set(why, EXIT_BAD_INPUT, "-o %s: its name must end with .svg, .png, .pdf or .dot", to);
        return (int)why->status;
    }
    struct effort effort = effort_of(o);
    if (!lts_options_fit(o, why)) return (int)why->status;
    if (!load_lts(o, o->model, &effort, &l, why)) return (int)why->status;
    if (make_small(o, &effort, &l, &original, why)) {
        char *caption = caption_of(o, &l, original), *text = draw_dot(&l, caption);
        if (write_picture(text, to, why)) report(o, &l, original, caption, why);
        free(caption);
        free(text);
    }
    lts_fini(&l);
    return (int)why->status;
}
