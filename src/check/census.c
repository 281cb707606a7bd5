#include "check/census.h"

#include <stdlib.h>

#include "explore/bfs.h"

void census_judge(struct census *n, const struct ts *ts, const struct terminal_sets *t) {
    const struct terminal_set *where;
    n->judged = true;
    n->failed = memory_get((ts->progress_count + 1) * sizeof *n->failed);
    n->rare = memory_get(ts->actions * sizeof *n->rare);
    for (uint32_t i = 0; i < ts->progress_count; i++)
        if (terminal_failure(t, ts, &ts->progress[i], &where) != TERMINAL_NONE) n->failed[n->failed_count++] = i;
    for (uint32_t a = 1; a < ts->actions && !ts->reduction.stubborn; a++)
        if (terminal_lacks(t, a)) n->rare[n->rare_count++] = a;
}

/* What a look at every state finds. */
struct finds {
    uint64_t bad, first_bad, first_deadlock; /* first: TERMINAL_NONE if there is none */
};

/* Whether a state without successors is a deadlock: FOUND. */
static enum outcome look_for_deadlock(struct space *s, const word *state, struct stop *stop) {
    const char *message = NULL;
    struct ts_fault fault;
    if (!ts_has(s->ts, TS_CHECK_DEADLOCK)) return OUTCOME_NONE;
    if (!s->ts->ops->check(s->worker, state, TS_CHECK_DEADLOCK, &message, &fault)) {
        *stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
        return OUTCOME_GIVEN_UP;
    }
    return message ? OUTCOME_FOUND : OUTCOME_NONE;
}

static bool look_at_states(struct space *s, struct finds *f, struct stop *stop) {
    struct ts_batch batch;
    struct walk walk;
    *f = (struct finds){0, TERMINAL_NONE, TERMINAL_NONE};
    ts_batch_init(&batch, s->ts, ts_batch_states(s->ts));
    batch.wanted = TS_BAD;
    walk_init(&walk, s, false, 0, batch.capacity);
    while (walk_next(&walk, stop)) {
        batch.sources = walk.states;
        batch.count = walk.count;
        if (s->ts->ops->classify(s->worker, &batch) < walk.count ||
            s->ts->ops->expand(s->worker, &batch) < walk.count) {
            *stop = (struct stop){.kind = STOP_FAULT, .fault = batch.fault};
            break;
        }
        for (uint32_t i = 0, begin = 0; i < walk.count; begin = batch.ends[i++]) {
            uint64_t number = walk.first + i;
            if (batch.classes[i] & TS_BAD) {
                f->bad++;
                if (f->first_bad == TERMINAL_NONE) f->first_bad = number;
            } else if (batch.ends[i] == begin && f->first_deadlock == TERMINAL_NONE &&
                       look_for_deadlock(s, walk.states + (size_t)i * s->ts->words, stop) == OUTCOME_FOUND) {
                f->first_deadlock = number;
            }
        }
        if (stop->kind != STOP_DONE) break;
    }
    bool good = walk_fini(&walk) && stop->kind == STOP_DONE;
    ts_batch_fini(&batch);
    return good;
}

static void name_error(struct census *n, struct space *s) {
    const char *message = NULL;
    struct ts_fault fault;
    const word *last = trace_state(&n->error, n->error.count - 1);
    if (s->ts->ops->check(s->worker, last, TS_CHECK_STATE, &message, &fault) && message)
        n->error_message = memory_copy_string(message);
}

static bool judge(struct census *n, struct space *s, struct stop *stop) {
    struct terminal_sets t;
    bool good = terminal_run(&t, s, stop);
    if (good) census_judge(n, s->ts, &t);
    terminal_fini(&t);
    return good;
}

static bool describe(struct census *n, struct space *s, struct stop *stop) {
    struct finds f;
    if (!look_at_states(s, &f, stop)) return false;
    n->states = s->states - f.bad;
    n->edges = s->edges;
    n->terminals = s->terminals - f.bad;
    n->depth = space_depth(s);
    n->has_error = f.bad > 0;
    n->has_deadlock = f.first_deadlock != TERMINAL_NONE;
    if (n->has_error && !trace_to(&n->error, s, f.first_bad, stop)) return false;
    if (n->has_deadlock && !trace_to(&n->deadlock, s, f.first_deadlock, stop)) return false;
    if (n->has_error) name_error(n, s);
    return n->has_error || judge(n, s, stop);
}

void census_take(struct census *n, struct ts *ts, struct ts_worker *w, const struct limits *limits,
                 const struct means *means) {
    struct space s;
    struct problem why = {0};
    struct ts_fault fault;
    struct stop stop;
    struct limits some = *limits;
    struct means same = means ? *means : (struct means){0};
    word *start = memory_get(ts->words * sizeof(word));
    if (!some.max_states || some.max_states > CENSUS_STATES) some.max_states = CENSUS_STATES;
    same.checkpoint = NULL;
    trace_init(&n->error, ts->words);
    trace_init(&n->deadlock, ts->words);
    if (ts->ops->initial(w, start, &fault) && space_init(&s, ts, w, &some, &same, &why)) {
        bfs_run(&s, start, &(struct bfs_goals){0}, &stop);
        n->whole = stop.kind == STOP_DONE && store_exact(&s.store) && describe(n, &s, &stop);
        space_fini(&s);
    }
    problem_fini(&why);
    free(start);
}

void census_fini(struct census *n) {
    trace_fini(&n->error);
    trace_fini(&n->deadlock);
    free(n->error_message);
    free(n->failed);
    free(n->rare);
    *n = (struct census){0};
}
