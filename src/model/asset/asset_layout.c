#include "model/asset/asset_layout.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/asset/asset_build.h"
#include "model/c/c_errors.h"

enum { MOST_BITS = 32, MOST_TRANSITIONS = 1 << 24, BYTES = 4 /* of a state_var */ };

void asset_layout_init(struct asset_layout *l, bool coming) {
    *l = (struct asset_layout){.coming = coming};
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->made, NULL);
}

void asset_layout_fini(struct asset_layout *l) {
    free(l->text);
    problem_fini(&l->why);
    pthread_cond_destroy(&l->made);
    pthread_mutex_destroy(&l->lock);
}

void asset_layout_settle(struct asset_layout *l) {
    pthread_mutex_lock(&l->lock);
    l->coming = false;
    pthread_cond_broadcast(&l->made);
    pthread_mutex_unlock(&l->lock);
}

/* ---- What the probe says ---- */

struct variable {
    char name[128];
    long long bits;
    size_t elements, bytes;
    int is_array, line;
    char file[256];
};

struct reading {
    const char *path;
    FILE *state; /* the variables, for the C half */
    char *names; /* of variables so far, each with a blank before and after it */
    size_t elements;
    unsigned long created, transitions, has;
    bool complete;
};

/* In C, it is a member of a struct. What is a name in C++ may not be one, and names of several scopes may be the
 * same. */
static char *member_name(struct reading *r, const char *name) {
    char *all = text_format(" %s ", name);
    for (unsigned i = 2; strcmp(name, "restrict") == 0 || strstr(r->names, all); i++) {
        free(all);
        all = text_format(" %s_%u ", name, i);
        name = "";
    }
    char *longer = text_format("%s%s", r->names, all), *result = text_format("%.*s", (int)strlen(all) - 2, all + 1);
    free(r->names);
    free(all);
    r->names = longer;
    return result;
}

static bool add_variable(struct reading *r, const struct variable *v, struct problem *why) {
    if (v->bits < 0 || v->bits > MOST_BITS)
        return problem_set(why, EXIT_BAD_INPUT, "%s:%d: the state variable %s has %lld bits; from 1 to %d are possible",
                           v->file, v->line, v->name, v->bits, MOST_BITS);
    if (v->elements * BYTES != v->bytes)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s:%d: state variables that are made before %s have no names: declare all of them as "
                           "state_var NAME, outside functions",
                           v->file, v->line, v->name);
    char *width = v->bits ? text_format("%lld", v->bits) : memory_copy_string("UPTO(0)");
    char *name = member_name(r, v->name);
    if (v->is_array) fprintf(r->state, " onager_a(%s, %s, %zu)", width, name, v->elements);
    else fprintf(r->state, " onager_v(%s, %s)", width, name);
    r->elements += v->elements;
    free(name);
    free(width);
    return true;
}

static bool read_line(struct reading *r, const char *line, struct problem *why) {
    struct variable v;
    if (sscanf(line, "variable %127s %lld %zu %zu %d %d %255[^\n]", v.name, &v.bits, &v.elements, &v.bytes, &v.is_array,
               &v.line, v.file) == 7)
        return add_variable(r, &v, why);
    if (strncmp(line, "threw ", 6) == 0)
        return problem_set(why, EXIT_BAD_INPUT, "%s: nr_transitions has thrown an exception: %s", r->path, line + 6);
    if (strncmp(line, "mistake ", 8) == 0)
        return problem_set(why, EXIT_BAD_INPUT, "%s: in nr_transitions: %s", r->path, line + 8);
    r->complete |= strcmp(line, "end") == 0;
    if (sscanf(line, "transitions %lu", &r->transitions) != 1 && sscanf(line, "has %lu", &r->has) != 1)
        (void)sscanf(line, "created %lu", &r->created);
    return true;
}

static bool complete(const struct reading *r, struct problem *why) {
    if (r->created > r->elements)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s: %lu state variable%s no name: declare all of them as state_var NAME, outside functions",
                           r->path, r->created - r->elements, r->created - r->elements == 1 ? " has" : "s have");
    if (r->elements == 0)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s: the model has no state variables: declare some, as state_var C[n] = 2", r->path);
    if (r->transitions == 0 || r->transitions > MOST_TRANSITIONS)
        return problem_set(why, EXIT_BAD_INPUT, "%s: nr_transitions returned %lu; from 1 to %d are possible", r->path,
                           r->transitions, MOST_TRANSITIONS);
    return true;
}

