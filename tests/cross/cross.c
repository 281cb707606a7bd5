/* cross.c: onager against the naive checker, on random models.
 *
 *     cross [-j JOBS] [--onager PROGRAM] [--model FILE] [--first SEED] [--print N] [-v] [MODELS]
 *
 * For each seed: the reductions are held against the full graph on the naive side (STOP Theorems 1 and 3 to 6), and
 * onager is run in several modes, with options chosen so that every check gets its turn; states, edges, verdict,
 * property, exit status and counterexample must be what expect.c works out. Every few seeds, an audit of the model as
 * it is and of the model with an error planted in it, a replay, and a typical execution; and a run with an error
 * planted in what onager sees only: the comparison must be able to notice it. Runs differ in threads and stores too;
 * some are repeated with another number of threads, which must not make a difference to anything but time and memory.
 * For that there are wide models among the others, and some that are too big for the memory.
 *
 * Ends with the statistics, a complaint if something was never met, and `cross: N passed, N failed`.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "report.h"
#include "tool.h"
#include "trace.h"

enum { MAX_JOBS = 64, AUDIT_STATES = 150, INFINITE_STATES = 3000 };
enum { ERROR_TRIES = 20 };                      /* models, of which one in eight raises errors */
enum { WIDE_EVERY = 20, OVERFLOW_EVERY = 300 }; /* of so many models, one is wide, or fills the memory */
enum { SHARED = 300 };                          /* states in a level: more than one thread's share of the work */
enum { OVERFLOW_TRIES = 8 };                    /* limits on memory that are tried until the store overflows */
enum { FRUGAL_KIB = 1024 };                     /* what onager itself takes at most, without sanitizers */

static const struct form forms[] = {{0, 12}, {1, 24}, {2, 9}}, wide_forms[] = {{0, 24}, {1, 24}};
enum { FORMS = sizeof forms / sizeof forms[0], WIDE_FORMS = sizeof wide_forms / sizeof wide_forms[0] };

struct session {
    struct tool tool;
    bool verbose;
    unsigned long print; /* how many failures, at most, each job */
    struct statistics *statistics;
};

static unsigned mode_number(struct naive_mode mode) { return (unsigned)mode.stubborn + 2 * (unsigned)mode.symmetry; }

__attribute__((format(printf, 2, 3))) static void fail(struct session *s, const char *format, ...) {
    va_list args;
    if (s->statistics->failed++ >= s->print) return;
    va_start(args, format);
    fputs("FAILED: ", stdout);
    vprintf(format, args);
    va_end(args);
    fflush(stdout);
}

/* ---- One run ----------------------------------------------------------------------------------------------------- */

/* Was there a level that several threads had something to do in? */
static bool shares(const struct run *run, const struct expectation *x) {
    return run->options.threads > 1 && !run->options.deep && x->widest >= SHARED;
}

static void count_run(struct statistics *st, const struct run *run, const struct expectation *x) {
    unsigned mode = mode_number(run->options.mode);
    st->stores[run->options.store][x->verdict]++;
    st->shared += shares(run, x);
    st->verdicts[mode][x->verdict]++;
    st->false_alarms += x->false_alarm;
    if (x->verdict != VIOLATED) return;
    st->deep_traps += run->options.deep && x->property == TERMINATION;
    st->properties[mode][x->property]++;
    st->traces++;
}

/* Runs onager and compares. The model is what the naive side believes in. NULL: they agree; else a text to be freed.
 * *document, also to be freed, is what onager wrote. */
