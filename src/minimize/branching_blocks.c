/* Blocks, bundles and slices of branching bisimilarity: bookkeeping. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/branching.h"

/* ---- Bundles and slices ---- */

uint32_t branching_new_slice(struct branching *g, uint32_t block) {
    uint32_t n = g->free_slice;
    if (n != NONE) {
        g->free_slice = g->slice[n].next;
    } else {
        if (g->slices == g->slice_room) {
            g->slice_room = g->slice_room ? g->slice_room + g->slice_room / 2 : 256;
            g->slice = memory_resize(g->slice, g->slice_room * sizeof *g->slice);
        }
        n = g->slices++;
    }
    uint32_t next = g->block[block].slices;
    g->slice[n] = (struct slice){
        .head = NONE, .tail = NONE, .block = block, .next = next, .previous = NONE, .moved = NONE, .moved_at = NONE};
    if (next != NONE) g->slice[next].previous = n;
    return g->block[block].slices = n;
}

/* Its block and where it moved to can be read until the next slice is made. */
void branching_drop_if_empty(struct branching *g, uint32_t slice) {
    struct slice *s = &g->slice[slice];
    if (s->head != NONE) return;
    if (s->next != NONE) g->slice[s->next].previous = s->previous;
    if (s->previous != NONE) g->slice[s->previous].next = s->next;
    else g->block[s->block].slices = s->next;
    s->pending = false;
    s->next = g->free_slice;
    g->free_slice = slice;
}

uint32_t branching_follow(const struct branching *g, uint32_t slice, uint32_t block) {
    if (slice == NONE) return NONE;
    const struct slice *s = &g->slice[slice];
    if (s->block == block && s->head != NONE) return slice;
    return s->moved_at == g->splits && g->slice[s->moved].block == block ? s->moved : NONE;
}

void branching_unlink(struct branching *g, uint32_t bundle) {
    struct bundle *b = &g->bundle[bundle];
    struct slice *s = &g->slice[b->slice];
    if (b->next != NONE) g->bundle[b->next].previous = b->previous;
    else s->tail = b->previous;
    if (b->previous != NONE) g->bundle[b->previous].next = b->next;
    else s->head = b->next;
}

void branching_link(struct branching *g, uint32_t bundle, uint32_t slice) {
    struct bundle *b = &g->bundle[bundle];
    struct slice *s = &g->slice[slice];
    b->slice = slice;
    if (is_bottom(g, b->state)) {
        b->next = s->head;
        b->previous = NONE;
        if (s->head != NONE) g->bundle[s->head].previous = bundle;
        else s->tail = bundle;
        s->head = bundle;
    } else {
        b->next = NONE;
        b->previous = s->tail;
        if (s->tail != NONE) g->bundle[s->tail].next = bundle;
        else s->head = bundle;
        s->tail = bundle;
    }
}

uint32_t branching_new_bundle(struct branching *g, uint32_t state, uint32_t count, uint32_t slice) {
    uint32_t n = g->arrows.bundles++;
    g->arrows.count[n] = count;
    g->bundle[n].state = state;
    g->bundle[n].sibling = g->state[state].bundles;
    g->state[state].bundles = n;
    branching_link(g, n, slice);
    return n;
}

void branching_set_pending(struct branching *g, uint32_t slice) {
    if (g->slice[slice].pending) return;
    g->slice[slice].pending = true;
    if (g->waiting == g->waiting_room) {
        g->waiting_room = g->waiting_room ? 2 * g->waiting_room : 256;
        g->pending = memory_resize(g->pending, g->waiting_room * sizeof *g->pending);
    }
    g->pending[g->waiting++] = slice;
}

/* ---- Blocks ---- */

static void swap(struct branching *g, uint32_t i, uint32_t j) {
    uint32_t x = g->element[i], y = g->element[j];
    g->element[i] = y;
    g->state[y].place = i;
    g->element[j] = x;
    g->state[x].place = j;
}

void branching_mark(struct branching *g, uint32_t s) {
    uint32_t b = g->state[s].block;
    assert(is_bottom(g, s) && g->state[s].place >= g->block[b].first + g->block[b].marked);
    swap(g, g->state[s].place, g->block[b].first + g->block[b].marked++);
}

