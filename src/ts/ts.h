/* ts.h: THE interface. Everything that can be asked of a model, whatever language it is written in.
 *
 * A transition system has states, which are bit vectors of one fixed length, and transitions 0, 1, ..., count-1. A
 * state is packed into `words` 64-bit words; bit 0 of word 0 is always 1, so that a zero word marks an empty place in a
 * table. Transitions are deterministic.
 *
 * There is one successor function, `expand`. It takes many states at a time and obeys the reduction that the system was
 * opened with. Everything else works on one state and on the unreduced system: it serves traces, audits and messages.
 *
 * Model code can fail. A call that runs it returns or records a ts_fault: the model raised an error itself, its code
 * broke a rule, crashed, or did not come back. After a crash or a timeout the worker must not be used for anything but
 * describing the state where it happened.
 *
 * Calls with different workers may overlap in time; a worker serves one call at a time.
 */
#ifndef TS_TS_H
#define TS_TS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/problem.h"

typedef uint64_t word;

enum { TS_NONE = UINT32_MAX }; /* no transition */

/* What a model has, and what it says about itself. */
enum ts_feature {
    TS_CHECK_STATE = 1,
    TS_CHECK_DEADLOCK = 2,
    TS_MAY_PROGRESS = 4,
    TS_MUST_PROGRESS = 8,
    TS_OBLIGATIONS = 16,
    TS_SYMMETRY = 32,
    TS_SYMMETRIC_PROGRESS = 64, /* the progress checks answer the same on symmetric states */
    TS_CHOICE_OF_RULES =
        128, /* stubborn_set lists whole sets; obligations are one choice out of several, or derived, and not
                                 * told (no TS_OBLIGATIONS) */
    TS_BAD_IS_TERMINAL = 256, /* bad states have no moves */
    TS_RAISES = 512,          /* its code may raise errors of its own: TS_RAISED */
};

/* How a stubborn set is found, where the rules are known to the program (networks): see reduce/net/stubborn.h. */
enum reduce_method {
    METHOD_ESC,      /* the first enabled strong component; a disabled action is left to the first that disables it */
    METHOD_CHEAPEST, /* the smallest enabled strong component; ... to the one that obliges least */
    METHOD_DELETION, /* all, and then fewer and fewer; ... to any */
};

/* What the reduced state space has in common with the full one. */
enum preserve {
    PRESERVE_DEADLOCKS,       /* the states without moves */
    PRESERVE_SAFETY,          /* these, and whether something bad is reachable */
    PRESERVE_DEADLOCK_TRACES, /* these, and what an observer may see on the way to each (FAIR Theorem 1 with V) */
    PRESERVE_TRACES,          /* what an observer may see, if SV holds as well */
    PRESERVE_FAIR_TESTING,    /* the same method */
    PRESERVE_TREE_FAILURES,   /* the same, and what may be refused afterwards, and so on */
};

/* Which part of the state space expand produces. */
struct reduction {
    bool stubborn;
    bool symmetry;
    bool forward; /* try transitions, or starting points of stubborn sets, from 0 up instead of from the highest down */
    enum reduce_method method; /* this and the next: networks only */
    enum preserve preserve;
    /* Stubborn sets preserve tests of progress by actions (reduce/net/stubborn.h), or must progress
     * (reduce/guided_ts.h). To open a system with it is a wish; the system says whether it does. */
    bool progress;
};

enum ts_fault_kind {
    TS_FINE,
    TS_RAISED, /* the model called model_error: a violation, not a mistake in the model's code */
    TS_OUT_OF_RANGE,
    TS_BAD_ACCESS, /* to memory that is not the variable's, or not the state's */
    TS_FALSE_CHANGED,
    TS_BAD_OBLIGATION,
    TS_FALSE_CHANGES, /* a transition has changed a proposition, or what is seen, that it was said not to change */
    TS_UNSTEADY,      /* the same state has other successors now */
    TS_CRASHED,
    TS_ENDLESS,
};

struct ts_fault {
    enum ts_fault_kind kind;
    uint32_t source;     /* expand and classify: index of the state in the batch */
    uint32_t transition; /* that was being fired or asked for its obligations, or TS_NONE */
    const char *where;   /* the model's function: "fire", "check_state", ... */
    char text[256];      /* what happened, a clause without a full stop */
};

/* Classes of states. ops->classify knows all but TS_NAMED: that the proposition ts->named holds
 * (valuation_classify). */
