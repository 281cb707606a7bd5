/* saturate.h: which vectors are related to those of a set, in one step, and in any number of steps.
 *
 * A way is a number of relations that are gone through together, prepared for saturation: by their highest level, and
 * there by the value that they begin with. Saturation (Ciardo, Luettgen, Siminiceanu, 2001) makes the least set that
 * contains a given one and is closed under a way: from the last level to the first, each new node is closed under all
 * that begins at its level before it is used in a node above it.
 *
 * Within a constraint, only vectors of the constraint are added. A subset of it that is closed in one part of the
 * constraint need not be so in another: where a step comes from one value of a level to another, what lies below is
 * closed again.
 */
#ifndef SYMBOLIC_SATURATE_H
#define SYMBOLIC_SATURATE_H

#include "symbolic/mdd.h"
#include "symbolic/relation.h"

struct way_step {
    uint32_t to;
    relation next;
};

struct way {
    const struct relations *relations;
    uint32_t number; /* tells ways apart that are used with one pool; small */
    uint32_t levels;
    /* The steps that begin at level k with value v: step[from[base[k] + v]] to step[from[base[k] + v + 1] - 1]. */
    uint32_t *base, *from;
    struct way_step *step;
    relation *event; /* what it was made of */
    uint32_t events;
    bool stays; /* a step may lead from any vector to itself: RELATION_SAME is among the relations */
};

/* Of the relations in the list. Those with the same highest level become one, as long as there is room for that.
 * False: no room (relations->full). */
bool way_init(struct way *w, struct relations *r, uint32_t number, const relation *list, uint32_t count);
void way_fini(struct way *w);

/* What is reached from a by a step of the relation; and the vectors of a from which there is one. */
mdd relation_image(struct mdd_pool *m, const struct relations *r, mdd a, relation x);
mdd relation_sources(struct mdd_pool *m, const struct relations *r, mdd a, relation x);

/* What is reached from a in one step of the way. */
mdd way_image(struct mdd_pool *m, const struct way *w, mdd a);
/* What is reached from a by any number of steps; all but a itself within `constraint`. */
mdd way_closure(struct mdd_pool *m, const struct way *w, mdd a);
mdd way_closure_within(struct mdd_pool *m, const struct way *w, mdd a, mdd constraint);

#endif
