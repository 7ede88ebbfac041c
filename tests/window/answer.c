/* answer — milliseconds from a key press to its picture, for 64 tokens and 8 heads at 1440 × 900:
 * the frame, and its pixels by Cairo. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "canvas/play.h"
#include "hands.h"
#include "lab/stage.h"

enum { TOKENS = 64, WIDTH = 1440, HEIGHT = 900, TIMES = 21 };

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double middle(double times[TIMES])
{
    qsort(times, TIMES, sizeof times[0], by_size);
    return times[TIMES / 2];
}

static void put_many_words(struct hands *hands)
{
    static char text[TOKENS][8];
    const char *words[TOKENS];
    for (size_t i = 0; i < TOKENS; i++) {
        snprintf(text[i], sizeof text[i], "w%zu", i);
        words[i] = text[i];
    }
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->experiment);
    assert_true(lab_experiment_set_tokens(&next, words, TOKENS, NULL));
    app_state_change(hands->state, &next, "a change", hands->input.time);
    lab_experiment_release(&next);
    hands_frame(hands);
}

static void a_key_is_answered_within_a_frame(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("ten", WIDTH, HEIGHT);
    struct play_cairo *player = play_cairo_open(hands->fonts, NULL);
    uint8_t *pixels = calloc((size_t)WIDTH * HEIGHT, 4);
    assert_true(player && pixels);
    put_many_words(hands);
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        double frames[TIMES], plays[TIMES];
        hands_click(hands, lab_stage_row((enum lab_stage)stage)->title);
        hands_move(hands, -1, -1);
        for (size_t i = 0; i < TIMES; i++) {
            hands->input.stroke[0] = (struct ui_stroke){i % 2 ? UI_KEY_UP : UI_KEY_DOWN, 0};
            hands->input.strokes = 1;
            double began = milliseconds();
            hands_step(hands);
            frames[i] = milliseconds() - began;
            began = milliseconds();
            assert_true(play_cairo_pixels(
                player, hands_canvas(hands), 1, NULL,
                (struct play_pixels){pixels, WIDTH, HEIGHT, 4 * WIDTH, false}, NULL));
            plays[i] = milliseconds() - began;
        }
        printf("%-8s frame %6.2f ms   pixels %6.2f ms\n",
               lab_stage_row((enum lab_stage)stage)->name, middle(frames), middle(plays));
    }
    free(pixels);
    play_cairo_close(player);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_key_is_answered_within_a_frame)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
