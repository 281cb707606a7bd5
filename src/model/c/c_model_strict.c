#include "model/c/c_model_strict.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "model/c/c_library.h"
#include "model/c/c_model_fault.h"
#include "code/strict_explain.h"

/* Of the first expansions, no more are checked when these have made so many accesses: ten times what is usual. */
enum { MOST_WORK = 50000000 };

void c_strict_init(struct strict *s, const struct c_compile *compile, enum c_strict mode) {
    s->mode = compile->fast ? C_STRICT_NEVER : mode;
    static const unsigned widths[] = {[TRUST_WIDEST] = 32, [TRUST_WIDE] = 16, [TRUST_NATIVE] = 0};
    for (int i = 0; i < TRUST_NONE; i++) strict_build_init(&s->builds[i], compile, widths[i]);
    struct stat about;
    bool again = stat(compile->path, &about) == 0 && S_ISREG(about.st_mode); /* a pipe can be read once only */
    if (!again) s->trust = TRUST_NONE;
    else if (s->mode != C_STRICT_NEVER) strict_build_start(&s->builds[TRUST_WIDEST]);
}

void c_strict_fini(struct strict *s) {
    for (int i = 0; i < TRUST_NONE; i++) strict_build_fini(&s->builds[i]);
}

void c_strict_await(struct strict *s, const char *identity) {
    if (s->mode != C_STRICT_NEVER) strict_build_get(&s->builds[TRUST_WIDEST], identity);
}

void c_strict_worker_init(struct strict_worker *w, const struct strict *s) {
    if (s->mode == C_STRICT_NEVER) w->due = w->classify_due = UINT64_MAX;
    w->all = s->mode == C_STRICT_ALWAYS;
}

void c_strict_worker_fini(struct strict_worker *w) {
    for (int i = 0; i < TRUST_NONE; i++) strict_watch_fini(&w->watch[i]);
    free(w->successors);
    free(w->labels);
}

/* ---- One call ---- */

enum function { FIRE, INITIAL, CHECK_STATE, CHECK_DEADLOCK, MAY_PROGRESS, MUST_PROGRESS, OBLIGATIONS, OTHER };

static const char *const function_names[] = {"fire",         "initial",       "check_state", "check_deadlock",
                                             "may_progress", "must_progress", "obligations"};

struct call {
    enum function function;
    const word *s; /* NULL: all 0 */
    uint32_t t;
};

enum outcome {
    SAID_FALSE,
    SAID_TRUE,
    RAISED,
    FOUND,       /* see the watch */
    BROKEN,      /* crashed, or did not come back, for reasons that were not found */
    STOPPED,     /* at strict_watch.stop_at */
    UNAVAILABLE, /* there is no such build, or the code depends on how states are laid out */
};

static struct strict_watch *watch_of(struct ts_worker *w, enum strict_trust which) {
    struct strict_watch *watch = &w->strict.watch[which];
    if (watch->memory) return watch;
    const struct onager_strict *plugin = strict_build_get(&w->m->strict.builds[which], w->m->identity);
    return plugin && plugin->model->transitions == w->m->ts.transitions && strict_watch_init(watch, plugin) ? watch
                                                                                                            : NULL;
}

static bool call_model(const struct onager_strict *plugin, const struct call *c, state *s, bool symmetry) {
    const struct onager_model *m = plugin->model;
    switch (c->function) {
    case FIRE: {
        bool fired = m->fire(s, c->t);
        if (fired && symmetry) m->symmetry(s);
        return fired;
    }
    case INITIAL: return m->initial ? (m->initial(s), true) : true;
    case CHECK_STATE: return m->check_state && m->check_state(s) != NULL;
    case CHECK_DEADLOCK: return m->check_deadlock && m->check_deadlock(s) != NULL;
    case MAY_PROGRESS: return m->may_progress && m->may_progress(s);
    case MUST_PROGRESS: return m->must_progress && m->must_progress(s);
    case OBLIGATIONS:
        if (m->obligations) plugin->obligations(s, c->t);
        return true;
    case OTHER: break;
    }
    return false;
}

