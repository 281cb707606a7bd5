/* c_model_parts.h: what the files of c_model.h share; for them alone.
 *
 *     c_model.c           opening and closing: is the plug-in one that can be used?
 *     c_model_describe.c  variables, parameters and propositions, as the plug-in lists them
 *     c_model_batch.c     questions about many states, for searches
 *     c_model_strict.c    a sample of these asked again, in the strict build
 *     c_model_state.c     questions about one state or one transition
 *     c_model_print.c     states and transitions as text
 *     c_model_fault.c     guarded calls of model code, and what went wrong in them
 *     c_model_asset.c     models in ASSET's language: what is different in them
 *
 * The functions of c_model_batch.c, c_model_state.c and c_model_print.c are the calls of struct ts_ops with the same
 * names (ts/ts.h), whose contracts they keep.
 */
#ifndef MODEL_C_C_MODEL_PARTS_H
#define MODEL_C_C_MODEL_PARTS_H

#include <pthread.h>

#include <onager.h>
#include <onager/asset_calls.h>

#include "base/names.h"
#include "model/asset/asset_layout.h"
#include "model/c/c_model.h"
#include "model/c/c_model_strict.h"
#include "code/guard.h"
#include "model/c/tables.h"
#include "model/c/observer.h"
#include "model/c/trial.h"

struct value_name {
    const char *start;
    size_t length;
};

struct c_model {
    struct ts ts;
    void *library;
    const struct onager_plugin *plugin;
    const struct onager_model *model;
    const struct onager_asset *asset; /* in ASSET's language; NULL: in C */
    struct ts_ops ops;                /* ... then these */
    struct asset_layout layout;       /* ... and this */
    double endless;
    struct ts_variable *variables; /* all but arrays without elements */
    struct onager_field *fields;   /* of each variable */
    uint32_t *element_bits;        /* of each element of them */
    struct ts_parameter *parameters;
    struct value_names {
        struct value_name *names; /* NULL: the variable's values have no names */
        uint32_t count;
    } * names; /* for each variable */
    char *path, *identity;
    struct names actions; /* as the model names them, in the order in which they are met; 0 is tau */
    pthread_mutex_t actions_lock;
    struct names propositions;             /* "p", or "p.0", "p.1", ... */
    struct onager_ask *asks;               /* by proposition */
    const struct onager_changes **changes; /* by proposition: what may change it, or NULL: not known */
    bool *changes_known;
    bool tables;              /* successors may be looked up */
    struct facts_seen *facts; /* of all tables; NULL: there are none */
    struct observer observer;
    struct observer reader;      /* of all functions, for sources (reading/read_source.h); */
    pthread_mutex_t reader_lock; /* ... made by the first one */
    bool reader_made;
    bool tables_wanted;             /* whoever asked for them wants to know why there are none */
    _Atomic enum obstacle obstacle; /* why they were given up, by a thread at least */
    _Atomic bool looks_up;          /* there was a search that can do with them */
    char *remark;                   /* what was made of that, or NULL */
    struct strict strict;
};

struct ts_worker {
    struct c_model *m;
    struct guard guard;
    struct onager_batch batch;
    state *native; /* room for one native state */
    struct onager_ask ask[64];
    struct trial trial;   /* if there is an observer */
    struct lookup lookup; /* if the trial works; */
    bool has_lookup;      /* ... then this */
    uint32_t looked_up;   /* batches */
    uint8_t *fired;       /* while successors are looked up: ts_batch.fired */
    word *successors;     /* of one state, by code and by tables */
    char text[4096];      /* what the model said last */
    struct strict_worker strict;
};

static inline struct c_model *c_model_of(const struct ts *ts) { return (struct c_model *)(uintptr_t)ts; }

/* ---- c_model_describe.c ---- */

/* Fills in variables, parameters and propositions, also in m->ts. False: they contradict each other, or a parameter was
 * given that the model has not. */
bool c_model_describe(struct c_model *m, const struct c_compile *c, struct problem *why);

/* ---- c_model_batch.c ---- */

uint32_t c_model_expand(struct ts_worker *w, struct ts_batch *batch);
uint32_t c_model_expand_by_code(struct ts_worker *w, struct ts_batch *batch); /* never by tables */
uint32_t c_model_classify(struct ts_worker *w, struct ts_batch *batch);
bool c_model_valuate(struct ts_worker *w, const word *states, uint32_t count, const uint32_t *wanted,
                     uint32_t wanted_count, uint64_t *out, struct ts_fault *fault);

/* ---- c_model_state.c ---- */

bool c_model_initial(struct ts_worker *w, word *out, struct ts_fault *fault);
int c_model_fire(struct ts_worker *w, const word *s, uint32_t t, word *out, struct ts_fault *fault);
bool c_model_representative(struct ts_worker *w, const word *s, word *out, struct ts_fault *fault);
bool c_model_check(struct ts_worker *w, const word *s, enum ts_feature which, const char **message,
                   struct ts_fault *fault);
bool c_model_obligations(struct ts_worker *w, const word *s, uint32_t t, uint32_t *list, uint32_t *count,
                         struct ts_fault *fault);
bool c_model_stubborn_set(struct ts_worker *w, const word *s, uint32_t *list, uint32_t *count, struct ts_fault *fault);
int c_model_may_change(struct ts_worker *w, uint32_t p, uint32_t t, struct ts_fault *fault);
uint32_t c_model_action(struct ts_worker *w, const word *s, uint32_t t, struct ts_fault *fault);
int c_model_observable(struct ts_worker *w, uint32_t t, struct ts_fault *fault);
const char *c_model_action_name(struct ts *ts, uint32_t number);
uint32_t c_model_action_number(struct c_model *m, const char *name); /* a new one if need be */

/* ---- c_model_print.c ---- */

int64_t c_model_value(const struct ts *ts, const word *s, uint32_t v, uint32_t i, const char **name, size_t *length);
bool c_model_print(struct ts_worker *w, const word *s, const word *previous, FILE *out, struct ts_fault *fault);
void c_model_transition_name(struct ts_worker *w, uint32_t t, char *buffer, size_t size);

/* ---- c_model_asset.c ---- */

/* If it is one, fills in what is different in m and m->ts, and shows what nr_transitions has printed. */
void c_model_open_asset(struct c_model *m, const struct c_compile *c);
/* Has it the rules that are wanted? */
bool c_model_asset_complete(const struct c_model *m, const struct c_compile *c, struct problem *why);

#endif
