#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/obligations.h"

char *obligations_conditions(unsigned conditions, char *buffer) {
    static const char *const names[] = {"D1", "D2", "V", "C2", "E"};
    *buffer = 0;
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        if (!(conditions & 1u << k)) continue;
        if (*buffer) strcat(buffer, ", ");
        strcat(buffer, names[k]);
    }
    return buffer;
}

static const char *name_of(const struct obligations_report *r, uint32_t u) { return r->graph->vertex[u].unit.name; }

/* Names in lines of at most WIDTH columns, unless one is longer. */
struct lines {
    FILE *out;
    int column, indent;
};

static void put_name(struct lines *l, const char *name, bool first) {
    enum { WIDTH = 110 };
    int length = (int)strlen(name) + 2;
    if (!first) fputc(',', l->out);
    if (!first && l->column + length > WIDTH) {
        fprintf(l->out, "\n%*s", l->indent, "");
        l->column = l->indent;
    } else if (!first) {
        fputc(' ', l->out);
    }
    fputs(name, l->out);
    l->column += length;
}

/* ---- The set ---- */

static const char *unit_word(const struct obligations_report *r) {
    return r->ts->ops->explain ? "action" : "transition";
}

static void put_state(const struct obligations_report *r, FILE *out) {
    struct ts_fault fault;
    if (r->number != UINT64_MAX) fprintf(out, "state %llu: ", (unsigned long long)r->number);
    else fputs("state: ", out);
    if (!r->ts->ops->print(r->w, r->state, NULL, out, &fault)) fprintf(out, "(%s: %s)", fault.where, fault.text);
    fputc('\n', out);
}

static void put_marked(const struct obligations_report *r, const char *title, const bool *marks, FILE *out) {
    struct lines l = {out, 4, 4};
    bool first = true;
    for (uint32_t u = 0; marks && u < r->graph->count; u++) {
        char name[160];
        if (!marks[u]) continue;
        if (first) fprintf(out, "%s\n    ", title);
        snprintf(name, sizeof name, "%s%s", name_of(r, u), r->graph->vertex[u].unit.enabled ? "*" : "");
        put_name(&l, name, first);
        first = false;
    }
    if (!first) fputc('\n', out);
}

static void put_set(const struct obligations_report *r, FILE *out) {
    const struct obligation_graph *g = r->graph;
    if (g->terminal) {
        fputs("nothing is enabled: every set is stubborn\n", out);
        return;
    }
    bool *members = memory_get_zeroed(g->count + UINT64_C(1));
    for (uint32_t u = 0; u < g->count; u++) members[u] = g->vertex[u].member;
    fprintf(out, "stubborn set, preserving %s, by method %s: %u %s%s, %u enabled (*)\n", r->preserved, r->method,
            g->members, unit_word(r), g->members == 1 ? "" : "s", g->enabled);
    put_marked(r, "  members", members, out);
    free(members);
}

static void put_left_out(const struct obligations_report *r, FILE *out) {
    const struct obligation_graph *g = r->graph;
    bool *left_out = memory_get_zeroed(g->count + UINT64_C(1));
    for (uint32_t u = 0; u < g->count; u++) left_out[u] = !g->vertex[u].member && g->vertex[u].unit.enabled;
    put_marked(r, "enabled, and left out", left_out, out);
    free(left_out);
    put_marked(
        r, "frozen: the set is made as if these did not exist, since the state lies beyond an unproductive component",
        r->frozen, out);
}

/* ---- Who asked ---- */

