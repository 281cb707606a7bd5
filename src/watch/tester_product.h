/* tester_product.h: a model, and a tester process beside it (lts/tester.h), as one transition system.
 *
 * The parallel composition of paper FLY: visible are the actions of the tester's alphabet that the model has and has
 * not hidden. They occur in both together; all others in the model alone; tau of the tester in the tester alone.
 * Actions of the alphabet that the model has not never occur.
 *
 * It is a product as in product.h, with the same layout of states and without a root: the searches of cycles.h work
 * on it. EDGE_ACCEPTS has an edge that moves the tester from an infinite-trace monitor (C4 of FLY, Theorem 3.3),
 * EDGE_STILL one that does not move it while it is in a livelock monitor (C3). Reject states have ACCEPT_FINITE (C1),
 * deadlock monitors ACCEPT_DEADLOCK (C2). The moves after those of the model are tau of the tester, and, if the tester
 * sees it, what the model does in END and in ERROR (TESTER_MOVE_...).
 *
 * Where the tester could find nothing illegal any more, nothing is explored: edges to such states are left out. Only
 * that they are there counts, since what can go on is no deadlock.
 *
 * With stubborn sets (FLY Theorem 4.1, Algorithm 4.3; reduce/guided.h), expand makes only the edges of a set that
 * depends on the state alone. Then, if the full product has an error of one kind, the reduced one has that one or a C3.
 *
 * More can be left out in a deadlock monitor, without livelock or infinite traces, all of whose edges lead to where
 * nothing illegal is found ("waits"): any set with something enabled will do, as for deadlocks. For let s -a_1 ...
 * a_n-> lead to a deadlock there. The tester has not moved, so all a_i are invisible. By D2, what is enabled in the set
 * would still be enabled in the end, unless some a_i is in the set; by D1, the first of these is moved forward.
 *
 * END and ERROR have no moves, so that every set keeps them, as it keeps deadlocks: they are reached in the same states
 * of the tester, except that a tau of the tester may come first. So a tester that sees them must not have both taus and
 * an edge by END or ERROR that matters in the same state (canonical_tester.h says why it has not).
 */
#ifndef WATCH_TESTER_PRODUCT_H
#define WATCH_TESTER_PRODUCT_H

#include "lts/tester.h"
#include "watch/product.h"

/* Moves after those of the model. */
enum { TESTER_MOVE_TAU, TESTER_MOVE_END, TESTER_MOVE_ERROR, TESTER_MOVES };

struct tester_product {
    struct product p; /* the first member; `visible`: transitions that the tester may see */
    const struct tester *tester;
    struct letters {
        uint32_t *at;         /* by action of the model: its label in the tester, or LTS_TAU if it is invisible */
        uint32_t count, room; /* actions that are known so far; those of C models turn up during the search */
    } letters;                /* those of workers are their own */
    bool all_visible; /* with stubborn sets: the model does not tell which transitions can be seen, so all may be */
    bool *hopes;      /* by state of the tester: tester_hopes */
    bool *waits;      /* by state of the tester: see above */
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

/* What the model does in a state without moves: TESTER_MOVE_END or TESTER_MOVE_ERROR with the label that the tester
 * sees; LTS_TAU: it sees nothing. False: the model failed. */
bool tester_product_end(const struct tester *tester, struct ts *base, struct ts_worker *w, const word *model,
                        uint32_t *move, uint32_t *label, struct ts_fault *fault);

/* "a, b, c": actions of the alphabet that the model is not known to have, or that it hides; NULL: none. To be freed. */
char *tester_product_absent(const struct tester_product *t);

#endif
