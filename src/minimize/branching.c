/* Branching bisimilarity in O(m log n), after Groote, Jansen, Keiren and Wijs, but with the bundles of strong_bisim.c.
 *
 * As in strong_bisim.c there are blocks and territories. An edge matters unless it is a tau-edge inside a territory.
 * The blocks are always stable: if some state of a block has an a-edge into territory X that matters, then so has every
 * bottom state of the block. At the end every territory is one block; then the edges that do not matter are the inert
 * ones, and any two states of a block can do the same after inert steps.
 *
 * While a territory X has several blocks, one that is at most half of it becomes a territory B of its own. For each
 * label and each block that has such edges into B, the block is split by whether its states get to such an edge, and
 * then, those that do, by whether they get to such an edge into the rest of X. The tau-edges between B and the rest now
 * matter, too.
 *
 * When a block is split, tau-edges from those who get to the splitter to those who do not are not inert any more, and
 * states may become bottom states. They need not have what the other bottom states have. So those who get to such an
 * edge are made a block of their own, all of whose bottom states are new, and which is then split by all its slices
 * that not all its bottom states have. (These are the "pending" ones.) A state becomes a bottom state only once. */
#include "minimize/branching.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/bisimulation.h"

/* ---- Set-up ---- */

static bool counts(const uint8_t *alone, const struct lts_edge *e, const struct lts_edge *end) {
    return !*alone && e < end && e->label == LTS_TAU;
}

static void make_taus(struct branching *g, const uint32_t *part, const uint8_t *alone) {
    const struct lts *l = g->lts;
    uint32_t taus = 0, *fill;
    size_t bytes = (l->states + UINT64_C(2)) * sizeof(uint32_t);
    g->tau_in_first = memory_get_large_zeroed(bytes);
    g->tau_out_first = memory_get_large_zeroed(bytes);
    for (uint32_t s = 0; s < l->states; s++) {
        g->tau_out_first[s] = taus;
        for (const struct lts_edge *e = lts_begin(l, s); counts(&alone[s], e, lts_end(l, s)); e++, taus++)
            g->tau_in_first[e->target + 2]++;
    }
    g->tau_out_first[l->states] = taus;
    g->tau_in = memory_get_large(taus * sizeof *g->tau_in);
    g->tau_out = memory_get_large(taus * sizeof *g->tau_out);
    fill = g->tau_in_first + 1;
    for (uint32_t s = 0; s < l->states; s++) fill[s + 1] += fill[s];
    taus = 0;
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); counts(&alone[s], e, lts_end(l, s)); e++) {
            g->tau_out[taus++] = (struct tau_out){e->target, fill[e->target]};
            g->tau_in[fill[e->target]++] = (struct tau_in){s, NONE};
            g->state[s].inert += part[e->target] == part[s];
        }
}

/* A block and a territory for each part. */
static void make_blocks(struct branching *g, const struct bisimulation_start *from) {
    uint32_t n = g->lts->states, filled = 0;
    memset(g->block, 0, from->parts * sizeof *g->block);
    for (uint32_t s = 0; s < n; s++) {
        g->block[from->part[s]].end++;
        g->block[from->part[s]].bottoms += is_bottom(g, s);
    }
    for (uint32_t p = 0; p < from->parts; p++) {
        struct branching_block *b = &g->block[p];
        uint32_t size = b->end;
        b->first = b->end = g->territory[p].from = filled;
        g->territory[p].to = filled += size;
        b->marked = filled - size + b->bottoms; /* where its other states go */
        b->slices = NONE;
        b->territory = p;
    }
    for (uint32_t s = 0; s < n; s++) {
        struct branching_block *b = &g->block[from->part[s]];
        uint32_t *place = is_bottom(g, s) ? &b->end : &b->marked;
        g->state[s].block = from->part[s];
        g->state[s].place = *place;
        g->element[(*place)++] = s;
    }
    for (uint32_t p = 0; p < from->parts; p++) {
        g->block[p].end = g->territory[p].to;
        g->block[p].marked = 0;
    }
    assert(filled == n);
    g->blocks = g->territories = from->parts;
}

