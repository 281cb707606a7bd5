/* c_compile.h: from the text of a C model to a plug-in that can be loaded.
 *
 * The model's text, followed by onager/engine.h, is given to the system's C compiler, with line numbers that point into
 * the user's file. The result is cached (c_cache.h) under a key made of everything that it depends on: the preprocessed
 * text (c_source.h), flags, parameters, compiler and processor. What a model must not use is refused (c_symbols.h).
 */
#ifndef MODEL_C_C_COMPILE_H
#define MODEL_C_C_COMPILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/child.h"
#include "base/problem.h"
#include "ts/ts.h"

struct asset_layout;

struct c_compile {
    const char *path;     /* the model; in ASSET's language (model/asset) if its name says so */
    const char *compiler; /* NULL: $ONAGER_CC, cc, gcc or clang; in ASSET's language, $ONAGER_CXX or g++ */
    const struct ts_parameter *parameters;
    size_t parameter_count;
    struct reduction reduction;
    bool fast;      /* without the checks of model code that cost time */
    bool no_cache;  /* compile anew, and leave nothing behind */
    bool observer;  /* with onager/observe.h, not with onager/engine.h; reductions, fast and warnings do not matter */
    bool read;      /* observer: with ONAGER_READ in plugin.h, and checks of indices */
    bool strict;    /* with onager/strict.h, likewise */
    unsigned wide;  /* strict: ONAGER_WIDE in onager.h */
    double endless; /* see c_model.h */
    FILE *warnings; /* where the compiler's warnings go */
    struct asset_layout *layout;              /* in ASSET's language: of all plug-ins of the model; or NULL */
    struct child *process;                    /* the compiler, for another thread that may end it; or NULL */
    const volatile sig_atomic_t *interrupted; /* ends the compiler, too; or NULL */
    double deadline;                          /* likewise, by clock_seconds; 0: none */
};

/* Compiles and loads. Returns dlopen's handle, to be closed by c_library_close, or NULL. *identity becomes a new
 * string, a hash of the text of the model, of what it includes and of onager's headers: the same wherever the file
 * lies, whatever compiles it, and with whatever parameters and reductions. */
void *c_compile(const struct c_compile *what, char **identity, struct problem *why);

/* What the compiler says of the model if it is asked for implicit conversions that may lose a part of a value: a new
 * string. NULL: it could not be asked. */
char *c_compile_conversions(const struct c_compile *what);

#endif
