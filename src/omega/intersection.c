#include "omega/intersection.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/ways.h"
#include "omega/automaton_graph.h"
#include "omega/trim.h"
#include "base/memory.h"

enum { MOST_PAIRS = 1 << 20 };

/* ---- Intersection ---- */

/* A label of b with the propositions' numbers in the product. */
static struct cube translated(struct cube c, const uint32_t *number) {
    struct cube result = {0, 0};
    for (uint64_t rest = c.care; rest; rest &= rest - 1) {
        uint32_t p = (uint32_t)__builtin_ctzll(rest);
        result.care |= UINT64_C(1) << number[p];
        result.value |= (c.value >> p & 1) << number[p];
    }
    return result;
}

struct pairing {
    const struct ba *a, *b;
    struct ba_builder build;
    uint32_t number[MOST_PROPOSITIONS]; /* of b's propositions */
    uint32_t *found;                    /* [s * b->states + t]: number + 1, or 0 */
    uint32_t *todo;                     /* the same index, in the order of finding */
};

static uint32_t pair(struct pairing *p, uint32_t s, uint32_t t) {
    uint32_t index = s * p->b->states + t;
    assert(s < p->a->states && t < p->b->states);
    if (!p->found[index]) {
        p->todo[p->build.states] = index;
        p->found[index] = ba_build_state(&p->build, 0) + 1;
    }
    return p->found[index] - 1;
}

static void pair_edges(struct pairing *p, uint32_t state) {
    uint32_t s = p->todo[state] / p->b->states, t = p->todo[state] % p->b->states;
    for (const struct ba_edge *f = ba_begin(p->b, t); f < ba_end(p->b, t); f++) {
        struct cube label = translated(f->label, p->number);
        for (const struct ba_edge *e = ba_begin(p->a, s); e < ba_end(p->a, s); e++)
            if (cube_meets(e->label, label))
                ba_build_edge(&p->build, state, cube_and(e->label, label),
                              e->marks | (p->a->sets < 64 ? f->marks << p->a->sets : 0), pair(p, e->target, f->target));
    }
}

bool ba_product(const struct ba *a, const struct ba *b, struct ba *out, struct problem *why) {
    struct pairing p = {.a = a, .b = b};
    size_t pairs = (size_t)a->states * b->states;
    if (a->sets + b->sets > MOST_SETS || pairs > MOST_PAIRS)
        return problem_set(why, EXIT_BAD_INPUT, "the product of these automata would be too large");
    ba_build(&p.build, &a->propositions);
    for (uint32_t i = 0; i < b->propositions.count; i++)
        p.number[i] = names_add(&p.build.propositions, b->propositions.text[i]);
    if (p.build.propositions.count > MOST_PROPOSITIONS) {
        ba_build_drop(&p.build);
        return problem_set(why, EXIT_BAD_INPUT, "the two automata together have more than %d propositions",
                           MOST_PROPOSITIONS);
    }
    p.build.sets = a->sets + b->sets;
    p.found = memory_get_zeroed((pairs + 1) * sizeof *p.found);
    p.todo = memory_get((pairs + 1) * sizeof *p.todo);
    for (uint32_t i = 0; i < a->initials; i++)
        for (uint32_t k = 0; k < b->initials; k++) ba_build_initial(&p.build, pair(&p, a->initial[i], b->initial[k]));
    for (uint32_t i = 0; i < p.build.states; i++) pair_edges(&p, i);
    ba_build_finish(&p.build, out);
    free(p.found);
    free(p.todo);
    return true;
}

/* ---- Emptiness ---- */

bool ba_accepts_no_infinite(const struct ba *a) {
    struct components c;
    struct digraph g = graph_of_ba(a);
    bool *reached = memory_get_zeroed(a->states + 1), empty = true;
    for (uint32_t i = 0; i < a->initials; i++) reached[a->initial[i]] = true;
    ways_reach(&g, reached);
    components_find(&c, &g);
    bool *accepting = ba_accepting_components(a, &c);
    for (uint32_t s = 0; s < a->states; s++)
        if (reached[s] && (accepting[c.of[s]] || (a->accept[s] & ACCEPT_FINITE))) empty = false;
    free(reached);
    free(accepting);
    components_fini(&c);
    digraph_fini(&g);
    return empty;
}