/* The slices there are at the beginning: by block, label and part of the target. */
enum { DIVERGING = UINT32_MAX }; /* instead of a label */
struct first_slices {
    uint32_t *table, mask; /* slice + 1, or 0 */
    struct first_slice {
        uint32_t block, label, part;
    } * slice;
    uint32_t room;
};

static uint32_t place_of(const struct first_slices *f, uint32_t block, uint32_t label, uint32_t part) {
    uint64_t h = ((uint64_t)block << 32 | part) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 32 ^ label) * UINT64_C(0xbf58476d1ce4e5b9);
    for (uint32_t place = (uint32_t)(h >> 32) & f->mask;; place = (place + 1) & f->mask) {
        if (!f->table[place]) return place;
        const struct first_slice *x = &f->slice[f->table[place] - 1];
        if (x->block == block && x->label == label && x->part == part) return place;
    }
}

static void more_slices(struct first_slices *f, uint32_t count) {
    free(f->table);
    f->mask = f->mask ? 4 * f->mask + 3 : 1023;
    f->table = memory_get_large_zeroed((f->mask + UINT64_C(1)) * sizeof *f->table);
    f->room = f->mask / 2 + 1;
    f->slice = memory_resize(f->slice, f->room * sizeof *f->slice);
    for (uint32_t i = 0; i < count; i++)
        f->table[place_of(f, f->slice[i].block, f->slice[i].label, f->slice[i].part)] = i + 1;
}

static uint32_t first_slice(struct branching *g, struct first_slices *f, uint32_t s, uint32_t label, uint32_t part) {
    uint32_t block = g->state[s].block;
    if (g->slices == f->room) more_slices(f, g->slices);
    uint32_t *slot = &f->table[place_of(f, block, label, part)];
    if (!*slot) {
        uint32_t slice = branching_new_slice(g, block);
        f->slice[slice] = (struct first_slice){block, label, part};
        branching_set_pending(g, slice);
        *slot = slice + 1;
    }
    return *slot - 1;
}

/* Tau-edges of a state to one part share a bundle. */
static void make_tau_bundles(struct branching *g, struct first_slices *f, const struct bisimulation_start *from) {
    uint32_t *latest = memory_get_large(from->parts * sizeof *latest); /* bundle into a part */
    memset(latest, 0xff, from->parts * sizeof *latest);
    for (uint32_t s = 0; s < g->lts->states; s++)
        for (uint32_t i = g->tau_out_first[s]; i < g->tau_out_first[s + 1]; i++) {
            uint32_t to = from->part[g->tau_out[i].target], bundle = latest[to];
            if (to == from->part[s]) continue;
            if (bundle != NONE && g->bundle[bundle].state == s) g->arrows.count[bundle]++;
            else latest[to] = bundle = branching_new_bundle(g, s, 1, first_slice(g, f, s, LTS_TAU, to));
            g->tau_in[g->tau_out[i].in].bundle = bundle;
        }
    free(latest);
}

static void make_bundles(struct branching *g, const struct bisimulation_start *from, const uint8_t *alone,
                         const uint8_t *divergent) {
    const struct lts *l = g->lts;
    struct first_slices f = {0};
    for (uint32_t b = 0; b < g->arrows.bundles; b++) g->bundle[b].state = NONE;
    for (uint32_t s = 0; s < l->states; s++)
        for (uint32_t i = g->arrows.first[s]; i < g->arrows.first[s + 1]; i++) {
            const struct arrow *a = &g->arrows.arrow[i];
            struct bundle *b = &g->bundle[a->bundle];
            if (b->state != NONE) continue;
            b->state = a->source;
            b->sibling = g->state[b->state].bundles;
            g->state[b->state].bundles = a->bundle;
            branching_link(g, a->bundle, first_slice(g, &f, a->source, a->label, from->part[s]));
        }
    make_tau_bundles(g, &f, from);
    for (uint32_t s = 0; divergent && s < l->states; s++)
        if (divergent[s] && !alone[s]) branching_new_bundle(g, s, 1, first_slice(g, &f, s, DIVERGING, 0));
    free(f.table);
    free(f.slice);
}

