#include "omega/draw_automaton.h"

#include <limits.h>
#include <string.h>

#include "base/dot.h"

enum { LONG_NAME = 32 }; /* characters of a proposition */

static void begin(const char *title, FILE *out) { dot_begin(out, "automaton", title); }

/* What is written into a state besides its number makes it larger. */
static void draw_state(uint32_t s, unsigned accept, FILE *out) {
    static const struct {
        enum accept kind;
        const char *mark, *name;
    } kinds[] = {{ACCEPT_INFINITE, "", "infinite"},
                 {ACCEPT_FINITE, "\\nfin", "finite"},
                 {ACCEPT_DEADLOCK, "\\ndl", "deadlock"},
                 {ACCEPT_LIVELOCK, "\\nll", "livelock"}};
    const char *gap = ": acceptance: ";
    fprintf(out, "    s%u [label=\"%u", s, s);
    for (int i = 0; i < 4; i++)
        if (accept & kinds[i].kind) fputs(kinds[i].mark, out);
    fprintf(out, "\", tooltip=\"state %u", s);
    for (int i = 0; i < 4; i++)
        if (accept & kinds[i].kind) {
            fprintf(out, "%s%s", gap, kinds[i].name);
            gap = ", ";
        }
    fprintf(out, "\"%s%s];\n", accept & ~(unsigned)ACCEPT_INFINITE ? ", fixedsize=false, margin=\"0.03\"" : "",
            accept & ACCEPT_INFINITE ? ", shape=doublecircle" : "");
}

static void write_literals(struct cube c, const struct names *propositions, const char *and, int most, FILE *out) {
    const char *gap = "";
    if (!c.care) fputs("true", out);
    for (uint64_t rest = c.care; rest; rest &= rest - 1, gap = and) {
        int p = __builtin_ctzll(rest);
        fprintf(out, "%s%s", gap, c.value >> p & 1 ? "" : "!");
        dot_text(out, propositions->text[p], most);
    }
}

static void write_set(uint64_t set, const struct names *propositions, FILE *out) {
    const char *gap = "";
    fputc('{', out);
    for (; set; set &= set - 1, gap = ", ") {
        fputs(gap, out);
        dot_text(out, propositions->text[__builtin_ctzll(set)], LONG_NAME);
    }
    fputc('}', out);
}

/* The end of the edges that differ from e only in their labels. */
static const struct ba_edge *same_arrow(const struct ba *a, uint32_t s, const struct ba_edge *e) {
    const struct ba_edge *f = e;
    while (f < ba_end(a, s) && f->target == e->target && f->marks == e->marks) f++;
    return f;
}

static void draw_edges(const struct ba *a, uint32_t s, FILE *out) {
    const struct ba_edge *next;
    for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e = next) {
        next = same_arrow(a, s, e);
        fprintf(out, "    s%u -> s%u [label=\" ", s, e->target);
        for (const struct ba_edge *f = e; f < next; f++) {
            if (f > e) fputs(" | \\n ", out);
            write_literals(f->label, &a->propositions, " & ", LONG_NAME, out);
        }
        if (!a->by_state && e->marks) {
            fputs("\\n{", out);
            for (uint64_t m = e->marks; m; m &= m - 1)
                fprintf(out, "%s%d", m == e->marks ? "" : " ", __builtin_ctzll(m));
            fputc('}', out);
        }
        fputs(" \"];\n", out);
    }
}

void draw_ba(const struct ba *a, const char *title, FILE *out) {
    begin(title, out);
    for (uint32_t i = 0; i < a->initials; i++) {
        dot_arrow(out, i, a->initial[i]);
        fputs("];\n", out);
    }
    for (uint32_t s = 0; s < a->states; s++) draw_state(s, a->accept[s], out);
    for (uint32_t s = 0; s < a->states; s++) draw_edges(a, s, out);
    fputs("}\n", out);
}

