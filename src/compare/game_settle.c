/* The fixed point within one strong component of the game: game.h says of what. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/game_parts.h"

/* Nodes of the component are numbered 0, 1, ...; `place` of a node is its number. A node that stays outside the
 * component has a word for each of its states, so there is no need to remember for which. */
struct component {
    struct game *g;
    const uint32_t *node;
    uint32_t count;
    uint64_t *offset;     /* where the states of a node's B begin in `good`; count + 1 */
    bool *good;           /* by node and state of B: there is a word */
    uint32_t *pred_begin; /* count + 2: predecessors in the component */
    uint32_t *pred;
    uint32_t *queue; /* a ring of nodes to be looked at again */
    bool *queued;    /* whether a node is in it */
};

static bool in_component(const struct game *g, uint32_t node) {
    return node != GAME_END && g->node[node].status == NODE_OPEN;
}

/* Is there a word from here that begins with this edge of a state? */
static bool edge_is_good(const struct component *c, uint32_t node, const struct lts_edge *e) {
    const struct game *g = c->g;
    const struct game_edge *to = game_edge_by(g, node, e->label);
    if (!to) return false;
    if (to->node == GAME_END || g->node[to->node].status == NODE_STAYS) return true;
    if (g->node[to->node].status != NODE_OPEN) return false;
    assert(after_has(g->after, g->node[to->node].b, e->target)); /* B has become what its states lead to */
    return c->good[c->offset[g->node[to->node].place] + after_place(g->after, g->node[to->node].b, e->target)];
}

static bool state_is_good(const struct component *c, uint32_t i, uint32_t state) {
    const struct lts *l = &c->g->j->lts;
    uint32_t node = c->node[i], b = c->g->node[node].b;
    for (const struct lts_edge *e = lts_begin(l, state); e < lts_end(l, state); e++)
        if (e->label == LTS_TAU ? c->good[c->offset[i] + after_place(c->g->after, b, e->target)]
                                : edge_is_good(c, node, e))
            return true;
    return false;
}

/* Looks at the states of a node that are not good yet, those that tau edges lead to first. */
static bool improve(struct component *c, uint32_t i) {
    const struct after *after = c->g->after;
    uint32_t b = c->g->node[c->node[i]].b;
    const uint32_t *member = after_members(after, b);
    bool changed = false;
    for (uint32_t k = 0; k < after_count(after, b); k++) {
        bool *good = &c->good[c->offset[i] + k];
        if (*good || !state_is_good(c, i, member[k])) continue;
        *good = changed = true;
    }
    return changed;
}

/* The least set of good states, given which nodes are not removed. */
static void find_good(struct component *c) {
    uint32_t begin = 0, waiting = 0;
    memset(c->good, 0, c->offset[c->count] * sizeof *c->good);
    for (uint32_t i = 0; i < c->count; i++) {
        c->queued[i] = in_component(c->g, c->node[i]);
        if (c->queued[i]) c->queue[waiting++] = i;
    }
    while (waiting > 0) {
        uint32_t i = c->queue[begin];
        begin = begin + 1 == c->count ? 0 : begin + 1;
        waiting--;
        c->queued[i] = false;
        if (!improve(c, i)) continue;
        for (uint32_t k = c->pred_begin[i]; k < c->pred_begin[i + 1]; k++) {
            uint32_t p = c->pred[k];
            if (c->queued[p] || !in_component(c->g, c->node[p])) continue;
            c->queued[p] = true;
            c->queue[(begin + waiting++) % c->count] = p;
        }
    }
}

static bool all_good(const struct component *c, uint32_t i) {
    return !memchr(&c->good[c->offset[i]], 0, c->offset[i + 1] - c->offset[i]);
}

static bool remove_bad(struct component *c) {
    bool changed = false;
    for (uint32_t i = 0; i < c->count; i++) {
        if (!in_component(c->g, c->node[i]) || all_good(c, i)) continue;
        c->g->node[c->node[i]].status = NODE_REMOVED;
        changed = true;
    }
    return changed;
}

static void number_nodes(struct component *c) {
    c->offset[0] = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        struct game_node *n = &c->g->node[c->node[i]];
        assert(n->status == NODE_OPEN);
        n->place = i;
        c->offset[i + 1] = c->offset[i] + after_count(c->g->after, n->b);
    }
}

/* The edges inside the component, turned round. pred_begin is first ahead by one place, which filling in makes good. */
static void find_predecessors(struct component *c) {
    const struct game *g = c->g;
    c->pred_begin = memory_get_zeroed((c->count + UINT64_C(2)) * sizeof *c->pred_begin);
    for (uint32_t i = 0; i < c->count; i++) {
        const struct game_node *n = &g->node[c->node[i]];
        for (uint64_t k = n->edges; k < n->edges + n->edge_count; k++)
            if (in_component(g, g->edge[k].node)) c->pred_begin[g->node[g->edge[k].node].place + 2]++;
    }
    for (uint32_t i = 0; i < c->count; i++) c->pred_begin[i + 2] += c->pred_begin[i + 1];
    c->pred = memory_get((c->pred_begin[c->count + 1] + UINT64_C(1)) * sizeof *c->pred);
    for (uint32_t i = 0; i < c->count; i++) {
        const struct game_node *n = &g->node[c->node[i]];
        for (uint64_t k = n->edges; k < n->edges + n->edge_count; k++)
            if (in_component(g, g->edge[k].node)) c->pred[c->pred_begin[g->node[g->edge[k].node].place + 1]++] = i;
    }
}

void game_settle(struct game *g, const uint32_t *node, uint32_t count) {
    struct component c = {.g = g, .node = node, .count = count};
    c.offset = memory_get((count + UINT64_C(1)) * sizeof *c.offset);
    number_nodes(&c);
    find_predecessors(&c);
    c.good = memory_get(c.offset[count] * sizeof *c.good);
    c.queue = memory_get(count * sizeof *c.queue);
    c.queued = memory_get(count * sizeof *c.queued);
    effort_take(g->after->effort, c.offset[count]);
    do find_good(&c);
    while (remove_bad(&c) && !effort_over(g->after->effort));
    for (uint32_t i = 0; i < count; i++)
        if (in_component(g, node[i])) g->node[node[i]].status = NODE_STAYS;
    effort_give_back(g->after->effort, c.offset[count]);
    free(c.offset);
    free(c.good);
    free(c.pred_begin);
    free(c.pred);
    free(c.queue);
    free(c.queued);
}
