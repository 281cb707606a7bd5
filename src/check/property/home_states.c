/* Home states: can a state where a proposition holds be reached from every reachable state (AG EF p)?
 *
 * This is may progress with targets of the user's choice, and terminal states count only if p holds there.
 *
 * Stubborn sets (D0, D1, D2) know nothing of p. Yet let the model be always may-terminating, which is seen in the
 * reduced space (STOP Theorem 3). Then AG EF p says just that p holds in every reachable terminal state: it must, for
 * nothing else can be reached from there; and it is enough, for one of them can be reached from everywhere. Reduced and
 * full space have the same reachable terminal states (STOP Theorem 1), and both always may terminate, so the same of
 * both. If the model is not always may-terminating, the reduced space proves nothing: a violation counts if the full
 * space after it has no p either (target.h), and else the answer is inconclusive.
 *
 * Symmetry keeps it if p is the same on symmetric states, which a model can only say of its progress functions.
 */
#include "check/property/property_ops.h"
#include "check/property/target.h"
#include "ts/valuation.h"

static bool read_options(struct questions *q, struct ts *ts, struct ts_worker *w, struct problem *why) {
    const char *name = q->what[PROPERTY_HOME];
    (void)w;
    if (ts->whole_counts)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--home needs a proposition of states, and %s has none: fluents and actions of processes "
                           "are for formulas only (--ltl); leave --home out",
                           ts->path);
    ts->named = valuation_find(ts, name);
    return ts->named != TS_NONE || valuation_lacks(ts, name, why);
}

static bool ask(struct check *c) { return target_ask(c, PROP_HOME, "home states"); }

const struct property_ops ops_HOME = {.options = read_options, .ask = ask};
