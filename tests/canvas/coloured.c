/* Letters that a font of the system has as pictures, as emoji are: in their colours on every screen
 * and in every file. The only font of this system is the one that the test writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../environment.h"
#include "canvas/formats/formats.h"
#include "canvas/render/pixels.h"
#include "canvas/text/font.h"
#include "coloured_font.h"
#include "press.h"

static const struct colour INK = {0, 0, 0, 255}, PAPER = {255, 255, 255, 255};
static char folder[256];

static const char *path_of(const char *name)
{
    static char path[sizeof folder + 16];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int open_system(void **state)
{
    FILE *file = NULL;
    const char *const place = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.200s/coloured-XXXXXX", place != NULL ? place : "/tmp");
    if (mkdtemp(folder) == NULL || !coloured_font_write(path_of("two.ttf")) ||
        (file = fopen(path_of("fonts.conf"), "w")) == NULL) {
        return -1;
    }
    fprintf(file, "<fontconfig><dir>%s</dir><cachedir>/nowhere</cachedir></fontconfig>", folder);
    return fclose(file) == 0 && environment_set("FONTCONFIG_FILE", path_of("fonts.conf"))
               ? press_open(state)
               : -1;
}

static int close_system(void **state)
{
    unlink(path_of("two.ttf"));
    unlink(path_of("fonts.conf"));
    rmdir(folder);
    return press_close(state);
}

/* The letter between two others, 20 points large, its square from (x, 10) to (x + 20, 30). */
static float draw_square(struct press *press, struct colour ink)
{
    canvas_begin(press->canvas, 80, 40);
    canvas_text(press->canvas, 10, 30, FONT_WORDS, 20, ink, CANVAS_LEFT, "a" COLOURED_SQUARE "z");
    return 10 + font_measure(press->fonts, FONT_WORDS, 20, "a", 1);
}

static const struct canvas_command *find_picture(const struct canvas *canvas)
{
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        if (canvas_command_at(canvas, i)->kind == CANVAS_IMAGE) {
            return canvas_command_at(canvas, i);
        }
    }
    return NULL;
}

static void a_coloured_letter_is_a_picture_where_it_was_measured(void **state)
{
    struct press *const press = *state;
    const char *const text = "a" COLOURED_SQUARE "z";
    const struct font_run *const run = font_shape(press->fonts, FONT_WORDS, text, strlen(text));
    const float a = font_measure(press->fonts, FONT_WORDS, 1, "a", 1);
    const float z = font_measure(press->fonts, FONT_WORDS, 1, "z", 1);
    assert_int_equal(run->apart, 1);
    assert_int_equal(run->missing, 0);
    assert_float_equal(run->width, a + 1 + z, 1e-4);
    assert_float_equal(font_caret(press->fonts, FONT_WORDS, 1, text, strlen(text), 5), a + 1, 1e-4);
    const float x = draw_square(press, INK);
    const struct canvas_command *const picture = find_picture(press->canvas);
    assert_non_null(picture);
    assert_float_equal(picture->rect.x, x, 0.01);
    assert_float_equal(picture->rect.y, 10, 0.01);
    assert_float_equal(picture->rect.w, 20, 0.01);
    assert_float_equal(picture->rect.h, 20, 0.01);
}

static uint32_t pixel_at(struct press *press, float scale, float x, float y)
{
    enum { WIDE = 320, HIGH = 160 };
    static uint32_t pixels[WIDE * HIGH];
    const struct render_pixels picture = {(uint8_t *)pixels, WIDE, HIGH, WIDE * 4, true};
    pixels_fill(&picture, (struct shape_box){0, 0, WIDE, HIGH}, PAPER);
    assert_true(render_cairo_pixels(press->player, press->canvas, scale, NULL, picture, NULL));
    return pixels[(size_t)(y * scale) * WIDE + (size_t)(x * scale)];
}

static void its_colours_are_its_own_at_every_scale(void **state)
{
    struct press *const press = *state;
    const float scales[] = {0.5f, 1, 2, 4};
    const float x = draw_square(press, INK);
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        assert_int_equal(pixel_at(press, scales[s], x + 4, 20), 0xffff0000);
        assert_int_equal(pixel_at(press, scales[s], x + 16, 20), 0xff0000ff);
    }
    draw_square(press, (struct colour){0, 0, 0, 51}); /* ink of a fifth: so is the picture */
    assert_int_equal(pixel_at(press, 1, x + 4, 20), 0xffffcccc);
}

