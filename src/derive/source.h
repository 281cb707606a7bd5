/* source.h: a model as it is seen by one who knows nothing of the state.
 *
 * A unit is a piece of the model's code that looks at one state: a transition, check_state, a proposition. It runs
 * until it reads a variable whose value is not known. There it stands at a point, and goes on once for each value that
 * the variable may have. In the end it has told what it does: a leaf. All runs of a unit together are its read tree,
 * or, where points with the same future are one, its read DAG: they say what the unit does in every state, reached or
 * not.
 *
 *     who makes them    model/c/reading/read_source.h, of C models, from machine code;
 *                       tests/unit/acted.h, for tests
 *     who asks          derive/: it visits only values that are possible so far
 *
 * Whatever a unit does must depend on the values that it has read, and on nothing else. What cannot be seen to be so is
 * a leaf of kind LEAF_UNKNOWN.
 */
#ifndef DERIVE_SOURCE_H
#define DERIVE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

/* ---- Variables ---- */

/* An element of an array is a variable of its own. A state has its value, packed, from bit `first` on, the low bits
 * first. A variable is narrow if it has at most SOURCE_SLOTS values: each of them is a slot. The values of a wide one,
 * which has no slots, are not told apart. */
enum { SOURCE_SLOTS = 256 };
struct source_variable {
    const char *name; /* "C[2]" */
    uint32_t first;   /* bit of packed states */
    uint32_t bits;    /* at most 64; it may begin in one word and end in the next */
    uint32_t slots;   /* packed, its values are 0, 1, ..., slots-1; 0: it is wide */
};

/* ---- Units ---- */

enum unit_kind {
    UNIT_TRANSITION,     /* disabled, or enabled with what it stores */
    UNIT_CHECK_STATE,    /* a function of the state: 0: fine; 1: bad */
    UNIT_CHECK_DEADLOCK, /* the same; asked in terminal states only */
    UNIT_MAY_PROGRESS,   /* 0 or 1 */
    UNIT_MUST_PROGRESS,  /* 0 or 1 */
    UNIT_PROPOSITION,    /* 0 or 1 */
    UNIT_ACTION,         /* the number of the action that transition `of` shows, where it is enabled */
};

struct source_unit {
    enum unit_kind kind;
    uint32_t of;      /* transition, or proposition */
    const char *name; /* "server 2" */
};

/* ---- Points ---- */

/* Unit u at its beginning, or where it wants a value. Two equal points of one unit have the same future. */
typedef uint32_t point;

enum point_kind {
    POINT_READ, /* wants the value of `variable` */
    LEAF_DISABLED,
    LEAF_ENABLED, /* of transitions: stores what `stores` says */
    LEAF_VALUE,   /* of others: `value` */
    LEAF_ERROR,   /* it fails: model_error, a value out of range, a bad index, division by zero, a crash, no end */
    LEAF_UNKNOWN, /* what it does was not seen, or depends on more than it has read: it may do anything */
};

/* A variable that was stored to. It may have had the value before. */
struct source_store {
    uint32_t variable;
    uint64_t value; /* as packed */
};

struct point_view {
    enum point_kind kind;
    uint32_t variable;                 /* POINT_READ */
    uint64_t value;                    /* LEAF_VALUE */
    const struct source_store *stores; /* LEAF_ENABLED: the last one to each variable, by increasing variable */
    uint32_t store_count;
    const char *text; /* LEAF_ERROR, LEAF_UNKNOWN: what happened, a clause without a full stop */
};

/* ---- Asking ---- */

struct source;

struct source_ops {
    void (*close)(struct source *s);
    /* The first point of unit u. `merged`: points with the same future are one, as far as that is seen; a tree takes
     * fewer steps where it is small. The points of both are different ones. On no way is a variable asked for twice, so
     * there are no circles. Merged points may be found out to be too few for that, while they are made: then there is a
     * LEAF_UNKNOWN in some place, and asking for the first point again gives another one, with more points behind it,
     * and without that leaf. */
    point (*begin)(struct source *s, uint32_t unit, bool merged);
    /* Where a unit gets to that goes on from point p, which is a POINT_READ, with this value, as packed. The same
     * question has the same answer. */
    point (*next)(struct source *s, point p, uint64_t value);
    /* What is at p. The answer lasts as long as the source. */
    struct point_view (*view)(struct source *s, point p);
    /* Of a LEAF_ERROR or LEAF_UNKNOWN: "ring.c:12", or NULL: not known. It takes a while, once for each place. */
    const char *(*place)(struct source *s, point p);
    /* Forgets the points of all units (to keep the memory small). NULL: cannot. */
    void (*forget)(struct source *s);
};

/* It is used and closed by the thread that has opened it. Several of one model may be used at the same time, and answer
 * the same but for the numbers of points. */
struct source {
    const struct source_ops *ops;
    uint32_t variable_count, unit_count;
    const struct source_variable *variables;
    const struct source_unit *units;
    const uint64_t *initial; /* the packed initial state */
    uint32_t words;          /* ... has so many */
    /* Whoever asks may set it, or leave NULL. Once it is over, what has not been asked before is LEAF_UNKNOWN. */
    struct effort *effort;
};

/* The value of a variable in a packed state. */
static inline uint64_t source_value(const struct source_variable *x, const uint64_t *state) {
    uint32_t word = x->first / 64, shift = x->first % 64;
    uint64_t value = state[word] >> shift;
    if (shift + x->bits > 64) value |= state[word + 1] << (64 - shift);
    return x->bits < 64 ? value & ((UINT64_C(1) << x->bits) - 1) : value;
}

#endif