static char *differs(const struct session *s, const struct rm_model *m, const struct run *run,
                     struct expectation *expected, char **document) {
    struct naive_graph g, plain;
    struct naive_mode mode = run->options.mode;
    struct answer a;
    char *text = NULL;
    naive_build(&g, m, mode);
    mode.stubborn = false;
    if (run->options.mode.stubborn) naive_build(&plain, m, mode);
    const struct naive_graph *unreduced = run->options.mode.stubborn ? &plain : &g;
    *expected = expect(&run->options, &g, unreduced);
    tool_run(&s->tool, "check", run, &a);
    const char *difference = gave_up(run, &a, expected) ? NULL : compare(run, &a, expected, &g, unreduced);
    if (difference) {
        text = malloc(4096);
        if (!text) abort();
        describe(difference, expected, &a, text, 4096);
    } else if (s->verbose) {
        printf("%s\n  %s %s, %u states, %u edges\n", a.command, verdict_names[expected->verdict],
               property_names[expected->verdict == VIOLATED ? expected->property : NO_PROPERTY], expected->states,
               expected->edges);
    }
    *document = strdup(a.output);
    answer_fini(&a);
    if (unreduced == &plain) naive_free(&plain);
    naive_free(&g);
    return text;
}

static void choose_means(struct rm_model *r, struct options *o);
static void check_replay(struct session *s, const struct run *violated, const char *document);
static void check_repeat(struct session *s, struct run run, const char *document);

static void check_run(struct session *s, const struct rm_model *m, const struct run *run) {
    struct expectation x;
    char *document, *text = differs(s, m, run, &x, &document);
    count_run(s->statistics, run, &x);
    s->statistics->limited += run->options.max_states != 0;
    if (text) fail(s, "seed %llu: %s", (unsigned long long)run->seed, text);
    else s->statistics->passed++;
    if (!text && x.verdict == VIOLATED && !run->options.max_states && run->seed % 4 == 1)
        check_replay(s, run, document);
    if (!text && (x.widest >= SHARED || s->statistics->passed % 4 == 0)) {
        s->statistics->wide_repeats += x.widest >= SHARED;
        check_repeat(s, *run, document);
    }
    free(document);
    free(text);
}

/* ---- Other commands ---------------------------------------------------------------------------------------------- */

/* A counterexample that was written must replay. */
static void check_replay(struct session *s, const struct run *violated, const char *document) {
    const char *folder = getenv("TMPDIR");
    char path[128];
    struct run run = {.seed = violated->seed, .form = violated->form, .trace = path};
    struct answer a;
    run.options.declared = violated->options.declared;
    snprintf(path, sizeof path, "%.80s/onager-cross-XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, document, strlen(document)) != (ssize_t)strlen(document)) {
        fail(s, "cannot write %s\n", path);
        return;
    }
    close(fd);
    tool_run(&s->tool, "replay", &run, &a);
    if (a.status == 0) s->statistics->passed++;
    else
        fail(s, "seed %llu: the counterexample does not replay\n%.900s%.900s  repeat: %s\n",
             (unsigned long long)run.seed, a.output, a.messages, a.command);
    s->statistics->replays++;
    answer_fini(&a);
    unlink(path);
}

static unsigned some_threads(struct rm_model *r) {
    static const uint8_t counts[] = {1, 2, 3, 5};
    return counts[rm_below(r, sizeof counts)];
}

/* Other threads, the same document: counts and counterexample. */
static void check_repeat(struct session *s, struct run run, const char *document) {
    struct rm_model r = {.random = run.seed + s->statistics->passed};
    struct answer a;
    unsigned before = run.options.threads;
    while (run.options.threads == before) run.options.threads = some_threads(&r);
    tool_run(&s->tool, "check", &run, &a);
    json_t *first = essence(document, run.options.store == EXACT),
           *other = essence(a.output, run.options.store == EXACT);
    if (first && other && json_equal(first, other)) s->statistics->passed++;
    else
        fail(s, "seed %llu: the answer is another than with --threads %u\n%.2000s\n%.2000s%.900s\n  repeat: %s\n",
             (unsigned long long)run.seed, before, document, a.output, a.messages, a.command);
    s->statistics->repeats++;
    json_decref(first);
    json_decref(other);
    answer_fini(&a);
}