static enum outcome run(struct ts_worker *w, enum strict_trust which, const struct call *c, uint64_t stop_at) {
    struct strict_watch *watch = watch_of(w, which);
    volatile bool said = false, back = false;
    if (!watch) return UNAVAILABLE;
    watch->stop_at = stop_at;
    strict_watch_begin(watch, c->s);
    if (GUARD_ENTER(&w->guard)) {
        said = call_model(watch->plugin, c, (state *)(void *)watch->object, w->m->ts.reduction.symmetry);
        guard_leave(&w->guard);
        back = true;
    }
    strict_watch_end(watch);
    bool raised = watch->plugin->raised() != NULL;
    if (watch->found.kind == WATCH_LAYOUT) return UNAVAILABLE;
    if (stop_at && watch->stores == stop_at) return STOPPED;
    if (watch->found.kind != WATCH_NOTHING) return FOUND;
    if (!back) return BROKEN;
    return raised ? RAISED : said ? SAID_TRUE : SAID_FALSE;
}

/* Of 16 to 31 bits: their members are wider in the widest build than in the one after it. */
static bool is_middle(const struct onager_field *f) {
    int bits = ONAGER_BITS(f->width);
    return bits >= 16 && bits < 32;
}

static bool has_middle(const struct onager_strict *plugin) {
    bool has = false;
    for (uint32_t k = 0; k < plugin->field_count; k++) has |= is_middle(&plugin->fields[k]);
    return has;
}

static void distrust(struct strict *s, enum strict_trust which) {
    const struct onager_strict *plugin = s->builds[which].plugin;
    enum strict_trust expected = which, next = which + 1;
    if (which == TRUST_WIDEST && plugin && !has_middle(plugin)) next = TRUST_NATIVE;
    atomic_compare_exchange_strong(&s->trust, &expected, next);
}

/* The widest build has found this value, all other stores are the same, and with the model's own types, the value is in
 * its range. Was it cut off where it was stored? Arithmetic with numbers of 32 bits may just as well have cut it off,
 * which is what C promises, and may be meant. */
static bool is_cut_off(struct ts_worker *w, const struct watch_finding *found) {
    struct strict *s = &w->m->strict;
    char *file;
    unsigned line = strict_line(found, c_library_file(s->builds[TRUST_WIDEST].library), &file);
    bool is = line && strict_build_converts(&s->builds[TRUST_NATIVE], file, line);
    free(file);
    return is;
}

/* All stores up to this value are the same with the model's own types. Is it sure that it does not fit? */
static bool is_sure(struct ts_worker *w, enum strict_trust which, const struct watch_finding *found) {
    const struct strict_watch *native = &w->strict.watch[TRUST_NATIVE];
    if (which != TRUST_WIDEST || !is_middle(found->field)) return true;
    const struct onager_field *f = &native->plugin->fields[found->field - w->strict.watch[TRUST_WIDEST].plugin->fields];
    return !strict_watch_fits(native, f, (uint32_t)found->index) || is_cut_off(w, found);
}

/* A wide build has found this. Is it so with the model's own types, too? If nothing but the value differs, which C
 * has cut off, all stores up to it are the same. Else, what is found there counts. *found is what is sure then. */
static bool confirm(struct ts_worker *w, const struct call *c, enum strict_trust *which, struct watch_finding *found) {
    struct strict_watch *native = watch_of(w, TRUST_NATIVE);
    if (!native) return false;
    if (found->kind == WATCH_RANGE && !found->bulk && found->stores &&
        run(w, TRUST_NATIVE, c, found->stores) == STOPPED && native->trail == found->trail && is_sure(w, *which, found))
        return true;
    if (run(w, TRUST_NATIVE, c, 0) != FOUND) return false;
    *which = TRUST_NATIVE;
    *found = native->found;
    return true;
}