static void put_start(const struct obligations_report *r, FILE *out) {
    const struct obligation_graph *g = r->graph;
    bool visible_first = r->ts->ops->explain && r->ts->reduction.preserve >= PRESERVE_TRACES;
    const char *condition = visible_first ? "D0V" : "D0";
    if (g->terminal) return;
    if (g->enabled == 0) {
        fprintf(out, "%s: no enabled action can affect a visible one: all visible actions are in the set\n", condition);
        return;
    }
    if (g->way_count == 0) {
        fprintf(out, "%s: an enabled action is in the set; the method compares all starting points%s\n", condition,
                visible_first ? ", which are the visible actions" : "");
        return;
    }
    fprintf(out, "%s: an enabled %s is in the set; the search began with ", condition, unit_word(r));
    for (uint32_t k = 0; k < g->way_count; k++) fprintf(out, "%s%s", k ? " -> " : "", name_of(r, g->way[k]));
    fprintf(out, ", the first %s, scanning %s, that leads to an enabled one\n",
            visible_first ? "visible action" : unit_word(r), r->ts->reduction.forward ? "forward" : "backward");
}

static void put_sv(const struct obligations_report *r, FILE *out) {
    bool first = true;
    switch (r->sv) {
    case SV_NOT_NEEDED: return;
    case SV_NOT_ASKED:
        fputs("SV: not asked; it depends on the whole reduced LTS, which --state N builds\n", out);
        return;
    case SV_NOT_WIDENED: fputs("SV: asked for nothing in this state\n", out); return;
    case SV_WIDENED: break;
    }
    fputs("SV: the set is widened in this state, which stands for an unproductive component, by clsr of ", out);
    for (uint32_t a = 0; a < r->ts->actions; a++) {
        if (!r->wanted[a]) continue;
        fprintf(out, "%s%s", first ? "" : ", ", a == 0 ? "END" : r->ts->action_names[a]);
        first = false;
    }
    fputc('\n', out);
    put_marked(r, "    as if these did not exist, which are in the sets of the component", r->beyond, out);
    put_marked(r, "    so these are added to the set", r->added, out);
}

/* The obligations of a unit that the same conditions ask for. */
static void put_asked(const struct obligations_report *r, const struct obligation_vertex *v, unsigned conditions,
                      FILE *out) {
    char names[24];
    int indent = fprintf(out, "        %s: ", obligations_conditions(conditions, names));
    struct lines l = {out, indent, indent};
    bool first = true;
    for (uint32_t e = 0; e < v->count; e++) {
        if (v->to[e].conditions != conditions) continue;
        put_name(&l, name_of(r, v->to[e].to), first);
        first = false;
    }
    fputc('\n', out);
}

static void put_vertex(const struct obligations_report *r, uint32_t u, FILE *out) {
    const struct obligation_vertex *v = &r->graph->vertex[u];
    fprintf(out, "  %c %s: %s", v->member ? '*' : ' ', v->unit.name, v->unit.enabled ? "enabled" : "disabled");
    if (v->disabler != TS_NONE) fprintf(out, " by %s", r->ts->variables[v->disabler].name);
    if (v->unit.visible) fputs(", visible", out);
    fputs(v->count == 0 ? "; obliges nothing\n" : "; obliges\n", out);
    for (unsigned conditions = 1; conditions < 2u * TS_BY_E; conditions++) {
        bool any = false;
        for (uint32_t e = 0; e < v->count; e++) any |= v->to[e].conditions == conditions;
        if (any) put_asked(r, v, conditions, out);
    }
}

static void put_graph(const struct obligations_report *r, FILE *out) {
    bool first = true;
    for (uint32_t u = 0; u < r->graph->count; u++) {
        if (!r->graph->vertex[u].known) continue;
        if (first) fprintf(out, "obligations (*: of members of the set)\n");
        put_vertex(r, u, out);
        first = false;
    }
}

static void put_closure(const struct obligations_report *r, FILE *out) {
    bool *closed = memory_get_zeroed(r->graph->count + UINT64_C(1));
    for (uint32_t u = 0; u < r->graph->count; u++) closed[u] = r->graph->vertex[u].closed;
    if (r->closure) put_marked(r, "clsr of what was chosen", closed, out);
    free(closed);
}

void obligations_text(const struct obligations_report *r, FILE *out) {
    put_state(r, out);
    put_set(r, out);
    put_left_out(r, out);
    put_start(r, out);
    put_sv(r, out);
    put_closure(r, out);
    put_graph(r, out);
}
