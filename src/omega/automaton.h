/* automaton.h: automata over the values of named propositions.
 *
 * Paper TA: H. Hansen, W. Penczek, A. Valmari, Stuttering-Insensitive Automata for On-the-fly Detection of Livelock
 * Properties. What the automata read are finite and infinite sequences of valuations P0 P1 P2 ..., words of which bit p
 * tells whether proposition p holds. There are three kinds:
 *
 *   struct ba    Büchi automaton with labels on its edges. A run reads a valuation whenever it takes an edge, and may
 *                take edges only whose label has it: it is in state s after reading P0 ... P(n-1).
 *   struct sba   Büchi automaton with a valuation for each state (TA 2.1). A run is in state s when it has just read
 *                value[s].
 *   struct ta    testing automaton (TA 3.1). It knows the first valuation, and then takes an edge whenever the
 *                valuation changes; the label is the set of the propositions that change. Otherwise it stays.
 *
 * States accept (enum accept, a set for each state; TA 2.1 and 3.1):
 *
 *   ACCEPT_INFINITE   an infinite run that is there infinitely often (ta: and the valuation changes infinitely often)
 *   ACCEPT_FINITE     whatever the run has read so far, and all that begins with it
 *   ACCEPT_DEADLOCK   a finite sequence that ends here
 *   ACCEPT_LIVELOCK   (ta only) an infinite sequence during which the valuation does not change any more
 *
 * In a ba, infinite acceptance is `sets` sets of edges: an infinite run is accepting if it takes edges of each set
 * infinitely often (with sets == 0: always). Bit i of the marks of an edge tells whether it is in set i. The usual
 * case is by_state: then sets == 1, and an edge is marked if and only if the state that it leaves has ACCEPT_INFINITE,
 * so that marks and states say the same. If not by_state, no state has ACCEPT_INFINITE.
 *
 * How the product with a system is built. ba: state q goes with system state s if q has read the valuation of s too, so
 * the initial pairs are (s, q) where an edge that has the valuation of s leads from an initial state to q. ta: the
 * initial pairs come from ta_start, and a system step from valuation v to w moves the automaton along ta_next with
 * v ^ w, or leaves it where it is if that is 0.
 *
 * Automata are made with builders and do not change afterwards. Edges of state s are at first[s] to first[s + 1] - 1,
 * each once; in a ta sorted by `change`, so that all edges for one change lie side by side.
 */
#ifndef OMEGA_AUTOMATON_H
#define OMEGA_AUTOMATON_H

#include "omega/cube.h"
#include "base/names.h"

enum { MOST_SETS = 60 }; /* so that in HOA files there is room for the other kinds */

enum accept { ACCEPT_INFINITE = 1, ACCEPT_FINITE = 2, ACCEPT_DEADLOCK = 4, ACCEPT_LIVELOCK = 8 };

/* The kinds that occur. */
static inline unsigned accept_kinds(const uint8_t *accept, uint32_t states) {
    unsigned kinds = 0;
    for (uint32_t s = 0; s < states; s++) kinds |= accept[s];
    return kinds;
}

/* ---- Büchi automata with labels on edges ---- */

struct ba_edge {
    struct cube label;
    uint64_t marks; /* the sets that it is in */
    uint32_t target;
};

struct ba {
    struct names propositions;
    uint32_t states, edges, initials;
    uint32_t sets;
    bool by_state;
    uint32_t *initial; /* `initials`, ascending */
    uint8_t *accept;   /* of each state, enum accept */
    uint32_t *first;   /* states + 1 */
    struct ba_edge *edge;
};

void ba_fini(struct ba *a);
void ba_copy(struct ba *to, const struct ba *from); /* `to` is not initialised before */

struct ba_builder {
    struct names propositions; /* names_add to it freely, up to MOST_PROPOSITIONS */
    uint32_t sets;             /* 0 unless set */
    bool by_state;             /* then sets is 1, and marks of edges are ignored */
    uint32_t states, edges, initials;
    uint32_t state_room, edge_room, initial_room;
    uint8_t *accept;
    uint32_t *initial;
    struct ba_built {
        uint32_t source;
        struct ba_edge edge;
    } * edge;
};

void ba_build(struct ba_builder *b, const struct names *propositions); /* NULL: none so far */
uint32_t ba_build_state(struct ba_builder *b, unsigned accept);        /* its number: 0, 1, 2, ... */
void ba_build_initial(struct ba_builder *b, uint32_t state);
/* Several edges from and to the same states with the same marks are a union of labels. Both states must be there. */
void ba_build_edge(struct ba_builder *b, uint32_t source, struct cube label, uint64_t marks, uint32_t target);
void ba_build_finish(struct ba_builder *b, struct ba *a); /* the builder is empty afterwards */
void ba_build_drop(struct ba_builder *b);

