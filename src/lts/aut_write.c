#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lts/text_writer.h"

/* What stands between the two numbers of an edge is made once for each label. */
static char **make_middles(const struct lts *l, char *const *label_text, size_t *length) {
    char **middle = memory_get((l->labels.count + UINT64_C(1)) * sizeof *middle);
    for (uint32_t a = 0; a < l->labels.count; a++) {
        middle[a] = text_format(", %s, ", label_text[a]);
        length[a] = strlen(middle[a]);
    }
    return middle;
}

static void write_edges(struct text_writer *w, const struct lts *l, char *const *middle, const size_t *length) {
    for (uint32_t s = 0; s < l->states && !w->failed && !effort_over(w->effort); s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            text_put(w, "(", 1);
            text_put_number(w, s);
            text_put(w, middle[e->label], length[e->label]);
            text_put_number(w, e->target);
            text_put(w, ")\n", 2);
        }
}

void aut_write_text(struct text_writer *w, const struct lts *l, char *const *label_text) {
    char *header = text_format("des (%u, %llu, %u)\n", l->initial, (unsigned long long)l->edges, l->states);
    size_t *length = memory_get((l->labels.count + UINT64_C(1)) * sizeof *length);
    char **middle = make_middles(l, label_text, length);
    text_put_string(w, header);
    write_edges(w, l, middle, length);
    for (uint32_t a = 0; a < l->labels.count; a++) free(middle[a]);
    free(middle);
    free(length);
    free(header);
}
