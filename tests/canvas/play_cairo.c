/* The Cairo player: edges are sharp, clips and dirty rectangles hold, cells are where they
 * belong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/render/render.h"
#include "sample.h"

enum { SIDE = 200 };

struct easel {
    struct fonts *fonts;
    struct canvas *canvas;
    struct render_cairo *player;
    uint32_t pixel[SIDE * SIDE];
};

static const struct colour INK = {0x12, 0x34, 0x56, 255};
static const uint32_t INK_PIXEL = 0x123456;
static const uint32_t PAPER_PIXEL = 0xffffff;

static struct easel *clean(void **state)
{
    struct easel *easel = *state;
    memset(easel->pixel, 0xff, sizeof easel->pixel);
    canvas_begin(easel->canvas, SIDE, SIDE);
    return easel;
}

static uint32_t pixel_at(const struct easel *easel, int x, int y)
{
    return easel->pixel[y * SIDE + x] & 0xffffff;
}

static void play(struct easel *easel, float scale, const struct rect *dirty)
{
    struct error error = {0};
    const struct render_pixels pixels = {(uint8_t *)easel->pixel, SIDE, SIDE, SIDE * 4, false};
    if (!render_cairo_pixels(easel->player, easel->canvas, scale, dirty, pixels, &error)) {
        fail_msg("%s", error.text);
    }
}

static size_t count_pixels(const struct easel *easel, uint32_t colour)
{
    size_t count = 0;
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        count += (easel->pixel[i] & 0xffffff) == colour;
    }
    return count;
}

static void outlines_are_sharp_at_every_scale(void **state)
{
    static const float scales[] = {1, 1.25f, 1.5f, 2};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        struct easel *easel = clean(state);
        const struct rect rect = {10.3f, 10.4f, 50.5f, 40.2f};
        canvas_rect(easel->canvas, rect, 0, &(struct paint){.stroke = INK, .width = 1});
        play(easel, scales[i], NULL);
        /* Nothing between ink and paper anywhere: the line covers whole pixels. */
        assert_int_equal(count_pixels(easel, INK_PIXEL) + count_pixels(easel, PAPER_PIXEL),
                         SIDE * SIDE);
        const int left = (int)lroundf(rect.x * scales[i]);
        const int middle = (int)((rect.y + 20) * scales[i]);
        assert_int_equal(pixel_at(easel, left, middle), INK_PIXEL);
        assert_int_equal(pixel_at(easel, left - 1, middle), PAPER_PIXEL);
    }
}

static void a_line_across_is_sharp_and_as_thick_as_said(void **state)
{
    struct easel *easel = clean(state);
    canvas_line(easel->canvas, 10, 20.3f, 60, 20.3f, 1, INK);
    canvas_line(easel->canvas, 10, 40.3f, 60, 40.3f, 2, INK);
    play(easel, 1, NULL);
    assert_int_equal(count_pixels(easel, INK_PIXEL), 50 + 100);
    assert_int_equal(pixel_at(easel, 30, 20), INK_PIXEL);
}

static void crisp_cells_share_no_pixel_and_leave_no_gap(void **state)
{
    struct easel *easel = clean(state);
    for (int i = 0; i < 9; i++) {
        canvas_rect(easel->canvas, (struct rect){10 + (float)i * 7.3f, 10, 7.3f, 10.1f}, 0,
                    &(struct paint){.fill = {INK.red, INK.green, INK.blue, 128}, .crisp = true});
    }
    play(easel, 1.25f, NULL);
    const uint32_t half = pixel_at(easel, 20, 15);
    assert_int_not_equal(half, PAPER_PIXEL);
    for (int x = 13; x < 94; x++) {
        assert_int_equal(pixel_at(easel, x, 15), half);
    }
}

static void nothing_is_drawn_outside_a_clip(void **state)
{
    struct easel *easel = clean(state);
    canvas_clip(easel->canvas, (struct rect){20, 20, 30, 30});
    canvas_clip(easel->canvas, (struct rect){40, 40, 30, 30});
    canvas_rect(easel->canvas, (struct rect){0, 0, SIDE, SIDE}, 0, &(struct paint){.fill = INK});
    canvas_text(easel->canvas, 30, 60, FONT_WORDS_BOLD, 40, INK, CANVAS_LEFT, "wide text");
    canvas_unclip(easel->canvas);
    canvas_unclip(easel->canvas);
    play(easel, 1, NULL);
    assert_int_equal(count_pixels(easel, INK_PIXEL), 10 * 10);
    assert_int_equal(count_pixels(easel, PAPER_PIXEL), SIDE * SIDE - 100);
}

static void only_the_dirty_part_changes_and_it_changes_to_the_same(void **state)
{
    struct easel *easel = *state;
    static uint32_t whole[SIDE * SIDE];
    const struct rect dirty = {33.4f, 21.7f, 80, 60};
    memset(easel->pixel, 0xff, sizeof easel->pixel);
    sample_draw(easel->canvas);
    play(easel, 1, NULL);
    memcpy(whole, easel->pixel, sizeof whole);
    memset(easel->pixel, 0x77, sizeof easel->pixel);
    play(easel, 1, &dirty);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const bool inside = x >= 33 && x < 114 && y >= 21 && y < 82;
            const uint32_t expected = inside ? whole[y * SIDE + x] & 0xffffff : 0x777777;
            assert_int_equal(pixel_at(easel, x, y), expected);
        }
    }
}

