/* Splitting by what states can not get to any more. When a block X is split and the largest part keeps its number,
 * almost all states that got to X may still get to that part, and to the smaller ones besides, so that all their
 * signatures change and little comes of it. Those that do NOT get to the largest part any more are few. They are found
 * by counting, from the parts that were split off back along the edges: a state loses X when the last of its edges does
 * that led there. So long ladders, where a round of signatures finds one rung, are taken apart in one go.
 *
 * Let P be the partition that the signatures at hand were computed for. They tell who gets to block X of P by tau*, or
 * by tau* a tau*. Some parts of X have been removed from it; each is a union of classes, and so is what is left. So the
 * states that get to X but not to what is left of it are a union of classes, and blocks can be split by them.
 *
 * Only after rounds that changed little: that is when it is worth while. It takes no more steps than a round does. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/weak.h"

enum { STEPS_AN_EDGE = 8, FEW = 4 };

/* Block x, as it was in P, and how the state gets there: the label is tau for tau*. */
struct way {
    uint32_t x, label, state;
};

struct losses {
    struct weak *g;
    /* What was asked about: how many edges still lead there (and the state itself counts, if it is there). */
    struct counted {
        struct way way;
        uint32_t left;
        bool used, lost; /* lost: and those before it know */
    } * table;
    uint64_t mask, count;
    struct way *queue; /* ways that are lost, those of one part after the other */
    uint64_t queued, queue_room;
    uint8_t *removed; /* of a state: it is in a part that has been removed */
    uint64_t steps;
};

/* ---- What is known about ways ---- */

static uint64_t place_of(const struct losses *y, struct way w) {
    uint64_t h =
        (((uint64_t)w.x << 32 | w.state) * UINT64_C(0x9e3779b97f4a7c15) ^ w.label) * UINT64_C(0xbf58476d1ce4e5b9);
    uint64_t place = (h >> 32 ^ h) & y->mask;
    for (; y->table[place].used; place = (place + 1) & y->mask)
        if (memcmp(&y->table[place].way, &w, sizeof w) == 0) break;
    return place;
}

static void make_table(struct losses *y, uint64_t mask) {
    struct counted *old = y->table;
    uint64_t old_mask = y->mask;
    y->mask = mask;
    y->table = memory_get_zeroed((mask + 1) * sizeof *y->table);
    for (uint64_t i = 0; old && i <= old_mask; i++)
        if (old[i].used) y->table[place_of(y, old[i].way)] = old[i];
    free(old);
}

static bool is_lost(const struct losses *y, struct way w) { return y->table[place_of(y, w)].lost; }

/* Did this way exist, when signatures were computed? */
static bool existed(const struct weak *g, struct way w) {
    if (w.label == LTS_TAU) return sets_has(&g->sets, g->by_tau[w.state], w.x);
    return sets_has(&g->sets, sets_of_label(&g->sets, g->by_label[w.state], w.label), w.x);
}

/* How many edges lead on from here. */
static uint32_t count_left(struct losses *y, struct way w) {
    const struct weak *g = y->g;
    uint32_t left = w.label == LTS_TAU && weak_origin(g, w.state) == w.x && !y->removed[w.state];
    for (const struct lts_edge *e = lts_begin(g->lts, w.state); e < lts_end(g->lts, w.state); e++, y->steps++) {
        struct way on = {w.x, e->label == LTS_TAU ? w.label : LTS_TAU, e->target};
        if (e->label == LTS_TAU || e->label == w.label) left += existed(g, on) && !is_lost(y, on);
    }
    return left;
}

/* ---- Losing ---- */

static void lose(struct losses *y, struct way w) {
    if (y->queued == y->queue_room) {
        y->queue_room = 2 * y->queue_room + 64;
        y->queue = memory_resize(y->queue, y->queue_room * sizeof *y->queue);
    }
    y->queue[y->queued++] = w;
}

/* Something that this way had to do with is lost. */
static void drop(struct losses *y, struct way w) {
    uint64_t place = place_of(y, w);
    y->steps++;
    if (y->table[place].used) {
        if (--y->table[place].left == 0) lose(y, w);
        return;
    }
    uint32_t left = count_left(y, w);
    y->table[place] = (struct counted){.way = w, .left = left, .used = true};
    if (++y->count > y->mask / 2) make_table(y, 2 * y->mask + 1);
    if (left == 0) lose(y, w);
}

static void tell_those_before(struct losses *y, struct way w) {
    const struct weak *g = y->g;
    y->table[place_of(y, w)].lost = true;
    for (uint32_t i = g->tau_first[w.state]; i < g->tau_first[w.state + 1]; i++)
        drop(y, (struct way){w.x, w.label, g->tau_source[i]});
    if (w.label != LTS_TAU) return;
    for (uint32_t i = g->visible_first[w.state]; i < g->visible_first[w.state + 1]; i++)
        drop(y, (struct way){w.x, g->visible[i].label, g->visible[i].source});
}

/* ---- Splitting ---- */

static int by_label(const void *a, const void *b) {
    const struct way *x = a, *y = b;
    return (x->label > y->label) - (x->label < y->label);
}

static void split_by_losses(struct losses *y) {
    struct weak_list *list = &y->g->before;
    qsort(y->queue, y->queued, sizeof *y->queue, by_label);
    for (uint64_t i = 0; i < y->queued;) {
        uint32_t label = y->queue[i].label;
        list->count = 0;
        for (; i < y->queued && y->queue[i].label == label; i++) list->at[list->count++] = y->queue[i].state;
        weak_split_by_list(y->g, list);
    }
}

/* Removes block b, which is new, from what it was a part of. False: it takes too long. */
static bool remove_part(struct losses *y, uint32_t b, uint64_t limit) {
    struct weak *g = y->g;
    uint32_t x = g->origin[b];
    y->queued = 0;
    for (uint32_t i = g->p.block[b].first; i < g->p.block[b].end; i++) y->removed[g->p.element[i]] = 1;
    for (uint32_t i = g->p.block[b].first; i < g->p.block[b].end; i++)
        drop(y, (struct way){x, LTS_TAU, g->p.element[i]});
    for (uint64_t i = 0; i < y->queued; i++) {
        if (y->steps > limit) return false;
        tell_those_before(y, y->queue[i]);
    }
    if (y->queued > 0) split_by_losses(y);
    return true;
}

void weak_split_lost(struct weak *g) {
    struct losses y = {.g = g};
    uint64_t limit = STEPS_AN_EDGE * (g->lts->edges + g->lts->states);
    if (FEW * (uint64_t)g->changed.count >= g->dirty.count) return;
    make_table(&y, 1023);
    y.removed = memory_get_zeroed(g->lts->states);
    for (uint32_t b = g->first_fresh; b < g->p.blocks && !effort_over(g->effort); b++)
        if (!remove_part(&y, b, limit)) break;
    g->steps += y.steps;
    free(y.table);
    free(y.queue);
    free(y.removed);
}
