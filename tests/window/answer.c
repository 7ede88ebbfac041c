/* answer — milliseconds from a key press to its picture, for 64 tokens and 8 heads at 1440 × 900:
 * the frame, the pixels that it changes by Cairo, and beside them all pixels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "canvas/changes.h"
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

struct desk {
    struct hands *hands;
    struct play_cairo *player;
    struct changes *changes;
    uint8_t *pixels;
};

static void play(const struct desk *desk, const struct rect *area)
{
    const struct play_pixels pixels = {desk->pixels, WIDTH, HEIGHT, 4 * WIDTH, false};
    assert_true(play_cairo_pixels(desk->player, hands_canvas(desk->hands), 1, area, pixels, NULL));
}

static void play_changes(const struct desk *desk)
{
    struct rect area[CHANGES_MAX];
    const size_t areas =
        changes_find(desk->changes, hands_canvas(desk->hands), 1, WIDTH, HEIGHT, area);
    for (size_t i = 0; i < areas; i++) {
        play(desk, &area[i]);
    }
}

static void press(struct hands *hands, size_t turn)
{
    hands->input.stroke[0] = (struct ui_stroke){turn % 2 ? UI_KEY_UP : UI_KEY_DOWN, 0};
    hands->input.strokes = 1;
    hands_step(hands);
}

static void measure_stage(const struct desk *desk, enum lab_stage stage)
{
    double frames[TIMES], changes[TIMES], plays[TIMES];
    hands_click(desk->hands, lab_stage_row(stage)->title);
    hands_move(desk->hands, -1, -1);
    play_changes(desk);
    for (size_t i = 0; i < TIMES; i++) {
        const double began = milliseconds();
        press(desk->hands, i);
        const double framed = milliseconds();
        play_changes(desk);
        const double played = milliseconds();
        play(desk, NULL);
        frames[i] = framed - began;
        changes[i] = played - framed;
        plays[i] = milliseconds() - played;
    }
    printf("%-8s frame %6.2f ms   changed pixels %6.2f ms   all pixels %6.2f ms\n",
           lab_stage_row(stage)->name, middle(frames), middle(changes), middle(plays));
}

static void a_key_is_answered_within_a_frame(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("ten", WIDTH, HEIGHT);
    const struct desk desk = {hands, play_cairo_open(hands->fonts, NULL), changes_open(),
                              calloc((size_t)WIDTH * HEIGHT, 4)};
    assert_true(desk.player && desk.changes && desk.pixels);
    put_many_words(hands);
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        measure_stage(&desk, (enum lab_stage)stage);
    }
    free(desk.pixels);
    changes_close(desk.changes);
    play_cairo_close(desk.player);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_key_is_answered_within_a_frame)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
