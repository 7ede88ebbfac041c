/* Files that move, as the libraries of their formats read them: how many pictures, how large, how
 * long each stays, and that they look like the drawing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>
#include <webp/demux.h>

#include "canvas/formats/animation_crew.h"
#include "press.h"

enum { PICTURES = 5 };

static const struct colour PAPER = {255, 255, 255, 255}, INK = {29, 33, 41, 255};

/* A square that walks: number 0 … */
static void draw_walk(struct press *press, int number)
{
    canvas_begin(press->canvas, 100, 60);
    canvas_rect(press->canvas, (struct rect){10 + 10 * (float)number, 20, 10, 10}, 0,
                &(struct paint){.fill = INK, .crisp = true});
    canvas_text(press->canvas, 10, 50, FONT_WORDS, 12, INK, CANVAS_LEFT, "Softmax");
}

static struct bytes film(struct press *press, const char *suffix,
                         const struct render_figure *figure)
{
    struct error error = {0};
    struct bytes file = {0};
    const struct animation_format *format = animation_format_find(suffix);
    assert_non_null(format);
    struct animation *animation = animation_open(format, figure, 100, 60, &error);
    assert_non_null(animation);
    for (int i = 0; i < PICTURES; i++) {
        draw_walk(press, i);
        assert_true(animation_add(animation, press->player, press->canvas, 0.1, &error));
    }
    assert_true(animation_add(animation, press->player, press->canvas, 0.9, &error));
    assert_true(animation_end(animation, &press->arena, &file, &error));
    animation_close(animation);
    return file;
}

/* --- reading --- */

struct reader {
    struct bytes file;
    size_t at;
};

static int read_bytes(GifFileType *gif, GifByteType *to, int count)
{
    struct reader *reader = gif->UserData;
    const size_t left = reader->file.size - reader->at;
    const size_t size = (size_t)count < left ? (size_t)count : left;
    memcpy(to, reader->file.at + reader->at, size);
    reader->at += size;
    return (int)size;
}

static GifFileType *read_gif(struct reader *reader)
{
    int code = 0;
    GifFileType *gif = DGifOpen(reader, read_bytes, &code);
    assert_non_null(gif);
    assert_int_equal(DGifSlurp(gif), GIF_OK);
    return gif;
}

/* Returns the picture of a viewer after so many pictures: red green blue alpha. */
static uint8_t *shown_gif(const GifFileType *gif, int pictures)
{
    uint8_t *screen = calloc((size_t)gif->SWidth * (size_t)gif->SHeight, 4);
    assert_non_null(screen);
    for (int i = 0; i < pictures; i++) {
        const SavedImage *image = &gif->SavedImages[i];
        const GifImageDesc *area = &image->ImageDesc;
        GraphicsControlBlock control;
        assert_int_equal(DGifSavedExtensionToGCB((GifFileType *)(uintptr_t)gif, i, &control),
                         GIF_OK);
        for (int p = 0; p < area->Width * area->Height; p++) {
            const int x = area->Left + p % area->Width, y = area->Top + p / area->Width;
            if (image->RasterBits[p] != control.TransparentColor) {
                const GifColorType colour = area->ColorMap->Colors[image->RasterBits[p]];
                memcpy(screen + 4 * (y * gif->SWidth + x),
                       (uint8_t[]){colour.Red, colour.Green, colour.Blue, 255}, 4);
            }
        }
    }
    return screen;
}

static uint8_t *drawn(struct press *press, float scale, int width, int height)
{
    uint32_t *pixels = malloc((size_t)width * (size_t)height * 4);
    uint8_t *shown = malloc((size_t)width * (size_t)height * 4);
    assert_non_null(pixels);
    assert_non_null(shown);
    memset(pixels, 255, (size_t)width * (size_t)height * 4);
    const struct render_pixels target = {(uint8_t *)pixels, width, height, width * 4, false};
    assert_true(render_cairo_pixels(press->player, press->canvas, scale, NULL, target, NULL));
    for (int i = 0; i < width * height; i++) {
        const uint32_t pixel = pixels[i];
        memcpy(shown + 4 * i,
               (uint8_t[]){(uint8_t)(pixel >> 16), (uint8_t)(pixel >> 8), (uint8_t)pixel, 255}, 4);
    }
    free(pixels);
    return shown;
}

