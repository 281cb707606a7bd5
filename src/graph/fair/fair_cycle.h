/* fair_cycle.h: assumptions of fairness, and strong components of a product in the light of them.
 *
 * A set of transitions of the model is treated fairly in an infinite execution
 *
 *     weakly    if it is disabled or occurs infinitely often: it is not enabled for ever without occurring
 *     strongly  if it occurs infinitely often or is enabled only finitely often
 *
 * Fair choice: every transition of the model that is enabled infinitely often in one and the same state is taken there
 * infinitely often. Then the model ends up in a bottom component, one that no transition leaves, and takes all its
 * edges again and again, or ends. So a strong component of the product has such an execution if and only if it has, for
 * every transition that is enabled in a state of the model below it, an edge by this transition from that state: this
 * makes what is below closed, and one walk through all of the component takes everything. Whether the component itself
 * can be left does not matter: the automaton is nondeterministic, and what it gives up elsewhere is no choice of the
 * model. A free action (product.h) is a transition of every state here, as in LTSA. An execution of fair choice is fair
 * to all sets.
 */
#ifndef GRAPH_FAIR_FAIR_CYCLE_H
#define GRAPH_FAIR_FAIR_CYCLE_H

#include "algo/digraph.h"
#include "graph/components_edges.h"
#include "graph/space.h"
#include "store/state_stack.h"
#include "watch/product.h"

struct fair_set {
    char *name;
    bool *has; /* by transition of the model */
    bool strong;
};

struct fair {
    struct fair_set *sets;
    uint32_t count;
    bool choice;
};

/* Adds the sets that a list names: "all" is one set for each transition; "processes", one for each process of a
 * network, of what it takes part in; else sets are separated by commas, and the members of a set by '+'. A member is a
 * transition's number or name; a star in it stands for anything. (fairness.c) */
bool fair_add(struct fair *f, struct ts *ts, struct ts_worker *w, const char *list, bool strong, struct problem *why);
void fair_fini(struct fair *f);

/* The edges of the model below a part of the product, for fair choice (fair_choice.c): what is enabled in a state of
 * the model, once, however many states of the part have it below them. */
struct below {
    struct open models; /* states of the model */
    uint32_t *first;    /* by position there: its edges begin; one more than states */
    uint32_t *move;     /* of each edge: the transition of the model, or, after these, a free action; part.c only */
    uint32_t *model_of; /* by place in the part: the position of what is below */
    uint32_t edges, room, models_room;
};

/* The inside of a part of the product: edges between its states, and what is enabled in them. States are known by their
 * places in the part. part.c makes it of any states, part_sweep.c of strong components of a complete graph. */
struct inside {
    uint32_t states;
    uint32_t *first;  /* states + 1 */
    uint32_t *target; /* by edge, and so is this: */
    struct inside_edge {
        uint32_t transition; /* of the product */
        uint32_t copy_of;    /* fair choice: the edge below; NOT_BELOW: none, or nobody wants to know */
        uint8_t kind;        /* EDGE_ACCEPTS, EDGE_STILL */
    } * edge;
    uint32_t edges, room;
    uint8_t *enabled; /* [state * sets + set]; NULL if there are no sets */
    struct below below;
};

#define NOT_BELOW UINT32_MAX

static inline struct digraph inside_graph(const struct inside *in) {
    return (struct digraph){.nodes = in->states, .first = in->first, .target = in->target};
}

/* The place of a state in the part, or UINT32_MAX: it is not in it. */
typedef uint32_t inside_find(const void *context, const word *state);

/* The part is `count` states of the product, one after the other, which the space's worker expands again. `fair` may be
 * NULL. False: *stop says why it was given up. To be released in either case. */
bool inside_init(struct inside *in, struct space *s, const struct product *p, const word *states, uint32_t count,
                 inside_find *find, const void *context, const struct fair *fair, struct stop *stop);
void inside_fini(struct inside *in);

/* The same for those states of a complete graph with kept edges that are `members`, by number, with ranks: whole strong
 * components. Their ranks are their places. All threads expand them again. */
bool inside_sweep(struct inside *in, struct space *s, const struct product *p, const struct strong *components,
                  const struct bitmap *members, const struct fair *fair, struct stop *stop);

/* The state that an edge comes from. */
uint32_t inside_source(const struct inside *in, uint64_t edge);

/* Is there an accepted cycle that is fair? `keep` is set for the states of a strong component with such a cycle through
 * all of them: of several, always the same. Given up: *stop says why. */
MUST_BE_USED enum outcome fair_search(const struct inside *in, struct space *s, const struct product *p,
                                      const struct fair *fair, bool *keep, struct stop *stop);

/* The cycle, through the states to `keep`: edges by their indices, beginning in any state. False: *stop says why it was
 * given up. */
MUST_BE_USED bool fair_cycle(const struct inside *in, struct space *s, const struct product *p, const struct fair *fair,
                             const bool *keep, struct numbers *cycle, struct stop *stop);

/* ---- Fair choice (fair_choice.c) ---- */

enum noted { NOTED, NOTED_NO_MEMORY, NOTED_DIFFERENT };

/* For a part of so many states. False: no memory. */
bool below_init(struct below *b, const struct product *p, uint32_t states, uint64_t max_memory);
void below_fini(struct below *b);
/* A state of the product was expanded, alone. *model: what is below; its edges are in the order of the view's moves,
 * then of free actions. NOTED_DIFFERENT: the model had other moves there before. */
enum noted below_note(struct below *b, const struct product *p, const word *state, struct product_view v,
                      uint32_t *model);

/* Is there, inside this strong component, an edge that accepts, and a copy of every edge below it? `seen`: by edge
 * below; `met`: by state of the model; all clear, before and after. */
bool choice_covers(const struct inside *in, const uint32_t *list, uint32_t count, bool *seen, bool *met);
/* A cycle with a copy of each, and an edge that accepts, through the states of the component to `keep`. False: *stop
 * says why it was given up. */
bool choice_cycle(const struct inside *in, struct space *s, const bool *keep, struct numbers *cycle, struct stop *stop);

#endif
