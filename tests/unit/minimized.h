/* minimized.h: random LTSs, and minimising them with checks of what must be so for every relation. For tests of
 * minimising. */
#ifndef UNIT_MINIMIZED_H
#define UNIT_MINIMIZED_H

#include "unit.h"

#include "minimize/minimize.h"

enum { MOST = 8, LABELS = 3 };

/* Half of them have the structure of a tau-graph with few visible edges; special states are there now and then. */
__attribute__((unused)) static void random_lts(struct lts *l, uint32_t states) {
    static const char *const names[] = {"a", "b", "c"};
    struct lts_builder b;
    uint32_t labels = 1 + random_below(LABELS), taus = random_below(90), edges = random_below(3 * states + 1);
    lts_build(&b);
    for (uint32_t i = 0; i < labels; i++) names_add(&b.labels, names[i]);
    b.states = states;
    b.initial = random_below(states);
    if (random_chance(20)) b.end = random_below(states);
    if (random_chance(20)) b.error = random_below(states);
    if (b.error == b.end) b.error = LTS_NONE;
    bool forward = random_chance(30); /* no cycles but of visible edges */
    for (uint32_t i = 0; i < edges; i++) {
        uint32_t s = random_below(states), t = random_below(states);
        uint32_t label = random_chance(taus) ? LTS_TAU : 1 + random_below(labels);
        if (forward && label == LTS_TAU && s >= t) continue;
        if (s != b.end && s != b.error) lts_build_edge(&b, s, label, t);
    }
    lts_build_finish(&b, l);
}

__attribute__((unused)) static void print(const struct lts *l, const char *what) {
    fprintf(stderr, "%s: %u states, initial %u, end %d, error %d:", what, l->states, l->initial, (int)l->end,
            (int)l->error);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            fprintf(stderr, " %u-%s->%u", s, l->labels.text[e->label], e->target);
    fputc('\n', stderr);
}

/* ---- Well-formedness ---- */

static bool breadth_first(const struct lts *l) {
    uint32_t found = 1;
    if (l->initial != 0) return false;
    for (uint32_t s = 0; s < l->states; s++) {
        if (s >= found) return false;
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            if (e->target > found) return false;
            if (e->target == found) found++;
            if (e > lts_begin(l, s) &&
                (e[-1].label > e->label || (e[-1].label == e->label && e[-1].target >= e->target)))
                return false;
        }
    }
    return found == l->states;
}

static bool special_states_are_plain(const struct lts *l) {
    uint32_t special[] = {l->end, l->error};
    for (int i = 0; i < 2; i++)
        if (special[i] != LTS_NONE && (special[i] >= l->states || l->first[special[i]] != l->first[special[i] + 1]))
            return false;
    return l->end == LTS_NONE || l->end != l->error;
}

static bool same_labels(const struct lts *a, const struct lts *b) {
    bool same = a->labels.count == b->labels.count;
    for (uint32_t i = 0; i < a->labels.count && same; i++) same = strcmp(a->labels.text[i], b->labels.text[i]) == 0;
    return same;
}

__attribute__((unused)) static bool equal(const struct lts *a, const struct lts *b) {
    return a->states == b->states && a->edges == b->edges && a->end == b->end && a->error == b->error &&
           memcmp(a->first, b->first, (a->states + 1) * sizeof *a->first) == 0 &&
           memcmp(a->edge, b->edge, a->edges * sizeof *a->edge) == 0;
}

/* Minimises, and checks what must be so for every relation. */
__attribute__((unused)) static void minimize(const struct lts *l, enum lts_relation rel, struct lts *out) {
    struct problem why = {0};
    struct lts again;
    assert_true(lts_minimize(l, rel, NULL, out, &why));
    assert_true(lts_minimize(out, rel, NULL, &again, &why));
    if (!breadth_first(out) || !special_states_are_plain(out) || !same_labels(l, out) || !equal(out, &again)) {
        print(l, relation_name(rel));
        print(out, "minimised");
        print(&again, "and again");
        fail();
    }
    lts_fini(&again);
}

#endif
