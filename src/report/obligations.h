/* obligations.h: the stubborn set of a state and the graph of obligations behind it, for people, machines and Graphviz.
 *
 * Text: the state, the set, then each unit whose obligations are known, with what it obliges and which condition asks
 * for it; `*` marks members of the set. JSON: doc/FORMATS.md. Pictures are as FAIR Figure 13: enabled units have two
 * circles, visible ones are grey; members of the set are thick; obligations by V, C2 and E are dashed.
 */
#ifndef REPORT_OBLIGATIONS_H
#define REPORT_OBLIGATIONS_H

#include <jansson.h>
#include <stdio.h>

#include "reduce/obligation_graph.h"

/* Is the set of the state widened in the reduced LTS, so that SV holds there? */
enum sv_answer {
    SV_NOT_NEEDED, /* what is preserved does not need it */
    SV_NOT_ASKED,  /* the reduced LTS was not built */
    SV_NOT_WIDENED,
    SV_WIDENED,
};

struct obligations_report {
    struct ts *ts;
    struct ts_worker *w;
    const struct obligation_graph *graph;
    const word *state;
    uint64_t number; /* of the state, or UINT64_MAX */
    const char *preserved, *method;
    enum sv_answer sv;
    const bool *wanted; /* SV_WIDENED: by action, for which; 0 is END */
    const bool *frozen, *beyond,
        *added;   /* by unit: frozen in the state; SV_WIDENED: in the widening; what that adds. Or NULL */
    bool closure; /* one was asked for */
};

void obligations_text(const struct obligations_report *r, FILE *out);
json_t *obligations_json(const struct obligations_report *r);
char *obligations_dot(const struct obligations_report *r); /* to be freed */

/* "D1, D2": the names of conditions, into a buffer of at least 24 characters; returns it. */
char *obligations_conditions(unsigned conditions, char *buffer);

#endif
