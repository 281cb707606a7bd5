#include "model/c/c_compile.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/c/c_cache.h"
#include "model/c/c_errors.h"
#include "model/c/c_library.h"
#include "model/c/c_source.h"
#include "model/c/c_symbols.h"

enum {
    MOST_ROUNDS = 4, /* of compiling what changes meanwhile */
    ROOM = 1 << 20,  /* bytes that compiling a model takes on a disk, at most, but for unusual models */
};

/* What is to be compiled, and how. */
struct job {
    const struct c_compile *what;
    struct command flags; /* without files */
    char *headers;        /* the folder of our own */
    char *model, *text;   /* the file; what the compiler gets */
    struct child *child, own;
};

/* ---- The command ---- */

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? text_format("%.*s", slash == path ? 1 : (int)(slash - path), path) : memory_copy_string(".");
}

static char *find_compiler(const struct c_compile *what) {
    static const char *const names[] = {"cc", "gcc", "clang"};
    if (what->compiler) return files_find_program(what->compiler);
    const char *chosen = getenv("ONAGER_CC");
    if (chosen && *chosen) return files_find_program(chosen);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *found = files_find_program(names[i]);
        if (found) return found;
    }
    return NULL;
}

/* Why there is none. */
static bool lack_compiler(const struct c_compile *what, struct problem *why) {
    const char *chosen = what->compiler ? what->compiler : getenv("ONAGER_CC");
    bool named = chosen && *chosen, there = named && strchr(chosen, '/') && access(chosen, F_OK) == 0;
    return problem_set(why, EXIT_BAD_INPUT,
                       "no C compiler: %s%s. Install one (apt-get install gcc) or name one with --cc.",
                       named ? chosen : "none of cc, gcc and clang was found",
                       there   ? " is no program that can be run"
                       : named ? " was not found"
                               : "");
}

/* The folder of onager.h: beside the program's own folder, whether built or installed. */
static char *find_headers(void) {
    const char *chosen = getenv("ONAGER_INCLUDE");
    if (chosen && *chosen) return memory_copy_string(chosen);
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) return NULL;
    self[n] = 0;
    char *folder = folder_of(self), *found = NULL;
    static const char *const places[] = {"../include", "../../include"};
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !found; i++) {
        char *header = text_format("%s/%s/onager.h", folder, places[i]);
        if (access(header, R_OK) == 0) found = text_format("%s/%s", folder, places[i]);
        free(header);
    }
    free(folder);
    return found;
}

/* By the name of the program behind all links. */
static bool is_clang(const char *compiler) {
    char *path = realpath(compiler, NULL);
    const char *slash = path ? strrchr(path, '/') : NULL;
    bool clang = slash && strstr(slash, "clang");
    free(path);
    return clang;
}

#define ADD_ALL(c, flags) c_command_add_all(c, flags, sizeof(flags) / sizeof *(flags))

/* For a plug-in that is searched with. */
static void add_engine_flags(struct command *c, const struct c_compile *what) {
    static const char *const flags[] = {
        "-O2",
        "-fno-semantic-interposition",
        "-Wall",
        "-Wextra",
        "-Wno-unused-function",
        "-Wno-unused-const-variable",
        "-Wno-sign-compare",
        "-Wno-unused-parameter",
        "-Werror=overflow",
        "-Werror=implicit-function-declaration",
        "-Werror=return-type",
        "-Werror=incompatible-pointer-types",
        "-Werror=int-conversion",
        "-Werror=date-time",
    };
    static const char *const checked[] = {"-DONAGER_CHECKED", "-fsanitize=bounds",
                                          "-fsanitize-undefined-trap-on-error"};
    /* gcc would put transitions that it thinks unlikely far away, and takes long to schedule instructions, for nothing.
     * And it warns of what it has made itself: of a loop up to a variable it unrolls a round too many, and says that an
     * index is out of bounds there. clang refuses some of the flags, and warns of what is written only; but also of
     * loops of ours that it does not unroll. */
    static const char *const gcc[] = {"-fno-reorder-blocks-and-partition",
                                      "-fno-schedule-insns2",
                                      "-Wno-array-bounds",
                                      "-Wno-stringop-overflow",
                                      "-Wno-stringop-overread",
                                      "-Wno-aggressive-loop-optimizations"};
    static const char *const clang[] = {"-Qunused-arguments", "-Wno-pass-failed"};
    ADD_ALL(c, flags);
    if (is_clang(c->args[0])) ADD_ALL(c, clang);
    else ADD_ALL(c, gcc);
    if (!what->fast) ADD_ALL(c, checked);
    if (what->reduction.stubborn) c_command_add(c, memory_copy_string("-DONAGER_STUBBORN"));
    if (what->reduction.symmetry) c_command_add(c, memory_copy_string("-DONAGER_SYMMETRY"));
    if (what->reduction.forward) c_command_add(c, memory_copy_string("-DONAGER_FORWARD"));
}

