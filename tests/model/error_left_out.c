/* Model errors as a check, with stubborn sets. Two counters go from 0 to 2; transition 2 raises an error if both are at
 * 1. Its rule must account for that: a step from 1 to 2 ends it.
 *
 *     -p accounts=1   0: the rules forget it; then the error is left out, and the audit finds it
 *     -p error=1      0: there is no error, though there is a call
 *     -p ends=1       0: after the end it goes on for ever, so that stubborn sets may leave out anything but deadlocks
 *     -p calls=1      0: no call of model_error is left in the code
 *
 * $ onager check error_left_out.c
 *   violated model_error
 * $ onager check error_left_out.c --stubborn
 *   violated model_error
 * $ onager check error_left_out.c --stubborn --order dfs
 *   violated model_error
 * $ onager check error_left_out.c --stubborn -p accounts=0
 *   violated model_error
 * $ onager check error_left_out.c --stubborn -p accounts=0 --order dfs
 *   violated model_error
 * $ onager check error_left_out.c --stubborn -p accounts=0 -p ends=0
 *   violated model_error
 * $ onager audit error_left_out.c -p accounts=0
 *   violated
 * $ onager check error_left_out.c -p error=0
 *   holds, 9 states, 12 edges
 * $ onager check error_left_out.c --stubborn -p error=0
 *   holds
 * $ onager check error_left_out.c --stubborn -p error=0 -p ends=0
 *   inconclusive: no model error was found, but stubborn sets may leave some out
 * $ onager check error_left_out.c --stubborn -p error=0 --no-termination
 *   inconclusive: no model error was found, but stubborn sets may leave some out
 * $ onager check error_left_out.c --stubborn -p calls=0 -p ends=0
 *   holds
 */
#include <onager.h>

PARAM(accounts, 1)
PARAM(error, 1)
PARAM(ends, 1)
PARAM(calls, 1)

#define STATE(var, array) array(UPTO(2), x, 2) var(1, flip)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    bool both = s->x[0] == 1 && s->x[1] == 1, ended = s->x[0] == 2 && s->x[1] == 2;
    if (t == 2) {
        if (calls && both && error) model_error("both at 1");
        if (calls && s->x[0] > 2) model_error("too far");
        return false;
    }
    if (t == 3) return !ends && ended ? s->flip = !s->flip, true : false;
    if (s->x[t] == 2) return false;
    s->x[t]++;
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    if (t >= 2) stb(set, 0, 1);
    else if (accounts && s->x[t] == 1) stb(set, 1 - t, 2);
}

MODEL(.transitions = 4, .fire = fire, .obligations = obligations)
