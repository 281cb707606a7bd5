#include "model/c/c_flags.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "ts/reductions.h"

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? text_format("%.*s", slash == path ? 1 : (int)(slash - path), path) : memory_copy_string(".");
}

/* ---- The compiler ---- */

/* By the name of the program behind all links. */
static bool is_clang(const char *compiler) {
    char *path = realpath(compiler, NULL);
    const char *slash = path ? strrchr(path, '/') : NULL;
    bool clang = slash && strstr(slash, "clang");
    free(path);
    return clang;
}

/* What the user wants; NULL: nothing. */
static const char *chosen_compiler(const struct c_compile *what, bool asset) {
    if (what->compiler) return what->compiler;
    const char *chosen = getenv(asset ? "ONAGER_CXX" : "ONAGER_CC");
    return chosen && *chosen ? chosen : NULL;
}

static char *find_compiler(const char *chosen, bool asset) {
    static const char *const names[] = {"cc", "gcc", "clang"};
    if (chosen || asset) return files_find_program(chosen ? chosen : "g++");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *found = files_find_program(names[i]);
        if (found) return found;
    }
    return NULL;
}

/* Why there is none. */
static void lack_compiler(const char *path, const char *chosen, bool asset, struct problem *why) {
    bool there = chosen && strchr(chosen, '/') && access(chosen, F_OK) == 0;
    const char *fault = there ? " is no program that can be run" : chosen ? " was not found" : "";
    if (asset)
        problem_set(why, EXIT_BAD_INPUT,
                    "%s is a model in ASSET's language, which is C++, and %s%s. Install one (apt-get install g++) or "
                    "name one with --cc.",
                    path, chosen ? chosen : "no g++ was found", fault);
    else
        problem_set(why, EXIT_BAD_INPUT,
                    "no C compiler: %s%s. Install one (apt-get install gcc) or name one with --cc.",
                    chosen ? chosen : "none of cc, gcc and clang was found", fault);
}

char *c_flags_compiler(const struct c_compile *what, bool asset, struct problem *why) {
    const char *chosen = chosen_compiler(what, asset);
    char *found = find_compiler(chosen, asset);
    if (!found) return lack_compiler(what->path, chosen, asset, why), NULL;
    if (!asset || !is_clang(found)) return found;
    problem_set(why, EXIT_BAD_INPUT,
                "%s is a model in ASSET's language, which g++ compiles, and %s is clang: leave it out, or name g++",
                what->path, chosen);
    free(found);
    return NULL;
}

