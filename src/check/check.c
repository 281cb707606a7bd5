#include "check/check.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "explore/bfs.h"
#include "check/certificate.h"
#include "check/coverage.h"
#include "explore/dfs.h"
#include "check/answer.h"
#include "check/property/property_ops.h"
#include "store/omissions.h"

bool questions_options(struct questions *q, struct ts *ts, struct ts_worker *w, struct problem *why) {
    for (const struct property_row *row = property_table; row->name; row++)
        if ((q->checks & row->id) && property_ops(row)->options && !property_ops(row)->options(q, ts, w, why))
            return false;
    return true;
}

void questions_fini(struct questions *q) { free(q->made); }

/* ---- Construction, and what is found on the fly ---- */

static void search(struct check *c, const word *start, const struct bfs_goals *goals) {
    if (c->s.states > 0) {
        assert(c->position.expanded <= c->position.level_end && c->position.level_end <= c->s.trail.count);
        bfs_resume(&c->s, c->position.expanded, c->position.level_end, goals, &c->stop);
        return;
    }
    struct dfs_goals deep = {.common = *goals, .termination = (c->a->checked & PROP_TERMINATION) != 0};
    if (c->q->order == ORDER_BFS) {
        bfs_run(&c->s, start, goals, &c->stop);
        return;
    }
    dfs_run(&c->s, start, &deep, &c->end, &c->stop);
    c->terminating = deep.termination && c->stop.kind == STOP_DONE;
    if (c->terminating) c->position.passed |= PROP_TERMINATION;
    c->traced = c->stop.kind != STOP_DONE && c->stop.kind != STOP_LIMIT;
    trace_fini(&c->a->trace);
    c->a->trace = c->end.way;
    c->end.way = (struct trace){0};
    if (c->traced) c->a->note = "the execution was found depth-first: it need not be a shortest one";
}

/* The same, of the state where the search has stopped. */
static void answer_state(struct check *c, enum property property, enum ts_feature feature) {
    struct stop way = {.kind = STOP_DONE};
    if (check_trace_to_stop(c, &way)) {
        check_answer_end(c, property, feature);
    } else {
        check_inconclusive(c, way.reason);
        check_forget_trace(c);
    }
}

static void answer_stuck(struct check *c) {
    struct stop way = {.kind = STOP_DONE};
    if (check_trace_to_stop(c, &way)) {
        check_stuck(c, true);
    } else {
        check_inconclusive(c, way.reason);
        check_forget_trace(c);
    }
}

/* The space was built before. The edges were not saved: if they are wanted, they are noted now. */
static bool build_edges(struct check *c) {
    if (c->s.edges_kept) bfs_resume(&c->s, c->s.states, c->s.states, &(struct bfs_goals){0}, &c->stop);
    check_stop(c);
    return c->stop.kind == STOP_DONE;
}

/* True if the whole space was built and nothing was found. */
static bool build(struct check *c) {
    struct bfs_goals goals = check_goals(c);
    if (c->position.phase != PROP_NONE) return build_edges(c);
    word *start = memory_get(c->ts->words * sizeof(word));
    bool started = check_start(c, start);
    if (started) search(c, start, &goals);
    free(start);
    if (!started) return false;
    if (c->stop.kind == STOP_BAD_STATE) answer_state(c, PROP_SAFETY, TS_CHECK_STATE);
    else if (c->stop.kind == STOP_DEADLOCK) answer_state(c, PROP_DEADLOCK, TS_CHECK_DEADLOCK);
    else if (c->stop.kind == STOP_STUCK) answer_stuck(c);
    else check_stop(c);
    return c->stop.kind == STOP_DONE;
}

/* ---- All of it ---- */

/* Nothing was found, but states may have been left out. */
static void answer_inexact(struct check *c) {
    const struct store *s = &c->s.store;
    uint64_t states = c->s.states;
    char *losses = losses_told(s->kind, store_omitted(s, states), store_coverage(s, states));
    check_answer(c, VERDICT_INCONCLUSIVE, PROP_NONE, text_format("no error found, but %s", losses));
    free(losses);
}

/* The questions about the whole space, but those that were answered before. */
static bool ask_all(struct check *c) {
    for (const struct property_row *row = property_table; row->name; row++) {
        if (row->when != AFTER || !(c->a->checked & ~c->position.passed & row->id)) continue;
        if (c->position.phase != row->id) bitmap_fini(&c->position.marked); /* marks of another question */
        c->position.phase = row->id;
        if (!property_ops(row)->ask(c)) return false;
        c->position.passed |= row->id;
    }
    return true;
}

/* What holds, though the check as a whole came to no answer: what was gone through, one by one, if the reduction
 * justifies it. */
static unsigned held(const struct check *c) {
    unsigned passed = c->position.passed, held = 0, raising = 0;
    for (const struct property_row *row = property_table; row->name; row++) {
        if (c->built && row->when == ON_THE_FLY && row->needs & NEEDS_FUNCTION) passed |= row->id;
        if (row->when == AFTER && row->target) raising |= row->id; /* it runs code of the model that may raise errors */
    }
    if (c->built && !(c->a->checked & ~passed & raising)) passed |= PROP_MODEL_ERROR;
    for (const struct property_row *row = property_table; row->name; row++)
        if (passed & c->a->checked & row->id &&
            !property_gap(row->id, &c->ts->reduction, c->terminating, property_symmetric(c->ts)))
            held |= row->id;
    return held;
}