/* What onager takes before it does anything, in KiB, as it says itself; 0: it does not say. */
static unsigned own_memory(struct session *s, struct run run) {
    struct answer a;
    double amount = 0;
    char unit = 0;
    run.options.overflow = 1;
    tool_run(&s->tool, "check", &run, &a);
    const char *told = strstr(a.messages, "less than the ");
    if (told) sscanf(told, "less than the %lf %c", &amount, &unit);
    answer_fini(&a);
    return (unsigned)(unit == 'M' ? amount * 1024 : amount);
}

/* What onager says of the store after a run with the limit on memory of run->options.overflow. */
struct overflow {
    enum { TOO_LITTLE, ENOUGH_TO_END, TOO_MUCH, NO_ANSWER } memory; /* too much: all states were kept exactly */
    double states, omitted;
};

static struct overflow overflow_of(const struct answer *a) {
    const json_t *store = json_object_get(a->json, "store"), *message = json_object_get(a->json, "message");
    const char *why = json_is_string(message) ? json_string_value(message) : "";
    struct overflow o = {.memory = ENOUGH_TO_END,
                         .states = json_number_value(json_object_get(a->json, "states")),
                         .omitted = json_number_value(json_object_get(store, "omitted_estimate"))};
    if (a->status < 2 && json_is_true(json_object_get(store, "exact"))) o.memory = TOO_MUCH;
    else if (a->status == 3 && strstr(why, "(--max-memory) was reached")) o.memory = TOO_LITTLE;
    else if (a->status != 3 || !has_text(store, "kind", "exact") || !json_is_false(json_object_get(store, "exact")))
        o.memory = NO_ANSWER;
    return o;
}

/* A store that is full goes on inexactly, says so, and tells how many states it has missed: about so many are. What the
 * program and its threads take depends on the machine, so the limit is tried until the store overflows and the search
 * goes on to its end. */
static void check_overflow(struct session *s, uint64_t number) {
    static const unsigned huge[] = {93, 119, 259, 385}; /* more than 400000 states, and no errors */
    struct run run = {.seed = RM_HUGE + huge[number % 4], .form = wide_forms[0]};
    struct rm_model m, r = {.random = number};
    struct naive_graph full;
    struct answer a;
    struct overflow o;
    run.options = (struct options){.declared = true, .no_state = true, .no_deadlock = true};
    run.options.threads = some_threads(&r);
    unsigned own = own_memory(s, run), tries = 0, step = 2048;
    s->statistics->overflowed++;
    if (own > FRUGAL_KIB) return;                                   /* sanitizers take memory that nobody counts */
    run.options.overflow = own + 2400 + 1024 * run.options.threads; /* for most of the states, and buffers */
    rm_generate(&m, run.seed, run.form.slots, RM_RIGHT);
    naive_build(&full, &m, run.options.mode);
    for (;; step = (step + 1) / 2) {
        tool_run(&s->tool, "check", &run, &a);
        o = overflow_of(&a);
        if (o.memory == ENOUGH_TO_END || o.memory == NO_ANSWER || ++tries == OVERFLOW_TRIES) break;
        run.options.overflow += o.memory == TOO_LITTLE ? step : -step;
        answer_fini(&a);
    }
    double missed = full.states - o.states;
    bool said = own && o.memory == ENOUGH_TO_END && missed >= 0 && o.omitted > 0;
    if (said && missed < 2 * o.omitted + 20 && missed > o.omitted / 2 - 20) s->statistics->passed++;
    else
        fail(s, "seed %llu: --overflow: %.0f of %u states are missing\n%.900s%.900s\n  repeat: %s\n",
             (unsigned long long)run.seed, missed, full.states, a.output, a.messages, a.command);
    answer_fini(&a);
    naive_free(&full);
}

static void check_typical(struct session *s, const struct rm_model *m, const struct run *run) {
    struct answer a;
    if (m->raise) return;
    tool_run(&s->tool, "run", run, &a);
    const json_t *trace = json_object_get(a.json, "trace");
    const char *wrong = a.status ? "the exit status is not 0" : trace_check_typical(trace, run->form.shape, m);
    if (wrong) fail(s, "seed %llu: onager run: %s\n  repeat: %s\n", (unsigned long long)run->seed, wrong, a.command);
    else s->statistics->passed++;
    s->statistics->typical++;
    answer_fini(&a);
}

