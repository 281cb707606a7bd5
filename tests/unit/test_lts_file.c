/* Formats of LTSs, packed or not: what is written is read back, and what is damaged is not taken for something else. */
#include <fcntl.h>
#include <unistd.h>

#include "unit.h"

#include "lts/lts_file.h"
#include "lts/label_list.h"

static void random_name(char *name, uint32_t most) {
    static const char characters[] = "ab01 _!?,\\()[].:;\t{}<>'=*\"";
    uint32_t n = random_below(most);
    for (uint32_t i = 0; i < n; i++) name[i] = characters[random_below(sizeof characters - 1)];
    name[n] = 0;
}

static void random_lts(struct lts *l, uint32_t most_states) {
    struct lts_builder b;
    uint32_t labels = 1 + random_below(6), states = 1 + random_below(most_states),
             edges = random_below(3 * most_states);
    lts_build(&b);
    for (uint32_t i = 0; i < labels; i++) {
        char name[40];
        random_name(name, 12);
        if (strcmp(name, "tau") != 0 && strcmp(name, "i") != 0) names_add(&b.labels, name);
    }
    b.states = states;
    b.initial = random_below(states);
    for (uint32_t i = 0; i < edges; i++)
        lts_build_edge(&b, random_below(states), random_below(b.labels.count), random_below(states));
    lts_build_finish(&b, l);
}

/* So many states mCRL2 knows of, from edges. */
static uint32_t known_states(const struct lts *l) {
    uint32_t n = 1;
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            n = s >= n ? s + 1 : n, n = e->target >= n ? e->target + 1 : n;
    return n;
}

/* Of .fsm, the first state is the initial one, and changes places with the one that was; of .lts, only if it must. */
static uint32_t place(const struct lts *l, uint32_t s, enum file_kind kind) {
    if (kind != FILE_FSM && (kind != FILE_MCRL2 || l->initial < known_states(l))) return s;
    return s == l->initial ? 0 : s == 0 ? l->initial : s;
}

static bool has_edge(const struct lts *l, uint32_t from, uint32_t label, uint32_t to) {
    for (const struct lts_edge *e = lts_begin(l, from); e < lts_end(l, from); e++)
        if (e->label == label && e->target == to) return true;
    return false;
}

static void assert_same(const struct lts *a, const struct lts *b, enum file_kind kind) {
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->edges, b->edges);
    assert_int_equal(place(a, a->initial, kind), b->initial);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct lts_edge *e = lts_begin(a, s); e < lts_end(a, s); e++) {
            uint32_t label = names_find(&b->labels, a->labels.text[e->label]);
            assert_true(label != NAMES_NONE && (label == LTS_TAU) == (e->label == LTS_TAU));
            assert_true(has_edge(b, place(a, s, kind), label, place(a, e->target, kind)));
        }
}

static char folder[] = "/tmp/onager-test-lts-file-XXXXXX";

static int make_folder(void **unused) {
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused) {
    (void)unused;
    return rmdir(folder);
}

static const char *const suffixes[] = {".aut",     ".aut.gz", ".aut.zst", ".fsm",    ".fsm.gz",
                                       ".fsm.zst", ".lts",    ".lts.gz",  ".lts.zst"};

static char *path_of(const char *suffix) {
    static char path[100];
    snprintf(path, sizeof path, "%s/x%s", folder, suffix);
    return path;
}

/* No .fsm file can have a quote in a label. */
static bool can_say(const struct lts *l, enum file_kind kind) {
    for (uint32_t a = 1; a < l->labels.count; a++)
        if (kind == FILE_FSM && strchr(l->labels.text[a], '"')) return false;
    return true;
}

static void written_and_read(void **unused) {
    uint32_t written[COUNT(suffixes)] = {0};
    (void)unused;
    random_start(1);
    for (int i = 0; i < ROUNDS(3000); i++) {
        uint32_t which = random_below(COUNT(suffixes));
        const char *path = path_of(suffixes[which]);
        enum file_kind kind = lts_file_written(path, FILE_UNKNOWN);
        struct problem why = {0};
        struct lts l, again;
        random_lts(&l, random_chance(2) ? 2000 : 12);
        assert_int_equal(lts_file_write(&l, path, NULL, &why), can_say(&l, kind));
        if (can_say(&l, kind)) {
            if (!lts_file_read(path, NULL, &again, &why)) fail_msg("%s", why.text);
            assert_same(&l, &again, kind);
            lts_fini(&again);
            unlink(path);
            written[which]++;
        }
        problem_fini(&why);
        lts_fini(&l);
    }
    for (size_t i = 0; i < COUNT(suffixes); i++) assert_true(written[i] > (uint32_t)OFTEN(20));
}

/* ---- Damage ---- */

static size_t slurp(const char *path, char *bytes, size_t room) {
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, bytes, room);
    close(fd);
    assert_true(n >= 0);
    return (size_t)n;
}

static void spill(const char *path, const char *bytes, size_t size) {
    int fd = open(path, O_WRONLY | O_TRUNC);
    assert_int_equal(write(fd, bytes, size), size);
    close(fd);
}

/* What is packed has a sum: whatever part is missing, it is an error; whatever byte is changed, it is an error, or did
 * not matter. */
