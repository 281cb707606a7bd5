/* composite.h: composite processes, taken apart into LTSs side by side. */
#ifndef FSP_COMPOSITE_H
#define FSP_COMPOSITE_H

#include "fsp/pieces.h"

/* The components of a composite, before its own priority, hiding and qualifiers. */
bool make_pieces(struct maker *m, const struct definition *d, const struct binding *env, struct pieces *out);
/* One more component: a primitive process. */
bool make_piece(struct maker *m, const struct definition *d, const struct binding *env, struct place at,
                struct pieces *out);

/* The priority and the hiding of a composite, marked in its network. */
/* What is written before a composite: enum ts_quality. */
unsigned composite_qualities(const struct definition *d);

bool make_sight(struct maker *m, const struct definition *d, const struct binding *env, struct network *n);

/* All of a composite as one LTS. */
bool make_composed(struct maker *m, const struct definition *d, const struct binding *env, struct lts *out);

/* An LTS from a file. */
bool make_import(struct maker *m, const struct definition *d, struct lts *out);

#endif