static int largest_difference(const uint8_t *a, const uint8_t *b, int count)
{
    int most = 0;
    for (int i = 0; i < count; i++) {
        most = abs(a[i] - b[i]) > most ? abs(a[i] - b[i]) : most;
    }
    return most;
}

/* --- what is asked --- */

static void a_gif_holds_the_pictures_and_their_times(void **state)
{
    struct press *press = *state;
    const struct render_figure figure = {
        .scale = 2, .ground = &PAPER, .description = "cats & dogs"};
    struct reader reader = {film(press, "GIF", &figure), 0};
    GifFileType *gif = read_gif(&reader);
    assert_int_equal(gif->SWidth, 200);
    assert_int_equal(gif->SHeight, 120);
    assert_int_equal(gif->ImageCount, PICTURES); /* the last came twice, and stays longer */
    for (int i = 0; i < PICTURES; i++) {
        GraphicsControlBlock control;
        assert_int_equal(DGifSavedExtensionToGCB(gif, i, &control), GIF_OK);
        assert_int_equal(control.DelayTime, i < PICTURES - 1 ? 10 : 100);
    }
    uint8_t *shown = shown_gif(gif, PICTURES), *right = drawn(press, 2, 200, 120);
    assert_int_equal(largest_difference(shown, right, 200 * 120 * 4), 0);
    free(shown);
    free(right);
    DGifCloseFile(gif, NULL);
}

static void a_gif_is_small_because_it_holds_what_changes(void **state)
{
    struct press *press = *state;
    struct reader reader = {film(press, "gif", &(struct render_figure){.ground = &PAPER}), 0};
    GifFileType *gif = read_gif(&reader);
    for (int i = 1; i < gif->ImageCount; i++) {
        assert_int_equal(gif->SavedImages[i].ImageDesc.Width, 20);
        assert_int_equal(gif->SavedImages[i].ImageDesc.Height, 10);
    }
    DGifCloseFile(gif, NULL);
}

static void many_colours_become_255_that_are_near(void **state)
{
    struct press *press = *state;
    struct error error = {0};
    struct bytes file = {0};
    enum { SIDE = 128 };
    struct colour *cells = malloc(SIDE * SIDE * sizeof *cells);
    assert_non_null(cells);
    for (int i = 0; i < SIDE * SIDE; i++) {
        cells[i] = (struct colour){(uint8_t)(i % SIDE * 2), (uint8_t)(i / SIDE * 2), 128, 255};
    }
    canvas_begin(press->canvas, SIDE, SIDE);
    canvas_image(press->canvas, (struct rect){0, 0, SIDE, SIDE}, SIDE, SIDE, cells);
    free(cells);
    struct animation *animation =
        animation_open(animation_format_find("gif"), &(struct render_figure){.ground = &PAPER},
                       SIDE, SIDE, &error);
    assert_non_null(animation);
    assert_true(animation_add(animation, press->player, press->canvas, 1, &error));
    assert_true(animation_end(animation, &press->arena, &file, &error));
    animation_close(animation);
    struct reader reader = {file, 0};
    GifFileType *gif = read_gif(&reader);
    uint8_t *shown = shown_gif(gif, 1), *right = drawn(press, 1, SIDE, SIDE);
    const int difference = largest_difference(shown, right, SIDE * SIDE * 4);
    assert_true(difference > 0 && difference <= 16);
    free(shown);
    free(right);
    DGifCloseFile(gif, NULL);
}

