/* Pictures of the window held against approved ones, pixel by pixel. A picture may differ a little
 * (fonts are drawn by the libraries of the machine): what a person would notice may not. */
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/startup.h"
#include "app/actions/step.h"
#include "app/draw/figure.h"
#include "app/learn/learn.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "base/file.h"

static const double MEAN_MAX = 0.4;      /* mean difference of a channel, of 255 */
static const double NOTICED_MAX = 0.004; /* share of pixels that differ by more than 48 */

static const char *approved_folder, *built_folder;

struct picture {
    const char *name, *lesson, *theme, *view;
    enum lab_stage stage;
    float width, height, scale;
    const char *text; /* read by the tiny model; NULL: no model is open */
    size_t step;      /* of a lesson whose weights learn, from 1; 0: as it opens */
};

static const struct picture pictures[] = {
    {"cats-embed", "cats", "light", "window", LAB_EMBED, 1440, 900, 1, NULL, 0},
    {"cats-project", "cats", "light", "window", LAB_PROJECT, 1440, 900, 1, NULL, 0},
    {"cats-score", "cats", "light", "window", LAB_SCORE, 1440, 900, 1, NULL, 0},
    {"cats-scale", "cats", "light", "window", LAB_SCALE, 1440, 900, 1, NULL, 0},
    {"cats-softmax", "cats", "light", "window", LAB_SOFTMAX, 1440, 900, 1, NULL, 0},
    {"cats-blend-dark", "cats", "dark", "window", LAB_BLEND, 1440, 900, 1, NULL, 0},
    {"cats-output", "cats", "light", "window", LAB_OUTPUT, 1440, 900, 1, NULL, 0},
    {"cats-score-narrow", "cats", "light", "window", LAB_SCORE, 960, 600, 1, NULL, 0},
    {"cats-score-twice", "cats", "light", "stage", LAB_SCORE, 668, 612, 2, NULL, 0},
    {"ten-softmax-dark", "ten", "dark", "window", LAB_SOFTMAX, 1440, 900, 1, NULL, 0},
    {"race-softmax", "race", "light", "window", LAB_SOFTMAX, 1440, 900, 1, NULL, 0},
    {"model", "cats", "light", "window", LAB_SOFTMAX, 1440, 900, 1, "the cat sat on the cat", 0},
    {"model-narrow", "cats", "dark", "window", LAB_SOFTMAX, 960, 600, 1, "the cat sat on the cat",
     0},
    {"why", "cats", "light", "window", LAB_SOFTMAX, 1440, 900, 1, "the cat sat on the cat", 0},
    {"why-narrow-dark", "cats", "dark", "window", LAB_SOFTMAX, 960, 600, 1,
     "the cat sat on the cat", 0},
    {"cats-space", "cats", "dark", "space", LAB_BLEND, 492, 470, 2, NULL, 0},
    {"learn", "learned", "light", "window", LAB_SOFTMAX, 1440, 900, 1, NULL, 6},
    {"learn-step", "onestep", "light", "window", LAB_PROJECT, 1440, 900, 1, NULL, 6},
    {"learn-narrow-dark", "reverse", "dark", "window", LAB_SOFTMAX, 960, 600, 1, NULL, 5},
};

static struct bytes draw(const struct picture *row, struct arena *arena)
{
    struct app_state *state = calloc(1, sizeof *state);
    assert_non_null(state);
    struct error error = {0};
    struct bytes png = {0};
    assert_true(app_state_open(state, row->lesson, NULL, &error));
    state->view.playback.stage = row->stage;
    if (row->text != NULL) {
        assert_true(app_open_model_open(state, getenv("TINY_MODEL"), row->text, 0));
        app_settle(state, 0);
    }
    if (row->step > 0) {
        app_lesson_go(state, row->step - 1, 0);
        assert_true(app_learn_watch(state, 0, 0, &error));
    }
    app_state_set_theme(state, ui_theme_find(row->theme));
    if (strncmp(row->name, "why", 3) == 0) {
        state->view.why_shown = true;
        app_settle(state, 0);
    }
    const struct app_figure picture = {.scene = app_state_scene(state),
                                       .view = row->view,
                                       .width = row->width,
                                       .height = row->height,
                                       .scale = row->scale};
    if (!app_picture_print(&picture, arena, &png, &error)) {
        fail_msg("%s: %s", row->name, error.text);
    }
    app_state_close(state);
    free(state);
    return png;
}

