/* Both players of the screen held against each other: the same list, nearly the same pixels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <SDL.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/render/render.h"
#include "sample.h"

enum { SKIPPED = 77 };

struct screens {
    struct fonts *fonts;
    struct canvas *canvas;
    struct render_cairo *cairo;
    struct render_sdl *sdl;
    SDL_Window *window;
    SDL_Renderer *renderer;
};

static const struct colour GROUND = {0xf6, 0xf5, 0xf2, 255};

/* OpenGL, on a GPU or by llvmpipe. SDL's own renderer cuts vertices to whole pixels. */
static bool open_window(struct screens *screens)
{
    SDL_SetHint(SDL_HINT_RENDER_DRIVER, "opengl");
    SDL_SetHint(SDL_HINT_RENDER_BATCHING, "1");
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        return false;
    }
    screens->window = SDL_CreateWindow("players", 0, 0, 2 * SAMPLE_WIDTH, 2 * SAMPLE_HEIGHT,
                                       SDL_WINDOW_OPENGL | SDL_WINDOW_BORDERLESS);
    screens->renderer = screens->window == NULL
                            ? NULL
                            : SDL_CreateRenderer(screens->window, -1, SDL_RENDERER_ACCELERATED);
    return screens->renderer != NULL;
}

static uint32_t *render_cairo_to(struct screens *screens, float scale, int width, int height)
{
    uint32_t *pixels = malloc((size_t)width * (size_t)height * 4);
    struct error error = {0};
    assert_non_null(pixels);
    for (int i = 0; i < width * height; i++) {
        pixels[i] = 0xfff6f5f2;
    }
    const struct render_pixels target = {(uint8_t *)pixels, width, height, width * 4, false};
    assert_true(render_cairo_pixels(screens->cairo, screens->canvas, scale, NULL, target, &error));
    return pixels;
}

static uint32_t *render_sdl_to(struct screens *screens, float scale, int width, int height)
{
    uint32_t *pixels = malloc((size_t)width * (size_t)height * 4);
    struct error error = {0};
    assert_non_null(pixels);
    if (!render_sdl_play(screens->sdl, screens->canvas, scale, GROUND, &error)) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(SDL_RenderReadPixels(screens->renderer, &(SDL_Rect){0, 0, width, height},
                                          SDL_PIXELFORMAT_ARGB8888, pixels, width * 4),
                     0);
    SDL_RenderPresent(screens->renderer);
    return pixels;
}

/* Mean difference of a channel in percent of full scale. */
static double difference(const uint32_t *a, const uint32_t *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        for (int shift = 0; shift < 24; shift += 8) {
            sum += abs((int)(a[i] >> shift & 255) - (int)(b[i] >> shift & 255));
        }
    }
    return sum / (3.0 * 255 * count) * 100;
}

static double compare(struct screens *screens, float scale)
{
    const int width = (int)(SAMPLE_WIDTH * scale);
    const int height = (int)(SAMPLE_HEIGHT * scale);
    uint32_t *cairo = render_cairo_to(screens, scale, width, height);
    uint32_t *sdl = render_sdl_to(screens, scale, width, height);
    const double percent = difference(cairo, sdl, width * height);
    const char *folder = getenv("ATTNSCOPE_KEEP_PICTURES");
    for (int i = 0; folder != NULL && i < 2; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s-%g.bmp", folder, i == 0 ? "cairo" : "sdl",
                 (double)scale);
        SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormatFrom(
            i == 0 ? cairo : sdl, width, height, 32, width * 4, SDL_PIXELFORMAT_RGB888);
        SDL_SaveBMP(surface, path);
        SDL_FreeSurface(surface);
    }
    free(cairo);
    free(sdl);
    return percent;
}

static void both_players_show_the_same_picture(void **state)
{
    static const float scales[] = {1, 1.25f, 1.5f, 2};
    struct screens *screens = *state;
    sample_draw(screens->canvas);
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        const double percent = compare(screens, scales[i]);
        print_message("scale %g: %.3f %%\n", (double)scales[i], percent);
        assert_true(percent < 1);
    }
}

