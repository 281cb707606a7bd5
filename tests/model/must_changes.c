/* A model that says which transitions may change must_progress: then must progress can hold with --stubborn, whether the
 * model is always may-terminating or not. Bystanders go round by themselves; who waits is served by a server.
 *
 *     -p others=3   bystanders
 *     -p stop=0     1: bystanders may stop for good
 *     -p lazy=0     1: the server may do something else again and again
 *     -p wrong=0    1: what is said of the transitions is wrong
 *
 * $ onager check must_changes.c -p stop=1
 *   holds, 81 states, 243 edges
 * $ onager check must_changes.c -p stop=1 --stubborn
 *   holds, 10 states, 10 edges
 * $ onager check must_changes.c -p stop=1 --stubborn --threads 2
 *   holds, 10 states, 10 edges
 * $ onager check must_changes.c -p stop=1 --stubborn --order dfs
 *   holds, 10 states, 10 edges
 * $ onager check must_changes.c
 *   violated must_progress
 * $ onager check must_changes.c --stubborn
 *   violated must_progress
 * $ onager check must_changes.c -p stop=1 -p lazy=1
 *   violated must_progress
 * $ onager check must_changes.c -p stop=1 -p lazy=1 --stubborn
 *   violated must_progress
 * $ onager check must_changes.c -p stop=1 -p wrong=1 --stubborn
 *   error: it says that this transition never changes must_progress
 * $ onager audit must_changes.c -p stop=1
 *   holds
 * $ onager audit must_changes.c -p stop=1 -p wrong=1
 *   violated
 * $ onager check must_changes.c -p stop=1 --stubborn --ltl GF(must_progress)
 *   holds
 */
#include <onager.h>

PARAM(others, 3, 0, 8)
PARAM(stop, 0, 0, 1)
PARAM(lazy, 0, 0, 1)
PARAM(wrong, 0, 0, 1)

ENUM(phase, resting, waiting, served)
#define STATE(var, array) var(phase, client) array(UPTO(2), x, others)
DEFINE_STATE(STATE)

enum { ask, serve, leave, idle, first };

/* Bystander i: step `first + i` to and fro, at most once if it may stop; else for ever. */
static bool fire(state *s, unsigned t) {
    switch (t) {
    case ask: return s->client == resting && (s->client = waiting, true);
    case serve: return s->client == waiting && (s->client = served, true);
    case leave: return s->client == served && (s->client = resting, true);
    case idle: return lazy && s->client == waiting;
    }
    unsigned i = t - first;
    if (stop ? s->x[i] == 2 : false) return false;
    s->x[i] = stop ? s->x[i] + 1 : !s->x[i];
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)s;
    if (t < first) stb(set, ask, serve, leave, idle);
}

static bool must_progress(const state *s) { return s->client != waiting; }
CHANGES(must_progress) { return t == ask || (t == serve && !wrong); }

MODEL(.transitions = first + others, .fire = fire, .obligations = obligations, .must_progress = must_progress)
