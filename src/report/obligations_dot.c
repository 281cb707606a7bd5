#include <stdlib.h>

#include "base/dot.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/obligations.h"

enum { LONG_NAME = 24 };

/* Whether a vertex is of interest: its edges are known, or one leads to it. */
static void find_shown(const struct obligation_graph *g, bool *shown) {
    for (uint32_t u = 0; u < g->count; u++) {
        const struct obligation_vertex *v = &g->vertex[u];
        shown[u] |= v->known || v->unit.enabled;
        for (uint32_t e = 0; v->known && e < v->count; e++) shown[v->to[e].to] = true;
    }
}

static void put_vertex(FILE *out, const struct obligation_vertex *v, uint32_t u) {
    fprintf(out, "    s%u [label=\"", u);
    dot_text(out, v->unit.name, LONG_NAME);
    fputs("\", tooltip=\"", out);
    dot_text(out, v->unit.name, 200);
    fprintf(out, "%s%s%s\"", v->unit.enabled ? ", enabled" : ", disabled", v->unit.visible ? ", visible" : "",
            v->member ? ", in the stubborn set" : "");
    fprintf(out, ", shape=ellipse, fixedsize=false, fillcolor=\"%s\"", v->unit.visible ? "#cfd2d6" : "white");
    if (v->unit.enabled) fputs(", peripheries=2", out);
    if (v->member) fputs(", penwidth=3, color=\"#b3541e\"", out);
    if (v->closed) fputs(", fontcolor=\"#31588f\", fontname=\"Helvetica-Bold\"", out);
    fputs("];\n", out);
}

static void put_edge(FILE *out, uint32_t from, const struct ts_obligation *e, bool inside) {
    char names[24];
    bool plain = !(e->conditions & ~(unsigned)(TS_BY_D1 | TS_BY_D2));
    obligations_conditions(e->conditions, names);
    fprintf(out, "    s%u -> s%u [tooltip=\"%s\"", from, e->to, names);
    if (e->conditions & ~(unsigned)(TS_BY_D1 | TS_BY_D2)) fprintf(out, ", label=\" %s \"", names);
    fprintf(out, "%s%s];\n", plain || (e->conditions & (TS_BY_D1 | TS_BY_D2)) ? "" : ", style=dashed",
            inside ? ", color=\"#b3541e\"" : "");
}

char *obligations_dot(const struct obligations_report *r) {
    const struct obligation_graph *g = r->graph;
    bool *shown = memory_get_zeroed(g->count + UINT64_C(1));
    char *text = NULL, *caption = text_format("stubborn set, preserving %s, by method %s: %u, %u enabled", r->preserved,
                                              r->method, g->members, g->enabled);
    size_t size;
    FILE *out = open_memstream(&text, &size);
    dot_begin(out, "obligations", caption);
    find_shown(g, shown);
    if (g->way_count > 0) {
        dot_arrow(out, 0, g->way[0]);
        fputs(", tooltip=\"the search begins here\"];\n", out);
    }
    for (uint32_t u = 0; u < g->count; u++)
        if (shown[u]) put_vertex(out, &g->vertex[u], u);
    for (uint32_t u = 0; u < g->count; u++)
        for (uint32_t e = 0; g->vertex[u].known && e < g->vertex[u].count; e++)
            put_edge(out, u, &g->vertex[u].to[e], g->vertex[u].member);
    fputs("}\n", out);
    fclose(out);
    free(shown);
    free(caption);
    return text;
}
