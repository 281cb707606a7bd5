/* tester_product.h: a model, and a tester process beside it (lts/tester.h), as one transition system.
 *
 * The parallel composition of paper FLY: visible are the actions of the tester's alphabet that the model has and has
 * not hidden. They occur in both together; all others in the model alone; tau of the tester in the tester alone.
 * Actions of the alphabet that the model has not never occur.
 *
 * It is a product as in product.h, with the same layout of states and without a root: the searches of emptiness.h work
 * on it. EDGE_ACCEPTS has an edge that moves the tester from an infinite-trace monitor (C4 of FLY, Theorem 3.3),
 * EDGE_STILL one that does not move it while it is in a livelock monitor (C3). Reject states have ACCEPT_FINITE (C1),
 * deadlock monitors ACCEPT_DEADLOCK (C2). The moves after those of the model are one: tau of the tester.
 *
 * With stubborn sets (FLY Theorem 4.1, Algorithm 4.3; reduce/guided.h), expand makes only the edges of a set that
 * depends on the state alone. Then, if the full product has an error of one kind, the reduced one has that one or a C3.
 */
#ifndef SEARCH_TESTER_PRODUCT_H
#define SEARCH_TESTER_PRODUCT_H

#include "lts/tester.h"
#include "search/product.h"

struct tester_product {
    struct product p; /* the first member; `visible`: transitions that the tester may see */
    const struct tester *tester;
    struct letters {
        uint32_t *at;         /* by action of the model: its label in the tester, or LTS_TAU if it is invisible */
        uint32_t count, room; /* actions that are known so far; those of C models turn up during the search */
    } letters;                /* those of workers are their own */
    bool all_visible; /* with stubborn sets: the model does not tell which transitions can be seen, so all may be */
    uint32_t *fixed;  /* by transition: as what, where that is the same in all states (networks); or NULL */
};

/* The model must have actions, and is opened without stubborn sets; `stubborn`: it has obligations. False: `why`. */
bool tester_product_init(struct tester_product *t, struct ts *base, struct ts_worker *w, const struct tester *tester,
                         bool stubborn, struct problem *why);
void tester_product_fini(struct tester_product *t);

/* A worker that works through one of the model, as product_worker does. */
struct ts_worker *tester_product_worker(struct tester_product *t, struct ts_worker *base);

/* What the tester sees of an action of the model: a label of it, or LTS_TAU. */
uint32_t tester_product_letter(struct tester_product *t, uint32_t action);

/* "a, b, c": actions of the alphabet that the model is not known to have, or that it hides; NULL: none. To be freed. */
char *tester_product_absent(const struct tester_product *t);

#endif