static uint8_t *decode(struct bytes file, const char *name, png_image *image)
{
    *image = (png_image){.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(image, file.at, file.size)) {
        fail_msg("%s cannot be read: %s", name, image->message);
    }
    image->format = PNG_FORMAT_RGBA;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(*image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(image, NULL, pixels, 0, NULL));
    return pixels;
}

/* Mean difference of a channel, and the share of pixels that a person would notice. */
static void compare(const uint8_t *a, const uint8_t *b, size_t pixels, double *mean,
                    double *noticed)
{
    uint64_t sum = 0, far = 0;
    for (size_t i = 0; i < pixels; i++) {
        int most = 0;
        for (size_t c = 0; c < 4; c++) {
            const int gap = abs(a[4 * i + c] - b[4 * i + c]);
            sum += (uint64_t)gap;
            most = gap > most ? gap : most;
        }
        far += most > 48;
    }
    *mean = (double)sum / (double)(4 * pixels);
    *noticed = (double)far / (double)pixels;
}

static void path_of(char *path, size_t size, const char *folder, const char *name)
{
    snprintf(path, size, "%s/%s.png", folder, name);
}

static bool looks_as_approved(const struct picture *row)
{
    struct arena arena = {0};
    struct error error = {0};
    const struct bytes drawn = draw(row, &arena);
    char approved[1024], built[1024];
    path_of(approved, sizeof approved, approved_folder, row->name);
    path_of(built, sizeof built, built_folder, row->name);
    if (getenv("ATTNSCOPE_APPROVE") != NULL) {
        assert_true(file_write(approved, drawn, &error));
    }
    struct bytes file = {0};
    if (!file_read(approved, 1 << 26, &arena, &file, &error)) {
        fail_msg("%s: there is no approved picture (%s)", row->name, error.text);
    }
    png_image image_a, image_b;
    uint8_t *a = decode(file, approved, &image_a), *b = decode(drawn, row->name, &image_b);
    assert_int_equal(image_a.width, image_b.width);
    assert_int_equal(image_a.height, image_b.height);
    double mean = 0, noticed = 0;
    compare(a, b, (size_t)image_a.width * image_a.height, &mean, &noticed);
    free(a);
    free(b);
    const bool same = mean <= MEAN_MAX && noticed <= NOTICED_MAX;
    if (!same) {
        file_write(built, drawn, &error);
        print_message("%s differs from %s (mean %.3f of 255, %.2f %% of the pixels)\n", built,
                      approved, mean, 100 * noticed);
    }
    arena_free(&arena);
    return same;
}

static void every_picture_looks_as_approved(void **state)
{
    (void)state;
    size_t differing = 0;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        differing += !looks_as_approved(&pictures[i]);
    }
    assert_int_equal(differing, 0);
}

/* The comparison itself must be able to fail. */
static void another_stage_is_another_picture(void **state)
{
    (void)state;
    struct arena arena = {0};
    png_image image_a, image_b;
    uint8_t *a = decode(draw(&pictures[2], &arena), "score", &image_a);
    uint8_t *b = decode(draw(&pictures[4], &arena), "softmax", &image_b);
    double mean = 0, noticed = 0;
    compare(a, b, (size_t)image_a.width * image_a.height, &mean, &noticed);
    assert_true(mean > MEAN_MAX);
    assert_true(noticed > NOTICED_MAX);
    free(a);
    free(b);
    arena_free(&arena);
}

static void a_picture_is_the_same_bytes_each_time(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct bytes first = draw(&pictures[5], &arena), second = draw(&pictures[5], &arena);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.at, second.at, first.size);
    arena_free(&arena);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: pictures APPROVED-FOLDER BUILT-FOLDER\n");
        return 2;
    }
    approved_folder = argv[1];
    built_folder = argv[2];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_picture_looks_as_approved),
        cmocka_unit_test(another_stage_is_another_picture),
        cmocka_unit_test(a_picture_is_the_same_bytes_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
