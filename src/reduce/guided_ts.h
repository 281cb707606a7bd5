/* guided_ts.h: a system whose states are expanded by stubborn sets of guided.h, though nobody watches it.
 *
 * The set depends on the state alone, and is closed under the obligations of the system: D1 and D2 hold for every
 * member. It has an enabled transition if there is any (D0), and with an enabled visible one all visible ones (V). So
 * the deadlocks are preserved, and the sequences of visible transitions that lead to them (FAIR Theorem 1); and what
 * else D0, D1 and D2 preserve (prop/property.h). What is visible:
 *
 *     GUIDED_TS_ACTIONS   transitions that may be seen, or change what is seen of others (ops->observable; without it,
 *                         all). A deadlock and the traces that lead to it are preserved.
 *     GUIDED_TS_MUST      transitions that may change whether must_progress holds (ops->may_change). If the full system
 *                         has an execution that is in must-progress states finitely often, the reduced one has one.
 *
 * GUIDED_TS_MUST. The sets are those that the testing automaton of "from some time on, no must-progress state" asks
 * for; it knows by the valuation alone where it is, so it need not be built. In must-progress states it waits for a
 * change: all visible transitions are in the set (GUIDED_VISIBLE). In others it accepts livelocks: the set has an
 * invisible enabled transition if there is any (GUIDED_INVISIBLE). Let s -a_1-> s_1 -a_2-> ... be an infinite execution
 * of the full system with finitely many changes that ends without must progress, where s is in the reduced system. By
 * guided.h, each step of the reduced system either brings the next change nearer or makes it, or is an invisible one in
 * a state without must progress that leaves it as far away as it was. If the latter goes on for ever, or no change is
 * left to come, the reduced system has an infinite execution without must progress; being finite, a cycle. No search
 * order and no cycle need be known: on a cycle of must-progress states all visible transitions are taken, and a cycle
 * without any is an error itself.
 *
 * Claims of the model that are seen to be false when a state is expanded are a fault, TS_FALSE_CHANGES.
 */
#ifndef REDUCE_GUIDED_TS_H
#define REDUCE_GUIDED_TS_H

#include "ts/ts.h"

enum guided_ts_goal {
    GUIDED_TS_ACTIONS,
    GUIDED_TS_MUST,
    GUIDED_TS_MUST_ENDLESS, /* and bad states and errors, even if the model runs for ever; of derived rules only */
};

/* Takes `base` over, also if that fails: it has TS_OBLIGATIONS, or ts->derived, and is open without stubborn sets. To
 * be closed as any other. NULL: the model failed, and `why` tells. */
struct ts *guided_ts_open(struct ts *base, enum guided_ts_goal goal, struct problem *why);

/* Does the system tell which transitions may change must_progress? */
bool guided_ts_knows_must(const struct ts *ts);

#endif
