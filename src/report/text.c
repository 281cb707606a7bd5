#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/report.h"

static void print_state(const struct trace *t, uint64_t i, struct ts *ts, struct ts_worker *w, FILE *out) {
    struct ts_fault fault;
    if (!ts->ops->print(w, trace_state(t, i), i ? trace_state(t, i - 1) : NULL, out, &fault))
        fprintf(out, "(%s: %s)", fault.where, fault.text);
    fputs(t->mapped[i] ? "   [mapped]\n" : "\n", out);
}

void report_trace(const struct trace *t, struct ts *ts, struct ts_worker *w, FILE *out) {
    for (uint64_t i = 0; i < t->count; i++) {
        if (i == t->no_return) fputs("==========\n", out);
        if (i == t->cycle) fputs("----------\n", out);
        print_state(t, i, ts, w, out);
    }
    if (t->cycle != TRACE_NONE && t->closing_mapped) fputs("(back to the beginning of the cycle)   [mapped]\n", out);
}

static void list_checks(unsigned checked, FILE *out) {
    const char *gap = "";
    for (int i = 0; i < PROP_COUNT; i++)
        if (checked & (1u << i)) {
            fprintf(out, "%s%s", gap, property_name((enum property)(1 << i)));
            gap = ", ";
        }
    if (!*gap) fputs("(the model has no checks)", out);
}

static void costs(const struct answer *a, FILE *out) {
    char rate[16], bytes[16];
    double seconds = a->seconds > 1e-6 ? a->seconds : 1e-6;
    uint64_t peak = memory_peak();
    fprintf(out, "%llu terminal, depth %llu; %.2f s, %s edges/s; %s", (unsigned long long)a->terminals,
            (unsigned long long)a->depth, a->seconds, text_count((double)a->edges / seconds, rate),
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
    fprintf(out, "random search, seed %llu, %u thread%s: %llu visits in %llu walks and %llu depth-first searches\n",
            (unsigned long long)s->seed, a->threads, a->threads == 1 ? "" : "s", (unsigned long long)s->visited,
            (unsigned long long)s->walks, (unsigned long long)s->searches);
    fprintf(out,
            "%.1f %% of the newer visits were to known states: an estimate of the coverage of what such a search gets "
            "to, not of all that is reachable\n",
            100 * s->coverage);
}

void report_text(const struct answer *a, struct ts *ts, struct ts_worker *w, bool colour, FILE *out) {
    const char *red = colour ? "\033[1;31m" : "", *green = colour ? "\033[1;32m" : "",
               *yellow = colour ? "\033[1;33m" : "", *plain = colour ? "\033[0m" : "";
    report_trace(&a->trace, ts, w, out);
    if (a->verdict != VERDICT_HOLDS && a->verdict != VERDICT_INCONCLUSIVE)
        fprintf(out, "%s!!! %s%s\n", red, a->message, plain);
    bool random = a->search.order == ORDER_RANDOM;
    fprintf(out, "%s%llu states, %llu edges\n", random ? "about " : "", (unsigned long long)a->states,
            (unsigned long long)a->edges);
    costs(a, out);
    if (random) random_facts(a, out);
    if (a->note) fprintf(out, "note: %s\n", a->note);
    if (a->verdict == VERDICT_HOLDS) {
        fprintf(out, "%sholds%s: ", green, plain);
        list_checks(a->checked, out);
        fputc('\n', out);
    } else if (a->verdict == VERDICT_INCONCLUSIVE) {
        fprintf(out, "%sinconclusive%s: %s\n", yellow, plain, a->message);
    }
}
