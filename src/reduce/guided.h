/* guided.h: stubborn sets of a model that is watched, guided by what the watcher still wants to see.
 *
 * The watcher is a tester process (paper FLY: A. Valmari, On-the-Fly Verification with Stubborn Sets), a testing
 * automaton (TA) or a Büchi automaton. Some transitions of the model are visible: they may change what it sees. All
 * others never do. A set is closed under the model's obligations, so it satisfies D1 and D2 for every member (ts.h,
 * audit.h), and under what the watcher adds, as if it were one more process that takes part in every visible transition
 * (FLY Definition 2.5):
 *
 *     visible, enabled in the model   obliges the watcher, whether it allows the transition or not (not enabled: below)
 *     the watcher                     obliges all visible transitions that it allows now, and its own moves
 *
 * So either no enabled transition of the set is visible, or all visible ones that the watcher allows are in it (V). A
 * visible transition that the watcher does not allow, whether or not the model enables it, cannot occur until the
 * watcher moves; if rules are known to be local (networks: what one member obliges is enough for D1 and D2 of that
 * member), it obliges the watcher instead of what the model says (FLY Definition 2.5, (1), with the watcher as the
 * process that disables it).
 *
 * What a set must have is said for each state, as GUIDED_... flags:
 *
 *     tester, livelock not monitored here       VISIBLE | ENABLED       FLY Algorithm 4.3; Theorem 4.1, (1)
 *     tester, livelock monitored (S_L)          INVISIBLE | ENABLED     ... (2)
 *     testing automaton, no livelock acceptance VISIBLE, `wanted`       below
 *     ... but deadlock acceptance               VISIBLE | ENABLED       below; `wanted`, too
 *     testing automaton, livelock acceptance    INVISIBLE | ENABLED     below
 *     Büchi automaton                           VISIBLE | INVISIBLE     below; the watcher has no say: no `allows`
 *
 * TESTING AUTOMATA. Valuations of states change by visible transitions only; the automaton t stays where it is while
 * the valuation does. Let A be the set in the product state (s, t), and s -a_1-> s_1 -a_2-> ... an execution of the
 * full model that the automaton accepts from t, by an infinite, livelock or finite acceptance still to come. In the
 * reduced product there is then such an execution, or a livelock that is accepted.
 *
 *     Moving forward. Let a_k be the first of the a_i in A. By D1, s -a_k-> s' -a_1 ... a_k-1-> s_k. By V, either all
 *     visible transitions are in A, and a_1 ... a_k-1 are invisible: so the valuation of s is that of s_k-1, that of s'
 *     is that of s_k, and the automaton does the same with a_k in s as in s_k-1. Or a_k, which is enabled in s by D1,
 *     is invisible: then the states between s' and s_k have the valuations of s, ..., s_k-1 (D2).
 *
 *     VISIBLE. t does not accept livelocks, so the valuation must change some time, say first by a_j. All visible
 *     transitions are in A; so there is an a_k as above with k <= j, and moving it forward brings the first change
 *     nearer by one, or is it. If nothing of A is enabled, nothing is accepted from here, and the state needs no
 *     successors. An execution that ends counts as one that livelocks. The same is true if a_j is any later transition
 *     that must occur, and A has all that may be a_j, instead of all visible ones: then V still says that a_k is
 *     invisible if not all visible ones are in A. So if t does not accept infinitely many changes either, only
 *     transitions are `wanted` that may make the automaton leave t; if it does, those that it does not come to a halt
 *     with.
 *
 *     INVISIBLE | ENABLED. If there is an a_k in A, where k <= j or there is no change any more, it is moved forward.
 *     If not: if something invisible is enabled, A has an enabled invisible b; else A has something enabled, which is
 *     visible, so all that is enabled is in A by V, a_1 too. So there is b; and V has not pulled in all visible ones,
 *     else a_j were in A, or a_1 ... were all invisible. By D2, s -b-> s' -a_1 a_2 ...->, with the same valuations (or
 *     with the next a_k moved forward). The first change is as far away as before; if that goes on for ever, the
 *     reduced product has an infinite execution where nothing changes and t accepts livelocks. An execution that ends
 *     without a change: its end would enable b by D2, so there is an a_k.
 *
 *     Deadlock acceptance, where an execution that ends is finite and does not livelock: s -a_1 ... a_n-> s_n, which is
 *     an end, and accepted. If the automaton must leave t before, VISIBLE brings that nearer, and the end remains the
 *     same by D1. If t itself accepts deadlocks, A has something enabled by ENABLED, as long as n > 0, which by D2
 *     would still be enabled in s_n unless some a_i is in A. Moving the first of these forward changes no valuation, as
 *     above, and brings the end nearer by one. In a state that accepts livelocks as well, or them only, the same is
 *     true: a b that is not among the a_i cannot be in A.
 *
 * BÜCHI AUTOMATA read every state, and the language is stuttering-insensitive. The set depends on the state of the
 * model alone, so it is one reduced model for every automaton, order and algorithm of searching: no cycle need be
 * looked at. For each execution of the full model there is one of the reduced model that is equal up to stuttering,
 * also if it ends:
 *
 *     If the valuation changes, some a_k in A exists and is moved forward, as in VISIBLE above.
 *     If it does not change any more and goes on for ever: an a_k in A is moved forward. If there is none, all a_i are
 *     invisible, so A has an enabled invisible b by INVISIBLE, and s -b-> s' -a_1 a_2 ...-> by D2.
 *     If it ends: if something is enabled in s, it is invisible, and A has an enabled one, or visible and in A. By D2
 *     some a_i is in A, and is moved forward; then the end is nearer.
 *
 * Sequences of visible transitions are preserved exactly by this, not only up to stuttering, and so is whether
 * infinitely many invisible ones follow, or the end: that is what formulas about actions need (watch/product.h).
 *
 * Rules that nobody has written (ts->derived) have no closures: sets.h makes the sets, with the same D1, D2 and V.
 */
