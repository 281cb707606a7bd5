/* reads.c: what trial.h says that a transition uses, held against what it really depends on.
 *
 *     reads [--first SEED] [--keep FOLDER] [MODELS]
 *
 * For each seed a model with random functions is made (generate.h), and compiled twice: as searches use it, and to be
 * watched. Each function is tried in random states. What it really depends on is found from outside: variables that
 * it is said not to use get other values, one by one and many at a time, and nothing may change: neither whether it
 * is enabled, nor the bits in which successor and state differ. Where the functions do nothing but name members, what
 * they were said to use may be no more than what they named.
 *
 * And each function is held against what a source says of it (sources.h).
 *
 * All models are watched as the default compiler makes them, and every second one as clang does, too, if it is there.
 * Ends with statistics and `reads: N passed, N failed`, where a function is one test; and one more is that compilers
 * add few reads of members to those that are named.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/c/trial.h"
#include "generate.h"
#include "sources.h"

enum { STATES = 8, SUBSETS = 40, VALUES = 4, MOST_ELEMENTS = 64 };

struct element {
    unsigned at, bits;
    uint64_t values; /* so many: 0, 1, ...; 0: all that the bits can be */
};

struct model {
    void *library;
    const struct onager_plugin *plugin;
    uint64_t *log;
    state *native;
    struct element elements[MOST_ELEMENTS];
    unsigned element_count;
    struct observer observer;
    struct guard guard;
    struct trial trial;
};

static struct {
    unsigned long passed, failed, runs, enabled, whole, exact, members, added;
    unsigned long used, needed; /* elements, of runs that are not about everything */
} counts;

static struct source_counts sources;

static uint64_t randoms;
static uint64_t random_word(void) {
    randoms = randoms * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (randoms >> 32 ^ randoms << 21) * UINT64_C(0x9e3779b97f4a7c15);
}

/* ---- States ---- */

static void list_elements(struct model *m) {
    for (uint32_t f = 0; f < m->plugin->field_count; f++)
        for (uint32_t i = 0; i < m->plugin->fields[f].length; i++) {
            const struct onager_field *x = &m->plugin->fields[f];
            unsigned bits = (unsigned)ONAGER_BITS(x->width);
            m->elements[m->element_count++] =
                (struct element){x->bit_offset + ONAGER_MARK_BITS + i * bits, bits,
                                 ONAGER_IS_UPTO(x->width) ? (uint64_t)ONAGER_UPTO_MAX(x->width) + 1 : 0};
        }
}

static uint64_t mask_of(const struct element *e) { return onager_low(e->bits) << e->at; }

static uint64_t with_random(uint64_t s, const struct element *e) {
    uint64_t x = random_word() >> 3;
    if (random_word() % 4 == 0) x = s >> e->at ^ UINT64_C(1) << random_word() % e->bits; /* one bit is another */
    x &= onager_low(e->bits);
    if (e->values) x %= e->values;
    return (s & ~mask_of(e)) | x << e->at;
}

static uint64_t random_state(const struct model *m) {
    uint64_t s = 1;
    bool mostly_0 = random_word() % 4 == 0;
    for (unsigned i = 0; i < m->element_count; i++)
        if (!mostly_0 || random_word() % 4 == 0) s = with_random(s, &m->elements[i]);
    return s;
}

/* By the plug-in that searches use. */
static bool fire(struct model *m, uint64_t s, uint32_t t, uint64_t *out) {
    m->plugin->unpack(m->native, &s);
    bool fired = m->plugin->model->fire(m->native, t);
    if (!m->plugin->pack(m->native, out)) puts("FAILED: a generated function left a range"), counts.failed++;
    return fired;
}

/* ---- One run ---- */

struct run {
    uint32_t t;
    uint64_t s, out, uses;
    bool fired;
};

static bool does_the_same(struct model *m, const struct run *r, uint64_t other) {
    uint64_t out;
    bool fired = fire(m, other, r->t, &out);
    return fired == r->fired && (out ^ other) == (r->out ^ r->s);
}

static bool is_used(const struct run *r, const struct element *e) { return (r->uses & mask_of(e)) != 0; }

/* NULL: nothing outside the uses matters. */
static const char *depends_on_more(struct model *m, const struct run *r) {
    for (unsigned i = 0; i < m->element_count; i++)
        for (unsigned k = 0; k < VALUES && !is_used(r, &m->elements[i]); k++)
            if (!does_the_same(m, r, with_random(r->s, &m->elements[i]))) return "it depends on a variable more";
    for (unsigned k = 0; k < SUBSETS; k++) {
        uint64_t other = r->s;
        for (unsigned i = 0; i < m->element_count; i++)
            if (!is_used(r, &m->elements[i]) && (k == 0 || random_word() % 2))
                other = with_random(other, &m->elements[i]);
        if (!does_the_same(m, r, other)) return "it depends on more";
    }
    return NULL;
}

static void count_precision(struct model *m, const struct run *r, unsigned used) {
    counts.runs++;
    counts.enabled += r->fired;
    if (used == m->element_count) {
        counts.whole++;
        return;
    }
    counts.used += used;
    for (unsigned i = 0; i < m->element_count; i++) {
        bool needed = false;
        for (unsigned k = 0; k < VALUES && is_used(r, &m->elements[i]) && !needed; k++)
            needed = !does_the_same(m, r, with_random(r->s, &m->elements[i]));
        counts.needed += needed;
    }
}

