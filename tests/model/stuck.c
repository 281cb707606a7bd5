/* Terminal states without progress are found on the fly. One may climb to the top, which is progress; at 3 and at 5 one
 * may fall, and then lies there.
 *
 * $ onager check stuck.c
 *   holds, 10003 states, 10002 edges
 * $ onager check stuck.c --terminal-not-may
 *   violated may_progress, 6 states, 5 edges
 * $ onager check stuck.c --terminal-not-may --stubborn
 *   violated may_progress, 6 states, 5 edges
 * $ onager check stuck.c --terminal-not-may --threads 3
 *   violated may_progress, 6 states, 5 edges
 * $ onager check stuck.c --terminal-not-may --order dfs
 *   violated may_progress
 * $ onager check stuck.c --terminal-not-may --order random --max-states 1000000
 *   violated may_progress
 * $ onager check stuck.c --terminal-not-may --store bitstate
 *   violated may_progress
 * $ onager check stuck.c --terminal-not-may --symmetry --time 60
 *   inconclusive: .progress_is_symmetric
 * $ onager check stuck.c --terminal-not-must
 *   violated must_progress, 6 states, 5 edges
 * $ onager check stuck.c --terminal-not-must --order random --max-states 1000000
 *   violated must_progress
 * $ onager check stuck.c --terminal-not-must --weak-fair all
 *   violated must_progress, 6 states, 5 edges
 * $ onager check stuck.c --terminal-not-may --terminal-not-must --no-may-progress --no-must-progress
 *   holds, 10003 states, 10002 edges
 * $ onager check stuck.c --terminal-not-may -p legal=0
 *   violated deadlock, 6 states, 5 edges
 */
#include <onager.h>

PARAM(legal, 1)

enum { top = 10000 };

#define STATE(var, array) var(UPTO(top), x) var(1, fallen)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (s->fallen || s->x == top || (t == 1 && s->x != 3 && s->x != 5)) return false;
    if (t == 1) s->fallen = 1;
    else s->x++;
    return true;
}

static const char *check_deadlock(const state *s) { return s->fallen && !legal ? "fallen" : NULL; }
static bool may_progress(const state *s) { return s->x == top; }
static bool must_progress(const state *s) { return s->x == top; }
static void obligations(const state *s, unsigned t, stubborn *set) { (void)s, (void)t, stb_all(set); }
static void symmetry(state *s) { (void)s; }

MODEL(.transitions = 2, .fire = fire, .check_deadlock = check_deadlock, .may_progress = may_progress,
      .must_progress = must_progress, .obligations = obligations, .symmetry = symmetry)
