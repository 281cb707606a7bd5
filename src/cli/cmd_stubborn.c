/* onager stubborn: the stubborn set of a state, and why it is what it is. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/load_lts.h"
#include "cli/picture.h"
#include "cli/progress_line.h"
#include "report/obligations.h"
#include "report/report.h"
#include "explore/bfs.h"
#include "check/lts/build_lts.h"

/* A state that is being explained. */
struct question {
    const struct options *o;
    struct ts *ts;
    struct ts_worker *w;
    word *state;
    uint64_t number; /* or UINT64_MAX */
    enum sv_answer sv;
    bool *wanted, *frozen, *beyond; /* build_lts.h; or NULL */
    bool *added;                    /* SV_WIDENED: by unit: what the widening adds */
    uint32_t *chosen, chosen_count; /* --clsr */
    struct problem *why;
};

static bool model_failed(struct question *q, const struct ts_fault *fault) {
    return problem_set(q->why, EXIT_BAD_INPUT, "%s: %s: %s", q->ts->path, fault->where, fault->text);
}

/* Without --preserve, what check --stubborn preserves. */
static struct reduction reduction_of(const struct options *o) {
    struct reduction r = lts_reduction(o);
    if (o->preserve < 2) r.preserve = PRESERVE_SAFETY;
    r.stubborn = true;
    return r;
}

static const char *preserved(const struct question *q) {
    static const char *const names[] = {"deadlocks", "deadlocks and safety", "deadlocks and their traces",
                                        "traces",    "fair testing",         "tree failures"};
    return q->ts->ops->explain ? names[q->ts->reduction.preserve] : "what the rules preserve";
}

static const char *method(const struct question *q) {
    static const char *const names[] = {"esc", "cheapest", "deletion"};
    return names[q->ts->ops->explain ? q->ts->reduction.method : METHOD_ESC];
}

/* ---- Which state: --state ---- */

static bool lacks_state(struct question *q, uint64_t states) {
    return problem_set(q->why, EXIT_BAD_INPUT,
                       "--state %s: there are %llu states with these stubborn sets, numbered from 0", q->o->state,
                       (unsigned long long)states);
}

/* Only as many states are built as are needed. */
static bool search_state(struct question *q, struct limits limits, const struct means *means, struct ticker *ticker) {
    struct space s;
    struct stop stop = {.kind = STOP_DONE};
    struct ts_fault fault;
    bool limited = limits.max_states && limits.max_states <= q->number;
    if (!limited) limits.max_states = q->number + 1;
    if (!q->ts->ops->initial(q->w, q->state, &fault)) return model_failed(q, &fault);
    if (!space_init(&s, q->ts, q->w, &limits, means, q->why)) return false;
    s.ticker = *ticker;
    bfs_run(&s, q->state, &(struct bfs_goals){0}, &stop);
    bool good = q->number < s.states && space_state(&s, q->number, q->state);
    if (!good && stop.kind == STOP_DONE) lacks_state(q, s.states);
    else if (!good && stop.kind == STOP_FAULT) model_failed(q, &stop.fault);
    else if (!good)
        problem_set(q->why, EXIT_INCONCLUSIVE, "--state %s was not reached: %s", q->o->state,
                    stop.reason ? stop.reason : "the search was given up");
    space_fini(&s);
    return good;
}

/* SV needs the whole reduced LTS. */
static bool inspect_state(struct question *q, const struct limits *limits, const struct means *means,
                          struct ticker *ticker) {
    struct build_inspection i = {.number = q->number, .state = q->state};
    uint32_t units = obligation_units(q->ts);
    i.wanted = q->wanted = memory_get_zeroed(q->ts->actions + UINT64_C(1));
    i.frozen = q->frozen = memory_get_zeroed(units + UINT64_C(1));
    i.beyond = q->beyond = memory_get_zeroed(units + UINT64_C(1));
    if (!build_inspect(q->ts, q->w, limits, means, ticker, &i, q->why)) return false;
    q->sv = i.widened ? SV_WIDENED : SV_NOT_WIDENED;
    return q->number < i.states || lacks_state(q, i.states);
}

static bool find_by_number(struct question *q) {
    struct limits limits = limits_of(q->o);
    struct means means = {.threads = (unsigned)q->o->threads, .no_audit = true};
    struct progress progress;
    int64_t number;
    if (!text_to_int(q->o->state, 0, INT64_MAX - 1, &number))
        return problem_set(q->why, EXIT_BAD_INPUT, "--state %s: it must be the number of a state: 0, 1, 2, ...",
                           q->o->state);
    q->number = (uint64_t)number;
    progress_init(&progress);
    struct ticker ticker = progress_ticker(&progress, q->o->quiet);
    bool good = (q->sv == SV_NOT_NEEDED ? search_state(q, limits, &means, &ticker)
                                        : inspect_state(q, &limits, &means, &ticker));
    progress_wipe(&progress);
    return good;
}

/* ---- Which state: --after ---- */

