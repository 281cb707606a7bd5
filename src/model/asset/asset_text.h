/* asset_text.h: the text of a model in ASSET's language, and what is made of it for the compiler.
 *
 * The model's text stands in the namespace `model`, between onager/asset.h and onager/asset_end.h, with line numbers
 * that point into the user's file. System headers that it includes are included once more before that, so that their
 * contents are outside the namespace. The compiler's preprocessor is run on that first, but for macros, which stay as
 * they are (-fdirectives-only): so declarations of state variables are found wherever they come from. They are
 * rewritten (onager/asset.h tells how), and then it is compiled.
 */
#ifndef MODEL_ASSET_ASSET_TEXT_H
#define MODEL_ASSET_ASSET_TEXT_H

#include "base/problem.h"
#include "ts/ts.h"

/* What the preprocessor is given; to be freed. */
char *asset_text_whole(const char *path, const char *model);

/* Rewrites what the preprocessor has made of it; to be freed. NULL: the model says something that it must not, at a
 * place that *why names. */
char *asset_text_rewrite(const char *preprocessed, struct problem *why);

/* How many more braces it opens than it closes. */
int asset_text_braces(const char *preprocessed);

/* Is it in this language, and does each -p name a macro that the model's text, or that of a file that it includes with
 * quotes, speaks of, or one of ASSET's own? */
bool asset_text_fits(const char *path, const char *model, const struct ts_parameter *parameters, size_t count,
                     struct problem *why);

/* It does not compile. The -p that is perhaps to blame, since no #if or #ifdef asks for it: a new text; or NULL. */
char *asset_text_doubt(const char *path, const char *model, const struct ts_parameter *parameters, size_t count);

#endif
