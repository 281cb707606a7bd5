/* relabel.h: LTSs with other labels.
 *
 * Labels that a composite has hidden before it became a part of something else are kept, so that its components can
 * still synchronise on them: "~7.a" is such an inner label. No other operation sees them.
 */
#ifndef FSP_RELABEL_H
#define FSP_RELABEL_H

#include "fsp/evaluate.h"

static inline bool label_is_inner(const char *label) { return label[0] == '~'; }

/* Adds what becomes of a label. Nothing: it is hidden. */
typedef void label_map(void *context, const char *label, struct names *images);
/* An edge gets a copy for each image of its label. Inner labels stay. False: more than max_edges edges. */
bool relabel_lts(const struct lts *l, label_map *map, void *context, uint64_t max_edges, struct lts *out);

/* Hiding and priority: is the label, or what it is before one of its dots, in the set? */
struct matcher {
    struct names set;
};
bool matcher_init(struct matcher *k, struct maker *m, const struct binding *env, const struct set *s);
void matcher_fini(struct matcher *k);
bool matcher_matches(const struct matcher *k, const char *label);

/* Relabelling: new labels for old ones. A label is changed by the rule for it, or else by the rule for the longest part
 * of it before a dot; if there is none, it stays. */
struct renaming {
    struct names old;
    struct names *images; /* by old */
    uint32_t filled, room;
};
bool renaming_init(struct renaming *r, struct maker *m, const struct binding *env, const struct relabel *relabels);
void renaming_fini(struct renaming *r);
label_map renaming_map; /* context: the renaming */

/* Prefixes: the context is a struct names of them. A label gets a copy for each. */
label_map prefix_map;

/* Hiding: the context. */
struct hiding {
    const struct matcher *set;
    bool rest; /* all that is not in the set */
};
label_map hiding_map;
bool hiding_hides(const struct hiding *h, const char *label);

#endif
