#include "front/c_compile.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "front/c_errors.h"

enum {
    CACHE_ENTRIES = 512,
    ROOM = 1 << 20, /* bytes that compiling a model takes on a disk, at most, but for unusual models */
};

/* ---- The command ---- */

struct command {
    char **args; /* ends with NULL */
    int count;
};

static void add(struct command *c, char *arg) {
    c->args = memory_resize(c->args, ((size_t)c->count + 2) * sizeof *c->args);
    c->args[c->count++] = arg;
    c->args[c->count] = NULL;
}

static void command_fini(struct command *c) {
    for (int i = 0; i < c->count; i++) free(c->args[i]);
    free(c->args);
}

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
static void lack_compiler(const struct c_compile *what, struct problem *why) {
    const char *chosen = what->compiler ? what->compiler : getenv("ONAGER_CC");
    bool named = chosen && *chosen, there = named && strchr(chosen, '/') && access(chosen, F_OK) == 0;
    problem_set(why, EXIT_BAD_INPUT, "no C compiler: %s%s. Install one (apt-get install gcc) or name one with --cc.",
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

static void add_all(struct command *c, const char *const *flags, size_t count) {
    for (size_t i = 0; i < count; i++) add(c, memory_copy_string(flags[i]));
}
#define ADD_ALL(c, flags) add_all(c, flags, sizeof(flags) / sizeof *(flags))

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
    };
    static const char *const checked[] = {"-DONAGER_CHECKED", "-fsanitize=bounds",
                                          "-fsanitize-undefined-trap-on-error"};
    /* gcc would put transitions that it thinks unlikely far away, and takes long to schedule instructions, for nothing;
     * clang refuses the flags. */
    static const char *const gcc[] = {"-fno-reorder-blocks-and-partition", "-fno-schedule-insns2"};
    ADD_ALL(c, flags);
    if (!is_clang(c->args[0])) ADD_ALL(c, gcc);
    if (!what->fast) ADD_ALL(c, checked);
    if (what->reduction.stubborn) add(c, memory_copy_string("-DONAGER_STUBBORN"));
    if (what->reduction.symmetry) add(c, memory_copy_string("-DONAGER_SYMMETRY"));
    if (what->reduction.forward) add(c, memory_copy_string("-DONAGER_FORWARD"));
}

static void add_flags(struct command *c, const struct c_compile *what, const char *headers) {
    static const char *const always[] = {"-x",    "c",       "-std=gnu11",         "-march=native",
                                         "-fPIC", "-shared", "-fvisibility=hidden"};
    static const char *const observer[] = {"-O1", "-w", "-fsanitize=thread", "-nostdlib", "-Wl,-z,defs"};
    static const char *const strict[] = {"-O0",
                                         "-g1",
                                         "-w",
                                         "-fno-builtin",
                                         "-fsanitize=thread",
                                         "-fsanitize=bounds,integer-divide-by-zero",
                                         "-nostdlib",
                                         "-DONAGER_STRICT"};
    ADD_ALL(c, always);
    if (what->observer) ADD_ALL(c, observer);
    else if (what->strict) ADD_ALL(c, strict);
    else add_engine_flags(c, what);
    if (what->strict && what->wide) add(c, memory_copy_string("-DONAGER_WIDE"));
    for (size_t i = 0; i < what->parameter_count; i++)
        add(c, text_format("-DONAGER_P_%s=~,%lld", what->parameters[i].name, (long long)what->parameters[i].value));
    const char *more = getenv("ONAGER_CFLAGS");
    for (; more && *more; more += strspn(more, " ")) {
        size_t n = strcspn(more, " ");
        add(c, text_format("%.*s", (int)n, more));
        more += n;
    }
    if (what->strict) add(c, memory_copy_string("-O0")); /* whatever the user wants */
    char *folder = folder_of(what->path);
    add(c, text_format("-iquote%s", folder));
    add(c, text_format("-I%s", headers));
    free(folder);
}

