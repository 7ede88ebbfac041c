/* PNG files: what another program reads out of them is what was drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/render/render.h"
#include "press.h"
#include "sample.h"

static const struct colour PAPER = {255, 255, 255, 255};

static struct bytes print(struct press *press, float scale, const struct colour *ground)
{
    struct bytes png = {0};
    struct error error = {0};
    const struct render_figure figure = {.scale = scale, .ground = ground};
    if (!render_png(press->player, press->canvas, &figure, &press->arena, &png, &error)) {
        fail_msg("%s", error.text);
    }
    return png;
}

static uint32_t number_at(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The content of the first chunk of that type; NULL: there is none. */
static const uint8_t *chunk(struct bytes png, const char *type)
{
    for (size_t at = 8; at + 12 <= png.size; at += 12 + number_at(png.at + at)) {
        if (memcmp(png.at + at + 4, type, 4) == 0) {
            return png.at + at + 8;
        }
    }
    return NULL;
}

/* The pixels as libpng's reader gives them, four bytes each; the caller frees them. */
static uint8_t *read_back(struct bytes png, uint32_t *width, uint32_t *height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, png.at, png.size));
    image.format = PNG_FORMAT_RGBA;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    *width = image.width;
    *height = image.height;
    return pixels;
}

static void a_picture_has_its_size_and_resolution(void **state)
{
    struct press *press = *state;
    sample_draw(press->canvas);
    const struct bytes png = print(press, 2, &PAPER);
    assert_memory_equal(png.at, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(number_at(chunk(png, "IHDR")), 2 * SAMPLE_WIDTH);
    assert_int_equal(number_at(chunk(png, "IHDR") + 4), 2 * SAMPLE_HEIGHT);
    assert_int_equal(chunk(png, "IHDR")[9], 2);            /* RGB */
    assert_int_equal(number_at(chunk(png, "pHYs")), 5669); /* 144 dpi in dots a metre */
    assert_int_equal(chunk(png, "pHYs")[8], 1);
    assert_non_null(chunk(png, "sRGB"));
    assert_null(chunk(png, "tIME"));
}

static void equal_pictures_give_equal_files(void **state)
{
    struct press *press = *state;
    sample_draw(press->canvas);
    const struct bytes once = print(press, 1.25f, &PAPER);
    const struct bytes again = print(press, 1.25f, &PAPER);
    assert_int_equal(once.size, again.size);
    assert_memory_equal(once.at, again.at, once.size);
}

static void colours_come_back_as_they_were_drawn(void **state)
{
    struct press *press = *state;
    uint32_t width = 0, height = 0;
    canvas_begin(press->canvas, 30, 20);
    canvas_rect(press->canvas, (struct rect){10, 0, 10, 20}, 0,
                &(struct paint){.fill = {10, 200, 90, 255}, .crisp = true});
    uint8_t *pixels = read_back(print(press, 1, &PAPER), &width, &height);
    assert_int_equal(width, 30);
    assert_int_equal(height, 20);
    assert_memory_equal(pixels + (5 * 30 + 15) * 4, "\x0a\xc8\x5a\xff", 4);
    assert_memory_equal(pixels + (5 * 30 + 5) * 4, "\xff\xff\xff\xff", 4);
    free(pixels);
}

static void without_a_ground_the_picture_is_transparent(void **state)
{
    struct press *press = *state;
    uint32_t width = 0, height = 0;
    canvas_begin(press->canvas, 30, 20);
    canvas_rect(press->canvas, (struct rect){10, 0, 10, 20}, 0,
                &(struct paint){.fill = {10, 200, 90, 128}, .crisp = true});
    const struct bytes png = print(press, 1, NULL);
    assert_int_equal(chunk(png, "IHDR")[9], 6); /* RGBA */
    uint8_t *pixels = read_back(png, &width, &height);
    assert_memory_equal(pixels + (5 * 30 + 5) * 4, "\0\0\0\0", 4);
    const uint8_t *half = pixels + (5 * 30 + 15) * 4;
    assert_in_range(half[0], 8, 12);
    assert_in_range(half[1], 198, 202);
    assert_int_equal(half[3], 128);
    free(pixels);
}

static void a_poster_is_drawn_in_bands_that_meet_without_a_seam(void **state)
{
    struct press *press = *state;
    uint32_t width = 0, height = 0;
    canvas_begin(press->canvas, 4096, 2300);
    canvas_rect(press->canvas, (struct rect){20, 20, 4056, 2260}, 40,
                &(struct paint){.fill = {10, 200, 90, 255}});
    canvas_line(press->canvas, 2000, 0, 2010, 2300, 8, (struct colour){0, 0, 0, 255});
    uint8_t *pixels = read_back(print(press, 1, &PAPER), &width, &height);
    for (size_t y = 40; y < 2260; y++) {
        assert_memory_equal(pixels + (y * 4096 + 1000) * 4, "\x0a\xc8\x5a\xff", 4);
        const size_t x = 2000 + y * 10 / 2300;
        assert_memory_equal(pixels + (y * 4096 + x) * 4, "\0\0\0\xff", 4);
    }
    free(pixels);
}

static void a_picture_beyond_all_measure_is_refused_in_words(void **state)
{
    struct press *press = *state;
    struct bytes png = {0};
    struct error error = {0};
    const struct render_figure figure = {.scale = 1, .ground = &PAPER};
    canvas_begin(press->canvas, 20000, 10);
    assert_false(render_png(press->player, press->canvas, &figure, &press->arena, &png, &error));
    assert_non_null(strstr(error.text, "16384"));
    canvas_begin(press->canvas, 0, 0);
    assert_true(render_png(press->player, press->canvas, &figure, &press->arena, &png, &error));
    assert_int_equal(number_at(chunk(png, "IHDR")), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_has_its_size_and_resolution),
        cmocka_unit_test(equal_pictures_give_equal_files),
        cmocka_unit_test(colours_come_back_as_they_were_drawn),
        cmocka_unit_test(without_a_ground_the_picture_is_transparent),
        cmocka_unit_test(a_poster_is_drawn_in_bands_that_meet_without_a_seam),
        cmocka_unit_test(a_picture_beyond_all_measure_is_refused_in_words),
    };
    return cmocka_run_group_tests(tests, press_open, press_close);
}
