/* One word drawn by what a model gives each: its shares, the likeliest alone, the same seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/run/sample.h"

enum { WORDS = 4, DRAWS = 20000 };

/* Shares .5 .25 .125 .125 */
static const float logits[WORDS] = {0.0F, 0.69314718F, -0.69314718F, -0.69314718F};
static const double shares[WORDS] = {.25, .5, .125, .125};

static void count(double temperature, double top_p, double out[WORDS])
{
    struct random random;
    random_start(&random, 7, "sample");
    for (size_t w = 0; w < WORDS; w++) {
        out[w] = 0;
    }
    for (size_t d = 0; d < DRAWS; d++) {
        out[lab_sample(logits, WORDS, temperature, top_p, &random)] += 1.0 / DRAWS;
    }
}

static void the_shares_are_those_of_softmax(void **state)
{
    (void)state;
    const struct lab_shares plain = lab_shares_of(logits, WORDS, 1),
                            half = lab_shares_of(logits, WORDS, 0.5);
    static const double squares[WORDS] = {4.0 / 22, 16.0 / 22, 1.0 / 22, 1.0 / 22};
    for (size_t w = 0; w < WORDS; w++) {
        assert_true(fabs(lab_share(&plain, logits[w]) - shares[w]) < 1e-7);
        assert_true(fabs(lab_share(&half, logits[w]) - squares[w]) < 1e-7);
        assert_true(fabs((double)logits[w] - lab_log_sum(logits, WORDS) - log(shares[w])) < 1e-7);
    }
}

static void the_largest_come_in_order_and_of_equal_ones_the_first(void **state)
{
    (void)state;
    uint32_t largest[WORDS + 1] = {9, 9, 9, 9, 9};
    assert_int_equal(lab_find_largest(logits, WORDS, 3, largest), 3);
    assert_true(largest[0] == 1 && largest[1] == 0 && largest[2] == 2 && largest[3] == 9);
    assert_int_equal(lab_find_largest(logits, WORDS, WORDS + 1, largest), WORDS);
    assert_true(largest[3] == 3 && largest[4] == 9);
}

static void each_comes_by_its_share(void **state)
{
    (void)state;
    double found[WORDS];
    count(1, 1, found);
    for (size_t w = 0; w < WORDS; w++) {
        assert_true(fabs(found[w] - shares[w]) < 0.02);
    }
    count(0.5, 1, found); /* squares: 16, 4, 1, 1 of 22 */
    assert_true(fabs(found[1] - 16.0 / 22) < 0.02);
}

static void only_the_likeliest_that_have_the_share_come(void **state)
{
    (void)state;
    double found[WORDS];
    count(1, 0.5, found);
    assert_true(found[1] > 0.9999);
    count(1, 0.6, found);
    assert_true(found[2] == 0 && found[3] == 0);
    assert_true(fabs(found[1] - 2.0 / 3) < 0.02);
}

static void the_same_seed_draws_the_same(void **state)
{
    (void)state;
    struct random one, other;
    random_start(&one, 3, "sample");
    random_start(&other, 3, "sample");
    for (size_t d = 0; d < 100; d++) {
        assert_int_equal(lab_sample(logits, WORDS, 2, 0.9, &one),
                         lab_sample(logits, WORDS, 2, 0.9, &other));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shares_are_those_of_softmax),
        cmocka_unit_test(the_largest_come_in_order_and_of_equal_ones_the_first),
        cmocka_unit_test(each_comes_by_its_share),
        cmocka_unit_test(only_the_likeliest_that_have_the_share_come),
        cmocka_unit_test(the_same_seed_draws_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