static void shapes_alone_differ_by_next_to_nothing(void **state)
{
    struct screens *screens = *state;
    struct canvas *canvas = screens->canvas;
    const struct colour ink = {20, 60, 120, 255};
    const struct point arrow[] = {{40, 150},  {120, 150}, {120, 130}, {160, 165},
                                  {120, 200}, {120, 180}, {40, 180}};
    canvas_begin(canvas, SAMPLE_WIDTH, SAMPLE_HEIGHT);
    for (int i = 0; i < 20; i++) {
        const float at = (float)i;
        canvas_circle(canvas, 20 + at * 22.3f, 30, 1 + at / 2, &(struct paint){.fill = ink});
        canvas_line(canvas, 10 + at * 20, 60, 30 + at * 23, 110, 0.5f + at / 4, ink);
    }
    canvas_path(canvas, arrow, 7, true, &(struct paint){.fill = ink});
    canvas_rect(canvas, (struct rect){200, 130, 120, 70}, 14,
                &(struct paint){.fill = GROUND, .stroke = ink, .width = 3});
    canvas_rect(canvas, (struct rect){340.3f, 130.6f, 100.4f, 70.2f}, 20,
                &(struct paint){.fill = colour_fade(ink, 0.4f)});
    assert_true(compare(screens, 1) < 0.25);
    assert_true(compare(screens, 2) < 0.25);
}

static void a_full_letter_texture_is_emptied_and_used_again(void **state)
{
    struct screens *screens = *state;
    struct canvas *canvas = screens->canvas;
    for (int frame = 0; frame < 6; frame++) {
        canvas_begin(canvas, SAMPLE_WIDTH, SAMPLE_HEIGHT);
        for (int i = 0; i < 900; i++) {
            char text[24];
            snprintf(text, sizeof text, "%d.%03d", frame, i);
            canvas_text(canvas, (float)(i % 10) * 48, (float)(i / 10) * 3.3f + 10, FONT_NUMBERS, 12,
                        (struct colour){0, 0, 0, 255}, CANVAS_LEFT, text);
        }
        free(render_sdl_to(screens, 2, 10, 10));
    }
    sample_draw(canvas);
    assert_true(compare(screens, 2) < 1);
}

static void the_software_renderer_is_no_gpu(void **state)
{
    (void)state;
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, 8, 8, 32, SDL_PIXELFORMAT_ARGB8888);
    SDL_Renderer *renderer = SDL_CreateSoftwareRenderer(surface);
    assert_non_null(renderer);
    assert_false(render_sdl_is_accelerated(renderer));
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(surface);
}

static void close_screens(struct screens *screens)
{
    render_sdl_close(screens->sdl);
    render_cairo_close(screens->cairo);
    canvas_close(screens->canvas);
    fonts_close(screens->fonts);
    if (screens->renderer != NULL) {
        SDL_DestroyRenderer(screens->renderer);
    }
    if (screens->window != NULL) {
        SDL_DestroyWindow(screens->window);
    }
    SDL_Quit();
}

int main(void)
{
    struct screens screens = {0};
    struct error error = {0};
    if (!open_window(&screens)) {
        printf("No OpenGL here: %s\n", SDL_GetError());
        SDL_Quit();
        return SKIPPED;
    }
    screens.fonts = fonts_open(&error);
    screens.canvas = canvas_open(screens.fonts);
    screens.cairo = render_cairo_open(screens.fonts, &error);
    screens.sdl = render_sdl_open(screens.fonts, screens.renderer, &error);
    if (screens.sdl == NULL) {
        printf("%s\n", error.text);
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(both_players_show_the_same_picture, &screens),
        cmocka_unit_test_prestate(shapes_alone_differ_by_next_to_nothing, &screens),
        cmocka_unit_test_prestate(a_full_letter_texture_is_emptied_and_used_again, &screens),
        cmocka_unit_test_prestate(the_software_renderer_is_no_gpu, &screens),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close_screens(&screens);
    return failed;
}
