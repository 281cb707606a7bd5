#include "compare/trace_inclusion.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { UNKNOWN, GOOD, BAD };

/* Of the nodes with the same state, so many are looked at for a smaller or larger set. */
enum { SETS_TRIED = 24 };

void inclusion_init(struct inclusion *in, const struct joint *j, struct after *after) {
    *in = (struct inclusion){.j = j, .after = after};
    twins_init(&in->by_pair, sizeof *in->node);
    in->head = memory_get(j->lts.states * sizeof *in->head);
    memset(in->head, 0xff, j->lts.states * sizeof *in->head);
}

void inclusion_fini(struct inclusion *in) {
    effort_give_back(in->after->effort, in->room * (sizeof *in->node + 5 * sizeof *in->queue));
    free(in->node);
    free(in->queue);
    free(in->head);
    twins_fini(&in->by_pair);
    *in = (struct inclusion){0};
}

static void make_room(struct inclusion *in) {
    if (in->count < in->room) return;
    uint64_t room = in->room ? 2 * in->room : 256;
    effort_take(in->after->effort, (room - in->room) * (sizeof *in->node + 5 * sizeof *in->queue));
    in->node = memory_resize(in->node, room * sizeof *in->node);
    in->queue = memory_resize(in->queue, room * sizeof *in->queue);
    in->room = room;
}

static uint32_t node_of(struct inclusion *in, uint32_t state, uint32_t set) {
    uint32_t known = twins_find(&in->by_pair, in->node, state, set);
    if (known != TWINS_NONE) return known;
    make_room(in);
    uint32_t node = in->count++;
    in->node[node] = (struct inclusion_node){.state = state, .set = set, .next = in->head[state]};
    in->head[state] = node;
    twins_add(&in->by_pair, in->node, in->count);
    return node;
}

/* A breadth-first search for a lacking trace. */
struct hunt {
    uint32_t queued;
    bool trust_bad;            /* stop where a trace is known to be lacking; else only where one is seen to be */
    uint32_t stopped, missing; /* the node where the search ended, and the label that its set has not */
    bool found;
};

/* What nodes with the same state tell. */
static int hearsay(const struct inclusion *in, const struct hunt *h, uint32_t state, uint32_t set) {
    uint32_t tried = 0;
    for (uint32_t i = in->head[state]; i != UINT32_MAX && tried < SETS_TRIED; i = in->node[i].next, tried++) {
        const struct inclusion_node *n = &in->node[i];
        bool settled = n->known == GOOD || n->question == in->question;
        if (settled && after_subset(in->after, n->set, set)) return GOOD;
        if (n->known == BAD && h->trust_bad && after_subset(in->after, set, n->set)) return BAD;
    }
    return UNKNOWN;
}

/* Takes up a node, unless nothing can be found from it. */
static void look_at(struct inclusion *in, struct hunt *h, uint32_t state, uint32_t set, uint32_t parent,
                    uint32_t label) {
    if (after_has(in->after, set, state)) return;
    int told = hearsay(in, h, state, set);
    if (told == GOOD) return;
    uint32_t node = node_of(in, state, set);
    struct inclusion_node *n = &in->node[node];
    if (n->known == GOOD || n->question == in->question) return;
    n->question = in->question;
    n->parent = parent == UINT32_MAX ? node : parent;
    n->label = label;
    in->queue[h->queued++] = node;
    if ((n->known == BAD && h->trust_bad) || told == BAD) {
        h->found = true;
        h->stopped = node;
    }
}

static void look_beyond(struct inclusion *in, struct hunt *h, uint32_t node) {
    const struct lts *l = &in->j->lts;
    uint32_t state = in->node[node].state, set = in->node[node].set;
    after_expand(in->after, set);
    for (const struct lts_edge *e = lts_begin(l, state); e < lts_end(l, state) && !h->found; e++) {
        uint32_t to = e->label == LTS_TAU ? set : after_by(in->after, set, e->label);
        if (to != AFTER_EMPTY) {
            look_at(in, h, e->target, to, node, e->label);
            continue;
        }
        h->found = true;
        h->stopped = node;
        h->missing = e->label;
    }
}

static struct hunt hunt(struct inclusion *in, uint32_t r, uint32_t set, bool trust_bad) {
    struct hunt h = {.trust_bad = trust_bad};
    in->question++;
    look_at(in, &h, r, set, UINT32_MAX, LTS_TAU);
    for (uint32_t i = 0; i < h.queued && !h.found && !effort_over(in->after->effort); i++)
        look_beyond(in, &h, in->queue[i]);
    if (!h.found && !effort_over(in->after->effort))
        for (uint32_t i = 0; i < h.queued; i++) in->node[in->queue[i]].known = GOOD;
    if (h.found)
        for (uint32_t n = h.stopped;; n = in->node[n].parent) {
            in->node[n].known = BAD;
            if (in->node[n].parent == n) break;
        }
    return h;
}

enum outcome inclusion_fails(struct inclusion *in, uint32_t r, uint32_t set) {
    if (hunt(in, r, set, true).found) return OUTCOME_FOUND;
    return effort_over(in->after->effort) ? OUTCOME_GIVEN_UP : OUTCOME_NONE;
}

uint32_t *inclusion_gap(struct inclusion *in, uint32_t r, uint32_t set, uint32_t *length) {
    struct hunt h = hunt(in, r, set, false);
    *length = 0;
    if (!h.found) return NULL;
    uint32_t count = 1;
    for (uint32_t n = h.stopped; in->node[n].parent != n; n = in->node[n].parent) count += in->node[n].label != LTS_TAU;
    uint32_t *trace = memory_get(count * sizeof *trace);
    *length = count;
    trace[--count] = h.missing;
    for (uint32_t n = h.stopped; in->node[n].parent != n; n = in->node[n].parent)
        if (in->node[n].label != LTS_TAU) trace[--count] = in->node[n].label;
    assert(count == 0);
    return trace;
}
