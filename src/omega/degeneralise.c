/* Levels. A copy (q, l) of state q has seen edges of the first l sets since it accepted last; (q, sets) accepts, and
 * counts as level 0 for what comes next. Only inside strong components where acceptance is possible do levels matter:
 * whoever enters a component begins at 0, and elsewhere all is at 0.
 *
 * Marks that all edges have by which q can be left within its component are counted already when q is entered. Thereby
 * an edge may be counted twice, in two rounds that follow each other, which does no harm: infinitely many rounds still
 * need infinitely many edges of each set. */
#include <assert.h>
#include <stdlib.h>

#include "omega/convert.h"
#include "omega/automaton_graph.h"
#include "omega/trim.h"
#include "base/memory.h"

struct copies {
    const struct ba *a;
    const uint32_t *order;
    struct components c;
    bool *accepting;  /* components */
    uint64_t *common; /* marks of all edges of a state inside its component */
    struct ba_builder build;
    uint32_t *number; /* [state * (sets + 1) + level], + 1; 0: none */
    uint32_t *todo;   /* the same index, in the order of finding */
};

/* Each edge inside its component narrows down what is common. */
static void find_common(struct copies *x) {
    for (uint32_t s = 0; s < x->a->states; s++) {
        bool any = false;
        x->common[s] = UINT64_MAX;
        for (const struct ba_edge *e = ba_begin(x->a, s); e < ba_end(x->a, s); e++)
            if (x->c.of[s] == x->c.of[e->target]) {
                x->common[s] &= e->marks;
                any = true;
            }
        if (!any) x->common[s] = 0;
    }
}

static uint32_t advance(const struct copies *x, uint32_t level, uint64_t marks) {
    while (level < x->a->sets && (marks >> (x->order ? x->order[level] : level) & 1)) level++;
    return level;
}

static uint32_t copy_at(struct copies *x, uint32_t state, uint32_t level) {
    uint32_t index = state * (x->a->sets + 1) + level;
    assert(level <= x->a->sets);
    if (!x->number[index]) {
        bool accepts = level == x->a->sets && x->accepting[x->c.of[state]];
        unsigned accept = x->a->accept[state] & ~(unsigned)ACCEPT_INFINITE;
        x->todo[x->build.states] = index;
        x->number[index] = ba_build_state(&x->build, accept | (accepts ? ACCEPT_INFINITE : 0u)) + 1;
    }
    return x->number[index] - 1;
}

static uint32_t entered(struct copies *x, uint32_t state) {
    if (!x->accepting[x->c.of[state]]) return copy_at(x, state, 0);
    return copy_at(x, state, advance(x, 0, x->common[state]));
}

static uint32_t followed(struct copies *x, uint32_t source, uint32_t level, const struct ba_edge *e) {
    if (x->c.of[source] != x->c.of[e->target] || !x->accepting[x->c.of[source]]) return entered(x, e->target);
    level = advance(x, level == x->a->sets ? 0 : level, e->marks);
    if (level < x->a->sets) level = advance(x, level, x->common[e->target]);
    return copy_at(x, e->target, level);
}

static void make_copies(struct copies *x) {
    uint32_t levels = x->a->sets + 1;
    for (uint32_t i = 0; i < x->a->initials; i++) ba_build_initial(&x->build, entered(x, x->a->initial[i]));
    for (uint32_t i = 0; i < x->build.states; i++) {
        uint32_t s = x->todo[i] / levels, level = x->todo[i] % levels;
        for (const struct ba_edge *e = ba_begin(x->a, s); e < ba_end(x->a, s); e++)
            ba_build_edge(&x->build, i, e->label, 0, followed(x, s, level, e));
    }
}

/* All copies of a state accept the same. Where they are in different components, what leads to the upper ones may as
 * well lead to the lowest one. */
static void use_lowest(const struct copies *x, struct ba *all, struct ba *out) {
    struct ba_builder b;
    struct components c;
    struct digraph g = graph_of_ba(all);
    uint32_t levels = x->a->sets + 1, *lowest = memory_get((x->a->states + 1) * sizeof *lowest);
    uint32_t *instead = memory_get((all->states + 1) * sizeof *instead);
    components_find(&c, &g);
    for (uint32_t s = 0; s < x->a->states; s++) lowest[s] = UINT32_MAX;
    for (uint32_t i = 0; i < all->states; i++) {
        uint32_t *low = &lowest[x->todo[i] / levels];
        if (*low == UINT32_MAX || c.of[i] < c.of[*low]) *low = i;
    }
    for (uint32_t i = 0; i < all->states; i++) {
        uint32_t low = lowest[x->todo[i] / levels];
        instead[i] = c.of[low] == c.of[i] ? i : low;
    }
    ba_build(&b, &all->propositions);
    b.by_state = true;
    for (uint32_t i = 0; i < all->states; i++) ba_build_state(&b, all->accept[i]);
    for (uint32_t i = 0; i < all->initials; i++) ba_build_initial(&b, instead[all->initial[i]]);
    for (uint32_t i = 0; i < all->states; i++)
        for (const struct ba_edge *e = ba_begin(all, i); e < ba_end(all, i); e++)
            ba_build_edge(&b, i, e->label, 0, instead[e->target]);
    ba_build_finish(&b, out);
    free(lowest);
    free(instead);
    components_fini(&c);
    digraph_fini(&g);
}

void ba_degeneralise(const struct ba *a, const uint32_t *order, struct ba *out) {
    struct copies x = {.a = a, .order = order};
    struct ba all, merged;
    if (a->by_state) {
        ba_copy(out, a);
        return;
    }
    size_t copies = (size_t)a->states * (a->sets + 1) + 1;
    struct digraph g = graph_of_ba(a);
    components_find(&x.c, &g);
    x.accepting = ba_accepting_components(a, &x.c);
    x.common = memory_get((a->states + 1) * sizeof *x.common);
    x.number = memory_get_zeroed(copies * sizeof *x.number);
    x.todo = memory_get(copies * sizeof *x.todo);
    find_common(&x);
    ba_build(&x.build, &a->propositions);
    x.build.by_state = true;
    make_copies(&x);
    ba_build_finish(&x.build, &all);
    use_lowest(&x, &all, &merged);
    ba_trim(&merged, out);
    ba_fini(&all);
    ba_fini(&merged);
    free(x.accepting);
    free(x.common);
    free(x.number);
    free(x.todo);
    components_fini(&x.c);
    digraph_fini(&g);
}