static void a_transparent_gif_has_nothing_where_nothing_is_drawn(void **state)
{
    struct press *press = *state;
    struct reader reader = {film(press, "gif", &(struct render_figure){.scale = 1}), 0};
    GifFileType *gif = read_gif(&reader);
    for (int i = 0; i < gif->ImageCount; i++) {
        GraphicsControlBlock control;
        assert_int_equal(DGifSavedExtensionToGCB(gif, i, &control), GIF_OK);
        assert_int_equal(control.DisposalMode, DISPOSE_BACKGROUND);
        const uint8_t *places = gif->SavedImages[i].RasterBits;
        assert_int_equal(places[0], control.TransparentColor);
        assert_int_not_equal(places[25 * 100 + 15 + 10 * i], control.TransparentColor);
    }
    DGifCloseFile(gif, NULL);
}

static void a_webp_shows_the_drawing_to_the_pixel(void **state)
{
    struct press *press = *state;
    const struct render_figure figure = {.scale = 2, .ground = &PAPER};
    const struct bytes file = film(press, "webp", &figure);
    WebPAnimDecoderOptions options;
    WebPAnimDecoderOptionsInit(&options);
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&(WebPData){file.at, file.size}, &options);
    assert_non_null(decoder);
    WebPAnimInfo facts;
    assert_true(WebPAnimDecoderGetInfo(decoder, &facts));
    assert_int_equal(facts.canvas_width, 200);
    assert_int_equal(facts.canvas_height, 120);
    assert_int_equal(facts.loop_count, 0);
    int pictures = 0, time = 0;
    uint8_t *shown = NULL;
    for (; WebPAnimDecoderHasMoreFrames(decoder); pictures++) {
        assert_true(WebPAnimDecoderGetNext(decoder, &shown, &time));
        draw_walk(press, pictures < PICTURES ? pictures : PICTURES - 1);
        uint8_t *right = drawn(press, 2, 200, 120);
        assert_int_equal(largest_difference(shown, right, 200 * 120 * 4), 0);
        free(right);
    }
    assert_true(pictures == PICTURES || pictures == PICTURES + 1);
    assert_int_equal(time, 1400);
    WebPAnimDecoderDelete(decoder);
}

static void equal_pictures_give_equal_files(void **state)
{
    struct press *press = *state;
    for (size_t f = 0; animation_format_at(f) != NULL; f++) {
        const char *suffix = animation_format_at(f)->suffix;
        const struct render_figure figure = {.ground = &PAPER};
        const struct bytes one = film(press, suffix, &figure), two = film(press, suffix, &figure);
        assert_int_equal(one.size, two.size);
        assert_memory_equal(one.at, two.at, one.size);
    }
}

/* Walks, and hands what stands behind the cut to another; 0: there is none. */
static struct bytes film_cut(struct press *press, const struct animation_format *format,
                             const struct render_figure *figure, const int *walk, int pictures,
                             int cut)
{
    struct error error = {0};
    struct bytes file = {0};
    struct animation *const first = animation_open(format, figure, 100, 60, &error);
    struct animation *const behind =
        cut == 0 ? NULL : animation_follow(first, 0.0334 * cut, &error);
    assert_true(first != NULL && (behind != NULL || cut == 0));
    for (int i = 0; i < pictures; i++) {
        draw_walk(press, walk[i]);
        assert_true(animation_add(cut == 0 || i < cut ? first : behind, press->player,
                                  press->canvas, 0.0334, &error));
        if (cut > 0 && i + 1 == cut) { /* what the next is compared with */
            assert_true(animation_add(behind, press->player, press->canvas, 0, &error));
        }
    }
    assert_true(cut == 0 || animation_join(first, behind, &error));
    assert_true(animation_end(first, &press->arena, &file, &error));
    animation_close(behind);
    animation_close(first);
    assert_int_equal(error.code, ERROR_NONE);
    return file;
}

/* Two threads, or more, make the file that one makes: also where the pictures on both sides of the
 * cut are equal. */
