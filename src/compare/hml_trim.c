/* Conjuncts that are not needed to tell the two roots apart are left out, one by one. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/hml.h"

/* The root with one conjunction replaced by one of its sides. Parts have lower numbers, so they are made first. */
static uint32_t without(struct formula *f, uint32_t conjunction, uint32_t by) {
    uint32_t *now = memory_get_zeroed((f->root + UINT64_C(1)) * sizeof *now);
    for (uint32_t i = 0; i <= f->root; i++) {
        struct formula_node n = f->node[i];
        assert(i == 0 || (n.left < i && n.right < i)); /* so both were made */
        uint32_t left = now[n.left], right = now[n.right];
        switch (n.kind) {
        case IS_TRUE: now[i] = i; break;
        case IS_NOT: now[i] = formula_not(f, right); break;
        case IS_AND: now[i] = i == conjunction ? now[by] : formula_and(f, left, right); break;
        case IS_STEP: now[i] = formula_step(f, n.label, right); break;
        case IS_WEAK_STEP: now[i] = formula_weak_step(f, n.label, right); break;
        case IS_UNTIL: now[i] = formula_until(f, left, n.label, right); break;
        case IS_LOOP: now[i] = formula_loop(f, right); break;
        }
    }
    uint32_t root = now[f->root];
    free(now);
    return root;
}

/* The parts of the root alone, renumbered. */
static void compact(struct formula *f) {
    struct formula whole = *f;
    bool *needed = memory_get_zeroed(whole.count * sizeof *needed);
    uint32_t *now = memory_get_zeroed(whole.count * sizeof *now);
    formula_init(f);
    needed[whole.root] = true;
    for (uint32_t i = whole.root + 1; i-- > 0;)
        if (needed[i]) needed[whole.node[i].left] = needed[whole.node[i].right] = true;
    for (uint32_t i = 1; i <= whole.root; i++) {
        const struct formula_node *n = &whole.node[i];
        if (!needed[i]) continue;
        switch (n->kind) {
        case IS_TRUE: break;
        case IS_NOT: now[i] = formula_not(f, now[n->right]); break;
        case IS_AND: now[i] = formula_and(f, now[n->left], now[n->right]); break;
        case IS_STEP: now[i] = formula_step(f, n->label, now[n->right]); break;
        case IS_WEAK_STEP: now[i] = formula_weak_step(f, n->label, now[n->right]); break;
        case IS_UNTIL: now[i] = formula_until(f, now[n->left], n->label, now[n->right]); break;
        case IS_LOOP: now[i] = formula_loop(f, now[n->right]); break;
        }
    }
    f->root = now[whole.root];
    formula_fini(&whole);
    free(needed);
    free(now);
}

/* Tries to leave out something at this conjunction. */
static bool trim_at(struct formula *f, uint32_t conjunction, const struct lts *l, uint32_t yes, uint32_t no,
                    uint64_t most, uint64_t *work) {
    uint32_t root = f->root;
    for (int side = 0; side < 2; side++) {
        uint32_t by = side ? f->node[conjunction].right : f->node[conjunction].left;
        uint32_t shorter = without(f, conjunction, by);
        f->root = shorter;
        *work += 8 * (uint64_t)root;
        if (formula_tells_apart(f, l, yes, no, most, work) == OUTCOME_FOUND) return true;
        f->root = root;
    }
    return false;
}

void formula_trim(struct formula *f, const struct lts *l, uint32_t yes, uint32_t no, uint64_t most, uint64_t *work) {
    compact(f);
    for (uint32_t i = f->root + 1; i-- > 0 && *work < most;) {
        if (f->node[i].kind != IS_AND) continue;
        bool shorter = trim_at(f, i, l, yes, no, most, work);
        compact(f);
        if (shorter) i = f->root + 1; /* again from the top: numbers have changed */
    }
}
