/* The sets of transitions that are to be treated fairly, as users name them. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/fair/fair_cycle.h"

static struct fair_set *add_set(struct fair *f, const struct ts *ts, const char *name, bool strong) {
    f->sets = memory_resize(f->sets, (f->count + UINT64_C(1)) * sizeof *f->sets);
    f->sets[f->count] =
        (struct fair_set){memory_copy_string(name), memory_get_zeroed(ts->transitions + UINT64_C(1)), strong};
    return &f->sets[f->count++];
}

/* Adds the transitions that a member of a set names. */
static bool add_member(struct fair_set *set, struct ts *ts, struct ts_worker *w, const char *member) {
    uint32_t one = ts_find_transition(ts, w, member);
    bool any = one != TS_NONE;
    if (any) set->has[one] = true;
    for (uint32_t t = 0; t < ts->transitions; t++) {
        char name[128];
        ts->ops->transition_name(w, t, name, sizeof name);
        if (fnmatch(member, name, 0) == 0) any = set->has[t] = true;
    }
    return any;
}

static bool add_named(struct fair *f, struct ts *ts, struct ts_worker *w, char *text, bool strong,
                      struct problem *why) {
    struct fair_set *set = add_set(f, ts, text, strong);
    for (char *rest = text, *member; (member = strsep(&rest, "+"));)
        if (!add_member(set, ts, w, member)) return ts_lacks_transition(ts, w, member, why);
    return true;
}

static void add_each(struct fair *f, struct ts *ts, struct ts_worker *w, bool strong) {
    for (uint32_t t = 0; t < ts->transitions; t++) {
        char name[128];
        ts->ops->transition_name(w, t, name, sizeof name);
        add_set(f, ts, name, strong)->has[t] = true;
    }
}

/* What each process takes part in. */
static bool add_processes(struct fair *f, struct ts *ts, bool strong, struct problem *why) {
    if (!ts->ops->takes_part)
        return problem_set(
            why, EXIT_BAD_INPUT,
            "%s does not say what its processes are; name sets of transitions instead, such as 'p0*,p1*'", ts->path);
    for (uint32_t v = 0; v < ts->variable_count; v++) {
        struct fair_set *set = add_set(f, ts, ts->variables[v].name, strong);
        for (uint32_t t = 0; t < ts->transitions; t++) set->has[t] = ts->ops->takes_part(ts, v, t);
    }
    return true;
}

bool fair_add(struct fair *f, struct ts *ts, struct ts_worker *w, const char *list, bool strong, struct problem *why) {
    if (strcmp(list, "all") == 0) return add_each(f, ts, w, strong), true;
    if (strcmp(list, "processes") == 0) return add_processes(f, ts, strong, why);
    char *copy = memory_copy_string(list), *rest = copy;
    bool good = true;
    for (char *text; good && (text = strsep(&rest, ","));) good = add_named(f, ts, w, text, strong, why);
    free(copy);
    return good;
}

void fair_fini(struct fair *f) {
    for (uint32_t i = 0; i < f->count; i++) {
        free(f->sets[i].name);
        free(f->sets[i].has);
    }
    free(f->sets);
    *f = (struct fair){0};
}