void draw_ta(const struct ta *a, const char *title, FILE *out) {
    begin(title, out);
    for (uint32_t i = 0; i < a->initials; i++) {
        dot_arrow(out, i, a->initial[i].state);
        fputs(", label=\" ", out);
        write_set(a->initial[i].value, &a->propositions, out);
        fputs(" \"];\n", out);
    }
    for (uint32_t s = 0; s < a->states; s++) draw_state(s, a->accept[s], out);
    for (uint32_t s = 0; s < a->states; s++)
        for (uint32_t t = 0; t < a->states; t++) {
            bool any = false;
            for (const struct ta_edge *e = ta_begin(a, s); e < ta_end(a, s); e++) {
                if (e->target != t) continue;
                if (any) fputs(" \\n ", out);
                else fprintf(out, "    s%u -> s%u [label=\" ", s, t);
                write_set(e->change, &a->propositions, out);
                any = true;
            }
            if (any) fputs(" \"];\n", out);
        }
    fputs("}\n", out);
}

/* ---- Never claims ---- */

/* It accepts whatever comes. */
static bool accepts_all(const struct ba *a, uint32_t s) {
    return (a->accept[s] & ACCEPT_INFINITE) && a->first[s + 1] == a->first[s] + 1 && a->edge[a->first[s]].target == s &&
           !a->edge[a->first[s]].label.care;
}

static void write_label(const struct ba *a, uint32_t s, FILE *out) {
    bool start = a->initials == 1 && a->initial[0] == s;
    if (accepts_all(a, s) && !start) fputs("accept_all", out);
    else if (start) fputs(a->accept[s] & ACCEPT_INFINITE ? "accept_init" : "T0_init", out);
    else fprintf(out, "%s_S%u", a->accept[s] & ACCEPT_INFINITE ? "accept" : "T0", s);
}

static void write_choices(const struct ba *a, uint32_t s, FILE *out) {
    const struct ba_edge *next;
    for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e = next) {
        next = same_arrow(a, s, e);
        fputs("    :: (", out);
        for (const struct ba_edge *f = e; f < next; f++) {
            if (f > e) fputs(" || ", out);
            if (next > e + 1) fputc('(', out);
            write_literals(f->label, &a->propositions, " && ", INT_MAX, out);
            if (next > e + 1) fputc(')', out);
        }
        fputs(") -> goto ", out);
        write_label(a, e->target, out);
        fputc('\n', out);
    }
}

static void write_state(const struct ba *a, uint32_t s, FILE *out) {
    write_label(a, s, out);
    if (accepts_all(a, s) && !(a->initials == 1 && a->initial[0] == s)) {
        fputs(":\n    skip\n", out);
        return;
    }
    fputs(":\n", out);
    if (a->first[s] == a->first[s + 1]) {
        fputs("    false;\n", out);
        return;
    }
    fputs("    do\n", out);
    write_choices(a, s, out);
    fputs("    od;\n", out);
}

bool write_never_claim(const struct ba *a, const char *comment, FILE *out, struct problem *why) {
    if (!a->by_state) return problem_set(why, EXIT_INTERNAL, "a never claim accepts by states");
    for (uint32_t s = 0; s < a->states; s++)
        if (a->accept[s] & ~(unsigned)ACCEPT_INFINITE)
            return problem_set(
                why, EXIT_BAD_INPUT,
                "never claims have neither finite nor deadlock acceptance, but state %u has; --no-finite and "
                "--infinite-only take them away",
                s);
    fputs("never {", out);
    if (comment && !strstr(comment, "*/")) fprintf(out, " /* %s */", comment);
    fputc('\n', out);
    if (a->initials != 1) {
        fputs(a->initials ? "T0_init:\n    do\n" : "T0_init:\n    false;\n", out);
        for (uint32_t i = 0; i < a->initials; i++) write_choices(a, a->initial[i], out);
        if (a->initials) fputs("    od;\n", out);
    } else {
        write_state(a, a->initial[0], out);
    }
    /* What falls off the end is accept_all's "skip". */
    for (int last = 0; last < 2; last++)
        for (uint32_t s = 0; s < a->states; s++)
            if (!(a->initials == 1 && a->initial[0] == s) && accepts_all(a, s) == (last == 1)) write_state(a, s, out);
    fputs("}\n", out);
    return true;
}