static void start(struct branching *g, const struct lts *l, const uint8_t *divergent,
                  const struct bisimulation_start *from) {
    size_t bytes = (l->states + UINT64_C(1)) * sizeof(uint32_t);
    uint8_t *alone = bisimulation_alone(l, from);
    *g = (struct branching){.lts = l, .free_slice = NONE, .tracked = {NONE, NONE}};
    g->state = memory_get_large_zeroed(l->states * sizeof *g->state);
    for (uint32_t s = 0; s < l->states; s++) g->state[s].bundles = NONE;
    g->element = memory_get_large(bytes);
    g->block = memory_get_large((l->states + UINT64_C(1)) * sizeof *g->block);
    g->territory = memory_get_large((l->states + UINT64_C(1)) * sizeof *g->territory);
    uint32_t **plain[] = {&g->work, &g->reach.list, &g->miss.list, &g->counted, &g->crossing};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) *plain[i] = memory_get_large(bytes);
    arrows_init(&g->arrows, l, from->part, from->parts, alone, LTS_TAU + 1, divergent ? l->states : 0);
    g->bundle = memory_get_large((l->edges + (divergent ? l->states : 0)) * sizeof *g->bundle);
    make_taus(g, from->part, alone);
    make_blocks(g, from);
    make_bundles(g, from, alone, divergent);
    free(alone);
}

static void finish(struct branching *g) {
    uint32_t *all[] = {g->element,  g->work,    g->reach.list,   g->miss.list,    g->counted,
                       g->crossing, g->pending, g->tau_in_first, g->tau_out_first};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
    free(g->state);
    free(g->block);
    free(g->territory);
    free(g->bundle);
    free(g->slice);
    free(g->tau_in);
    free(g->tau_out);
    arrows_fini(&g->arrows);
}

/* ---- Refining ---- */

/* Splits blocks by their pending slices until none is left. */
static void settle(struct branching *g) {
    while (g->waiting > 0) {
        uint32_t slice = g->pending[--g->waiting];
        if (!g->slice[slice].pending) continue;
        assert(g->slice[slice].head != NONE); /* an empty one is not pending */
        g->slice[slice].pending = false;
        for (uint32_t b = g->slice[slice].head; b != NONE && is_bottom(g, g->bundle[b].state); b = g->bundle[b].next)
            branching_mark(g, g->bundle[b].state);
        branching_refine(g, g->slice[slice].block, slice);
    }
}

/* Edges of one label into a territory that has just been made, as their sources see them. */
struct group {
    uint32_t *sources, *old_bundle, count;
    uint32_t *into;                  /* of a state: how many edges, then its new bundle + 1; 0: none */
    uint8_t *more;                   /* of a state: it has such edges into the rest of the old territory, too */
    uint32_t *blocks, block_count;   /* of the sources */
    uint32_t *new_slice, *old_slice; /* of a block */
};

static void group_init(struct group *r, uint32_t states) {
    size_t bytes = (states + UINT64_C(1)) * sizeof(uint32_t);
    *r = (struct group){0};
    r->sources = memory_get_large(bytes);
    r->old_bundle = memory_get_large(bytes);
    r->into = memory_get_large_zeroed(bytes);
    r->more = memory_get_zeroed(states);
    r->blocks = memory_get_large(bytes);
    r->new_slice = memset(memory_get_large(bytes), 0xff, bytes);
    r->old_slice = memset(memory_get_large(bytes), 0xff, bytes);
}

static void group_fini(struct group *r) {
    free(r->sources);
    free(r->old_bundle);
    free(r->into);
    free(r->more);
    free(r->blocks);
    free(r->new_slice);
    free(r->old_slice);
}

static void group_add(struct group *r, uint32_t source, uint32_t bundle) {
    if (r->into[source]++ > 0) return;
    r->old_bundle[r->count] = bundle;
    r->sources[r->count++] = source;
}

