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

/* The edges of a state, whose lines begin alike. */
static void write_state(struct text_writer *w, const struct lts *l, uint32_t s, char *const *middle,
                        const size_t *length) {
    char begin[1 + TEXT_NUMBER] = "(";
    size_t begin_length = (size_t)(text_number_at(begin + 1, s) - begin);
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
        char *at = text_room(w, sizeof begin + length[e->label] + TEXT_NUMBER + 2);
        memcpy(at, begin, sizeof begin); /* all of it: that is faster */
        at += begin_length;
        memcpy(at, middle[e->label], length[e->label]);
        at = text_number_at(at + length[e->label], e->target);
        *at++ = ')';
        *at++ = '\n';
        w->used = (size_t)(at - w->text);
    }
}

static void write_edges(struct text_writer *w, const struct lts *l, char *const *middle, const size_t *length) {
    for (uint32_t s = 0; s < l->states && !w->failed && !effort_over(w->effort); s++)
        write_state(w, l, s, middle, length);
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
