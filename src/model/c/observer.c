#include "model/c/observer.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/c/c_library.h"

enum { ENOUGH = 1 << 18 }; /* states: a few hundredths of a second */

void observer_init(struct observer *o, const struct c_compile *model, const char *identity) {
    *o = (struct observer){.compile = *model, .identity = identity};
    o->compile.observer = true;
    o->compile.reduction = (struct reduction){0};
    o->compile.warnings = NULL;
    o->compile.process = &o->compiler;
    child_init(&o->compiler);
    o->compiler.interrupted = model->interrupted;
    o->compiler.deadline = model->deadline;
}

void observer_fini(struct observer *o) {
    if (o->started) {
        child_end(&o->compiler);
        pthread_join(o->thread, NULL);
    }
    if (o->library) c_library_close(o->library);
    child_fini(&o->compiler);
    problem_fini(&o->why);
}

void observer_make(struct observer *o) {
    char *identity = NULL;
    o->obstacle = OBSTACLE_NOT_COMPILED;
    o->library = c_compile(&o->compile, &identity, &o->why);
    o->found = o->library ? dlsym(o->library, "onager_observer") : NULL;
    if (o->found && o->found->abi == ONAGER_ABI) {
        o->obstacle = !c_library_seal(o->library)             ? OBSTACLE_NOT_SEALED
                      : c_library_has_thread_data(o->library) ? OBSTACLE_THREAD_DATA
                                                              : OBSTACLE_NONE;
        if (strcmp(identity, o->identity) != 0) o->obstacle = OBSTACLE_FILE_CHANGED;
    }
    if (o->obstacle == OBSTACLE_NONE) o->plugin = o->found;
    free(identity);
}

bool observer_has(const struct observer *o, const void *address) { return c_library_has(o->library, address); }

static void *make(void *context) {
    observer_make(context);
    return NULL;
}

const struct onager_observer *observer_wanted(struct observer *o, uint32_t states) {
    const struct onager_observer *plugin = o->plugin;
    if (plugin || o->started) return plugin;
    uint64_t before = atomic_fetch_add(&o->expanded, states);
    if (before < ENOUGH && before + states >= ENOUGH && pthread_create(&o->thread, NULL, make, o) == 0)
        o->started = true;
    return NULL;
}
