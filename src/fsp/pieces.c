/* Pieces, and operations on the labels of many of them. */
#include "fsp/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void pieces_init(struct pieces *p) { *p = (struct pieces){0}; }

static void piece_fini(struct piece *p) {
    free(p->name);
    lts_fini(&p->lts);
}

void pieces_shrink(struct pieces *p, uint32_t count) {
    while (p->count > count) piece_fini(&p->at[--p->count]);
}

void pieces_fini(struct pieces *p) {
    pieces_shrink(p, 0);
    free(p->at);
    pieces_init(p);
}

void pieces_add(struct pieces *p, char *name, struct lts *l) {
    if (p->count == p->room) {
        p->room = p->room ? 2 * p->room : 8;
        p->at = memory_resize(p->at, p->room * sizeof *p->at);
    }
    p->at[p->count++] = (struct piece){name, *l, ++p->groups};
}

/* ---- Networks ---- */

static void take(struct network *n, struct piece *p) {
    n->component[n->count++] = (struct network_component){p->name, p->lts};
    for (uint32_t a = 1; a < p->lts.labels.count; a++) names_add(&n->labels, p->lts.labels.text[a]);
}

static void network_of(struct piece *p, uint32_t count, struct network *out) {
    *out = (struct network){0};
    out->component = memory_get((count + UINT64_C(1)) * sizeof *out->component);
    names_init(&out->labels);
    names_add(&out->labels, "tau");
    for (uint32_t i = 0; i < count; i++) take(out, &p[i]);
    out->sight = memory_get_zeroed(out->labels.count * sizeof *out->sight);
    for (uint32_t a = 1; a < out->labels.count; a++)
        if (label_is_inner(out->labels.text[a])) out->sight[a] = SIGHT_INNER;
}

void pieces_network(struct pieces *p, struct network *out) {
    network_of(p->at, p->count, out);
    p->count = 0;
    pieces_fini(p);
}

/* ---- Labels ---- */

bool pieces_map(struct maker *m, struct pieces *p, uint32_t from, label_map *map, void *context, struct place at) {
    for (uint32_t i = from; i < p->count; i++) {
        struct lts changed;
        if (!relabel_lts(&p->at[i].lts, map, context, m->file->limits.edges, &changed))
            return maker_problem(m, at, "%s gets more than %llu edges", p->at[i].name,
                                 (unsigned long long)m->file->limits.edges);
        lts_fini(&p->at[i].lts);
        p->at[i].lts = changed;
        if (!maker_step(m, at)) return false;
    }
    return true;
}

void pieces_rename(struct pieces *p, uint32_t from, const char *prefix) {
    for (uint32_t i = from; i < p->count; i++) {
        char *longer = text_format("%s%s", prefix, p->at[i].name);
        free(p->at[i].name);
        p->at[i].name = longer;
    }
}

/* Would two labels of these pieces have an image in common? */
static bool merges(const struct piece *p, uint32_t count, struct renaming *r) {
    struct names labels, images, of_label;
    bool merged = false;
    names_init(&labels);
    names_init(&images);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t a = 1; a < p[i].lts.labels.count; a++)
            if (!label_is_inner(p[i].lts.labels.text[a])) names_add(&labels, p[i].lts.labels.text[a]);
    for (uint32_t a = 0; a < labels.count && !merged; a++) {
        names_init(&of_label);
        renaming_map(r, labels.text[a], &of_label);
        for (uint32_t i = 0; i < of_label.count; i++) {
            uint32_t known = images.count; /* images of other labels, since those of one label are different */
            if (names_add(&images, of_label.text[i]) < known) merged = true;
        }
        names_fini(&of_label);
    }
    names_fini(&labels);
    names_fini(&images);
    return merged;
}

/* Replaces `count` pieces from the i-th on by their composition. */
static bool compose_run(struct maker *m, struct pieces *p, uint32_t i, uint32_t count, struct place at) {
    struct network n;
    struct lts whole;
    struct problem why = {0};
    char *name = text_format("(%s||...)", p->at[i].name);
    network_of(p->at + i, count, &n);
    bool good =
        network_compose_within(&n, false, m->file->limits.composed_states, m->file->limits.effort, &whole, &why);
    uint32_t group = p->at[i].group;
    network_fini(&n);
    if (good) p->at[i] = (struct piece){name, whole, group};
    else {
        maker_problem(m, at, "this makes two labels of %s one, so that it must be composed, but: %s", name, why.text);
        free(name);
    }
    /* What the network took is gone from here. */
    memmove(p->at + i + good, p->at + i + count, (p->count - i - count) * sizeof *p->at);
    p->count -= count - good;
    problem_fini(&why);
    return good;
}

bool pieces_relabel(struct maker *m, struct pieces *p, uint32_t from, const struct binding *env,
                    const struct relabel *relabels) {
    struct renaming r;
    if (!relabels) return true;
    bool good = renaming_init(&r, m, env, relabels);
    for (uint32_t i = from; good && i < p->count; i++) {
        uint32_t count = 1;
        while (i + count < p->count && p->at[i + count].group == p->at[i].group) count++;
        if (count > 1 && !merges(p->at + i, count, &r)) i += count - 1;
        else if (count > 1) good = compose_run(m, p, i, count, relabels->at);
    }
    good = good && pieces_map(m, p, from, renaming_map, &r, relabels->at);
    renaming_fini(&r);
    return good;
}
