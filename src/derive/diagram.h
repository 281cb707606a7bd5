/* diagram.h: what units do, as decision diagrams: equal parts of read trees are one, and a variable is left out where
 * its value makes no difference.
 *
 * Nodes that are the same need not do the same below a NODE_CHOICE, as the value that decides is compared with what was
 * read before. So what is read before a NODE_CHOICE is never left out.
 *
 * Variables are read in the order of the model's code, which may differ from way to way. Parts that no possible state
 * gets to are missing. All diagrams of a model share their nodes. Children have smaller numbers than their parents.
 */
#ifndef DERIVE_DIAGRAM_H
#define DERIVE_DIAGRAM_H

#include "algo/set_table.h"
#include "derive/readings.h"

enum node_kind {
    NODE_READ,   /* by the value of `variable`: children of all its values; NODE_NONE: no possible state gets there */
    NODE_CHOICE, /* the same, of a wide variable: one of the children, it is not known by which values */
    NODE_DISABLED,
    NODE_ENABLED, /* with `effect` */
    NODE_VALUE,   /* of functions: `effect` is the number of the value in `values` */
    NODE_VAGUE,   /* anything */
};
enum { NODE_NONE = UINT32_MAX, SLOT_ANY = UINT32_MAX };

struct node {
    enum node_kind kind;
    uint32_t variable;
    uint32_t effect;
    uint32_t first, count; /* children, in `child` */
    bool loose; /* below, there is a NODE_CHOICE: where it leads may depend on anything that was read before */
};

/* The values of a NODE_READ that lead to one child; or a child of a NODE_CHOICE. */
struct arc {
    uint32_t child;
    uint64_t values[SOURCE_SLOTS / 64]; /* in the words of the variable */
};

struct diagram {
    const struct slots *slots;
    struct node *node;
    uint32_t count, room;
    uint32_t *child;
    uint32_t children, child_room;
    struct table table;
    /* Effects: lists of pairs of numbers, by increasing variable: variable, and slot of the value that is stored;
     * SLOT_ANY: the variable is wide. */
    struct set_table effects;
    uint64_t *values;
    uint32_t value_count, value_room;
    /* Once diagram_arcs was called: those of node n are from arc_from[n] to arc_from[n + 1] - 1. */
    uint32_t *arc_from;
    struct arc *arc;
};

void diagram_init(struct diagram *d, const struct slots *slots);
void diagram_fini(struct diagram *d);

/* What a diagram is to tell of a unit. */
enum diagram_view {
    VIEW_TRANSITION, /* NODE_ENABLED with what it stores; an error is NODE_DISABLED */
    VIEW_ERROR,      /* NODE_ENABLED, without stores, where the unit fails; else NODE_DISABLED */
    VIEW_BAD,        /* NODE_ENABLED where the value is not 0, or the unit fails */
    VIEW_TRUE,       /* NODE_ENABLED where the value is not 0; NODE_VAGUE: it fails, or is not known */
    VIEW_FALSE,      /* ... where it is 0 */
    VIEW_VALUE,      /* NODE_VALUE; NODE_VAGUE: it fails, or is not known */
};

/* The diagram of a unit. */
uint32_t diagram_make(struct diagram *d, const struct readings *r, uint32_t unit, enum diagram_view view);

/* To be called when all diagrams are made. */
void diagram_arcs(struct diagram *d);

/* Makes `set`, a vector of slots, smaller by what it takes to go along the arc. False: nothing is left. */
static inline bool arc_narrow(const struct diagram *d, const struct node *n, const struct arc *a, uint64_t *set) {
    const struct slot_range *r = &d->slots->of[n->variable];
    uint64_t left = r->words == 0;
    for (uint32_t k = 0; k < r->words; k++) {
        uint64_t mask = slots_mask(d->slots, n->variable, k);
        set[r->word + k] &= a->values[k] | ~mask;
        left |= set[r->word + k] & mask;
    }
    return left != 0;
}

static inline const uint32_t *diagram_effect(const struct diagram *d, uint32_t effect, uint32_t *stores) {
    *stores = set_table_size(&d->effects, effect) / 2;
    return set_table_members(&d->effects, effect);
}

/* The leaf where a packed state gets to; or a node that is a NODE_CHOICE; NODE_NONE: the state is not possible. */
uint32_t diagram_walk(const struct diagram *d, uint32_t root, const struct source_variable *variables,
                      const uint64_t *state);

/* Sets reads[x] for the variables below a node. */
void diagram_reads(const struct diagram *d, uint32_t root, bool *reads);

#endif
