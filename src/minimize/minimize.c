/* Which steps each relation takes.
 *
 * strong: the quotient by strong bisimilarity.
 *
 * branching, branching-div: tau-components are made one state first; then the quotient. A class that can go on
 * invisibly for ever inside itself has a tau-edge to itself, with branching-div.
 *
 * weak: branching first, which is finer and much faster; then weak bisimilarity of what is left, and edges that others
 * imply are dropped.
 *
 * trace: branching first, then determinising, then strong, which is trace equivalence on deterministic LTSs. After
 * which traces the LTS may be in `end`, and after which in `error`, is kept: a state of the result that stands for
 * several, one of them special, has a tau-edge to the special state. There are no other tau-edges.
 *
 * weak-div: the same after branching-div, with divergence as a label.
 *
 * strong-trace: as trace, with tau as a label. There may be two edges with the same label where one leads to a special
 * state.
 *
 * simulation, ready-simulation: strong, then similarity.h. weak-simulation, taustar: branching, then tau*.a as edges
 * (tau_view.h), then as simulation and strong. Special states are kept as by trace. What weak bisimilarity gives is
 * coupled similar, and what strong bisimilarity gives has the same strong failures: nothing more is done for these.
 *
 * The others: see by_tests.c. */
#include "minimize/minimize.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lts/lts_components.h"
#include "minimize/bisimulation.h"
#include "minimize/determinize.h"
#include "minimize/steps.h"
#include "minimize/similarity.h"
#include "minimize/tau_view.h"

static bool has_taus(const struct lts *l) {
    for (uint32_t s = 0; s < l->states; s++)
        if (l->first[s] < l->first[s + 1] && l->edge[l->first[s]].label == LTS_TAU) return true;
    return false;
}

/* ---- Partitions ---- */

/* Renames blocks of components in the order of the least states that are in them. */
static void number_by_states(uint32_t *block, uint32_t blocks, const uint32_t *component, const struct lts *l,
                             uint32_t components) {
    uint32_t *name = memory_get_large(blocks * sizeof *name), next = 0;
    memset(name, 0xff, blocks * sizeof *name);
    for (uint32_t s = 0; s < l->states && next < blocks; s++) {
        uint32_t *n = &name[block[component[s]]];
        if (*n == LTS_NONE) *n = next++;
    }
    assert(next == blocks); /* each block has a state */
    for (uint32_t c = 0; c < components; c++) block[c] = name[block[c]];
    free(name);
}

/* The composition of two: a state's block, and that block's block. */
static uint32_t *compose(uint32_t *block, uint32_t *then, uint32_t states) {
    for (uint32_t s = 0; s < states; s++) block[s] = then[block[s]];
    free(then);
    return block;
}

/* The states of an LTS, merged once or twice so that tau-edges lead to lower numbers: by tau-components, and then by
 * branching bisimilarity. */
struct merged {
    struct lts lts; /* components, without inner tau-edges */
    uint32_t *component, *block;
    uint8_t *divergent; /* by component */
    uint32_t components, blocks;
};

/* The effort may be over afterwards; then `block` is NULL. */
static void merge(const struct lts *l, bool divergences, struct effort *effort, struct merged *m) {
    *m = (struct merged){0};
    m->component = tau_components(l, &m->components, &m->divergent);
    if (effort_look(effort)) return;
    tau_collapse(l, m->component, m->components, &m->lts);
    m->block = bisimulation_branching(&m->lts, divergences ? m->divergent : NULL, effort, &m->blocks);
}

static void merged_fini(struct merged *m) {
    if (m->lts.first) lts_fini(&m->lts);
    free(m->component);
    free(m->block);
    free(m->divergent);
}

static uint32_t *branching_partition(const struct lts *l, bool divergences, struct effort *effort, uint32_t *blocks) {
    struct merged m;
    if (!has_taus(l)) return bisimulation_strong(l, effort, blocks);
    merge(l, divergences, effort, &m);
    if (m.block) number_by_states(m.block, m.blocks, m.component, l, m.components);
    *blocks = m.block ? m.blocks : m.components;
    uint32_t *block = m.block ? compose(m.component, m.block, l->states) : m.component;
    m.component = m.block = NULL;
    merged_fini(&m);
    return block;
}

/* Divergence of blocks becomes a label. */
static void show_divergence(struct merged *m) {
    bool *loops = memory_get_zeroed(m->blocks * sizeof *loops);
    for (uint32_t c = 0; c < m->components; c++) loops[m->block[c]] |= m->divergent[c];
    tau_show_loops(&m->lts, loops);
    free(loops);
}

