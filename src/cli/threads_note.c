#include "cli/threads_note.h"

#include <stdio.h>

#include "cli/load_lts.h"
#include "check/ltl_check.h"
#include "store/store.h"

static bool is_read(const struct options *o, const char *path) { return !path || is_lts_file(o, path); }

const char *threads_unused(const struct options *o) {
    if (!o->threads_given || o->threads < 2) return NULL;
    if (o->command != COMMAND_CHECK)
        return is_read(o, o->model) && is_read(o, o->second) ? "threads explore models, and an LTS is read by one"
                                                             : NULL;
    if (o->order == ORDER_DFS) return "--order dfs takes one thread";
    if (!o->ltl && !o->assertion && !o->automaton && !o->tester && !o->refines) return NULL;
    if (!algorithm_takes((enum ltl_algorithm)o->algorithm, ENGINE_THREADS)) return "this --algorithm takes one thread";
    if (o->store != STORE_EXACT) return "with this --store, formulas, automata and testers take one thread";
    return o->overflow ? "with --overflow, formulas, automata and testers take one thread" : NULL;
}

void threads_note(const struct options *o) {
    const char *reason = o->command == COMMAND_CHECK ? NULL : threads_unused(o);
    if (reason)
        fprintf(stderr, "onager: note: --threads %llu makes no difference here: %s\n", (unsigned long long)o->threads,
                reason);
}
