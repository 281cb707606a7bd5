#include "lts/draw_lts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dot.h"
#include "base/memory.h"

enum {
    LONG_LABEL = 32, /* characters of a label */
    LINE = 28,       /* characters of a line of labels */
    MANY_LABELS = 8, /* on one edge */
    TOOLTIP_LABELS = 100,
};

static int by_target(const void *a, const void *b) {
    const struct lts_edge *x = a, *y = b;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    return x->label == y->label ? 0 : x->label < y->label ? -1 : 1;
}

/* The labels with commas between, in lines of about the same length. */
static void put_labels(FILE *out, const struct lts *l, const struct lts_edge *e, size_t n, size_t most,
                       const char *new_line) {
    int column = 0;
    size_t shown = n > most ? most - 1 : n;
    for (size_t i = 0; i < shown; i++) {
        const char *label = l->labels.text[e[i].label];
        int width = dot_length(label) < LONG_LABEL ? dot_length(label) : LONG_LABEL;
        if (i > 0) {
            bool full = column + width > LINE;
            fprintf(out, ",%s", full ? new_line : " ");
            column = full ? 0 : column + 2;
        }
        dot_text(out, label, LONG_LABEL);
        column += width;
    }
    if (shown < n) fprintf(out, ",%s\xe2\x80\xa6 %zu more", new_line, n - shown);
}

static void put_taus(FILE *out, uint32_t s, uint32_t t) {
    fprintf(out,
            "    s%u -> s%u [label=\" \xcf\x84 \", tooltip=\"tau\", labeltooltip=\"tau\", style=dashed, "
            "color=\"#8a8f98\", fontcolor=\"#8a8f98\"];\n",
            s, t);
}

/* All visible edges between two states. */
static void put_visible(FILE *out, const struct lts *l, uint32_t s, const struct lts_edge *e, size_t n) {
    fprintf(out, "    s%u -> s%u [label=\" ", s, e->target);
    put_labels(out, l, e, n, MANY_LABELS, " \\n ");
    fputs(" \", tooltip=\"", out);
    put_labels(out, l, e, n, TOOLTIP_LABELS, " ");
    fputs("\", labeltooltip=\"", out);
    put_labels(out, l, e, n, TOOLTIP_LABELS, " ");
    fputs("\"];\n", out);
}

static void put_edges(FILE *out, const struct lts *l, uint32_t s) {
    size_t n = (size_t)(l->first[s + 1] - l->first[s]);
    struct lts_edge *e = memory_get((n + 1) * sizeof *e);
    memcpy(e, lts_begin(l, s), n * sizeof *e);
    qsort(e, n, sizeof *e, by_target);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && e[j].target == e[i].target; j++) {}
        size_t visible = i;
        if (e[i].label == LTS_TAU) {
            put_taus(out, s, e[i].target);
            visible++;
        }
        if (visible < j) put_visible(out, l, s, e + visible, j - visible);
    }
    free(e);
}

/* ---- States ---- */

static void put_state(FILE *out, const struct lts *l, uint32_t s) {
    fprintf(out, "    s%u [", s);
    if (s == l->error)
        fprintf(out,
                "label=\"ERROR\", tooltip=\"error: state %u\", shape=octagon, fixedsize=false, margin=\"0.06\", "
                "fillcolor=\"#c92a3f\", color=\"#8a1524\", fontcolor=white",
                s);
    else if (s == l->end)
        fprintf(out,
                "label=\"END\", tooltip=\"end: state %u\", shape=doublecircle, fillcolor=\"#e3f4e4\", "
                "color=\"#2f7d3b\"",
                s);
    else if (lts_deadlocks(l, s))
        fprintf(out,
                "label=\"%u\", tooltip=\"deadlock: state %u\", shape=square, width=0.4, penwidth=2.4, "
                "fillcolor=\"#fde3e5\", color=\"#c92a3f\"",
                s, s);
    else fprintf(out, "label=\"%u\", tooltip=\"state %u\"%s", s, s, s == l->initial ? ", penwidth=2.4" : "");
    fputs("];\n", out);
}

char *draw_dot(const struct lts *l, const char *caption) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return memory_copy_string("");
    dot_begin(out, "lts", caption);
    dot_arrow(out, 0, l->initial);
    fputs("];\n", out);
    for (uint32_t s = 0; s < l->states; s++) put_state(out, l, s);
    for (uint32_t s = 0; s < l->states; s++) put_edges(out, l, s);
    fputs("}\n", out);
    if (fclose(out) != 0 || !text) return memory_copy_string("");
    return text;
}
