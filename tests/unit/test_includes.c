/* Models that include nothing but headers of the system and our own: told from their texts, and not in doubt. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/c/c_includes.h"
#include "unit.h"

#define COMPILER "/proc/self/exe" /* any program that is no script */

static void texts(void **headers) {
    static const char *const none[] = {
        "",
        "#include <onager.h>\n",
        /* as the compiler gets it */
        "#line 1 \"m.c\"\n#include <onager.h>\n#line 1 \"onager\"\n#include <onager/engine.h>\n",
        "#include <onager.h>\n#include <onager/strict.h>\n",
        "#include <onager.h>\n#include <onager/observe.h>\n",
        "  #  include\t<stdio.h> // why\n#define X(a) #a # a\n#if 1\n#endif\n#pragma GCC unroll 4\n",
        "#define f(a) \\\n    g(a)\n",
        "#define f(a) do { \\\ng(a); \\\n\\\n} while (0)\n",
        "#define f(a) {\\\n g(a);}\nconst char *s = \"#%d # (#)\";",
        "/* this includes nothing */ int include = 1;\n",
    };
    static const char *const some[] = {
        "#include \"x.h\"\n",
        "#include <onager.h>\n#include \"onager.h\"\n",
        "# include\"x.h\"",
        "#define X <x.h>\n#include X\n",
        "#include /* */ <x.h>\n",
        "#/**/include \"x.h\"\n",
        "#\\\ninclude \"x.h\"\n",
        "#incl\\\nude \"x.h\"\n",
        "#include\\\n\"x.h\"\n",
        "%:include \"x.h\"\n",
        "?\?=include \"x.h\"\n",
        "#if __has_include(\"x.h\")\n#endif\n",
        "#include_next <x.h>\n",
        "#import <x.h>\n",
        "#embed <x>\n",
        "#include <x\n.h>\n",
        "#include <x\\\n.h>\n",
        "#include <x.h>\n",
        "#include <../stdio.h>\n",
        "#include <onager/../stdio.h>\n",
        "#include <onager/mine.h>\n",
        "#include < stdio.h>\n",
        /* what compilers take for a blank */
        "#\f include \"x.h\"\n",
        "#\vinclude \"x.h\"\n",
        "# \rinclude \"x.h\"\n",
        "#\302\240include \"x.h\"\n",
        "#include\f\"x.h\"\n",
        /* words that are put together */
        "%\\\n:include \"x.h\"\n",
        "?\\ \t\n?=include \"x.h\"\n",
        "#if __ha\\\ns_include(\"x.h\")\n#endif\n",
        "#if __ha\\\r\ns_include(\"x.h\")\n#endif\n",
        "#define C(a, b) a##b\n#if C(__ha, s_include)(\"x.h\")\n#endif\n",
        "#define C(a, b) a # # b\n",
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (!c_includes_nothing(none[i], COMPILER, *headers)) fail_msg("%s", none[i]);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (c_includes_nothing(some[i], COMPILER, *headers)) fail_msg("%s", some[i]);
}

static void surroundings(void **headers) {
    static const char *const names[] = {"ONAGER_CFLAGS", "CPATH", "C_INCLUDE_PATH"};
    char path[300];
    assert_true(c_includes_nothing("", COMPILER, *headers));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        setenv(names[i], "x", 1);
        assert_false(c_includes_nothing("", COMPILER, *headers));
        unsetenv(names[i]);
    }
    /* A header beside ours may be found before one of the system's. */
    snprintf(path, sizeof path, "%s/stdio.h", (const char *)*headers);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    assert_false(c_includes_nothing("", COMPILER, *headers));
    assert_false(c_includes_nothing("", path, "/usr/include")); /* no program */
    unlink(path);
    assert_true(c_includes_nothing("", COMPILER, *headers));
    assert_true(c_includes_nothing("", COMPILER, "/usr/include"));
    assert_false(c_includes_nothing("", COMPILER, "/nonexistent"));
}

static char folder[] = "/tmp/onager-includes-XXXXXX";

static int make_folder(void **headers) {
    char path[300];
    unsetenv("ONAGER_CFLAGS");
    if (!(*headers = mkdtemp(folder))) return -1;
    snprintf(path, sizeof path, "%s/onager", folder);
    return mkdir(path, 0700);
}

static int remove_folder(void **headers) {
    char path[300];
    (void)headers;
    snprintf(path, sizeof path, "%s/onager", folder);
    rmdir(path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(surroundings)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