/* ---- What the reductions promise --------------------------------------------------------------------------------- */

static uint32_t count_flagged(const struct naive_graph *g, unsigned flag) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->states; i++) count += (g->flags[i] & flag) != 0;
    return count;
}

/* Is everything that a reduced graph must preserve the same in it as in the full one? NULL: yes. */
static const char *broken_promise(const struct rm_model *m, const struct naive_graph *full,
                                  const struct naive_graph *reduced, unsigned often, uint32_t rarely) {
    bool ends = always_may_terminate(full), stubborn = reduced->mode.stubborn, symmetry = reduced->mode.symmetry;
    bool exact = !stubborn || ends;
    bool progress = !symmetry || m->progress_symmetric;
    struct options o = {.terminal_not_must = true};
    const unsigned raises = NAIVE_RAISES_FIRE | NAIVE_RAISES_STATE | NAIVE_RAISES_END;
    if (!symmetry && count_flagged(full, NAIVE_TERMINAL) != count_flagged(reduced, NAIVE_TERMINAL))
        return "terminal states";
    if (some_has(full, NAIVE_TERMINAL) != some_has(reduced, NAIVE_TERMINAL)) return "some terminal state";
    if (some_has(full, NAIVE_ILLEGAL_END) != some_has(reduced, NAIVE_ILLEGAL_END)) return "illegal deadlocks";
    if (ends != always_may_terminate(reduced)) return "always may-terminating";
    if (exact && some_has(full, NAIVE_BAD) != some_has(reduced, NAIVE_BAD)) return "bad states";
    if (exact && (m->accounts || !stubborn) && some_has(full, raises) != some_has(reduced, raises))
        return "model errors";
    for (unsigned k = 0; k < 2 && exact && progress; k++) {
        unsigned goals = k ? NAIVE_MAY : NAIVE_MAY | NAIVE_TERMINAL;
        if (some_cannot_reach(full, goals) != some_cannot_reach(reduced, goals)) return "may progress";
    }
    if (progress && must_violated(&o, reduced) && !must_violated(&o, full)) return "a must progress violation";
    if (progress && (!stubborn || reduced->mode.must) && must_violated(&o, full) && !must_violated(&o, reduced))
        return "must progress";
    if (symmetry || full->states > INFINITE_STATES) return NULL;
    bool occurs = naive_infinitely(full, often, rarely), occurs_reduced = naive_infinitely(reduced, often, rarely);
    if (occurs_reduced && !occurs) return "an infinite occurrence";
    if (occurs && !occurs_reduced && exact) return "infinite occurrence";
    return NULL;
}

static void check_promises(struct session *s, const struct rm_model *m, uint64_t seed, const struct naive_graph *full,
                           unsigned often, uint32_t rarely) {
    for (unsigned number = 1; number < (m->symmetric ? MODES : 2); number++) {
        struct naive_mode mode = {.stubborn = number & 1, .symmetry = number & 2, .forward = seed & 1};
        struct naive_graph g;
        naive_build(&g, m, mode);
        const char *what = broken_promise(m, full, &g, often, rarely), *wrong = naive_self_check(&g, often, rarely);
        if (what) fail(s, "seed %llu: %s does not preserve: %s\n", (unsigned long long)seed, mode_names[number], what);
        else if (wrong) fail(s, "seed %llu: %s\n", (unsigned long long)seed, wrong);
        else s->statistics->passed++;
        if (number == 2 && !m->one_pass && naive_orbits(full) != g.states)
            fail(s, "seed %llu: %u orbits, but %u representatives\n", (unsigned long long)seed, naive_orbits(full),
                 g.states);
        if (number == 1) s->statistics->missed_by_reduction += some_has(full, NAIVE_BAD) && !some_has(&g, NAIVE_BAD);
        if (full->states >= 100) {
            s->statistics->reduced_models[number]++;
            s->statistics->reduction[number] += (double)g.states / full->states;
        }
        naive_free(&g);
    }
}

