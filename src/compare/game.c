#include "compare/game.h"

#include <assert.h>
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
    assert(g->node[node].status == NODE_NEW);
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

/* ---- Decided component by component ---- */

/* A node that is decided, or is so at once, is not entered. */
static bool leads_on(struct game *g, uint32_t to) {
    if (to == GAME_END) return false;
    if (g->node[to].status == NODE_NEW && hopeless(g, g->node[to].a, g->node[to].b)) g->node[to].status = NODE_REMOVED;
    return g->node[to].status <= NODE_OPEN;
}

static bool enter(struct game *g, uint32_t node, uint64_t *first, uint32_t *count) {
    expand(g, node);
    g->node[node].status = NODE_OPEN;
    *first = g->node[node].edges;
    *count = g->node[node].edge_count;
    return !effort_over(g->after->effort);
}

static void close_component(struct game *g, const uint32_t *nodes, uint64_t n) {
    game_settle(g, nodes, (uint32_t)n);
    for (uint64_t i = 0; i < n; i++) {
        assert(g->node[nodes[i]].status >= NODE_STAYS); /* all of them are decided now */
        g->node[nodes[i]].number = 1;
    }
}

#define NAME(x) decide_##x
#define GRAPH struct game
#define NODE uint32_t
#define EDGE uint64_t
#define NUMBER(x, v) (x)->g->node[v].number
#define ENTER(x, v, by, first, count) ((void)(by), enter((x)->g, v, first, count))
#define COUNTS(x, v, e) leads_on((x)->g, (x)->g->edge[e].node)
#define TARGET(x, e) (x)->g->edge[e].node
#define CLOSE(x, members, n) close_component((x)->g, members, n)
#include "algo/components_code.h"

static void decide(struct game *g, uint32_t start) {
    struct decide_search x = {.g = g};
    if (leads_on(g, start)) decide_from(&x, start, 0);
    decide_fini(&x);
}

enum outcome game_stays(struct game *g, uint32_t s, uint32_t b, uint32_t *start) {
    *start = node_of(g, after_start(g->after, s), b);
    if (g->node[*start].status == NODE_NEW) decide(g, *start);
    if (g->node[*start].status == NODE_STAYS) return OUTCOME_FOUND;
    return effort_over(g->after->effort) ? OUTCOME_GIVEN_UP : OUTCOME_NONE;
}