/* NULL: it is as it should be. */
static const char *wrong(struct model *m, struct run *r) {
    uint64_t reads, writes, log = 0, named = 0;
    unsigned used = 0;
    enum way way = generate_way(r->t);
    enum trial_answer answer = trial_fire(&m->trial, &r->s, r->t, &r->out, (struct trial_uses){&reads, &writes});
    if (answer == TRIAL_UNKNOWN) return obstacle_text(m->trial.obstacle);
    r->fired = answer == TRIAL_FIRED;
    r->uses = reads | writes;
    *m->log = 0;
    if (!does_the_same(m, r, r->s)) return "it does something else when it is watched";
    log = *m->log;
    for (unsigned i = 0; i < m->element_count; i++) {
        if (log >> i & 1) named |= mask_of(&m->elements[i]);
        used += is_used(r, &m->elements[i]);
    }
    if (way == WAY_EXACT && (r->uses & ~named)) return "it was said to use a variable that it does not name";
    if (way == WAY_EXACT && r->uses != named) return "it was said not to use a variable that it names";
    counts.added += way == WAY_MEMBER && (r->uses & ~named);
    if (((r->s ^ r->out) & ~writes) && r->fired) return "it changed what it was said not to store in";
    counts.exact += way == WAY_EXACT;
    counts.members += way == WAY_MEMBER;
    count_precision(m, r, used);
    return depends_on_more(m, r);
}

static void check_function(struct model *m, const char *path, uint32_t t) {
    const char *text = NULL;
    struct run r = {.t = t};
    for (int i = 0; i < STATES && !text; i++) {
        r.s = random_state(m);
        text = wrong(m, &r);
    }
    if (text)
        printf("FAILED: %s, f%u in state %016llx, uses %016llx: %s\n", path, t, (unsigned long long)r.s,
               (unsigned long long)r.uses, text);
    counts.failed += text != NULL;
    counts.passed += !text;
}

/* ---- One model ---- */

static bool open_model(struct model *m, const char *path, const char *compiler) {
    static const struct ts_parameter log = {.name = "log", .value = 1};
    struct c_compile c = {.path = path, .fast = true, .no_cache = true, .parameters = &log, .parameter_count = 1};
    struct problem why = {0};
    char *identity = NULL;
    setenv("ONAGER_CFLAGS", "-DREADS_LOG=-finstrument", 1); /* the log is static memory, which is not sealed then */
    m->library = c_compile(&c, &identity, &why);
    if (!m->library) return printf("FAILED: %s\n", why.text), problem_fini(&why), false;
    m->plugin = dlsym(m->library, "onager_plugin");
    m->log = dlsym(m->library, "reads_log");
    m->native = memory_get_lines(m->plugin->native_size);
    c.parameter_count = 0;
    c.compiler = compiler;
    observer_init(&m->observer, &c, identity);
    observer_make(&m->observer);
    free(identity);
    guard_init(&m->guard, 5);
    const struct problem *failure = &m->observer.why;
    if (!m->observer.plugin)
        return printf("FAILED: %s: %s %s\n", path, obstacle_text(m->observer.obstacle),
                      failure->text ? failure->text : ""),
               false;
    if (trial_init(&m->trial, &m->observer, &m->guard)) return list_elements(m), true;
    printf("FAILED: %s\n", obstacle_text(m->trial.obstacle));
    return false;
}

static void close_model(struct model *m) {
    if (m->native) {
        trial_fini(&m->trial);
        guard_fini(&m->guard);
        observer_fini(&m->observer);
        dlclose(m->library);
    }
    free(m->native);
}

static void check_model(const char *folder, uint64_t seed, const char *compiler) {
    char *path = text_format("%s/reads-%llu.c", folder, (unsigned long long)seed);
    FILE *out = fopen(path, "w");
    if (!out) exit(2);
    generate(seed, out);
    if (fclose(out) != 0) exit(2);
    struct model m = {0};
    randoms = seed;
    if (!open_model(&m, path, compiler)) counts.failed++;
    else
        for (uint32_t t = 0; t < FUNCTIONS; t++) check_function(&m, path, t);
    close_model(&m);
    unsetenv("ONAGER_CFLAGS"); /* nothing is logged */
    sources_check(path, compiler, seed, &sources);
    free(path);
}

static void remove_models(char *folder, uint64_t first, uint64_t count) {
    for (uint64_t seed = first; seed < first + count; seed++) {
        char *path = text_format("%s/reads-%llu.c", folder, (unsigned long long)seed);
        unlink(path);
        free(path);
    }
    rmdir(folder);
}

int main(int argc, char **argv) {
    uint64_t first = 1, count = 6;
    char template[] = "/tmp/onager-reads-XXXXXX", *folder = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--first") == 0 && i + 1 < argc) first = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--keep") == 0 && i + 1 < argc) folder = argv[++i];
        else count = strtoull(argv[i], NULL, 10);
    }
    bool keep = folder != NULL;
    if (!folder) folder = mkdtemp(template);
    if (!folder) return 2;
    char *clang = files_find_program("clang");
    for (uint64_t seed = first; seed < first + count; seed++) {
        check_model(folder, seed, NULL);
        if (clang && seed % 2) check_model(folder, seed, clang);
    }
    if (!keep) remove_models(folder, first, count);
    free(clang);
    printf("%lu runs, %lu enabled; %lu exact, %lu of members, %lu with others; %lu use everything; else %lu variables "
           "used, %lu needed\n",
           counts.runs, counts.enabled, counts.exact, counts.members, counts.added, counts.whole, counts.used,
           counts.needed);
    printf("sources: %lu walks of %lu steps, %lu enabled, %lu unknown\n", sources.walks, sources.steps, sources.enabled,
           sources.unknown);
    counts.passed += sources.passed;
    counts.failed += sources.failed;
    if (counts.added * 10 > counts.members) puts("FAILED: members are used that are not named"), counts.failed++;
    else counts.passed++;
    printf("reads: %lu passed, %lu failed\n", counts.passed, counts.failed);
    return counts.failed != 0;
}