/* The sets that preserve must progress, on the naive side and then with onager. */
static void check_must(struct session *s, struct rm_model *r, const struct rm_model *m, struct run run,
                       const struct naive_graph *full) {
    struct naive_mode mode = {.stubborn = true, .forward = run.form.shape == 1, .must = true};
    struct naive_graph g;
    naive_build(&g, m, mode);
    const char *what = broken_promise(m, full, &g, 0, 0);
    if (what) fail(s, "seed %llu: sets for must progress do not preserve: %s\n", (unsigned long long)run.seed, what);
    else s->statistics->passed++;
    s->statistics->must_reduced += g.states < full->states;
    struct options o = {.mode = mode, .declared = true, .deep = rm_chance(r, 30), .fast = run.form.shape == 2};
    o.terminal_not_must = rm_chance(r, 30);
    if (some_has(full, NAIVE_BAD | NAIVE_RAISES_STATE)) o.no_state = true;
    if (some_has(full, NAIVE_ILLEGAL_END | NAIVE_RAISES_END)) o.no_deadlock = true;
    if (!always_may_terminate(full)) o.no_state = o.no_may = true;
    o.no_may |= rm_chance(r, 50);
    choose_means(r, &o);
    run.options = o;
    check_run(s, m, &run);
    struct expectation x = expect(&o, &g, full);
    if (x.verdict != VIOLATED || x.property == MUST) s->statistics->must[x.verdict]++;
    naive_free(&g);
}

/* Models that raise errors, on the naive side only: what is preserved if the rules account for errors, and whether
 * that is needed. */
static void check_errors(struct session *s, uint64_t seed) {
    for (uint64_t k = 0; k < ERROR_TRIES; k++) {
        struct rm_model m;
        struct naive_graph full, reduced;
        uint64_t number = RM_WIDE / 2 + seed * ERROR_TRIES + k;
        rm_generate(&m, number, forms[k % FORMS].slots, RM_RIGHT);
        if (!m.raise) continue;
        naive_build(&full, &m, (struct naive_mode){0});
        for (unsigned accounts = 0; accounts < 2 && full.states <= INFINITE_STATES; accounts++) {
            m.accounts = accounts;
            rm_derive_obligations(&m);
            naive_build(&reduced, &m, (struct naive_mode){.stubborn = true, .forward = k & 1});
            const char *what = broken_promise(&m, &full, &reduced, 0, 0);
            const unsigned raises = NAIVE_RAISES_FIRE | NAIVE_RAISES_STATE;
            bool missed = some_has(&full, raises) && !some_has(&reduced, raises);
            if (what) fail(s, "seed %llu: stubborn sets do not preserve: %s\n", (unsigned long long)number, what);
            else s->statistics->passed++;
            s->statistics->errors[accounts] += some_has(&full, raises);
            s->statistics->errors_missed[accounts] += missed && always_may_terminate(&full);
            naive_free(&reduced);
        }
        naive_free(&full);
    }
}

/* ---- Audits and planted errors ----------------------------------------------------------------------------------- */

static const char *naive_audit(const struct rm_model *m, bool declared) {
    struct naive_graph full;
    naive_build(&full, m, (struct naive_mode){0});
    const char *what = naive_audit_obligations(&full);
    if (!what && m->symmetric) what = naive_audit_symmetry(&full, declared);
    naive_free(&full);
    return what;
}

