/* The random numbers of a seed are part of what the program promises: the same on every machine. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"

static void hash_is_fnv(void **state)
{
    (void)state; /* values published with the algorithm */
    assert_int_equal(random_hash("", 0), UINT64_C(0xCBF29CE484222325));
    assert_int_equal(random_hash("a", 1), UINT64_C(0xAF63DC4C8601EC8C));
    assert_int_equal(random_hash("foobar", 6), UINT64_C(0x85944171F73967E8));
}

static void generator_is_xoshiro(void **state)
{
    (void)state; /* first outputs of the authors' code for the state 1, 2, 3, 4 */
    static const uint64_t expected[] = {11520, 0, 1509978240, UINT64_C(1215971899390074240)};
    struct random random = {.word = {1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(random_bits(&random), expected[i]);
    }
}

static void seed_42_is_fixed(void **state)
{
    (void)state;
    static const double normal[] = {
        -0.3096304416223018, 0.11851609847960597, -1.0207915941733816, 0.9043998657121116,
        -0.9600017934669739, -0.3863210860261568, 0.9076198920473943,  -0.3266038525722331,
    };
    struct random random;
    random_start(&random, 42, "W_Q.0");
    for (size_t i = 0; i < sizeof normal / sizeof *normal; i++) {
        assert_true(random_normal(&random) == normal[i]);
    }
    random_start(&random, 42, "W_Q.0");
    assert_int_equal(random_bits(&random), UINT64_C(0x0BB2B4553CFCDA54));
}

static void streams_differ(void **state)
{
    (void)state;
    struct random a;
    struct random b;
    struct random c;
    random_start(&a, 42, "W_Q.0");
    random_start(&b, 42, "W_K.0");
    random_start(&c, 43, "W_Q.0");
    uint64_t first = random_bits(&a);
    assert_int_not_equal(first, random_bits(&b));
    assert_int_not_equal(first, random_bits(&c));
}

static void uniform_stays_inside(void **state)
{
    (void)state;
    struct random random;
    random_start(&random, 1, "uniform");
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        double value = random_uniform(&random);
        assert_true(value >= 0 && value < 1);
        sum += value;
    }
    assert_true(fabs(sum / 100000 - 0.5) < 0.005);
}

static void normal_is_normal(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    struct random random;
    random_start(&random, 7, "normal");
    double sum = 0;
    double squares = 0;
    int within_one = 0;
    int beyond_three = 0;
    for (int i = 0; i < COUNT; i++) {
        double value = random_normal(&random);
        sum += value;
        squares += value * value;
        within_one += fabs(value) < 1;
        beyond_three += fabs(value) > 3;
    }
    assert_true(fabs(sum / COUNT) < 0.01);
    assert_true(fabs(squares / COUNT - 1) < 0.02);
    assert_true(fabs(within_one / (double)COUNT - 0.6827) < 0.005);
    assert_true(fabs(beyond_three / (double)COUNT - 0.0027) < 0.0006);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"The hash is the published FNV-1a.", hash_is_fnv, NULL, NULL, NULL},
        {"The generator is the published xoshiro256**.", generator_is_xoshiro, NULL, NULL, NULL},
        {"Seed 42 gives the same normal values for ever.", seed_42_is_fixed, NULL, NULL, NULL},
        {"Another stream or seed gives other numbers.", streams_differ, NULL, NULL, NULL},
        {"Uniform values lie in [0, 1).", uniform_stays_inside, NULL, NULL, NULL},
        {"Normal values have mean 0, variance 1 and the right tails.", normal_is_normal, NULL, NULL,
         NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
