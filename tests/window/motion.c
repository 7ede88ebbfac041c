/* Motion: stages come out of each other, sums are taken apart, and every moment can be gone to. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hands.h"
#include "view/parts/playback.h"

static struct hands *open_moving(const char *lesson)
{
    struct hands *hands = hands_open(lesson, 1440, 900);
    hands->input.reduce_motion = false;
    hands_wait(hands, 1);
    return hands;
}

/* Says whether such a text stands with its middle at x, y. */
static bool stands_at(struct hands *hands, const char *words, float x, float y)
{
    struct rect area;
    for (size_t i = 0; canvas_find_text(hands_canvas(hands), words, i, &area); i++) {
        if (fabsf(area.x + area.w / 2 - x) < 1.5f && fabsf(area.y + area.h / 2 - y) < 1.5f) {
            return true;
        }
    }
    return false;
}

static void drag_playhead(struct hands *hands, double place)
{
    app_state_scrub(hands->state, place, hands->input.time);
    hands_frame(hands);
}

static void the_former_stage_lies_underneath_for_a_moment(void **state)
{
    (void)state;
    struct hands *hands = open_moving("cats");
    hands_key(hands, "2");
    hands_wait(hands, 1);
    hands_expect(hands, "W_Q");
    hands_key(hands, "3");
    hands_expect(hands, "W_Q");
    hands_wait(hands, 0.4);
    hands_expect_not(hands, "W_Q");
    hands->input.reduce_motion = true;
    hands_key(hands, "2");
    hands_key(hands, "3");
    hands_expect_not(hands, "W_Q");
    hands_close(hands);
}

static void scores_glide_from_where_they_were_to_where_they_are_scaled(void **state)
{
    (void)state;
    struct hands *hands = open_moving("cats");
    hands_key(hands, "3");
    hands_wait(hands, 1);
    const struct point from = hands_find(hands, "26.00", 0);
    hands_key(hands, "4");
    hands_wait(hands, 1);
    const struct point to = hands_find(hands, "26.00", 0);
    assert_true(fabsf(to.x - from.x) + fabsf(to.y - from.y) > 40);
    drag_playhead(hands, LAB_SCALE + 0.5 / 16);
    const float share = 1 - 0.5f * 0.5f * 0.5f; /* eased */
    assert_true(stands_at(hands, "26.00", from.x + (to.x - from.x) * share,
                          from.y + (to.y - from.y) * share));
    drag_playhead(hands, LAB_SCALE);
    assert_true(stands_at(hands, "26.00", from.x, from.y));
    assert_false(stands_at(hands, "26.00", to.x, to.y));
    hands_close(hands);
}

static void back_at_a_moment_it_looks_the_same(void **state)
{
    (void)state;
    struct hands *hands = open_moving("cats");
    static const double places[] = {0.3, 1.02, 1.7, 2.4, 3.03, 4.5, 5.2, 6.9};
    enum { PLACES = sizeof places / sizeof *places };
    uint64_t seen[PLACES];
    for (size_t i = 0; i < PLACES; i++) {
        drag_playhead(hands, places[i]);
        hands_wait(hands, 0.3);
        seen[i] = hands_reading(hands);
        assert_true(i == 0 || seen[i] != seen[i - 1]);
    }
    for (size_t i = PLACES; i-- > 0;) {
        drag_playhead(hands, places[i]);
        hands_wait(hands, 0.3);
        assert_true(hands_reading(hands) == seen[i]);
    }
    hands_close(hands);
}

static void the_scrubber_is_dragged_to_any_moment(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    struct rect track;
    assert_true(canvas_find_group(hands_canvas(hands), "Moment", 0, &track));
    const float y = track.y + track.h / 2;
    const struct point score = hands_find(hands, "Score", 0), blend = hands_find(hands, "Blend", 0);
    hands_drag(hands, score.x, y, blend.x, y);
    assert_int_equal(hands->state->view.playback.stage, LAB_BLEND);
    assert_true(hands->state->view.playback.position > 0.1f &&
                hands->state->view.playback.position < 0.9f);
    hands_drag(hands, blend.x, y, score.x, y);
    assert_int_equal(hands->state->view.playback.stage, LAB_SCORE);
    assert_true(hands->state->view.playback.position > 0.1f &&
                hands->state->view.playback.position < 0.9f);
    assert_false(hands->state->view.playback.playing);
    hands_close(hands);
}