static void check_audit(struct session *s, struct run run, uint32_t states) {
    struct rm_model m;
    struct answer a;
    if (states > AUDIT_STATES || !rm_generate(&m, run.seed, run.form.slots, run.mutation) || m.raise || m.one_pass)
        return;
    run.options = (struct options){.declared = !m.symmetric || m.progress_symmetric};
    const char *what = naive_audit(&m, run.options.declared);
    tool_run(&s->tool, "audit", &run, &a);
    if (a.status != (what ? 1 : 0))
        fail(s, "seed %llu: the audit must find %s%s\n  got (exit status %d):\n%.900s%.900s\n  repeat: %s\n",
             (unsigned long long)run.seed, what ? "something: " : "nothing", what ? what : "", a.status, a.output,
             a.messages, a.command);
    else s->statistics->passed++;
    s->statistics->audits[run.mutation != RM_RIGHT][what != NULL]++;
    answer_fini(&a);
}

/* Gives onager a wrong model, and sees whether the comparison with the right one notices. */
static void check_notices(struct session *s, const struct rm_model *right, struct run run, enum rm_mutation mutation) {
    struct rm_model wrong;
    struct expectation x;
    bool map = mutation == RM_MAP_LOCATIONS || mutation == RM_MAP_FORGETS;
    run.mutation = mutation;
    run.options.mode = (struct naive_mode){.stubborn = mutation <= RM_DROP_CHECK, .symmetry = map};
    if (!rm_generate(&wrong, run.seed, run.form.slots, mutation)) return;
    char *document, *text = differs(s, right, &run, &x, &document);
    free(document);
    s->statistics->planted[mutation]++;
    s->statistics->noticed[mutation] += text != NULL;
    free(text);
    struct naive_graph full, reduced;
    naive_build(&full, &wrong, (struct naive_mode){0});
    naive_build(&reduced, &wrong, run.options.mode);
    s->statistics->verdict_changed[mutation] += broken_promise(&wrong, &full, &reduced, 0, 0) != NULL;
    naive_free(&full);
    naive_free(&reduced);
}

static bool accuses(const struct answer *a) {
    const char *message = json_string_value(json_object_get(a->json, "message"));
    const char *note = json_string_value(json_object_get(a->json, "note"));
    return (a->status == 2 && message &&
            (strstr(message, " is violated: ") || strstr(message, "symmetry") ||
             strstr(message, "check_state is not"))) ||
           (a->status == 1 && note && strstr(note, "of the model is wrong")) ||
           (a->status == 1 && note && strstr(note, "of the model are wrong"));
}

/* Gives onager a model whose rules may be wrong. Its check must not say so if they are right, or if no set that it uses
 * is wrong; otherwise it is counted how often it does. */
static void check_caught(struct session *s, struct run run, enum rm_mutation mutation) {
    struct rm_model m;
    struct naive_graph full, reduced;
    struct answer a;
    bool map = mutation == RM_MAP_LOCATIONS || mutation == RM_MAP_FORGETS;
    if (mutation == RM_OTHER_EFFECT || !rm_generate(&m, run.seed, run.form.slots, mutation) || m.raise) return;
    if (map && !m.symmetric) return;
    run.mutation = mutation;
    run.options = (struct options){.mode = {.stubborn = !map, .symmetry = map}, .declared = m.progress_symmetric};
    naive_build(&full, &m, (struct naive_mode){0});
    naive_build(&reduced, &m, run.options.mode);
    const char *what = full.states > AUDIT_STATES ? NULL
                       : map                      ? naive_audit_symmetry(&full, m.progress_symmetric)
                                                  : naive_audit_used(&full, &reduced);
    tool_run(&s->tool, "check", &run, &a);
    if (accuses(&a) && !what && full.states <= AUDIT_STATES)
        fail(s, "seed %llu: rules are accused that are right where they are used:\n%.900s\n  repeat: %s\n",
             (unsigned long long)run.seed, a.output, a.command);
    else s->statistics->passed++;
    if (full.states <= AUDIT_STATES) s->statistics->examined[mutation]++;
    if (what && (accuses(&a) || a.status != 1)) s->statistics->wrong_rules[mutation]++;
    s->statistics->caught[mutation] += what && accuses(&a);
    answer_fini(&a);
    naive_free(&full);
    naive_free(&reduced);
}

