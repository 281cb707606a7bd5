/* Writing .dot: every edge with its whole label, for Graphviz and for other tools. draw_lts.h makes pictures for
 * people. */
#include "lts/text_writer.h"

void dot_write_text(struct text_writer *w, const struct lts *l, char *const *label_text) {
    text_put_string(w, "digraph lts {\n    begin [shape=none, label=\"\"];\n    begin -> s");
    text_put_number(w, l->initial);
    text_put_string(w, ";\n");
    for (uint32_t s = 0; s < l->states && !w->failed && !effort_over(w->effort); s++) {
        text_put_string(w, "    s");
        text_put_number(w, s);
        text_put_string(w, " [label=\"");
        text_put_number(w, s);
        text_put_string(w, "\"];\n");
    }
    for (uint32_t s = 0; s < l->states && !w->failed && !effort_over(w->effort); s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            text_put_string(w, "    s");
            text_put_number(w, s);
            text_put_string(w, " -> s");
            text_put_number(w, e->target);
            text_put_string(w, " [label=");
            text_put_string(w, label_text[e->label]);
            text_put_string(w, "];\n");
        }
    text_put_string(w, "}\n");
}
