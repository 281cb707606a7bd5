/* network_facts.h: what the transitions of a network read and write, proved by its components. */
#ifndef MODEL_NETWORK_NETWORK_FACTS_H
#define MODEL_NETWORK_NETWORK_FACTS_H

#include "net/plan.h"
#include "ts/facts.h"

/* A transition reads and writes the local states of the components of its action; and all of the state where that may
 * become ERROR or END, or where it gives way to others. Nothing occurs in ERROR and END, so that every transition reads
 * the bit that marks these. */
struct facts_proved *network_facts(const struct plan *p);

#endif