/* The classes of blocks by weak bisimilarity; the LTS becomes that of the blocks. NULL: it takes more than `budget`, or
 * the effort is over. */
static uint32_t *weak_classes(struct merged *m, bool divergences, uint64_t budget, struct effort *effort,
                              uint32_t *classes) {
    struct lts quotient;
    if (m->blocks < m->components) {
        tau_collapse(&m->lts, m->block, m->blocks, &quotient);
        lts_fini(&m->lts);
        m->lts = quotient;
    }
    if (divergences) show_divergence(m);
    if (has_taus(&m->lts)) return bisimulation_weak(&m->lts, budget, effort, classes);
    uint32_t *own = memory_get(m->blocks * sizeof *own);
    for (uint32_t b = 0; b < m->blocks; b++) own[b] = b;
    *classes = m->blocks;
    return own;
}

static uint32_t *weak_partition(const struct lts *l, bool divergences, struct effort *effort, uint32_t *blocks) {
    struct merged m;
    if (!has_taus(l)) return bisimulation_strong(l, effort, blocks);
    merge(l, divergences, effort, &m);
    uint32_t *class_of = m.block ? weak_classes(&m, divergences, UINT64_MAX, effort, blocks) : NULL;
    uint32_t *block = m.block ? compose(m.component, m.block, l->states) : m.component;
    if (!class_of) *blocks = m.block ? m.blocks : m.components;
    else {
        number_by_states(class_of, *blocks, block, l, m.blocks);
        compose(block, class_of, l->states);
    }
    m.component = m.block = NULL;
    merged_fini(&m);
    return block;
}

static uint32_t *taustar_partition(const struct lts *l, struct effort *effort, uint32_t *blocks) {
    uint32_t *block = branching_partition(l, false, effort, blocks), *then;
    struct lts quotient, star;
    if (effort_look(effort)) return block;
    tau_collapse(l, block, *blocks, &quotient);
    tau_star(&quotient, effort, &star);
    then = bisimulation_strong(&star, effort, blocks);
    lts_fini(&quotient);
    lts_fini(&star);
    return compose(block, then, l->states);
}

static bool too_many_edges(const struct lts *l) { return l->edges + l->states >= UINT32_MAX; }

uint32_t *lts_partition(const struct lts *l, enum lts_relation rel, struct effort *effort, uint32_t *blocks) {
    if (too_many_edges(l)) return NULL;
    switch (rel) {
    case RELATION_STRONG: return bisimulation_strong(l, effort, blocks);
    case RELATION_BRANCHING: return branching_partition(l, false, effort, blocks);
    case RELATION_BRANCHING_DIV: return branching_partition(l, true, effort, blocks);
    case RELATION_WEAK: return weak_partition(l, false, effort, blocks);
    case RELATION_WEAK_DIV: return weak_partition(l, true, effort, blocks);
    case RELATION_TAUSTAR: return taustar_partition(l, effort, blocks);
    default: return NULL;
    }
}

/* ---- Quotients ---- */

/* One state, if the effort is over: whatever would be made, it would not be the right LTS. */
static bool given_up(const struct lts *l, struct effort *effort, struct lts *out) {
    struct lts_builder b;
    if (!effort_look(effort)) return false;
    lts_build_with(&b, &l->labels);
    lts_build_finish(&b, out);
    return true;
}

static void strong_quotient(const struct lts *l, struct effort *effort, struct lts *out) {
    uint32_t blocks, *block = bisimulation_strong(l, effort, &blocks);
    if (!given_up(l, effort, out)) lts_quotient(l, block, blocks, INNER_TAUS_STAY, NULL, out);
    free(block);
}

/* What is known of components, of states instead: these are the same in another order. */
static void of_states(const uint32_t *component, uint32_t states, uint32_t **block, uint8_t **divergent) {
    uint32_t *block_of = memory_get_large(states * sizeof *block_of);
    uint8_t *diverges = memory_get(states);
    for (uint32_t s = 0; s < states; s++) {
        block_of[s] = (*block)[component[s]];
        diverges[s] = (*divergent)[component[s]];
    }
    free(*block);
    free(*divergent);
    *block = block_of;
    *divergent = diverges;
}

static void branching_quotient(const struct lts *l, struct merged *m, bool divergences, struct lts *out) {
    const struct lts *of = m->components == l->states ? l : &m->lts;
    number_by_states(m->block, m->blocks, m->component, l, m->components);
    if (of == l) of_states(m->component, l->states, &m->block, &m->divergent);
    lts_quotient(of, m->block, m->blocks, INNER_TAUS_VANISH, divergences ? m->divergent : NULL, out);
}

