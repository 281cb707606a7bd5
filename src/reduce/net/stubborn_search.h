/* stubborn_search.h: what stubborn.c and deletion.c share.
 *
 * The search for strong components is one of its own, not an instance of algo/components_code.h: it runs in every
 * state, clears nothing between states, compares lists of obligations while it goes, and taints components that lead to
 * an enabled action.
 */
#ifndef REDUCE_NET_STUBBORN_SEARCH_H
#define REDUCE_NET_STUBBORN_SEARCH_H

#include "base/memory.h"
#include "reduce/net/rules.h"
#include "reduce/net/stubborn.h"

/* Lists of actions that grow. */
struct actions {
    uint32_t *at;
    uint32_t count, room;
};

static inline void actions_add(struct actions *l, uint32_t action) {
    if (__builtin_expect(l->count == l->room, 0)) {
        l->room = l->room ? 2 * l->room : 64;
        l->at = memory_resize(l->at, l->room * sizeof *l->at);
    }
    l->at[l->count++] = action;
}

static inline void actions_add_all(struct actions *l, const uint32_t *list, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) actions_add(l, list[k]);
}

struct deletion;

struct stubborn_search {
    const struct stubborn *s;
    const struct plan *p;
    const uint32_t *locals; /* of the state at hand */
    const bool *frozen;     /* by action; NULL: none */
    struct rules *rules;
    bool *is_enabled; /* by vertex that was met */

    /* Tarjan's algorithm, path-based. number[v] - base is: not positive: not met; 1, 2, ...: its place on the stack;
     * `done` or `tainted`: its component is complete. */
    uint32_t *number, base, done, tainted;
    uint32_t *stack, top;
    struct frame {
        uint32_t number;           /* of a vertex on the path */
        uint32_t begin, next, end; /* its obligations in `pool` */
    } * frames;
    uint32_t depth;
    struct root {
        uint32_t number;
        bool tainted; /* it leads to an enabled action of a complete component */
    } * roots;
    uint32_t root_count;
    struct actions pool;

    /* Results: the set is `finished`, where nothing is enabled, and `chosen`, of which `enabled` is. */
    struct actions enabled, finished, chosen;
    struct actions members;
    struct actions all_enabled;
    bool all_known; /* all_enabled is that of the state at hand */
    struct deletion *deletion;
};

/* Pseudo-actions never are. */
static inline bool is_frozen(const struct stubborn_search *d, uint32_t vertex) {
    return d->frozen && vertex < d->p->actions && d->frozen[vertex];
}

/* Adds those of a list that are not frozen. */
static inline void add_unfrozen(const struct stubborn_search *d, struct actions *l, const uint32_t *list,
                                uint32_t count) {
    if (__builtin_expect(!d->frozen, 1)) actions_add_all(l, list, count);
    else
        for (uint32_t k = 0; k < count; k++)
            if (!is_frozen(d, list[k])) actions_add(l, list[k]);
}

/* Whether a vertex is enabled in the state at hand. */
static inline bool is_enabled(const struct stubborn_search *d, uint32_t vertex) {
    return vertex < d->p->actions && !is_frozen(d, vertex) && plan_enabled(d->p, d->locals, vertex);
}

/* The state with these local states is at hand; nothing was met in it yet. */
void search_begin(struct stubborn_search *d, const uint32_t *locals);

/* All actions that are enabled in the state at hand, in the order of scanning. */
const struct actions *enabled_actions(struct stubborn_search *d);

/* Adds what an enabled action obliges beside its needs. */
void add_rules(struct stubborn_search *d, uint32_t action, struct actions *to);

/* The vertices that a pseudo-action stands for. */
const uint32_t *pseudo_obligations(struct stubborn_search *d, uint32_t pseudo, uint32_t *count);

struct deletion *deletion_new(const struct stubborn *s);
void deletion_free(struct deletion *x);
/* Fills d->enabled and d->chosen. */
void deletion_run(struct stubborn_search *d);

#endif