/* ---- One valuation for ever ---- */

/* The edges that have the valuation. */
static void restricted(const struct ba *a, uint64_t valuation, struct ba *out) {
    struct ba_builder b;
    ba_build(&b, NULL);
    b.sets = a->sets;
    for (uint32_t s = 0; s < a->states; s++) ba_build_state(&b, a->accept[s]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_next(a, s, valuation, ba_begin(a, s)); e < ba_end(a, s);
             e = ba_next(a, s, valuation, e + 1))
            ba_build_edge(&b, s, (struct cube){0, 0}, e->marks, e->target);
    ba_build_finish(&b, out);
}

/* The states from which the valuation is accepted for ever. */
static bool *accept_constant(const struct ba *a, uint64_t valuation) {
    struct ba part;
    struct components c;
    bool *good = memory_get_zeroed(a->states + 1);
    restricted(a, valuation, &part);
    struct digraph g = graph_of_ba(&part);
    components_find(&c, &g);
    bool *accepting = ba_accepting_components(&part, &c);
    for (uint32_t s = 0; s < a->states; s++) good[s] = accepting[c.of[s]] || (a->accept[s] & ACCEPT_FINITE);
    ways_reach_back(&g, good);
    free(accepting);
    components_fini(&c);
    digraph_fini(&g);
    ba_fini(&part);
    return good;
}

bool ba_accepts_constant(const struct ba *a, uint32_t s, uint64_t valuation) {
    bool *good = accept_constant(a, valuation), result = good[s];
    free(good);
    return result;
}

/* The states from which some valuations are accepted for ever, as unions of labels: begins with all valuations, and
 * splits them until no edge tells any two of a part apart. */
struct constants {
    const struct ba *a;
    struct cubes *accepted; /* of each state */
};

static uint64_t undecided(const struct ba *a, struct cube c) {
    for (uint32_t i = 0; i < a->edges; i++) {
        uint64_t open = a->edge[i].label.care & ~c.care;
        if (open && cube_meets(a->edge[i].label, c)) return open & (~open + 1);
    }
    return 0;
}

static void find_constants(struct constants *x, struct cube c) {
    uint64_t p = undecided(x->a, c);
    if (p) {
        find_constants(x, (struct cube){c.care | p, c.value | p});
        find_constants(x, (struct cube){c.care | p, c.value});
        return;
    }
    bool *good = accept_constant(x->a, c.value);
    for (uint32_t s = 0; s < x->a->states; s++)
        if (good[s]) cubes_add(&x->accepted[s], c);
    free(good);
}

void ba_extend_deadlocks(const struct ba *a, struct ba *out) {
    struct constants x = {a, memory_get_zeroed((a->states + 1) * sizeof *x.accepted)};
    struct ba_builder b;
    struct ba all;
    find_constants(&x, (struct cube){0, 0});
    ba_build(&b, &a->propositions);
    b.sets = a->sets;
    b.by_state = a->by_state;
    for (uint32_t s = 0; s < a->states; s++) ba_build_state(&b, a->accept[s] & ~(unsigned)ACCEPT_DEADLOCK);
    uint32_t end = ba_build_state(&b, ACCEPT_DEADLOCK);
    for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(&b, a->initial[i]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++) {
            const struct cubes *to = &x.accepted[e->target];
            ba_build_edge(&b, s, e->label, e->marks, e->target);
            for (uint32_t i = 0; i < to->count; i++)
                if (cube_meets(e->label, to->at[i])) ba_build_edge(&b, s, cube_and(e->label, to->at[i]), 0, end);
        }
    ba_build_finish(&b, &all);
    ba_trim(&all, out);
    ba_fini(&all);
    for (uint32_t s = 0; s < a->states; s++) cubes_fini(&x.accepted[s]);
    free(x.accepted);
}