/* Makes the call in the build that is to be trusted. FOUND: *found, which is sure; *which is the build. */
static enum outcome try_call(struct ts_worker *w, const struct call *c, enum strict_trust *which,
                             struct watch_finding *found) {
    struct strict *s = &w->m->strict;
    while ((*which = s->trust) != TRUST_NONE) {
        enum strict_trust used = *which;
        enum outcome outcome = run(w, used, c, 0);
        *found = w->strict.watch[used].found;
        bool sure = outcome != FOUND || used == TRUST_NATIVE || confirm(w, c, which, found);
        if (outcome != UNAVAILABLE && sure) return outcome;
        distrust(s, used);
    }
    return UNAVAILABLE;
}

static void fault_of(struct ts_worker *w, struct ts_fault *f, const struct call *c, enum strict_trust which,
                     const struct watch_finding *found) {
    char text[sizeof f->text];
    strict_explain(found, c_library_file(w->m->strict.builds[which].library), text, sizeof text);
    c_fault(f, found->kind == WATCH_RANGE ? TS_OUT_OF_RANGE : TS_BAD_ACCESS, function_names[c->function],
            c->function == FIRE || c->function == OBLIGATIONS ? c->t : TS_NONE, "%s", text);
    w->m->strict.told = true;
}

static const char *signal_name(int signal) {
    return signal == SIGSEGV ? "SIGSEGV" : signal == SIGBUS ? "SIGBUS" : signal == SIGFPE ? "SIGFPE" : "SIGTRAP";
}

void c_strict_explain(struct ts_worker *w, struct ts_fault *f, const word *s) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}; /* and not those that code asks for */
    const int signal = w->guard.signal;                                      /* the strict build crashes, too */
    bool crash = false;
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) crash |= signal == crashes[i];
    if (f->kind != TS_OUT_OF_RANGE && !(f->kind == TS_CRASHED && crash)) return;
    struct call call = {.function = OTHER, .s = s, .t = f->transition};
    for (int i = 0; i < OTHER; i++)
        if (strcmp(function_names[i], f->where) == 0) call.function = (enum function)i;
    if (strcmp(f->where, "symmetry") == 0 && f->transition != TS_NONE) call.function = FIRE;
    if (call.function == OTHER) return;
    struct ts_fault before = *f;
    enum strict_trust which;
    struct watch_finding found;
    if (try_call(w, &call, &which, &found) != FOUND) return;
    fault_of(w, f, &call, which, &found);
    struct ts_fault why = *f;
    if (before.kind == TS_CRASHED && signal != SIGILL) /* that is our own check of indices */
        c_fault(f, TS_CRASHED, before.where, before.transition, "the model's code crashed (%s): %.220s",
                signal_name(signal), why.text);
    f->kind = before.kind; /* a crash is one, even if it is known why */
    f->source = before.source;
    f->where = before.where;
    f->transition = before.transition;
}

/* ---- One expansion ---- */

static bool unsteady(struct ts_fault *f, uint32_t t) {
    c_fault(f, TS_UNSTEADY, "fire", t,
            "the same state has other successors now: fire may use nothing but the state, and constants");
    return false;
}

static word *room_for_one(struct ts_worker *w) {
    struct strict_worker *x = &w->strict;
    if (!x->successors) {
        x->successors = memory_get(((size_t)w->m->ts.transitions + 1) * w->m->ts.words * sizeof(word));
        x->labels = memory_get(((size_t)w->m->ts.transitions + 1) * sizeof *x->labels);
    }
    return x->successors;
}

/* Expands source i by the ordinary code, into the worker's own memory. Returns how many successors there are; -1: f. */
static int64_t expand_again(struct ts_worker *w, const struct ts_batch *batch, uint32_t i, struct ts_fault *f) {
    uint32_t end = 0;
    struct ts_batch one = {.sources = batch->sources + (size_t)i * w->m->ts.words,
                           .count = 1,
                           .successors = room_for_one(w),
                           .labels = w->strict.labels,
                           .ends = &end};
    if (c_model_expand_by_code(w, &one) == 1) return end;
    *f = one.fault;
    return -1;
}