/* Which actions are sure to occur again and again is told even if no test asks. */
static bool wants_judgement(const struct check *c) {
    return c->ts->whole_counts && !c->a->census.judged && !c->ts->reduction.stubborn &&
           c->s.states <= CENSUS_STATES / 10;
}

/* After a search that may have ended early, or that took errors for states. */
static void take_census(struct check *c, const struct means *means) {
    struct answer *a = c->a;
    if (!c->ts->whole_counts || c->ts->reduction.stubborn || c->q->order != ORDER_BFS) return;
    bool early = a->verdict == VERDICT_VIOLATED && (a->property & (PROP_SAFETY | PROP_DEADLOCK));
    bool errors = a->verdict == VERDICT_HOLDS && ts_has(c->ts, TS_CHECK_STATE) && !(a->checked & PROP_SAFETY);
    if (!early && !errors) return;
    census_fini(&a->census);
    census_take(&a->census, c->ts, c->w, &c->s.limits, means);
    if (a->census.whole) {
        a->states = a->census.states;
        a->edges = a->census.edges;
        a->terminals = a->census.terminals;
        a->depth = a->census.depth;
    } else if (early) {
        a->note = "the counts are those of the part that was explored before the error was found";
    }
}

/* Is the model always may-terminating, if something depends on it that does not ask for it? Else model errors that
 * stubborn sets leave out are not covered, and no more is said about them than that none was met; property_gap tells
 * the rest. False: the search was given up, which is the answer. */
static bool cover_rest(struct check *c) {
    struct answer *a = c->a;
    if (!property_wants_termination(a->checked, &c->ts->reduction)) return true;
    if (!c->terminating && !c->q->no_termination) {
        if (c->position.phase != PROP_TERMINATION) bitmap_fini(&c->position.marked); /* of another question */
        c->position.phase = PROP_TERMINATION;
        if (!check_endings(c)) return false;
        if (c->terminating) c->position.passed |= PROP_TERMINATION;
    }
    if (c->terminating) {
        a->checked |= PROP_TERMINATION;
        return true;
    }
    unsigned unsaid = property_unsaid(a->checked, &c->ts->reduction);
    a->checked &= ~unsaid;
    a->unchecked |= unsaid;
    if (!a->note && unsaid)
        a->note = c->q->no_termination
                      ? "model errors are not covered: stubborn sets may leave some out unless the model is always "
                        "may-terminating, and that check is switched off"
                      : "model errors are not covered: stubborn sets may leave some out, since the model is not always "
                        "may-terminating";
    return true;
}

/* Are kept edges of use to a question that is still to be asked? A fair one is asked of a product. */
static bool wants_edges(const struct check *c) {
    unsigned open = c->a->checked & ~c->position.passed & ~(c->q->fair ? (unsigned)PROP_MUST : 0);
    for (const struct property_row *row = property_table; row->name; row++)
        if ((open & row->id) &&
            (row->needs & NEEDS_EDGES || (row->needs & NEEDS_EDGES_BFS && c->q->order != ORDER_DFS)))
            return true;
    return false;
}

static void run_checks(struct check *c) {
    unsigned checks = c->q->checks;
    bool need = property_needs_termination(checks, &c->ts->reduction) && !c->q->no_termination;
    c->a->checked = checks | (need ? PROP_TERMINATION : 0u);
    c->s.edges_kept =
        !c->position.marked.bits.base && store_gives_back(&c->s.store) &&
        (wants_edges(c) || (property_wants_termination(checks, &c->ts->reduction) && !c->q->no_termination));
    if (c->q->fair)
        c->a->note = checks & PROP_MAY
                         ? "must progress is checked for fair executions only; may progress does not depend on "
                           "fairness"
                         : "must progress is checked for fair executions only";
    if (!(c->q->engine == STATES_SYMBOLIC ? check_build_symbolic : build)(c)) {
        if (c->stop.kind == STOP_TRAP) check_trap(c);
        return;
    }
    if (!store_exact(&c->s.store)) {
        answer_inexact(c);
        return;
    }
    c->built = true;
    if (!ask_all(c)) return;
    if (wants_judgement(c) && !check_action_progress(c)) return;
    if (!cover_rest(c)) return;
    checks &= ~c->a->unchecked;
    const char *gap =
        property_gap(checks ? checks : c->q->checks, &c->ts->reduction, c->terminating, property_symmetric(c->ts));
    if (gap) check_inconclusive(c, gap);
    else check_answer(c, VERDICT_HOLDS, PROP_NONE, NULL);
}

/* ---- Checkpoints ---- */

