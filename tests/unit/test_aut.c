/* Aldebaran files: what is written is read back, and text is parsed alike however it comes in. */
#include <signal.h>
#include <unistd.h>

#include "unit.h"

#include "lts/lts_file.h"
#include "lts/text_reader.h"

static void random_name(char *name, uint32_t most) {
    static const char characters[] = "ab01 _!?,\"\\()[].:;\t{}<>";
    uint32_t n = random_below(most);
    for (uint32_t i = 0; i < n; i++) name[i] = characters[random_below(sizeof characters - 1)];
    name[n] = 0;
}

/* Names that .aut can not keep apart from others: white space at the ends of an unquoted label does not matter, but
 * ours are quoted. Only the names of the invisible action are special. */
static void random_lts(struct lts *l) {
    struct lts_builder b;
    uint32_t labels = 1 + random_below(6), states = 1 + random_below(12), edges = random_below(30);
    lts_build(&b);
    for (uint32_t i = 0; i < labels; i++) {
        char name[40];
        do random_name(name, 12);
        while (strcmp(name, "i") == 0 || strcmp(name, "tau") == 0);
        names_add(&b.labels, name);
    }
    b.states = states;
    b.initial = random_below(states);
    for (uint32_t i = 0; i < edges; i++)
        lts_build_edge(&b, random_below(states), random_below(b.labels.count), random_below(states));
    lts_build_finish(&b, l);
}

/* The same edges with the same names of labels; labels may have other numbers. */
static void assert_same(const struct lts *a, const struct lts *b) {
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->initial, b->initial);
    assert_int_equal(a->edges, b->edges);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct lts_edge *e = lts_begin(a, s); e < lts_end(a, s); e++) {
            uint32_t label = names_find(&b->labels, a->labels.text[e->label]);
            bool found = false;
            for (const struct lts_edge *f = lts_begin(b, s); f < lts_end(b, s); f++)
                found |= f->label == label && f->target == e->target;
            assert_true(found);
            assert_int_equal(label == LTS_TAU, e->label == LTS_TAU);
        }
}

static char path[] = "/tmp/onager-test-aut-XXXXXX.aut";

static int make_file(void **unused) {
    int fd = mkstemps(path, 4);
    (void)unused;
    return fd < 0 || close(fd);
}

static int remove_file(void **unused) {
    (void)unused;
    return unlink(path);
}

static void written_and_read(void **unused) {
    static const char *const spellings[] = {NULL, "i", "\"i\"", "tau", "\"tau\"", "inner step", "\"\""};
    (void)unused;
    random_start(1);
    for (int i = 0; i < ROUNDS(3000); i++) {
        struct lts_file_options o = {.tau = spellings[random_below(COUNT(spellings))]};
        struct problem why = {0};
        struct lts l, again;
        random_lts(&l);
        bool clash = o.tau && strcmp(o.tau, "\"\"") == 0 && names_find(&l.labels, "") != NAMES_NONE;
        assert_int_equal(lts_file_write(&l, path, &o, &why), !clash);
        if (!clash) {
            if (!lts_file_read(path, &o, &again, &why)) fail_msg("%s", why.text);
            assert_same(&l, &again);
            lts_fini(&again);
        }
        problem_fini(&why);
        lts_fini(&l);
    }
}

/* Who is interrupted leaves the file as it was, and nothing beside it. */
static void interrupted_writing(void **unused) {
    enum { STATES = 10000 };
    volatile sig_atomic_t interrupted = 0;
    struct problem why = {0};
    struct effort effort = {.interrupted = &interrupted};
    struct lts_file_options o = {.effort = &effort};
    struct lts_builder b;
    struct lts l, again;
    (void)unused;
    lts_build(&b);
    uint32_t label = names_add(&b.labels, "a");
    b.states = STATES;
    for (uint32_t s = 0; s < STATES; s++) lts_build_edge(&b, s, label, (s + 1) % STATES);
    lts_build_finish(&b, &l);
    assert_true(lts_file_write(&l, path, &o, &why));
    assert_true(effort.asked >= STATES);
    interrupted = 1;
    effort = (struct effort){.interrupted = &interrupted};
    assert_false(lts_file_write(&l, path, &o, &why));
    assert_int_equal(why.status, EXIT_INCONCLUSIVE);
    assert_non_null(strstr(why.text, "interrupted: writing "));
    assert_true(effort.asked <= 64);
    problem_fini(&why);
    assert_true(lts_file_read(path, NULL, &again, &why));
    assert_same(&l, &again);
    lts_fini(&again);
    /* Reading ends, too, when all lines were read and edges are being sorted. */
    interrupted = 0;
    effort = (struct effort){.interrupted = &interrupted};
    assert_true(lts_file_read(path, &o, &again, &why));
    assert_true(effort.asked >= STATES);
    lts_fini(&again);
    lts_fini(&l);
}

