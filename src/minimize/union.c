#include "minimize/union.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/minimize.h"
#include "lts/lts_components.h"

struct marks {
    uint32_t end, error; /* labels */
};

static void add_side(struct lts_builder *b, const struct lts *l, uint32_t offset, struct marks marks) {
    uint32_t *label = memory_get(l->labels.count * sizeof *label);
    label[LTS_TAU] = LTS_TAU;
    for (uint32_t i = 1; i < l->labels.count; i++) label[i] = names_add(&b->labels, l->labels.text[i]);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            lts_build_edge(b, offset + s, label[e->label], offset + e->target);
    if (l->end != LTS_NONE) lts_build_edge(b, offset + l->end, marks.end, offset + l->end);
    if (l->error != LTS_NONE) lts_build_edge(b, offset + l->error, marks.error, offset + l->error);
    free(label);
}

static void add_labels(struct names *labels, const struct lts *l) {
    for (uint32_t i = 1; i < l->labels.count; i++) names_add(labels, l->labels.text[i]);
}

void joint_init(struct joint *j, const struct lts *first, const struct lts *second, struct effort *effort) {
    struct lts_builder b;
    struct marks marks = {0};
    lts_build(&b);
    b.effort = effort;
    add_labels(&b.labels, first);
    add_labels(&b.labels, second);
    if (first->end != LTS_NONE || second->end != LTS_NONE) marks.end = names_add_new(&b.labels, "END");
    if (first->error != LTS_NONE || second->error != LTS_NONE) marks.error = names_add_new(&b.labels, "ERROR");
    add_side(&b, first, 0, marks);
    add_side(&b, second, first->states, marks);
    b.states = first->states + second->states;
    lts_build_finish(&b, &j->lts);
    j->root[0] = first->initial;
    j->root[1] = first->states + second->initial;
    j->diverges = memory_get_zeroed(j->lts.states * sizeof *j->diverges);
}

void joint_fini(struct joint *j) {
    lts_fini(&j->lts);
    free(j->diverges);
    j->diverges = NULL;
}

/* Marks the classes that have an invisible cycle in them. */
static void mark_divergence(struct joint *out, const struct joint *j, const uint32_t *class_of) {
    bool *on_cycle = tau_cycles(&j->lts);
    for (uint32_t s = 0; s < j->lts.states; s++)
        if (on_cycle[s]) out->diverges[class_of[s]] = true;
    free(on_cycle);
}

static void quotient(struct joint *out, const struct joint *j, const uint32_t *class_of, uint32_t classes,
                     bool drop_inner_tau, struct effort *effort) {
    struct lts_builder b;
    lts_build_with(&b, &j->lts.labels);
    b.effort = effort;
    for (uint32_t s = 0; s < j->lts.states; s++)
        for (const struct lts_edge *e = lts_begin(&j->lts, s); e < lts_end(&j->lts, s); e++) {
            uint32_t from = class_of[s], to = class_of[e->target];
            if (!drop_inner_tau || e->label != LTS_TAU || from != to) lts_build_edge(&b, from, e->label, to);
        }
    b.states = classes;
    lts_build_finish(&b, &out->lts);
    out->diverges = memory_get_zeroed(classes * sizeof *out->diverges);
    for (int side = 0; side < 2; side++) out->root[side] = class_of[j->root[side]];
}

/* The states that can be reached from a root, those that tau edges lead to before those that they come from. */
static uint32_t *renumber(const struct joint *j, uint32_t *kept) {
    uint32_t *number = tau_order(&j->lts), *queue = memory_get(j->lts.states * sizeof *queue), found = 0;
    bool *reached = memory_get_zeroed(j->lts.states * sizeof *reached);
    for (int side = 0; side < 2; side++) {
        if (!reached[j->root[side]]) queue[found++] = j->root[side];
        reached[j->root[side]] = true;
    }
    for (uint32_t i = 0; i < found; i++)
        for (const struct lts_edge *e = lts_begin(&j->lts, queue[i]); e < lts_end(&j->lts, queue[i]); e++) {
            if (!reached[e->target]) queue[found++] = e->target;
            reached[e->target] = true;
        }
    /* Squeeze the order: what is not reached gets no number. */
    for (uint32_t s = 0; s < j->lts.states; s++) queue[number[s]] = s;
    *kept = 0;
    for (uint32_t i = 0; i < j->lts.states; i++) number[queue[i]] = reached[queue[i]] ? (*kept)++ : LTS_NONE;
    free(queue);
    free(reached);
    return number;
}

static void apply_numbers(struct joint *out, struct joint *j, const uint32_t *number, uint32_t kept,
                          struct effort *effort) {
    struct lts_builder b;
    lts_build_with(&b, &j->lts.labels);
    b.effort = effort;
    out->diverges = memory_get_zeroed(kept * sizeof *out->diverges);
    for (uint32_t s = 0; s < j->lts.states; s++) {
        if (number[s] == LTS_NONE) continue;
        out->diverges[number[s]] = j->diverges[s];
        for (const struct lts_edge *e = lts_begin(&j->lts, s); e < lts_end(&j->lts, s); e++) {
            assert(number[e->target] != LTS_NONE); /* what is reached leads to what is reached */
            lts_build_edge(&b, number[s], e->label, number[e->target]);
        }
    }
    b.states = kept;
    lts_build_finish(&b, &out->lts);
    for (int side = 0; side < 2; side++) out->root[side] = number[j->root[side]];
}

/* One state for both: nobody will look at it. */
static void make_none(struct joint *out) {
    struct lts_builder b;
    lts_build(&b);
    lts_build_finish(&b, &out->lts);
    out->root[0] = out->root[1] = 0;
    out->diverges = memory_get_zeroed(sizeof *out->diverges);
}

void joint_reduce(struct joint *out, const struct joint *j, enum lts_relation by, struct effort *effort) {
    uint32_t classes, kept;
    struct joint all;
    assert(by == RELATION_STRONG || by == RELATION_BRANCHING || by == RELATION_BRANCHING_DIV);
    uint32_t *class_of = lts_partition(&j->lts, by, effort, &classes);
    if (effort_look(effort)) {
        free(class_of);
        make_none(out);
        return;
    }
    quotient(&all, j, class_of, classes, by != RELATION_STRONG, effort);
    if (by == RELATION_BRANCHING_DIV) mark_divergence(&all, j, class_of);
    free(class_of);
    uint32_t *number = renumber(&all, &kept);
    apply_numbers(out, &all, number, kept, effort);
    free(number);
    joint_fini(&all);
    if (!effort_over(effort)) return;
    joint_fini(out);
    make_none(out);
}
