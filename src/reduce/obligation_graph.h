/* obligation_graph.h: why the stubborn set of a state is what it is.
 *
 * The graph of FAIR Figure 13: its vertices are the units that stubborn sets are made of (ts/stubborn_units.h), and an
 * edge leads from u to v if u in the set obliges v. A set that is closed under the edges satisfies D1 and D2 (and V or
 * C2, where these are obeyed). D0 is why a set with an enabled member is looked for, and D0V why the search begins with
 * visible units; SV is not a matter of one state (check/lts/build_lts.h).
 *
 *     start    the first unit, in the order of scanning, from which an enabled one can be reached: what METHOD_ESC and
 *              written rules begin with. Others compare many starting points.
 *     way      a shortest way in the graph from there into the set
 *     closure  clsr(s, A) of FAIR Section 7: what the units of A reach
 *
 * A disabled unit of a network may choose among several lists. Members of the set are shown with one that lies within
 * it, which proves that the set is closed; others with their first.
 */
#ifndef REDUCE_OBLIGATION_GRAPH_H
#define REDUCE_OBLIGATION_GRAPH_H

#include "ts/stubborn_units.h"

struct obligation_vertex {
    struct ts_unit unit;
    bool member, closed; /* of the set; of the closure */
    bool known;          /* its edges are below: it is a member, in the closure, on the way, or all were asked for */
    uint32_t disabler;   /* variable that keeps it disabled, or TS_NONE */
    struct ts_obligation *to;
    uint32_t count;
};

struct obligation_graph {
    uint32_t count;
    struct obligation_vertex *vertex;
    uint32_t members, enabled; /* of the set; enabled ones among them */
    bool terminal;             /* nothing is enabled in the state: every set is stubborn */
    uint32_t *way, way_count;  /* begins with the start; empty: none, or the method has no single start */
};

/* Of state s of a system that was opened with stubborn sets. `chosen`: units whose closure is wanted; `all`: the
 * edges of every unit. False: *fault. */
bool obligation_graph_init(struct obligation_graph *g, struct ts *ts, struct ts_worker *w, const word *s,
                           const uint32_t *chosen, uint32_t chosen_count, bool all, struct ts_fault *fault);
void obligation_graph_fini(struct obligation_graph *g);

/* How many units a system has, and what one of them is in a state. */
uint32_t obligation_units(const struct ts *ts);
bool obligation_unit(struct ts *ts, struct ts_worker *w, const word *s, uint32_t u, struct ts_unit *out,
                     struct ts_fault *fault);

#endif