/* Whether its memory and calls are the model's own: an observer's are ours, and what the user's flags add to the code
 * (sanitizers, counters) keeps things, too. */
static bool is_plain(const struct c_compile *what) {
    static const char *const instruments[] = {"-fsanitize", "-fprofile", "--coverage", "-pg", "-finstrument"};
    const char *flags = getenv("ONAGER_CFLAGS");
    for (size_t i = 0; flags && i < sizeof instruments / sizeof *instruments; i++)
        if (strstr(flags, instruments[i])) return false;
    return !what->observer && !what->strict;
}

static void add_flags(struct command *c, const struct c_compile *what, const char *headers) {
    static const char *const always[] = {"-x",    "c",       "-std=gnu11",         "-march=native",
                                         "-fPIC", "-shared", "-fvisibility=hidden"};
    /* For a plug-in that is watched: instructions that x86_access.h knows, and nothing from outside. */
    static const char *const observer[] = {"-O1",
                                           "-w",
                                           "-DONAGER_OBSERVED",
                                           "-march=x86-64",
                                           "-mpopcnt",
                                           "-fno-tree-vectorize",
                                           "-fno-stack-protector",
                                           "-nostdlib",
                                           "-Wl,-z,defs,-z,now,-z,relro",
                                           "-ffunction-sections",
                                           "-fdata-sections",
                                           "-Wl,--gc-sections"};
    static const char *const strict[] = {"-O0",
                                         "-g1",
                                         "-w",
                                         "-fno-builtin",
                                         "-fsanitize=thread",
                                         "-fsanitize=bounds,integer-divide-by-zero",
                                         "-nostdlib",
                                         "-DONAGER_STRICT"};
    ADD_ALL(c, always);
    /* Start files would store something when the program ends, in memory that can only be read then. */
    if (is_plain(what)) c_command_add(c, memory_copy_string("-nostartfiles"));
    if (what->observer) ADD_ALL(c, observer);
    else if (what->strict) ADD_ALL(c, strict);
    else add_engine_flags(c, what);
    if (what->strict && what->wide) c_command_add(c, text_format("-DONAGER_WIDE=%u", what->wide));
    for (size_t i = 0; i < what->parameter_count; i++)
        c_command_add(
            c, text_format("-DONAGER_P_%s=~,%lld", what->parameters[i].name, (long long)what->parameters[i].value));
    const char *more = getenv("ONAGER_CFLAGS");
    for (; more && *more; more += strspn(more, " ")) {
        size_t n = strcspn(more, " ");
        c_command_add(c, text_format("%.*s", (int)n, more));
        more += n;
    }
    if (what->strict) c_command_add(c, memory_copy_string("-O0")); /* whatever the user wants */
    char *folder = folder_of(what->path);
    c_command_add(c, text_format("-iquote%s", folder));
    c_command_add(c, text_format("-I%s", headers));
    free(folder);
}

