#include "model/c/c_compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/suffix.h"
#include "base/text.h"
#include "model/asset/asset_build.h"
#include "model/asset/asset_text.h"
#include "model/c/c_cache.h"
#include "model/c/c_errors.h"
#include "model/c/c_flags.h"
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
    bool asset;                  /* it is in ASSET's language */
    struct command flags;        /* without files */
    struct command probe, state; /* of ASSET's language: see enum c_part */
    const char *headers;
    const char *model; /* the file's text */
    char *text;        /* that the compiler gets */
    struct child *child;
};

/* The header that a model ends with. */
static const char *engine_of(const struct c_compile *what) {
    return what->observer ? "observe" : what->strict ? "strict" : "engine";
}

/* The text that the compiler sees: the model, then the engine. */
static char *whole_text(const struct c_compile *what, const char *model) {
    char *name = text_as_c(what->path);
    char *text = text_format("#line 1 \"%s\"\n%s\n#line 1 \"onager\"\n#ifdef ONAGER_H\n#include <onager/%s.h>\n#else\n"
                             "_Static_assert(0, \"onager: a model begins with #include <onager.h>\");\n#endif\n",
                             name, strncmp(model, "\xef\xbb\xbf", 3) == 0 ? model + 3 : model, /* a byte order mark */
                             engine_of(what));
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
static XXH128_hash_t key_of(const struct c_source *source, const struct job *j) {
    const struct command *flags = &j->flags;
    XXH3_state_t *hash = XXH3_createState();
    struct stat compiler;
    if (stat(flags->args[0], &compiler) != 0) memset(&compiler, 0, sizeof compiler);
    XXH3_128bits_reset(hash);
    XXH3_128bits_update(hash, source->text.at, source->text.size);
    hash_processor(hash);
    for (int i = 0; i < flags->count; i++) hash_text(hash, flags->args[i]);
    for (int i = 0; i < j->state.count; i++) hash_text(hash, j->state.args[i]);
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

/* Makes `made`. *messages: what the compiler said, or NULL. */
static bool compile_model(struct job *j, const char *made, char **messages, struct problem *why) {
    struct command c;
    int status = 0;
    c_command_copy(&c, &j->flags);
    c_command_add(&c, memory_copy_string("-g1")); /* so that a fault can be told by its line */
    c_command_add(&c, text_format("-o%s", made));
    c_command_add(&c, memory_copy_string("-"));
    bool ran = c_command_run(&c, j->text, j->child, NULL, messages, &status);
    bool done = ran ? c_errors_none(j->what->path, &c, j->child, *messages, status, why) : c_errors_cannot_run(&c, why);
    c_command_fini(&c);
    return done;
}

static bool compile_asset(struct job *j, const char *folder, const char *made, char **messages, struct problem *why) {
    const struct asset_source from = {.path = j->what->path,
                                      .model_text = j->model,
                                      .text = j->text,
                                      .parameters = j->what->parameters,
                                      .parameter_count = j->what->parameter_count,
                                      .model = &j->flags,
                                      .probe = &j->probe,
                                      .state = &j->state,
                                      .endless = j->what->endless,
                                      .folder = folder,
                                      .child = j->child};
    struct asset_layout own;
    if (j->what->layout) return asset_build(&from, j->what->layout, engine_of(j->what), made, messages, why);
    asset_layout_init(&own, false);
    bool done = asset_build(&from, &own, engine_of(j->what), made, messages, why);
    asset_layout_fini(&own);
    return done;
}

static bool compile_into(struct job *j, const char *folder, struct bytes *library, char **messages,
                         struct problem *why) {
    char *made = text_format("%s/model.so", folder);
    bool done = j->asset ? compile_asset(j, folder, made, messages, why) : compile_model(j, made, messages, why);
    if (done && !bytes_read(library, made)) done = c_errors_nothing_made(&j->flags, why);
    unlink(made);
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
    return c_errors_cannot_run(&j->flags, why);
}

enum outcome { MADE, FAILED, AGAIN };

/* The source was read. AGAIN: it is another one by now. */
static enum outcome make(struct job *j, const struct c_cache *cache, const struct c_source *source,
                         struct bytes *library, struct problem *why) {
    XXH128_hash_t key = key_of(source, j);
    char *messages = NULL;
    bool same = false;
    if (c_cache_get(cache, key, library)) return MADE;
    enum outcome outcome = FAILED;
    if (compile(j, library, &messages, why) &&
        (!c_flags_are_plain(j->what) || c_symbols_allowed(library, j->what->path, why))) {
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
    if (handle && c_flags_are_plain(j->what) && !c_library_seal(handle)) {
        problem_set(&failure, EXIT_INCONCLUSIVE,
                    "%s: the system refuses to protect the static memory of the model, so stores of its code "
                    "there would not be noticed",
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

/* What the compiler is to be given, and how. */
static void prepare(struct job *j, const char *compiler) {
    const struct c_compile *what = j->what;
    c_command_add(&j->flags, memory_copy_string(compiler));
    c_flags_add(&j->flags, what, j->headers, j->asset ? C_ASSET_MODEL : C_MODEL);
    j->text = j->asset ? asset_text_whole(what->path, j->model) : whole_text(what, j->model);
    if (!j->asset) return;
    c_command_add(&j->probe, memory_copy_string(compiler));
    c_flags_add(&j->probe, what, j->headers, C_ASSET_PROBE);
    c_command_add(&j->state, memory_copy_string(compiler));
    c_flags_add(&j->state, what, j->headers, C_ASSET_STATE);
}

static void *compile_and_load(struct job *j, const char *compiler, char **identity, struct problem *why) {
    const struct c_compile *what = j->what;
    struct child own;
    child_init(&own);
    own.interrupted = what->interrupted;
    own.deadline = what->deadline;
    j->child = what->process ? what->process : &own;
    prepare(j, compiler);
    void *handle = load(j, identity, why);
    free(j->text);
    c_command_fini(&j->flags);
    c_command_fini(&j->probe);
    c_command_fini(&j->state);
    return handle;
}

void *c_compile(const struct c_compile *what, char **identity, struct problem *why) {
    struct job j = {.what = what, .asset = suffix_type(what->path).kind == FILE_ASSET};
    char *model = files_read(what->path, why);
    if (!model) return NULL;
    void *handle = NULL;
    char *compiler = c_flags_compiler(what, j.asset, why), *headers = c_flags_headers();
    j.model = model;
    j.headers = headers;
    if (compiler && !headers)
        problem_set(why, EXIT_BAD_INPUT, "onager.h was not found beside the program; set ONAGER_INCLUDE to its folder");
    else if (compiler && (!j.asset || asset_text_fits(what->path, model, what->parameters, what->parameter_count, why)))
        handle = compile_and_load(&j, compiler, identity, why);
    free(headers);
    free(compiler);
    free(model);
    return handle;
}

char *c_compile_conversions(const struct c_compile *what) {
    /* gcc leaves out some that it thinks harmless if it is not asked for them by -Warith-conversion. */
    static const char *const flags[] = {"-Wconversion", "-Wno-sign-conversion", "-Warith-conversion", "-fsyntax-only",
                                        "-"};
    struct c_compile plain = *what;
    struct problem ignored = {0};
    struct child own;
    char *messages = NULL;
    int status;
    plain.strict = plain.observer = false;
    if (suffix_type(what->path).kind == FILE_ASSET) return NULL;
    child_init(&own);
    own.interrupted = what->interrupted;
    own.deadline = what->deadline;
    struct job j = {.what = &plain, .child = what->process ? what->process : &own};
    char *model = files_read(what->path, &ignored), *headers = c_flags_headers();
    char *compiler = model && headers ? c_flags_compiler(&plain, false, &ignored) : NULL;
    if (compiler) {
        j.model = model;
        j.headers = headers;
        prepare(&j, compiler);
        c_command_add_all(&j.flags, flags, sizeof flags / sizeof *flags);
        if (!c_command_run(&j.flags, j.text, j.child, NULL, &messages, &status)) messages = NULL;
        free(j.text);
        c_command_fini(&j.flags);
    }
    free(compiler);
    free(headers);
    free(model);
    problem_fini(&ignored);
    return messages;
}
