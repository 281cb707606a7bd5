#include "toys.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- What follows from a graph ---- */

static uint32_t next_of(const struct graph *g, uint32_t s, uint32_t t) { return g->next[s * g->ts.transitions + t]; }

static void mark_reachable(const struct graph *g, uint32_t from, bool *marked) {
    uint32_t *list = memory_get(g->count * sizeof *list), count = 0;
    memset(marked, 0, g->count);
    marked[from] = true;
    list[count++] = from;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t t = 0; t < g->ts.transitions; t++) {
            uint32_t to = next_of(g, list[i], t);
            if (to == NO_STATE || marked[to]) continue;
            marked[to] = true;
            list[count++] = to;
        }
    free(list);
}

/* Do t and u, both enabled in x, commute there? */
static bool commute(const struct graph *g, uint32_t x, uint32_t t, uint32_t u) {
    uint32_t tu = next_of(g, next_of(g, x, t), u), ut = next_of(g, next_of(g, x, u), t);
    return tu != NO_STATE && tu == ut;
}

static bool must_oblige(const struct graph *g, const bool *future, bool enabled, uint32_t t, uint32_t u) {
    for (uint32_t x = 0; x < g->count; x++) {
        if (!future[x] || next_of(g, x, u) == NO_STATE) continue;
        bool now = next_of(g, x, t) != NO_STATE;
        if (enabled && now && !commute(g, x, t, u)) return true;
        if (!enabled && !now && next_of(g, next_of(g, x, u), t) != NO_STATE) return true;
    }
    return false;
}

void graph_derive_obligations(struct graph *g, bool anywhere) {
    bool *future = memory_get(g->count);
    memset(future, 1, g->count);
    for (uint32_t s = 0; s < g->count; s++) {
        if (!anywhere) mark_reachable(g, s, future);
        for (uint32_t t = 0; t < g->ts.transitions; t++) {
            bool *row = graph_obliges(g, s, t), enabled = next_of(g, s, t) != NO_STATE;
            for (uint32_t u = 0; u < g->ts.transitions; u++) row[u] = u != t && must_oblige(g, future, enabled, t, u);
        }
    }
    free(future);
}

void graph_derive_changes(struct graph *g, uint32_t propositions) {
    for (uint32_t s = 0; s < g->count; s++)
        for (uint32_t t = 0; t < g->ts.transitions; t++) {
            uint32_t to = next_of(g, s, t);
            for (uint32_t p = 0; to != NO_STATE && p < propositions; p++)
                *graph_changes(g, p, t) |= (g->values[s] ^ g->values[to]) >> p & 1;
        }
    if (propositions) (void)graph_changes(g, 0, 0);
}

/* ---- Toys ---- */

enum { MOST_PARTS = 8, MOST_MOVES = 16, NO_PART = UINT32_MAX };

/* Processes come first, then variables. */
struct move {
    uint32_t part[2], from[2], to[2]; /* processes; part[1] may be NO_PART */
    uint32_t tested, wanted;          /* a variable, or NO_PART */
    uint32_t stored, value;
};

struct toy {
    uint32_t parts, processes, moves;
    uint32_t size[MOST_PARTS];
    struct move move[MOST_MOVES];
};

/* The i-th one. First, each process gets moves from one location to the next, as far as there are so many. */
static void draw_move(const struct toy *t, uint32_t i, struct move *m, uint32_t (*below)(uint32_t)) {
    uint32_t variables = t->parts - t->processes, step = i / t->processes;
    *m = (struct move){.part = {i % t->processes, NO_PART}, .tested = NO_PART, .stored = NO_PART};
    if (below(6) == 0) m->part[1] = (m->part[0] + 1 + below(t->processes - 1)) % t->processes;
    for (int k = 0; k < 2 && m->part[k] != NO_PART; k++) {
        bool next = k == 0 && step < t->size[m->part[k]] && below(5) > 0;
        m->from[k] = next ? step : below(t->size[m->part[k]]);
        m->to[k] = next ? (step + 1) % t->size[m->part[k]] : below(t->size[m->part[k]]);
    }
    if (variables > 0 && below(4) == 0) m->tested = t->processes + below(variables);
    if (variables > 0 && below(3) == 0) m->stored = t->processes + below(variables);
    m->wanted = below(2);
    m->value = below(2);
}