/* The first word of a list with commas between; *rest becomes what follows, or NULL. To be freed. */
static char *next_word(const char **rest) {
    const char *begin = *rest;
    size_t n = strcspn(begin, ",");
    *rest = begin[n] ? begin + n + 1 : NULL;
    return text_format("%.*s", (int)n, begin);
}

/* Whether a transition is called so: by its number, its name, or that of its unit. */
static bool is_called(struct question *q, uint32_t t, const char *name, const struct ts_unit *units, uint32_t count) {
    char own[128];
    int64_t number;
    if (text_to_int(name, 0, INT64_MAX, &number)) return t == number;
    q->ts->ops->transition_name(q->w, t, own, sizeof own);
    if (strcmp(own, name) == 0) return true;
    for (uint32_t u = 0; u < count; u++)
        if (t - units[u].transition < units[u].transitions) return strcmp(units[u].name, name) == 0;
    return false;
}

/* A list of transitions that grows. */
struct found {
    char *text; /* "3 (a), 5 (b)" */
    uint32_t count, first;
};

static void add_found(struct question *q, struct found *f, uint32_t t) {
    enum { SHOWN = 12 };
    char name[128];
    char *longer = NULL;
    q->ts->ops->transition_name(q->w, t, name, sizeof name);
    if (f->count == 0) f->first = t;
    if (f->count < SHOWN) longer = text_format("%s%s%u (%s)", f->text ? f->text : "", f->text ? ", " : "", t, name);
    else if (f->count == SHOWN) longer = text_format("%s, ...", f->text);
    if (longer) {
        free(f->text);
        f->text = longer;
    }
    f->count++;
}

static bool complain(struct question *q, const char *name, uint32_t step, const struct found *all,
                     const struct found *called) {
    if (called->count > 1)
        return problem_set(
            q->why, EXIT_BAD_INPUT,
            "--after: '%s' (step %u) can mean several transitions, which are enabled there: %s; give the "
            "number of one",
            name, step, called->text);
    if (ts_find_transition(q->ts, q->w, name) == TS_NONE && !strchr(name, '(') && !strchr(name, ')'))
        return ts_lacks_transition(q->ts, q->w, name, q->why);
    return problem_set(q->why, EXIT_BAD_INPUT, "--after: '%s' (step %u) is not enabled there; enabled are: %s", name,
                       step, all->text ? all->text : "none, the state is terminal");
}

static bool step_by(struct question *q, const char *name, uint32_t step, const struct ts_unit *units, uint32_t count) {
    struct found all = {0}, called = {0};
    word *next = memory_get(q->ts->words * sizeof(word)), *chosen = memory_get(q->ts->words * sizeof(word));
    struct ts_fault fault;
    bool good = true;
    for (uint32_t t = 0; good && t < q->ts->transitions; t++) {
        int fired = q->ts->ops->fire(q->w, q->state, t, next, &fault);
        if (fired < 0) good = model_failed(q, &fault);
        if (fired <= 0) continue;
        add_found(q, &all, t);
        if (!is_called(q, t, name, units, count)) continue;
        if (called.count == 0) memcpy(chosen, next, q->ts->words * sizeof(word));
        add_found(q, &called, t);
    }
    if (good && called.count != 1) good = complain(q, name, step, &all, &called);
    if (good) memcpy(q->state, chosen, q->ts->words * sizeof(word));
    free(all.text);
    free(called.text);
    free(next);
    free(chosen);
    return good;
}

/* The units as they are called in the state at hand. */
static struct ts_unit *list_units(struct question *q, uint32_t *count) {
    struct ts_fault fault;
    *count = obligation_units(q->ts);
    struct ts_unit *units = memory_get((*count + UINT64_C(1)) * sizeof *units);
    for (uint32_t u = 0; u < *count; u++)
        if (!obligation_unit(q->ts, q->w, q->state, u, &units[u], &fault)) {
            model_failed(q, &fault);
            free(units);
            return NULL;
        }
    return units;
}

static bool find_by_steps(struct question *q) {
    const char *rest = q->o->after;
    uint32_t count, step = 1;
    struct ts_unit *units = list_units(q, &count);
    bool good = units != NULL;
    for (; good && rest && *rest; step++) {
        char *name = next_word(&rest);
        good = step_by(q, name, step, units, count);
        free(name);
    }
    free(units);
    return good;
}

/* ---- Which units: --clsr ---- */

static bool choose_units(struct question *q) {
    const char *rest = q->o->clsr;
    uint32_t count;
    if (!rest) return true;
    struct ts_unit *units = list_units(q, &count);
    bool good = units != NULL;
    q->chosen = memory_get((count + UINT64_C(1)) * sizeof *q->chosen);
    bool *taken = memory_get_zeroed(count + UINT64_C(1));
    while (good && rest && *rest) {
        char *name = next_word(&rest);
        bool any = false;
        for (uint32_t u = 0; u < count; u++) {
            int64_t number;
            bool by_number = text_to_int(name, 0, INT64_MAX, &number) && units[u].transitions &&
                             (uint64_t)number - units[u].transition < units[u].transitions;
            if (!by_number && strcmp(units[u].name, name) != 0) continue;
            any = true;
            if (!taken[u]) q->chosen[q->chosen_count++] = u;
            taken[u] = true;
        }
        if (!any) good = ts_lacks_transition(q->ts, q->w, name, q->why);
        free(name);
    }
    free(units);
    free(taken);
    return good;
}