static inline const struct ba_edge *ba_begin(const struct ba *a, uint32_t s) { return a->edge + a->first[s]; }
static inline const struct ba_edge *ba_end(const struct ba *a, uint32_t s) { return a->edge + a->first[s + 1]; }
static inline uint64_t ba_all_sets(const struct ba *a) { return propositions_mask(a->sets); }

/* From state s with this valuation: the next edge at or after `at` that may be taken, or ba_end.
 *     for (e = ba_next(a, s, v, ba_begin(a, s)); e < ba_end(a, s); e = ba_next(a, s, v, e + 1))
 * Two of them may have the same target. */
static inline const struct ba_edge *ba_next(const struct ba *a, uint32_t s, uint64_t valuation,
                                            const struct ba_edge *at) {
    const struct ba_edge *end = ba_end(a, s);
    while (at < end && !cube_has(at->label, valuation)) at++;
    return at;
}

/* At most one edge for each state and valuation, up to edges with the same target. TA 2.1, for labels on edges. */
bool ba_deterministic(const struct ba *a);
/* How many arrows a drawing has: pairs of states with an edge between them (if by_state), else edges that differ in
 * more than their labels. */
uint32_t ba_arrows(const struct ba *a);

/* ---- Büchi automata with valuations of states ---- */

struct sba {
    struct names propositions;
    uint32_t states, edges, initials;
    uint32_t *initial;
    uint8_t *accept;
    uint64_t *value; /* of each state: what it reads */
    uint32_t *first;
    uint32_t *target; /* of each edge */
};

void sba_fini(struct sba *a);
bool sba_deterministic(const struct sba *a); /* TA 2.1: of two successors of a state, the valuations differ */
/* Has each valuation at most one initial state? TA does not ask for it in a deterministic automaton. */
bool sba_one_start(const struct sba *a);

/* ---- Testing automata ---- */

struct ta_edge {
    uint64_t change; /* the propositions that change, never 0 */
    uint32_t target;
};

/* In TA each initial state has one valuation. Here it may have several, so that states can be merged that differ in
 * nothing else. */
struct ta_initial {
    uint64_t value;
    uint32_t state;
};

struct ta {
    struct names propositions;
    uint32_t states, edges, initials;
    struct ta_initial *initial; /* sorted by value, then state */
    uint8_t *accept;
    uint32_t *first;
    struct ta_edge *edge; /* of each state: sorted by change, then target */
};

void ta_fini(struct ta *a);
void ta_copy(struct ta *to, const struct ta *from); /* `to` is not initialised before */
bool ta_deterministic(const struct ta *a);          /* TA 3.1 */
bool ta_one_start(const struct ta *a);              /* at most one initial state for each valuation */

static inline const struct ta_edge *ta_begin(const struct ta *a, uint32_t s) { return a->edge + a->first[s]; }
static inline const struct ta_edge *ta_end(const struct ta *a, uint32_t s) { return a->edge + a->first[s + 1]; }

/* The edges of state s for a change, which is not 0: from the result to *end - 1. */
const struct ta_edge *ta_next(const struct ta *a, uint32_t s, uint64_t change, const struct ta_edge **end);
/* The initial states for a first valuation, likewise. */
const struct ta_initial *ta_start(const struct ta *a, uint64_t value, const struct ta_initial **end);

/* One builder for both: what is added as `label` is the change of an edge of a ta, and of no interest in an sba. */
struct ta_builder {
    struct names propositions;
    uint32_t states, edges, initials;
    uint32_t state_room, edge_room, initial_room;
    uint8_t *accept;
    uint64_t *value; /* of states; sba only */
    struct ta_initial *initial;
    struct ta_built {
        uint32_t source, target;
        uint64_t label;
    } * edge;
};

void ta_build(struct ta_builder *b, const struct names *propositions);
uint32_t ta_build_state(struct ta_builder *b, uint64_t value, unsigned accept);
void ta_build_initial(struct ta_builder *b, uint32_t state, uint64_t value);
void ta_build_edge(struct ta_builder *b, uint32_t source, uint64_t label, uint32_t target);
void ta_build_finish(struct ta_builder *b, struct ta *a);
void sba_build_finish(struct ta_builder *b, struct sba *a);
void ta_build_drop(struct ta_builder *b);

#endif