void reduce_branching(const struct lts *l, bool divergences, struct effort *effort, struct lts *out) {
    struct merged m;
    if (!has_taus(l)) {
        strong_quotient(l, effort, out);
        return;
    }
    merge(l, divergences, effort, &m);
    if (!given_up(l, effort, out)) branching_quotient(l, &m, divergences, out);
    merged_fini(&m);
}

/* All edges of a class are kept, but those that others imply. */
static void weak_quotient(const struct lts *l, struct merged *m, bool divergences, uint32_t *class_of, uint32_t classes,
                          struct effort *effort, struct lts *out) {
    struct lts quotient;
    for (uint32_t s = 0; s < l->states; s++) m->component[s] = m->block[m->component[s]];
    number_by_states(class_of, classes, m->component, l, m->blocks);
    tau_collapse(&m->lts, class_of, classes, &quotient);
    drop_implied_edges(&quotient, effort);
    if (divergences) tau_hide_last(&quotient);
    lts_reachable(&quotient, out);
    lts_fini(&quotient);
}

static bool reduce_weakly(const struct lts *l, bool divergences, uint64_t budget, struct effort *effort,
                          struct lts *out) {
    struct merged m;
    uint32_t classes, *class_of = NULL;
    if (!has_taus(l)) return strong_quotient(l, effort, out), true;
    merge(l, divergences, effort, &m);
    bool over = given_up(l, effort, out);
    if (!over) class_of = weak_classes(&m, divergences, budget, effort, &classes);
    if (class_of) weak_quotient(l, &m, divergences, class_of, classes, effort, out);
    merged_fini(&m);
    free(class_of);
    if (over || class_of) return true;
    reduce_branching(l, divergences, effort, out);
    return false;
}

bool reduce_weak(const struct lts *l, uint64_t budget, struct effort *effort, struct lts *out) {
    return reduce_weakly(l, false, budget, effort, out);
}

/* ---- Special states as labels ---- */

/* Edges with the last two labels show special states. They become tau-edges to these states, which lose their edges.
 * With `tau_counts`, tau-edges would be seen: edges to where they would begin have a
 * twin to the special state instead. */
static void restore_special(const struct lts *l, const struct names *labels, bool tau_counts, struct lts *out) {
    struct lts_builder b;
    struct lts whole;
    uint32_t end = labels->count, error = end + 1;
    lts_build_with(&b, labels);
    b.initial = l->initial;
    b.states = l->states;
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            if (e->label == end) b.end = e->target;
            if (e->label == error) b.error = e->target;
            if (e->label < end) lts_build_edge(&b, s, e->label, e->target);
            else if (e->target != s && !tau_counts) lts_build_edge(&b, s, LTS_TAU, e->target);
            const struct lts_edge *f = lts_end(l, e->target);
            while (tau_counts && e->label < end && f-- > lts_begin(l, e->target) && f->label >= end)
                lts_build_edge(&b, s, e->label, f->target);
        }
    lts_build_finish(&b, &whole);
    lts_reachable(&whole, out);
    lts_fini(&whole);
}

/* ---- Traces ---- */

static bool reduce_trace(const struct lts *l, struct effort *effort, struct lts *out, struct problem *why) {
    struct lts branching, deterministic, quotient;
    reduce_branching(l, false, effort, &branching);
    bool fine = lts_determinize(&branching, effort, &deterministic, why);
    lts_fini(&branching);
    if (!fine) return false;
    strong_quotient(&deterministic, effort, &quotient);
    lts_fini(&deterministic);
    restore_special(&quotient, &l->labels, false, out);
    lts_fini(&quotient);
    return true;
}

/* Once the special states are restored, states may be related that differed in whether they stood for one of them. */
static bool reduce_strong_trace(const struct lts *l, struct effort *effort, struct lts *out, struct problem *why) {
    struct lts strong, deterministic, quotient, restored;
    strong_quotient(l, effort, &strong);
    tau_show(&strong);
    bool fine = lts_determinize(&strong, effort, &deterministic, why);
    if (fine) {
        strong_quotient(&deterministic, effort, &quotient);
        restore_special(&quotient, &strong.labels, true, &restored);
        lts_fini(&deterministic);
        lts_fini(&quotient);
        strong_quotient(&restored, effort, &quotient);
        tau_hide_last(&quotient);
        lts_reachable(&quotient, out);
        lts_fini(&restored);
        lts_fini(&quotient);
    }
    lts_fini(&strong);
    return fine;
}

