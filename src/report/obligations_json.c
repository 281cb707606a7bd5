#include <stdlib.h>

#include "report/obligations.h"
#include "report/report.h"

static json_t *names_of(unsigned conditions) {
    static const char *const names[] = {"D1", "D2", "V", "C2", "E"};
    json_t *list = json_array();
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (conditions & 1u << k) json_array_append_new(list, json_string(names[k]));
    return list;
}

/* Numbers are places in "units". */
static json_t *unit_json(const struct obligations_report *r, const struct obligation_vertex *v) {
    json_t *obliges = json_array();
    for (uint32_t e = 0; e < v->count; e++)
        json_array_append_new(
            obliges, json_pack("{s:i, s:o}", "to", (int)v->to[e].to, "conditions", names_of(v->to[e].conditions)));
    return json_pack("{s:s, s:o, s:b, s:b, s:b, s:b, s:o, s:o}", "name", v->unit.name, "transition",
                     v->unit.transitions ? json_integer(v->unit.transition) : json_null(), //
                     "enabled", (int)v->unit.enabled, "visible", (int)v->unit.visible, "member", (int)v->member,
                     "in_closure", (int)v->closed, "disabled_by",
                     v->disabler == TS_NONE ? json_null() : json_string(r->ts->variables[v->disabler].name), "obliges",
                     v->known ? obliges : (json_decref(obliges), json_null()));
}

/* The numbers of the units that are marked. */
static json_t *marked(const struct obligations_report *r, const bool *marks) {
    json_t *list = json_array();
    for (uint32_t u = 0; marks && u < r->graph->count; u++)
        if (marks[u]) json_array_append_new(list, json_integer(u));
    return list;
}

static json_t *sv_json(const struct obligations_report *r) {
    static const char *const answers[] = {"not needed", "not asked", "nothing", "widened"};
    json_t *wanted = json_array();
    for (uint32_t a = 0; r->sv == SV_WIDENED && a < r->ts->actions; a++)
        if (r->wanted[a]) json_array_append_new(wanted, json_string(a == 0 ? "END" : r->ts->action_names[a]));
    return json_pack("{s:s, s:o, s:o, s:o}", "answer", answers[r->sv], "closure_of", wanted, "frozen",
                     marked(r, r->beyond), "added", marked(r, r->added));
}

static json_t *state_text(const struct obligations_report *r) {
    char *text = NULL;
    size_t size;
    struct ts_fault fault;
    FILE *out = open_memstream(&text, &size);
    bool printed = r->ts->ops->print(r->w, r->state, NULL, out, &fault);
    fclose(out);
    json_t *result = printed ? json_string(text) : json_null();
    free(text);
    return result ? result : json_null(); /* not UTF-8 */
}

json_t *obligations_json(const struct obligations_report *r) {
    const struct obligation_graph *g = r->graph;
    json_t *units = json_array(), *way = json_array(), *document = report_json_about(r->ts);
    for (uint32_t u = 0; u < g->count; u++) json_array_append_new(units, unit_json(r, &g->vertex[u]));
    for (uint32_t k = 0; k < g->way_count; k++) json_array_append_new(way, json_integer(g->way[k]));
    json_t *rest =
        json_pack("{s:o, s:o, s:s, s:s, s:b, s:i, s:i, s:o, s:o, s:o, s:b, s:o}", "number",
                  r->number == UINT64_MAX ? json_null() : json_integer((json_int_t)r->number), "state", state_text(r),
                  "preserves", r->preserved, "method", r->method, "terminal", (int)g->terminal, "members",
                  (int)g->members, "enabled", (int)g->enabled, "way", way, "frozen", marked(r, r->frozen), "sv",
                  sv_json(r), "closure_asked", (int)r->closure, "units", units);
    json_object_update(document, rest);
    json_decref(rest);
    return document;
}