/* The edges of a source get a bundle in a slice of their own. `into` becomes the bundle + 1 if it is a new one. */
static void divide_bundle(struct branching *g, struct group *r, uint32_t s, uint32_t old) {
    uint32_t block = g->state[s].block, count = r->into[s];
    assert(count > 0 && (old == NONE || count <= g->arrows.count[old]));
    if (r->new_slice[block] == NONE) {
        r->new_slice[block] = branching_new_slice(g, block);
        r->blocks[r->block_count++] = block;
    }
    if (old != NONE) r->old_slice[block] = g->bundle[old].slice;
    if (old != NONE && g->arrows.count[old] == count) {
        branching_unlink(g, old);
        branching_link(g, old, r->new_slice[block]);
        r->into[s] = 0;
        return;
    }
    if (old != NONE) {
        g->arrows.count[old] -= count;
        r->more[s] = 1;
    }
    r->into[s] = branching_new_bundle(g, s, count, r->new_slice[block]) + 1;
}

static void divide_bundles(struct branching *g, struct group *r) {
    for (uint32_t i = 0; i < r->count; i++) divide_bundle(g, r, r->sources[i], r->old_bundle[i]);
    for (uint32_t i = 0; i < r->block_count; i++) {
        uint32_t *old = &r->old_slice[r->blocks[i]];
        if (*old == NONE || g->slice[*old].head != NONE) continue;
        branching_drop_if_empty(g, *old);
        *old = NONE;
    }
}

/* Splits a block by the new slice, and those who get to it by what is left of the old slice. Of their bottom states,
 * all have the new one; those that have the old one too are known. */
static void refine_by_group(struct branching *g, const struct group *r, uint32_t block, uint32_t fresh, uint32_t old) {
    for (uint32_t b = g->slice[fresh].head; b != NONE && is_bottom(g, g->bundle[b].state); b = g->bundle[b].next)
        branching_mark(g, g->bundle[b].state);
    g->tracked[0] = fresh;
    g->tracked[1] = old;
    block = branching_refine(g, block, fresh);
    fresh = g->tracked[0];
    old = g->tracked[1];
    g->tracked[0] = g->tracked[1] = NONE;
    if (block == NONE || old == NONE) return;
    for (uint32_t b = g->slice[fresh].head; b != NONE && is_bottom(g, g->bundle[b].state); b = g->bundle[b].next)
        if (r->more[g->bundle[b].state]) branching_mark(g, g->bundle[b].state);
    branching_refine(g, block, old);
}

static void refine_by_all(struct branching *g, struct group *r) {
    for (uint32_t i = 0; i < r->block_count; i++) {
        uint32_t block = r->blocks[i], fresh = r->new_slice[block], old = r->old_slice[block];
        r->new_slice[block] = r->old_slice[block] = NONE;
        refine_by_group(g, r, block, fresh, old);
    }
    for (uint32_t i = 0; i < r->count; i++) r->into[r->sources[i]] = r->more[r->sources[i]] = 0;
    r->count = r->block_count = 0;
    settle(g);
}

/* ---- Territories ---- */

static void refine_by_label(struct branching *g, struct group *r, const uint32_t *at, const uint32_t *last) {
    struct arrow *arrow = g->arrows.arrow;
    for (const uint32_t *i = at; i < last; i++) group_add(r, arrow[*i].source, arrow[*i].bundle);
    divide_bundles(g, r);
    for (const uint32_t *i = at; i < last; i++) {
        uint32_t fresh = r->into[arrow[*i].source];
        if (fresh) arrow[*i].bundle = fresh - 1;
    }
    refine_by_all(g, r);
}

/* Tau-edges into territory y from elsewhere. */
static void refine_by_taus_in(struct branching *g, struct group *r, uint32_t y) {
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = g->territory[y].from; i < g->territory[y].to; i++) {
            uint32_t s = g->element[i];
            for (uint32_t j = g->tau_in_first[s]; j < g->tau_in_first[s + 1]; j++) {
                struct tau_in *t = &g->tau_in[j];
                if (g->block[g->state[t->source].block].territory == y) continue;
                if (pass == 0) group_add(r, t->source, t->bundle);
                else if (r->into[t->source]) t->bundle = r->into[t->source] - 1;
            }
        }
        if (pass == 0) divide_bundles(g, r);
    }
    refine_by_all(g, r);
}