/* ---- One model --------------------------------------------------------------------------------------------------- */

/* Options under which the later checks are reached often. `r` is only a source of random numbers. */
static void choose_options(struct rm_model *r, const struct rm_model *m, const struct naive_graph *full,
                           struct options *o) {
    bool bad = some_has(full, NAIVE_BAD | NAIVE_RAISES_STATE),
         end = some_has(full, NAIVE_ILLEGAL_END | NAIVE_RAISES_END);
    o->no_state = rm_chance(r, bad ? 80 : 15);
    o->no_deadlock = rm_chance(r, end ? 80 : 15);
    o->terminal_not_may = rm_chance(r, 30);
    o->terminal_not_must = rm_chance(r, 30);
    o->no_may = rm_chance(r, some_cannot_reach(full, may_goals(o)) ? 40 : 20);
    o->no_must = rm_chance(r, must_violated(o, full) ? 70 : o->mode.stubborn ? 50 : 20);
    o->no_termination = rm_chance(r, 10);
    o->termination = !o->no_termination && rm_chance(r, 60);
    o->infinitely = !o->mode.symmetry && full->states <= INFINITE_STATES && rm_chance(r, 50);
    o->often = rm_below(r, m->slots);
    uint32_t dense = (uint32_t)rm_random64(r) & (rm_chance(r, 70) ? (uint32_t)rm_random64(r) : UINT32_MAX);
    o->rarely = dense & ((UINT32_C(1) << m->slots) - 1) & ~(UINT32_C(1) << o->often);
    if (rm_chance(r, 10)) o->max_states = 1 + rm_below(r, full->states);
}

static void choose_means(struct rm_model *r, struct options *o) {
    o->threads = some_threads(r);
    if (!o->deep && rm_chance(r, 20)) o->store = rm_chance(r, 50) ? HASH_COMPACT : BITSTATE;
    if (o->store != EXACT) o->termination = o->infinitely = false; /* that is refused */
}

static void check_modes(struct session *s, struct rm_model *r, const struct rm_model *m, struct run run,
                        const struct naive_graph *full) {
    for (unsigned i = 0; i < (m->symmetric ? 2 * MODES : MODES); i++) {
        unsigned number = i / 2;
        bool forward = rm_chance(r, 30);
        run.options = (struct options){.mode = {number & 1, number & 2, forward, false}, .declared = true};
        run.options.deep = (run.seed + i) % 3 == 2;
        run.options.fast = run.form.shape == 1 ? !forward : forward; /* not all four, to compile less */
        run.options.swaps = (number & 2) && rm_chance(r, 40);
        if (number & 2) run.options.declared = m->progress_symmetric && rm_chance(r, 80);
        if (i & 1) choose_options(r, m, full, &run.options);
        choose_means(r, &run.options);
        check_run(s, m, &run);
    }
}

/* Not depth-first: threads would have nothing to do. */
static void check_wide(struct session *s, uint64_t number) {
    struct rm_model m, r = {.random = number * 55555};
    struct run run = {.seed = RM_WIDE + number, .form = wide_forms[number % WIDE_FORMS]};
    struct naive_graph full;
    rm_generate(&m, run.seed, run.form.slots, RM_RIGHT);
    naive_build(&full, &m, (struct naive_mode){0});
    unsigned modes = m.symmetric && m.progress_symmetric ? MODES : 2;
    for (unsigned i = 0; i < 2 * modes; i++) {
        run.options = (struct options){.mode = {i / 2 & 1, i / 2 & 2, run.form.shape, false}, .declared = true};
        choose_options(&r, &m, &full, &run.options);
        choose_means(&r, &run.options);
        check_run(s, &m, &run);
    }
    naive_free(&full);
}