static const word *successor_again(const struct ts_worker *w, int64_t k) {
    return w->strict.successors + (size_t)k * w->m->ts.words;
}

/* Whether the successors of source i, which were looked up, come up in the same order among the n that code has made
 * now. Some may have been left out, and there are no labels. */
static bool are_among(const struct ts_worker *w, const struct ts_batch *batch, uint32_t i, int64_t n) {
    uint32_t begin = i ? batch->ends[i - 1] : 0, words = w->m->ts.words;
    int64_t k = 0;
    for (uint32_t at = begin; at < batch->ends[i]; at++, k++) {
        word one = batch->successors[(size_t)at * words]; /* states have one word, if they are looked up */
        if (w->m->ts.takes_origins) one = ts_without_origin(one);
        while (k < n && *successor_again(w, k) != one) k++;
        if (k == n) return false;
    }
    return batch->origins || batch->ends[i] - begin == n;
}

/* The same for successors that were made by code. *t: the transition that has another one now, or TS_NONE. */
static bool are_same(const struct ts_worker *w, const struct ts_batch *batch, uint32_t i, int64_t n, uint32_t *t) {
    uint32_t words = w->m->ts.words, begin = i ? batch->ends[i - 1] : 0, count = batch->ends[i] - begin;
    const uint32_t *labels = batch->labels + begin;
    const word *successors = batch->successors + (size_t)begin * words;
    *t = TS_NONE;
    for (uint32_t k = 0; k < count && k < n; k++) {
        *t = labels[k];
        if (labels[k] != w->strict.labels[k]) return false;
        if (memcmp(successors + (size_t)k * words, successor_again(w, k), words * sizeof(word)) != 0) return false;
    }
    return count == n;
}

/* Whether the ordinary code does the same again, after it has worked on another state. *n: successors. */
static bool is_steady(struct ts_worker *w, struct ts_batch *batch, uint32_t i, bool by_code, int64_t *n) {
    uint32_t t = TS_NONE;
    struct ts_fault ignored;
    if (batch->count > 1) expand_again(w, batch, (i + 1) % batch->count, &ignored);
    *n = expand_again(w, batch, i, &batch->fault);
    if (*n < 0) return false;
    bool same = by_code ? are_same(w, batch, i, *n, &t) : are_among(w, batch, i, *n);
    return same || unsteady(&batch->fault, t);
}

/* Whether firing t has the outcome that the ordinary code had: one of n successors, or none. */
static bool agrees(struct ts_worker *w, enum strict_trust which, enum outcome outcome, uint32_t t, int64_t n) {
    uint32_t words = w->m->ts.words;
    int64_t k = 0;
    while (k < n && w->strict.labels[k] != t) k++;
    if (outcome == SAID_FALSE) return k == n;
    if (outcome != SAID_TRUE) return false;
    if (k == n) return w->m->ts.reduction.stubborn;
    word *packed = w->strict.successors + (size_t)w->m->ts.transitions * words;
    strict_watch_pack(&w->strict.watch[which], packed, words);
    return memcmp(packed, w->strict.successors + (size_t)k * words, words * sizeof(word)) == 0;
}

/* The builds disagree on t, and no error was found. If that depends on how states are laid out, it is no error. If the
 * ordinary code changes its mind, it is. Else arithmetic that C leaves open, or memory that was not initialised, is
 * likely, and nothing is sure. */
