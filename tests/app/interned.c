/* Numbers that stand for bytes in the keys of results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/results/interned.h"

static void equal_bytes_have_one_number_and_no_others_have_it(void **unused)
{
    (void)unused;
    struct interned interned = {.count = 0};
    uint32_t number[2 * INTERNED_MAX];
    for (uint32_t i = 0; i < 2 * INTERNED_MAX; i++) {
        number[i] = interned_number(&interned, &i, sizeof i);
        assert_int_equal(interned_number(&interned, &i, sizeof i), number[i]);
        assert_true(i == 0 || number[i] > number[i - 1]);
    }
    for (uint32_t i = INTERNED_MAX; i < 2 * INTERNED_MAX; i++) {
        const struct value *const content = interned_keep(&interned, number[i]);
        assert_int_equal(interned_number(&interned, &i, sizeof i), number[i]);
        assert_memory_equal(interned_bytes(content).at, &i, sizeof i);
        value_release(content);
    }
    const uint32_t first = 0;
    assert_null(interned_keep(&interned, number[0])); /* forgotten */
    assert_true(interned_number(&interned, &first, sizeof first) >
                number[2 * INTERNED_MAX - 1]); /* and other numbers stay what they were */
    interned_free(&interned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_bytes_have_one_number_and_no_others_have_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
