#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/coverage_report.h"
#include "report/never_fired.h"
#include "report/report.h"

/* Propositions that begin or cease to hold here; what a tester has seen, unless actions are `named` anyway, and where
 * it is. */
static void print_changes(const struct trace *t, uint64_t i, bool named, FILE *out) {
    const struct trace_notes *n = t->notes;
    if (!n || i < n->first) return;
    if (n->beside && !named && n->seen[i]) fprintf(out, "   %s", n->seen[i]);
    if (n->beside) fprintf(out, "   [%s]", n->beside[i]);
    uint64_t now = n->valuations[i], before = i > n->first ? n->valuations[i - 1] : 0;
    assert(n->propositions.count <= 64);
    const char *gap = "   ";
    for (uint32_t p = 0; p < n->propositions.count; p++) {
        if (((now ^ before) >> p & 1) == 0) continue;
        fprintf(out, "%s%c%s", gap, now >> p & 1 ? '+' : '-', n->propositions.text[p]);
        gap = " ";
    }
}

static void print_state(const struct trace *t, uint64_t i, struct ts *ts, struct ts_worker *w, FILE *out) {
    struct ts_fault fault;
    if (!ts->ops->print(w, trace_state(t, i), i ? trace_state(t, i - 1) : NULL, out, &fault))
        fprintf(out, "(%s: %s)", fault.where, fault.text);
    fputs(t->swaps && t->mapped[i] ? "   [mapped]" : "", out);
    print_changes(t, i, ts->whole_counts, out);
    fputc('\n', out);
}

static char *state_text(const struct trace *t, uint64_t i, const word *previous, struct ts *ts, struct ts_worker *w) {
    char *text = NULL;
    size_t size = 0;
    struct ts_fault fault;
    FILE *memory = open_memstream(&text, &size);
    bool good = ts->ops->print(w, trace_state(t, i), previous, memory, &fault);
    fclose(memory);
    if (!good) text[0] = 0; /* that was said where the state was printed */
    return text;
}

/* A state of which only what has changed was printed: all of it. */
static void print_in_full(const struct trace *t, uint64_t i, struct ts *ts, struct ts_worker *w, FILE *out) {
    if (i == 0) return;
    char *changes = state_text(t, i, trace_state(t, i - 1), ts, w), *all = state_text(t, i, NULL, ts, w);
    if (strcmp(changes, all) != 0) fprintf(out, "(in full: %s)\n", all);
    free(changes);
    free(all);
}

/* The action that led to a state, in a column of its own. */
static void print_action(const struct trace *t, uint64_t i, int width, struct ts *ts, struct ts_worker *w, FILE *out) {
    char name[128] = "";
    if (t->transitions[i] != TS_NONE) trace_transition_name(t, ts, w, t->transitions[i], name, sizeof name);
    fprintf(out, "%-*s  ", width, name);
}

/* How wide that column is: no longer than fits on most lines. */
static int action_width(const struct trace *t, struct ts *ts, struct ts_worker *w) {
    size_t width = 0;
    for (uint64_t i = 1; i <= t->count; i++) {
        char name[128] = "";
        uint32_t transition = i < t->count ? t->transitions[i] : t->closing;
        if (transition != TS_NONE) trace_transition_name(t, ts, w, transition, name, sizeof name);
        size_t length = strlen(name);
        if (length > width) width = length;
    }
    return width < 40 ? (int)width : 40;
}

static void print_states(const struct trace *t, struct ts *ts, struct ts_worker *w, FILE *out) {
    int width = ts->whole_counts ? action_width(t, ts, w) : 0;
    for (uint64_t i = 0; i < t->count; i++) {
        if (i == t->no_return) fputs("==========\n", out);
        if (i == t->cycle) fputs("----------\n", out);
        if (ts->whole_counts) print_action(t, i, width, ts, w, out);
        print_state(t, i, ts, w, out);
        if (i == t->no_return || i + 1 == t->count) print_in_full(t, i, ts, w, out);
    }
    if (t->cycle != TRACE_NONE && ts->whole_counts) {
        char name[128];
        trace_transition_name(t, ts, w, t->closing, name, sizeof name);
        fprintf(out, "%-*s  (and so on)\n", width, name);
    }
    if (t->cycle != TRACE_NONE && !ts->whole_counts && t->notes && t->notes->seen && t->notes->seen[t->count])
        fprintf(out, "(back to the beginning of the cycle)   %s\n", t->notes->seen[t->count]);
    if (t->cycle != TRACE_NONE && t->swaps && t->closing_mapped)
        fputs("(back to the beginning of the cycle)   [mapped]\n", out);
}

/* Longer executions take too much memory as documents: they are shown as states. */
enum { MOST_STEPS = 20000 };

void report_trace(const struct trace *t, struct ts *ts, struct ts_worker *w, bool stuck, struct showing how,
                  FILE *out) {
    if (how.form == FORM_STATES || t->count > MOST_STEPS) {
        print_states(t, ts, w, out);
        return;
    }
    json_t *execution = execution_json(t, ts, w, stuck);
    forms_print(execution, how.form, how.look, out);
    json_decref(execution);
}

