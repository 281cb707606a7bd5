#include "omega/stutter.h"

#include <assert.h>
#include <stdlib.h>

#include "omega/convert.h"
#include "omega/intersection.h"
#include "omega/simplify.h"
#include "base/memory.h"

enum { MOST_EDGES = 200000, MOST_PARTS = 512 };

static bool too_large(struct problem *why) {
    return problem_set(why, EXIT_INCONCLUSIVE, "the automaton is too large to find out whether it can see stuttering");
}

/* ---- Shorter ---- */

/* The edges of one state, as they grow. */
struct fan {
    struct ba_edge *at;
    uint32_t count, room;
};

/* Adds an edge unless another one can do all that it can. */
static bool add_edge(struct fan *f, struct ba_edge e) {
    for (uint32_t i = 0; i < f->count; i++)
        if (f->at[i].target == e.target && cube_within(e.label, f->at[i].label) && (e.marks & ~f->at[i].marks) == 0)
            return false;
    if (f->count == f->room) f->at = memory_resize(f->at, (f->room = f->room ? 2 * f->room : 8) * sizeof *f->at);
    f->at[f->count++] = e;
    return true;
}

/* The valuations after which an idle position has a label. False: none. */
static bool before_idle(struct cube label, uint64_t momentary, struct cube *out) {
    if (label.care & label.value & momentary) return false;
    *out = (struct cube){label.care & ~momentary, label.value & ~momentary};
    return true;
}

/* Two steps in one: from s over an edge of it, and over an edge of its target. Each pair is seen once all edges are
 * there that there will be: the outer loop is repeated until nothing new comes. */
static bool close_fans(struct fan *fan, uint32_t states, uint64_t momentary, uint64_t *total) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < states; s++)
            for (uint32_t i = 0; i < fan[s].count; i++) {
                uint32_t middle = fan[s].at[i].target;
                for (uint32_t k = 0; k < fan[middle].count; k++) {
                    struct ba_edge e = fan[s].at[i], f = fan[middle].at[k];
                    struct cube idle;
                    if (!before_idle(f.label, momentary, &idle) || !cube_meets(e.label, idle)) continue;
                    if (!add_edge(&fan[s], (struct ba_edge){cube_and(e.label, idle), e.marks | f.marks, f.target}))
                        continue;
                    changed = true;
                    if (++*total > MOST_EDGES) return false;
                }
            }
    }
    return true;
}

bool stutter_shorter(const struct ba *a, struct ba *out, struct problem *why) {
    return stutter_shorter_idle(a, 0, out, why);
}

bool stutter_shorter_idle(const struct ba *a, uint64_t momentary, struct ba *out, struct problem *why) {
    struct fan *fan = memory_get_zeroed((a->states + 1) * sizeof *fan);
    uint64_t total = a->edges;
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++) add_edge(&fan[s], *e);
    bool fine = close_fans(fan, a->states, momentary, &total);
    if (fine) {
        struct ba_builder b;
        ba_build(&b, &a->propositions);
        b.sets = a->sets;
        for (uint32_t s = 0; s < a->states; s++) ba_build_state(&b, a->accept[s]);
        for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(&b, a->initial[i]);
        for (uint32_t s = 0; s < a->states; s++)
            for (uint32_t i = 0; i < fan[s].count; i++)
                ba_build_edge(&b, s, fan[s].at[i].label, fan[s].at[i].marks, fan[s].at[i].target);
        ba_build_finish(&b, out);
    }
    for (uint32_t s = 0; s < a->states; s++) free(fan[s].at);
    free(fan);
    return fine || too_large(why);
}

/* ---- Longer ---- */

/* Parts of the valuations that no label can tell apart. */
static bool find_parts(const struct ba *a, struct cube c, struct cubes *parts) {
    for (uint32_t i = 0; i < a->edges; i++) {
        uint64_t open = a->edge[i].label.care & ~c.care, p = open & (~open + 1);
        if (!open || !cube_meets(a->edge[i].label, c)) continue;
        return find_parts(a, (struct cube){c.care | p, c.value | p}, parts) &&
               find_parts(a, (struct cube){c.care | p, c.value}, parts);
    }
    if (parts->count == MOST_PARTS) return false;
    cubes_add(parts, c);
    return true;
}

