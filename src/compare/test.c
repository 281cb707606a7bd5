#include "compare/test.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* ---- How far each state is from the end of a word ---- */

enum { FAR = UINT32_MAX };

/* The nodes that stay and can be reached from the start, numbered 0, 1, ..., and for each state of B the length of its
 * shortest word. The states that tau edges lead to count too: a word may begin with tau edges. */
struct plan {
    const struct game *g;
    uint32_t *node;   /* which node */
    uint32_t *number; /* of a node of the game, or UINT32_MAX */
    uint32_t count;
    uint64_t *offset;
    uint32_t *distance; /* by node and state of B */
};

static void collect(struct plan *p, uint32_t start) {
    const struct game *g = p->g;
    p->node = memory_get(g->count * sizeof *p->node);
    p->number = memory_get(g->count * sizeof *p->number);
    p->offset = memory_get((g->count + UINT64_C(1)) * sizeof *p->offset);
    memset(p->number, 0xff, g->count * sizeof *p->number);
    p->offset[0] = 0;
    assert(g->node[start].status == NODE_STAYS);
    p->number[start] = 0;
    p->node[p->count++] = start;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct game_node *n = &g->node[p->node[i]];
        p->offset[i + 1] = p->offset[i] + after_count(g->after, n->b);
        for (uint64_t k = n->edges; k < n->edges + n->edge_count; k++) {
            uint32_t to = g->edge[k].node;
            if (to == GAME_END || g->node[to].status != NODE_STAYS || p->number[to] != UINT32_MAX) continue;
            p->number[to] = p->count;
            p->node[p->count++] = to;
        }
    }
}

/* The distance from the end if the word begins with this edge of a state. */
static uint32_t distance_by(const struct plan *p, uint32_t i, const struct lts_edge *e) {
    const struct game *g = p->g;
    uint32_t here = i, step = 0;
    if (e->label != LTS_TAU) {
        const struct game_edge *to = game_edge_by(g, p->node[i], e->label);
        if (!to) return FAR;
        if (to->node == GAME_END) return 1;
        here = p->number[to->node];
        step = 1;
        if (here == UINT32_MAX) return FAR;
    }
    uint32_t rest = p->distance[p->offset[here] + after_place(g->after, g->node[p->node[here]].b, e->target)];
    return rest == FAR ? FAR : rest + step;
}

static bool improve(struct plan *p, uint32_t i) {
    const struct game *g = p->g;
    uint32_t b = g->node[p->node[i]].b;
    bool changed = false;
    for (uint32_t k = 0; k < after_count(g->after, b); k++) {
        uint32_t state = after_members(g->after, b)[k], *distance = &p->distance[p->offset[i] + k];
        for (const struct lts_edge *e = lts_begin(&g->j->lts, state); e < lts_end(&g->j->lts, state); e++) {
            uint32_t by = distance_by(p, i, e);
            if (by < *distance) *distance = by, changed = true;
        }
    }
    return changed;
}

/* Sweeps, last nodes first, until nothing gets nearer. */
static void measure(struct plan *p) {
    uint64_t total = p->offset[p->count];
    p->distance = memory_get((total + 1) * sizeof *p->distance);
    memset(p->distance, 0xff, total * sizeof *p->distance);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = p->count; i-- > 0;) changed |= improve(p, i);
    }
}

static void plan_init(struct plan *p, const struct game *g, uint32_t start) {
    *p = (struct plan){.g = g};
    collect(p, start);
    measure(p);
}

static void plan_fini(struct plan *p) {
    free(p->node);
    free(p->number);
    free(p->offset);
    free(p->distance);
}

/* ---- Which labels a node of the test has ---- */

/* Of the states of B, those that need a label of their own to come nearer to the end: no tau edge does it. */
static uint32_t needy(const struct plan *p, uint32_t i, uint32_t *place) {
    const struct game *g = p->g;
    uint32_t b = g->node[p->node[i]].b, count = 0;
    for (uint32_t k = 0; k < after_count(g->after, b); k++) {
        uint32_t state = after_members(g->after, b)[k], distance = p->distance[p->offset[i] + k];
        bool by_tau = false;
        for (const struct lts_edge *e = lts_begin(&g->j->lts, state); e < lts_end(&g->j->lts, state); e++)
            by_tau |= e->label == LTS_TAU && distance_by(p, i, e) <= distance;
        if (!by_tau) place[count++] = k;
    }
    return count;
}

/* Does this label bring the state at this place nearer? */
static bool helps(const struct plan *p, uint32_t i, uint32_t k, uint32_t label) {
    const struct game *g = p->g;
    uint32_t state = after_members(g->after, g->node[p->node[i]].b)[k], distance = p->distance[p->offset[i] + k];
    for (const struct lts_edge *e = lts_begin(&g->j->lts, state); e < lts_end(&g->j->lts, state); e++)
        if (e->label == label && distance_by(p, i, e) <= distance) return true;
    return false;
}

/* A few labels of node i such that each state has one that brings it nearer. Following them, every state comes to the
 * end of a word at last, and A is empty there, so this K does what the largest one does. */
static void choose(const struct plan *p, uint32_t i, bool *chosen) {
    const struct game *g = p->g;
    const struct game_node *n = &g->node[p->node[i]];
    uint32_t *place = memory_get(after_count(g->after, n->b) * sizeof *place), left = needy(p, i, place);
    while (left > 0) {
        uint32_t best = 0, most = 0;
        for (uint32_t k = 0; k < n->edge_count; k++) {
            uint32_t with = 0;
            for (uint32_t r = 0; r < left; r++) with += helps(p, i, place[r], g->edge[n->edges + k].label);
            if (with > most) best = k, most = with;
        }
        assert(most > 0); /* a node that stays has a word for each of its states */
        uint32_t kept = 0;
        for (uint32_t r = 0; r < left; r++)
            if (!helps(p, i, place[r], g->edge[n->edges + best].label)) place[kept++] = place[r];
        left = kept;
        chosen[best] = true;
    }
    free(place);
}

