/* Strong bisimilarity by partition refinement in the manner of Paige and Tarjan, and of Valmari for labels.
 *
 * There are two partitions of states: blocks, and the coarser one of *territories*, ranges of blocks. The blocks are
 * always stable with respect to label and territory: of a block, all states or none have an a-edge into territory X.
 * While a territory has several blocks, one that is at most half of it becomes a territory B of its own; then of the
 * states that have a-edges into the old X, some have them only into B, some only into the rest, some into both, and
 * blocks are split accordingly. Only edges into B are looked at: what goes into the rest is known by subtraction, since
 * a bundle counts how many a-edges a state has into a territory. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/bundles.h"
#include "minimize/bisimulation.h"
#include "minimize/division.h"
#include "algo/partition.h"

enum { MANY_ARROWS = 1 << 16 };

/* How far ahead memory is asked for. */
enum { AHEAD = 12 };

struct strong {
    const struct lts *lts;
    struct partition p; /* notes: the territory of a block; of a state, how many of the edges at hand come from it, then
                           its new bundle + 1, else 0 */
    struct arrows arrows;
    struct {
        uint32_t from, to;
    } * territory; /* range of elements */
    uint32_t territories;
    uint32_t *work, working;    /* territories with several blocks */
    uint32_t *split, splitting; /* blocks that have marked states */
    /* Where arrows of one label into one territory come from. */
    struct {
        uint32_t state, bundle;
    } * source;
    uint32_t sources;
};

uint32_t *bisimulation_none(const struct lts *l, uint32_t *blocks) {
    *blocks = 1;
    return memory_get_zeroed(l->states * sizeof(uint32_t));
}

uint32_t lts_kinds(const struct lts *l, uint8_t *kind) {
    uint32_t special = (uint32_t)(l->end != LTS_NONE) + (uint32_t)(l->error != LTS_NONE);
    uint32_t kinds = l->states > special ? 1 : 0;
    memset(kind, 0, l->states);
    if (l->end != LTS_NONE) kind[l->end] = (uint8_t)kinds++;
    if (l->error != LTS_NONE) kind[l->error] = (uint8_t)kinds++;
    return kinds;
}

uint8_t *bisimulation_alone(const struct lts *l, const struct bisimulation_start *from) {
    uint8_t *alone = memory_get(l->states);
    uint32_t *size = memory_get_large_zeroed(from->parts * sizeof *size);
    for (uint32_t s = 0; s < l->states; s++) size[from->part[s]]++;
    for (uint32_t s = 0; s < l->states; s++) alone[s] = size[from->part[s]] == 1;
    free(size);
    return alone;
}

struct bisimulation_start bisimulation_begin(const struct lts *l, enum lts_relation relation, const uint8_t *divergent,
                                             struct effort *effort) {
    struct division d;
    division_init(&d, l, relation, divergent, effort);
    division_hurry(&d);
    struct bisimulation_start from = {d.part, d.count, d.stable};
    d.part = NULL;
    division_fini(&d);
    return from;
}

uint32_t *bisimulation_done(const struct lts *l, const struct bisimulation_start *from, uint32_t *blocks) {
    uint32_t *number = memory_get_large(l->states * sizeof *number), next = 0;
    uint32_t *name = memory_get_large(from->parts * sizeof *name);
    memset(name, 0xff, from->parts * sizeof *name);
    for (uint32_t s = 0; s < l->states; s++) {
        uint32_t *n = &name[from->part[s]];
        if (*n == PARTITION_NONE) *n = next++;
        number[s] = *n;
    }
    free(name);
    *blocks = next;
    return number;
}

/* A state that is alone is never told from another: its edges do not matter. */
static void start(struct strong *g, const struct lts *l, const struct bisimulation_start *from) {
    uint64_t n = l->states + UINT64_C(1);
    uint32_t kinds = from->parts;
    uint8_t *alone = bisimulation_alone(l, from);
    *g = (struct strong){.lts = l, .territories = kinds};
    partition_init(&g->p, l->states, from->part, kinds);
    arrows_init(&g->arrows, l, from->part, kinds, alone, 0, 0);
    free(alone);
    g->territory = memory_get_large(n * sizeof *g->territory);
    g->work = memory_get_large(n * sizeof *g->work);
    g->split = memory_get_large(n * sizeof *g->split);
    g->source = memory_get_large(n * sizeof *g->source);
    for (uint32_t b = 0; b < kinds; b++) {
        g->p.block[b].note = b;
        g->territory[b].from = g->p.block[b].first;
        g->territory[b].to = g->p.block[b].end;
    }
}

static void end(struct strong *g) {
    free(g->territory);
    free(g->work);
    free(g->split);
    free(g->source);
    arrows_fini(&g->arrows);
    partition_fini(&g->p);
}

static uint32_t *note_of(struct strong *g, uint32_t s) { return &g->p.place[s].note; }

static void mark(struct strong *g, uint32_t s) {
    if (partition_mark(&g->p, s)) g->split[g->splitting++] = partition_block(&g->p, s);
}

static uint32_t first_block(const struct strong *g, uint32_t x) {
    return partition_block(&g->p, g->p.element[g->territory[x].from]);
}

static uint32_t last_block(const struct strong *g, uint32_t x) {
    return partition_block(&g->p, g->p.element[g->territory[x].to - 1]);
}