/* Brings the states to the front of the range of their block, bottom states first. How many bottom states. */
static uint32_t bring_to_front(struct branching *g, uint32_t block, const uint32_t *states, uint32_t n) {
    uint32_t first = g->block[block].first, border = first + g->block[block].bottoms, bottoms = 0, others = 0;
    for (uint32_t i = 0; i < n; i++)
        if (is_bottom(g, states[i])) swap(g, g->state[states[i]].place, first + bottoms++);
        else swap(g, g->state[states[i]].place, border + others++);
    /* Now: ours, other bottom states, ours, others. The second and the third part change places. */
    uint32_t between = border - first - bottoms, fewer = between < others ? between : others;
    for (uint32_t i = 0; i < fewer; i++) swap(g, first + bottoms + i, border + others - fewer + i);
    return bottoms;
}

/* The bundles of the states go to slices of their new block. */
static void move_bundles(struct branching *g, uint32_t block, const uint32_t *states, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t b = g->state[states[i]].bundles; b != NONE; b = g->bundle[b].sibling) {
            uint32_t old = g->bundle[b].slice;
            if (g->slice[old].moved_at != g->splits) {
                uint32_t fresh = branching_new_slice(g, block);
                g->slice[old].moved_at = g->splits;
                g->slice[old].moved = fresh;
                g->slice[fresh].moved = old;
                if (g->slice[old].pending) branching_set_pending(g, fresh);
            }
            branching_unlink(g, b);
            branching_link(g, b, g->slice[old].moved);
        }
    for (uint32_t s = g->block[block].slices; s != NONE; s = g->slice[s].next)
        branching_drop_if_empty(g, g->slice[s].moved);
}

uint32_t branching_split_off(struct branching *g, uint32_t block, const uint32_t *states, uint32_t n) {
    uint32_t fresh = g->blocks++, x = g->block[block].territory;
    assert(n > 0 && n <= (g->block[block].end - g->block[block].first) / 2); /* the smaller half */
    if (!several_blocks(g, x)) g->work[g->working++] = x;
    g->splits++;
    uint32_t bottoms = bring_to_front(g, block, states, n);
    g->block[fresh].first = g->block[block].first;
    g->block[block].first = g->block[fresh].end = g->block[block].first + n;
    g->block[fresh].bottoms = bottoms;
    g->block[block].bottoms -= bottoms;
    g->block[block].marked = g->block[fresh].marked = 0;
    g->block[fresh].territory = x;
    g->block[fresh].slices = NONE;
    for (uint32_t i = 0; i < n; i++) g->state[states[i]].block = fresh;
    move_bundles(g, fresh, states, n);
    return fresh;
}

/* One inert edge less. A new bottom state comes last among them, and its bundles first in their slices. */
static void lose_inert_edge(struct branching *g, uint32_t s) {
    if (!g->state[s].crosses) {
        g->state[s].crosses = 1;
        g->crossing[g->crossing_count++] = s;
    }
    assert(g->state[s].inert > 0);
    if (--g->state[s].inert > 0) return;
    uint32_t b = g->state[s].block;
    swap(g, g->state[s].place, g->block[b].first + g->block[b].bottoms++);
    for (uint32_t i = g->state[s].bundles; i != NONE; i = g->bundle[i].sibling) {
        branching_unlink(g, i);
        branching_link(g, i, g->bundle[i].slice);
    }
}

void branching_cut(struct branching *g, uint32_t upper, uint32_t lower, const uint32_t *states, uint32_t n,
                   bool lower_is_new) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t s = states[i];
        if (lower_is_new) {
            for (uint32_t j = g->tau_in_first[s]; j < g->tau_in_first[s + 1]; j++)
                if (g->state[g->tau_in[j].source].block == upper) lose_inert_edge(g, g->tau_in[j].source);
        } else {
            for (uint32_t j = g->tau_out_first[s]; j < g->tau_out_first[s + 1]; j++)
                if (g->state[g->tau_out[j].target].block == lower) lose_inert_edge(g, s);
        }
    }
}