enum { TS_BAD = 1, TS_MAY = 2, TS_MUST = 4, TS_NAMED = 8 };

/* Input and output of expand and classify. The first group is the caller's to fill; ts_batch_init allocates the
 * rest. */
struct ts_batch {
    const word *sources; /* count * words */
    uint32_t count;      /* at most `capacity` */
    uint32_t wanted;     /* classify: which classes to compute */
    uint64_t first;      /* expand: 1 + number of the first source, in the order of the search; 0: they have none */
    bool unlabelled;     /* expand: nobody will look at the labels, which may become anything */
    /* expand, of systems that take origins: those of the sources, and up to one without TS_ORIGIN_MORE. NULL: all
     * successors are wanted. See below. */
    const uint8_t *origins;
    /* expand, unlabelled: NULL, or a byte for each transition. Those that occur are marked where the labels do not
     * tell: then expand sets `looked_up`. */
    uint8_t *fired;

    bool looked_up; /* expand: not all labels are there */
    uint32_t capacity;
    word *successors;
    uint32_t *labels; /* of each successor: the transition */
    uint32_t *ends;   /* of each source: its successors end before this index */
    uint32_t *totals; /* with origins: of each source: edges up to its last one, those that were left out included */
    uint8_t *classes; /* of each source */
    struct ts_fault fault;
};

/* Origins: how states were found. A search that puts all successors in an exact set, in the order in which it is given
 * them, and gives states to expand in the order in which they were new, knows some successors before it looks: those
 * that another order of the same transitions has led to. If it tells expand how each source was found, expand may leave
 * such successors out. (reduce/sleep.h says which, and why they are known.)
 *
 * The origin of a new state is in the high byte of its word among the successors, 0 if it is not known; there it must
 * be removed before the state is used. TS_ORIGIN_MORE is added to it if the next new state has the same source. */
enum { TS_ORIGIN_SHIFT = 56, TS_ORIGIN_MORE = 128, TS_MOST_SIBLINGS = 64 };

static inline uint8_t ts_origin(word successor) { return (uint8_t)(successor >> TS_ORIGIN_SHIFT); }
static inline word ts_without_origin(word successor) { return successor & (((word)1 << TS_ORIGIN_SHIFT) - 1); }

struct ts;
struct ts_worker;
struct ts_explain_ops;
struct facts_proved;
struct source;
struct derived;

/* A variable, for printing and for JSON. */
struct ts_variable {
    const char *name;
    uint32_t length; /* elements of an array; 0: a scalar */
    bool is_signed;
};

struct ts_ops {
    void (*close)(struct ts *ts);
    struct ts_worker *(*worker_new)(struct ts *ts);
    void (*worker_free)(struct ts_worker *w);

    /* Both return how many sources are done; if fewer than count, batch->fault says why. */
    uint32_t (*expand)(struct ts_worker *w, struct ts_batch *batch);
    uint32_t (*classify)(struct ts_worker *w, struct ts_batch *batch);

    bool (*initial)(struct ts_worker *w, word *out, struct ts_fault *fault);
    /* Unreduced. 1: `out` is the successor; 0: disabled; -1: fault. */
    int (*fire)(struct ts_worker *w, const word *s, uint32_t t, word *out, struct ts_fault *fault);
    bool (*representative)(struct ts_worker *w, const word *s, word *out, struct ts_fault *fault);
    /* Calls check_state or check_deadlock. True: *message is NULL or what is wrong, until the worker's next call. */
    bool (*check)(struct ts_worker *w, const word *s, enum ts_feature which, const char **message,
                  struct ts_fault *fault);
    /* The obligations of t in s, into a list with room for every transition. */
    bool (*obligations)(struct ts_worker *w, const word *s, uint32_t t, uint32_t *list, uint32_t *count,
                        struct ts_fault *fault);

    /* Only with stubborn sets: the set that expand uses in s, as far as it may be enabled. `list` has room for
     * every transition; *count is 0 if s is terminal. What the members oblige, and is disabled, may be missing. */
    bool (*stubborn_set)(struct ts_worker *w, const word *s, uint32_t *list, uint32_t *count, struct ts_fault *fault);

