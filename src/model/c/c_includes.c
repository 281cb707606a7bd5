#include "model/c/c_includes.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/c/c_source.h"

/* ---- The text ---- */

static const char *skip_blanks(const char *p) { return p + strspn(p, " \t"); }

static bool is_one_of(const char *const *names, size_t count, const char *p, size_t n) {
    for (size_t i = 0; i < count; i++)
        if (n == strlen(names[i]) && strncmp(p, names[i], n) == 0) return true;
    return false;
}

/* After "include": is it ours, or one of the headers of standard C, in angle brackets and on one line? Any other name
 * may lead to a file that somebody changes: /usr/local/include is searched, and a name may have "..". */
static bool is_of_standard(const char *p) {
    static const char *const names[] = {
        "assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "iso646.h", "limits.h",
        "locale.h", "math.h", "setjmp.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h",
        "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h", "tgmath.h", "threads.h", "time.h", "uchar.h",
        "wchar.h", "wctype.h",
        /* in C++: */
        "algorithm", "array", "bitset", "cassert", "cmath", "cstdint", "cstdio", "cstdlib", "cstring", "functional",
        "iomanip", "iostream", "map", "numeric", "set", "string", "tuple", "utility", "vector"};
    p = skip_blanks(p);
    if (*p++ != '<') return false;
    size_t n = strcspn(p, ">\n\\"), own = 0;
    while (c_source_own[own]) own++;
    return p[n] == '>' && (is_one_of(c_source_own, own, p, n) || is_one_of(names, sizeof names / sizeof *names, p, n));
}

/* After a '#' that may begin a directive, or be an operator of a macro. Between it and "include" may be a comment, the
 * end of a line, and whatever compilers take for a blank: form feeds, and with clang some of Unicode. */
static bool is_harmless(const char *p) {
    static const char *const others[] = {"include_next", "import", "embed"};
    p = skip_blanks(p);
    size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz_");
    bool printable = (*p >= ' ' && *p <= '~') || *p == '\n' || *p == 0;
    if (!printable || *p == '/' || *p == '#' || p[n] == '\\') return false;
    if (is_one_of(others, sizeof others / sizeof *others, p, n)) return false;
    return n != 7 || strncmp(p, "include", 7) != 0 || is_of_standard(p + 7);
}

/* Does a line that ends with a backslash put a word together, or another way to write '#'? Compilers allow blanks
 * behind the backslash. */
static bool joins_lines(const char *text) {
    for (const char *p = text; (p = strchr(p, '\\')); p++) {
        const char *end = p + 1 + strspn(p + 1, " \t\r\f\v");
        if (*end == '\n' && p > text && !strchr(" \t\n", p[-1]) && !strchr(" \t\n", end[1])) return true;
    }
    return false;
}

/* "##" makes words, too, such as __has_include. */
static bool text_includes_nothing(const char *text) {
    if (strstr(text, "__has_") || strstr(text, "%:") || strstr(text, "??")) return false; /* other ways to write # */
    if (joins_lines(text)) return false;
    for (const char *p = text; (p = strchr(p, '#')); p++)
        if (!is_harmless(p + 1)) return false;
    return true;
}

/* ---- What else has a say ---- */

static bool environment_is_plain(void) {
    static const char *const names[] = {"ONAGER_CFLAGS",   "CPATH",         "C_INCLUDE_PATH",      "CPLUS_INCLUDE_PATH",
                                        "GCC_EXEC_PREFIX", "COMPILER_PATH", "CCC_OVERRIDE_OPTIONS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return false;
    }
    return true;
}

static bool is_script(const char *program) {
    char magic[4] = "";
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    bool elf = fd >= 0 && read(fd, magic, sizeof magic) == sizeof magic && memcmp(magic, "\177ELF", 4) == 0;
    if (fd >= 0) close(fd);
    return !elf;
}

/* A folder of the system's may have whatever it likes; in another one, a file might take the place of stdio.h. */
static bool headers_are_alone(const char *headers) {
    char *real = realpath(headers, NULL);
    bool alone = real && strncmp(real, "/usr/", 5) == 0;
    DIR *folder = real && !alone ? opendir(real) : NULL;
    if (folder) {
        alone = true;
        for (struct dirent *e; alone && (e = readdir(folder));)
            alone = e->d_name[0] == '.' || strcmp(e->d_name, "onager") == 0 || strcmp(e->d_name, "onager.h") == 0;
        closedir(folder);
    }
    free(real);
    return alone;
}

bool c_includes_nothing(const char *text, const char *compiler, const char *headers) {
    return text_includes_nothing(text) && environment_is_plain() && !is_script(compiler) && headers_are_alone(headers);
}
