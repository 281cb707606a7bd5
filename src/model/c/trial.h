/* trial.h: what a transition of a C model depends on, found out by trying it.
 *
 * The transition is fired in a state of which each access is seen (page_watch.h), by a plug-in that can use nothing
 * else that may change (onager/observe.h). Then it is fired again, unseen, in another state: the same where it was
 * used, and random elsewhere. It must do the same there.
 */
#ifndef MODEL_C_TRIAL_H
#define MODEL_C_TRIAL_H

#include <onager.h>

#include "model/c/table_obstacle.h"
#include "model/c/observer.h"
#include "code/page_watch.h"

enum trial_answer {
    TRIAL_UNKNOWN = -1, /* see `obstacle` */
    TRIAL_DISABLED = 0,
    TRIAL_FIRED = 1,
};

struct trial {
    const struct observer *observer;
    const struct onager_observer *plugin;
    struct watch watch;
    struct guard *guard;
    state *other; /* room for one */
    uint64_t *words;
    uint64_t random;
    enum obstacle obstacle; /* why the last answer was none */
};

/* For one thread, whose guard this is. The observer must have its plug-in. False: see `obstacle`; trial_fini all the
 * same. */
bool trial_init(struct trial *x, const struct observer *o, struct guard *g);
void trial_fini(struct trial *x);

/* Vectors of words, as packed states are. */
struct trial_uses {
    uint64_t *reads;  /* bits of variables that were read */
    uint64_t *writes; /* ... stored, changed or not */
};

/* Fires t in the packed state `words`. If it is enabled, `out` becomes the successor. All states that have the same
 * bits as this one where those of `reads` or `writes` are set give the same answer, and differ from their successors
 * in the same bits. */
enum trial_answer trial_fire(struct trial *x, const uint64_t *words, uint32_t t, uint64_t *out, struct trial_uses uses);

#endif
