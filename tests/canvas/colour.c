/* Colours and maps: what is written on a cell can be read, and more looks like more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "canvas/types/colour.h"

enum { STEPS = 200 };

static void ink_can_be_read_on_every_step_of_every_map(void **state)
{
    (void)state;
    for (size_t m = 0; colourmap_at(m) != NULL; m++) {
        for (int i = 0; i <= STEPS; i++) {
            const struct colour ground = colourmap_colour(colourmap_at(m), (float)i / STEPS);
            assert_true(colour_contrast(colour_ink_on(ground), ground) >= 4.5f);
        }
    }
}

static void an_unsigned_map_only_gets_lighter_or_only_darker(void **state)
{
    (void)state;
    for (size_t m = 0; colourmap_at(m) != NULL; m++) {
        const struct colourmap *map = colourmap_at(m);
        if (map->kind != COLOURMAP_UNSIGNED) {
            continue;
        }
        float former = colour_luminance(colourmap_colour(map, 0));
        const float way = colour_luminance(colourmap_colour(map, 1)) > former ? 1.0f : -1.0f;
        for (int i = 1; i <= STEPS; i++) {
            const float light = colour_luminance(colourmap_colour(map, (float)i / STEPS));
            assert_true((light - former) * way > -0.002f); /* a step of 8 bits */
            former = light;
        }
    }
}

static bool has_hue(const struct colourmap *map)
{
    for (int i = 0; i <= STEPS; i++) {
        const struct colour colour = colourmap_colour(map, (float)i / STEPS);
        if (colour.red != colour.green || colour.green != colour.blue) {
            return true;
        }
    }
    return false;
}

/* Without hue there is one direction only: the sign can be told by lightness, 0 lies between. */
static void a_signed_map_without_hue_only_gets_darker(void **state)
{
    (void)state;
    const struct colourmap *const map = colourmap_find("ash");
    assert_false(has_hue(map));
    float former = colour_luminance(colourmap_colour(map, 0));
    for (int i = 10; i <= STEPS; i += 10) {
        const float light = colour_luminance(colourmap_colour(map, (float)i / STEPS));
        assert_true(light < former);
        former = light;
    }
}

static void a_signed_map_leaves_zero_in_both_directions(void **state)
{
    (void)state;
    for (size_t m = 0; colourmap_at(m) != NULL; m++) {
        const struct colourmap *map = colourmap_at(m);
        if (map->kind != COLOURMAP_SIGNED || !has_hue(map)) {
            continue;
        }
        const float way = map->dark ? 1.0f : -1.0f;
        for (int side = -1; side <= 1; side += 2) {
            float former = colour_luminance(colourmap_colour(map, 0.5f));
            for (int i = 1; i <= STEPS / 2; i++) {
                const float t = 0.5f + (float)(side * i) / STEPS;
                const float light = colour_luminance(colourmap_colour(map, t));
                assert_true((light - former) * way > -0.002f);
                former = light;
            }
        }
        const struct colour cold = colourmap_colour(map, 0.1f);
        const struct colour warm = colourmap_colour(map, 0.9f);
        assert_true(cold.blue > cold.red);
        assert_true(warm.red > warm.blue);
    }
}

static void maps_are_found_by_name_and_have_defaults(void **state)
{
    (void)state;
    static const char *const names[] = {"blues", "night", "viridis", "cividis",
                                        "magma", "grey",  "rdbu",    "puor"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_non_null(colourmap_find(names[i]));
    }
    assert_ptr_equal(colourmap_find("BLUES"), colourmap_default(COLOURMAP_UNSIGNED, false));
    assert_ptr_equal(colourmap_find("Night"), colourmap_default(COLOURMAP_UNSIGNED, true));
    assert_ptr_equal(colourmap_find("rdbu"), colourmap_default(COLOURMAP_SIGNED, false));
    assert_true(colourmap_default(COLOURMAP_SIGNED, true)->dark);
    assert_int_equal(colourmap_default(COLOURMAP_SIGNED, true)->kind, COLOURMAP_SIGNED);
    assert_null(colourmap_find("jet"));
}

static void values_out_of_range_take_the_ends(void **state)
{
    (void)state;
    const struct colourmap *map = colourmap_find("viridis");
    const struct colour low = colourmap_colour(map, 0);
    const struct colour high = colourmap_colour(map, 1);
    const struct colour below = colourmap_colour(map, -3);
    const struct colour above = colourmap_colour(map, INFINITY);
    const struct colour none = colourmap_colour(map, NAN);
    assert_memory_equal(&below, &low, sizeof low);
    assert_memory_equal(&above, &high, sizeof high);
    assert_memory_equal(&none, &low, sizeof low);
    assert_int_equal(low.red, 0x44);
    assert_int_equal(high.green, 0xe7);
}

static void contrast_is_that_of_wcag(void **state)
{
    (void)state;
    const struct colour white = colour_hex(0xffffff);
    assert_float_equal(colour_contrast(white, colour_hex(0)), 21, 0.001);
    assert_float_equal(colour_contrast(colour_hex(0x767676), white), 4.54, 0.01);
    const struct colour half = colour_mix(white, colour_hex(0), 0.5f);
    assert_int_equal(half.red, 128);
    assert_int_equal(colour_fade(white, 0.25f).alpha, 64);
    assert_int_equal(colour_fade(white, NAN).alpha, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ink_can_be_read_on_every_step_of_every_map),
        cmocka_unit_test(an_unsigned_map_only_gets_lighter_or_only_darker),
        cmocka_unit_test(a_signed_map_without_hue_only_gets_darker),
        cmocka_unit_test(a_signed_map_leaves_zero_in_both_directions),
        cmocka_unit_test(maps_are_found_by_name_and_have_defaults),
        cmocka_unit_test(values_out_of_range_take_the_ends),
        cmocka_unit_test(contrast_is_that_of_wcag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