/* More than one piece of the file, and lines longer than that. */
static void large_files(void **unused) {
    enum { EDGES = 120000, LONG = 3000000 };
    struct problem why = {0};
    struct lts l;
    FILE *f = fopen(path, "w");
    (void)unused;
    fprintf(f, "des (0, %d, %d)\n", EDGES + 1, EDGES + 1);
    for (int i = 0; i < EDGES; i++) fprintf(f, "(%d, \"label %d\", %d)\r\n", i, i % 100, i + 1);
    fprintf(f, "(0, ");
    for (int i = 0; i < LONG; i++) fputc('x', f);
    fprintf(f, ", %d)", EDGES);
    fclose(f);
    if (!lts_file_read(path, NULL, &l, &why)) fail_msg("%s", why.text);
    assert_int_equal(l.edges, EDGES + 1);
    assert_int_equal(l.labels.count, 102);
    assert_int_equal(strlen(l.labels.text[101]), LONG);
    for (uint32_t s = 1; s < EDGES; s++) {
        assert_int_equal(lts_begin(&l, s)->target, s + 1);
        assert_int_equal(lts_begin(&l, s)->label, 1 + s % 100);
    }
    lts_fini(&l);
}

/* Whatever is cut off or changed, there is an LTS or a message, and the message names the line. */
static void damaged(void **unused) {
    static const char text[] = "des (0, 4, 3)\n(0, \"a, b\", 1)\n(1, i, 2)\n( 2 , tau , 0 )\n(0, c, 0)\n";
    char changed[sizeof text];
    uint32_t good = 0;
    (void)unused;
    random_start(2);
    for (int i = 0; i < ROUNDS(20000); i++) {
        struct problem why = {0};
        struct lts l;
        size_t size = random_chance(20) ? random_below(sizeof text) : sizeof text - 1;
        memcpy(changed, text, sizeof text);
        for (uint32_t n = random_below(4); n > 0; n--)
            changed[random_below(sizeof text - 1)] = "0129(),\" \n\rdx\0"[random_below(14)];
        if (lts_file_parse(changed, size, "name", NULL, &l, &why)) {
            assert_true(l.initial < l.states && why.status == EXIT_HOLDS);
            good++;
            lts_fini(&l);
        } else {
            assert_int_equal(why.status, EXIT_BAD_INPUT);
            assert_int_equal(strncmp(why.text, "name:", 5), 0);
        }
        problem_fini(&why);
    }
    assert_true(good > 100);
}

/* A text of plain lines and others, with a few characters changed. */
static size_t mixed_text(char *text, uint32_t states) {
    static const char *const lines[] = {"(%u, a, %u)\n",
                                        "(%u,\"b, c\",%u)\n",
                                        "(%u, i, %u)\r\n",
                                        "(%u , a(1,2) , %u)\n",
                                        "(%u,\"a\",  %u )\n",
                                        "( %u, d e , %u)\n\n",
                                        "(%u, longer b , %u)\n",
                                        "(%u,\t\"longer b\",%u)\n",
                                        "(0%u, long label of many characters, more than are kept, %u)\n"};
    static const char characters[] = "0123456789()(),, \"\t\n\rab\0:/\xb0;";
    uint32_t edges = random_below(24), promised = random_chance(10) ? random_below(24) : edges;
    size_t size = (size_t)sprintf(text, "des (0, %u, %u)\n", promised, states);
    while (edges-- > 0) {
        uint32_t digits = random_below(9), most = 1;
        while (digits-- > 0) most *= 10;
        size += (size_t)sprintf(text + size, lines[random_below(COUNT(lines))], random_below(most) % (states + 1),
                                random_below(most) % states);
    }
    for (uint32_t n = random_chance(50) ? 0 : random_below(4); n > 0; n--)
        text[random_below((uint32_t)size)] = characters[random_below(sizeof characters - 1)];
    return random_chance(8) ? random_below((uint32_t)size) : size;
}

static void assert_equal(const struct lts *a, const struct lts *b) {
    assert_same(a, b);
    assert_int_equal(a->labels.count, b->labels.count);
    for (uint32_t i = 0; i < a->labels.count; i++) assert_string_equal(a->labels.text[i], b->labels.text[i]);
    assert_memory_equal(a->edge, b->edge, a->edges * sizeof *a->edge);
}

/* Plain lines mean the same when they are not treated as plain, and so do messages about others. */
static void plain_lines(void **unused) {
    struct text_format slow = aut_format;
    uint32_t good = 0, bad = 0;
    (void)unused;
    slow.plain = NULL;
    random_start(4);
    for (int i = 0; i < ROUNDS(20000); i++) {
        struct problem why[2] = {{0}, {0}};
        struct lts l[2];
        char text[4096];
        size_t size = mixed_text(text, i < 2 ? 12345678 : 5000);
        bool fine = text_reader_text(&aut_format, text, size, "name", NULL, &l[0], &why[0]);
        assert_int_equal(text_reader_text(&slow, text, size, "name", NULL, &l[1], &why[1]), fine);
        if (fine) assert_equal(&l[0], &l[1]);
        else assert_string_equal(why[0].text, why[1].text);
        *(fine ? &good : &bad) += 1;
        for (int k = 0; k < 2; k++) {
            if (fine) lts_fini(&l[k]);
            problem_fini(&why[k]);
        }
    }
    assert_true(good > OFTEN(1000) && bad > OFTEN(1000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_and_read), cmocka_unit_test(large_files),
                                       cmocka_unit_test(interrupted_writing), cmocka_unit_test(damaged),
                                       cmocka_unit_test(plain_lines)};
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
