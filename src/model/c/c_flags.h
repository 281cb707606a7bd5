/* c_flags.h: the compiler, and its flags: for models in C, and for the halves of models in ASSET's language, which are
 * compiled by g++ (model/asset). */
#ifndef MODEL_C_C_FLAGS_H
#define MODEL_C_C_FLAGS_H

#include "code/c_command.h"
#include "model/c/c_compile.h"

/* What is compiled. */
enum c_part {
    C_MODEL,
    C_ASSET_MODEL, /* the model's file, which is C++ */
    C_ASSET_PROBE, /* the same, to be run once */
    C_ASSET_STATE, /* the half that is C */
};

/* The compiler's path; NULL: there is none, *why says what to do. */
char *c_flags_compiler(const struct c_compile *what, bool asset, struct problem *why);
/* The folder of onager.h: beside the program's own folder, whether built or installed. NULL: it was not found. */
char *c_flags_headers(void);
/* After the compiler, all but files. */
void c_flags_add(struct command *c, const struct c_compile *what, const char *headers, enum c_part part);
/* Whether its memory and calls are the model's own: an observer's are ours, and what the user's flags add to the code
 * (sanitizers, counters) keeps things, too. */
bool c_flags_are_plain(const struct c_compile *what);

#endif
