/* Writing .fsm: the first state is the initial one, so these two change places. States are listed only if they would
 * not be known otherwise: then, there is a parameter with one value. */
#include <string.h>

#include "lts/text_writer.h"

static uint32_t number_of(const struct lts *l, uint32_t s) {
    return (s == l->initial ? 0 : s == 0 ? l->initial : s) + 1;
}

static uint32_t highest_number(const struct lts *l) {
    uint32_t highest = 1;
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            if (number_of(l, s) > highest) highest = number_of(l, s);
            if (number_of(l, e->target) > highest) highest = number_of(l, e->target);
        }
    return highest;
}

static void write_edges(struct text_writer *w, const struct lts *l, char *const *label_text) {
    for (uint32_t s = 0; s < l->states && !w->failed && !effort_over(w->effort); s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            text_put_number(w, number_of(l, s));
            text_put(w, " ", 1);
            text_put_number(w, number_of(l, e->target));
            text_put(w, " ", 1);
            text_put_string(w, label_text[e->label]);
            text_put(w, "\n", 1);
        }
}

void fsm_write_text(struct text_writer *w, const struct lts *l, char *const *label_text) {
    bool listed = highest_number(l) < l->states;
    if (listed) text_put_string(w, "state(1) Nat \"0\"\n");
    text_put_string(w, "---\n");
    for (uint32_t s = 0; listed && s < l->states && !w->failed && !effort_over(w->effort); s++)
        text_put_string(w, "0\n");
    text_put_string(w, "---\n");
    write_edges(w, l, label_text);
}
