/* Progress of one named process is not the same on symmetric states. Unless the model declares that its progress checks
 * are symmetric, their answers are not trusted.
 *
 * $ onager check symmetric_progress.c
 *   holds, 8 states, 24 edges
 * $ onager check symmetric_progress.c --symmetry
 *   inconclusive, 4 states, 12 edges
 * $ onager check symmetric_progress.c --symmetry --no-may-progress
 *   holds, 4 states, 12 edges
 * $ onager check symmetric_progress.c --symmetry -p declared=1
 *   holds, 4 states, 12 edges
 */
#include <onager.h>

PARAM(declared, 0)

#define STATE(var, array) array(1, x, 3)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    s->x[t] = !s->x[t];
    return true;
}

static void symmetry(state *s) {
    unsigned ones = s->x[0] + s->x[1] + s->x[2];
    for (unsigned i = 0; i < 3; i++) s->x[i] = i < ones;
}

static bool may_progress(const state *s) { return declared ? s->x[0] || s->x[1] || s->x[2] : s->x[0]; }

MODEL(.transitions = 3, .fire = fire, .symmetry = symmetry, .may_progress = may_progress,
      .progress_is_symmetric = declared)
