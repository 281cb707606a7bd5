#include "compare/game.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/game_parts.h"

void game_init(struct game *g, const struct joint *j, struct after *after) {
    *g = (struct game){.j = j, .after = after};
    twins_init(&g->by_sets, sizeof *g->node);
    inclusion_init(&g->inclusion, j, after);
}

void game_fini(struct game *g) {
    inclusion_fini(&g->inclusion);
    effort_give_back(g->after->effort, g->room * sizeof *g->node + g->edge_room * sizeof *g->edge);
    free(g->node);
    free(g->edge);
    twins_fini(&g->by_sets);
    free(g->stack);
    *g = (struct game){0};
}

/* ---- Nodes, each once ---- */

static uint32_t node_of(struct game *g, uint32_t a, uint32_t b) {
    uint32_t known = twins_find(&g->by_sets, g->node, a, b);
    if (known != TWINS_NONE) return known;
    if (g->count == g->room) {
        uint64_t room = g->room ? 2 * g->room : 256;
        effort_take(g->after->effort, (room - g->room) * sizeof *g->node);
        g->node = memory_resize(g->node, room * sizeof *g->node);
        g->room = room;
    }
    g->node[g->count++] =
        (struct game_node){.a = a, .b = b, .status = after_meet(g->after, a, b) ? NODE_REMOVED : NODE_NEW};
    twins_add(&g->by_sets, g->node, g->count);
    return g->count - 1;
}

/* Some state of B can do no more than A can. States with tau edges can do more than those that these lead to. */
static bool hopeless(struct game *g, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < after_count(g->after, b); i++) {
        uint32_t r = after_members(g->after, b)[i];
        if (joint_stable(g->j, r) && inclusion_fails(&g->inclusion, r, a) != OUTCOME_FOUND) return true;
    }
    return false;
}

static void add_edge(struct game *g, uint32_t label, uint32_t node) {
    if (g->edges == g->edge_room) {
        uint64_t room = g->edge_room ? 2 * g->edge_room : 1024;
        effort_take(g->after->effort, (room - g->edge_room) * sizeof *g->edge);
        g->edge = memory_resize(g->edge, room * sizeof *g->edge);
        g->edge_room = room;
    }
    g->edge[g->edges++] = (struct game_edge){label, node};
}

static void expand(struct game *g, uint32_t node) {
    uint32_t a = g->node[node].a, b = g->node[node].b;
    after_expand(g->after, a);
    after_expand(g->after, b);
    uint64_t begin = g->edges;
    const struct after_step *step = after_steps(g->after, b);
    for (uint32_t i = 0; i < after_step_count(g->after, b); i++) {
        uint32_t to_a = after_by(g->after, a, step[i].label);
        uint32_t to = to_a == AFTER_EMPTY ? GAME_END : node_of(g, to_a, step[i].set);
        if (to == GAME_END || g->node[to].status != NODE_REMOVED) add_edge(g, step[i].label, to);
    }
    g->node[node].edges = begin;
    g->node[node].edge_count = (uint32_t)(g->edges - begin);
}

const struct game_edge *game_edge_by(const struct game *g, uint32_t node, uint32_t label) {
    const struct game_edge *edge = g->edge + g->node[node].edges;
    uint32_t low = 0, high = g->node[node].edge_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (edge[middle].label < label) low = middle + 1;
        else high = middle;
    }
    return low < g->node[node].edge_count && edge[low].label == label ? &edge[low] : NULL;
}

/* ---- Depth-first, after Tarjan ---- */

struct frame {
    uint32_t node, next; /* the edge to be followed next */
};

struct path {
    struct frame *frame;
    uint64_t depth, room;
};

static void enter(struct game *g, struct path *p, uint32_t node) {
    struct game_node *n = &g->node[node];
    if (hopeless(g, n->a, n->b)) {
        n->status = NODE_REMOVED;
        return;
    }
    expand(g, node);
    n = &g->node[node];
    n->status = NODE_OPEN;
    n->found = n->low = ++g->clock;
    if (g->stacked == g->stack_room) {
        g->stack_room = g->stack_room ? 2 * g->stack_room : 256;
        g->stack = memory_resize(g->stack, g->stack_room * sizeof *g->stack);
    }
    g->stack[g->stacked++] = node;
    if (p->depth == p->room) {
        p->room = p->room ? 2 * p->room : 256;
        p->frame = memory_resize(p->frame, p->room * sizeof *p->frame);
    }
    p->frame[p->depth++] = (struct frame){node, 0};
}

static void leave(struct game *g, struct path *p) {
    struct game_node *n = &g->node[p->frame[--p->depth].node];
    if (n->low == n->found) {
        uint32_t bottom = g->stacked;
        while (g->stack[--bottom] != p->frame[p->depth].node) continue;
        game_settle(g, g->stack + bottom, g->stacked - bottom);
        g->stacked = bottom;
    } else if (p->depth > 0) {
        struct game_node *from = &g->node[p->frame[p->depth - 1].node];
        if (n->low < from->low) from->low = n->low;
    }
}

static void decide(struct game *g, uint32_t start) {
    struct path p = {0};
    enter(g, &p, start);
    while (p.depth > 0 && !effort_over(g->after->effort)) {
        struct frame *f = &p.frame[p.depth - 1];
        struct game_node *n = &g->node[f->node];
        if (f->next == n->edge_count) {
            leave(g, &p);
            continue;
        }
        uint32_t to = g->edge[n->edges + f->next++].node;
        if (to == GAME_END) continue;
        if (g->node[to].status == NODE_NEW) enter(g, &p, to);
        else if (g->node[to].status == NODE_OPEN && g->node[to].found < n->low) n->low = g->node[to].found;
    }
    free(p.frame);
}

enum outcome game_stays(struct game *g, uint32_t s, uint32_t b, uint32_t *start) {
    *start = node_of(g, after_start(g->after, s), b);
    if (g->node[*start].status == NODE_NEW) decide(g, *start);
    if (g->node[*start].status == NODE_STAYS) return OUTCOME_FOUND;
    return effort_over(g->after->effort) ? OUTCOME_GIVEN_UP : OUTCOME_NONE;
}
