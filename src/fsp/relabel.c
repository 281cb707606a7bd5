#include "fsp/relabel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* ---- LTSs ---- */

/* By label of the old LTS: its images, as labels of the new one. */
struct image {
    uint32_t *labels;
    uint32_t count;
};

static struct image image_of(struct lts_builder *b, const char *label, label_map *map, void *context) {
    struct names images;
    names_init(&images);
    if (label_is_inner(label)) names_add(&images, label);
    else map(context, label, &images);
    struct image i = {.labels = memory_get((images.count + UINT64_C(1)) * sizeof *i.labels), .count = images.count};
    for (uint32_t k = 0; k < images.count; k++) i.labels[k] = names_add(&b->labels, images.text[k]);
    if (i.count == 0) i.labels[i.count++] = LTS_TAU;
    names_fini(&images);
    return i;
}

static bool copy_edges(const struct lts *l, const struct image *image, uint64_t max_edges, struct lts_builder *b) {
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            for (uint32_t k = 0; k < image[e->label].count; k++)
                lts_build_edge(b, s, image[e->label].labels[k], e->target);
            if (b->count > max_edges) return false;
        }
    return true;
}

bool relabel_lts(const struct lts *l, label_map *map, void *context, uint64_t max_edges, struct lts *out) {
    struct lts_builder b;
    struct image *image = memory_get(l->labels.count * sizeof *image);
    lts_build(&b);
    image[LTS_TAU] = (struct image){memory_get_zeroed(sizeof *image->labels), 1};
    for (uint32_t a = 1; a < l->labels.count; a++) image[a] = image_of(&b, l->labels.text[a], map, context);
    b.initial = l->initial;
    b.end = l->end;
    b.error = l->error;
    b.states = l->states;
    bool good = copy_edges(l, image, max_edges, &b);
    lts_build_finish(&b, out);
    if (!good) lts_fini(out);
    for (uint32_t a = 0; a < l->labels.count; a++) free(image[a].labels);
    free(image);
    return good;
}

/* ---- Sets that match ---- */

bool matcher_init(struct matcher *k, struct maker *m, const struct binding *env, const struct set *s) {
    names_init(&k->set);
    return make_set(m, env, s, &k->set);
}

void matcher_fini(struct matcher *k) { names_fini(&k->set); }

/* The longest of the label itself and its parts before a dot that is in the set; its length, or 0. */
static size_t longest_match(const struct names *set, const char *label, uint32_t *number) {
    char *part = memory_copy_string(label);
    size_t length = strlen(part);
    while (length > 0 && (*number = names_find(set, part)) == NAMES_NONE) {
        while (length > 0 && part[--length] != '.') {}
        part[length] = 0;
    }
    free(part);
    return length;
}

bool matcher_matches(const struct matcher *k, const char *label) {
    uint32_t number;
    return longest_match(&k->set, label, &number) > 0;
}

bool hiding_hides(const struct hiding *h, const char *label) { return matcher_matches(h->set, label) != h->rest; }

void hiding_map(void *context, const char *label, struct names *images) {
    const struct hiding *h = context;
    if (!hiding_hides(h, label)) names_add(images, label);
}

void prefix_map(void *context, const char *label, struct names *images) {
    const struct names *prefixes = context;
    for (uint32_t i = 0; i < prefixes->count; i++) {
        char *longer = text_format("%s.%s", prefixes->text[i], label);
        names_add(images, longer);
        free(longer);
    }
}

/* ---- Relabelling ---- */

/* While the rules are worked out. */
struct rules {
    struct renaming *r;
    struct maker *m;
    const struct relabel *now;
    const char *new_label;
};

static bool add_relabels(struct rules *x, const struct binding *env, const struct relabel *relabels);

static struct names *images_of(struct renaming *r, const char *old) {
    uint32_t number = names_add(&r->old, old);
    while (r->room < r->old.count) {
        r->room = r->room ? 2 * r->room : 8;
        r->images = memory_resize(r->images, r->room * sizeof *r->images);
    }
    if (number == r->filled) names_init(&r->images[r->filled++]);
    assert(number < r->filled);
    return &r->images[number];
}

static bool add_old(void *context, const char *label, const struct binding *env) {
    struct rules *x = context;
    (void)env;
    struct names *images = images_of(x->r, label);
    names_add(images, x->new_label);
    if (images->count <= x->m->file->limits.labels && x->r->old.count <= x->m->file->limits.labels) return true;
    return maker_problem(x->m, x->now->at, "this makes more than %u new labels", x->m->file->limits.labels);
}

/* The variables of the new side are known on the old one. */
static bool add_new(void *context, const char *label, const struct binding *env) {
    struct rules *x = context;
    x->new_label = label;
    return make_labels(x->m, env, x->now->old_label, add_old, x);
}

static bool add_inner(void *context, const char *suffix, const struct binding *env) {
    struct rules *x = context;
    const struct relabel *now = x->now;
    (void)suffix;
    bool good = add_relabels(x, env, now->inner);
    x->now = now;
    return good;
}

static bool add_relabels(struct rules *x, const struct binding *env, const struct relabel *relabels) {
    for (const struct relabel *r = relabels; r; r = r->next) {
        x->now = r;
        bool good = r->indices ? make_indices(x->m, env, r->indices, add_inner, x)
                               : make_labels(x->m, env, r->new_label, add_new, x);
        if (!good) return false;
    }
    return true;
}

bool renaming_init(struct renaming *r, struct maker *m, const struct binding *env, const struct relabel *relabels) {
    struct rules x = {.r = r, .m = m};
    *r = (struct renaming){0};
    names_init(&r->old);
    return add_relabels(&x, env, relabels);
}

void renaming_fini(struct renaming *r) {
    for (uint32_t i = 0; i < r->filled; i++) names_fini(&r->images[i]);
    free(r->images);
    names_fini(&r->old);
}

void renaming_map(void *context, const char *label, struct names *images) {
    const struct renaming *r = context;
    uint32_t number;
    size_t length = longest_match(&r->old, label, &number);
    if (length == 0) {
        names_add(images, label);
        return;
    }
    for (uint32_t i = 0; i < r->images[number].count; i++) {
        char *changed = text_format("%s%s", r->images[number].text[i], label + length);
        names_add(images, changed);
        free(changed);
    }
}
