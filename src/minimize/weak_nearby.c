/* Splitting by single blocks, where that is cheap. If a block S is a union of classes, so are the states that get to S
 * by tau*, and those that get to S by tau* a tau*; they can be found by going backward from S, and blocks can be split
 * by them at any time, whatever signatures are known. Signatures stay what they are: the states of a new block get to
 * what those of the old one get to, in terms of the blocks that were there when the signatures were computed.
 *
 * That is not done for all blocks and labels: a search that meets many more states than S has edges is given up, and
 * left to the next round of signatures. A new block is the smaller part of an old one, so no state is in new blocks
 * more than log n times, and all of this takes O(m log n), give or take the sorting of arrows by labels. */
#include <stdlib.h>

#include "base/memory.h"
#include "minimize/weak.h"

enum { LEAST_STEPS = 32, STEPS_AN_EDGE = 4 };

/* Steps that a search from block b may take. */
static uint64_t steps_for(const struct weak *g, uint32_t b) {
    uint64_t edges = 0;
    for (uint32_t i = g->p.block[b].first; i < g->p.block[b].end; i++) {
        uint32_t s = g->p.element[i];
        edges += 1 + (g->tau_first[s + 1] - g->tau_first[s]) + (g->visible_first[s + 1] - g->visible_first[s]);
    }
    return LEAST_STEPS + STEPS_AN_EDGE * edges;
}

static int by_label(const void *a, const void *b) {
    const struct weak_arrow *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    return (x->source > y->source) - (x->source < y->source);
}

/* The visible edges into the states on the list, label by label; how many. 0: none, or too many. */
static uint64_t gather(struct weak *g, const struct weak_list *to, uint64_t limit) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < to->count; i++) count += g->visible_first[to->at[i] + 1] - g->visible_first[to->at[i]];
    if (count == 0 || count > limit) return 0;
    if (count > g->arrow_room) g->arrows = memory_resize(g->arrows, (g->arrow_room = 2 * count) * sizeof *g->arrows);
    count = 0;
    for (uint32_t i = 0; i < to->count; i++)
        for (uint32_t j = g->visible_first[to->at[i]]; j < g->visible_first[to->at[i] + 1]; j++)
            g->arrows[count++] = g->visible[j];
    qsort(g->arrows, count, sizeof *g->arrows, by_label);
    return count;
}

static void try_block(struct weak *g, uint32_t b) {
    struct weak_list *to = &g->before, *from = &g->after;
    uint64_t limit = steps_for(g, b);
    weak_new_visit(g);
    to->count = 0;
    for (uint32_t i = g->p.block[b].first; i < g->p.block[b].end; i++) weak_reach(g, to, g->p.element[i]);
    if (!weak_close_backward(g, to, limit)) return;
    weak_split_by_list(g, to);
    uint64_t arrows = gather(g, to, limit);
    for (uint64_t i = 0; i < arrows;) {
        uint32_t label = g->arrows[i].label;
        weak_new_visit(g);
        from->count = 0;
        for (; i < arrows && g->arrows[i].label == label; i++) weak_reach(g, from, g->arrows[i].source);
        if (weak_close_backward(g, from, limit)) weak_split_by_list(g, from);
    }
}

void weak_split_nearby(struct weak *g) {
    for (; g->tried < g->p.blocks && !effort_over(g->effort); g->tried++) try_block(g, g->tried);
}
