/* tests/attn/choice.c — which set computes, and who decides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "attn/attn.h"

static void without_a_action_the_best_set_is_chosen(void **state)
{
    (void)state;
    assert_non_null(attn_kernels_at(0));
    assert_ptr_equal(attn_kernels_choose(NULL), attn_kernels_at(0));
    assert_ptr_equal(attn_kernels_choose(""), attn_kernels_at(0));
}

static void each_set_that_runs_here_can_be_forced_by_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        const struct attn_kernels *kernels = attn_kernels_at(i);
        assert_ptr_equal(attn_kernels_choose(attn_kernels_name(kernels)), kernels);
        assert_true(attn_kernels_title(kernels)[0] != '\0');
    }
}

static void a_name_nobody_has_chooses_nothing(void **state)
{
    (void)state;
    const char *const names[] = {"sse9", "AVX2", "avx", "avx2 ", " ", "neon2", "best", "plain C"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_null(attn_kernels_choose(names[i]));
    }
}

static void a_set_of_another_machine_chooses_nothing(void **state)
{
    (void)state;
#if defined(__x86_64__)
    assert_null(attn_kernels_choose("neon"));
#else
    assert_null(attn_kernels_choose("avx2"));
#endif
}

static void plain_c_is_everywhere_and_comes_last(void **state)
{
    (void)state;
    const struct attn_kernels *last = NULL;
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        last = attn_kernels_at(i);
    }
    assert_string_equal(attn_kernels_name(last), "ref");
    assert_string_equal(attn_kernels_title(last), "plain C");
}

#if defined(__x86_64__)
static void every_pc_with_64_bits_has_a_vector_set(void **state)
{
    (void)state;
    assert_non_null(attn_kernels_choose("sse2"));
    assert_string_equal(attn_kernels_title(attn_kernels_choose("sse2")), "SSE2");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_action_the_best_set_is_chosen),
        cmocka_unit_test(each_set_that_runs_here_can_be_forced_by_its_name),
        cmocka_unit_test(a_name_nobody_has_chooses_nothing),
        cmocka_unit_test(a_set_of_another_machine_chooses_nothing),
        cmocka_unit_test(plain_c_is_everywhere_and_comes_last),
#if defined(__x86_64__)
        cmocka_unit_test(every_pc_with_64_bits_has_a_vector_set),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
