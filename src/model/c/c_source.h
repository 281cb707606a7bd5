/* c_source.h: a model's text as the compiler sees it, with everything that it includes.
 *
 * Whether a plug-in is still the right one is decided by the preprocessed text: the compiler's own preprocessor is run
 * at every start, and whatever changes what is compiled changes its output. That is so whatever the files are called,
 * wherever they are found, and also if a file that there was not before is now found first, or by __has_include. So
 * there is no list of files that could be incomplete. Only for a model that includes nothing but our own headers and
 * those of standard C is that saved: a preprocessor takes longer than all the rest of a start.
 *
 * A model's identity must not depend on the compiler, on parameters or on where the model lies. It is made from the
 * contents of the files that are included, but for those of the system; the preprocessor's output tells which these are
 * (linemarkers). If it does not tell, or if one cannot be read, the identity is made from that output.
 */
#ifndef MODEL_C_C_SOURCE_H
#define MODEL_C_C_SOURCE_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "code/c_command.h"

struct c_source {
    const char *headers;    /* the folder of our own headers */
    bool closed;            /* nothing else is included, but for headers of standard C (c_includes.h) */
    struct bytes text;      /* preprocessed; if closed: the model's text and our own headers */
    XXH128_hash_t included; /* the contents of the files that were included, but for those of the system and our own */
};

enum c_source_result {
    C_SOURCE_READ,
    C_SOURCE_REFUSED,  /* the preprocessor failed: so will the compiler, and say why */
    C_SOURCE_UNSTEADY, /* files that are included change all the time */
    C_SOURCE_UNABLE,   /* the compiler cannot be run; errno says why */
};

/* `flags`: the compiler and its flags, without files; `headers`: the folder of our own headers, as in the flags, which
 * must last. */
enum c_source_result c_source_read(struct c_source *s, const struct command *flags, const char *text,
                                   const char *headers, struct child *child);
/* Whether it would be read again as it was. */
enum c_source_result c_source_again(const struct c_source *s, const struct command *flags, const char *text,
                                    struct child *child, bool *same);
void c_source_fini(struct c_source *s);

/* Our own headers: what is included from `headers` under one of these names; ends with NULL. */
extern const char *const c_source_own[];

#endif