/* ---- Simulations ---- */

static void reduce_simulation(const struct lts *l, bool ready, struct effort *effort, struct lts *out) {
    struct lts strong;
    strong_quotient(l, effort, &strong);
    similarity_quotient(&strong, ready, effort, out);
    lts_fini(&strong);
}

/* Tau*.a equivalence; or `similar`: weak similarity. */
static void reduce_star(const struct lts *l, bool similar, struct effort *effort, struct lts *out) {
    struct lts branching, star, quotient;
    reduce_branching(l, false, effort, &branching);
    tau_star(&branching, effort, &star);
    if (similar) reduce_simulation(&star, false, effort, &quotient);
    else strong_quotient(&star, effort, &quotient);
    restore_special(&quotient, &l->labels, false, out);
    lts_fini(&branching);
    lts_fini(&star);
    lts_fini(&quotient);
}

/* ---- All of it ---- */

/* False: `why` says why; else there is an LTS, but if the effort is over, not the right one. */
static bool reduce(const struct lts *l, enum lts_relation rel, struct effort *effort, struct lts *out,
                   struct problem *why) {
    switch (rel) {
    case RELATION_STRONG:
    case RELATION_STRONG_FAILURES: strong_quotient(l, effort, out); break;
    case RELATION_BRANCHING: reduce_branching(l, false, effort, out); break;
    case RELATION_BRANCHING_DIV: reduce_branching(l, true, effort, out); break;
    case RELATION_WEAK:
    case RELATION_COUPLED_SIMULATION: reduce_weak(l, UINT64_MAX, effort, out); break;
    case RELATION_WEAK_DIV: reduce_weakly(l, true, UINT64_MAX, effort, out); break;
    case RELATION_READY_SIMULATION: reduce_simulation(l, true, effort, out); break;
    case RELATION_SIMULATION: reduce_simulation(l, false, effort, out); break;
    case RELATION_WEAK_SIMULATION: reduce_star(l, true, effort, out); break;
    case RELATION_TAUSTAR: reduce_star(l, false, effort, out); break;
    case RELATION_TRACE: return reduce_trace(l, effort, out, why);
    case RELATION_STRONG_TRACE: return reduce_strong_trace(l, effort, out, why);
    case RELATION_STABLE_FAILURES:
    case RELATION_CSP_STABLE_FAILURES:
    case RELATION_CFFD:
    case RELATION_NDFD:
    case RELATION_FAILURES_DIVERGENCES: reduce_for_failures(l, effort, out); break;
    case RELATION_ORDINARY_FAILURES:
    case RELATION_TREE_FAILURES:
    case RELATION_FAIR_TESTING: reduce_for_fair_testing(l, effort, out); break;
    case RELATIONS: break;
    }
    return true;
}

bool lts_minimize(const struct lts *l, enum lts_relation rel, struct effort *effort, struct lts *out,
                  struct problem *why) {
    if (too_many_edges(l))
        return problem_set(why, EXIT_INCONCLUSIVE,
                           "an LTS with more than about four thousand million edges is too large "
                           "to be minimised");
    if (effort_look(effort)) return effort_problem(effort, "minimising", why);
    if (!reduce(l, rel, effort, out, why)) return false;
    if (!effort_look(effort)) return true;
    lts_fini(out);
    return effort_problem(effort, "minimising", why);
}

/* ---- Initial stability ---- */

static bool is_stable(const struct lts *l, uint32_t s) {
    return lts_begin(l, s) == lts_end(l, s) || lts_begin(l, s)->label != LTS_TAU;
}

void minimize_restore_stability(const struct lts *l, enum lts_relation rel, struct lts *small) {
    bool loop =
        relation_row(rel)->tau == TAU_VANISHES && small->initial != small->end && small->initial != small->error;
    struct lts_builder b;
    struct lts whole;
    if (is_stable(l, l->initial) || !is_stable(small, small->initial)) return;
    lts_build_with(&b, &small->labels);
    b.states = small->states;
    b.initial = loop ? small->initial : small->states;
    b.end = small->end;
    b.error = small->error;
    lts_build_edge(&b, b.initial, LTS_TAU, small->initial);
    for (uint32_t s = 0; s < small->states; s++)
        for (const struct lts_edge *e = lts_begin(small, s); e < lts_end(small, s); e++)
            lts_build_edge(&b, s, e->label, e->target);
    lts_build_finish(&b, &whole);
    lts_fini(small);
    lts_reachable(&whole, small);
    lts_fini(&whole);
}