    /* Only with stubborn sets that preserve traces or more. Sets covered[a] for the actions a, as an observer sees
     * them, that are in the stubborn set of s, enabled or not; 0 stands for a legal end, which is seen, too. Frozen
     * ones count as covered. Also sets members[u] for the units of the set (ts/stubborn_units.h), unless that is
     * NULL. */
    void (*covers)(struct ts_worker *w, const word *s, bool *covered, bool *members);
    /* The same, for one state: expands it by what the actions a with wanted[a] oblige, directly or not, alone. */
    void (*widen)(struct ts_worker *w, struct ts_batch *batch, const bool *wanted);
    /* The same: from now on this worker makes stubborn sets as if the units u with frozen[u] did not exist. The array
     * stays the caller's; NULL: none is frozen. */
    void (*freeze)(struct ts_worker *w, const bool *frozen);

    /* Only with stubborn sets: who asks for what in them (ts/stubborn_units.h); NULL: the rules are written ones. */
    const struct ts_explain_ops *explain;

    /* Descriptions. */
    bool (*print)(struct ts_worker *w, const word *s, const word *previous, FILE *out, struct ts_fault *fault);
    void (*transition_name)(struct ts_worker *w, uint32_t t, char *buffer, size_t size);
    /* The value of element i of variable v, as decimal text and, for named values, the name; else *name is NULL. */
    int64_t (*value)(const struct ts *ts, const word *s, uint32_t v, uint32_t i, const char **name,
                     size_t *name_length);

    /* Only if the system has actions: the one that an observer sees when t occurs in s; TS_NONE: fault. */
    uint32_t (*action)(struct ts_worker *w, const word *s, uint32_t t, struct ts_fault *fault);
    /* The name of an action that ops->action has told, while other threads may call that. NULL: ts->action_names stays
     * where it is, and will do. */
    const char *(*action_name)(struct ts *ts, uint32_t action);
    /* Only if observable_known: may t ever be seen as something else than tau, or change what is seen of another
     * transition? -1: fault. */
    int (*observable)(struct ts_worker *w, uint32_t t, struct ts_fault *fault);

    /* Only if the variables are processes: does process v take part in t? */
    bool (*takes_part)(const struct ts *ts, uint32_t v, uint32_t t);
    /* The same: could it, alone, take its part in t in s? */
    bool (*is_ready)(const struct ts *ts, const word *s, uint32_t v, uint32_t t);

    /* Only if the system has propositions. Bit i of out[k] tells whether proposition wanted[i], i < wanted_count <= 64,
     * holds in the k-th of `count` states. False: *fault, whose source is the state. */
    bool (*valuate)(struct ts_worker *w, const word *states, uint32_t count, const uint32_t *wanted,
                    uint32_t wanted_count, uint64_t *out, struct ts_fault *fault);
    /* Only of C models: how many expansions were watched access by access; *limit becomes what is not seen of them, or
     * NULL; *all: every one is to be watched. UINT64_MAX: none is. */
    uint64_t (*watched)(const struct ts *ts, bool *all, const char **limit);
    /* Only if the model says so (changes_known): may t ever change whether proposition p holds? -1: fault. After those
     * that are declared come must_progress and may_progress. */
    int (*may_change)(struct ts_worker *w, uint32_t p, uint32_t t, struct ts_fault *fault);

    /* Or NULL: nothing can be proved. What is true of the transitions in every state (ts/facts.h). The caller frees
     * it. */
    struct facts_proved *(*prove)(const struct ts *ts);

    /* Or NULL. The model's code, to be run without a state (derive/source.h). NULL: it cannot be; see *why. */
    struct source *(*read)(struct ts *ts, struct problem *why);

    /* Or NULL. What whoever asked should know of a search that is over; NULL: nothing. */
    const char *(*remark)(struct ts *ts);
};

/* A proposition about what has occurred. A fluent holds after one of `begins` until one of `ends`, and perhaps
 * initially; a momentary one (ends == NULL) holds just after one of `begins`. Both name actions, which the system may
 * not have. */
struct ts_fluent {
    const char *name;
    const char *const *begins, *const *ends; /* lists of names, NULL at their ends */
    bool initially;
};

/* A formula of linear temporal logic that the model states about itself, as omega/ltl/ltl_formula.h reads it. */
struct ts_assertion {
    const char *name;
    const char *formula;
};

/* A test of progress by actions: in every terminal strong component, one of `then` occurs; with `when`: if one of
 * `when` does. Both by action. */
struct ts_progress {
    const char *name;
    const bool *when; /* NULL: always */
    const bool *then;
};