static void draw(struct toy *t, const struct toy_chance *c) {
    t->processes = 2 + c->below(c->processes - 1);
    t->parts = t->processes + c->below(c->variables + 1);
    t->moves = c->transitions / 2 + c->below(c->transitions / 2 + 1);
    for (uint32_t i = 0; i < t->parts; i++) t->size[i] = i < t->processes ? 2 + c->below(c->locations - 1) : 2;
    for (uint32_t i = 0; i < t->moves; i++) draw_move(t, i, &t->move[i], c->below);
}

static uint32_t encode(const struct toy *t, const uint32_t *at) {
    uint32_t code = 0;
    for (uint32_t i = t->parts; i-- > 0;) code = code * t->size[i] + at[i];
    return code;
}

static void decode(const struct toy *t, uint32_t code, uint32_t *at) {
    for (uint32_t i = 0; i < t->parts; code /= t->size[i++]) at[i] = code % t->size[i];
}

static uint32_t make_move(const struct toy *t, uint32_t code, const struct move *m) {
    uint32_t at[MOST_PARTS];
    decode(t, code, at);
    for (int k = 0; k < 2 && m->part[k] != NO_PART; k++)
        if (at[m->part[k]] != m->from[k]) return NO_STATE;
    if (m->tested != NO_PART && at[m->tested] != m->wanted) return NO_STATE;
    for (int k = 0; k < 2 && m->part[k] != NO_PART; k++) at[m->part[k]] = m->to[k];
    if (m->stored != NO_PART) at[m->stored] = m->value;
    return encode(t, at);
}

/* Numbers the states that can be reached; all parts are 0 at first. False: too many or too few. */
static bool explore(const struct toy *t, uint32_t most, uint32_t *codes, uint32_t *number, uint32_t *count) {
    *count = 1;
    codes[0] = 0;
    number[0] = 0;
    for (uint32_t i = 0; i < *count; i++)
        for (uint32_t k = 0; k < t->moves; k++) {
            uint32_t to = make_move(t, codes[i], &t->move[k]);
            if (to == NO_STATE || number[to] != NO_STATE) continue;
            if (*count == most) return false;
            codes[*count] = to;
            number[to] = (*count)++;
        }
    return *count > most / 6;
}

struct predicate {
    uint32_t part[2], value[2]; /* part[1] may be NO_PART */
    uint32_t how;               /* to combine two */
};

static bool holds(const struct predicate *p, const uint32_t *at) {
    bool one = at[p->part[0]] == p->value[0], two = p->part[1] != NO_PART && at[p->part[1]] == p->value[1];
    if (p->part[1] == NO_PART) return one;
    return p->how == 0 ? one && !two : p->how == 1 ? one || two : one != two;
}

static void set_values(struct graph *g, const struct toy *t, const struct toy_chance *c, const uint32_t *codes) {
    for (uint32_t p = 0; p < c->propositions; p++) {
        struct predicate q = {.part = {c->below(t->parts), NO_PART}, .how = c->below(3)};
        if (c->below(3) == 0) q.part[1] = c->below(t->parts);
        for (int k = 0; k < 2 && q.part[k] != NO_PART; k++) q.value[k] = c->below(t->size[q.part[k]]);
        for (uint32_t s = 0; s < g->count; s++) {
            uint32_t at[MOST_PARTS];
            decode(t, codes[s], at);
            g->values[s] |= (uint64_t)holds(&q, at) << p;
        }
    }
}

void toy_random(struct graph *g, const struct toy_chance *c) {
    struct toy t;
    uint32_t *codes = memory_get((c->states + UINT64_C(1)) * sizeof *codes), *number = NULL, count, all;
    do {
        draw(&t, c);
        all = 1;
        for (uint32_t i = 0; i < t.parts; i++) all *= t.size[i];
        number = memory_resize(number, all * sizeof *number);
        memset(number, 0xff, all * sizeof *number);
    } while (!explore(&t, c->states, codes, number, &count));
    graph_init(g, count, t.moves, 1);
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t k = 0; k < t.moves; k++) {
            uint32_t to = make_move(&t, codes[s], &t.move[k]);
            if (to != NO_STATE) *graph_next(g, s, k) = number[to];
        }
    set_values(g, &t, c, codes);
    g->ts.reduction.forward = c->below(2);
    graph_derive_obligations(g, c->below(2));
    graph_derive_changes(g, c->propositions);
    free(codes);
    free(number);
}
