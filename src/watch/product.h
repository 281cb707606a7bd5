/* product.h: a model, and an automaton that watches it, as one transition system.
 *
 * A state of the product is a state of the model, what is known about actions (below), and a state of the automaton,
 * side by side in one bit vector, so that stores, searches and limits need not know. One more bit is for searches that
 * visit states twice (product_flag).
 *
 *     | model | propositions about actions | automaton | flag |
 *
 * Where positions are. If propositions are about states, position i of an execution is its i-th state. The product
 * begins in a state of its own, the root, where the automaton has read nothing; from there it begins by reading the
 * first state. If propositions are about actions (FSP; LTSA's meaning), position i is after action i + 1, and the
 * initial state itself is no position: it is the root. Then the product remembers which propositions hold: after an
 * action, those that it begins, and fluents that it does not end. An action that the formula names and the model has
 * not may occur at any time (it is "free") and leaves the model where it is.
 *
 * For formulas, an execution that ends is continued for ever by its last state (doc/LTL.md); momentary propositions do
 * not hold any more, as nothing occurs. So in the product nothing ends, and only infinite acceptance and livelock
 * acceptance matter, and finite acceptance, after which anything may follow. For a given automaton (`finite`), an
 * execution that ends is a finite sequence, and deadlock acceptance matters.
 *
 * Stubborn sets (product_guide). Then only some moves of the model are followed: those of the set of reduce/guided.h,
 * which says why nothing is lost. What a testing automaton waits for guides the choice; with a Büchi automaton the set
 * depends on the state of the model alone. If propositions are about actions, a transition is visible if its action
 * begins or ends one of them; free actions are moves of the watcher. Two things need care then:
 *
 *     The first action decides what position 0 is, and nothing before it counts. So the root has all its moves.
 *     Momentary propositions cease by themselves: invisible moves are not repetitions, but idle positions
 *     (omega/stutter.h). The sequence of visible moves is preserved, and how many idle positions there are between
 *     them is not: the automaton must be a Büchi automaton whose language is insensitive to that. Then it need not
 *     read idle positions at all (product_skip), and is a tester as in FLY: it stays where it is while moves are
 *     invisible, and accepts livelocks where it would accept idle positions for ever. So it may guide the choice, too.
 *
 * A transition is a move of the model, a free action, the end or the beginning, together with a choice of the
 * automaton: number = move * choices + choice.
 */
#ifndef WATCH_PRODUCT_H
#define WATCH_PRODUCT_H

#include "omega/automaton.h"
#include "ts/ts.h"

/* What an edge of the product means for acceptance. */
enum {
    EDGE_ACCEPTS = 1, /* an execution that takes such edges infinitely often is accepted */
    EDGE_STILL = 2,   /* the automaton reads nothing, and accepts livelocks where it is (ta; product_skip) */
};

struct product {
    struct ts ts; /* the first member: expand, initial, classify, check (product_check), workers; nothing else */
    struct ts *base;
    const struct ba *ba; /* by_state; or NULL, and then */
    const struct ta *ta; /* a testing automaton; or NULL, and then */
    /* a tester (tester_product.h): what a state accepts, by enum accept. */
    uint8_t (*accept)(const struct product *p, const word *s);
    bool by_action;      /* propositions are about actions */
    bool finite;         /* an execution that ends is not continued; set it after product_init, and */
    uint8_t root_accept; /* what is accepted before anything is read, enum accept; testing automata cannot know that */
    uint32_t propositions;

    /* If not by_action: which propositions of the model those of the automaton are, as valuation.h numbers them. */
    uint32_t wanted[MOST_PROPOSITIONS];

    /* If by_action: of each action of the model, then of each free one, what it begins and ends. */
    struct product_effect {
        uint64_t begins, ends;
    } * effects;
    struct names free;  /* actions that the model has not */
    uint64_t momentary; /* propositions that hold just after an action only */
    uint64_t initially;

    uint32_t choices;              /* the most that the automaton may ever have */
    uint32_t end, begin;           /* moves */
    uint32_t value_bit, state_bit; /* where propositions and the automaton's state are */
    uint32_t state_bits, start;    /* `start`: what the automaton begins in: a state of its own, it has read nothing */
    uint32_t flag_bit;

    bool *visible; /* with stubborn sets: the model's transitions that may change what the automaton reads; else NULL */
    struct product_effect *changes; /* ... and what each begins and ends; or, of states, may change (begins) */
    /* If the automaton guides: [state * (transitions + 1) + t]: may t make it go on? NULL: as if all may. */
    bool *wanted_moves;
    bool *livelock; /* product_skip: [lasting propositions as a number * states of the ba + state]; else NULL */
};

/* One of ba and ta; the automaton's propositions are looked up in the model by their names. False: `why` says which is
 * missing, and which there are. */
bool product_init(struct product *p, struct ts *base, const struct ba *ba, const struct ta *ta, struct problem *why);
void product_fini(struct product *p);

/* From now on, workers that are made expand by stubborn sets. The model must have obligations, be open without
 * reductions, and stay where `base` is a worker of it. *unknown: there are propositions of which the model does not
 * tell what may change them: so every transition may. False: the model failed, and `why` tells. */
bool product_guide(struct product *p, struct ts_worker *base, bool *unknown, struct problem *why);
/* After product_guide, if there are momentary propositions: the Büchi automaton skips idle positions from now on.
 * False: there are too many other propositions. */
bool product_skip(struct product *p);
/* May it then accept because of infinitely many visible moves? If not, livelocks are all that must be looked for. */
bool product_may_read_for_ever(const struct product *p);
/* From now on, this worker expands fully: counterexamples may be shorter than what the search has seen. */
void product_full(struct ts_worker *w);

/* A worker of the product that works through one of the model, which stays the caller's; NULL: it makes its own. To be
 * freed by ops->worker_free. */
struct ts_worker *product_worker(struct product *p, struct ts_worker *base);

/* After expand: of each successor in the batch, EDGE_ACCEPTS and EDGE_STILL; of each source, whether the automaton was
 * at a loss for some move, and whether the execution ends there (if `finite`); and the moves of the model that were
 * enabled in a source, as indices into moves. */
struct product_view {
    const uint8_t *edges;
    const bool *lost, *ended;
    const uint32_t *moves; /* of the model alone */
    const uint32_t *ends;  /* of each source: its moves end before this index */
};
struct product_view product_view(struct ts_worker *w);

/* A state, and its parts. */
void product_pack(const struct product *p, const word *model, uint64_t values, uint32_t state, word *out);
void product_model(const struct product *p, const word *s, word *model);
uint32_t product_state(const struct product *p, const word *s);  /* of the automaton */
uint8_t product_accept(const struct product *p, const word *s);  /* enum accept of that, or root_accept */
uint64_t product_values(const struct product *p, const word *s); /* by_action only: which propositions hold */
/* Which propositions hold in a state. The root has no valuation. */
bool product_valuation(const struct product *p, struct ts_worker *w, const word *s, uint64_t *out,
                       struct ts_fault *fault);

static inline void product_flag(const struct product *p, word *s, bool on) {
    word bit = (word)1 << p->flag_bit % 64;
    if (on) s[p->flag_bit / 64] |= bit;
    else s[p->flag_bit / 64] &= ~bit;
}

static inline uint32_t product_move(const struct product *p, uint32_t transition) { return transition / p->choices; }

#endif
