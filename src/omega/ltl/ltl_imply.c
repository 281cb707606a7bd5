/* Does one formula imply another? By structure only: each rule is sound, together they are not complete. */
#include <assert.h>
#include <stdlib.h>

#include "omega/ltl/ltl_simplify.h"
#include "base/memory.h"

static bool work_out(struct ltl_rewriter *r, uint32_t f, uint32_t g);

/* ---- What is known already ---- */

static uint32_t place_of(const struct ltl_rewriter *r, uint32_t f, uint32_t g) {
    assert(f != g); /* which marks a free place */
    uint64_t h = ((uint64_t)f << 32 | g) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t place = (uint32_t)(h >> 32) & r->pair_mask;
    while (r->pair[place].left != r->pair[place].right && (r->pair[place].left != f || r->pair[place].right != g))
        place = (place + 1) & r->pair_mask;
    return place;
}

static void remember(struct ltl_rewriter *r, uint32_t f, uint32_t g, bool implies) {
    if (r->pairs > r->pair_mask / 2) {
        struct ltl_pair *old = r->pair;
        uint32_t count = r->pair_mask + 1;
        r->pair_mask = 2 * r->pair_mask + 1;
        r->pair = memory_get_zeroed((r->pair_mask + UINT64_C(1)) * sizeof *r->pair);
        for (uint32_t i = 0; i < count; i++)
            if (old[i].left != old[i].right) r->pair[place_of(r, old[i].left, old[i].right)] = old[i];
        free(old);
    }
    r->pair[place_of(r, f, g)] = (struct ltl_pair){f, g, implies};
    r->pairs++;
}

bool ltl_implies(struct ltl_rewriter *r, uint32_t f, uint32_t g) {
    if (f == g || f == LTL_FALSE || g == LTL_TRUE) return true;
    if (f == LTL_TRUE || g == LTL_FALSE) return false;
    uint32_t place = place_of(r, f, g);
    if (r->pair[place].left != r->pair[place].right) return r->pair[place].implies;
    bool implies = work_out(r, f, g);
    remember(r, f, g, implies);
    return implies;
}

/* ---- The rules ---- */

/* What f is tells enough: each of these is what f implies. */
static bool by_left(struct ltl_rewriter *r, struct ltl_node f, uint32_t g) {
    switch (f.op) {
    case LTL_AND: return ltl_implies(r, f.left, g) || ltl_implies(r, f.right, g);
    case LTL_UNTIL:
        if (ltl_eventual(r, g) && ltl_implies(r, f.right, g)) return true;
        return ltl_implies(r, f.left, g) && ltl_implies(r, f.right, g);
    case LTL_FINALLY:
    case LTL_NEXT: return ltl_eventual(r, g) && ltl_implies(r, f.left, g);
    case LTL_RELEASE: return ltl_implies(r, f.right, g);
    case LTL_GLOBALLY: return ltl_implies(r, f.left, g);
    default: return false;
    }
}

/* What g is tells enough. */
static bool by_right(struct ltl_rewriter *r, uint32_t f, struct ltl_node g) {
    switch (g.op) {
    case LTL_OR: return ltl_implies(r, f, g.left) || ltl_implies(r, f, g.right);
    case LTL_UNTIL: return ltl_implies(r, f, g.right);
    case LTL_FINALLY: return ltl_implies(r, f, g.left);
    case LTL_RELEASE:
        if (ltl_universal(r, f) && ltl_implies(r, f, g.right)) return true;
        return ltl_implies(r, f, g.left) && ltl_implies(r, f, g.right);
    case LTL_GLOBALLY:
    case LTL_NEXT: return ltl_universal(r, f) && ltl_implies(r, f, g.left);
    default: return false;
    }
}

static bool work_out(struct ltl_rewriter *r, uint32_t f, uint32_t g) {
    struct ltl_node a = r->l->node[f], b = r->l->node[g];
    if (b.op == LTL_AND) return ltl_implies(r, f, b.left) && ltl_implies(r, f, b.right);
    if (a.op == LTL_OR) return ltl_implies(r, a.left, g) && ltl_implies(r, a.right, g);
    if (a.op == LTL_NEXT && b.op == LTL_NEXT) return ltl_implies(r, a.left, b.left);
    if (a.op == LTL_UNTIL && b.op == LTL_UNTIL && ltl_implies(r, a.left, b.left) && ltl_implies(r, a.right, g))
        return true;
    if (a.op == LTL_RELEASE && b.op == LTL_RELEASE && ltl_implies(r, a.left, b.left) && ltl_implies(r, f, b.right))
        return true;
    return by_left(r, a, g) || by_right(r, f, b);
}
