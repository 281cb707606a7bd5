/* cycles.h: is there an execution of the model that the automaton accepts? Searches of the product (product.h),
 * without recursion, on the fly but for the last.
 *
 *     nested    depth-first search within depth-first search (CVWY: Courcoubetis, Vardi, Wolper, Yannakakis), which
 *               needs a Büchi automaton; `early`: with the early ends of its successors (Schwoon and Esparza)
 *     tarjan    strong components on the fly (Couvreur), any automaton but livelock acceptance; with
 *               fairness, too
 *     one_pass  ONE-PASS of paper TA (Algorithm 3.4 of FLY) for livelock acceptance of testing automata; breadth-first
 *               or depth-first outer search
 *     levels    the whole product level by level (bfs.h), by all threads of the space, then strong components in memory
 *               (components_edges.h); any automaton, livelock acceptance too; with fairness, any
 *               but that. The same for any number of threads. An error by one state ends it at once, a cycle is found
 *               in the end. Needs an exact store, and memory for the edges
 *
 * Each is in the file of its name; the stack of the first three is dfs_stack.h. graph_product.h has another, which asks
 * the complete graph of the model.
 *
 * States of the product are in the space's store, those visited a second time with the flag; what must be known exactly
 * (which states are on a stack) is kept beside it, so a store that is not exact makes a search miss something at worst.
 *
 * A search that finds something says where: a set of states in which there is an accepted cycle. lasso.h makes an
 * execution of it.
 */
#ifndef EXPLORE_CYCLES_H
#define EXPLORE_CYCLES_H

#include "graph/fair/fair_cycle.h"
#include "watch/product.h"
#include "graph/space.h"

enum found_kind {
    FOUND_NOTHING,
    FOUND_CYCLE,    /* among these states is a cycle with EDGE_ACCEPTS */
    FOUND_LIVELOCK, /* ... of EDGE_STILL only */
    FOUND_FAIR,     /* these states, one after the other, are a fair one; none: it cannot be shown */
    FOUND_PREFIX,   /* one state, after which anything may follow */
    FOUND_END,      /* one state, where the execution ends, and that is accepted */
};

struct found {
    enum found_kind kind;
    word *states; /* of the product, without the flag */
    uint32_t count, room;
    struct numbers labels; /* FOUND_FAIR: the transition that each state is left by */
    struct stop unshown;   /* FOUND_FAIR without states: why */
};

/* Of the automaton's choices for one move of the model: as they come, or those where it accepts first, or last. */
enum favour { FAVOUR_NONE, FAVOUR_ERROR_FIRST, FAVOUR_ERROR_LAST };

struct emptiness {
    struct product *p;
    struct space *s; /* of p->ts, with a worker of the product; with one thread but for levels */
    enum favour favour;
    bool early;              /* nested */
    bool depth_first;        /* one_pass: the outer search */
    bool only_livelocks;     /* levels: nothing is accepted for EDGE_ACCEPTS, so that need not be looked for */
    bool shortest;           /* levels: a shortest cycle of all, and of these one that is nearest to the root */
    const struct fair *fair; /* tarjan, levels: NULL: none */
    struct found found;
    struct stop stop;
    uint64_t twice;           /* states that were visited a second time */
    const char *not_shortest; /* levels: why the cycle need not be a shortest one, though that was asked for; or NULL */
};

/* Each returns with found and stop set. stop.kind is STOP_DONE if all was searched or something was found. A fault is
 * told with the state of the product, as found.states[0]. */
void emptiness_nested(struct emptiness *x);
void emptiness_nested_edges(struct emptiness *x); /* the same where edges accept, not states (testers) */
void emptiness_tarjan(struct emptiness *x);
void emptiness_one_pass(struct emptiness *x);
void emptiness_levels(struct emptiness *x);
/* Why a question with such means cannot be answered by levels; NULL: it can. */
const char *emptiness_no_levels(const struct store_options *store);

/* A state that was just expanded, alone: false if it is an error by itself (FOUND_PREFIX, FOUND_END). */
bool emptiness_judge(struct emptiness *x, const word *state);

void found_add(struct found *f, const struct product *p, const word *state);
void found_fini(struct found *f);

#endif
