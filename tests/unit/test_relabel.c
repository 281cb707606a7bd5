/* Hiding and renaming, held against their definition: edge by edge, with patterns matched by trying everything. */
#include "unit.h"

#include "lts/label_list.h"
#include "lts/renaming.h"

static bool naive_match(const char *pattern, const char *label) {
    if (!*pattern) return !*label;
    if (*pattern == '*') return naive_match(pattern + 1, label) || (*label && naive_match(pattern, label + 1));
    return *pattern == *label && naive_match(pattern + 1, label + 1);
}

static void random_text(char *text, const char *characters, uint32_t most) {
    uint32_t n = 1 + random_below(most), kinds = (uint32_t)strlen(characters);
    for (uint32_t i = 0; i < n; i++) text[i] = characters[random_below(kinds)];
    text[n] = 0;
}

static void patterns(void **unused) {
    uint32_t matched = 0;
    (void)unused;
    random_start(1);
    for (int i = 0; i < ROUNDS(50000); i++) {
        char pattern[10], label[10];
        random_text(pattern, "aab*", 7);
        random_text(label, "ab", 8);
        bool is = naive_match(pattern, label);
        if (label_matches(pattern, label) != is) fail_msg("%s against %s", pattern, label);
        matched += is;
    }
    assert_true(matched > ROUNDS(50000) / 20);
}

static void random_lts(struct lts *l) {
    struct lts_builder b;
    uint32_t labels = 1 + random_below(6), states = 1 + random_below(6), edges = random_below(25);
    lts_build(&b);
    for (uint32_t i = 0; i < labels; i++) {
        char name[10];
        random_text(name, "ab", 3);
        names_add(&b.labels, name);
    }
    b.states = states;
    for (uint32_t i = 0; i < edges; i++)
        lts_build_edge(&b, random_below(states), random_below(b.labels.count), random_below(states));
    lts_build_finish(&b, l);
}

/* A rule as it was written. */
struct rule {
    char old[10], new[10];
};

/* The new name of a label: NULL: it is hidden. */
static const char *naive_name(const char *label, const struct rule *hide, uint32_t hides, bool show,
                              const struct rule *rename, uint32_t renames, char *room) {
    bool listed = false;
    for (uint32_t i = 0; i < hides; i++) listed |= naive_match(hide[i].old, label);
    if (hides > 0 && listed != show) return NULL;
    for (uint32_t i = 0; i < renames; i++) {
        if (!naive_match(rename[i].old, label)) continue;
        const char *star = strchr(rename[i].new, '*');
        if (!star) return strcpy(room, rename[i].new);
        size_t before = strcspn(rename[i].old, "*"), after = strlen(rename[i].old) - before - 1;
        sprintf(room, "%.*s%.*s%s", (int)(star - rename[i].new), rename[i].new, (int)(strlen(label) - before - after),
                label + before, star + 1);
        return room;
    }
    return strcpy(room, label);
}

static void append(char *list, const char *text) { strcat(strcat(list, *list ? "," : ""), text); }

/* Each edge of the old LTS is one of the new, and each of the new comes from one of the old. */
static void assert_relabelled(const struct lts *old, const struct lts *new, const struct rule *hide, uint32_t hides,
                              bool show, const struct rule *rename, uint32_t renames) {
    bool *met = calloc(new->edges + 1, sizeof *met);
    for (uint32_t s = 0; s < old->states; s++)
        for (const struct lts_edge *e = lts_begin(old, s); e < lts_end(old, s); e++) {
            char room[60];
            const char *name = e->label == LTS_TAU
                                   ? NULL
                                   : naive_name(old->labels.text[e->label], hide, hides, show, rename, renames, room);
            uint32_t label = name ? names_find(&new->labels, name) : (uint32_t)LTS_TAU, found = 0;
            for (const struct lts_edge *f = lts_begin(new, s); f < lts_end(new, s); f++)
                if (f->label == label && f->target == e->target) found++, met[f - new->edge] = true;
            assert_int_equal(found, 1);
        }
    for (uint64_t e = 0; e < new->edges; e++) assert_true(met[e]);
    free(met);
    for (uint32_t s = 0; s < new->states; s++)
        for (const struct lts_edge *e = lts_begin(new, s); e + 1 < lts_end(new, s); e++)
            assert_true(e[0].label < e[1].label || (e[0].label == e[1].label && e[0].target < e[1].target));
    for (uint32_t a = 1; a < old->labels.count; a++) {
        char room[60];
        const char *name = naive_name(old->labels.text[a], hide, hides, show, rename, renames, room);
        if (name) assert_true(names_find(&new->labels, name) != NAMES_NONE);
    }
}

static void rules(void **unused) {
    (void)unused;
    random_start(2);
    for (int i = 0; i < ROUNDS(4000); i++) {
        struct rule hide[3], rename[3];
        uint32_t hides = random_below(3), renames = random_below(4);
        bool show = random_chance(50);
        char hidden[100] = "", changed[100] = "", *lists[2] = {NULL, NULL};
        struct relabelling r;
        struct problem why = {0};
        struct lts old, new;
        for (uint32_t k = 0; k < hides; k++) {
            random_text(hide[k].old, "ab*", 3);
            append(hidden, hide[k].old);
        }
        for (uint32_t k = 0; k < renames; k++) {
            char both[30];
            random_text(rename[k].old, "ab", 2);
            random_text(rename[k].new, "abc", 2);
            if (random_chance(50)) {
                strcat(rename[k].old, "*");
                if (random_chance(50)) strcat(rename[k].old, "b");
                if (random_chance(70)) strcat(rename[k].new, "*x");
            }
            sprintf(both, "%s=%s", rename[k].old, rename[k].new);
            append(changed, both);
        }
        if (hides > 0) lists[show] = hidden;
        if (!relabelling_read(&r, lists[0], lists[1], renames ? changed : NULL, &why)) fail_msg("%s", why.text);
        random_lts(&old);
        lts_copy(&new, &old);
        lts_relabel(&new, &r);
        assert_relabelled(&old, &new, hide, hides, show, rename, renames);
        relabelling_fini(&r);
        lts_fini(&old);
        lts_fini(&new);
    }
}

/* In quotes, a star and a comma are characters; rules say whether they were used. */
static void quotes(void **unused) {
    struct relabelling r;
    struct problem why = {0};
    struct lts_builder b;
    struct lts l;
    (void)unused;
    lts_build(&b);
    lts_build_edge(&b, 0, names_add(&b.labels, "a*"), 1);
    lts_build_edge(&b, 0, names_add(&b.labels, "ab"), 1);
    lts_build_edge(&b, 0, names_add(&b.labels, "f(1,2)"), 1);
    lts_build_edge(&b, 0, names_add(&b.labels, "x=y, z"), 1);
    lts_build_finish(&b, &l);
    assert_true(relabelling_read(&r, "\"a*\",f(1,2),none", NULL, "\"x=y, z\"=new", &why));
    lts_relabel(&l, &r);
    assert_int_equal(l.labels.count, 3);
    assert_true(names_find(&l.labels, "ab") != NAMES_NONE && names_find(&l.labels, "new") != NAMES_NONE);
    assert_int_equal(l.edges, 3);
    assert_true(r.rule[0].used && r.rule[1].used && !r.rule[2].used && r.rule[3].used);
    relabelling_fini(&r);
    lts_fini(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns), cmocka_unit_test(rules), cmocka_unit_test(quotes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