/* The text that the compiler sees: the model, then the engine. */
static char *whole_text(const struct c_compile *what, const char *model) {
    char *name = memory_get(2 * strlen(what->path) + 1), *out = name;
    for (const char *p = what->path; *p; p++) {
        if (*p == '"' || *p == '\\' || *p == '\n') *out++ = '\\';
        *out++ = *p == '\n' ? 'n' : *p;
    }
    *out = 0;
    char *text = text_format("#line 1 \"%s\"\n%s\n#line 1 \"onager\"\n#ifdef ONAGER_H\n#include <onager/%s.h>\n#else\n"
                             "_Static_assert(0, \"onager: a model begins with #include <onager.h>\");\n#endif\n",
                             name, strncmp(model, "\xef\xbb\xbf", 3) == 0 ? model + 3 : model, /* a byte order mark */
                             what->observer ? "observe"
                             : what->strict ? "strict"
                                            : "engine");
    free(name);
    return text;
}

/* ---- Keys ---- */

static void hash_text(XXH3_state_t *hash, const char *text) { XXH3_128bits_update(hash, text, strlen(text) + 1); }

/* Plug-ins are made for the processor at hand: what it can do is a part of the key. */
static void hash_processor(XXH3_state_t *hash) {
    char text[8192];
    FILE *in = fopen("/proc/cpuinfo", "r");
    size_t n = in ? fread(text, 1, sizeof text - 1, in) : 0;
    if (in) fclose(in);
    text[n] = 0;
    const char *flags = strstr(text, "\nflags");
    if (!flags) flags = strstr(text, "\nFeatures");
    if (flags) XXH3_128bits_update(hash, flags, strcspn(flags + 1, "\n"));
}

static XXH128_hash_t end_hash(XXH3_state_t *hash) {
    XXH128_hash_t sum = XXH3_128bits_digest(hash);
    XXH3_freeState(hash);
    return sum;
}

/* Of everything that the plug-in is made from, and by. */
static XXH128_hash_t key_of(const struct c_source *source, const struct command *flags) {
    XXH3_state_t *hash = XXH3_createState();
    struct stat compiler;
    if (stat(flags->args[0], &compiler) != 0) memset(&compiler, 0, sizeof compiler);
    XXH3_128bits_reset(hash);
    XXH3_128bits_update(hash, source->text.at, source->text.size);
    hash_processor(hash);
    for (int i = 0; i < flags->count; i++) hash_text(hash, flags->args[i]);
    XXH3_128bits_update(hash, &compiler.st_size, sizeof compiler.st_size);
    XXH3_128bits_update(hash, &compiler.st_mtim, sizeof compiler.st_mtim);
    return end_hash(hash);
}

/* See c_compile.h. The flags that the user adds may define macros. */
static char *identity_of(const char *model, const char *headers, const struct c_source *source) {
    const char *flags = getenv("ONAGER_CFLAGS");
    XXH3_state_t *hash = XXH3_createState();
    XXH3_128bits_reset(hash);
    hash_text(hash, model);
    hash_text(hash, flags ? flags : "");
    for (size_t i = 0; c_source_own[i]; i++) {
        struct bytes contents;
        char *path = text_format("%s/%s", headers, c_source_own[i]);
        if (bytes_read(&contents, path)) XXH3_128bits_update(hash, contents.at, contents.size);
        bytes_fini(&contents);
        free(path);
    }
    XXH3_128bits_update(hash, &source->included, sizeof source->included);
    XXH128_hash_t sum = end_hash(hash);
    return text_format("%016llx%016llx", (unsigned long long)sum.high64, (unsigned long long)sum.low64);
}

/* ---- Compiling ---- */

/* How the compiler ended, if it said nothing. */
static bool explain_silence(const struct c_compile *what, const char *compiler, int status, struct problem *why) {
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) /* from who wants to end us, too */
        return problem_set(why, EXIT_INCONCLUSIVE, "interrupted: compiling %s was not completed", what->path);
    if (signal) return problem_set(why, EXIT_BAD_INPUT, "the C compiler %s was ended by signal %d", compiler, signal);
    if (WEXITSTATUS(status) != 0)
        return problem_set(why, EXIT_BAD_INPUT, "the C compiler %s failed with status %d and said nothing", compiler,
                           WEXITSTATUS(status));
    return problem_set(why, EXIT_BAD_INPUT, "the C compiler %s made nothing", compiler);
}

