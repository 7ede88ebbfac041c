/* many_heads — milliseconds of a frame while the pointer walks over 12 × 12 heads of 1024 words at
 * 1440 × 900: the frame, the pixels that it changes by Cairo, and beside them all pixels; with the
 * stages of one head beside them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "canvas/draw/changes.h"
#include "canvas/render/render.h"
#include "hands.h"
#include "view/parts/head_overview.h"

enum { TOKENS = 1024, LAYERS = 12, HEADS = 12, WIDTH = 1440, HEIGHT = 900, TIMES = 201 };

/* Of this thread alone, so that other load counts little. */
static double read_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Weights that fall off the further the faster, one head unlike the other. */
static bool fill_falling(void *owner, size_t layer, size_t head, float *out)
{
    (void)owner;
    for (size_t i = 0; i < TOKENS; i++) {
        float sum = 0;
        for (size_t j = 0; j < TOKENS; j++) {
            const float far = (float)(i - j) * (float)(1 + layer + head);
            out[i * TOKENS + j] = j <= i ? 1 / (1 + far) : 0;
            sum += out[i * TOKENS + j];
        }
        for (size_t j = 0; j <= i; j++) {
            out[i * TOKENS + j] /= sum;
        }
    }
    return true;
}

static void put_words(struct hands *hands, const char **words)
{
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    assert_true(lab_experiment_set_tokens(&next, words, TOKENS, NULL));
    next.mask = LAB_MASK_CAUSAL;
    document_change(&hands->state->document, &next, "a change", hands->input.time);
    lab_experiment_release(&next);
    hands->state->view.prefs.whole_alpha = true;
    app_state_go(hands->state, LAB_SOFTMAX, hands->input.time);
    hands_frame(hands);
}

static void a_walk_over_many_heads_does_not_stutter(void **unused)
{
    (void)unused;
    static char text[TOKENS][8];
    static const char *words[TOKENS];
    for (size_t i = 0; i < TOKENS; i++) {
        snprintf(text[i], sizeof text[i], "w%zu", i % 300);
        words[i] = text[i];
    }
    struct hands *const hands = hands_open("cats", WIDTH, HEIGHT);
    put_words(hands, words);
    const double began = read_clock();
    struct lab_thumbnails *const thumbnails =
        lab_thumbnails_make(&(struct lab_thumbnails_source){.layers = LAYERS,
                                                            .heads = HEADS,
                                                            .n = TOKENS,
                                                            .m = TOKENS,
                                                            .queries = words,
                                                            .keys = words,
                                                            .weights = fill_falling},
                            NULL);
    assert_non_null(thumbnails);
    printf("looking at all heads once %.0f ms\n", read_clock() - began);
    struct view_head_overview head_overview = {
        .title = "many heads", .thumbnails = thumbnails, .head_measure = LAB_HEAD_MEASURES};
    hands->state->view.head_overview = &head_overview;
    hands_frame(hands);
    struct render_cairo *const player = render_cairo_open(hands->fonts, NULL);
    struct changes *const changes = changes_open();
    uint8_t *const at = calloc((size_t)WIDTH * HEIGHT, 4);
    const struct render_pixels pixels = {at, WIDTH, HEIGHT, 4 * WIDTH, false};
    assert_true(player != NULL && changes != NULL && at != NULL);
    double frames[TIMES], changed[TIMES], whole[TIMES];
    for (size_t i = 0; i < TIMES; i++) {
        struct rect area[CHANGES_MAX];
        hands->input.x = 80 + (float)(i % 40) * 12;
        hands->input.y = 240 + (float)(i % 40) * 9;
        hands->input.inside = true;
        const double start = read_clock();
        hands_step(hands);
        const double framed = read_clock();
        const size_t areas = changes_find(changes, hands_canvas(hands), 1, WIDTH, HEIGHT, area);
        for (size_t a = 0; a < areas; a++) {
            assert_true(
                render_cairo_pixels(player, hands_canvas(hands), 1, &area[a], pixels, NULL));
        }
        const double played = read_clock();
        assert_true(render_cairo_pixels(player, hands_canvas(hands), 1, NULL, pixels, NULL));
        frames[i] = framed - start;
        changed[i] = played - framed;
        whole[i] = read_clock() - played;
    }
    qsort(frames, TIMES, sizeof *frames, by_size);
    qsort(changed, TIMES, sizeof *changed, by_size);
    qsort(whole, TIMES, sizeof *whole, by_size);
    printf("12 × 12 × 1024  frame %6.2f ms   changed pixels %6.2f ms   all pixels %6.2f ms\n",
           frames[TIMES / 2], changed[TIMES / 2], whole[TIMES / 2]);
    free(at);
    changes_close(changes);
    render_cairo_close(player);
    hands->state->view.head_overview = NULL;
    lab_thumbnails_release(thumbnails);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_walk_over_many_heads_does_not_stutter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