static void every_cell_of_an_image_has_its_own_whole_pixels(void **state)
{
    struct easel *easel = clean(state);
    const struct colour cells[6] = {{255, 0, 0, 255},   {0, 255, 0, 255}, {0, 0, 255, 255},
                                    {255, 255, 0, 255}, {0, 0, 0, 255},   {0, 0, 0, 0}};
    canvas_image(easel->canvas, (struct rect){10, 10, 90, 60}, 3, 2, cells);
    play(easel, 1, NULL);
    assert_int_equal(pixel_at(easel, 10, 10), 0xff0000);
    assert_int_equal(pixel_at(easel, 39, 39), 0xff0000);
    assert_int_equal(pixel_at(easel, 40, 39), 0x00ff00);
    assert_int_equal(pixel_at(easel, 99, 10), 0x0000ff);
    assert_int_equal(pixel_at(easel, 10, 40), 0xffff00);
    assert_int_equal(pixel_at(easel, 99, 69), PAPER_PIXEL); /* see-through */
    assert_int_equal(pixel_at(easel, 100, 10), PAPER_PIXEL);
    assert_int_equal(count_pixels(easel, 0xff0000), 30 * 30);
}

static void text_stands_on_its_baseline_and_within_its_width(void **state)
{
    struct easel *easel = clean(state);
    const float width =
        canvas_text(easel->canvas, 20, 100, FONT_WORDS_BOLD, 40, INK, CANVAS_LEFT, "HEH");
    play(easel, 1, NULL);
    int left = SIDE, right = 0, top = SIDE, bottom = 0;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            if (pixel_at(easel, x, y) != PAPER_PIXEL) {
                left = x < left ? x : left;
                right = x > right ? x : right;
                top = y < top ? y : top;
                bottom = y > bottom ? y : bottom;
            }
        }
    }
    assert_int_equal(bottom, 99);
    assert_in_range(top, 70, 71); /* cap height 0.727 em */
    assert_in_range(left, 21, 26);
    assert_in_range(right, (int)(20 + width) - 6, (int)(20 + width));
}

static void a_circle_is_round_and_as_large_as_said(void **state)
{
    struct easel *easel = clean(state);
    canvas_circle(easel->canvas, 100, 100, 50, &(struct paint){.fill = {0, 0, 0, 255}});
    play(easel, 1, NULL);
    double ink = 0;
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        ink += 1 - (easel->pixel[i] & 255) / 255.0;
    }
    assert_float_equal(ink, 3.14159 * 50 * 50, 20);
    assert_int_equal(pixel_at(easel, 100 + 40, 100 + 40), PAPER_PIXEL);
}

static void wild_numbers_draw_something_or_nothing_but_never_crash(void **state)
{
    static const float wild[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e9f, 1e-30f, 0};
    struct easel *easel = clean(state);
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        for (size_t j = 0; j < sizeof wild / sizeof wild[0]; j++) {
            const struct paint paint = {
                .fill = INK, .stroke = INK, .width = wild[j], .dash = wild[i], .gap = 2};
            const struct point points[3] = {{wild[i], 0}, {wild[j], wild[i]}, {5, 5}};
            const struct rect rect = {wild[i], wild[j], wild[j], wild[i]};
            canvas_rect(easel->canvas, rect, wild[i], &paint);
            canvas_image(easel->canvas, rect, 1, 1, &INK);
            canvas_text(easel->canvas, wild[i], wild[j], FONT_WORDS, wild[j], INK, CANVAS_CENTRE,
                        "wild");
            canvas_path(easel->canvas, points, 3, i % 2 == 0,
                        &(struct paint){.fill = INK, .stroke = INK, .width = 1});
        }
    }
    canvas_rect(easel->canvas, (struct rect){0, 0, 10, 10}, 0, &(struct paint){.fill = INK});
    play(easel, 1, NULL);
    play(easel, 0, NULL);
    play(easel, NAN, NULL);
    assert_int_equal(pixel_at(easel, 5, 5), INK_PIXEL);
}

static int set_up(void **state)
{
    struct easel *easel = calloc(1, sizeof *easel);
    easel->fonts = fonts_open(NULL);
    easel->canvas = canvas_open(easel->fonts);
    easel->player = render_cairo_open(easel->fonts, NULL);
    *state = easel;
    return easel->player == NULL || easel->canvas == NULL;
}

static int tear_down(void **state)
{
    struct easel *easel = *state;
    render_cairo_close(easel->player);
    canvas_close(easel->canvas);
    fonts_close(easel->fonts);
    free(easel);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_are_sharp_at_every_scale),
        cmocka_unit_test(a_line_across_is_sharp_and_as_thick_as_said),
        cmocka_unit_test(crisp_cells_share_no_pixel_and_leave_no_gap),
        cmocka_unit_test(nothing_is_drawn_outside_a_clip),
        cmocka_unit_test(only_the_dirty_part_changes_and_it_changes_to_the_same),
        cmocka_unit_test(every_cell_of_an_image_has_its_own_whole_pixels),
        cmocka_unit_test(text_stands_on_its_baseline_and_within_its_width),
        cmocka_unit_test(a_circle_is_round_and_as_large_as_said),
        cmocka_unit_test(wild_numbers_draw_something_or_nothing_but_never_crash),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