static bool cannot_run(const struct command *c, struct problem *why) {
    return problem_set(why, EXIT_BAD_INPUT, "the C compiler %s cannot be run: %s", c->args[0], strerror(errno));
}

/* Compiles into `folder`. *messages: what the compiler said, or NULL. */
static bool compile_into(struct job *j, const char *folder, struct bytes *library, char **messages,
                         struct problem *why) {
    struct command c;
    int status = 0;
    char *made = text_format("%s/model.so", folder);
    c_command_copy(&c, &j->flags);
    c_command_add(&c, memory_copy_string("-g1")); /* so that a fault can be told by its line */
    c_command_add(&c, text_format("-o%s", made));
    c_command_add(&c, memory_copy_string("-"));
    bool done = c_command_run(&c, j->text, j->child, NULL, messages, &status) || cannot_run(&c, why);
    if (done && child_is_unwanted(j->child))
        done = problem_set(why, EXIT_INCONCLUSIVE, "interrupted: compiling %s was not completed", j->what->path);
    else if (done && status != 0 && **messages) done = c_errors_explain(j->what->path, *messages, why);
    else if (done && (status != 0 || !bytes_read(library, made)))
        done = explain_silence(j->what, c.args[0], status, why);
    unlink(made);
    c_command_fini(&c);
    free(made);
    return done;
}

/* In a folder of its own that is removed at once. */
static bool compile(struct job *j, struct bytes *library, char **messages, struct problem *why) {
    char *folder = text_format("%s/onager-XXXXXX", files_temporary_folder());
    bool done = false;
    if (!mkdtemp(folder))
        problem_set(why, EXIT_BAD_INPUT, "cannot make a folder for the compiled model, %s: %s", folder,
                    strerror(errno));
    else done = compile_into(j, folder, library, messages, why);
    rmdir(folder);
    free(folder);
    return done;
}

static bool unsteady(const struct job *j, struct problem *why) {
    return problem_set(why, EXIT_INCONCLUSIVE,
                       "files that %s includes change while it is compiled: start again when they are at rest",
                       j->what->path);
}

/* The preprocessor failed. The compiler will, too, and tells why. */
static bool explain_refusal(struct job *j, struct problem *why) {
    struct bytes library = {.at = NULL};
    char *messages = NULL;
    if (compile(j, &library, &messages, why))
        problem_set(why, EXIT_BAD_INPUT, "the C compiler %s does not preprocess (-E) what it compiles",
                    j->flags.args[0]);
    free(messages);
    bytes_fini(&library);
    return false;
}

static bool read_source(struct job *j, struct c_source *source, struct problem *why) {
    switch (c_source_read(source, &j->flags, j->text, j->headers, j->child)) {
    case C_SOURCE_READ: return true;
    case C_SOURCE_REFUSED: return explain_refusal(j, why);
    case C_SOURCE_UNSTEADY: return unsteady(j, why);
    case C_SOURCE_UNABLE: break;
    }
    return cannot_run(&j->flags, why);
}

enum outcome { MADE, FAILED, AGAIN };

/* The source was read. AGAIN: it is another one by now. */
static enum outcome make(struct job *j, const struct c_cache *cache, const struct c_source *source,
                         struct bytes *library, struct problem *why) {
    XXH128_hash_t key = key_of(source, &j->flags);
    char *messages = NULL;
    bool same = false;
    if (c_cache_get(cache, key, library)) return MADE;
    enum outcome outcome = FAILED;
    if (compile(j, library, &messages, why) && (!is_plain(j->what) || c_symbols_allowed(library, j->what->path, why))) {
        c_source_again(source, &j->flags, j->text, j->child, &same);
        outcome = same ? MADE : AGAIN;
    }
    if (outcome == MADE && j->what->warnings) fputs(messages, j->what->warnings);
    if (outcome == MADE) c_cache_put(cache, key, library);
    else bytes_fini(library);
    free(messages);
    return outcome;
}