/* The text that the compiler sees: the model, then the engine. */
static char *whole_text(const struct c_compile *what, const char *model) {
    char *name = memory_get(2 * strlen(what->path) + 1), *out = name;
    for (const char *p = what->path; *p; *out++ = *p++)
        if (*p == '"' || *p == '\\') *out++ = '\\';
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

/* ---- The cache ---- */

static XXH64_hash_t hash_text(const char *text, XXH64_hash_t seed) {
    return XXH3_64bits_withSeed(text, strlen(text), seed);
}

static XXH64_hash_t hash_file(const char *path, XXH64_hash_t seed) {
    char *text = files_read(path, NULL);
    XXH64_hash_t hash = text ? hash_text(text, seed) : 0;
    free(text);
    return hash;
}

/* Plug-ins are made for the processor at hand: what it can do is a part of the key. */
static XXH64_hash_t hash_processor(XXH64_hash_t seed) {
    char text[8192];
    FILE *in = fopen("/proc/cpuinfo", "r");
    size_t n = in ? fread(text, 1, sizeof text - 1, in) : 0;
    if (in) fclose(in);
    text[n] = 0;
    const char *flags = strstr(text, "\nflags");
    if (!flags) flags = strstr(text, "\nFeatures");
    return flags ? XXH3_64bits_withSeed(flags, strcspn(flags + 1, "\n"), seed) : seed;
}

static XXH64_hash_t hash_headers(const char *headers, XXH64_hash_t seed) {
    static const char *const own[] = {"onager.h",        "onager/pack.h", "onager/calls.h",   "onager/plugin.h",
                                      "onager/engine.h", "onager/esc.h",  "onager/observe.h", "onager/strict.h"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        char *path = text_format("%s/%s", headers, own[i]);
        seed = hash_file(path, seed);
        free(path);
    }
    return seed;
}

static char *cache_key(const struct command *c, const char *text, const char *headers) {
    XXH64_hash_t key[2];
    struct stat compiler;
    if (stat(c->args[0], &compiler) != 0) compiler.st_size = 0, compiler.st_mtime = 0;
    for (unsigned k = 0; k < 2; k++) {
        key[k] = hash_text(text, hash_processor(k));
        for (int i = 0; i < c->count; i++) key[k] = hash_text(c->args[i], key[k]);
        key[k] = hash_headers(headers, key[k]);
        key[k] ^= (XXH64_hash_t)compiler.st_size * 0x9e3779b97f4a7c15u ^ (XXH64_hash_t)compiler.st_mtime;
    }
    return text_format("%016llx%016llx", (unsigned long long)key[0], (unsigned long long)key[1]);
}

/* Whether every file listed in `list` still has the hash that is noted there. */
static bool includes_unchanged(const char *list) {
    char *text = files_read(list, NULL);
    if (!text) return false;
    bool same = true;
    for (char *line = text, *end; same && *line; line = end) {
        end = strchr(line, '\n');
        end = end ? (*end = 0, end + 1) : line + strlen(line);
        char *path = strchr(line, ' ');
        same = path && hash_file(path + 1, 0) == strtoull(line, NULL, 16);
    }
    free(text);
    return same;
}

/* Turns the compiler's list of prerequisites into lines "hash path"; system files are taken to stay as they are. */
static bool note_includes(const char *prerequisites, const char *list, const char *headers) {
    char *text = files_read(prerequisites, NULL), *at;
    if (!text) return false;
    FILE *out = fopen(list, "w");
    if (!out) return free(text), false;
    at = strchr(text, ':');
    for (char *p = at ? at + 1 : text + strlen(text); *p;) {
        while (*p && strchr(" \n\r\t\\", *p)) p++;
        char name[PATH_MAX];
        size_t n = 0;
        while (*p && !strchr(" \n\r\t", *p) && n + 1 < sizeof name) {
            if (*p == '\\' && p[1] == ' ') p++;
            name[n++] = *p++;
        }
        name[n] = 0;
        if (n && strcmp(name, "-") != 0 && strncmp(name, "/usr/", 5) != 0 &&
            strncmp(name, headers, strlen(headers)) != 0)
            fprintf(out, "%016llx %s\n", (unsigned long long)hash_file(name, 0), name);
    }
    free(text);
    return fclose(out) == 0;
}

/* See c_compile.h. `includes` is what note_includes has written: the hashes are taken, the paths are not. The flags
 * that the user adds may define macros. */
static char *identity_of(const char *model, const char *headers, const char *includes) {
    const char *flags = getenv("ONAGER_CFLAGS");
    XXH64_hash_t hash[2];
    for (unsigned k = 0; k < 2; k++) {
        hash[k] = hash_headers(headers, hash_text(flags ? flags : "", hash_text(model, k)));
        for (const char *line = includes; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
            hash[k] = XXH3_64bits_withSeed(line, strcspn(line, " \n"), hash[k]);
    }
    return text_format("%016llx%016llx", (unsigned long long)hash[0], (unsigned long long)hash[1]);
}

/* When there are many entries, the oldest half goes. */
static void prune(const char *folder) {
    char *names[4 * CACHE_ENTRIES];
    int n = files_list_oldest_first(folder, names, 4 * CACHE_ENTRIES);
    for (int i = 0; i < n; i++) {
        if (n > 2 * CACHE_ENTRIES && i < n / 2) {
            char *path = text_format("%s/%s", folder, names[i]);
            unlink(path);
            free(path);
        }
        free(names[i]);
    }
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

/* Runs the command with the text as its input; *output is what it said. */
static bool run_compiler(const struct command *c, const char *text, struct child *process, char **output, int *status) {
    *output = NULL;
    int in = memfd_create("model", MFD_CLOEXEC), out = memfd_create("messages", MFD_CLOEXEC);
    bool ran = in >= 0 && out >= 0 && files_write_all(in, text, strlen(text)) && lseek(in, 0, SEEK_SET) == 0 &&
               child_run(c->args, in, out, out, process, status);
    if (ran) *output = files_read_fd(out);
    if (in >= 0) close(in);
    if (out >= 0) close(out);
    return ran;
}

/* A list belongs to the library beside it: at no time is there a new one beside an old library. */
static bool replace_entry(const char *made, const char *library, const char *noted, const char *list) {
    return (unlink(list) == 0 || errno == ENOENT) && rename(made, library) == 0 && rename(noted, list) == 0;
}

/* *includes becomes the text of the list: another program may replace the file itself. */
static bool compile(const struct c_compile *what, const struct command *flags, const char *text, const char *headers,
                    const char *library, const char *list, char **includes, struct problem *why) {
    char *made = text_format("%s.%ld.tmp", library, (long)getpid());
    char *prerequisites = text_format("%s.d", made), *noted = text_format("%s.i", made), *output = NULL;
    struct command c = {.count = 0};
    for (int i = 0; i < flags->count; i++) add(&c, memory_copy_string(flags->args[i]));
    add(&c, memory_copy_string("-MD"));
    add(&c, text_format("-MF%s", prerequisites));
    add(&c, text_format("-o%s", made));
    add(&c, memory_copy_string("-"));
    int status = 0;
    bool done = run_compiler(&c, text, what->process, &output, &status);
    if (!done) {
        problem_set(why, EXIT_BAD_INPUT, "the C compiler %s cannot be run: %s", c.args[0], strerror(errno));
    } else if (status != 0 && *output) {
        done = c_errors_explain(what->path, output, why);
    } else if (status != 0 || access(made, R_OK) != 0) {
        done = explain_silence(what, c.args[0], status, why);
    } else {
        if (*output && what->warnings) fputs(output, what->warnings);
        char *lines = note_includes(prerequisites, noted, headers) ? files_read(noted, NULL) : NULL;
        done = lines && replace_entry(made, library, noted, list);
        if (done) *includes = lines;
        else free(lines);
        if (!done) problem_set(why, EXIT_BAD_INPUT, "cannot write %s: %s", library, strerror(errno));
    }
    unlink(noted);
    unlink(prerequisites);
    unlink(made);
    command_fini(&c);
    free(output);
    free(noted);
    free(prerequisites);
    free(made);
    return done;
}

static void *load(const struct c_compile *what, const char *library, struct problem *why) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle && what->image) *what->image = open(library, O_RDONLY | O_CLOEXEC);
    if (!handle) problem_set(why, EXIT_BAD_INPUT, "the compiled model cannot be loaded: %s", dlerror());
    return handle;
}

/* Compiles into a folder of its own that is removed at once: the loaded library does not need its file. */
static void *compile_uncached(const struct c_compile *what, const struct command *flags, const char *text,
                              const char *headers, char **includes, struct problem *why) {
    char *folder = text_format("%s/onager-XXXXXX", files_temporary_folder());
    void *handle = NULL;
    if (!mkdtemp(folder)) {
        problem_set(why, EXIT_BAD_INPUT, "cannot make a folder for the compiled model, %s: %s", folder,
                    strerror(errno));
    } else {
        char *library = text_format("%s/model.so", folder), *list = text_format("%s/includes", folder);
        if (compile(what, flags, text, headers, library, list, includes, why)) handle = load(what, library, why);
        unlink(list);
        unlink(library);
        rmdir(folder);
        free(list);
        free(library);
    }
    free(folder);
    return handle;
}

/* Failed for what the folder is, not for what the model is? Then another folder may do. */
static bool is_unusable(const char *folder) { return access(folder, W_OK) != 0 || !files_have_room(folder, ROOM); }

static void *compile_cached(const struct c_compile *what, const struct command *flags, const char *text,
                            const char *headers, char **includes, struct problem *why) {
    char *folder = files_cache_folder();
    if (!folder) return compile_uncached(what, flags, text, headers, includes, why);
    char *key = cache_key(flags, text, headers);
    char *library = text_format("%s/%s.so", folder, key), *list = text_format("%s/%s.includes", folder, key);
    void *handle = NULL;
    if (access(library, R_OK) == 0 && includes_unchanged(list)) {
        struct problem ignored = {0};
        handle = load(what, library, &ignored);
        problem_fini(&ignored);
    }
    if (!handle) {
        prune(folder);
        struct problem unwritable = {0};
        bool made = compile(what, flags, text, headers, library, list, includes, &unwritable);
        if (made) handle = load(what, library, why);
        else if (is_unusable(folder)) handle = compile_uncached(what, flags, text, headers, includes, why);
        else problem_set(why, unwritable.status, "%s", unwritable.text);
        problem_fini(&unwritable);
    }
    if (!*includes) *includes = files_read(list, NULL);
    free(list);
    free(library);
    free(key);
    free(folder);
    return handle;
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

void *c_compile(const struct c_compile *what, char **identity, struct problem *why) {
    char *model = files_read(what->path, why);
    if (!model) return NULL;
    void *handle = NULL;
    char *compiler = find_compiler(what), *headers = find_headers();
    if (!compiler) lack_compiler(what, why);
    else if (!headers)
        problem_set(why, EXIT_BAD_INPUT, "onager.h was not found beside the program; set ONAGER_INCLUDE to its folder");
    else {
        struct command flags = {.count = 0};
        add(&flags, memory_copy_string(compiler));
        add_flags(&flags, what, headers);
        char *text = whole_text(what, model), *includes = NULL;
        struct problem failure = {0};
        handle = what->no_cache ? compile_uncached(what, &flags, text, headers, &includes, &failure)
                                : compile_cached(what, &flags, text, headers, &includes, &failure);
        if (handle) *identity = identity_of(model, headers, includes);
        else explain_failure(what, &failure, why);
        problem_fini(&failure);
        free(includes);
        free(text);
        command_fini(&flags);
    }
    free(headers);
    free(compiler);
    free(model);
    return handle;
}