/* Tau-edges from territory y to x, which were one before: they have no bundles yet. */
static void refine_by_taus_out(struct branching *g, struct group *r, uint32_t y, uint32_t x) {
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = g->territory[y].from; i < g->territory[y].to; i++) {
            uint32_t s = g->element[i];
            for (uint32_t j = g->tau_out_first[s]; j < g->tau_out_first[s + 1]; j++) {
                const struct tau_out *t = &g->tau_out[j];
                if (g->block[g->state[t->target].block].territory != x) continue;
                if (pass == 0) group_add(r, s, NONE);
                else g->tau_in[t->in].bundle = r->into[s] - 1;
            }
        }
        if (pass == 0) divide_bundles(g, r);
    }
    refine_by_all(g, r);
}

/* Takes the smaller one of the first and the last block out of a territory, and makes it one of its own. */
static void divide_territory(struct branching *g, struct group *r, uint32_t x) {
    uint32_t b = g->state[g->element[g->territory[x].from]].block,
             c = g->state[g->element[g->territory[x].to - 1]].block, y = g->territories++;
    if (g->block[b].end - g->block[b].first <= g->block[c].end - g->block[c].first) {
        g->territory[x].from = g->block[b].end;
    } else {
        b = c;
        g->territory[x].to = g->block[b].first;
    }
    g->block[b].territory = y;
    g->territory[y].from = g->block[b].first;
    g->territory[y].to = g->block[b].end;
    assert(g->territory[y].to - g->territory[y].from <=
           g->territory[x].to - g->territory[x].from); /* the smaller part */
    if (several_blocks(g, x)) g->work[g->working++] = x;
    struct arrows *a = &g->arrows;
    arrows_gather(a, g->element + g->territory[y].from, g->territory[y].to - g->territory[y].from);
    for (uint32_t i = 0; i < a->label_count; i++)
        refine_by_label(g, r, a->gathered + a->begins[i], a->gathered + a->begins[i + 1]);
    refine_by_taus_in(g, r, y);
    refine_by_taus_out(g, r, y, x);
}

/* Blocks are numbered in the order of their least states. */
static uint32_t *numbers(const struct branching *g) {
    uint32_t n = g->lts->states, next = 0;
    uint32_t *number = memory_get(n * sizeof *number), *name = memory_get(g->blocks * sizeof *name);
    memset(name, 0xff, g->blocks * sizeof *name);
    for (uint32_t s = 0; s < n; s++) {
        if (name[g->state[s].block] == NONE) name[g->state[s].block] = next++;
        number[s] = name[g->state[s].block];
    }
    free(name);
    return number;
}

/* Bytes that are taken at once; less than has been measured. */
static uint64_t memory_for(const struct lts *l) { return 36 * l->edges + 56 * (uint64_t)l->states; }

uint32_t *bisimulation_branching(const struct lts *l, const uint8_t *divergent, struct effort *effort,
                                 uint32_t *blocks) {
    if (!effort_allows(effort, memory_for(l))) return bisimulation_none(l, blocks);
    enum lts_relation relation = divergent ? RELATION_BRANCHING_DIV : RELATION_BRANCHING;
    struct bisimulation_start from = bisimulation_begin(l, relation, divergent, effort);
    uint32_t *number = bisimulation_branching_from(l, divergent, &from, effort, blocks);
    free(from.part);
    return number;
}

uint32_t *bisimulation_branching_from(const struct lts *l, const uint8_t *divergent,
                                      const struct bisimulation_start *from, struct effort *effort, uint32_t *blocks) {
    struct branching g;
    struct group r;
    if (from->stable) return bisimulation_done(l, from, blocks);
    if (!effort_allows(effort, memory_for(l))) return bisimulation_none(l, blocks);
    start(&g, l, divergent, from);
    group_init(&r, l->states);
    settle(&g);
    while (g.working > 0 && !effort_over(effort)) divide_territory(&g, &r, g.work[--g.working]);
    assert(g.working > 0 || g.blocks == g.territories); /* given up, or every territory is one block */
    uint32_t *number = numbers(&g);
    *blocks = g.blocks;
    group_fini(&r);
    finish(&g);
    return number;
}