/* Reads and compiles, or finds. */
static bool provide(struct job *j, const struct c_cache *cache, struct c_source *source, struct bytes *library,
                    struct problem *why) {
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (!read_source(j, source, why)) return false;
        enum outcome outcome = make(j, cache, source, library, why);
        if (outcome != AGAIN) return outcome == MADE;
        c_source_fini(source);
    }
    return unsteady(j, why);
}

/* Compilers keep files there, too, and what they say when it is full may look as if the model were wrong. */
static void explain_failure(const struct c_compile *what, const struct problem *failure, struct problem *why) {
    const char *folder = files_temporary_folder();
    if (access(folder, W_OK) == 0 && !files_have_room(folder, ROOM))
        problem_set(
            why, failure->status,
            "%s cannot be compiled: no room in %s, the folder for temporary files (%s): make room there, or let "
            "TMPDIR name another one\n%s",
            what->path, folder, strerror(errno), failure->text);
    else problem_set(why, failure->status, "%s", failure->text);
}

static void *load(struct job *j, char **identity, struct problem *why) {
    struct c_cache cache = {.folder = -1};
    struct c_source source = {.text = {.at = NULL}};
    struct bytes library = {.at = NULL};
    struct problem failure = {0};
    void *handle = NULL;
    if (!j->what->no_cache) c_cache_open(&cache, j->what->warnings);
    if (provide(j, &cache, &source, &library, &failure)) handle = c_library_load(&library, &failure);
    if (handle && is_plain(j->what) && !c_library_seal(handle)) {
        problem_set(&failure, EXIT_INCONCLUSIVE,
                    "%s: the system refuses to protect the static memory of the model, so that nobody would notice if "
                    "its code kept something there",
                    j->what->path);
        c_library_close(handle);
        handle = NULL;
    }
    if (handle) *identity = identity_of(j->model, j->headers, &source);
    else explain_failure(j->what, &failure, why);
    problem_fini(&failure);
    bytes_fini(&library);
    c_source_fini(&source);
    c_cache_close(&cache);
    return handle;
}

/* False: the model cannot be read, or there is nothing to compile it with. */
static bool job_init(struct job *j, const struct c_compile *what, struct problem *why) {
    *j = (struct job){.what = what, .model = files_read(what->path, why)};
    if (!j->model) return false;
    char *compiler = find_compiler(what);
    j->headers = find_headers();
    child_init(&j->own);
    j->own.interrupted = what->interrupted;
    j->child = what->process ? what->process : &j->own;
    if (!compiler) return lack_compiler(what, why);
    c_command_add(&j->flags, compiler);
    if (!j->headers)
        return problem_set(why, EXIT_BAD_INPUT,
                           "onager.h was not found beside the program; set ONAGER_INCLUDE to its folder");
    add_flags(&j->flags, what, j->headers);
    j->text = whole_text(what, j->model);
    return true;
}

static void job_fini(struct job *j) {
    free(j->text);
    c_command_fini(&j->flags);
    free(j->headers);
    free(j->model);
}

void *c_compile(const struct c_compile *what, char **identity, struct problem *why) {
    struct job j;
    void *handle = job_init(&j, what, why) ? load(&j, identity, why) : NULL;
    job_fini(&j);
    return handle;
}

char *c_compile_conversions(const struct c_compile *what) {
    /* gcc leaves out some that it thinks harmless if it is not asked for them by -Warith-conversion. */
    static const char *const flags[] = {"-Wconversion", "-Wno-sign-conversion", "-Warith-conversion", "-fsyntax-only",
                                        "-"};
    struct c_compile plain = *what;
    struct problem ignored = {0};
    struct job j;
    char *messages = NULL;
    int status;
    plain.strict = plain.observer = false;
    if (job_init(&j, &plain, &ignored)) {
        ADD_ALL(&j.flags, flags);
        if (!c_command_run(&j.flags, j.text, j.child, NULL, &messages, &status)) messages = NULL;
    }
    job_fini(&j);
    problem_fini(&ignored);
    return messages;
}
