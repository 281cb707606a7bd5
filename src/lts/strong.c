/* Strong bisimilarity by partition refinement in the manner of Paige and Tarjan, and of Valmari for labels.
 *
 * There are two partitions of states: blocks, and the coarser one of *territories*, ranges of blocks. The blocks are
 * always stable with respect to label and territory: of a block, all states or none have an a-edge into territory X.
 * While a territory has several blocks, one that is at most half of it becomes a territory B of its own; then of the
 * states that have a-edges into the old X, some have them only into B, some only into the rest, some into both, and
 * blocks are split accordingly. Only edges into B are looked at: what goes into the rest is known by subtraction, since
 * a bundle counts how many a-edges a state has into a territory. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lts/arrows.h"
#include "lts/bisimulation.h"
#include "lts/partition.h"

struct strong {
    const struct lts *lts;
    struct partition p;
    struct arrows arrows;
    uint32_t *territory; /* of a block */
    uint32_t *from, *to; /* range of elements of a territory */
    uint32_t territories;
    uint32_t *work, working;    /* territories with several blocks */
    uint32_t *split, splitting; /* blocks that have marked states */
    /* Where arrows of one label into one block come from. */
    uint32_t *sources, *old_bundle, source_count;
    uint32_t *into; /* of a state: how many of its edges are among them, then its new bundle + 1; else 0 */
};

uint32_t lts_kinds(const struct lts *l, uint8_t *kind) {
    uint32_t special = (uint32_t)(l->end != LTS_NONE) + (uint32_t)(l->error != LTS_NONE);
    uint32_t kinds = l->states > special ? 1 : 0;
    memset(kind, 0, l->states);
    if (l->end != LTS_NONE) kind[l->end] = (uint8_t)kinds++;
    if (l->error != LTS_NONE) kind[l->error] = (uint8_t)kinds++;
    return kinds;
}

static void start(struct strong *g, const struct lts *l) {
    size_t bytes = (l->states + UINT64_C(1)) * sizeof(uint32_t);
    uint8_t *kind = memory_get(l->states);
    uint32_t kinds = lts_kinds(l, kind);
    *g = (struct strong){.lts = l, .territories = kinds};
    partition_init(&g->p, l->states, kind, kinds);
    arrows_init(&g->arrows, l, kind, kinds, 0, 0);
    g->territory = memory_get(bytes);
    g->from = memory_get(bytes);
    g->to = memory_get(bytes);
    g->work = memory_get(bytes);
    g->split = memory_get(bytes);
    g->sources = memory_get(bytes);
    g->old_bundle = memory_get(bytes);
    g->into = memory_get_zeroed(bytes);
    for (uint32_t b = 0; b < kinds; b++) {
        g->territory[b] = b;
        g->from[b] = g->p.first[b];
        g->to[b] = g->p.end[b];
    }
    free(kind);
}

static void end(struct strong *g) {
    uint32_t *all[] = {g->territory, g->from, g->to, g->work, g->split, g->sources, g->old_bundle, g->into};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
    arrows_fini(&g->arrows);
    partition_fini(&g->p);
}

static void mark(struct strong *g, uint32_t s) {
    if (partition_mark(&g->p, s)) g->split[g->splitting++] = g->p.block[s];
}

static bool several_blocks(const struct strong *g, uint32_t x) {
    return g->p.end[g->p.block[g->p.element[g->from[x]]]] < g->to[x];
}

/* Splits the blocks that have marked states. A territory that gets its second block is to be worked on. */
static void split_marked(struct strong *g) {
    while (g->splitting > 0) {
        uint32_t b = g->split[--g->splitting], x = g->territory[b];
        bool one = !several_blocks(g, x);
        uint32_t fresh = partition_split(&g->p, b);
        if (fresh == PARTITION_NONE) continue;
        g->territory[fresh] = x;
        if (one) g->work[g->working++] = x;
    }
}

/* The states that the arrows come from, each once, with the number of arrows and the bundle. */
static void find_sources(struct strong *g, const uint32_t *at, const uint32_t *last) {
    g->source_count = 0;
    for (; at < last; at++) {
        const struct arrow *a = &g->arrows.arrow[*at];
        if (g->into[a->source]++ > 0) continue;
        g->old_bundle[g->source_count] = a->bundle;
        g->sources[g->source_count++] = a->source;
    }
}

/* Those that have edges of the label elsewhere too come first in the list, and get new bundles for these edges. */
static uint32_t divide_bundles(struct strong *g) {
    uint32_t both = 0, *count = g->arrows.count;
    for (uint32_t i = 0; i < g->source_count; i++) {
        uint32_t s = g->sources[i], old = g->old_bundle[i];
        if (g->into[s] == count[old]) {
            g->into[s] = 0;
            continue;
        }
        count[old] -= g->into[s];
        count[g->arrows.bundles] = g->into[s];
        g->into[s] = ++g->arrows.bundles;
        g->sources[i] = g->sources[both];
        g->sources[both++] = s;
    }
    return both;
}

/* Makes the blocks stable with respect to the arrows of one label. */
static void refine_by_label(struct strong *g, const uint32_t *at, const uint32_t *last) {
    find_sources(g, at, last);
    for (uint32_t i = 0; i < g->source_count; i++) mark(g, g->sources[i]);
    split_marked(g);
    uint32_t both = divide_bundles(g);
    if (both == 0) return;
    for (; at < last; at++) {
        uint32_t fresh = g->into[g->arrows.arrow[*at].source];
        if (fresh) g->arrows.arrow[*at].bundle = fresh - 1;
    }
    for (uint32_t i = 0; i < both; i++) {
        g->into[g->sources[i]] = 0;
        mark(g, g->sources[i]);
    }
    split_marked(g);
}

/* Makes the blocks stable with respect to a new territory and every label. */
static void refine(struct strong *g, uint32_t x) {
    struct arrows *a = &g->arrows;
    arrows_gather(a, g->p.element + g->from[x], g->to[x] - g->from[x]);
    for (uint32_t i = 0; i < a->label_count; i++)
        refine_by_label(g, a->gathered + a->begins[i], a->gathered + a->begins[i + 1]);
}

/* Takes the smaller one of the first and the last block out of a territory, and makes it one of its own. */
static void divide_territory(struct strong *g, uint32_t x) {
    uint32_t *element = g->p.element, b = g->p.block[element[g->from[x]]], c = g->p.block[element[g->to[x] - 1]];
    uint32_t y = g->territories++;
    if (partition_size(&g->p, b) <= partition_size(&g->p, c)) {
        g->from[x] = g->p.end[b];
    } else {
        b = c;
        g->to[x] = g->p.first[b];
    }
    g->territory[b] = y;
    g->from[y] = g->p.first[b];
    g->to[y] = g->p.end[b];
    if (several_blocks(g, x)) g->work[g->working++] = x;
    refine(g, y);
}

uint32_t *bisimulation_strong(const struct lts *l, uint32_t *blocks) {
    struct strong g;
    start(&g, l);
    uint32_t kinds = g.territories;
    for (uint32_t x = 0; x < kinds; x++) refine(&g, x);
    while (g.working > 0) divide_territory(&g, g.work[--g.working]);
    uint32_t *number = partition_numbers(&g.p, l->states);
    *blocks = g.p.blocks;
    end(&g);
    return number;
}
