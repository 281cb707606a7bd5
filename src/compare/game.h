/* game.h: which nodes (A, B) a test can stay in without the second side ever failing it: this decides fair testing.
 *
 * L1 is tested against L2. By FAIR, Definition 2, L1 is not below L2 iff there are a trace w, a state s of after(L1, w)
 * and a set K of words that s can not execute, such that for every prefix p of K, no state of after(L2, wp) refuses
 * what is left of K after p: each can execute some word of it. If K and K' do this, so does their union, since more
 * words only make refusing harder; so it is enough to look for the largest K of each w and s.
 *
 * A node is what the two may be in after w and some p: A = after(s, p), B = after(L2, wp). A word is one that s can not
 * execute iff it leads to A empty. So of the set X of all nodes, remove every one with A not empty such that some r in
 * B has no word that r can execute, that leads through nodes of X only, and that ends where A is empty; until nothing
 * changes. The largest K is the words that lead from the start through X to A empty, if the start stays; else there is
 * none. L1 fails to be below L2 iff some start (after(s), after(L2, w)) stays, or L2 has not the trace w.
 *
 * One X serves all starts. Let X(n) be the fixed point on the nodes that can be reached from n alone, and X that on all
 * nodes. X restricted to the nodes reachable from n meets the condition there, since the words that the condition
 * speaks of never leave these nodes, so it is a part of X(n), which is the largest such set. And X together with X(n)
 * meets the condition everywhere, since more nodes in X only make more words, so X(n) is a part of X. Therefore a node
 * is decided for good once all that can be reached from it is known: game_stays searches depth-first and decides strong
 * component by strong component.
 *
 * Two things keep the nodes few. If all traces of some r in B are traces of A, then r has no word that ends where A is
 * empty, so the node is removed without looking any further: this alone decides all starts where tree failures do not
 * differ either. A node with A empty needs no successors, nor does one with B empty: no r can go there.
 */
#ifndef COMPARE_GAME_H
#define COMPARE_GAME_H

#include "minimize/trace_sets.h"
#include "compare/trace_inclusion.h"

enum { GAME_END = UINT32_MAX }; /* instead of a node with A empty */

enum game_status { NODE_NEW, NODE_OPEN, NODE_STAYS, NODE_REMOVED };

struct game_edge {
    uint32_t label, node;
};

struct game {
    const struct joint *j;
    struct after *after;
    struct inclusion inclusion;
    struct game_node {
        uint32_t a, b;       /* sets */
        uint32_t edge_count; /* by label, ascending; those to nodes that are removed may be missing */
        uint32_t place;      /* in its component, while that is settled */
        uint64_t edges;
        uint32_t number; /* of the search: algo/components_code.h */
        uint8_t status;
    } * node;
    uint32_t count;
    uint64_t room;
    struct game_edge *edge;
    uint64_t edges, edge_room;
    struct twins by_sets;
};

void game_init(struct game *g, const struct joint *j, struct after *after);
void game_fini(struct game *g);

/* Does the node (after(s), B) stay? FOUND: *start is its number. Given up: the effort is over. */
enum outcome game_stays(struct game *g, uint32_t s, uint32_t b, uint32_t *start);

/* The edge of a node with this label, or NULL. */
const struct game_edge *game_edge_by(const struct game *g, uint32_t node, uint32_t label);

#endif
