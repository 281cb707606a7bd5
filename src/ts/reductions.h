/* reductions.h: the one table of reductions: ways to make fewer states than the model has. Options, compiler flags,
 * refusals, saved runs, certificates and JSON read its rows. Which properties a reduction keeps is the column of its
 * name in prop/list.h. A reduction that shows nowhere outside, as sleep sets (reduce/sleep.h), has no row.
 */
#ifndef TS_REDUCTIONS_H
#define TS_REDUCTIONS_H

#include <stddef.h>

#include "ts/ts.h"

/* clang-format off */

/* By the member of struct reduction that says whether it is on. */
#define REDUCTIONS(X)                                                                                                  \
    /* In each state, only the transitions of a stubborn set are fired. */                                             \
    X(stubborn, .name = "stubborn", .macro = "ONAGER_STUBBORN", .feature = TS_OBLIGATIONS, .needs = "obligations",     \
      .function = "an .obligations",                                                                                   \
      .no_tables = "stubborn sets are computed, not looked up: leave --stubborn out")                                  \
    /* Each state is replaced by a representative of all that are symmetric to it. */                                  \
    X(symmetry, .name = "symmetry", .macro = "ONAGER_SYMMETRY", .feature = TS_SYMMETRY, .needs = "a symmetry map",     \
      .function = "a .symmetry", .not_of_processes = "processes have no symmetry map",                                 \
      .no_tables = "representatives are computed, not looked up: leave --symmetry out")

/* clang-format on */

struct reduction_row {
    const char *name;             /* of the option, in JSON, and in saved runs */
    const char *macro;            /* plug-ins that have it are compiled with this */
    enum ts_feature feature;      /* which models can have it, */
    const char *needs;            /* ... what they need for it, */
    const char *function;         /* ... and which function of MODEL(...) that is, with its article */
    const char *not_of_processes; /* why they cannot have it; NULL: they can */
    const char *no_tables;        /* why successors are not looked up in tables */
    size_t member;                /* where struct reduction says whether it is on */
};

extern const struct reduction_row reduction_table[]; /* the last one has no name */

static inline bool *reduction_flag(struct reduction *r, const struct reduction_row *row) {
    return (bool *)((char *)r + row->member);
}
static inline bool reduction_is_on(const struct reduction *r, const struct reduction_row *row) {
    return *(const bool *)((const char *)r + row->member);
}

#endif