/* Qualifiers before a process (minimal, deterministic, property). They apply when its LTS is built; checks look at the
 * process without them. */
enum ts_quality {
    TS_MINIMAL = 1,       /* the least one that is observation equivalent */
    TS_DETERMINISTIC = 2, /* the least deterministic one with the same traces; not minimal besides */
    TS_PROPERTY = 4,      /* deterministic, and what it does not expect leads to ERROR */
};

/* A parameter of the model and its value. */
struct ts_parameter {
    const char *name; /* an identifier */
    int64_t value;
    bool usual; /* known to be what it is if nobody sets it */
    bool bare;  /* given without a value, which is 1 */
};

/* What the model's text switches on for a whole check, as options of the program do. */
struct ts_wishes {
    bool stubborn, symmetry, forward, terminal_not_may, terminal_not_must, no_progress, fast;
    uint64_t max_states; /* 0: any number */
};

struct ts {
    const struct ts_ops *ops;
    const char *path;     /* the model's file, as the user wrote it */
    const char *process;  /* of the file, where that has several; or NULL */
    const char *identity; /* a hash of all text that makes the model, without parameters and reductions; or NULL */
    bool fast;            /* the checks of model code that cost time are left out */
    bool takes_origins;   /* then states are one word with a free high byte, and have few transitions */
    uint32_t words;
    uint32_t bits;
    const uint32_t *element_bits; /* of each element of the packed state, in order, without gaps; NULL: not known */
    uint32_t elements;
    uint32_t transitions;
    unsigned features; /* enum ts_feature */
    struct reduction reduction;
    const struct ts_variable *variables;
    uint32_t variable_count;
    const struct ts_parameter *parameters;
    uint32_t parameter_count;

    /* What an observer sees: actions 0, 1, ..., actions-1; 0 is the invisible one, tau. No actions: 0. If there are no
     * tests of progress, more may turn up while ops->action is called; the names of known ones stay the same. */
    uint32_t actions;
    const char *const *action_names;
    const bool *action_hidden; /* tau outside, though tests of progress may name it; NULL: none is */
    bool fixed_actions;        /* ops->action does not look at the state */
    bool observable_known;     /* ops->observable may be called */
    const struct ts_progress *progress;
    uint32_t progress_count;
    unsigned qualities; /* enum ts_quality */

    /* What formulas may speak of: propositions of states (ops->valuate), or, if there are actions and no propositions,
     * what has occurred: actions by their names, and fluents. */
    uint32_t propositions;
    const char *const *proposition_names;
    uint32_t named; /* of TS_NAMED, as valuation_find numbers it; set by who asks for that class, before the search */
    /* By proposition, then of must_progress and may_progress: whether the model tells which transitions may change it;
     * NULL: no. */
    const bool *changes_known;
    const struct ts_fluent *fluents;
    uint32_t fluent_count;
    const struct ts_assertion *assertions;
    uint32_t assertion_count;
    bool asset; /* it is in ASSET's language: messages about what it lacks name other functions */
    struct ts_wishes wishes;
    const struct derived *derived; /* proved facts that stubborn sets can be made of (derive/derived.h); NULL: none */
    bool whole_counts;             /* counts should be those of the whole state space even if an error was found */
};

/* Output memory for batches of up to `states` states. */
void ts_batch_init(struct ts_batch *batch, const struct ts *ts, uint32_t states);
void ts_batch_fini(struct ts_batch *batch);

/* A good number of states for a batch: many enough to hide latencies, few enough to stay in the caches. */
uint32_t ts_batch_states(const struct ts *ts);
/* For checked builds: are the first `done` sources expanded as `expand` promises? Ends never decrease, no state has
 * more successors than there are transitions, labels are transitions, and each successor has its mark, bit 0 of word
 * 0. */
bool ts_batch_is_sound(const struct ts_batch *batch, const struct ts *ts, uint32_t done);

/* The transition that a user names by its number or by its name; TS_NONE if there is none such. */
uint32_t ts_find_transition(const struct ts *ts, struct ts_worker *w, const char *name);
/* Says that there is none, and what there is; returns false. */
bool ts_lacks_transition(const struct ts *ts, struct ts_worker *w, const char *name, struct problem *why);

/* The features' names, as in the model and on the command line: "check_state", ... */
const char *ts_feature_name(enum ts_feature feature);

static inline bool ts_has(const struct ts *ts, enum ts_feature feature) { return (ts->features & feature) != 0; }

#endif
