/* strict_watch.h: one state of the strict build (onager/strict.h), watched while model code works on it.
 *
 * The state stands between unused bytes, and so does each of its members. Before each access to memory, the plug-in
 * tells the watch, which finds out whether it belongs to a member. The value that a store leaves behind is looked at
 * before the next access and at the end, so that one that leaves its range is seen even if it comes back.
 *
 * What is found ends the call by a trap, so that calls must be made in a guard (code/guard.h). Code that depends on
 * how a state is laid out, such as a loop over its bytes, is no error, but what it does in the strict build says
 * nothing: that is WATCH_LAYOUT.
 */
#ifndef CODE_STRICT_WATCH_H
#define CODE_STRICT_WATCH_H

#include <onager.h>

#include "ts/ts.h"

enum watch_kind {
    WATCH_NOTHING,
    WATCH_LAYOUT,   /* not an error: see above */
    WATCH_RANGE,    /* `value` was stored in element `index` of `field` */
    WATCH_INDEX,    /* there is no element `index` of `field`, which was accessed */
    WATCH_OUTSIDE,  /* the access was `distance` bytes behind the state, or before it: then that is negative */
    WATCH_NULL,     /* a null pointer, or one that is `distance` above it */
    WATCH_BOUNDS,   /* the compiler's own check: `index` is outside the array at `place` */
    WATCH_DIVISION, /* by zero, at `place` */
};

struct watch_finding {
    enum watch_kind kind;
    bool store;
    bool bulk; /* by memcpy and such, or of a struct */
    const struct onager_field *field;
    int64_t index, value, distance;
    uintptr_t pc; /* of the access; 0: not known */
    const struct onager_place *place;
    const char *type; /* WATCH_BOUNDS: of the array */
    uint64_t stores;  /* so many were done, this one included */
    uint64_t trail;   /* a hash of what these have stored, as the model's own types hold it */
};

struct strict_watch {
    struct onager_watcher watcher; /* the first member */
    const struct onager_strict *plugin;
    void *memory;
    size_t memory_bytes;
    char *object;           /* the state */
    uint32_t words;         /* of a packed state */
    word *last;             /* the packed state that the last call began with, as there are many in the same one; */
    char *unpacked;         /* ... and what the state was then */
    bool any_last, began;   /* whether there is one; whether this call began with it */
    uint64_t stores, trail; /* so far, in this call */
    uint64_t stop_at;       /* this store ends the call; 0: none does */
    struct {
        const struct onager_field *field; /* NULL: none, or all */
        uint32_t first, last;             /* elements */
        bool all, bulk;
        uintptr_t pc;
    } pending; /* the last store, which was not looked at yet */
    struct watch_finding found;
};

/* False: no memory. */
bool strict_watch_init(struct strict_watch *w, const struct onager_strict *plugin);
void strict_watch_fini(struct strict_watch *w);

/* Before a call: the state becomes `words`; NULL: all 0. */
void strict_watch_begin(struct strict_watch *w, const word *words);
/* After it, or after the trap that ended it: what was found is in w->found. */
void strict_watch_end(struct strict_watch *w);
/* The state as it is; the bits that do not fit are lost. `words` words. */
void strict_watch_pack(const struct strict_watch *w, word *out, uint32_t words);

/* Whether the value of an element is in the range of its variable, as this build has it. */
bool strict_watch_fits(const struct strict_watch *w, const struct onager_field *f, uint32_t i);

/* The least and the greatest value of a variable; both as they would be printed. A variable of 64 bits has no range. */
void strict_watch_range(const struct onager_field *field, int64_t *low, uint64_t *high);

#endif