static void a_picture_made_smaller_shows_means_and_not_samples(void **state)
{
    struct press *const press = *state;
    struct colour stripes[64];
    for (size_t i = 0; i < 64; i++) {
        stripes[i] = i % 2 == 0 ? INK : PAPER;
    }
    canvas_begin(press->canvas, 80, 40);
    canvas_picture(press->canvas, (struct rect){8, 8, 8, 8}, 64, 1, stripes);
    for (float x = 8.5f; x < 16; x++) {
        assert_int_equal(pixel_at(press, 1, x, 12), 0xff808080);
    }
}

static void files_hold_the_picture_and_the_letter(void **state)
{
    struct press *const press = *state;
    const struct render_figure figure = {.ground = &PAPER};
    struct error error = {0};
    struct bytes svg = {NULL, 0}, pdf = {NULL, 0};
    draw_square(press, INK);
    assert_true(render_svg(press->player, press->canvas, &figure, &press->arena, &svg, &error));
    const char *const text = arena_text(&press->arena, (const char *)svg.at, svg.size);
    assert_non_null(text);
    assert_non_null(strstr(text, "<image"));
    assert_null(strstr(text, "pixelated"));
    assert_non_null(strstr(text, ">" COLOURED_SQUARE "</tspan>")); /* found by who searches */
    assert_true(render_pdf(press->player, press->canvas, &figure, &press->arena, &pdf, &error));
    assert_true(pdf.size > 0);
}

static void a_picture_that_cannot_be_read_is_a_box(void **state)
{
    struct press *const press = *state;
    const struct font_run *const run =
        font_shape(press->fonts, FONT_WORDS, COLOURED_NOTHING, strlen(COLOURED_NOTHING));
    assert_int_equal(run->missing, 1);
    canvas_begin(press->canvas, 80, 40);
    canvas_text(press->canvas, 10, 30, FONT_WORDS, 20, INK, CANVAS_LEFT, COLOURED_NOTHING);
    assert_null(find_picture(press->canvas));
    assert_true(canvas_find_text(press->canvas, "FF1", 0, &(struct rect){0}));
}

/* An emoji that the program's own fonts have as outlines too is in colour like the others, unless
 * the text asks for outlines, or the picture cannot be read. */
static void emoji_are_in_colour_though_outlines_exist(void **state)
{
    static const struct {
        const char *text;
        uint32_t apart;
    } cases[] = {{"a\xf0\x9f\x90\xb1", 1},             /* U+1F431 */
                 {"a\xf0\x9f\x90\xb1\xef\xb8\x8e", 0}, /* with U+FE0E */
                 {"a\xf0\x9f\x98\x80", 0}};            /* U+1F600, which has outlines alone */
    struct press *const press = *state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct font_run *const run =
            font_shape(press->fonts, FONT_WORDS, cases[c].text, strlen(cases[c].text));
        assert_int_equal(run->missing, 0);
        assert_int_equal(run->apart, cases[c].apart);
        canvas_begin(press->canvas, 80, 40);
        canvas_text(press->canvas, 10, 30, FONT_WORDS, 20, INK, CANVAS_LEFT, cases[c].text);
        assert_int_equal(find_picture(press->canvas) != NULL, cases[c].apart);
    }
    const char *const unread = "\xf0\x9f\x90\xb2"; /* U+1F432 */
    assert_int_equal(font_shape(press->fonts, FONT_WORDS, unread, strlen(unread))->missing, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_coloured_letter_is_a_picture_where_it_was_measured),
        cmocka_unit_test(its_colours_are_its_own_at_every_scale),
        cmocka_unit_test(a_picture_made_smaller_shows_means_and_not_samples),
        cmocka_unit_test(files_hold_the_picture_and_the_letter),
        cmocka_unit_test(a_picture_that_cannot_be_read_is_a_box),
        cmocka_unit_test(emoji_are_in_colour_though_outlines_exist),
    };
    return cmocka_run_group_tests(tests, open_system, close_system);
}
