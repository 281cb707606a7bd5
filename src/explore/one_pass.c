/* ONE-PASS of paper TA, Section 3.3: one search of the product for livelocks.
 *
 * States wait in `work`, a queue or a stack. A state where the automaton does not accept livelocks is expanded; from
 * one where it does, a depth-first search follows the edges that leave the valuation as it is, and puts what other
 * edges lead to in `work`. Two edges of this search that close a cycle are what is looked for. A state that this search
 * has seen is flagged (grey and black in the paper); those on its stack (grey) are the open ones. */
#include <stdlib.h>
#include <string.h>

#include "explore/dfs_stack.h"

struct one_pass {
    struct emptiness *x;
    struct descent d;      /* LLDET */
    struct ts_batch batch; /* of the outer search */
    struct region stack;   /* work, if depth-first; else it is the trail from `read` on */
    uint64_t stacked, read;
    word *state;
};

/* A successor that has just been found is put in `work`. False: it ends the search. */
static bool add_work(struct one_pass *o, const word *state) {
    struct emptiness *x = o->x;
    uint32_t words = x->p->ts.words;
    x->s->states++;
    if (!x->depth_first) {
        space_add(x->s, state);
    } else {
        if (!open_room(&o->stack, (o->stacked + 1) * words * sizeof(word))) return emptiness_no_memory(x);
        memcpy((word *)(void *)o->stack.base + o->stacked++ * words, state, words * sizeof(word));
    }
    if (!(product_accept(x->p, state) & ACCEPT_FINITE)) return true;
    x->found.kind = FOUND_PREFIX;
    found_add(&x->found, x->p, state);
    return false;
}

static enum outcome take_work(struct one_pass *o) {
    struct emptiness *x = o->x;
    uint32_t words = x->p->ts.words;
    if (!x->depth_first) {
        if (o->read == x->s->trail.count) return OUTCOME_NONE;
        if (space_state(x->s, o->read++, o->state)) return OUTCOME_FOUND;
        x->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
        return OUTCOME_GIVEN_UP;
    }
    if (o->stacked == 0) return OUTCOME_NONE;
    memcpy(o->state, (word *)(void *)o->stack.base + --o->stacked * words, words * sizeof(word));
    return OUTCOME_FOUND;
}

static bool report(struct one_pass *o, uint32_t position) {
    struct emptiness *x = o->x;
    x->found.kind = FOUND_LIVELOCK;
    for (uint32_t i = position; i < o->d.open.count; i++) found_add(&x->found, x->p, open_state(&o->d.open, i));
    return false;
}

/* LLDET has an edge to o->d.next. */
static bool look(struct one_pass *o, uint8_t kind) {
    struct emptiness *x = o->x;
    word *next = o->d.next;
    enum inserted inserted = emptiness_insert(x, next, false);
    if (inserted == INSERTED_NOT) return false;
    if (!(kind & EDGE_STILL)) return inserted == INSERTED_BEFORE || add_work(o, next);
    uint32_t position = open_find(&o->d.open, next);
    if (position != OPEN_NONE) return report(o, position);
    if (inserted == INSERTED_NEW) x->s->states++;
    inserted = emptiness_insert(x, next, true);
    return inserted == INSERTED_NEW ? descent_enter(&o->d, next) : inserted == INSERTED_BEFORE;
}

static bool detect_livelock(struct one_pass *o) {
    struct emptiness *x = o->x;
    uint8_t kind;
    enum inserted inserted = emptiness_insert(x, o->state, true);
    if (inserted != INSERTED_NEW) return inserted == INSERTED_BEFORE;
    if (!descent_enter(&o->d, o->state)) return false;
    while (o->d.depth > 0) {
        if (descent_next(&o->d, &kind)) {
            if (!look(o, kind)) return false;
            continue;
        }
        open_pop(&o->d.open, descent_top(&o->d)->position);
        descent_pop(&o->d);
    }
    return true;
}

static bool expand(struct one_pass *o) {
    struct emptiness *x = o->x;
    struct space *s = x->s;
    uint32_t words = x->p->ts.words;
    o->batch.sources = o->state;
    o->batch.count = 1;
    if (s->ts->ops->expand(s->worker, &o->batch) < 1) return emptiness_fault(x, o->state, &o->batch.fault);
    s->edges += o->batch.ends[0];
    if (!emptiness_judge(x, o->state)) return false;
    for (uint32_t e = 0; e < o->batch.ends[0]; e++) {
        word *next = o->batch.successors + (size_t)e * words;
        enum inserted inserted = emptiness_insert(x, next, false);
        if (inserted == INSERTED_NOT || (inserted == INSERTED_NEW && !add_work(o, next))) return false;
    }
    return !space_must_stop(s, "exploring", x->depth_first ? s->states : o->read, s->states, &x->stop);
}

static bool one_pass_init(struct one_pass *o) {
    const struct ts *ts = &o->x->p->ts;
    ts_batch_init(&o->batch, ts, 1);
    o->state = memory_get(ts->words * sizeof(word));
    return descent_init(&o->d, o->x) &&
           (region_init_within(&o->stack, o->x->s->limits.max_memory) || emptiness_no_memory(o->x));
}

void emptiness_one_pass(struct emptiness *x) {
    struct one_pass o = {.x = x};
    struct ts_fault fault;
    x->stop = (struct stop){.kind = STOP_DONE};
    bool good = one_pass_init(&o);
    if (good && !x->s->ts->ops->initial(x->s->worker, o.state, &fault)) {
        x->stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
        good = false;
    }
    good = good && emptiness_insert(x, o.state, false) == INSERTED_NEW && add_work(&o, o.state);
    while (good && take_work(&o) == OUTCOME_FOUND)
        good = product_accept(x->p, o.state) & ACCEPT_LIVELOCK ? detect_livelock(&o) : expand(&o);
    descent_fini(&o.d);
    ts_batch_fini(&o.batch);
    region_fini(&o.stack);
    free(o.state);
}
