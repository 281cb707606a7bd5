/* strict_build.h: a model compiled a second time, so that what its code does can be watched: see onager/strict.h.
 *
 * There are three such builds. The widest one also sees what C cuts off where it is stored; it is made while the
 * ordinary plug-in is. The others are made when they are needed, which is seldom: one that sees this of variables of
 * less than 16 bits only, and one that has the model's own types. Each may turn out not to be available.
 */
#ifndef MODEL_C_STRICT_BUILD_H
#define MODEL_C_STRICT_BUILD_H

#include <pthread.h>

#include <onager.h>

#include "model/c/c_compile.h"

struct strict_build {
    struct c_compile compile;
    struct child compiler;
    pthread_mutex_t lock;
    pthread_t thread;
    bool threaded, ended; /* in the thread, or without one */
    void *library;
    char *identity;
    const struct onager_strict *plugin;
};

/* `model` is how the ordinary plug-in is compiled. */
void strict_build_init(struct strict_build *b, const struct c_compile *model, unsigned wide); /* ONAGER_WIDE */
void strict_build_fini(struct strict_build *b); /* ends the compiler, if it runs */

/* Begins to make it in a thread of its own. */
void strict_build_start(struct strict_build *b);
/* Makes it, or waits until it is made. NULL: there is none. For any thread. `identity` is that of the model: its file
 * may have changed since. */
const struct onager_strict *strict_build_get(struct strict_build *b, const char *identity);

/* Whether a value may lose a part of itself in this line by C's implicit conversion to one of the model's own types, so
 * that the compiler would warn if it were asked. False also if that cannot be found out. */
bool strict_build_converts(const struct strict_build *b, const char *file, unsigned line);

#endif