static void pictures_drawn_apart_give_the_same_file(void **state)
{
    struct press *press = *state;
    static const int walk[] = {0, 1, 1, 1, 2, 3, 3};
    enum { ALL = sizeof walk / sizeof walk[0] };
    const struct render_figure figures[] = {
        {.ground = &PAPER, .description = "A walk"},
        {.description = "A walk on nothing"},
    };
    for (size_t f = 0; animation_format_at(f) != NULL; f++) {
        const struct animation_format *const format = animation_format_at(f);
        for (size_t g = 0; g < sizeof figures / sizeof figures[0]; g++) {
            const struct bytes whole = film_cut(press, format, &figures[g], walk, ALL, 0);
            for (int cut = 1; cut < ALL; cut++) {
                const struct bytes file = film_cut(press, format, &figures[g], walk, ALL, cut);
                assert_int_equal(file.size, whole.size);
                assert_memory_equal(file.at, whole.at, whole.size);
            }
        }
    }
}

/* One thread lays out and others draw: fewer pictures than one of them takes, as many, many
 * more. */
static void a_crew_makes_the_file_that_one_makes(void **state)
{
    struct press *press = *state;
    static const int walks[] = {1, 2, 24, 25, 26, 49, 130};
    const struct render_figure figure = {.ground = &PAPER};
    for (size_t w = 0; w < sizeof walks / sizeof walks[0]; w++) {
        int walk[130];
        for (int i = 0; i < walks[w]; i++) {
            walk[i] = i % 24 == 0 ? 3 : i / 2 % 7; /* equal ones follow each other, too */
        }
        for (size_t f = 0; animation_format_at(f) != NULL; f++) {
            const struct animation_format *const format = animation_format_at(f);
            const struct bytes whole = film_cut(press, format, &figure, walk, walks[w], 0);
            for (size_t threads = 1; threads <= 5; threads += 2) {
                struct error error = {0};
                struct bytes file = {0};
                struct animation *const film = animation_open(format, &figure, 100, 60, &error);
                struct animation_crew *const crew = animation_crew_open(film, threads, &error);
                for (int i = 0; i < walks[w]; i++) {
                    draw_walk(press, walk[i]);
                    assert_true(
                        animation_crew_add(crew, press->player, press->canvas, 0.0334, &error));
                }
                assert_true(animation_crew_end(crew, &error));
                assert_true(animation_end(film, &press->arena, &file, &error));
                animation_crew_close(crew);
                animation_close(film);
                assert_int_equal(file.size, whole.size);
                assert_memory_equal(file.at, whole.at, whole.size);
            }
        }
    }
}

/* Given up in the middle, it waits for what is being drawn. */
static void a_crew_can_be_given_up(void **state)
{
    struct press *press = *state;
    struct error error = {0};
    const struct render_figure figure = {.ground = &PAPER};
    struct animation *const film = animation_open(animation_format_at(0), &figure, 100, 60, &error);
    struct animation_crew *const crew = animation_crew_open(film, 3, &error);
    for (int i = 0; i < 90; i++) {
        draw_walk(press, i % 7);
        assert_true(animation_crew_add(crew, press->player, press->canvas, 0.05, &error));
    }
    animation_crew_close(crew);
    animation_close(film);
}

static void what_is_too_large_is_refused_in_a_sentence(void **state)
{
    (void)state;
    static const float sides[] = {0, 20000, 8000};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        struct error error = {0};
        assert_null(animation_open(animation_format_at(0),
                                   &(struct render_figure){.ground = &PAPER}, sides[i], sides[i],
                                   &error));
        assert_non_null(strstr(error.text, "too large"));
    }
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, press_open, press_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        a_test(a_gif_holds_the_pictures_and_their_times),
        a_test(a_gif_is_small_because_it_holds_what_changes),
        a_test(many_colours_become_255_that_are_near),
        a_test(a_transparent_gif_has_nothing_where_nothing_is_drawn),
        a_test(a_webp_shows_the_drawing_to_the_pixel),
        a_test(equal_pictures_give_equal_files),
        a_test(pictures_drawn_apart_give_the_same_file),
        a_test(a_crew_makes_the_file_that_one_makes),
        a_test(a_crew_can_be_given_up),
        a_test(what_is_too_large_is_refused_in_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
