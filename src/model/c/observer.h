/* observer.h: a model compiled a second time, so that it can be asked what its transitions depend on: see
 * onager/observe.h, and trial.h for who asks.
 *
 * That is worth while for long searches only, and takes a while, in which these go on: when many states were expanded,
 * a thread of its own compiles and loads it, and whoever asks for it later gets it. Whatever goes wrong with it, the
 * search does without.
 */
#ifndef MODEL_C_OBSERVER_H
#define MODEL_C_OBSERVER_H

#include <pthread.h>

#include <onager.h>

#include "model/c/c_compile.h"
#include "model/c/table_obstacle.h"

struct observer {
    struct c_compile compile;
    const char *identity; /* of the model: its file may have changed since */
    struct child compiler;
    pthread_t thread;
    void *library;
    _Atomic uint64_t expanded;
    _Atomic bool started;
    const struct onager_observer *_Atomic plugin; /* NULL: not yet, or never */
    /* For observer_make; others may look when it has come back. */
    const struct onager_observer *found;
    enum obstacle obstacle; /* why there is no plug-in */
    struct problem why;     /* ... if it was not compiled */
};

/* What the arguments point to must last. With o->compile.read set after it, the plug-in has all functions. */
void observer_init(struct observer *o, const struct c_compile *model, const char *identity);
void observer_fini(struct observer *o);

/* Compiles and loads it now, if that is possible. */
void observer_make(struct observer *o);

/* Whether the address is one of its data that must not be changed. */
bool observer_has(const struct observer *o, const void *address);

/* So many states were expanded: it may be worth while now. The plug-in, if it is there. */
const struct onager_observer *observer_wanted(struct observer *o, uint32_t states);

#endif
