/* stubborn_units.h: what a system tells about its stubborn sets when the program makes the rules: not for searches, for
 * people.
 *
 * A unit is what stubborn sets are made of: transitions that are in every set together. A system without these calls
 * has written rules, whose units are its transitions. All calls are about one state, under the reduction that the
 * system was opened with.
 */
#ifndef TS_STUBBORN_UNITS_H
#define TS_STUBBORN_UNITS_H

#include "ts/ts.h"

/* Who asks for an obligation (FAIR Sections 5 to 7; E: reduce/net/stubborn.h). */
enum ts_condition {
    TS_BY_D1 = 1,
    TS_BY_D2 = 2,
    TS_BY_V = 4,
    TS_BY_C2 = 8,
    TS_BY_E = 16,
};

struct ts_unit {
    char name[128];
    uint32_t transition, transitions; /* the first, and how many follow each other; none: it never occurs */
    bool enabled, visible;
    bool starts; /* searches for stubborn sets may begin with it */
};

struct ts_obligation {
    uint32_t to;         /* a unit */
    unsigned conditions; /* enum ts_condition */
};

struct ts_explain_ops {
    uint32_t (*units)(const struct ts *ts);
    void (*unit)(struct ts_worker *w, const word *s, uint32_t u, struct ts_unit *out);
    /* The stubborn set of s, enabled or not, by unit. */
    void (*members)(struct ts_worker *w, const word *s, bool *set);
    /* What u obliges, each unit once, u excluded, into a list with room for every unit. If u is disabled, *disabler
     * becomes the variable that keeps it so (TS_NONE: more than one), and there may be a choice: the first one that
     * lies within `set` is taken, or else the first. `set` may be NULL. */
    void (*obliged)(struct ts_worker *w, const word *s, uint32_t u, const bool *set, struct ts_obligation *list,
                    uint32_t *count, uint32_t *disabler);
};

#endif
