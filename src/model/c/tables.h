/* tables.h: successors from tables instead of from model code.
 *
 * What a transition does depends on few variables, as a rule. Then a table says for each combination of their values
 * which bits of the state it flips, or that it is disabled; to look that up takes no branch that a processor could
 * mispredict. Other tables, each for several transitions that depend on few bits together, say how many of them are
 * enabled: where some successors are left out, that is all that is needed of these. States are one word.
 *
 * Which bits a transition uses, and what it does, is asked for when it is needed: `ask` (see trial_fire in trial.h)
 * says what t does in the source, and on which bits that depends. All states with the same bits there have the same
 * entry. The answer is compared with the successors that the caller has found by other means; where they differ, or too
 * much would have to be kept, the tables are given up. The successors, and their order, are the same with tables and
 * without; but those that the caller knows, if it tells how the sources were found, may be left out (sleep.h). What was
 * found out is noted as facts that were seen (ts/facts.h), so that the tables of all threads learn from each other.
 */
#ifndef MODEL_C_TABLES_H
#define MODEL_C_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/c/table_obstacle.h"
#include "reduce/sleep.h"
#include "ts/ts.h"

/* 1: *successor; 0: disabled; -1: not known. *uses: the bits that this depends on, and those that are changed. */
typedef int lookup_ask(void *context, word source, uint32_t t, word *successor, word *uses);

enum lookup_phase {
    LOOKUP_LEARNS, /* which bits are used: lookup_learn is to be called for some states */
    LOOKUP_WORKS,
    LOOKUP_GIVEN_UP, /* for good; there are no tables any more */
};

struct lookup {
    enum lookup_phase phase; /* every call of lookup_learn may change it */
    enum obstacle obstacle;  /* why they were given up; OBSTACLE_DIFFERENT also if the answer was not known */
    uint32_t transitions;
    bool forward; /* the order of firing: see struct reduction */
    lookup_ask *ask;
    void *context;
    struct lookup_move {
        word mask;       /* the bits that matter, as far as is known */
        uint64_t *flips; /* by their values: 0 if disabled; else what is flipped, the mark, and, at TS_ORIGIN_SHIFT, the
                          * origin, if origins are known */
    } * moves;           /* in the order of firing */
    struct lookup_group {
        word mask;       /* the bits that matter to one of its moves */
        uint32_t size;   /* moves; fewer than LOOKUP_UNKNOWN */
        uint8_t *counts; /* by their values: how many are enabled, or LOOKUP_UNKNOWN */
    } * groups;          /* of moves */
    uint32_t *group_of;  /* by move */
    uint32_t group_count;
    void *memory; /* of all tables */
    uint32_t learnt, regrouped;
    struct facts_seen *facts;
    bool origins;       /* are known; else nothing is left out */
    struct sleep sleep; /* made of the facts */
};

enum { LOOKUP_UNKNOWN = 128 };

/* Whether this machine is one on which tables are fast. */
bool lookup_is_fast(void);

/* The facts belong to all threads that look the same transitions up. With `origins`, there are at most
 * SLEEP_TRANSITIONS, and states leave their high byte free. */
void lookup_init(struct lookup *l, struct facts_seen *facts, bool forward, bool origins, lookup_ask *ask,
                 void *context);
void lookup_fini(struct lookup *l);

/* How far a batch is. */
struct lookup_progress {
    uint32_t next;  /* source */
    uint32_t end;   /* of the successors of those before it */
    uint32_t total; /* edges of those before it, if some successors may be left out */
};

/* The successors of further sources of the batch. Returns at a source that there is no answer for, or no room to write
 * a few words more than its successors; at once, if it is not LOOKUP_WORKS. Labels are not written. */
void lookup_run(struct lookup *l, struct ts_batch *batch, struct lookup_progress *at);

/* The source has these successors, which are labelled with their transitions, in the order of firing. */
void lookup_learn(struct lookup *l, word source, const word *successors, const uint32_t *labels, uint32_t count);

#endif