/* State s after part k is s * parts + k + 1 ...; before anything is read it is at the end. */
static void build_longer(const struct ba *a, const struct cubes *parts, uint64_t momentary, struct ba *out) {
    struct ba_builder b;
    uint32_t n = parts->count;
    assert(n > 0); /* the parts cover all valuations */
    ba_build(&b, &a->propositions);
    b.sets = a->sets ? a->sets : 1; /* staying for ever must not be accepted */
    for (uint32_t s = 0; s < a->states; s++)
        for (uint32_t k = 0; k < n; k++) ba_build_state(&b, a->accept[s]);
    for (uint32_t s = 0; s < a->states; s++) ba_build_state(&b, 0);
    for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(&b, a->states * n + a->initial[i]);
    for (uint32_t s = 0; s < a->states; s++)
        for (uint32_t k = 0; k < n; k++) {
            struct cube idle = {parts->at[k].care | momentary, parts->at[k].value & ~momentary};
            ba_build_edge(&b, s * n + k, idle, 0, s * n + k);
        }
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            for (uint32_t k = 0; k < n; k++) {
                if (!cube_within(parts->at[k], e->label)) continue;
                uint64_t marks = a->sets ? e->marks : 1;
                for (uint32_t before = 0; before < n; before++)
                    ba_build_edge(&b, s * n + before, parts->at[k], marks, e->target * n + k);
                ba_build_edge(&b, a->states * n + s, parts->at[k], marks, e->target * n + k);
            }
    ba_build_finish(&b, out);
}

bool stutter_longer(const struct ba *a, struct ba *out, struct problem *why) {
    return stutter_longer_idle(a, 0, out, why);
}

bool stutter_longer_idle(const struct ba *a, uint64_t momentary, struct ba *out, struct problem *why) {
    struct cubes parts = {0};
    bool fine =
        find_parts(a, (struct cube){0, 0}, &parts) && (uint64_t)a->edges * parts.count * parts.count < MOST_EDGES;
    if (fine) build_longer(a, &parts, momentary, out);
    cubes_fini(&parts);
    return fine || too_large(why);
}

/* ---- The question ---- */

bool stutter_idle_insensitive_pair(const struct ba *a, const struct ba *complement, uint64_t momentary, bool *answer,
                                   struct problem *why) {
    struct ba shorter, other, product;
    if (!stutter_shorter_idle(a, momentary, &shorter, why)) return false;
    bool fine = stutter_shorter_idle(complement, momentary, &other, why);
    if (fine) {
        fine = ba_product(&shorter, &other, &product, why);
        if (fine) {
            *answer = ba_accepts_no_infinite(&product);
            ba_fini(&product);
        }
        ba_fini(&other);
    }
    ba_fini(&shorter);
    return fine;
}

/* Does `closure` of a accept no more than a? */
static bool is_closed(const struct ba *a, uint64_t momentary,
                      bool (*closure)(const struct ba *, uint64_t, struct ba *, struct problem *), bool *answer,
                      struct problem *why) {
    struct ba more, small;
    bool finite = true;
    if (!closure(a, momentary, &more, why)) return false;
    ba_simplify(&more, &small);
    bool fine =
        ba_included(&small, a, answer, NULL, why) && (!*answer || ba_finite_included(&small, a, &finite, NULL, why));
    if (fine) *answer = *answer && finite;
    ba_fini(&more);
    ba_fini(&small);
    return fine;
}

bool stutter_insensitive(const struct ba *a, bool *answer, struct problem *why) {
    return stutter_idle_insensitive(a, 0, answer, why);
}

bool stutter_idle_insensitive(const struct ba *a, uint64_t momentary, bool *answer, struct problem *why) {
    struct ba infinite, small;
    ba_remove_finite(a, &infinite);
    ba_simplify(&infinite, &small);
    bool fine = is_closed(&small, momentary, stutter_shorter_idle, answer, why) &&
                (!*answer || is_closed(&small, momentary, stutter_longer_idle, answer, why));
    ba_fini(&infinite);
    ba_fini(&small);
    return fine;
}
