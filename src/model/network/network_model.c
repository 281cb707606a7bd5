#include "model/network/network_model.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "fsp/fsp.h"
#include "lts/lts_file.h"
#include "model/network/network_ts.h"
#include "ts/reductions.h"

/* FILE and PROCESS of "FILE:PROCESS", unless there is a file of that whole name. */
struct target {
    char *file;
    const char *process; /* or NULL */
};

static struct target split(const char *path, const char *process) {
    struct target t = {memory_copy_string(path), process};
    char *colon = strrchr(t.file, ':');
    if (!colon || !text_is_identifier(colon + 1) || access(path, F_OK) == 0) return t;
    *colon = 0;
    if (!process) t.process = colon + 1;
    return t;
}

static bool is_fsp(const char *file) { return lts_file_kind(file, FILE_UNKNOWN) == FILE_FSP; }

enum file_kind network_model_kind(const char *path) {
    struct target t = split(path, NULL);
    enum file_kind kind = lts_file_kind(t.file, FILE_UNKNOWN);
    free(t.file);
    return kind;
}

bool network_model_is(const char *path) {
    enum file_kind kind = network_model_kind(path);
    return kind == FILE_FSP || suffix_is_lts(kind);
}

bool network_model_lacks_process(const char *path) {
    struct target t = split(path, NULL);
    bool lacks = is_fsp(t.file) && !t.process;
    free(t.file);
    return lacks;
}

char *network_model_subject(const char *path, const char *process) {
    struct target t = split(path, process);
    if (!t.process || !is_fsp(t.file)) {
        free(t.file);
        return memory_copy_string(path);
    }
    char *subject = text_format("%s:%s", t.file, t.process);
    free(t.file);
    return subject;
}

static bool read_fsp(const struct target *t, const struct network_model_options *o, struct network *n,
                     struct problem *why) {
    struct fsp_system system;
    struct fsp_file *f = fsp_read_within(t->file, o->parameters, (uint32_t)o->parameter_count, o->effort, why);
    if (f && o->foreign_parameters) fsp_ignore_foreign(f);
    bool good = f && fsp_target(f, t->process, &system, why);
    if (good) {
        for (uint32_t i = 0; o->warnings && i < system.warning_count; i++)
            fprintf(o->warnings, "onager: warning: %s\n", system.warnings[i]);
        *n = system.network;
        system.network = (struct network){0};
        fsp_system_fini(&system);
        if (o->logic && !fsp_logic(f, o->assertion, n, why)) {
            network_fini(n);
            good = false;
        }
    }
    if (f) fsp_free(f);
    return good;
}

/* So that reports and certificates can tell them. */
static void note_parameters(const struct network_model_options *o, struct network *n) {
    n->parameters = memory_get((o->parameter_count + 1) * sizeof *n->parameters);
    n->parameter_count = (uint32_t)o->parameter_count;
    for (uint32_t i = 0; i < n->parameter_count; i++)
        n->parameters[i] =
            (struct ts_parameter){.name = memory_copy_string(o->parameters[i].name), .value = o->parameters[i].value};
}

/* One component. */
static bool read_lts(const struct target *t, const struct network_model_options *o, struct network *n,
                     struct problem *why) {
    struct lts l;
    if (t->process)
        return problem_set(why, EXIT_BAD_INPUT, "%s is one LTS; there is no process %s in it", t->file, t->process);
    if (o->parameter_count > 0 && !o->foreign_parameters)
        return problem_set(why, EXIT_BAD_INPUT, "%s has no parameter '%s'; an LTS has none at all", t->file,
                           o->parameters[0].name);
    struct lts_file_options how = o->lts;
    how.effort = o->effort;
    if (!lts_file_read(t->file, &how, &l, why)) return false;
    *n = (struct network){.count = 1, .component = memory_get(sizeof *n->component)};
    n->component[0] = (struct network_component){memory_copy_string("state"), l};
    names_copy(&n->labels, &l.labels);
    n->sight = memory_get_zeroed(n->labels.count * sizeof *n->sight);
    return true;
}

/* Which one is meant may be left out where there is one. */
static bool make_tester(const struct target *t, struct fsp_file *f, FILE *warnings, struct tester *out,
                        struct problem *why) {
    const char *process = t->process ? t->process : fsp_only_tester(f);
    return process ? fsp_tester(f, process, warnings, out, why)
                   : problem_set(why, EXIT_BAD_INPUT, "which process of %s is the tester? Write --tester %s:NAME",
                                 t->file, t->file);
}

bool network_model_tester(const char *path, const char *process, const struct ts_parameter *parameters,
                          size_t parameter_count, FILE *warnings, struct effort *effort, struct tester *out,
                          struct problem *why) {
    struct target t = split(path, NULL);
    if (process) t.process = process;
    bool good =
        is_fsp(t.file) || problem_set(why, EXIT_BAD_INPUT,
                                      "%s is no FSP file: where is the tester? Write --tester FILE.fsp:NAME, or "
                                      "--tester FILE.hoa",
                                      t.file);
    struct fsp_file *f = good ? fsp_read_within(t.file, parameters, (uint32_t)parameter_count, effort, why) : NULL;
    good = f && make_tester(&t, f, warnings, out, why);
    fsp_free(f);
    free(t.file);
    return good;
}

struct ts *network_model_open(const struct network_model_options *o, struct problem *why) {
    struct target t = split(o->path, o->process);
    struct network n;
    bool good = true;
    for (const struct reduction_row *r = reduction_table; r->name; r++)
        if (r->not_of_processes && reduction_is_on(&o->reduction, r))
            good = problem_set(why, EXIT_BAD_INPUT, "%s: %s; leave --%s out", o->path, r->not_of_processes, r->name);
    good = good && (is_fsp(t.file) ? read_fsp(&t, o, &n, why) : read_lts(&t, o, &n, why));
    if (good) note_parameters(o, &n);
    struct ts *ts = good ? network_open(&n, o->path, o->reduction, why) : NULL;
    free(t.file);
    return ts;
}