#ifndef REDUCE_GUIDED_H
#define REDUCE_GUIDED_H

#include "ts/ts.h"

/* What a set must have. */
enum {
    GUIDED_VISIBLE = 1,   /* all visible transitions, and the watcher's own moves */
    GUIDED_INVISIBLE = 2, /* an invisible enabled one, if there is any */
    GUIDED_ENABLED = 4,   /* an enabled one, or one of the watcher's own moves, if there is any */
};

/* The watcher in one state. */
struct guided_watch {
    unsigned needs;     /* GUIDED_... */
    bool moves;         /* it can make a move by itself: tau of a tester, or an action that the model has not */
    const bool *wanted; /* GUIDED_VISIBLE means these only, by transition; and, last, whether the watcher's own moves
                         * are wanted. NULL: all visible ones. */
    const bool *allows; /* by transition, of the visible ones: whether the watcher would let it occur now; where that
                         * is not known, as of what is disabled, say true. NULL: it allows all. */
    bool endless;       /* derived rules: bad states and errors are to be preserved even if the model runs for ever */
};

struct guided {
    struct ts *ts;
    uint32_t count; /* of transitions; also the number of the watcher as a vertex */
    bool *visible;
    uint32_t *seen, seen_count;  /* the visible ones */
    bool local;                  /* rules are */
    struct derived_asker *asker; /* of derived rules; NULL: they are written */

    /* Of the state at hand. A vertex is a member, enabled in the model, listed or reached if its entry is `now` (`turn`
     * for reached), so that nothing is cleared between states. */
    const struct guided_watch *watch;
    uint32_t now, turn;
    uint32_t *member, *enabled, *listed, *reached;
    size_t *begin, *end; /* of a listed vertex: its obligations in `pool` */
    uint32_t *pool, *stack;
    size_t pool_count, pool_room;
};

/* `visible` by transition, copied. The system must be open without stubborn sets, and have TS_OBLIGATIONS, or
 * ts->derived. One for each thread. */
struct guided *guided_new(struct ts *ts, const bool *visible);
void guided_free(struct guided *g);

/* The set of s. `enabled`: all transitions that the model enables in s, as expand gives them. Their order is the order
 * in which starting points are tried; of several sets that would do, one with fewest enabled transitions is taken.
 * False: the rules failed, and *fault says how. */
bool guided_choose(struct guided *g, struct ts_worker *w, const word *s, const uint32_t *enabled,
                   uint32_t enabled_count, const struct guided_watch *watch, struct ts_fault *fault);

/* After guided_choose: is t in the set, enabled or not? And the watcher's own moves? */
static inline bool guided_has(const struct guided *g, uint32_t t) { return g->member[t] == g->now; }
static inline bool guided_has_watcher(const struct guided *g) { return g->member[g->count] == g->now; }
/* For checked builds: does the set contain all that its members oblige? */
bool guided_is_closed(const struct guided *g);

#endif
