/* Processes as testers: which of their states have which kinds. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fsp/process.h"
#include "lts/tester.h"

const struct definition *file_tester(const struct fsp_file *f, const char *name) {
    for (const struct definition *d = f->definitions; d; d = d->next)
        if (d->kind == DEFINITION_TESTER && strcmp(d->name, name) == 0) return d;
    return NULL;
}

const char *fsp_only_tester(const struct fsp_file *f) {
    const char *only = NULL;
    for (const struct definition *d = f->definitions; d; d = d->next) {
        if (d->kind != DEFINITION_TESTER) continue;
        if (only) return NULL;
        only = d->name;
    }
    return only;
}

struct marking {
    struct maker *m;
    const struct definition *d; /* the process */
    const struct local_states *where;
    uint8_t *kinds; /* by state of the LTS */
    const struct monitor *monitor;
    const struct monitored *monitored;
    bool found; /* something was marked */
};

static void mark(struct marking *x, uint32_t name) {
    x->kinds[x->where->state[name]] |= (uint8_t)x->monitor->kind;
    x->found = true;
}

static bool unknown(struct marking *x, const char *suffix) {
    const struct names *names = &x->where->names;
    const char *near = text_nearest(x->monitored->name, (const char *const *)names->text, names->count);
    return maker_problem(x->m, x->monitored->at, "%s has no local process %s%s%s%s%s", x->d->name, x->monitored->name,
                         suffix, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* One combination of values of the indices that were written. */
static bool mark_indexed(void *context, const char *suffix, const struct binding *env) {
    struct marking *x = context;
    char *name = text_format("%s%s", x->monitored->name, suffix);
    uint32_t number = names_find(&x->where->names, name);
    (void)env;
    free(name);
    if (number == NAMES_NONE) return unknown(x, suffix);
    mark(x, number);
    return true;
}

/* Without indices, all that have the name. */
static bool mark_name(struct marking *x) {
    const struct names *names = &x->where->names;
    size_t length = strlen(x->monitored->name);
    x->found = false;
    for (uint32_t i = 0; i < names->count; i++) {
        char after = strncmp(names->text[i], x->monitored->name, length) == 0 ? names->text[i][length] : 'x';
        if (after == 0 || after == '.') mark(x, i);
    }
    return x->found || unknown(x, "");
}

static bool mark_all(struct marking *x, const struct definition *said, const struct binding *env) {
    for (x->monitor = said ? said->monitors : NULL; x->monitor; x->monitor = x->monitor->next)
        for (x->monitored = x->monitor->states; x->monitored; x->monitored = x->monitored->next)
            if (!(x->monitored->indices ? make_indices(x->m, env, x->monitored->indices, mark_indexed, x)
                                        : mark_name(x)))
                return false;
    return true;
}

/* "P.1.a" is P[1][a]. The first name of a state is the one that is shown, but the process's own is the last choice. */
static char *shown_name(const char *name) {
    char *shown = memory_get(2 * strlen(name) + 2), *out = shown;
    bool open = false;
    for (const char *c = name; *c; c++) {
        if (*c == '.' && open) *out++ = ']';
        if (*c == '.') open = true;
        *out++ = *c == '.' ? '[' : *c;
    }
    if (open) *out++ = ']';
    *out = 0;
    return shown;
}

static char **name_states(const struct local_states *where, uint32_t states) {
    char **names = memory_get_zeroed(states * sizeof *names);
    for (uint32_t i = where->names.count; i-- > 0;) {
        uint32_t s = where->state[i];
        if (i == 0 && names[s]) continue;
        free(names[s]);
        names[s] = shown_name(where->names.text[i]);
    }
    return names;
}

static void free_names(char **names, uint32_t states) {
    for (uint32_t s = 0; s < states; s++) free(names[s]);
    free(names);
}

static bool make_tester(struct maker *m, const struct definition *d, const struct definition *said,
                        struct tester *out) {
    const struct binding *env;
    struct local_states where;
    struct lts lts;
    if (d->minimal || d->deterministic)
        return maker_problem(m, d->at, "%s is to be a tester: its states must stay as they are, without %s", d->name,
                             d->minimal ? "minimal" : "deterministic");
    if (!make_target_parameters(m, d, &env) || !make_with_states(m, d, env, &lts, &where)) return false;
    struct marking x = {.m = m, .d = d, .where = &where, .kinds = memory_get_zeroed(lts.states)};
    bool good = mark_all(&x, said, env);
    if (good) {
        uint32_t states = lts.states;
        char **names = name_states(&where, states);
        struct place at = said ? said->at : d->at;
        char *place = text_format("%s:%u:%u", m->file->path, at.line, at.column);
        tester_init(out, d->name, &lts, x.kinds, names);
        good = tester_well_formed(out, place, m->why);
        if (!good) tester_fini(out);
        free(place);
        free_names(names, states);
    } else {
        lts_fini(&lts);
    }
    names_fini(&where.names);
    free(where.state);
    free(x.kinds);
    return good;
}

bool fsp_tester(struct fsp_file *f, const char *process, FILE *warnings, struct tester *out, struct problem *why) {
    const struct definition *d = file_process(f, process), *said = file_tester(f, process);
    struct maker m;
    *out = (struct tester){0};
    if (!d) {
        char *hint = file_hint(f, process);
        problem_set(why, EXIT_BAD_INPUT, "%s: there is no process %s%s", f->path, process, hint);
        free(hint);
        return false;
    }
    maker_init(&m, f, why);
    bool good = d->kind == DEFINITION_PROCESS
                    ? make_tester(&m, d, said, out)
                    : maker_problem(&m, d->at, "%s is no primitive process, so that it cannot be a tester", d->name);
    for (uint32_t i = 0; good && warnings && i < m.warnings.count; i++)
        fprintf(warnings, "onager: warning: %s\n", m.warnings.text[i]);
    maker_fini(&m);
    return good;
}
