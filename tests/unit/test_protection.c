/* The system refuses to protect memory: what rests on that is given up, and not taken for done. */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "model/c/c_compile.h"
#include "model/c/c_library.h"
#include "code/page_watch.h"
#include "unit.h"

enum { NOTHING, CLOSING, ALL };
static volatile int refuses = NOTHING;
static int refused;

/* In the place of the C library's. */
int mprotect(void *address, size_t size, int protection) {
    if (refuses == NOTHING || (refuses == CLOSING && protection != PROT_NONE))
        return (int)syscall(SYS_mprotect, address, size, protection);
    refused++;
    return -1;
}

static void of_a_library(void **state) {
    char path[] = "/tmp/onager-protection-XXXXXX.c", *identity = NULL;
    static const char text[] =
        "#include <onager.h>\n#define STATE(var, array) var(1, x)\nDEFINE_STATE(STATE)\n"
        "static int unused[4];\n"
        "static bool fire(state *s, unsigned t) { return s->x ? unused[t] : (s->x = 1, true); }\n"
        "MODEL(.transitions = 1, .fire = fire)\n";
    struct c_compile what = {.path = path, .no_cache = true};
    struct problem why = {0};
    int fd = mkstemps(path, 2);
    (void)state;
    setenv("ONAGER_INCLUDE", "include", 0); /* it runs in the root of the project */
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    void *library = c_compile(&what, &identity, &why);
    assert_non_null(library);
    refuses = ALL;
    assert_false(c_library_seal(library));
    assert_true(refused > 0);
    refuses = NOTHING;
    assert_true(c_library_seal(library));
    c_library_close(library);
    free(identity);
    refuses = ALL;
    assert_null(c_compile(&what, &identity, &why));
    refuses = NOTHING;
    assert_int_equal(why.status, EXIT_INCONCLUSIVE);
    assert_non_null(strstr(why.text, "protect"));
    problem_fini(&why);
    unlink(path);
}

#if defined __x86_64__
/* An object that cannot be closed again: all of it counts as used. */
static void of_an_object(void **state) {
    struct guard g;
    struct watch w;
    (void)state;
    guard_init(&g, 10);
    assert_true(watch_init(&w, 16, &g));
    volatile char *object = w.object;
    char sum = 0;
    for (int i = 0; i < 2; i++) {
        watch_begin(&w);
        if (GUARD_ENTER(&g)) {
            __asm__ volatile("addb $1, %0" : "+m"(object[3])); /* is stepped over: opens the pages, and closes them */
            refuses = i > 0 ? CLOSING : NOTHING;
            __asm__ volatile("addb $1, %0" : "+m"(object[5]));
            sum = (char)(sum + object[7]);
            guard_leave(&g);
        }
        refuses = NOTHING;
        watch_end(&w);
        bool read = w.seen[7] & WATCH_READ;
        assert_true(read);
    }
    watch_fini(&w);
    guard_fini(&g);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_library),
#if defined __x86_64__
        cmocka_unit_test(of_an_object),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
