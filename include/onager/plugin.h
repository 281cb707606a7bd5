/* plugin.h: the contract between a compiled C model and the engine.
 *
 * The plug-in exports one object, `onager_plugin`. Packed states are vectors of `words` 64-bit words (see pack.h);
 * native states are the model's struct. Calls on different onager_batch objects may overlap in time; the model's own
 * functions must not keep state of their own between calls.
 *
 * The engine sets these macros on the compiler's command line:
 *     ONAGER_STUBBORN   expand fires the enabled transitions of a stubborn set only
 *     ONAGER_SYMMETRY   expand replaces every successor by its representative
 *     ONAGER_FORWARD    transitions (starting points, with ONAGER_STUBBORN) are tried from 0 up, not from the
 * highest down
 *     ONAGER_CHECKED    find out-of-range values, and changes made by a fire that returned false
 */
#ifndef ONAGER_PLUGIN_H
#define ONAGER_PLUGIN_H

#define ONAGER_ABI 9

/* Why expand or classify stopped early. */
enum onager_fault {
    ONAGER_OK,
    ONAGER_RAISED,         /* the model called model_error */
    ONAGER_OUT_OF_RANGE,   /* a variable of the successor does not fit its width */
    ONAGER_FALSE_CHANGED,  /* fire returned false and had changed the state */
    ONAGER_BAD_OBLIGATION, /* obligations named a transition that does not exist; see `obligation` */
};

/* The function of the model that is running. */
enum onager_function { ONAGER_IN_FIRE, ONAGER_IN_OBLIGATIONS, ONAGER_IN_SYMMETRY };

/* What classify can find out about a state. */
enum { ONAGER_BAD_STATE = 1, ONAGER_MAY = 2, ONAGER_MUST = 4 };

/* A proposition that is asked for. */
struct onager_ask {
    bool (*holds)(const state *s, unsigned i);
    unsigned i;
};

/* One call of expand or classify: sources in, successors or classes out. All memory is the caller's. */
struct onager_batch {
    const uint64_t *sources; /* count * words */
    uint32_t count;
    uint64_t *successors;         /* room for count * transitions states */
    uint32_t *labels;             /* room for count * transitions: the transition that was fired */
    uint32_t *ends;               /* room for count: the successors of source i end before ends[i] */
    uint8_t *classes;             /* classify only, room for count: ONAGER_BAD_STATE | ONAGER_MAY | ONAGER_MUST */
    uint32_t wanted;              /* classify only: which of these to compute */
    const struct onager_ask *ask; /* valuate only, ask_count <= 64 */
    uint32_t ask_count;
    uint64_t *valuations; /* valuate only, room for count */
    void *scratch;        /* scratch_bytes() of memory, aligned as a state is, zeroed once; for one batch at a time */
    /* Where the call is. It is stored before model code runs, so that a crash can be blamed on it. */
    volatile uint32_t source;
    volatile uint32_t transition;
    volatile uint32_t function; /* enum onager_function */
    /* If the call ended early, at `source` and `transition`: */
    uint32_t fault; /* enum onager_fault */
    uint32_t obligation;
    const char *message; /* ONAGER_RAISED */
};

struct onager_plugin {
    uint32_t abi;
    uint32_t native_size; /* bytes of the model's struct */
    uint32_t bits;        /* of a state, without the mark */
    uint32_t words;
    uint32_t field_count;
    const struct onager_field *fields;
    const struct onager_param *params, *params_end;
    const struct onager_enum *enums, *enums_end;
    const struct onager_proposition *propositions, *propositions_end;
    const struct onager_changes *changes, *changes_end;
    const char *raises, *raises_end; /* not the same: the model's code has a call of model_error */
    const struct onager_model *model;
    /* One native state at a time, for traces, audits and messages. */
    bool (*pack)(const state *s, uint64_t *words); /* false: a value is out of range, `words` is undefined */
    void (*unpack)(state *s, const uint64_t *words);
    const char *(*raised)(void); /* what model_error said since the last call, or NULL */
    /* The obligations of t: fills list (room for max), returns their number; UINT32_MAX means all transitions.
     * What does not fit is dropped, and *bad is set, if not UINT32_MAX, to the first number out of range. */
    uint32_t (*obligations)(const state *s, uint32_t t, uint32_t *list, uint32_t max, uint32_t *bad);
    /* How much memory onager_batch.scratch needs. */
    size_t (*scratch_bytes)(void);
    /* With ONAGER_STUBBORN, else NULL. The stubborn set of a state: fills list (room for transitions) with the
     * component that the search ended with, in the order of firing. Returns their number: 0 if no component has an
     * enabled transition. */
    uint32_t (*stubborn_set)(const uint64_t *words, uint32_t *list, void *scratch);
    /* Many states at a time. Both return how many sources are done; fewer than count: see `fault`. */
    uint32_t (*expand)(struct onager_batch *batch);
    uint32_t (*classify)(struct onager_batch *batch);
    /* valuations[k]: bit i tells whether ask[i] holds in source k. */
    uint32_t (*valuate)(struct onager_batch *batch);
};

