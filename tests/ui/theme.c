/* The hues of roles are none of those that numbers have on the maps a theme begins with. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "canvas/types/colour.h"
#include "ui/theme.h"

enum { STEPS = 100 };

static const double TURN = 6.283185307179586;

static double linear(uint8_t channel)
{
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

struct hue {
    double chroma, degrees;
};

/* Hue as eyes part it: Björn Ottosson, "A perceptual color space for image processing", 2020. */
static struct hue hue_of(struct colour colour)
{
    const double red = linear(colour.red), green = linear(colour.green), blue = linear(colour.blue);
    const double l = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
    const double m = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
    const double s = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
    const double a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    const double b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
    return (struct hue){hypot(a, b), fmod(atan2(b, a) / TURN * 360 + 360, 360)};
}

static double apart(struct hue a, struct hue b)
{
    const double way = fabs(a.degrees - b.degrees);
    return fmin(way, 360 - way);
}

static void roles_have_hues_that_numbers_have_not(void **state)
{
    static const enum colourmap_kind kinds[] = {COLOURMAP_UNSIGNED, COLOURMAP_SIGNED};
    static const double coloured = 0.04; /* paler steps look grey */
    (void)state;
    for (size_t t = 0; ui_theme_at(t) != NULL; t++) {
        const struct ui_theme *const theme = ui_theme_at(t);
        const struct colour roles[] = {theme->query, theme->key, theme->value, theme->output};
        const size_t count = theme->grey ? 0 : sizeof roles / sizeof *roles;
        for (size_t r = 0; r < count; r++) {
            const struct hue role = hue_of(roles[r]);
            assert_true(role.chroma > 0.08);
            for (size_t k = 0; k < 2 * STEPS; k++) {
                const struct colourmap *const map = colourmap_default(kinds[k % 2], theme->dark);
                const struct hue step = hue_of(colourmap_colour(map, (float)(k / 2) / (STEPS - 1)));
                if (step.chroma > coloured && apart(role, step) < 30) {
                    fail_msg("%s, role %zu: %.0f and %.0f degrees of %s", theme->name, r,
                             role.degrees, step.degrees, map->name);
                }
            }
            for (size_t other = 0; other < r; other++) {
                assert_true(apart(role, hue_of(roles[other])) >= 30);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roles_have_hues_that_numbers_have_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
