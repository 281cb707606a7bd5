/* nets.h: networks for tests: written as text, made by chance, and some that are well known. */
#ifndef UNIT_NETS_H
#define UNIT_NETS_H

#include "net/network.h"

/* Adds a component. Its edges are written as "0 a 1, 1 tau 0, 1 b ERROR, 1 c END"; after a ';' labels may follow that
 * it has and never executes. State 0 is the initial one. */
void nets_add(struct network *n, const char *name, const char *edges);

/* To be called when all components are there: all labels are visible. */
void nets_finish(struct network *n);

/* Labels, separated by spaces, that are hidden; or that are low. */
void nets_hide(struct network *n, const char *labels, enum network_sight sight);
void nets_low(struct network *n, const char *labels);

/* By chance; drawn by `below(n)`: 0 to n - 1. */
struct nets_chance {
    uint32_t components, states, labels; /* at most */
    uint32_t special;                    /* percent of components with an end or an error state */
    uint32_t tau;                        /* percent of edges that are tau */
    uint32_t hidden;                     /* percent of labels */
    uint32_t acyclic;                    /* percent of components */
    uint32_t low;                        /* percent of networks with priority */
    bool deterministic;                  /* all but tau */
};
void nets_random(struct network *n, const struct nets_chance *chance, uint32_t (*below)(uint32_t n));

void nets_copy(struct network *to, const struct network *from);
void nets_print(const struct network *n); /* to standard error, as text for nets_add */

/* The demand-driven token ring of examples/token_ring.c: customers C, servers S, each with its token. */
void nets_token_ring(struct network *n, uint32_t size);

/* The protocol of examples/ssabp.c with c cells in each channel; sen, ok, err and rec are visible. */
void nets_protocol(struct network *n, uint32_t c, bool resend);

/* Philosophers who take the left fork first, and may put it back. */
void nets_philosophers(struct network *n, uint32_t size);

#endif