char *c_flags_headers(void) {
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

/* ---- Flags ---- */

#define ADD_ALL(c, flags) c_command_add_all(c, flags, sizeof(flags) / sizeof *(flags))

static void add(struct command *c, const char *flag) { c_command_add(c, memory_copy_string(flag)); }

static void add_warnings(struct command *c, enum c_part part) {
    static const char *const any[] = {
        "-Wall",
        "-Wno-unused-function",
        "-Wno-unused-const-variable",
        "-Wno-sign-compare",
        "-Werror=date-time",
    };
    /* What is written for ASSET should not be complained of. A C++ function that ends without a value is found when it
     * does. */
    static const char *const c_only[] = {
        "-Wextra",
        "-Wno-unused-parameter",
        "-Werror=implicit-function-declaration",
        "-Werror=return-type",
        "-Werror=incompatible-pointer-types",
        "-Werror=int-conversion",
    };
    ADD_ALL(c, any);
    if (part != C_ASSET_MODEL) ADD_ALL(c, c_only);
}

/* For a plug-in that is searched with. */
static void add_engine_flags(struct command *c, const struct c_compile *what, enum c_part part) {
    static const char *const fast[] = {"-O2", "-fno-semantic-interposition"};
    static const char *const checked[] = {"-DONAGER_CHECKED", "-fsanitize=bounds",
                                          "-fsanitize-undefined-trap-on-error"};
    static const char *const returns[] = {"-fsanitize=return", "-fsanitize-undefined-trap-on-error"};
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
    ADD_ALL(c, fast);
    add_warnings(c, part);
    if (is_clang(c->args[0])) ADD_ALL(c, clang);
    else ADD_ALL(c, gcc);
    if (!what->fast) ADD_ALL(c, checked);
    if (part == C_ASSET_MODEL) ADD_ALL(c, returns);
    for (const struct reduction_row *r = reduction_table; r->name; r++)
        if (reduction_is_on(&what->reduction, r)) c_command_add(c, text_format("-D%s", r->macro));
    if (what->reduction.forward) add(c, "-DONAGER_FORWARD");
}

/* For a plug-in that is watched page by page: instructions that x86_access.h knows, and nothing from outside. */
static void add_observer_flags(struct command *c, const struct c_compile *what, enum c_part part) {
    static const char *const flags[] = {"-O1",
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
    static const char *const cxx[] = {"-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics",
                                      "-fno-asynchronous-unwind-tables"};
    /* Below the stack pointer, there is nothing to keep. */
    static const char *const read[] = {"-DONAGER_READ", "-mno-red-zone", "-fsanitize=bounds",
                                       "-fsanitize-undefined-trap-on-error"};
    ADD_ALL(c, flags);
    if (what->read) ADD_ALL(c, read);
    if (part == C_ASSET_MODEL) ADD_ALL(c, cxx);
}

static void add_strict_flags(struct command *c, const struct c_compile *what) {
    static const char *const flags[] = {"-O0",
                                        "-g1",
                                        "-w",
                                        "-fno-builtin",
                                        "-fsanitize=thread",
                                        "-fsanitize=bounds,integer-divide-by-zero",
                                        "-nostdlib",
                                        "-DONAGER_STRICT"};
    ADD_ALL(c, flags);
    if (what->strict && what->wide) c_command_add(c, text_format("-DONAGER_WIDE=%u", what->wide));
}

bool c_flags_are_plain(const struct c_compile *what) {
    static const char *const instruments[] = {"-fsanitize", "-fprofile", "--coverage", "-pg", "-finstrument"};
    const char *flags = getenv("ONAGER_CFLAGS");
    for (size_t i = 0; flags && i < sizeof instruments / sizeof *instruments; i++)
        if (strstr(flags, instruments[i])) return false;
    return !what->observer && !what->strict;
}

static void add_language(struct command *c, const struct c_compile *what, enum c_part part) {
    static const char *const any[] = {"-march=native", "-fPIC", "-fvisibility=hidden"};
    static const char *const c_language[] = {"-x", "c", "-std=gnu11", "-shared"};
    /* What macros the model defines is a part of its text (c_source.h), even if nothing comes of it but a message.
     * Destructors of static objects are called when the plug-in is closed, and leave nothing behind then. In C++, a
     * compiler may take it that loops end, and leave one out that does not. */
    static const char *const cxx[] = {"-x", "c++", "-std=gnu++17", "-fno-use-cxa-atexit", "-fno-finite-loops", "-dD"};
    if (part == C_MODEL || part == C_ASSET_STATE) ADD_ALL(c, c_language);
    else ADD_ALL(c, cxx);
    ADD_ALL(c, any);
    /* Start files would store something when the program ends, in memory that can only be read then. */
    if (c_flags_are_plain(what) && part != C_ASSET_PROBE) add(c, "-nostartfiles");
}

static void add_parameters(struct command *c, const struct c_compile *what, enum c_part part) {
    for (size_t i = 0; i < what->parameter_count; i++) {
        const char *name = what->parameters[i].name;
        long long value = what->parameters[i].value;
        c_command_add(c, part == C_MODEL ? text_format("-DONAGER_P_%s=~,%lld", name, value)
                                         : text_format("-D%s=%lld", name, value));
    }
}

static void add_users_flags(struct command *c) {
    const char *more = getenv("ONAGER_CFLAGS");
    for (; more && *more; more += strspn(more, " ")) {
        size_t n = strcspn(more, " ");
        c_command_add(c, text_format("%.*s", (int)n, more));
        more += n;
    }
}

void c_flags_add(struct command *c, const struct c_compile *what, const char *headers, enum c_part part) {
    add_language(c, what, part);
    if (part == C_ASSET_PROBE) add(c, "-O0"), add(c, "-w");
    else if (what->observer) add_observer_flags(c, what, part);
    else if (what->strict) add_strict_flags(c, what);
    else add_engine_flags(c, what, part);
    if (part != C_ASSET_STATE) add_parameters(c, what, part);
    add_users_flags(c);
    if (what->strict) add(c, "-O0"); /* whatever the user wants */
    char *folder = folder_of(what->path);
    c_command_add(c, text_format("-iquote%s", folder));
    c_command_add(c, text_format("-I%s", headers));
    free(folder);
}
