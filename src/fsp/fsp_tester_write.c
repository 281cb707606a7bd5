/* A tester as a text in FSP. Each state is a local process S0, S1, ...; tau is an action that is hidden. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fsp/fsp.h"
#include "fsp/lexer.h"

struct writing {
    const struct tester *t;
    FILE *out;
    char *tau; /* what it is called until it is hidden */
};

static bool is_keyword(const char *word) {
    for (enum token_kind k = TOKEN_CONST; k <= TOKEN_FORALL; k++)
        if (strcmp(token_text(k), word) == 0) return true;
    return false;
}

static bool is_plain(const char *label) {
    return (islower((unsigned char)*label) || *label == '_') && text_is_identifier(label) && !is_keyword(label);
}

static void write_label(const struct writing *w, uint32_t label) {
    const char *text = label == LTS_TAU ? w->tau : w->t->lts.labels.text[label];
    const char *quote = is_plain(text) ? "" : "\"";
    fprintf(w->out, "%s%s%s", quote, text, quote);
}

static int by_target(const void *a, const void *b) {
    const struct lts_edge *x = a, *y = b;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    return (x->label > y->label) - (x->label < y->label);
}

/* "({a, b} -> S1 | c -> S2)", the edges by target */
static void write_body(const struct writing *w, uint32_t s) {
    const struct lts *l = &w->t->lts;
    size_t count = (size_t)(lts_end(l, s) - lts_begin(l, s));
    struct lts_edge *edge = memory_get((count + 1) * sizeof *edge);
    memcpy(edge, lts_begin(l, s), count * sizeof *edge);
    qsort(edge, count, sizeof *edge, by_target);
    if (count == 0) fprintf(w->out, "STOP");
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end < count && edge[end].target == edge[i].target) end++;
        fprintf(w->out, "%s%s", i == 0 ? "(" : " | ", end - i > 1 ? "{" : "");
        for (size_t k = i; k < end; k++) {
            fprintf(w->out, "%s", k > i ? ", " : "");
            write_label(w, edge[k].label);
        }
        fprintf(w->out, "%s -> S%u", end - i > 1 ? "}" : "", edge[i].target);
        i = end;
    }
    if (count > 0) fprintf(w->out, ")");
    free(edge);
}

static void write_kind(const struct writing *w, const char *name, unsigned kind) {
    const char *gap = "";
    for (uint32_t s = 0; s < w->t->lts.states; s++) {
        if (!(w->t->kinds[s] & kind)) continue;
        if (!*gap) fprintf(w->out, "\n    %s {", name);
        fprintf(w->out, "%sS%u", gap, s);
        gap = ", ";
    }
    if (*gap) fprintf(w->out, "}");
}

static void write_states(const struct writing *w, const char *name) {
    const struct lts *l = &w->t->lts;
    fprintf(w->out, "%s = S%u,\n", name, l->initial);
    for (uint32_t s = 0; s < l->states; s++) {
        fprintf(w->out, "// %s\nS%u = ", w->t->state_name[s], s);
        write_body(w, s);
        if (s + 1 < l->states) fprintf(w->out, ",\n");
    }
    if (l->labels.count > 1) fprintf(w->out, "\n    + {");
    for (uint32_t i = 1; i < l->labels.count; i++) {
        fprintf(w->out, "%s", i > 1 ? ", " : "");
        write_label(w, i);
    }
    if (l->labels.count > 1) fprintf(w->out, "}");
    fprintf(w->out, " \\ {%s}.\n", w->tau);
}

static bool can_write(const struct tester *t, struct problem *why) {
    for (uint32_t i = 1; i < t->lts.labels.count; i++)
        if (strpbrk(t->lts.labels.text[i], "\"\n"))
            return problem_set(why, EXIT_BAD_INPUT,
                               "the label '%s' cannot be written in FSP, because there is a quote in it; rename it",
                               t->lts.labels.text[i]);
    return true;
}

bool fsp_write_tester(const struct tester *t, const char *name, FILE *out, struct problem *why) {
    struct writing w = {t, out, memory_copy_string("choose")};
    if (!can_write(t, why)) return free(w.tau), false;
    while (names_find(&t->lts.labels, w.tau) != NAMES_NONE) {
        char *longer = text_format("%s_", w.tau);
        free(w.tau);
        w.tau = longer;
    }
    write_states(&w, name);
    fprintf(out, "\ntester %s", name);
    write_kind(&w, "reject", TESTER_REJECT);
    write_kind(&w, "deadlock", TESTER_DEADLOCK);
    write_kind(&w, "livelock", TESTER_LIVELOCK);
    write_kind(&w, "infinite", TESTER_INFINITE);
    fprintf(out, "\n");
    free(w.tau);
    return true;
}
