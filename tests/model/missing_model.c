/* $ onager check missing_model.c
 *   error: has no MODEL(...)
 */
#include <onager.h>

#define STATE(var, array) var(1, x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    s->x = !s->x;
    return true;
}
