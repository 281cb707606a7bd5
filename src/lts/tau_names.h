/* tau_names.h: how files spell the invisible action.
 *
 * CADP writes `i`, mCRL2 `tau`, and each takes the other's for a visible action. Without --tau, .aut files may use
 * both, and what is written is spelt as what was read. The text format of mCRL2 knows `tau` only; its binary format
 * knows the multi-action of no actions, whatever --tau says of others.
 */
#ifndef LTS_TAU_NAMES_H
#define LTS_TAU_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problem.h"
#include "base/suffix.h"

/* What was met in files; {0} in the beginning. */
struct tau_met {
    char *first; /* as it was spelt first, with quotes if it had them; NULL: it was not met */
    char *other; /* a second name for it, without quotes; NULL: there was only one */
};

void tau_met_fini(struct tau_met *m);
void tau_met_note(struct tau_met *m, const char *text, size_t length); /* as it stands in the file */

/* The names that count. */
struct tau_names {
    char **name; /* without quotes */
    size_t count;
    bool given; /* by --tau */
};

/* `list`: of --tau; NULL: the usual ones of the format. */
bool tau_names_init(struct tau_names *t, const char *list, enum file_kind kind, struct problem *why);
void tau_names_fini(struct tau_names *t);
bool tau_names_has(const struct tau_names *t, const char *text, size_t length); /* without quotes */

/* What is written: the first of the list, else what was met, else the usual one. `met` may be NULL. To be freed. */
char *tau_names_spelling(const char *list, const struct tau_met *met, enum file_kind kind);

#endif
