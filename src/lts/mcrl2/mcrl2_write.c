/* Writing: all terms first, then the LTS. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lts/mcrl2/mcrl2.h"
#include "lts/text_writer.h"

struct writer {
    struct text_writer *text;
    struct aterm_writer out;
    struct aterms terms;
    struct mcrl2_part part[MCRL2_PARTS];
    uint32_t actions;                                  /* the list of those that are declared */
    uint32_t empty, untimed;                           /* the empty list; the time of what has none */
    uint32_t mark, transition, initial_state, nowhere; /* nowhere: the label of a state of which nothing is known */
    uint32_t *label;                                   /* TimedMultAct, by label */
};

/* ---- Terms ---- */

static uint32_t constant(struct aterms *t, const char *name) {
    return aterms_add(t, aterms_symbol(t, name, strlen(name), 0), NULL);
}

static uint32_t term(struct aterms *t, const char *name, uint32_t a, uint32_t b) {
    const uint32_t argument[] = {a, b};
    return aterms_add(t, aterms_symbol(t, name, strlen(name), 2), argument);
}

static uint32_t term_of(struct aterms *t, const char *name, uint32_t a) {
    return aterms_add(t, aterms_symbol(t, name, strlen(name), 1), &a);
}

/* An action without data, of this name; it is declared, too. */
static uint32_t new_label(struct writer *w, const char *name) {
    struct aterms *t = &w->terms;
    uint32_t id = term(t, "ActId", constant(t, name), w->empty);
    w->actions = term(t, "<list_constructor>", id, w->actions);
    return term(t, "TimedMultAct", term(t, "<list_constructor>", term(t, "Action", id, w->empty), w->empty),
                w->untimed);
}

/* What was kept of the file that was read, of the labels that are needed. */
static void take_kept(struct writer *w, const struct lts *l, const struct mcrl2_kept *k) {
    size_t count = 1, at = 0;
    for (int i = 0; i < MCRL2_PARTS; i++) count += k->part[i].count;
    uint32_t *all = memory_get((count + l->labels.count) * sizeof *all);
    for (int i = 0; i < MCRL2_PARTS; i++)
        for (size_t j = 0; j < k->part[i].count; j++) all[at++] = k->part[i].term[j];
    all[at++] = k->actions;
    for (uint32_t a = 1; a < l->labels.count; a++) {
        uint32_t n = names_find(&k->text, l->labels.text[a]);
        if (n != NAMES_NONE) all[at++] = k->label.term[n];
    }
    aterms_copy(&w->terms, &k->terms, all, at);
    at = 0;
    for (int i = 0; i < MCRL2_PARTS; i++) {
        w->part[i] = (struct mcrl2_part){memory_get((k->part[i].count + 1) * sizeof(uint32_t)), k->part[i].count, 0};
        for (size_t j = 0; j < k->part[i].count; j++) w->part[i].term[j] = all[at++];
    }
    w->actions = all[at++];
    for (uint32_t a = 1; a < l->labels.count; a++)
        if (names_find(&k->text, l->labels.text[a]) != NAMES_NONE) w->label[a] = all[at++];
    free(all);
}

static void make_terms(struct writer *w, const struct lts *l, const struct mcrl2_kept *k) {
    struct aterms *t = &w->terms;
    aterms_init(t);
    w->empty = w->actions = constant(t, "<empty_list>");
    w->label = memory_get((l->labels.count + UINT64_C(1)) * sizeof *w->label);
    for (uint32_t a = 0; a < l->labels.count; a++) w->label[a] = LTS_NONE;
    if (k && k->there) take_kept(w, l, k);
    w->untimed = term(t, "DataVarId", constant(t, "@undefined_real"), term_of(t, "SortId", constant(t, "Real")));
    w->label[LTS_TAU] = term(t, "TimedMultAct", w->empty, w->untimed);
    for (uint32_t a = 1; a < l->labels.count; a++)
        if (w->label[a] == LTS_NONE) w->label[a] = new_label(w, l->labels.text[a]);
    w->mark = constant(t, "labelled_transition_system");
    w->transition = constant(t, "transition");
    w->initial_state = constant(t, "initial_state");
    w->nowhere = term(t, "<list_constructor>", constant(t, "@empty@"), w->empty);
}

/* ---- The LTS ---- */

/* mCRL2 knows of a state only what transitions tell. If they tell nothing of the initial one, it becomes the first. */
struct numbering {
    uint32_t known; /* states */
    bool swapped;
};

static struct numbering numbering_of(const struct lts *l) {
    struct numbering n = {.known = 1};
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            if (s >= n.known) n.known = s + 1;
            if (e->target >= n.known) n.known = e->target + 1;
        }
    n.swapped = l->initial >= n.known;
    return n;
}

static uint32_t number_of(const struct lts *l, const struct numbering *n, uint32_t s) {
    if (!n->swapped) return s;
    return s == l->initial ? 0 : s == 0 ? l->initial : s;
}

static void write_head(struct writer *w) {
    aterm_write_begin(&w->out, MCRL2_NEWEST, &w->terms);
    aterm_write_term(&w->out, w->mark);
    for (int i = 0; i < MCRL2_PARTS; i++) {
        aterm_write_number(&w->out, w->part[i].count);
        for (size_t j = 0; j < w->part[i].count; j++) aterm_write_term(&w->out, w->part[i].term[j]);
    }
    aterm_write_term(&w->out, w->empty); /* parameters: nothing is said about states */
    aterm_write_term(&w->out, w->actions);
}

static void write_body(struct writer *w, const struct lts *l) {
    const struct text_writer *text = w->text;
    struct numbering n = numbering_of(l);
    for (uint32_t s = 0; s < l->states && !text->failed && !effort_over(text->effort); s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            aterm_write_term(&w->out, w->transition);
            aterm_write_number(&w->out, number_of(l, &n, s));
            aterm_write_term(&w->out, w->label[e->label]);
            aterm_write_number(&w->out, number_of(l, &n, e->target));
        }
    for (uint32_t s = 0; n.known < l->states && s < l->states && !text->failed; s++)
        aterm_write_term(&w->out, w->nowhere);
    aterm_write_term(&w->out, w->initial_state);
    aterm_write_number(&w->out, 1);
    aterm_write_number(&w->out, number_of(l, &n, l->initial));
}

static void put(void *to, const char *bytes, size_t size) { text_put(to, bytes, size); }

void mcrl2_write_text(struct text_writer *text, const struct lts *l, char *const *unused) {
    struct writer w = {.text = text, .out = {.put = put, .to = text}};
    (void)unused;
    make_terms(&w, l, text->kept);
    write_head(&w);
    write_body(&w, l);
    aterm_write_end(&w.out);
    for (int i = 0; i < MCRL2_PARTS; i++) free(w.part[i].term);
    free(w.label);
    aterms_fini(&w.terms);
}
