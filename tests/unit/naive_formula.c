/* Of which states is a formula true? Node by node, from the smallest parts to the whole. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "naive_formula.h"

struct model {
    const struct lts *l;
    uint64_t *first; /* tau edges turned round: of state s from first[s] to first[s + 1] - 1 */
    uint32_t *source;
    uint32_t *stack;
};

static void model_init(struct model *m, const struct lts *l) {
    *m = (struct model){.l = l};
    m->first = memory_get_zeroed((l->states + UINT64_C(2)) * sizeof *m->first);
    for (uint64_t i = 0; i < l->edges; i++)
        if (l->edge[i].label == LTS_TAU) m->first[l->edge[i].target + UINT64_C(2)]++;
    for (uint32_t s = 0; s < l->states; s++) m->first[s + UINT64_C(2)] += m->first[s + 1];
    m->source = memory_get((m->first[l->states + 1] + 1) * sizeof *m->source);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            if (e->label == LTS_TAU) m->source[m->first[e->target + 1]++] = s;
    m->stack = memory_get(l->states * sizeof *m->stack);
}

static void model_fini(struct model *m) {
    free(m->first);
    free(m->source);
    free(m->stack);
}

static bool *copy(const struct model *m, const bool *set) {
    return memcpy(memory_get(m->l->states), set, m->l->states);
}

/* Adds the states of `through` (NULL: any) from which tau edges through such states lead into the set. */
static void reach_back(const struct model *m, const bool *through, bool *set) {
    uint32_t depth = 0;
    for (uint32_t s = 0; s < m->l->states; s++)
        if (set[s]) m->stack[depth++] = s;
    while (depth > 0) {
        uint32_t to = m->stack[--depth];
        for (uint64_t i = m->first[to]; i < m->first[to + 1]; i++) {
            uint32_t s = m->source[i];
            if (set[s] || (through && !through[s])) continue;
            set[s] = true;
            m->stack[depth++] = s;
        }
    }
}

/* Those with an edge of this label into the set. */
static bool *step_back(const struct model *m, uint32_t label, const bool *set) {
    bool *before = memory_get_zeroed(m->l->states);
    for (uint32_t s = 0; s < m->l->states; s++)
        for (const struct lts_edge *e = lts_begin(m->l, s); e < lts_end(m->l, s) && e->label <= label; e++)
            if (e->label == label && set[e->target]) before[s] = true;
    return before;
}

static bool *weak_step_back(const struct model *m, uint32_t label, const bool *set) {
    bool *end = copy(m, set);
    reach_back(m, NULL, end);
    if (label == LTS_TAU) return end;
    bool *before = step_back(m, label, end);
    free(end);
    reach_back(m, NULL, before);
    return before;
}

static bool *until_back(const struct model *m, const bool *through, uint32_t label, const bool *set) {
    bool *before = step_back(m, label, set);
    for (uint32_t s = 0; s < m->l->states; s++) before[s] = before[s] && through[s];
    reach_back(m, through, before);
    for (uint32_t s = 0; s < m->l->states && label == LTS_TAU; s++) before[s] = before[s] || set[s];
    return before;
}

/* Takes states away that have no tau edge to one that is left. */
static bool *loop_in(const struct model *m, const bool *set) {
    bool *stays = copy(m, set);
    uint32_t *left = memory_get_zeroed(m->l->states * sizeof *left), depth = 0;
    for (uint32_t s = 0; s < m->l->states; s++)
        for (const struct lts_edge *e = lts_begin(m->l, s); e < lts_end(m->l, s) && e->label == LTS_TAU; e++)
            left[s] += set[e->target];
    for (uint32_t s = 0; s < m->l->states; s++)
        if (stays[s] && left[s] == 0) {
            stays[s] = false;
            m->stack[depth++] = s;
        }
    while (depth > 0) {
        uint32_t gone = m->stack[--depth];
        for (uint64_t i = m->first[gone]; i < m->first[gone + 1]; i++) {
            uint32_t s = m->source[i];
            if (!stays[s] || --left[s] > 0) continue;
            stays[s] = false;
            m->stack[depth++] = s;
        }
    }
    free(left);
    return stays;
}

static bool *evaluate(const struct model *m, const struct formula_node *n, bool *const *set) {
    bool *result = NULL;
    switch (n->kind) {
    case IS_TRUE: result = memset(memory_get(m->l->states), true, m->l->states); break;
    case IS_NOT:
        result = copy(m, set[n->right]);
        for (uint32_t s = 0; s < m->l->states; s++) result[s] = !result[s];
        break;
    case IS_AND:
        result = copy(m, set[n->right]);
        for (uint32_t s = 0; s < m->l->states; s++) result[s] = result[s] && set[n->left][s];
        break;
    case IS_STEP: result = step_back(m, n->label, set[n->right]); break;
    case IS_WEAK_STEP: result = weak_step_back(m, n->label, set[n->right]); break;
    case IS_UNTIL: result = until_back(m, set[n->left], n->label, set[n->right]); break;
    case IS_LOOP: result = loop_in(m, set[n->right]); break;
    }
    return result;
}

/* The parts that the root is made of. */
static bool *needed_parts(const struct formula *f) {
    bool *needed = memory_get_zeroed(f->count * sizeof *needed);
    needed[f->root] = true;
    for (uint32_t i = f->root + 1; i-- > 0;) {
        if (!needed[i]) continue;
        needed[f->node[i].right] = true;
        needed[f->node[i].left] = true; /* node 0, true, if it has none */
    }
    return needed;
}

bool *formula_holds(const struct formula *f, const struct lts *l) {
    struct model m;
    bool **set = memory_get_zeroed((f->root + UINT64_C(1)) * sizeof *set), *needed = needed_parts(f);
    model_init(&m, l);
    for (uint32_t i = 0; i <= f->root; i++)
        if (needed[i]) set[i] = evaluate(&m, &f->node[i], set);
    bool *result = set[f->root];
    for (uint32_t i = 0; i < f->root; i++) free(set[i]);
    free(set);
    free(needed);
    model_fini(&m);
    return result;
}
