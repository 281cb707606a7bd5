#include "front/observer.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "front/c_library.h"

enum { ENOUGH = 1 << 18 }; /* states: a few hundredths of a second */

void observer_init(struct observer *o, const struct c_compile *model, const char *identity) {
    *o = (struct observer){.compile = *model, .identity = identity};
    o->compile.observer = true;
    o->compile.reduction = (struct reduction){0};
    o->compile.warnings = NULL;
    o->compile.process = &o->compiler;
    child_init(&o->compiler);
    o->compiler.interrupted = model->interrupted;
    pthread_mutex_init(&o->lock, NULL);
}

void observer_fini(struct observer *o) {
    if (o->started) {
        child_end(&o->compiler);
        pthread_join(o->thread, NULL);
    }
    if (o->library) c_library_close(o->library);
    child_fini(&o->compiler);
    pthread_mutex_destroy(&o->lock);
}

void observer_make(struct observer *o) {
    struct problem ignored = {0};
    char *identity = NULL;
    o->library = c_compile(&o->compile, &identity, &ignored);
    const struct onager_observer *plugin = o->library ? dlsym(o->library, "onager_observer") : NULL;
    if (plugin && plugin->abi == ONAGER_ABI && strcmp(identity, o->identity) == 0) o->plugin = plugin;
    free(identity);
    problem_fini(&ignored);
}

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
