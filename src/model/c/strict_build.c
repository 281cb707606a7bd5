#include "model/c/strict_build.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/c/c_library.h"

void strict_build_init(struct strict_build *b, const struct c_compile *model, unsigned wide) {
    *b = (struct strict_build){.compile = *model};
    b->compile.strict = true;
    b->compile.wide = wide;
    b->compile.fast = false;
    b->compile.reduction = (struct reduction){0};
    b->compile.warnings = NULL;
    b->compile.process = &b->compiler;
    child_init(&b->compiler);
    b->compiler.interrupted = model->interrupted;
    pthread_mutex_init(&b->lock, NULL);
}

void strict_build_fini(struct strict_build *b) {
    if (b->threaded && !b->ended) {
        child_end(&b->compiler);
        pthread_join(b->thread, NULL);
    }
    if (b->library) c_library_close(b->library);
    free(b->identity);
    child_fini(&b->compiler);
    pthread_mutex_destroy(&b->lock);
}

static void *make(void *context) {
    struct strict_build *b = context;
    struct problem ignored = {0};
    b->library = c_compile(&b->compile, &b->identity, &ignored);
    problem_fini(&ignored);
    return NULL;
}

void strict_build_start(struct strict_build *b) { b->threaded = pthread_create(&b->thread, NULL, make, b) == 0; }

const struct onager_strict *strict_build_get(struct strict_build *b, const char *identity) {
    pthread_mutex_lock(&b->lock);
    if (!b->ended) {
        if (b->threaded) pthread_join(b->thread, NULL);
        else make(b);
        b->ended = true;
        const struct onager_strict *plugin = b->library ? dlsym(b->library, "onager_strict") : NULL;
        if (plugin && plugin->abi == ONAGER_ABI && strcmp(b->identity, identity) == 0) b->plugin = plugin;
    }
    const struct onager_strict *plugin = b->plugin;
    pthread_mutex_unlock(&b->lock);
    return plugin;
}

/* Of conversions, by the name of the warning. */
static bool is_of_conversion(const char *message, size_t length) {
    static const char *const names[] = {"conversion]", "-64-to-32]", "overflow]"};
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is |= memmem(message, length, names[i], strlen(names[i])) != NULL;
    return is;
}

/* Does the message begin with a path that ends with `place`? */
static bool is_there(const char *message, size_t length, const char *place) {
    const char *at = memmem(message, length, place, strlen(place));
    return at && (at == message || at[-1] == '/');
}

static bool warns(const struct c_compile *how, const char *place) {
    char *messages = c_compile_conversions(how);
    bool found = false;
    for (const char *at = messages; at && *at && !found; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t length = strcspn(at, "\n");
        found = is_there(at, length, place) && is_of_conversion(at, length);
    }
    free(messages);
    return found;
}

/* Each compiler overlooks some: clang those of +=. */
bool strict_build_converts(const struct strict_build *b, const char *file, unsigned line) {
    static const char *const others[] = {"gcc", "clang"};
    char *place = text_format("%s:%u:", text_file_name(file), line);
    bool found = warns(&b->compile, place);
    for (size_t i = 0; i < sizeof others / sizeof *others && !found; i++) {
        struct c_compile other = b->compile;
        other.compiler = others[i];
        found = warns(&other, place);
    }
    free(place);
    return found;
}