/* ---- SV ---- */

/* Is a unit one of the actions that SV wants? */
static bool is_wanted(struct question *q, const struct ts_unit *u) {
    struct ts_fault fault;
    if (!u->visible) return false;
    return q->wanted[u->transitions ? q->ts->ops->action(q->w, q->state, u->transition, &fault) : 0];
}

/* What the set is widened by: clsr of what is wanted, where all that is frozen beyond the component is absent. */
static bool find_added(struct question *q) {
    struct obligation_graph g;
    struct ts_fault fault;
    uint32_t count, *list, n = 0;
    if (q->sv != SV_WIDENED) return true;
    struct ts_unit *units = list_units(q, &count);
    if (!units) return false;
    list = memory_get((count + UINT64_C(1)) * sizeof *list);
    for (uint32_t u = 0; u < count; u++)
        if (!q->beyond[u] && is_wanted(q, &units[u])) list[n++] = u;
    q->ts->ops->freeze(q->w, q->beyond);
    bool good = obligation_graph_init(&g, q->ts, q->w, q->state, list, n, false, &fault) || model_failed(q, &fault);
    q->ts->ops->freeze(q->w, NULL);
    q->added = memory_get_zeroed(count + UINT64_C(1));
    for (uint32_t u = 0; good && u < count; u++) q->added[u] = g.vertex[u].closed;
    if (good) obligation_graph_fini(&g);
    free(units);
    free(list);
    return good;
}

/* ---- The answer ---- */

static bool show(struct question *q, const struct obligation_graph *g) {
    const struct options *o = q->o;
    struct obligations_report r = {.ts = q->ts,
                                   .w = q->w,
                                   .graph = g,
                                   .state = q->state,
                                   .number = q->number,
                                   .preserved = preserved(q),
                                   .method = method(q),
                                   .sv = q->sv,
                                   .wanted = q->wanted,
                                   .frozen = q->frozen,
                                   .beyond = q->beyond,
                                   .added = q->added,
                                   .closure = o->clsr != NULL};
    bool good = true;
    if (o->output) {
        char *text = obligations_dot(&r);
        good = picture_write(text, o->output, q->why);
        free(text);
    }
    bool taken = (o->json && strcmp(o->json, "-") == 0) || (o->output && strcmp(o->output, "-") == 0);
    if (good && !taken) obligations_text(&r, stdout);
    if (good && o->json) {
        json_t *document = obligations_json(&r);
        good = report_write_json(document, o->json, q->why);
        json_decref(document);
    }
    return good;
}

static bool answer(struct question *q) {
    struct ts_fault fault = {0};
    struct obligation_graph g;
    if (!q->ts->ops->initial(q->w, q->state, &fault)) return model_failed(q, &fault);
    if (q->o->state && !find_by_number(q)) return false;
    if (q->o->after && !find_by_steps(q)) return false;
    if (!choose_units(q) || !find_added(q)) return false;
    if (q->frozen) q->ts->ops->freeze(q->w, q->frozen);
    if (!obligation_graph_init(&g, q->ts, q->w, q->state, q->chosen, q->chosen_count, q->o->all, &fault))
        return model_failed(q, &fault);
    bool good = show(q, &g);
    obligation_graph_fini(&g);
    return good;
}

static bool can_preserve(const struct options *o, const struct ts *ts, struct problem *why) {
    if (ts->ops->explain) return true;
    if (o->preserve > 1)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s: what is preserved depends on the obligations that the C model gives; leave "
                           "--preserve out",
                           ts->path);
    return !o->method || problem_set(why, EXIT_BAD_INPUT,
                                     "%s: --method is for processes: C models always use esc; leave it out", ts->path);
}

int command_stubborn(const struct options *o, struct problem *why) {
    if (o->output && !picture_format(o->output)) {
        problem_set(why, EXIT_BAD_INPUT, "-o %s: its name must end with .svg, .png, .pdf or .dot", o->output);
        return (int)why->status;
    }
    struct ts *ts = open_model(o, reduction_of(o), why);
    if (!ts) return (int)why->status;
    struct question q = {.o = o, .ts = ts, .number = UINT64_MAX, .why = why};
    q.w = ts->ops->worker_new(ts);
    q.state = memory_get(ts->words * sizeof(word));
    if (ts->ops->explain && ts->reduction.preserve >= PRESERVE_TRACES) q.sv = SV_NOT_ASKED;
    if (can_preserve(o, ts, why)) answer(&q);
    free(q.state);
    free(q.wanted);
    free(q.frozen);
    free(q.beyond);
    free(q.added);
    free(q.chosen);
    ts->ops->worker_free(q.w);
    ts->ops->close(ts);
    return (int)why->status;
}
