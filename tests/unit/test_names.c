#include "unit.h"

#include <stdio.h>

#include "base/names.h"

static void test_numbers_in_order_of_appearance(void **state) {
    struct names n, copy;
    char text[16];
    (void)state;
    names_init(&n);
    for (uint32_t i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "a.%u", i % 700);
        assert_int_equal(names_add(&n, text), i % 700);
    }
    assert_int_equal(n.count, 700);
    names_copy(&copy, &n);
    names_fini(&n);
    assert_int_equal(names_find(&copy, "a.699"), 699);
    assert_string_equal(copy.text[699], "a.699");
    assert_int_equal(names_find(&copy, "a.700"), NAMES_NONE);
    names_fini(&copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers_in_order_of_appearance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