/* How the probe ended, if not with its last line. */
static bool explain_end(const struct asset_source *from, int status, const char *said, struct problem *why) {
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0, length = (int)strlen(said);
    while (length > 0 && said[length - 1] == '\n') length--;
    const char *gap = length ? ":\n" : "";
    if (child_is_unwanted(from->child)) return c_errors_ended(from->path, from->child, why);
    if (signal == SIGXCPU || signal == SIGKILL)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s: nr_transitions, or a constructor of the model, did not return within %g s: an endless "
                           "loop?",
                           from->path, from->endless);
    if (signal)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s: nr_transitions, or a constructor of the model, crashed (%s)%s%s%.*s", from->path,
                           strsignal(signal),
                           signal == SIGSEGV ? "; state variables have values from nr_transitions on, not before" : "",
                           gap, length, said);
    return problem_set(why, EXIT_BAD_INPUT,
                       "%s: nr_transitions, or a constructor of the model, ended the program%s%.*s", from->path, gap,
                       length, said);
}

/* The C half from what the probe has said, or NULL. */
static char *read_report(const struct asset_source *from, char *report, int status, const char *said,
                         struct problem *why) {
    char *state = NULL, *text = NULL, *rest = report;
    size_t size = 0;
    struct reading r = {.path = from->path, .names = memory_copy_string(" ")};
    bool good = true;
    r.state = open_memstream(&state, &size);
    for (char *line; good && (line = strsep(&rest, "\n"));) good = read_line(&r, line, why);
    fclose(r.state);
    if (good && !r.complete) good = explain_end(from, status, said, why);
    if (good && complete(&r, why))
        text = text_format("#define ONAGER_ASSET_TRANSITIONS %luu\n#define ONAGER_ASSET_HAS %lu\n"
                           "#define ONAGER_ASSET_STATE(onager_v, onager_a)%s\n#include <onager/asset_model.h>\n",
                           r.transitions, r.has, state);
    free(r.names);
    free(state);
    return text;
}

/* ---- Running it ---- */

static char *run_probe(const struct asset_source *from, const char *program, struct problem *why) {
    struct command c = {.count = 0};
    struct bytes report = {.at = NULL};
    char *said = NULL, *text = NULL;
    int status = 0;
    c_command_add(&c, memory_copy_string(program));
    if (!c_command_run(&c, "", from->child, &report, &said, &status))
        problem_set(why, EXIT_BAD_INPUT, "%s: %s cannot be run: %s", from->path, program, strerror(errno));
    else text = read_report(from, report.at, status, said, why);
    bytes_fini(&report);
    free(said);
    c_command_fini(&c);
    return text;
}

static char *make_from(const struct asset_source *from, const char *object, struct problem *why) {
    static const char *const more[] = {"-std=gnu11", "-lstdc++", NULL};
    char *program = text_format("%s/probe", from->folder), *text = NULL;
    char *main_text = text_format("#define ONAGER_PROBE_SECONDS %.0f\n#include <onager/asset_probe.h>\n",
                                  from->endless < 1 ? 1 : from->endless);
    if (asset_link(from, from->probe, main_text, object, program, more, why)) text = run_probe(from, program, why);
    unlink(program);
    free(main_text);
    free(program);
    return text;
}

static char *make(const struct asset_source *from, struct problem *why) {
    char *object = text_format("%s/probe.o", from->folder), *messages = NULL, *text = NULL;
    if (asset_compile(from, from->probe, object, &messages, why)) text = make_from(from, object, why);
    unlink(object);
    free(messages);
    free(object);
    return text;
}

const char *asset_layout_get(struct asset_layout *l, const struct asset_source *from, const char *object,
                             struct problem *why) {
    pthread_mutex_lock(&l->lock);
    while (!object && l->coming && !l->tried) pthread_cond_wait(&l->made, &l->lock);
    if (!l->tried) l->text = object ? make_from(from, object, &l->why) : make(from, &l->why);
    l->tried = true;
    pthread_cond_broadcast(&l->made);
    const char *text = l->text;
    if (!text) problem_set(why, l->why.status, "%s", l->why.text);
    pthread_mutex_unlock(&l->lock);
    return text;
}
