/* concretize.h: an execution of a space that is reduced by symmetry, as one of the model itself.
 *
 * In the reduced space, every state is replaced by its representative, so that process 1 of one state may be process 2
 * of the next. A concrete execution begins in the initial state itself, and each of its steps is a transition of the
 * model that leads to a state whose representative is the next state of the reduced one: the lowest-numbered such
 * transition. No map comes between. If the map is right, and gives symmetric states the same representative when it is
 * applied often enough, there always is one, whichever was taken before.
 *
 * After one round of a cycle the model may be in another, symmetric state. So rounds are gone until a state comes twice
 * at the beginning of one; the cycle is what lies between. After a point of no return, steps that change the state are
 * taken first: a self-loop of a representative may be a step from one symmetric state to another.
 */
#ifndef CHECK_CONCRETIZE_H
#define CHECK_CONCRETIZE_H

#include "ts/trace.h"

enum concrete {
    CONCRETE_FOUND,
    CONCRETE_OPEN,      /* found, but the cycle has not come round within `most` states: it is left out */
    CONCRETE_NO_MEMORY, /* found, but no memory was left to follow the cycle: it is left out */
    CONCRETE_NO_STEP,   /* there is none, or symmetric states have different representatives */
    CONCRETE_FAULT,     /* there is none, but perhaps because model code failed */
};

/* Where there is none. The last state of the execution that was found so far has representative `from`, and no
 * transition leads on to one with representative `to`, as `transition` does from `from`. */
struct concrete_gap {
    uint64_t from, to; /* numbers of states of the reduced execution; from is TRACE_NONE: there is no beginning */
    uint32_t transition;
    struct ts_fault fault;
};

/* `out` was initialised; it gets the execution, as far as there is one. `reduced` replays (trace_replay). */
enum concrete concrete_trace(struct trace *out, const struct trace *reduced, struct ts *ts, struct ts_worker *w,
                             uint64_t most, struct concrete_gap *gap);

#endif
