/* product_names.h: what the propositions of an automaton are in a model. A part of product.c. */
#ifndef WATCH_PRODUCT_NAMES_H
#define WATCH_PRODUCT_NAMES_H

#include "watch/product.h"

/* Sets by_action, wanted, effects, free, momentary and initially. False: a proposition is unknown. */
bool product_name(struct product *p, const struct names *names, struct problem *why);

#endif
