/* network.h: labelled transition systems that run side by side.
 *
 * A component takes part in a label if the label is in its alphabet (lts.h), whether or not it can execute it now. A
 * visible label occurs when all components that take part in it execute it together; each component's tau occurs alone.
 * Components may be nondeterministic: every combination of their edges is a move of its own.
 *
 * ERROR and END. When a component enters its error state, the whole network is in ERROR, one sink without moves. When
 * every component that has an end state is in it, the alphabets of the components without one are contained in theirs,
 * and none of these has a tau to do, the network is in END, one state without moves, which is not a deadlock.
 *
 * Priority: while a label (or tau) that is not low is enabled, low ones are not.
 *
 * A network does not change once it is made; any number of threads may read it.
 */
#ifndef NET_NETWORK_H
#define NET_NETWORK_H

#include "base/arena.h"
#include "base/problem.h"
#include "base/effort.h"
#include "lts/lts.h"
#include "ts/ts.h"

/* What an observer sees of a label. */
enum network_sight {
    SIGHT_VISIBLE,
    SIGHT_HIDDEN, /* hidden by the outermost system: tau outside, but progress is judged by its name */
    SIGHT_INNER,  /* hidden deeper inside: a synchronisation without a name, not in the alphabet */
};

struct network_component {
    char *name; /* "a:PHIL", for messages */
    struct lts lts;
};

/* "progress P = {a, b}": in every terminal strong component, one of `then` occurs; with `when`: if one of `when` does.
 * By label of the network. */
struct network_progress {
    char *name;
    bool *when; /* NULL: always */
    bool *then;
};

struct network {
    uint32_t count;
    struct network_component *component;
    struct names labels;       /* of all components, by their texts; 0 is tau */
    enum network_sight *sight; /* by label */
    bool *low;                 /* by label; [0] is for tau; NULL: no priority */
    struct network_progress *progress;
    uint32_t progress_count;
    unsigned qualities;              /* enum ts_quality: what is written before the target, and has not been done */
    char *process;                   /* what the target is called in its file, or NULL */
    struct ts_parameter *parameters; /* what the user has set; the names belong to it */
    uint32_t parameter_count;
    /* What formulas may speak of besides labels, and one formula, if they were asked for. */
    struct ts_fluent *fluents;
    uint32_t fluent_count;
    struct ts_assertion *assertion; /* or NULL */
    struct arena *logic;            /* where their texts are, or NULL */
};

void network_fini(struct network *n);

/* Can the network end at all: has a component an end state, and do the alphabets of those that have one contain those
 * of the others? */
bool network_can_end(const struct network *n);

/* All of it as one LTS, with END and ERROR as its special states. Labels with SIGHT_INNER become tau; those that are
 * merely hidden do so if `hide`. False: it has more than `max_states` states. */
bool network_compose(const struct network *n, bool hide, uint32_t max_states, struct lts *out, struct problem *why);
/* The same while the effort (or NULL) is not over. */
bool network_compose_within(const struct network *n, bool hide, uint32_t max_states, struct effort *effort,
                            struct lts *out, struct problem *why);

/* The same, and counts the moves: those with the same label into the same state, which are one edge of the LTS, count
 * each. */
bool network_compose_counting(const struct network *n, bool hide, uint32_t max_states, struct lts *out, uint64_t *moves,
                              struct problem *why);

#endif