/* ---- Building ---- */

struct building {
    struct lts_builder b;
    uint32_t success;
};

static void begin(struct building *t, const struct names *labels, const struct word *trace) {
    lts_build_with(&t->b, labels);
    char *name = memory_copy_string("success");
    while (names_find(&t->b.labels, name) != NAMES_NONE) {
        char *longer = text_format("%s'", name);
        free(name);
        name = longer;
    }
    t->success = names_add(&t->b.labels, name);
    free(name);
    for (uint32_t i = 0; i < trace->length; i++) {
        lts_build_edge(&t->b, i, t->success, i);
        lts_build_edge(&t->b, i, trace->label[i], i + 1);
    }
    t->b.states = trace->length + 1;
}

void test_of_trace(const struct names *labels, const struct word *trace, struct lts *test, uint32_t *success) {
    struct building t;
    begin(&t, labels, trace);
    lts_build_finish(&t.b, test);
    *success = t.success;
}

/* The automaton: node i of the plan is state[i] of the test; the end of words is one state. */
static void build_words(struct building *t, const struct plan *p, uint32_t first) {
    const struct game *g = p->g;
    uint32_t *state = memory_get(p->count * sizeof *state), *queue = memory_get(p->count * sizeof *queue), queued = 1;
    uint32_t end = first + 1, next = first + 2;
    memset(state, 0xff, p->count * sizeof *state);
    state[0] = first;
    queue[0] = 0;
    lts_build_edge(&t->b, end, t->success, end);
    for (uint32_t i = 0; i < queued; i++) {
        const struct game_node *n = &g->node[p->node[queue[i]]];
        bool *chosen = memory_get_zeroed((n->edge_count + UINT64_C(1)) * sizeof *chosen);
        choose(p, queue[i], chosen);
        for (uint32_t k = 0; k < n->edge_count; k++) {
            if (!chosen[k]) continue;
            const struct game_edge *e = &g->edge[n->edges + k];
            uint32_t to = e->node == GAME_END ? UINT32_MAX : p->number[e->node];
            if (to != UINT32_MAX && state[to] == UINT32_MAX) {
                state[to] = next++;
                queue[queued++] = to;
            }
            lts_build_edge(&t->b, state[queue[i]], e->label, to == UINT32_MAX ? end : state[to]);
        }
        free(chosen);
    }
    free(state);
    free(queue);
}

void test_of_node(const struct game *g, uint32_t start, const struct word *trace, struct lts *test, uint32_t *success) {
    struct plan p;
    struct building t;
    plan_init(&p, g, start);
    begin(&t, &g->j->lts.labels, trace);
    build_words(&t, &p, trace->length);
    lts_build_finish(&t.b, test);
    *success = t.success;
    plan_fini(&p);
}

void test_for_file(const struct lts *test, struct lts *out) {
    struct lts_builder b;
    lts_build_with(&b, &test->labels);
    b.initial = test->initial;
    for (uint32_t s = 0; s < test->states; s++)
        for (const struct lts_edge *e = lts_begin(test, s); e < lts_end(test, s); e++)
            lts_build_edge(&b, s, e->label, e->target);
    for (uint32_t label = 1; label < test->labels.count; label++) lts_build_edge(&b, test->states, label, test->states);
    lts_build_finish(&b, out);
}

/* ---- Words, for people to read ---- */

enum { MOST_BEGINNINGS = 20000 };

/* Beginnings of words, breadth-first: where they lead, and what they are made of. */
struct beginnings {
    struct beginning {
        uint32_t state, parent, label, length;
    } * at;
    uint32_t count;
};

static bool succeeds(const struct lts *test, uint32_t state, uint32_t success) {
    for (const struct lts_edge *e = lts_begin(test, state); e < lts_end(test, state); e++)
        if (e->label == success) return true;
    return false;
}

static struct word spell(const struct beginnings *b, uint32_t i) {
    struct word w = {memory_get((b->at[i].length + UINT64_C(1)) * sizeof *w.label), b->at[i].length};
    for (uint32_t k = w.length; k-- > 0; i = b->at[i].parent) w.label[k] = b->at[i].label;
    return w;
}

static uint32_t state_after(const struct lts *test, const struct word *trace) {
    uint32_t state = test->initial;
    for (uint32_t i = 0; i < trace->length; i++)
        for (const struct lts_edge *e = lts_begin(test, state); e < lts_end(test, state); e++)
            if (e->label == trace->label[i]) {
                state = e->target;
                break;
            }
    return state;
}

struct word *test_words(const struct lts *test, uint32_t success, const struct word *trace, uint32_t most,
                        uint32_t *count, bool *complete) {
    struct beginnings b = {memory_get(MOST_BEGINNINGS * sizeof *b.at), 1};
    struct word *words = memory_get((most + UINT64_C(1)) * sizeof *words);
    *count = 0;
    *complete = true;
    b.at[0] = (struct beginning){.state = state_after(test, trace)};
    for (uint32_t i = 0; i < b.count; i++) {
        uint32_t state = b.at[i].state;
        if (succeeds(test, state, success)) {
            if (*count == most) *complete = false;
            else words[(*count)++] = spell(&b, i);
            continue;
        }
        for (const struct lts_edge *e = lts_begin(test, state); e < lts_end(test, state); e++) {
            if (b.count == MOST_BEGINNINGS) *complete = false;
            else b.at[b.count++] = (struct beginning){e->target, i, e->label, b.at[i].length + 1};
        }
    }
    free(b.at);
    return words;
}
