#include "check/census.h"

#include <assert.h>
#include <stdlib.h>

#include "explore/bfs.h"
#include "graph/explicit.h"
#include "graph/sweep.h"

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

/* What a look at every state finds; by thread. */
struct finds {
    uint64_t bad, first_bad, first_deadlock; /* first: TERMINAL_NONE if there is none */
};

struct look {
    struct space *s;
    struct sweep sweep;
    struct finds *finds;
};

/* State i of the batch has no successors. Is it a deadlock? */
static bool is_deadlock(struct look *l, unsigned member, const struct sweep_batch *x, uint32_t i) {
    const struct ts *ts = l->s->ts;
    const word *state = x->states + (size_t)i * ts->words;
    const char *message = NULL;
    struct ts_fault fault;
    if (!ts_has(ts, TS_CHECK_DEADLOCK)) return false;
    if (ts->ops->check(l->s->members[member].worker, state, TS_CHECK_DEADLOCK, &message, &fault)) return message;
    sweep_fault(&l->sweep, x, i, &fault);
    return false;
}

static void look_at(void *context, unsigned member, const struct sweep_batch *x) {
    struct look *l = context;
    struct finds *f = &l->finds[member];
    for (uint32_t i = 0; i < x->count; i++) {
        uint64_t number = x->numbers[i];
        if (x->classes[i] & TS_BAD) {
            f->bad++;
            if (number < f->first_bad) f->first_bad = number;
        } else if (sweep_begin(x, i) == sweep_end(x, i) && number < f->first_deadlock && is_deadlock(l, member, x, i)) {
            f->first_deadlock = number;
        }
    }
}

static bool look_at_states(struct space *s, struct finds *f, struct stop *stop) {
    struct look l = {.s = s, .finds = memory_get(s->team.size * sizeof *l.finds)};
    *f = (struct finds){0, TERMINAL_NONE, TERMINAL_NONE};
    for (unsigned k = 0; k < s->team.size; k++) l.finds[k] = *f;
    l.sweep = (struct sweep){.s = s,
                             .phase = "counting",
                             .context = &l,
                             .need = SWEEP_STATES | SWEEP_EDGES,
                             .classes = TS_BAD,
                             .take = look_at};
    sweep_init(&l.sweep);
    bool good = sweep_all(&l.sweep, stop);
    sweep_fini(&l.sweep);
    for (unsigned k = 0; k < s->team.size; k++) {
        const struct finds *some = &l.finds[k];
        f->bad += some->bad;
        if (some->first_bad < f->first_bad) f->first_bad = some->first_bad;
        if (some->first_deadlock < f->first_deadlock) f->first_deadlock = some->first_deadlock;
    }
    free(l.finds);
    return good;
}

static void name_error(struct census *n, struct space *s) {
    const char *message = NULL;
    struct ts_fault fault;
    const word *last = trace_state(&n->error, n->error.count - 1);
    if (s->ts->ops->check(s->worker, last, TS_CHECK_STATE, &message, &fault) && message)
        n->error_message = memory_copy_string(message);
}

static bool judge(struct census *n, struct state_graph *g, struct stop *stop) {
    struct terminal_sets t;
    bool good = graph_bottoms(g, &t, stop);
    if (good) census_judge(n, g->ts, &t);
    terminal_fini(&t);
    return good;
}

static bool describe(struct census *n, struct space *s, struct stop *stop) {
    struct finds f;
    struct state_graph g;
    explicit_graph_init(&g, s);
    if (!look_at_states(s, &f, stop)) return false;
    assert(f.bad <= s->terminals); /* ERROR has no successors */
    n->states = s->states - f.bad;
    n->edges = s->edges;
    n->terminals = s->terminals - f.bad;
    n->depth = space_depth(s);
    n->has_error = f.bad > 0;
    n->has_deadlock = f.first_deadlock != TERMINAL_NONE;
    if (n->has_error && !graph_way(&g, f.first_bad, &n->error, stop)) return false;
    if (n->has_deadlock && !graph_way(&g, f.first_deadlock, &n->deadlock, stop)) return false;
    if (n->has_error) name_error(n, s);
    return n->has_error || judge(n, &g, stop);
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
