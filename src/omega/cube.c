#include "omega/cube.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

enum { MOST_WORK = 1 << 20, MOST_EXPANDED = 200 };

/* A proposition on which to split c, so that less of `other`, which meets c but does not contain it, remains open. */
static uint64_t split_on(struct cube c, struct cube other) {
    uint64_t open = other.care & ~c.care;
    assert(open);
    return open & (~open + 1);
}

static bool covered(struct cube c, const struct cube *of, uint32_t n, uint32_t *work) {
    if ((*work += n + 1) > MOST_WORK) return false;
    for (uint32_t i = 0; i < n; i++)
        if (cube_within(c, of[i])) return true;
    for (uint32_t i = 0; i < n; i++) {
        if (!cube_meets(c, of[i])) continue;
        uint64_t p = split_on(c, of[i]);
        struct cube without = {c.care | p, c.value}, with = {c.care | p, c.value | p};
        return covered(with, of, n, work) && covered(without, of, n, work);
    }
    return false;
}

bool cube_covered(struct cube c, const struct cube *of, uint32_t n) { return covered(c, of, n, &(uint32_t){0}); }

void cubes_add_rest(struct cubes *u, struct cube c, const struct cube *of, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (cube_within(c, of[i])) return;
    for (uint32_t i = 0; i < n; i++) {
        if (!cube_meets(c, of[i])) continue;
        uint64_t p = split_on(c, of[i]);
        cubes_add_rest(u, (struct cube){c.care | p, c.value | p}, of, n);
        cubes_add_rest(u, (struct cube){c.care | p, c.value}, of, n);
        return;
    }
    cubes_add(u, c);
}

void cubes_add(struct cubes *u, struct cube c) {
    if (u->count == u->room) {
        u->room = u->room ? 2 * u->room : 8;
        u->at = memory_resize(u->at, u->room * sizeof *u->at);
    }
    assert(!(c.value & ~c.care)); /* a proposition that does not matter is false, so that equal cubes are equal */
    u->at[u->count++] = c;
}

void cubes_fini(struct cubes *u) {
    free(u->at);
    *u = (struct cubes){0};
}

/* Leaves out literals one by one, as long as that adds nothing to the union. */
static struct cube expanded(struct cube c, const struct cubes *u) {
    for (uint64_t open = c.care; open; open &= open - 1) {
        uint64_t p = open & (~open + 1);
        struct cube larger = {c.care & ~p, c.value & ~p};
        if (cube_covered(larger, u->at, u->count)) c = larger;
    }
    return c;
}

static int by_literals(const void *x, const void *y) {
    const struct cube *a = x, *b = y;
    int m = __builtin_popcountll(a->care), n = __builtin_popcountll(b->care);
    if (m != n) return m < n ? -1 : 1;
    if (a->care != b->care) return a->care < b->care ? -1 : 1;
    return a->value < b->value ? 1 : a->value > b->value ? -1 : 0;
}

/* Only what lies within one other cube goes. */
static void drop_contained(struct cubes *u) {
    uint32_t kept = 0;
    qsort(u->at, u->count, sizeof *u->at, by_literals);
    for (uint32_t i = 0; i < u->count; i++) {
        bool within = false;
        for (uint32_t k = 0; k < kept && !within; k++) within = cube_within(u->at[i], u->at[k]);
        if (!within) u->at[kept++] = u->at[i];
    }
    u->count = kept;
}

void cubes_simplify(struct cubes *u) {
    if (u->count < 2) return;
    if (u->count > MOST_EXPANDED) {
        drop_contained(u);
        return;
    }
    for (uint32_t i = 0; i < u->count; i++) u->at[i] = expanded(u->at[i], u);
    qsort(u->at, u->count, sizeof *u->at, by_literals);
    /* From the longest on: what the others cover is superfluous. */
    for (uint32_t i = u->count; i-- > 0;) {
        struct cube c = u->at[i], last = u->at[u->count - 1];
        u->at[i] = last;
        if (cube_covered(c, u->at, u->count - 1)) u->count--;
        else u->at[i] = c;
    }
    qsort(u->at, u->count, sizeof *u->at, by_literals);
}