static void alt_and_arrows_step_through_cells_and_rows_and_back(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands->state->view.pinned.query = 0;
    drag_playhead(hands, LAB_SCORE + 1.0 / 16);
    assert_int_equal(hands_count(hands, "26.00"), 0);
    const size_t steps[] = {1, 4, 8, 12, 16, 16}; /* cells there: the first, then rows */
    float former = -1;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        hands_key(hands, "Alt+Right");
        assert_true(hands->state->view.playback.position > former);
        former = hands->state->view.playback.position;
        const bool lion = steps[i] >= 12;
        assert_int_equal(hands_count(hands, "26.00") > 0, lion);
    }
    assert_true(hands->state->view.playback.position >= 1);
    hands_key(hands, "Alt+Right");
    assert_int_equal(hands->state->view.playback.stage, LAB_SCALE);
    hands_key(hands, "Alt+Left");
    assert_int_equal(hands->state->view.playback.stage, LAB_SCORE);
    for (int i = 0; i < 4; i++) {
        hands_key(hands, "Alt+Left");
    }
    assert_int_equal(hands_count(hands, "26.00"), 0);
    hands_close(hands);
}

/* Samples of play during which each query's row is the one that is computed. */
static void count_rows(struct hands *hands, enum lab_stage stage, size_t samples[4])
{
    enum { SAMPLES = 400 };
    memset(samples, 0, 4 * sizeof *samples);
    for (size_t i = 0; i < SAMPLES; i++) {
        const struct playback playback = {.stage = stage, .position = (float)i / SAMPLES};
        struct lab_selection selection = hands->state->view.pinned;
        assert_true(view_playback_cell(hands->state->document.trace, &playback,
                                       hands->state->view.pinned.query, &selection));
        assert_true(selection.query < 4);
        samples[selection.query]++;
    }
}

static void play_spends_its_time_on_the_chosen_row(void **state)
{
    (void)state;
    static const char *const words[] = {"cat", "dog", "lion", "NYC"};
    struct hands *hands = hands_open("cats", 1440, 900);
    assert_int_equal(lab_trace_sizes(hands->state->document.trace).n, 4);
    for (size_t chosen = 0; chosen < 4; chosen++) {
        hands_key(hands, "3");
        hands_click(hands, words[chosen]);
        hands_move(hands, 1, 1);
        assert_int_equal(hands->state->view.pinned.query, chosen);
        for (enum lab_stage stage = LAB_PROJECT; stage <= LAB_SCORE; stage++) {
            size_t samples[4];
            count_rows(hands, stage, samples);
            for (size_t row = 0; row < 4; row++) {
                assert_true(row == chosen || samples[row] * 3 < samples[chosen]);
            }
        }
    }
    hands_close(hands);
}

/* The output grows row by row, and a row that has passed is complete. */
static void the_rows_before_the_chosen_one_pass_whole(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands->state->view.pinned.query = 3;
    drag_playhead(hands, LAB_SCORE + 1.0 / 16);
    assert_int_equal(hands_count(hands, "26.00"), 0);
    assert_int_equal(hands_count(hands, "7.25"), 0); /* the strip does not tell it before */
    for (size_t rows = 1; rows <= 3; rows++) {
        hands_key(hands, "Alt+Right");
        assert_int_equal(hands_count(hands, "26.00") > 0, rows >= 3); /* lion's row */
    }
    hands_expect(hands, "score( NYC → cat ) = q(NYC) · k(cat)");
    hands_close(hands);
}

/* The strip spells out what is there, never what is still to come. */
static void the_strip_waits_for_its_cell_at_embed_and_scale(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "lion");
    hands_move(hands, 1, 1);
    drag_playhead(hands, LAB_EMBED + 0.1);
    hands_expect_not(hands, "x(lion)[petness]");
    hands_expect_not(hands, "-1.0");
    drag_playhead(hands, LAB_EMBED + 0.9);
    hands_expect(hands, "x(lion)[petness]");
    drag_playhead(hands, LAB_SCALE + 0.3);
    assert_int_equal(hands_count_part(hands, "lion → cat"), 0);
    drag_playhead(hands, LAB_SCALE + 0.9);
    assert_true(hands_count_part(hands, "lion → cat") + hands_count_part(hands, "NYC → cat") > 0);
    hands_close(hands);
}

static void the_scrubber_takes_the_arrows_while_it_has_the_focus(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    drag_playhead(hands, LAB_SCORE + 0.2);
    for (int i = 0; i < 60; i++) {
        hands_key(hands, "Tab");
        const float position = hands->state->view.playback.position;
        hands_key(hands, "Right");
        if (hands->state->view.playback.stage == LAB_SCORE &&
            hands->state->view.playback.position != position) {
            hands_key(hands, "Home");
            assert_true(view_place(&hands->state->view.playback) < LAB_SCORE + 0.07);
            hands_key(hands, "End");
            assert_true(hands->state->view.playback.position >= 1);
            hands_close(hands);
            return;
        }
        drag_playhead(hands, LAB_SCORE + 0.2);
    }
    fail_msg("Tab never came to the scrubber");
}