static void damaged(void **unused) {
    enum { ROOM = 1 << 16 };
    static char bytes[ROOM];
    uint32_t refused = 0;
    (void)unused;
    random_start(2);
    for (int i = 0; i < ROUNDS(2000); i++) {
        static const char *const packed[] = {".aut.gz", ".aut.zst", ".fsm.gz", ".lts.zst"};
        const char *path = path_of(packed[random_below(4)]);
        enum file_kind kind = suffix_type(path).kind;
        struct problem why = {0};
        struct lts l, again;
        do {
            problem_fini(&why);
            why = (struct problem){0};
            random_lts(&l, 12);
        } while (!lts_file_write(&l, path, NULL, &why) && (lts_fini(&l), true));
        size_t size = slurp(path, bytes, ROOM);
        bool cut = random_chance(50);
        if (cut) size = random_below((uint32_t)size);
        else bytes[random_below((uint32_t)size)] ^= (char)(1 << random_below(8));
        spill(path, bytes, size);
        bool good = lts_file_read(path, NULL, &again, &why);
        assert_false(good && cut);
        if (good) {
            assert_same(&l, &again, kind);
            lts_fini(&again);
        } else {
            assert_int_equal(why.status, EXIT_BAD_INPUT);
            assert_int_equal(strncmp(why.text, path, strlen(path)), 0);
            refused++;
        }
        unlink(path);
        problem_fini(&why);
        lts_fini(&l);
    }
    assert_true(refused > ROUNDS(2000) / 2);
}

/* Whatever is changed in a text, there is an LTS or a message, and the message names the file. */
static void damaged_text(void **unused) {
    static const char text[] =
        "x(2) Nat \"0\" \"1\"\n---\n0\n1\n1\n---\n1 2 \"a, b\"\n2 3 \"tau\"\n3 1 \"c\"\n---\n2\n";
    char changed[sizeof text];
    uint32_t good = 0;
    (void)unused;
    random_start(3);
    for (int i = 0; i < ROUNDS(20000); i++) {
        struct problem why = {0};
        struct lts l;
        size_t size = random_chance(20) ? random_below(sizeof text) : sizeof text - 1;
        memcpy(changed, text, sizeof text);
        for (uint32_t n = random_below(4); n > 0; n--)
            changed[random_below(sizeof text - 1)] = "0123()-\" \n\rx[\0"[random_below(14)];
        if (lts_file_parse(changed, size, "name.fsm", NULL, &l, &why)) {
            assert_true(l.initial < l.states && why.status == EXIT_HOLDS);
            good++;
            lts_fini(&l);
        } else {
            assert_int_equal(why.status, EXIT_BAD_INPUT);
            assert_int_equal(strncmp(why.text, "name.fsm:", 9), 0);
        }
        problem_fini(&why);
    }
    assert_true(good > 100);
}

/* ---- Names ---- */

static void kinds_of_names(void **unused) {
    static const struct {
        const char *path;
        enum file_kind kind;
        enum packing packing;
    } rows[] = {
        {"a.c", FILE_C, PACKED_NOT},
        {"b/a.fsp", FILE_FSP, PACKED_NOT},
        {"a.lts", FILE_FSP, PACKED_NOT},
        {"a.aut", FILE_AUT, PACKED_NOT},
        {".aut.gz", FILE_AUT, PACKED_GZIP},
        {"a.fsm.zst", FILE_FSM, PACKED_ZSTD},
        {"a.lts.gz", FILE_MCRL2, PACKED_GZIP},
        {"lts.gz", FILE_UNKNOWN, PACKED_GZIP},
        {"a.c.gz", FILE_UNKNOWN, PACKED_GZIP},
        {"a.dot.gz", FILE_UNKNOWN, PACKED_GZIP},
        {"a.aut.gz.gz", FILE_UNKNOWN, PACKED_GZIP},
        {"a.gz", FILE_UNKNOWN, PACKED_GZIP},
        {"aut", FILE_UNKNOWN, PACKED_NOT},
        {"a.AUT", FILE_UNKNOWN, PACKED_NOT},
        {"a.txt", FILE_UNKNOWN, PACKED_NOT},
        {"", FILE_UNKNOWN, PACKED_NOT},
        {"-", FILE_UNKNOWN, PACKED_NOT},
        {"a.svg", FILE_PICTURE, PACKED_NOT},
        {"a.gv", FILE_DOT, PACKED_NOT},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct file_type t = suffix_type(rows[i].path);
        if (t.kind != rows[i].kind || t.packing != rows[i].packing) fail_msg("%s", rows[i].path);
    }
}

/* What was read first is written; what is given goes before it. */
static void spellings(void **unused) {
    static const struct {
        const char *in, *tau, *out; /* out: the label in .aut */
    } rows[] = {
        {"i", NULL, ", i, "},        {"\"tau\"", NULL, ", \"tau\", "}, {"tau", "x,tau", ", x, "},
        {"a", "\"a\"", ", \"a\", "}, {"i", "tau", ", \"i\", "},        {"tau", NULL, ", tau, "},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tau_met met = {0};
        struct lts_file_options o = {.tau = rows[i].tau, .met = &met};
        struct problem why = {0};
        struct lts l;
        char text[100], written[100];
        const char *path = path_of(".aut");
        snprintf(text, sizeof text, "des (0, 1, 2)\n(0, %s, 1)\n", rows[i].in);
        assert_true(lts_file_parse(text, strlen(text), "x.aut", &o, &l, &why));
        assert_true(lts_file_write(&l, path, &o, &why));
        written[slurp(path, written, sizeof written - 1)] = 0;
        if (!strstr(written, rows[i].out)) fail_msg("%s with --tau %s: %s", rows[i].in, rows[i].tau, written);
        unlink(path);
        tau_met_fini(&met);
        lts_fini(&l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_and_read), cmocka_unit_test(damaged),
                                       cmocka_unit_test(damaged_text), cmocka_unit_test(kinds_of_names),
                                       cmocka_unit_test(spellings)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