static bool differs(struct ts_worker *w, const struct call *c, enum strict_trust which, int64_t n, struct ts_fault *f) {
    struct strict *s = &w->m->strict;
    if (which != TRUST_NATIVE && agrees(w, TRUST_NATIVE, run(w, TRUST_NATIVE, c, 0), c->t, n)) {
        distrust(s, which);
        return true;
    }
    word *out = w->strict.successors + (size_t)w->m->ts.transitions * w->m->ts.words;
    int first = -2;
    for (int i = 0; i < 8 && !w->m->ts.reduction.symmetry; i++) {
        struct ts_fault ignored;
        int fired = c_model_fire(w, c->s, c->t, out, &ignored);
        int64_t k = 0;
        while (k < n && w->strict.labels[k] != c->t) k++;
        bool same = fired <= 0 || k == n ||
                    memcmp(out, w->strict.successors + (size_t)k * w->m->ts.words, w->m->ts.words * sizeof(word)) == 0;
        if (first != -2 && (fired != first || !same)) return unsteady(f, c->t);
        first = fired;
    }
    distrust(s, which);
    if (s->mode != C_STRICT_ALWAYS) return true;
    c_fault(f, TS_UNSTEADY, "fire", c->t,
            "it behaves differently without optimisation: does it use a variable that is not initialised, memory "
            "outside the state, or arithmetic that C does not define?");
    return false;
}

/* False: batch->fault. */
static bool check_source(struct ts_worker *w, struct ts_batch *batch, uint32_t i, bool by_code) {
    struct strict *s = &w->m->strict;
    uint32_t transitions = w->m->ts.transitions;
    int64_t n;
    if (!is_steady(w, batch, i, by_code, &n)) return false;
    for (uint32_t k = 0; k < transitions && s->trust != TRUST_NONE; k++) {
        uint32_t t = w->m->ts.reduction.forward ? transitions - 1 - k : k; /* the other way round */
        struct call call = {.function = FIRE, .s = batch->sources + (size_t)i * w->m->ts.words, .t = t};
        enum strict_trust which;
        struct watch_finding found;
        enum outcome outcome = try_call(w, &call, &which, &found);
        if (outcome == FOUND) return fault_of(w, &batch->fault, &call, which, &found), false;
        if (outcome == BROKEN) s->trust = TRUST_NONE;
        if (outcome == BROKEN || outcome == UNAVAILABLE) return true;
        if (!agrees(w, which, outcome, t, n) && !differs(w, &call, which, n, &batch->fault)) return false;
    }
    s->checked++;
    return true;
}

/* ---- The sample ---- */

/* Whether the next expansion, which has no number, is one of the first. After a search with numbers there are none: its
 * first states were watched. */
static bool is_early(struct strict *s) {
    return s->work < MOST_WORK && s->begun < STRICT_FIRST && s->checked < STRICT_FIRST &&
           atomic_fetch_add(&s->begun, 1) < STRICT_FIRST;
}

/* Nothing more is to be checked. But threads with smaller numbers go on: the error with the smallest is shown. */
static bool is_over(const struct strict *s, const struct ts_batch *batch) {
    return s->trust == TRUST_NONE || (s->told && !batch->first);
}

static uint64_t work_of(const struct strict_worker *x) {
    uint64_t work = 0;
    for (int i = 0; i < TRUST_NONE; i++) work += x->watch[i].watcher.work;
    return work;
}

/* The first place of a batch, from `i` on, that is to be checked. `counted` are the states up to its end. */
static uint32_t next_place(uint32_t i, uint32_t count, uint64_t counted, uint64_t due, bool all) {
    uint64_t begin = counted - count;
    if (all || begin + i >= due) return i;
    return due - begin < count ? (uint32_t)(due - begin) : count;
}

/* The same if sources have numbers. */
static uint32_t next_number(const struct strict *s, uint32_t i, const struct ts_batch *batch) {
    uint64_t number = batch->first - 1 + i;
    if (number < STRICT_FIRST && s->work < MOST_WORK) return i;
    uint64_t next = (number + STRICT_EACH - 1) / STRICT_EACH * STRICT_EACH - number + i;
    return next < batch->count ? (uint32_t)next : batch->count;
}