/* Exported as `onager_asset` by a plug-in that was made of a model in ASSET's language (asset_model.h). */
struct onager_asset {
    const unsigned *wishes;                /* ONAGER_WISH_... of asset_calls.h */
    const unsigned long long *most_states; /* that are wanted; 0: any number */
    const char *(*printed)(void);          /* by nr_transitions; or NULL */
};

/* ---- The strict build: see strict.h ---- */

/* A place in the source, as the compiler's checks tell it. */
struct onager_place {
    const char *file;
    uint32_t line, column;
};

/* Who is told of each access to memory before it is done, by a call from `pc`, while model code runs. Accesses outside
 * low..high, and not near 0, are not told. If the call does not return, the access is not done. */
enum { ONAGER_LOAD = 0, ONAGER_STORE = 1, ONAGER_BULK = 2 }; /* BULK: memcpy and such, and structs */
struct onager_watcher {
    uintptr_t low, high;
    uint64_t work; /* accesses so far, told or not, and calls: a measure that does not depend on the machine */
    void (*access)(struct onager_watcher *w, uintptr_t address, size_t size, unsigned access, uintptr_t pc);
    /* An index is outside its array: `type` is that of the array, as in "uint8_t [7]". */
    void (*index)(struct onager_watcher *w, const struct onager_place *place, const char *type, int64_t index);
    void (*division)(struct onager_watcher *w, const struct onager_place *place);
};

/* Exported as `onager_strict` by a plug-in that was compiled with strict.h instead of engine.h. States are those of
 * this build. */
struct onager_strict {
    uint32_t abi;
    uint32_t native_size;
    uint32_t field_count;
    uint32_t widened; /* members of variables of less bits are wider than usual: ONAGER_WIDE */
    const struct onager_field *fields;
    const struct onager_proposition *propositions, *propositions_end;
    const struct onager_model *model;
    const char *(*raised)(void);
    void (*watch)(struct onager_watcher *w); /* from now on, in this thread; NULL: nobody */
    /* Calls obligations, and forgets what they are. */
    void (*obligations)(const state *s, uint32_t t);
};

/* Exported as `onager_observer` by a plug-in that was compiled with observe.h instead of engine.h (see there). For any
 * number of threads at a time. */
struct onager_observer {
    uint32_t abi;
    uint32_t native_size; /* bytes of the model's struct */
    uint32_t words;
    uint32_t field_count;
    const struct onager_field *fields;
    bool (*pack)(const state *s, uint64_t *words); /* false: a value is out of range, `words` is undefined */
    void (*unpack)(state *s, const uint64_t *words);
    bool (*fire)(state *s, unsigned t); /* the model's own. It can depend on nothing that may change but *s, and changes
                                         * nothing else, unless it stores in the writable data of the plug-in */
    /* Only with ONAGER_READ, else NULL. The same is true of these; without the function, they say NULL or false. */
    const char *(*check_state)(const state *s);
    const char *(*check_deadlock)(const state *s);
    bool (*may_progress)(const state *s);
    bool (*must_progress)(const state *s);
    const char *(*action)(const state *s, unsigned t);
    const struct onager_proposition *propositions, *propositions_end;
    const void *raised;    /* where model_error tries to store */
    const char *formatted; /* what format returns */
};

#endif