/* Splits the blocks that have marked states. A territory that gets its second block is to be worked on. */
static void split_marked(struct strong *g) {
    while (g->splitting > 0) {
        uint32_t b = g->split[--g->splitting];
        const struct partition_block *block = &g->p.block[b];
        uint32_t x = block->note;
        bool only = block->first == g->territory[x].from && block->end == g->territory[x].to;
        if (partition_split(&g->p, b) != PARTITION_NONE && only) g->work[g->working++] = x;
    }
}

/* The states that the arrows come from, each once, with the number of arrows and the bundle. */
static void find_sources(struct strong *g, const uint32_t *at, const uint32_t *last) {
    const struct arrow *arrow = g->arrows.arrow;
    g->sources = 0;
    for (; at < last; at++) {
        const struct arrow *a = &arrow[*at];
        if (at + AHEAD < last) __builtin_prefetch(note_of(g, arrow[at[AHEAD]].source), 1);
        if ((*note_of(g, a->source))++ > 0) continue;
        __builtin_prefetch(&g->arrows.count[a->bundle], 1);
        g->source[g->sources].state = a->source;
        g->source[g->sources++].bundle = a->bundle;
    }
}

/* Those that have edges of the label elsewhere too come first in the list, and get new bundles for these edges. */
static uint32_t divide_bundles(struct strong *g) {
    uint32_t both = 0, *count = g->arrows.count;
    for (uint32_t i = 0; i < g->sources; i++) {
        uint32_t s = g->source[i].state, old = g->source[i].bundle, *note = note_of(g, s);
        assert(*note > 0 && *note <= count[old]); /* a bundle has all edges with its label into the territory */
        if (*note == count[old]) {
            *note = 0;
            continue;
        }
        count[old] -= *note;
        assert(g->arrows.bundles < g->lts->edges);
        count[g->arrows.bundles] = *note;
        *note = ++g->arrows.bundles;
        g->source[i].state = g->source[both].state;
        g->source[both++].state = s;
    }
    return both;
}

/* Makes the blocks stable with respect to the arrows of one label. */
static void refine_by_label(struct strong *g, const uint32_t *at, const uint32_t *last) {
    find_sources(g, at, last);
    for (uint32_t i = 0; i < g->sources; i++) mark(g, g->source[i].state);
    split_marked(g);
    uint32_t both = divide_bundles(g);
    if (both == 0) return;
    for (; at < last; at++) {
        struct arrow *a = &g->arrows.arrow[*at];
        uint32_t fresh = *note_of(g, a->source);
        if (fresh) a->bundle = fresh - 1;
    }
    for (uint32_t i = 0; i < both; i++) {
        *note_of(g, g->source[i].state) = 0;
        mark(g, g->source[i].state);
    }
    split_marked(g);
}

/* Really, where what comes next takes long: the first territories have most of the edges. */
static bool is_over(struct effort *e, uint32_t arrows) {
    return arrows > MANY_ARROWS ? effort_look(e) : effort_over(e);
}

/* Makes the blocks stable with respect to a new territory and every label, unless the effort is over. */
static void refine(struct strong *g, uint32_t x, struct effort *effort) {
    struct arrows *a = &g->arrows;
    arrows_gather(a, g->p.element + g->territory[x].from, g->territory[x].to - g->territory[x].from);
    for (uint32_t i = 0; i < a->label_count && !is_over(effort, a->begins[i + 1] - a->begins[i]); i++)
        refine_by_label(g, a->gathered + a->begins[i], a->gathered + a->begins[i + 1]);
}

/* Takes the smaller one of the first and the last block out of a territory, and makes it one of its own. */
static void divide_territory(struct strong *g, uint32_t x, struct effort *effort) {
    uint32_t b = first_block(g, x), c = last_block(g, x), y = g->territories++;
    assert(b != c); /* a territory that is worked on has several blocks */
    if (partition_size(&g->p, b) <= partition_size(&g->p, c)) {
        g->territory[x].from = g->p.block[b].end;
    } else {
        b = c;
        g->territory[x].to = g->p.block[b].first;
    }
    g->p.block[b].note = y;
    g->territory[y].from = g->p.block[b].first;
    g->territory[y].to = g->p.block[b].end;
    if (first_block(g, x) != last_block(g, x)) g->work[g->working++] = x;
    refine(g, y, effort);
}

/* Bytes that are taken at once; less than has been measured. */
static uint64_t memory_for(const struct lts *l) { return 16 * l->edges + 56 * (uint64_t)l->states; }

uint32_t *bisimulation_strong(const struct lts *l, struct effort *effort, uint32_t *blocks) {
    if (!effort_allows(effort, memory_for(l))) return bisimulation_none(l, blocks);
    struct bisimulation_start from = bisimulation_begin(l, RELATION_STRONG, NULL, effort);
    uint32_t *number = bisimulation_strong_from(l, &from, effort, blocks);
    free(from.part);
    return number;
}

uint32_t *bisimulation_strong_from(const struct lts *l, const struct bisimulation_start *from, struct effort *effort,
                                   uint32_t *blocks) {
    struct strong g;
    if (from->stable) return bisimulation_done(l, from, blocks);
    if (!effort_allows(effort, memory_for(l))) return bisimulation_none(l, blocks);
    start(&g, l, from);
    uint32_t kinds = g.territories;
    for (uint32_t x = 0; x < kinds && !effort_over(effort); x++) refine(&g, x, effort);
    while (g.working > 0 && !effort_over(effort)) divide_territory(&g, g.work[--g.working], effort);
    assert(g.working > 0 || g.p.blocks == g.territories); /* given up, or every territory is one block */
    uint32_t *number = partition_numbers(&g.p, l->states);
    *blocks = g.p.blocks;
    end(&g);
    return number;
}
