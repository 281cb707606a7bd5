/* elf.h: symbols are found, and a damaged file is never read outside its bytes (AddressSanitizer would tell). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "code/elf.h"
#include "unit.h"

enum { ROUNDS = 400, HEAD = 64 };

struct found {
    unsigned count;
    uint64_t lengths; /* so that names are read */
};

static bool note(void *context, const struct elf_symbol *s) {
    struct found *f = context;
    f->count++;
    f->lengths += strlen(s->name);
    return f->count < 2000;
}

static bool enough(void *context, const struct elf_symbol *s) {
    (void)s;
    return ++*(unsigned *)context < 3;
}

static void of_this_program(void **state) {
    struct bytes file;
    struct found dynamic = {0};
    unsigned calls = 0;
    (void)state;
    assert_true(bytes_read(&file, "/proc/self/exe"));
    assert_true(elf_symbols(&file, ELF_DYNAMIC, note, &dynamic));
    assert_true(dynamic.count > 10);
    assert_true(elf_symbols(&file, ELF_DYNAMIC, enough, &calls));
    assert_int_equal(calls, 3);
    bytes_fini(&file);
}

/* Bytes of its head, of the table of sections and elsewhere are changed, or it is cut off. */
static void damaged(void **state) {
    struct bytes whole;
    uint64_t sections, random = 7;
    (void)state;
    assert_true(bytes_read(&whole, "/proc/self/exe"));
    memcpy(&sections, whole.at + 40, sizeof sections);
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t r[4];
        for (unsigned k = 0; k < 4; k++)
            r[k] = (random = random * UINT64_C(6364136223846793005) + 1442695040888963407) >> 20;
        struct bytes part = {.size = r[0] % 3 == 0 ? r[1] % whole.size : whole.size};
        part.at = memory_get(part.size + 1);
        memcpy(part.at, whole.at, part.size);
        uint64_t from = r[0] % 2 ? sections : 0, room = r[0] % 2 ? whole.size - sections : HEAD;
        for (unsigned k = 0; k < 4; k++)
            if (from + (r[k] >> 8) % room < part.size) part.at[from + (r[k] >> 8) % room] ^= (char)(1 + r[k] % 255);
        struct found f = {0};
        elf_symbols(&part, ELF_DYNAMIC, note, &f);
        elf_symbols(&part, ELF_ALL, note, &f);
        free(part.at);
    }
    bytes_fini(&whole);
}

static void is(const char *name, const char *wanted) {
    char plain[32];
    elf_plain_name(name, plain, sizeof plain);
    assert_string_equal(plain, wanted);
}

static void names(void **state) {
    (void)state;
    is("count", "count");
    is("count.0", "count");    /* as gcc calls what is in a function */
    is("fire.count", "count"); /* as clang does */
    is("fire.count.12", "count");
    is("count.0.1", "count");
    is("_ZN5model1CE", "C"); /* C++: a variable of a namespace, a static one, one of a function, and its guard */
    is("_ZN5modelL5countE", "count");
    is("_ZZN5model15fire_transitionEjE5count.0", "count");
    is("_ZGVZN5model15fire_transitionEjE5count", "count");
    is("_Z9", "_Z9");
    is("", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_this_program), cmocka_unit_test(damaged),
                                       cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
