/* fair.h: assumptions of fairness, and strong components of a product in the light of them.
 *
 * A set of transitions of the model is treated fairly in an infinite execution
 *
 *     weakly    if it is disabled or occurs infinitely often: it is not enabled for ever without occurring
 *     strongly  if it occurs infinitely often or is enabled only finitely often
 *
 * Fair choice is LTSA's: an execution counts only if it stays in a terminal strong component of the product, one that
 * no move leaves.
 */
#ifndef SEARCH_FAIR_H
#define SEARCH_FAIR_H

#include "search/product.h"
#include "search/space.h"

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
 * transition's number or name; a star in it stands for anything. (fair_sets.c) */
bool fair_add(struct fair *f, struct ts *ts, struct ts_worker *w, const char *list, bool strong, struct problem *why);
void fair_fini(struct fair *f);

/* The inside of a part of the product: edges between its states, and what is enabled in them (inside.c). States are
 * known by their places in the part. */
struct inside {
    uint32_t states;
    uint32_t *first; /* states + 1 */
    struct inside_edge {
        uint32_t target, transition; /* of the product */
        uint8_t kind;                /* EDGE_ACCEPTS, EDGE_STILL */
    } * edge;
    uint32_t edges, room;
    bool left;        /* some edge leads out, or the automaton was at a loss */
    uint8_t *enabled; /* [state * sets + set]; NULL if there are no sets */
};

/* The place of a state in the part, or UINT32_MAX: it is not in it. */
typedef uint32_t inside_find(const void *context, const word *state);

/* The part is `count` states of the product, one after the other, which the space's worker expands again. `fair` may be
 * NULL. False: *stop says why it was given up. To be released in either case. */
bool inside_init(struct inside *in, struct space *s, const struct product *p, const word *states, uint32_t count,
                 inside_find *find, const void *context, const struct fair *fair, struct stop *stop);
void inside_fini(struct inside *in);

/* Is there an accepted cycle that is fair? `keep` is set for the states of a strong component with such a cycle through
 * all of them. */
bool fair_search(const struct inside *in, const struct product *p, const struct fair *fair, bool *keep);

/* The cycle, through the states to `keep`: edges by their indices, beginning in any state. */
void fair_cycle(const struct inside *in, const struct product *p, const struct fair *fair, const bool *keep,
                struct numbers *cycle);

#endif
