/* tests/attn/power.c — how far each set's e^x is from float64's, over all of [−87.33, 0] in steps.
 */
#include "power.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "attn/cpu.h"

enum {
    CHUNK = 4096,
#ifdef ATTN_EVERY_FLOAT
    STEP = 1
#else
    STEP = 997 /* every STEPth float is tried: a prime, so that all low bits come */
#endif
};

static const struct {
    const char *name;
    bool (*supported)(void);
    power_function *power;
} sets[] = {
#if defined(__x86_64__)
    {"sse2", attn_cpu_runs_baseline, power_of_sse2},
    {"avx2", attn_cpu_runs_avx2, power_of_avx2},
    {"avx512", attn_cpu_runs_avx512, power_of_avx512},
#elif defined(__aarch64__)
    {"neon", attn_cpu_runs_baseline, power_of_neon},
#endif
    {NULL, NULL, NULL},
};

static double ulps(float got, double expected)
{
    const double ulp = expected >= 0x1p-126 ? ldexp(1, ilogb(expected) - 23) : 0x1p-149;
    return fabs((double)got - expected) / ulp;
}

static float float_of(uint32_t bits)
{
    float x = 0;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void check_range(size_t set, uint32_t from, uint32_t to, double most)
{
    float x[CHUNK], out[CHUNK];
    for (uint64_t bits = from; bits < to; bits += (uint64_t)CHUNK * STEP) {
        for (uint32_t i = 0; i < CHUNK; i++) {
            const uint64_t at = bits + (uint64_t)i * STEP;
            x[i] = float_of(at < to ? (uint32_t)at : to);
        }
        sets[set].power(x, out, CHUNK);
        for (size_t i = 0; i < CHUNK; i++) {
            const double error = ulps(out[i], exp((double)x[i]));
            if (!(error <= most)) {
                fail_msg("%s: e^%.9g is %.9g, %.2f ulp off", sets[set].name, (double)x[i],
                         (double)out[i], error);
            }
        }
    }
}

static void powers_are_within_1_ulp_from_0_to_minus_87(void **state)
{
    (void)state;
    for (size_t set = 0; sets[set].name != NULL; set++) {
        if (sets[set].supported()) {
            check_range(set, UINT32_C(0x80000000), UINT32_C(0xc2aea8f5), 1); /* −0 … −87.33 */
        }
    }
}

static void powers_beyond_minus_87_are_0_down_to_minus_infinity(void **state)
{
    (void)state;
    for (size_t set = 0; sets[set].name != NULL; set++) {
        if (!sets[set].supported()) {
            continue;
        }
        float x[16] = {-87.34F, -110, -150, -1e3F, -1e10F, -3e38F, -INFINITY, -200,
                       -87.5F,  -88,  -95,  -103,  -1e4F,  -1e20F, -1e30F,    -104.01F};
        float out[16];
        sets[set].power(x, out, 16);
        for (size_t i = 0; i < 16; i++) {
            assert_true(out[i] == 0);
        }
    }
}

static void the_power_of_0_is_exactly_1(void **state)
{
    (void)state;
    for (size_t set = 0; sets[set].name != NULL; set++) {
        if (!sets[set].supported()) {
            continue;
        }
        float x[16] = {0}, out[16];
        x[1] = -0.0F;
        sets[set].power(x, out, 16);
        assert_true(out[0] == 1 && out[1] == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_are_within_1_ulp_from_0_to_minus_87),
        cmocka_unit_test(powers_beyond_minus_87_are_0_down_to_minus_infinity),
        cmocka_unit_test(the_power_of_0_is_exactly_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
