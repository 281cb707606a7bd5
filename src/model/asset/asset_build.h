/* asset_build.h: a plug-in from a model in ASSET's language: its two halves (onager/asset_calls.h) are compiled, and
 * linked. */
#ifndef MODEL_ASSET_ASSET_BUILD_H
#define MODEL_ASSET_ASSET_BUILD_H

#include "model/asset/asset_layout.h"

/* Preprocesses, rewrites and compiles the model by this command, of `from`, to `made`. *messages: what the compiler has
 * said. */
bool asset_compile(const struct asset_source *from, const struct command *by, const char *made, char **messages,
                   struct problem *why);

/* Compiles text in C by this command, of `from`, with `more` arguments that end with NULL, and links it with the file
 * `object`, to `made`. */
bool asset_link(const struct asset_source *from, const struct command *by, const char *text, const char *object,
                const char *made, const char *const *more, struct problem *why);

/* `engine` is the header that the C half ends with. Makes `made`. *messages: what the compiler has said, or NULL. */
bool asset_build(const struct asset_source *from, struct asset_layout *layout, const char *engine, const char *made,
                 char **messages, struct problem *why);

#endif