static void save(void *context, struct space *s, uint64_t expanded, uint64_t level_end, const struct bitmap *marked) {
    struct check *c = context;
    struct position p = c->position;
    position_take(&p, s, expanded, level_end);
    p.marked = marked ? *marked : (struct bitmap){0};
    problem_fini(&c->a->checkpoint);
    c->a->checkpoint = (struct problem){0};
    c->a->saved = checkpoint_write(&c->checkpoint, s, &p, &c->a->checkpoint);
    s->saver.next = c->checkpoint.next;
}

/* False: there is none that can be used, which is the answer. */
static bool open_checkpoint(struct check *c, const struct means *means) {
    struct problem why = {0};
    if (!means || !means->checkpoint) return true;
    checkpoint_init(&c->checkpoint, means->checkpoint, means->every, c->ts, c->q);
    bool good = means->resume ? checkpoint_read(&c->checkpoint, &c->s, &c->position, &why)
                              : checkpoint_begin(&c->checkpoint, &why);
    if (good) c->s.saver = (struct saver){save, c, c->checkpoint.next};
    c->a->refused =
        !good && why.status != EXIT_INCONCLUSIVE; /* a limit that is reached while it is read is an answer */
    if (!good) c->s.states = c->position.states;  /* all counts are those of the checkpoint, as far as it was read */
    if (!good)
        check_answer(c, why.status == EXIT_INCONCLUSIVE ? VERDICT_INCONCLUSIVE : VERDICT_ERROR, PROP_NONE,
                     memory_copy_string(why.text));
    c->terminating = (c->position.passed & PROP_TERMINATION) != 0;
    problem_fini(&why);
    return good;
}

/* Of a search that was complete, and was begun here. */
static void tell_fired(const struct check *c) {
    struct answer *a = c->a;
    if (!c->s.fired || !c->built) return;
    a->fired_known = true;
    a->never_fired = memory_get((c->ts->transitions + UINT64_C(1)) * sizeof *a->never_fired);
    for (uint32_t t = 0; t < c->ts->transitions; t++)
        if (!c->s.fired[t]) a->never_fired[a->never_fired_count++] = t;
}

void check_run(struct answer *a, struct ts *ts, struct ts_worker *w, const struct questions *q,
               const struct limits *limits, const struct means *means, const struct ticker *ticker) {
    struct check c = {.a = a, .ts = ts, .w = w, .q = q};
    struct problem why = {0};
    double start = clock_seconds();
    *a = (struct answer){.verdict = VERDICT_INCONCLUSIVE, .threads = 1, .search.order = q->order, .exact = true};
    trace_init(&a->trace, ts->words);
    if (q->order == ORDER_RANDOM) {
        check_random(&c, limits, means, ticker);
        check_rules(&c, limits, ticker);
        check_concrete(&c);
    } else if (space_init(&c.s, ts, w, limits, means, &why)) {
        explicit_graph_init(&c.graph, &c.s);
        if (ticker) c.s.ticker = *ticker;
        if ((!means || !means->resume) && q->engine != STATES_SYMBOLIC)
            c.s.fired = memory_get_zeroed(ts->transitions + UINT64_C(1));
        if (open_checkpoint(&c, means)) {
            run_checks(&c);
            check_rules(&c, limits, ticker);
        }
        if (q->certificate && a->verdict == VERDICT_HOLDS)
            certificate_write(q->certificate, &c.s, q, a->checked, &a->certificate);
        a->states = c.s.states;
        a->edges = c.s.edges;
        a->terminals = c.s.terminals;
        a->depth = space_depth(&c.s);
        a->threads = c.s.team.size;
        a->store = c.s.store.kind;
        a->exact = store_exact(&c.s.store);
        a->omitted = store_omitted(&c.s.store, a->states);
        a->coverage = store_coverage(&c.s.store, a->states);
        if (!a->exact) check_set_aside(&c);
        take_census(&c, means);
        check_concrete(&c);
        tell_fired(&c);
        if (c.s.fired && c.built && q->coverage) a->exercised = coverage_take(&c.s, &c.stop);
        free(c.s.fired);
        check_end_symbolic(&c);
        space_fini(&c.s);
    } else {
        check_inconclusive(&c, why.text);
    }
    assert(a->verdict != VERDICT_HOLDS || a->exact); /* who may have left out states proves nothing */
    assert((a->verdict == VERDICT_VIOLATED) == (a->property != PROP_NONE) && !(a->checked & a->unchecked));
    if (a->verdict == VERDICT_INCONCLUSIVE) a->held = held(&c);
    bitmap_fini(&c.position.marked);
    if (c.checkpoint.folder) checkpoint_fini(&c.checkpoint);
    dfs_end_fini(&c.end);
    problem_fini(&why);
    a->seconds = clock_seconds() - start;
}

void answer_fini(struct answer *a) {
    free(a->message);
    trace_fini(&a->trace);
    census_fini(&a->census);
    free(a->never_fired);
    coverage_free(a->exercised);
    free(a->ltl.formula);
    free(a->ltl.file);
    free(a->tester.name);
    free(a->tester.absent);
    free(a->symbolic.states);
    free(a->symbolic.edges);
    free(a->symbolic.terminals);
    problem_fini(&a->certificate);
    problem_fini(&a->checkpoint);
}
