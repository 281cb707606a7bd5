/* aut.h: LTSs as files in the Aldebaran format (.aut), in and out.
 *
 *     des (0, 3, 2)            the initial state, how many transitions, how many states
 *     (0, "put !1", 1)         from, label, to; one a line
 *     (1, i, 0)                the invisible action
 *     (1, take, 1)
 *
 * A label may be quoted or not, and may contain anything but the end of the line: it reaches from the first comma of
 * its line to the last. Quotes around it are not part of it. White space around tokens, empty lines and carriage
 * returns at the ends of lines do not matter. Transitions that are there twice count twice in the header.
 *
 * The format knows no special states. Writing makes `end` and `error` states like others, without edges; so do all
 * tools that read the file.
 */
#ifndef LTS_AUT_H
#define LTS_AUT_H

#include <stdbool.h>

#include "base/problem.h"
#include "lts/effort.h"
#include "lts/lts.h"

struct aut_options {
    /* How the invisible action is spelt. NULL: in, `i` and `tau`, quoted or not; out, `i`. Else: only so, quoted or
     * not; out exactly as given, with quotes if it has them. */
    const char *tau;
    struct effort *effort; /* NULL: it may take as long and as much as it needs */
};

/* `path` may be "-", which is standard input or output. `o` may be NULL. What could not be written to its end is
 * removed; what was there before stays. */
bool aut_read(const char *path, const struct aut_options *o, struct lts *out, struct problem *why);
bool aut_write(const struct lts *l, const char *path, const struct aut_options *o, struct problem *why);

/* The same from memory; `name` is for messages. */
bool aut_parse(const char *text, size_t size, const char *name, const struct aut_options *o, struct lts *out,
               struct problem *why);

#endif