static void check_model(struct session *s, uint64_t seed) {
    struct rm_model m, r = {.random = seed * 77777};
    struct run run = {.seed = seed, .form = forms[seed % FORMS], .options.declared = true};
    struct naive_graph full;
    rm_generate(&m, seed, run.form.slots, RM_RIGHT);
    naive_build(&full, &m, (struct naive_mode){0});
    s->statistics->models++;
    s->statistics->terminating += always_may_terminate(&full);
    s->statistics->symmetric += m.symmetric;
    s->statistics->states += full.states;
    if (full.states > s->statistics->largest) s->statistics->largest = full.states;
    unsigned often = rm_below(&r, m.slots);
    check_promises(s, &m, seed, &full, often, (uint32_t)rm_random64(&r) & ~(UINT32_C(1) << often));
    check_modes(s, &r, &m, run, &full);
    check_must(s, &(struct rm_model){.random = seed * 99999}, &m, run, &full);
    if (seed % 4 == 3) check_typical(s, &m, &run);
    if (seed % 4 == 0) check_audit(s, run, full.states);
    run.mutation = RM_DROP_CONFLICT + rm_below(&r, RM_MAP_FORGETS);
    if (seed % 2 == 0) check_audit(s, run, full.states);
    check_notices(s, &m, run, RM_DROP_CONFLICT + rm_below(&r, RM_MUTATIONS - 1));
    check_caught(s, run, RM_DROP_CONFLICT + seed % RM_MAP_FORGETS);
    naive_free(&full);
    check_errors(s, seed);
    if (seed % WIDE_EVERY == 0) check_wide(s, seed / WIDE_EVERY);
    if (seed % OVERFLOW_EVERY == 0) check_overflow(s, seed / OVERFLOW_EVERY);
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static void usage(void) {
    fputs("usage: cross [-j JOBS] [--onager PROGRAM] [--model FILE] [--first SEED] [--print N] [-v] [MODELS]\n",
          stderr);
    exit(2);
}

int main(int argc, char **argv) {
    struct session s = {.tool = {"build/onager", "tests/cross/cross_model.c", "tests/cross/cross_must_model.c"},
                        .print = 20};
    unsigned long models = 750, first = 1, jobs = 1;
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "-v") == 0) s.verbose = true;
        else if (argv[i][0] != '-') models = strtoul(argv[i], NULL, 10);
        else if (!next) usage();
        else if (strcmp(argv[i], "-j") == 0) jobs = strtoul(next, NULL, 10), i++;
        else if (strcmp(argv[i], "--first") == 0) first = strtoul(next, NULL, 10), i++;
        else if (strcmp(argv[i], "--print") == 0) s.print = strtoul(next, NULL, 10), i++;
        else if (strcmp(argv[i], "--onager") == 0) s.tool.onager = next, i++;
        else if (strcmp(argv[i], "--model") == 0) s.tool.model = next, i++;
        else usage();
    }
    if (jobs < 1 || jobs > MAX_JOBS || models < 1) usage();
    struct statistics *all =
        mmap(NULL, MAX_JOBS * sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return 4;
    setvbuf(stdout, NULL, _IOLBF, 0);
    unsigned lost = 0;
    for (unsigned j = 0; j < jobs; j++) {
        s.statistics = &all[j];
        if (jobs > 1 && fork() != 0) continue;
        for (unsigned long seed = first + j; seed < first + models; seed += jobs) check_model(&s, seed);
        if (jobs > 1) exit(0);
    }
    for (unsigned j = 0; jobs > 1 && j < jobs; j++) {
        int status;
        if (wait(&status) < 0 || status != 0) lost++;
    }
    unsigned lacking = report(all, (unsigned)jobs);
    if (models < 300) lacking = 0;
    if (lacking) printf("FAILED: %u of the cells above that must not be 0 are\n", lacking);
    if (lost) printf("FAILED: %u jobs did not end as they should\n", lost);
    uint64_t passed = 0, failed = lost + (lacking > 0);
    for (unsigned j = 0; j < jobs; j++) passed += all[j].passed, failed += all[j].failed;
    printf("cross: %lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}