static void list_checks(unsigned checks, FILE *out) {
    const char *gap = "";
    for (const struct property_row *row = property_table; row->name; row++)
        if (checks & row->id) {
            fprintf(out, "%s%s", gap, row->name);
            gap = ", ";
        }
    if (!*gap) fputs("(the model has no checks)", out);
}

/* If something was found, it does not matter what else might have been. */
static void list_unchecked(const struct answer *a, FILE *out) {
    unsigned all_states = a->unchecked & ~(unsigned)PROP_MODEL_ERROR; /* of which a note tells */
    if (!all_states || a->verdict != VERDICT_INCONCLUSIVE) return;
    fputs("not checked, since all states are needed for that: ", out);
    list_checks(all_states, out);
    fputc('\n', out);
}

static void list_held(const struct answer *a, FILE *out) {
    if (!a->held) return;
    fputs("known to hold: ", out);
    list_checks(a->held, out);
    fputc('\n', out);
}

static bool by_automaton(const struct answer *a) { return a->ltl.formula || a->ltl.file; }

/* The same of decision diagrams. */
static void symbolic_facts(const struct answer *a, FILE *out) {
    const struct symbolic_facts *f = &a->symbolic;
    char bytes[16];
    fprintf(out, "%s state%s, %s edge%s\n", f->states, strcmp(f->states, "1") == 0 ? "" : "s", f->edges,
            strcmp(f->edges, "1") == 0 ? "" : "s");
    fprintf(out, "%s terminal; %.2f s; %s\n", f->terminals, a->seconds, text_bytes((double)memory_peak(), bytes));
    fprintf(out, "decision diagrams: %u levels (%s), %llu nodes for all states, at most %llu\n", f->levels, f->order,
            (unsigned long long)f->nodes, (unsigned long long)f->most);
}

static void costs(const struct answer *a, FILE *out) {
    char rate[16], bytes[16];
    double seconds = a->seconds > 1e-6 ? a->seconds : 1e-6;
    uint64_t peak = memory_peak();
    bool watched = by_automaton(a) || a->tester.name;
    if (!watched) fprintf(out, "%llu terminal, ", (unsigned long long)a->terminals);
    if (!watched || a->depth > 0) fprintf(out, "depth %llu; ", (unsigned long long)a->depth); /* not all count levels */
    fprintf(out, "%.2f s, %s edges/s; %s", a->seconds, text_count((double)a->edges / seconds, rate),
            text_bytes((double)peak, bytes));
    if (a->states >= 1000000) fprintf(out, ", %.1f bytes a state", (double)peak / (double)a->states);
    fputc('\n', out);
}

/* The estimate needs words: it says less than one would like. */
static void random_facts(const struct answer *a, FILE *out) {
    const struct search_facts *s = &a->search;
    if (s->found)
        fprintf(out, "found by a %s: run %llu of thread %u with seed %llu\n",
                s->by_walk ? "random walk" : "depth-first search", (unsigned long long)s->run, s->thread,
                (unsigned long long)s->seed);
    fprintf(out, "random search, seed %llu, %u thread%s: %llu visit%s in %llu walk%s and %llu depth-first search%s\n",
            (unsigned long long)s->seed, a->threads, a->threads == 1 ? "" : "s", (unsigned long long)s->visited,
            s->visited == 1 ? "" : "s", (unsigned long long)s->walks, s->walks == 1 ? "" : "s",
            (unsigned long long)s->searches, s->searches == 1 ? "" : "es");
    fprintf(out,
            "%.1f %% of the newer visits were to known states: an estimate of the coverage of what "
            "random search can reach, not of the whole state space\n",
            100 * s->coverage);
}

static void tester_facts(const struct answer *a, FILE *out) {
    const struct tester_facts *t = &a->tester;
    fprintf(out, "tester %s%s with %u state%s, %s%s\n", t->refines ? "of " : "", t->name, t->states,
            t->states == 1 ? "" : "s", t->algorithm, t->stubborn ? ", stubborn sets" : "");
    if (t->absent)
        fprintf(out, "note: actions of the %s that never occur in the model: %s\n",
                t->refines ? "specification" : "tester", t->absent);
}

static void list_actions(const uint32_t *actions, uint32_t count, const struct ts *ts, FILE *out) {
    enum { MOST = 12 };
    for (uint32_t i = 0; i < count && i < MOST; i++) fprintf(out, "%s%s", i ? ", " : "", ts->action_names[actions[i]]);
    if (count > MOST) fprintf(out, ", and %u more", count - MOST);
}

