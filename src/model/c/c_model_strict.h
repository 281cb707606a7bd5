/* c_model_strict.h: model code run in the strict build (onager/strict.h) as well, to find what the ordinary one does
 * not see: values that do not fit, even if C cuts them off or they come back into their range; indices and pointers
 * that leave their variable or the state; and code that does not do the same every time.
 *
 * That is slow. So it is done for a sample of the expansions: for the first ones, and then for one of so many; for all
 * of them if that is wanted. And when the ordinary plug-in has failed, to say why.
 *
 * What the strict build says is held against another one with the model's own types before it is believed. Where code
 * depends on how states are laid out, these differ, and the first one is not used any more; then stores that C cuts off
 * are not seen. Nothing is said that is not sure: whatever goes wrong with the strict builds, the search does without.
 */
#ifndef MODEL_C_C_MODEL_STRICT_H
#define MODEL_C_C_MODEL_STRICT_H

#include <stdatomic.h>

#include "model/c/strict_build.h"
#include "code/strict_watch.h"

enum c_strict {
    C_STRICT_SAMPLE,
    C_STRICT_ALWAYS,
    C_STRICT_NEVER,
};

/* Which strict build: see strict_build.h. */
enum strict_trust { TRUST_WIDEST, TRUST_WIDE, TRUST_NATIVE, TRUST_NONE };

/* Of a model. */
struct strict {
    enum c_strict mode;
    struct strict_build builds[TRUST_NONE]; /* by enum strict_trust */
    _Atomic enum strict_trust trust;        /* the build that is used */
    _Atomic bool told;                      /* something was found: that is enough */
    _Atomic uint64_t begun, work;           /* expansions without number that were among the first; of all, accesses */
    _Atomic uint64_t checked;               /* expansions */
};

/* Of a worker. */
struct strict_worker {
    struct strict_watch watch[TRUST_NONE];
    bool all;                          /* every expansion */
    uint64_t expanded, due;            /* states so far; nothing is to be done before `due`; UINT64_MAX: never */
    uint64_t classified, classify_due; /* the same */
    word *successors;                  /* of one state, and one more; NULL: not yet */
    uint32_t *labels;
};

struct c_model;
struct ts_worker;

/* Begins to compile if it will be needed. */
void c_strict_init(struct strict *s, const struct c_compile *compile, enum c_strict mode);
void c_strict_fini(struct strict *s);
/* Until that is done: the first state needs it, and then it is known how much memory the program takes. */
void c_strict_await(struct strict *s, const char *identity);
void c_strict_worker_init(struct strict_worker *w, const struct strict *s);
void c_strict_worker_fini(struct strict_worker *w);

/* Expansions that are checked: the first ones, and one of so many. Where the search numbers its states, the number of
 * the source decides, so that which ones these are does not depend on threads. */
enum { STRICT_FIRST = 2000, STRICT_EACH = 8192 };

/* Whether some of the expansions of the batch are to be checked. */
static inline bool c_strict_is_due(struct strict_worker *w, const struct ts_batch *batch) {
    w->expanded += batch->count;
    if (!batch->first || w->all) return __builtin_expect(w->expanded > w->due, 0);
    uint64_t first = batch->first - 1, end = first + batch->count;
    bool due = first < STRICT_FIRST || (end - 1) / STRICT_EACH != (first - 1) / STRICT_EACH;
    return __builtin_expect(due, 0) && w->due != UINT64_MAX;
}
static inline bool c_strict_classify_is_due(struct strict_worker *w, uint32_t count) {
    w->classified += count;
    return __builtin_expect(w->classified > w->classify_due, 0);
}

/* Checks expansions of the batch that are due, whose `count` sources were all expanded; `by_code`: not by tables, so
 * that all successors and their labels are there. Returns as expand does. */
uint32_t c_strict_expand(struct ts_worker *w, struct ts_batch *batch, bool by_code);
uint32_t c_strict_classify(struct ts_worker *w, struct ts_batch *batch);

/* The model's function `where` has failed in state s (NULL: there is none yet), which is in f. If the strict build
 * finds out more, f says so. */
void c_strict_explain(struct ts_worker *w, struct ts_fault *f, const word *s);
/* ts_ops.watched. */
uint64_t c_model_watched(const struct ts *ts, bool *all, const char **limit);
/* After `initial` has come back without a fault. False: see f. */
bool c_strict_initial(struct ts_worker *w, struct ts_fault *f);

#endif
