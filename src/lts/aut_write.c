/* Writing .aut: what stands between two numbers is made once for each label, and the text goes out in large pieces. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "lts/aut.h"

enum { PIECE = 1 << 18, NUMBER = 12 };

struct writer {
    int fd;
    struct effort *effort; /* or NULL */
    char *text;
    size_t used, room;
    bool failed;
    int error; /* errno */
};

static void flush(struct writer *w) {
    if (!w->failed && w->used && !files_write_all(w->fd, w->text, w->used)) {
        w->failed = true;
        w->error = errno;
    }
    w->used = 0;
}

static void have_room(struct writer *w, size_t size) {
    if (w->room - w->used >= size) return;
    flush(w);
    if (w->room < size) w->text = memory_resize(w->text, w->room = size);
}

static void put(struct writer *w, const char *text, size_t length) {
    have_room(w, length);
    memcpy(w->text + w->used, text, length);
    w->used += length;
}

static void put_number(struct writer *w, uint32_t n) {
    char digits[NUMBER];
    int at = NUMBER;
    do digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    put(w, digits + at, (size_t)(NUMBER - at));
}

/* Whether they are the same but for quotes around the first. */
static bool same_unquoted(const char *spelt, const char *name) {
    size_t n = strlen(spelt);
    if (n >= 2 && spelt[0] == '"' && spelt[n - 1] == '"') spelt++, n -= 2;
    return strlen(name) == n && memcmp(spelt, name, n) == 0;
}

/* What is written between the numbers of a transition with this label, or NULL: that would not be read back. */
static char *between(const struct lts *l, uint32_t label, const char *tau, struct problem *why) {
    const char *name = l->labels.text[label];
    if (label == LTS_TAU) return text_format(", %s, ", tau);
    if (same_unquoted(tau, name))
        problem_set(why, EXIT_BAD_INPUT,
                    "there is a visible action '%s', which is how the file would spell the invisible one: choose "
                    "another spelling with --tau NAME",
                    name);
    else if (strpbrk(name, "\r\n"))
        problem_set(why, EXIT_BAD_INPUT,
                    "the name of an action has an end of line in it: an .aut file can not say that");
    else return text_format(", \"%s\", ", name);
    return NULL;
}

static void write_edges(struct writer *w, const struct lts *l, char *const *label_text) {
    size_t *length = memory_get(l->labels.count * sizeof *length);
    for (uint32_t a = 0; a < l->labels.count; a++) length[a] = strlen(label_text[a]);
    for (uint32_t s = 0; s < l->states && !w->failed && !effort_over(w->effort); s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            put(w, "(", 1);
            put_number(w, s);
            put(w, label_text[e->label], length[e->label]);
            put_number(w, e->target);
            put(w, ")\n", 2);
        }
    free(length);
}

static void write_all(struct writer *w, const struct lts *l, char *const *label_text) {
    char *header = text_format("des (%u, %llu, %u)\n", l->initial, (unsigned long long)l->edges, l->states);
    w->text = memory_get(w->room = PIECE);
    put(w, header, strlen(header));
    write_edges(w, l, label_text);
    flush(w);
    free(header);
    free(w->text);
}

static bool writing_ended(const struct effort *e, const char *to, struct problem *why) {
    char *what = text_format("writing %s", to);
    effort_problem(e, what, why);
    free(what);
    return false;
}

static bool write_file(const struct lts *l, const char *path, char *const *label_text, struct effort *effort,
                       struct problem *why) {
    bool standard = strcmp(path, "-") == 0, good = true;
    const char *to = standard ? "standard output" : path;
    if (standard && fflush(stdout) != 0)
        return problem_set(why, EXIT_BAD_INPUT, "cannot write standard output: %s", strerror(errno));
    struct new_file file = {.fd = STDOUT_FILENO};
    if (!standard && !files_begin(&file, path, why)) return false;
    struct writer w = {.fd = file.fd, .effort = effort};
    write_all(&w, l, label_text);
    if (w.failed) good = problem_set(why, EXIT_BAD_INPUT, "cannot write %s: %s", to, strerror(w.error));
    else if (effort && effort->over) good = writing_ended(effort, to, why);
    return standard ? good : files_finish(&file, good, why);
}

bool aut_write(const struct lts *l, const char *path, const struct aut_options *o, struct problem *why) {
    const char *tau = o && o->tau ? o->tau : "i";
    char **label_text = memory_get_zeroed(l->labels.count * sizeof *label_text);
    bool fine = true;
    if (strpbrk(tau, "\r\n") || !*tau)
        fine = problem_set(why, EXIT_BAD_INPUT, "--tau needs a name of one line for the invisible action");
    for (uint32_t a = 0; a < l->labels.count && fine; a++) fine = (label_text[a] = between(l, a, tau, why)) != NULL;
    if (fine) fine = write_file(l, path, label_text, o ? o->effort : NULL, why);
    for (uint32_t a = 0; a < l->labels.count; a++) free(label_text[a]);
    free(label_text);
    return fine;
}