/* What else the whole space has. */
static void census_facts(const struct answer *a, struct ts *ts, FILE *out) {
    const struct census *n = &a->census;
    if (n->whole && n->has_error && a->property == PROP_DEADLOCK)
        fprintf(out, "also: %s, after %llu action%s\n", n->error_message, (unsigned long long)n->error.count - 1,
                text_s(n->error.count - 1));
    if (n->whole && n->has_deadlock && a->property == PROP_SAFETY)
        fprintf(out, "also: a deadlock, after %llu action%s\n", (unsigned long long)n->deadlock.count - 1,
                text_s(n->deadlock.count - 1));
    for (uint32_t i = 0; i < n->failed_count; i++)
        if (a->property != PROP_PROGRESS || i > 0)
            fprintf(out, "also: progress %s fails\n", ts->progress[n->failed[i]].name);
    if (n->judged && n->rare_count > 0 && ts->progress_count == 0 && a->verdict == VERDICT_HOLDS) {
        fputs("note: not sure to occur infinitely often: ", out);
        list_actions(n->rare, n->rare_count, ts, out);
        fputc('\n', out);
    }
}

static void audit_facts(const struct audit_facts *f, FILE *out) {
    if (!f->obligations && !f->symmetry) return;
    const char *rules = !f->symmetry      ? "obligations"
                        : !f->obligations ? "symmetry map"
                                          : "obligations and symmetry map";
    if (f->states)
        fprintf(out, "audited: %s, %llu state%s, %llu check%s%s%s%s\n", rules, (unsigned long long)f->states,
                text_s(f->states), (unsigned long long)f->checks, text_s(f->checks), f->skipped ? " (" : "",
                f->skipped ? f->skipped : "", f->skipped ? ")" : "");
    else if (f->skipped) fprintf(out, "not audited: %s (%s)\n", rules, f->skipped);
}

/* Who has asked for all is told how many these were, and what was not seen. */
static void strict_facts(const struct ts *ts, FILE *out) {
    bool all = false;
    const char *limit = NULL;
    uint64_t watched = ts->ops->watched ? ts->ops->watched(ts, &all, &limit) : UINT64_MAX;
    if (watched == UINT64_MAX || !all) return;
    fprintf(out, "strict: the code of %llu expansion%s was watched\n", (unsigned long long)watched,
            watched == 1 ? "" : "s");
    if (limit) fprintf(out, "note: --strict: %s\n", limit);
}

static void print_coverage(const struct answer *a, struct ts *ts, struct ts_worker *w, FILE *out) {
    json_t *coverage = coverage_json(a->exercised, ts, w);
    coverage_text(coverage, out);
    json_decref(coverage);
}

void report_text(const struct answer *a, struct ts *ts, struct ts_worker *w, struct showing how, FILE *out) {
    bool colour = how.look.colour;
    const char *red = colour ? "\033[1;31m" : "", *green = colour ? "\033[1;32m" : "",
               *yellow = colour ? "\033[1;33m" : "", *plain = colour ? "\033[0m" : "";
    report_trace(&a->trace, ts, w, a->property == PROP_DEADLOCK, how, out);
    if (a->verdict != VERDICT_HOLDS && a->verdict != VERDICT_INCONCLUSIVE)
        fprintf(out, "%s!!! %s%s\n", red, a->message, plain);
    assert(a->message || a->verdict == VERDICT_HOLDS);
    bool random = a->search.order == ORDER_RANDOM;
    if (a->symbolic.states) symbolic_facts(a, out);
    else {
        fprintf(out, "%s%llu state%s, %llu edge%s\n", random ? "about " : "", (unsigned long long)a->states,
                text_s(a->states), (unsigned long long)a->edges, text_s(a->edges));
        costs(a, out);
    }
    if (by_automaton(a))
        fprintf(out, "%s automaton with %u state%s, %s%s\n", a->ltl.testing ? "testing" : "Büchi",
                a->ltl.automaton_states, text_s(a->ltl.automaton_states),
                a->ltl.algorithm ? a->ltl.algorithm : "no search", a->ltl.stubborn ? ", stubborn sets" : "");
    if (a->tester.name) tester_facts(a, out);
    if (random) random_facts(a, out);
    never_fired_text(a, ts, w, out);
    if (a->exercised) print_coverage(a, ts, w, out);
    audit_facts(&a->audit, out);
    census_facts(a, ts, out);
    strict_facts(ts, out);
    if (a->note) fprintf(out, "note: %s\n", a->note);
    if (a->chosen) fprintf(out, "reduced: %s\n", a->chosen);
    if (a->proved && a->verdict == VERDICT_HOLDS)
        fputs("proved: check_state, for all reachable states, by pairs of values\n", out);
    if (a->one_thread) fprintf(out, "note: --threads makes no difference here: %s\n", a->one_thread);
    list_unchecked(a, out);
    list_held(a, out);
    if (a->verdict == VERDICT_HOLDS) {
        fprintf(out, "%sholds%s: ", green, plain);
        if (a->ltl.formula) fputs(a->ltl.formula, out);
        else if (a->ltl.file) fprintf(out, "%s accepts no execution", a->ltl.file);
        else if (a->tester.refines) fprintf(out, "the model is below %s (%s)", a->tester.name, a->tester.refines);
        else if (a->tester.name) fprintf(out, "the tester %s finds nothing illegal", a->tester.name);
        else list_checks(a->checked, out);
        fputc('\n', out);
    } else if (a->verdict == VERDICT_INCONCLUSIVE) {
        fprintf(out, "%sinconclusive%s: %s\n", yellow, plain, a->message);
    }
}
