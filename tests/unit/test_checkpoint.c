/* Checkpoints: a search that is stopped anywhere, killed or not, goes on to the same end. The search here is one state
 * at a time and knows nothing of batches; what must come out is known from the graph itself. */
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "graph.h"
#include "check/checkpoint.h"

static char base[64]; /* in memory if possible: a disk that all tests share makes every file wait */

static void remove_all(const char *folder) {
    char *command = text_format("rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    free(command);
}

static const struct questions questions = {.checks = PROP_SAFETY | PROP_MAY};

/* ---- A search, one state at a time ---- */

struct run {
    struct graph *g;
    struct ts_worker *w;
    struct space s;
    struct position p;
    struct ts_batch batch;
};

static void run_init(struct run *r, struct graph *g) {
    struct problem why = {0};
    struct limits limits = {.max_memory = UINT64_C(1) << 33};
    *r = (struct run){.g = g, .w = graph_worker(g)};
    assert_true(space_init(&r->s, &g->ts, r->w, &limits, NULL, &why));
    r->s.trail.part_items = 64; /* many parts, some of them in a file */
    ts_batch_init(&r->batch, &g->ts, 1);
}

static void run_fini(struct run *r) {
    ts_batch_fini(&r->batch);
    bitmap_fini(&r->p.marked);
    space_fini(&r->s);
    free(r->w);
}

static void find(struct run *r, const word *states, uint32_t count) {
    uint32_t fresh[256], fresh_count;
    assert_int_equal(space_insert(&r->s, states, count, fresh, &fresh_count), count);
    for (uint32_t i = 0; i < fresh_count; i++) space_add(&r->s, states + (size_t)fresh[i] * r->g->ts.words);
    r->s.states += fresh_count;
}

static void start(struct run *r) {
    word first[16];
    graph_encode(r->g, 0, first);
    find(r, first, 1);
    numbers_add(&r->s.levels, 0);
    r->p.level_end = 1;
}

/* Expands up to `most` states. False: all were. */
static bool go_on(struct run *r, uint64_t most) {
    word source[16];
    for (uint64_t i = 0; i < most && r->p.expanded < r->s.trail.count; i++) {
        assert_true(space_state(&r->s, r->p.expanded, source));
        r->batch.sources = source;
        r->batch.count = 1;
        assert_int_equal(r->g->ts.ops->expand(r->w, &r->batch), 1);
        find(r, r->batch.successors, r->batch.ends[0]);
        r->s.edges += r->batch.ends[0];
        r->s.terminals += r->batch.ends[0] == 0;
        if (++r->p.expanded < r->p.level_end || r->s.trail.count == r->p.level_end) continue;
        numbers_add(&r->s.levels, r->p.level_end);
        r->p.level_end = r->s.trail.count;
    }
    return r->p.expanded < r->s.trail.count;
}

/* The complete space is what the graph says. */
static void expect_complete(struct run *r) {
    struct graph *g = r->g;
    uint32_t *order = malloc(g->count * sizeof *order), *level = malloc(g->count * sizeof *level);
    uint32_t n = graph_explore(g, order, level), to[256], labels[256];
    uint64_t edges = 0, terminals = 0, levels = 0;
    assert_int_equal(r->s.states, n);
    assert_int_equal(r->s.trail.count, n);
    assert_int_equal(store_count(&r->s.store), n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t some = graph_successors(g, order[i], to, labels);
        edges += some;
        terminals += some == 0;
        assert_int_equal(graph_number(&r->s, i), order[i]);
        assert_true(graph_slot(&r->s, order[i]) != STORE_NONE);
        if (i == 0 || level[order[i]] != level[order[i - 1]]) assert_int_equal(r->s.levels.at[levels++], i);
    }
    assert_int_equal(r->s.levels.count, levels);
    assert_int_equal(r->s.edges, edges);
    assert_int_equal(r->s.terminals, terminals);
    free(order);
    free(level);
}

static void shape(struct graph *g, uint64_t i) {
    random_start(i);
    graph_init(g, 200 + random_below(3000), 1 + random_below(5), i % 2 ? 1 : 3);
    graph_randomise(g, 60 + random_below(40), i % 3 ? 40 : 0, i);
    for (uint32_t t = 0; t < g->ts.transitions; t++)
        for (uint32_t s = 0; s + 1 < g->count; s += 2) *graph_next(g, s, t) = s + 1 + t; /* so that all goes on */
    for (uint32_t s = 0; s < g->count; s++)
        for (uint32_t t = 0; t < g->ts.transitions; t++)
            if (*graph_next(g, s, t) != NO_STATE) *graph_next(g, s, t) %= g->count;
    g->ts.identity = "0123";
}

/* ---- Stopping and going on ---- */

static void save(struct checkpoint *c, struct run *r) {
    struct problem why = {0};
    position_take(&r->p, &r->s, r->p.expanded, r->p.level_end);
    if (!checkpoint_write(c, &r->s, &r->p, &why)) fail_msg("%s", why.text);
}

/* A new process, so to speak. */
static void load(struct checkpoint *c, struct run *r, const char *folder, struct graph *g) {
    struct problem why = {0};
    run_init(r, g);
    r->s.edges_kept = true;
    checkpoint_init(c, folder, 600, &g->ts, &questions);
    if (!checkpoint_read(c, &r->s, &r->p, &why)) fail_msg("%s", why.text);
    assert_false(r->s.edges_kept);
}

static void stopped_anywhere(void **unused) {
    char *folder = text_format("%s/stopped", base);
    (void)unused;
    for (uint64_t i = 0; i < 16; i++) {
        struct graph g;
        struct run r;
        struct checkpoint c;
        struct problem why = {0};
        shape(&g, i);
        run_init(&r, &g);
        start(&r);
        checkpoint_init(&c, folder, 600, &g.ts, &questions);
        assert_true(checkpoint_begin(&c, &why));
        for (bool more = true; more;) {
            more = go_on(&r, random_below(400));
            position_take(&r.p, &r.s, r.p.expanded, r.p.level_end);
            struct position then = r.p;
            if (random_chance(50)) more = go_on(&r, random_below(200)); /* what comes after the position is lost */
            if (!checkpoint_write(&c, &r.s, &then, &why)) fail_msg("%s", why.text);
            assert_int_equal(c.saved, then.states);
            if (random_chance(40)) continue;
            uint64_t saved = c.saved, segments = c.segment_count;
            run_fini(&r);
            checkpoint_fini(&c);
            load(&c, &r, folder, &g);
            assert_int_equal(r.s.trail.count, saved);
            assert_int_equal(c.segment_count, segments);
            assert_int_equal(r.p.expanded, then.expanded);
            more = r.p.expanded < r.s.trail.count;
        }
        expect_complete(&r);
        save(&c, &r);
        assert_int_equal(c.saved, r.s.trail.count);
        run_fini(&r);
        checkpoint_fini(&c);
        remove_all(folder);
        graph_fini(&g);
    }
    free(folder);
}

/* A checkpoint without anything new, and one into another folder, which must then have all. */
static void other_folder(void **unused) {
    char *one = text_format("%s/one", base), *two = text_format("%s/two", base);
    struct graph g;
    struct run r, again;
    struct checkpoint c, d;
    struct problem why = {0};
    (void)unused;
    shape(&g, 3);
    run_init(&r, &g);
    start(&r);
    go_on(&r, 100);
    checkpoint_init(&c, one, 600, &g.ts, &questions);
    assert_true(checkpoint_begin(&c, &why));
    save(&c, &r);
    save(&c, &r);
    assert_int_equal(c.segment_count, 1);
    checkpoint_fini(&c);
    load(&c, &again, one, &g);
    checkpoint_init(&d, two, 600, &g.ts, &questions);
    assert_true(checkpoint_begin(&d, &why));
    go_on(&again, 100);
    save(&d, &again);
    checkpoint_fini(&c);
    checkpoint_fini(&d);
    run_fini(&again);
    load(&d, &again, two, &g);
    while (go_on(&again, 1000)) {}
    expect_complete(&again);
    checkpoint_fini(&d);
    run_fini(&r);
    run_fini(&again);
    graph_fini(&g);
    remove_all(one);
    remove_all(two);
    free(one);
    free(two);
}

static void marks(void **unused) {
    char *folder = text_format("%s/marks", base);
    (void)unused;
    for (uint64_t i = 0; i < 10; i++) {
        struct graph g;
        struct run r;
        struct checkpoint c;
        struct problem why = {0};
        shape(&g, i);
        bool *wanted = calloc(g.count, 1);
        run_init(&r, &g);
        start(&r);
        while (go_on(&r, 1000)) {}
        store_settle(&r.s.store);
        assert_true(bitmap_init(&r.p.marked, store_slots(&r.s.store)));
        for (uint64_t k = 0; k < r.s.states; k++) {
            uint32_t id = graph_number(&r.s, k);
            if ((wanted[id] = random_chance(40))) bitmap_add(&r.p.marked, graph_slot(&r.s, id));
        }
        r.p.phase = PROP_MAY;
        r.p.passed = PROP_SAFETY | PROP_DEADLOCK;
        checkpoint_init(&c, folder, 600, &g.ts, &questions);
        assert_true(checkpoint_begin(&c, &why));
        save(&c, &r);
        checkpoint_fini(&c);
        run_fini(&r);
        load(&c, &r, folder, &g);
        expect_complete(&r);
        assert_int_equal(r.p.phase, PROP_MAY);
        assert_int_equal(r.p.passed, PROP_SAFETY | PROP_DEADLOCK);
        assert_non_null(r.p.marked.bits.base);
        for (uint64_t k = 0; k < r.s.states; k++) {
            uint32_t id = graph_number(&r.s, k);
            assert_int_equal(bitmap_has(&r.p.marked, graph_slot(&r.s, id)), wanted[id]);
        }
        checkpoint_fini(&c);
        run_fini(&r);
        graph_fini(&g);
        free(wanted);
        remove_all(folder);
    }
    free(folder);
}

/* All states, and then a question that has no marks to keep. */
static void save_complete(const char *folder, struct graph *g, enum property phase, const struct questions *q) {
    struct run r;
    struct checkpoint c;
    struct problem why = {0};
    run_init(&r, g);
    start(&r);
    while (go_on(&r, 1000)) {}
    r.p.phase = phase;
    checkpoint_init(&c, folder, 600, &g->ts, q);
    assert_true(checkpoint_begin(&c, &why));
    save(&c, &r);
    checkpoint_fini(&c);
    run_fini(&r);
}

/* The search was complete, and the question after it has no marks to keep: states are known by their slots all the
 * same. */
static void phase_without_marks(void **unused) {
    char *folder = text_format("%s/phase", base);
    (void)unused;
    for (uint64_t i = 0; i < 10; i++) {
        struct graph g;
        struct run r;
        struct checkpoint c;
        shape(&g, i);
        save_complete(folder, &g, PROP_MAY, &questions);
        load(&c, &r, folder, &g);
        expect_complete(&r);
        assert_null(r.p.marked.bits.base);
        assert_true(store_slots(&r.s.store) >= r.s.states);
        for (uint64_t k = 0; k < r.s.states; k++)
            assert_true(graph_slot(&r.s, graph_number(&r.s, k)) < store_slots(&r.s.store));
        checkpoint_fini(&c);
        run_fini(&r);
        graph_fini(&g);
        remove_all(folder);
    }
    free(folder);
}

/* A search for components begins again, but with the successors of all states in memory: these are made once for that,
 * and once more to see by which transitions they are. */
static void phase_with_edges(void **unused) {
    static const bool none[2];
    char *folder = text_format("%s/edges", base);
    (void)unused;
    for (uint64_t i = 0; i < 4; i++) {
        struct graph g;
        struct answer a;
        struct questions q = {.checks = PROP_INFINITE, .infinitely = 1, .finitely = none};
        struct limits limits = {.max_memory = UINT64_C(1) << 33};
        struct means means = {.threads = 1 + (unsigned)i % 2, .checkpoint = folder, .resume = true, .every = 600};
        graph_init(&g, 3000, 2, i / 2 ? 1 : 3);
        g.ts.identity = "0123";
        for (uint32_t k = 0; k < g.count; k++) *graph_next(&g, k, 0) = (k + 1) % g.count; /* and nothing by 1 */
        save_complete(folder, &g, PROP_INFINITE, &q);
        struct ts_worker *w = graph_worker(&g);
        g.expanded = 0;
        check_run(&a, &g.ts, w, &q, &limits, &means, NULL);
        assert_int_equal(a.verdict, VERDICT_HOLDS);
        assert_int_equal(a.states, g.count);
        assert_int_equal(g.expanded, 2 * g.count);
        answer_fini(&a);
        free(w);
        graph_fini(&g);
        remove_all(folder);
    }
    free(folder);
}

/* ---- Kill -9 ---- */

static void search_for_ever(const char *folder, struct graph *g, uint64_t seed) {
    struct run r;
    struct checkpoint c;
    struct problem why = {0};
    run_init(&r, g);
    checkpoint_init(&c, folder, 600, &g->ts, &questions);
    char *manifest = text_format("%s/manifest", folder);
    bool resume = access(manifest, F_OK) == 0;
    if (!(resume ? checkpoint_read(&c, &r.s, &r.p, &why) : checkpoint_begin(&c, &why))) {
        fprintf(stderr, "%s\n", why.text);
        _exit(1);
    }
    random_start(seed);
    if (!resume) start(&r);
    for (bool more = true; more;) {
        more = go_on(&r, random_below(30));
        position_take(&r.p, &r.s, r.p.expanded, r.p.level_end);
        if (!checkpoint_write(&c, &r.s, &r.p, &why)) _exit(1);
    }
    pause();
}

static void killed(void **unused) {
    char *folder = text_format("%s/killed", base), *manifest = text_format("%s/manifest", folder);
    uint64_t resumed = 0;
    (void)unused;
    for (uint64_t i = 0; i < 2; i++) {
        struct graph g;
        struct run r;
        struct checkpoint c;
        bool more = true;
        shape(&g, i);
        for (uint64_t k = 0; more && k < 300; k++) {
            pid_t child = fork();
            assert_true(child >= 0);
            if (child == 0) search_for_ever(folder, &g, k);
            random_start(1000 * i + k);
            usleep(2000 + random_below(20000 + 4000 * (uint32_t)k)); /* some time it will be enough */
            kill(child, SIGKILL);
            int status;
            assert_int_equal(waitpid(child, &status, 0), child);
            assert_true(WIFSIGNALED(status));
            if (access(manifest, F_OK) != 0) continue;
            load(&c, &r, folder, &g);
            resumed++;
            more = r.p.expanded < r.s.trail.count;
            if (!more) expect_complete(&r);
            checkpoint_fini(&c);
            run_fini(&r);
        }
        assert_false(more);
        remove_all(folder);
        graph_fini(&g);
    }
    assert_true(resumed >= 2);
    free(manifest);
    free(folder);
}

/* ---- What must be refused ---- */

static void expect_refusal(const char *folder, struct graph *g, const struct questions *q, const char *text) {
    struct run r;
    struct checkpoint c;
    struct problem why = {0};
    run_init(&r, g);
    checkpoint_init(&c, folder, 600, &g->ts, q);
    assert_false(checkpoint_read(&c, &r.s, &r.p, &why));
    assert_int_equal(why.status, EXIT_BAD_INPUT);
    if (!strstr(why.text, text)) fail_msg("'%s' does not say '%s'", why.text, text);
    problem_fini(&why);
    checkpoint_fini(&c);
    run_fini(&r);
}

static void other_runs(void **unused) {
    char *folder = text_format("%s/other", base);
    struct ts_parameter eight[] = {{"n", 8, false, false}}, nine[] = {{"n", 9, false, false}},
                        both[] = {{"n", 8, false, false}, {"m", 1, false, false}};
    bool finitely[8] = {[1] = true, [2] = true};
    struct questions asked = {.checks = PROP_SAFETY | PROP_INFINITE, .finitely = finitely}, q;
    struct graph g;
    struct run r;
    struct checkpoint c, second;
    struct problem why = {0};
    (void)unused;
    graph_init(&g, 100, 3, 1);
    g.ts.path = "some/graph.c";
    g.ts.identity = "0123";
    g.ts.parameters = eight;
    g.ts.parameter_count = 1;
    expect_refusal(folder, &g, &asked, "cannot be used");
    run_init(&r, &g);
    start(&r);
    checkpoint_init(&c, folder, 600, &g.ts, &asked);
    assert_true(checkpoint_begin(&c, &why));
    expect_refusal(folder, &g, &asked, "in use by another onager");
    save(&c, &r);
    checkpoint_fini(&c);

    checkpoint_init(&second, folder, 600, &g.ts, &asked);
    assert_false(checkpoint_begin(&second, &why));
    assert_non_null(strstr(why.text, "--resume"));
    problem_fini(&why);
    checkpoint_fini(&second);

    struct graph h = g;
    h.ts.parameters = nine;
    expect_refusal(folder, &h, &asked, "the checkpoint is of parameter n=8, now n=9");
    h.ts.process = "ROAD";
    h.ts.reduction.stubborn = true;
    expect_refusal(
        folder, &h, &asked,
        "the checkpoint is of parameter n=8, now n=9; it knows no process, now process=ROAD; give what it was");
    h = g;
    h.ts.parameter_count = 0;
    expect_refusal(folder, &h, &asked, "the checkpoint is of parameter n=8, now there is no n");
    h.ts.parameters = both;
    h.ts.parameter_count = 2;
    expect_refusal(folder, &h, &asked, "the checkpoint knows no parameter m, now m=1");
    h = g;
    h.ts.identity = "4567";
    expect_refusal(folder, &h, &asked,
                   "hash=0123, now hash=4567: the text of the model, a file that it includes, onager's headers or");
    h.ts.parameters = both; /* the hash of a network depends on its parameters */
    h.ts.parameter_count = 2;
    expect_refusal(folder, &h, &asked, "the checkpoint knows no parameter m, now m=1");
    h.ts.path = "else/where.c";
    h.ts.parameters = nine;
    h.ts.parameter_count = 1;
    expect_refusal(folder, &h, &asked, "the checkpoint is of another model: graph.c, not where.c");
    h.ts.identity = "0123"; /* the same model under another name */
    expect_refusal(folder, &h, &asked, "the checkpoint is of parameter n=8, now n=9");
    h = g;
    h.ts.reduction.stubborn = true;
    expect_refusal(folder, &h, &asked, "option --stubborn=no, now --stubborn=yes");
    h = g;
    h.ts.reduction.symmetry = true;
    expect_refusal(folder, &h, &asked, "option --symmetry=no, now --symmetry=yes");
    h = g;
    h.ts.reduction.forward = true;
    expect_refusal(folder, &h, &asked, "option --scan=backward, now --scan=forward");
    h = g;
    h.ts.bits--;
    expect_refusal(folder, &h, &asked, "bits=");
    h = g;
    h.ts.fast = true;
    expect_refusal(folder, &h, &asked, "option --fast=no, now --fast=yes");
    q = asked;
    q.checks |= PROP_MUST;
    expect_refusal(folder, &g, &q, "check must_progress=no, now must_progress=yes");
    q = asked;
    q.terminal_not_may = true;
    expect_refusal(folder, &g, &q, "--terminal-not-may=no");
    q = asked;
    q.infinitely = 1;
    expect_refusal(folder, &g, &q, "--infinitely=0, now --infinitely=1");
    finitely[2] = false;
    expect_refusal(folder, &g, &asked, "--finitely=1,2, now --finitely=1");
    finitely[2] = true;

    /* Limits may differ. */
    struct run again;
    run_init(&again, &g);
    again.s.limits.max_memory /= 2;
    checkpoint_init(&c, folder, 1, &g.ts, &asked);
    assert_true(checkpoint_read(&c, &again.s, &again.p, &why));
    checkpoint_fini(&c);
    run_fini(&again);
    run_fini(&r);
    graph_fini(&g);
    remove_all(folder);
    free(folder);
}

/* ---- Damage ---- */

static void copy(const char *from, const char *to) {
    char *command = text_format("cp '%s' '%s'", from, to);
    assert_int_equal(system(command), 0);
    free(command);
}

static void flip(const char *path, off_t at) {
    char byte;
    int fd = open(path, O_RDWR);
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= 4;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

static void damaged(void **unused) {
    char *folder = text_format("%s/damaged", base), *kept = text_format("%s/kept", base);
    char *one = text_format("%s/states-000001", folder), *two = text_format("%s/states-000002", folder);
    char *manifest = text_format("%s/manifest", folder);
    struct graph g;
    struct run r;
    struct checkpoint c;
    struct problem why = {0};
    (void)unused;
    shape(&g, 7);
    run_init(&r, &g);
    start(&r);
    checkpoint_init(&c, folder, 600, &g.ts, &questions);
    assert_true(checkpoint_begin(&c, &why));
    go_on(&r, 50);
    save(&c, &r);
    go_on(&r, 50);
    save(&c, &r);
    assert_int_equal(c.segment_count, 2);
    uint64_t many = c.segments[0].count;
    checkpoint_fini(&c);

    copy(two, kept);
    flip(two, 90);
    expect_refusal(folder, &g, &questions, "damaged");
    copy(one, two); /* a good file in the wrong place */
    expect_refusal(folder, &g, &questions, "it has a state twice");
    assert_int_equal(unlink(two), 0);
    expect_refusal(folder, &g, &questions, "No such file");
    copy(manifest, two);
    expect_refusal(folder, &g, &questions, "of kind 'checkpoint'");
    copy(kept, two);
    copy(manifest, kept);
    flip(manifest, 300);
    expect_refusal(folder, &g, &questions, "damaged");
    assert_int_equal(truncate(manifest, 0), 0);
    expect_refusal(folder, &g, &questions, "not a file that onager has written");
    assert_int_equal(unlink(manifest), 0);
    expect_refusal(folder, &g, &questions, "no checkpoint");
    copy(kept, manifest);
    struct run again;
    load(&c, &again, folder, &g);
    while (go_on(&again, 1000)) {}
    expect_complete(&again);
    checkpoint_fini(&c);
    run_fini(&again);

    /* As many states as in the right one, but of another search: only the seal tells. */
    struct graph h;
    struct run other;
    graph_init(&h, g.count, g.ts.transitions, g.ts.words);
    memcpy(h.next, g.next, (size_t)g.count * g.ts.transitions * sizeof *g.next);
    run_init(&other, &h);
    word state[16];
    for (uint32_t id = 0; id < many; id++) {
        graph_encode(&h, id, state);
        find(&other, state, 1);
    }
    char *elsewhere = text_format("%s/elsewhere", base), *foreign = text_format("%s/states-000001", elsewhere);
    checkpoint_init(&c, elsewhere, 600, &g.ts, &questions);
    assert_true(checkpoint_begin(&c, &why));
    save(&c, &other);
    checkpoint_fini(&c);
    copy(foreign, one);
    expect_refusal(folder, &g, &questions, "not the file that the manifest beside it names");
    run_fini(&other);
    run_fini(&r);
    graph_fini(&h);
    graph_fini(&g);
    remove_all(folder);
    remove_all(elsewhere);
    unlink(kept);
    free(elsewhere);
    free(foreign);
    free(manifest);
    free(one);
    free(two);
    free(kept);
    free(folder);
}

/* A disk that is full for a while: the checkpoint before stays, the next one has everything. */
static void full_for_a_while(void **unused) {
    char *folder = text_format("%s/full", base);
    struct rlimit old, tiny;
    struct graph g;
    struct run r, again;
    struct checkpoint c;
    struct problem why = {0};
    (void)unused;
    shape(&g, 9);
    run_init(&r, &g);
    start(&r);
    checkpoint_init(&c, folder, 600, &g.ts, &questions);
    assert_true(checkpoint_begin(&c, &why));
    go_on(&r, 50);
    save(&c, &r);
    uint64_t saved = c.saved;
    go_on(&r, 500);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    for (rlim_t limit = 10; limit < 2000; limit += 600) {
        tiny = (struct rlimit){limit, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &tiny);
        position_take(&r.p, &r.s, r.p.expanded, r.p.level_end);
        bool written = checkpoint_write(&c, &r.s, &r.p, &why);
        setrlimit(RLIMIT_FSIZE, &old);
        if (written) break;
        assert_non_null(strstr(why.text, "File too large"));
        problem_fini(&why);
        uint64_t mine = c.saved;
        checkpoint_fini(&c);
        load(&c, &again, folder, &g);
        assert_int_equal(c.saved, saved);
        run_fini(&again);
        assert_true(mine >= saved);
    }
    assert_true(c.saved == saved);
    save(&c, &r);
    checkpoint_fini(&c);
    load(&c, &again, folder, &g);
    assert_int_equal(again.s.trail.count, r.s.trail.count);
    while (go_on(&again, 1000)) {}
    expect_complete(&again);
    checkpoint_fini(&c);
    run_fini(&again);
    run_fini(&r);
    graph_fini(&g);
    remove_all(folder);
    free(folder);
}

/* Too little memory to hold what the checkpoint has. */
static void no_memory(void **unused) {
    char *folder = text_format("%s/memory", base);
    struct graph g;
    struct run r;
    struct checkpoint c;
    struct problem why = {0};
    (void)unused;
    graph_init(&g, 20000, 1, 3);
    for (uint32_t s = 0; s + 1 < g.count; s++) *graph_next(&g, s, 0) = s + 1;
    run_init(&r, &g);
    start(&r);
    while (go_on(&r, 10000)) {}
    checkpoint_init(&c, folder, 600, &g.ts, &questions);
    assert_true(checkpoint_begin(&c, &why));
    save(&c, &r);
    checkpoint_fini(&c);
    run_fini(&r);
    struct limits limits = {.max_memory = 1}, enough = {.max_memory = UINT64_C(1) << 33, .max_states = 1000};
    for (int i = 0; i < 2; i++) {
        r.w = graph_worker(&g);
        assert_true(space_init(&r.s, &g.ts, r.w, i ? &enough : &limits, NULL, &why));
        checkpoint_init(&c, folder, 600, &g.ts, &questions);
        assert_false(checkpoint_read(&c, &r.s, &r.p, &why));
        assert_int_equal(why.status, i ? EXIT_BAD_INPUT : EXIT_INCONCLUSIVE);
        assert_non_null(strstr(why.text, i ? "states already, more than --max-states 1000" : "--max-memory"));
        problem_fini(&why);
        checkpoint_fini(&c);
        space_fini(&r.s);
        free(r.w);
    }
    remove_all(folder);
    graph_fini(&g);
    free(folder);
}

static int make_base(void **unused) {
    (void)unused;
    snprintf(base, sizeof base, "%s/onager-checkpoint-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    return mkdtemp(base) ? 0 : 1;
}
static int remove_base(void **unused) { return (void)unused, rmdir(base); } /* nothing is left behind */

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_anywhere), cmocka_unit_test(other_folder), cmocka_unit_test(marks),
        cmocka_unit_test(killed),           cmocka_unit_test(other_runs),   cmocka_unit_test(damaged),
        cmocka_unit_test(full_for_a_while), cmocka_unit_test(no_memory),    cmocka_unit_test(phase_without_marks),
        cmocka_unit_test(phase_with_edges),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