static void while_it_plays_the_sum_is_written_before_its_number(void **state)
{
    (void)state;
    struct hands *hands = open_moving("cats");
    hands->state->view.pinned.query = 0;
    drag_playhead(hands, LAB_SCORE + 1.0 / 16 + 0.1);
    hands_expect(hands, "score( cat → cat ) = q(cat) · k(cat)");
    assert_int_equal(hands_count(hands, "7.25"), 0);
    drag_playhead(hands, LAB_SCORE + 1.0 / 16 + 0.31);
    assert_true(hands_count(hands, "7.25") > 0);
    hands_close(hands);
}

/* α stands below the charts of its row and beside them, in the head and in the 3-D view: it comes
 * with the shares, which are the last chart, and not while scores or powers grow. */
static void no_weight_is_there_before_its_share(void **state)
{
    (void)state;
    static const char *const weights[] = {"0.362", "α 0.394", "0.476"};
    for (int presents = 0; presents < 2; presents++) {
        struct hands *hands = open_moving("cats");
        if (presents != 0) {
            hands_resize(hands, 1024, 768);
            hands_key(hands, "F5");
        }
        for (double within = 0.1; within < 1; within += 0.05) {
            drag_playhead(hands, LAB_SOFTMAX + within);
            const bool shares = hands->state->view.playback.position > 2.0f / 3;
            for (size_t w = 0; w < sizeof weights / sizeof *weights && !shares; w++) {
                assert_int_equal(hands_count(hands, weights[w]), 0);
            }
        }
        drag_playhead(hands, LAB_SOFTMAX + 0.8);
        assert_true(hands_count_part(hands, "0.36") > 0);
        hands_close(hands);
    }
}

static void play_pauses_goes_on_and_ends_at_the_output(void **state)
{
    (void)state;
    struct hands *hands = open_moving("cats");
    hands_key(hands, "1");
    hands_key(hands, "Space");
    hands_wait(hands, 2);
    hands_key(hands, "Space");
    const float position = hands->state->view.playback.position;
    assert_true(position > 0.1f && position < 1);
    hands_wait(hands, 2);
    assert_true(hands->state->view.playback.position == position);
    for (int i = 0; i < 6; i++) {
        hands_key(hands, "]");
    }
    hands_key(hands, "Space");
    hands_wait(hands, 7 * 4.2 / 8 + 2);
    assert_int_equal(hands->state->view.playback.stage, LAB_OUTPUT);
    assert_false(hands->state->view.playback.playing);
    assert_true(hands->state->view.playback.position >= 1);
    hands_close(hands);
}

static void what_was_kept_plays_beside_what_is_now(void **state)
{
    (void)state;
    struct hands *hands = open_moving("cats");
    hands_key(hands, "b");
    hands_key(hands, "3");
    hands_wait(hands, 1);
    hands_expect(hands, "B, kept");
    assert_int_equal(hands_count(hands, "26.00"), 2);
    drag_playhead(hands, LAB_SCORE + 0.3);
    hands_expect(hands, "B, kept");
    assert_int_equal(hands_count(hands, "26.00"), 0);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_former_stage_lies_underneath_for_a_moment),
        cmocka_unit_test(scores_glide_from_where_they_were_to_where_they_are_scaled),
        cmocka_unit_test(back_at_a_moment_it_looks_the_same),
        cmocka_unit_test(the_scrubber_is_dragged_to_any_moment),
        cmocka_unit_test(alt_and_arrows_step_through_cells_and_rows_and_back),
        cmocka_unit_test(play_spends_its_time_on_the_chosen_row),
        cmocka_unit_test(the_rows_before_the_chosen_one_pass_whole),
        cmocka_unit_test(the_strip_waits_for_its_cell_at_embed_and_scale),
        cmocka_unit_test(the_scrubber_takes_the_arrows_while_it_has_the_focus),
        cmocka_unit_test(while_it_plays_the_sum_is_written_before_its_number),
        cmocka_unit_test(no_weight_is_there_before_its_share),
        cmocka_unit_test(play_pauses_goes_on_and_ends_at_the_output),
        cmocka_unit_test(what_was_kept_plays_beside_what_is_now),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