static uint32_t next_source(struct ts_worker *w, uint32_t i, const struct ts_batch *batch) {
    struct strict *s = &w->m->strict;
    struct strict_worker *x = &w->strict;
    if (x->all) return i;
    if (batch->first) return next_number(s, i, batch);
    bool early = is_early(s);
    i = next_place(i, batch->count, x->expanded, x->due, early);
    if (i < batch->count && !early) x->due = x->expanded - batch->count + i + STRICT_EACH;
    return i;
}

uint32_t c_strict_expand(struct ts_worker *w, struct ts_batch *batch, bool by_code) {
    struct strict *s = &w->m->strict;
    struct strict_worker *x = &w->strict;
    for (uint32_t i = 0; i < batch->count && !is_over(s, batch); i++) {
        i = next_source(w, i, batch);
        if (i == batch->count) break;
        uint64_t before = work_of(x);
        if (!check_source(w, batch, i, by_code)) {
            s->told = true;
            batch->fault.source = i;
            return i;
        }
        s->work += work_of(x) - before;
    }
    if (is_over(s, batch)) x->due = UINT64_MAX;
    return batch->count;
}

/* False: batch->fault. */
static bool check_classes(struct ts_worker *w, struct ts_batch *batch, uint32_t i) {
    static const struct {
        enum function function;
        uint32_t class;
    } all[] = {{CHECK_STATE, TS_BAD}, {MAY_PROGRESS, TS_MAY}, {MUST_PROGRESS, TS_MUST}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (!(batch->wanted & all[k].class)) continue;
        struct call call = {.function = all[k].function, .s = batch->sources + (size_t)i * w->m->ts.words};
        enum strict_trust which;
        struct watch_finding found;
        enum outcome outcome = try_call(w, &call, &which, &found);
        if (outcome == FOUND) return fault_of(w, &batch->fault, &call, which, &found), false;
        if (outcome == BROKEN) w->m->strict.trust = TRUST_NONE;
        if (outcome == BROKEN || outcome == UNAVAILABLE) return true;
    }
    return true;
}

uint32_t c_strict_classify(struct ts_worker *w, struct ts_batch *batch) {
    struct strict *s = &w->m->strict;
    struct strict_worker *x = &w->strict;
    for (uint32_t i = 0; i < batch->count && !is_over(s, batch); i++) {
        bool early = s->mode == C_STRICT_ALWAYS || (s->checked < STRICT_FIRST && s->work < MOST_WORK);
        i = next_place(i, batch->count, x->classified, x->classify_due, early);
        if (i == batch->count) break;
        if (!early) x->classify_due = x->classified - batch->count + i + STRICT_EACH;
        if (!check_classes(w, batch, i)) {
            batch->fault.source = i;
            return i;
        }
    }
    if (is_over(s, batch)) x->classify_due = UINT64_MAX;
    return batch->count;
}

bool c_strict_initial(struct ts_worker *w, struct ts_fault *f) {
    struct call call = {.function = INITIAL};
    enum strict_trust which;
    struct watch_finding found;
    if (w->m->strict.mode == C_STRICT_NEVER || w->m->strict.trust == TRUST_NONE) return true;
    if (try_call(w, &call, &which, &found) != FOUND) return true;
    fault_of(w, f, &call, which, &found);
    return false;
}

uint64_t c_model_watched(const struct ts *ts, bool *all, const char **limit) {
    static const char *const limits[] = {
        [TRUST_WIDE] =
            "the model's code depends on the types of its variables of 16 bits and more: where C truncates a "
            "value that is stored in one of these, that is not noticed",
        [TRUST_NATIVE] =
            "the model's code depends on how states are laid out: where C truncates a value that is stored, that is "
            "not noticed",
        [TRUST_NONE] =
            "the rest was not watched: the model's code cannot be compiled a second time, depends on how states are "
            "laid out, or behaves differently without optimisation",
    };
    const struct strict *s = &c_model_of(ts)->strict;
    *all = s->mode == C_STRICT_ALWAYS;
    *limit = limits[s->trust];
    return s->mode == C_STRICT_NEVER ? UINT64_MAX : s->checked;
}
