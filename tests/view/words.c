/* Words in space: each can be read, and belongs to its point. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sight.h"
#include "view/parts/pieces.h"

static bool overlap(struct rect a, struct rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static bool covers(struct rect area, struct rect circle)
{
    const float radius = circle.w / 2 - 0.1f, x = circle.x + circle.w / 2,
                y = circle.y + circle.h / 2;
    const float dx = x - fminf(fmaxf(x, area.x), area.x + area.w);
    const float dy = y - fminf(fmaxf(y, area.y), area.y + area.h);
    return dx * dx + dy * dy < radius * radius;
}

static void look_at_words(const struct sight *sight)
{
    struct rect word[SIGHT_FOUND_MAX], point[SIGHT_FOUND_MAX];
    const size_t words = sight_words(sight, word), points = sight_points(sight, point);
    const struct rect area = sight->area;
    assert_true(words > 0 && points > 0);
    for (size_t i = 0; i < words; i++) {
        assert_true(word[i].x >= area.x && word[i].x + word[i].w <= area.x + area.w);
        assert_true(word[i].y >= area.y && word[i].y + word[i].h <= area.y + area.h);
        for (size_t j = 0; j < i; j++) {
            assert_false(overlap(word[i], word[j]));
        }
        for (size_t p = 0; p < points; p++) {
            assert_false(covers(word[i], point[p]));
        }
    }
}

static void words_overlap_neither_each_other_nor_points(void **unused)
{
    (void)unused;
    static const enum lab_stage stages[] = {LAB_EMBED, LAB_SCORE, LAB_SOFTMAX, LAB_BLEND};
    static const struct {
        enum sight_kind kind;
        size_t count;
    } rows[] = {{SIGHT_TOY, 4}, {SIGHT_RANDOM, 10}, {SIGHT_RANDOM, 64}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct sight sight;
        sight_open(&sight, rows[r].kind, NULL, rows[r].count);
        for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
            sight.state.playback.stage = stages[s];
            sight_from_everywhere(&sight, look_at_words);
        }
        sight_close(&sight);
    }
}

static void look_for_four_words(const struct sight *sight)
{
    static const char *const words[] = {"cat", "dog", "lion", "NYC"};
    for (size_t i = 0; i < 4; i++) {
        struct rect area;
        assert_true(canvas_find_text(sight->canvas, words[i], 0, &area));
        assert_true(area.w > 10 && area.h > 5);
    }
}

static void every_word_of_a_few_can_be_read_from_every_angle(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    for (int stage = LAB_EMBED; stage < LAB_STAGES; stage++) {
        sight.state.playback.stage = (enum lab_stage)stage;
        sight_from_everywhere(&sight, look_for_four_words);
    }
    sight_close(&sight);
}

/* How far the nearest point of a rectangle is. */
static float away_from(struct rect area, float x, float y)
{
    return hypotf(x - fminf(fmaxf(x, area.x), area.x + area.w),
                  y - fminf(fmaxf(y, area.y), area.y + area.h));
}

/* Says whether a straight line runs from within the label to within 30 points of the place. */
static bool is_led(const struct sight *sight, struct rect label, float x, float y)
{
    for (size_t i = 0; i < canvas_count(sight->canvas); i++) {
        const struct canvas_command *command = canvas_command_at(sight->canvas, i);
        const struct point *end = canvas_points_of(sight->canvas, command);
        if (command->kind == CANVAS_PATH && command->length == 2 &&
            away_from(label, end[1].x, end[1].y) < 20 && hypotf(end[0].x - x, end[0].y - y) < 30 &&
            hypotf(end[0].x - end[1].x, end[0].y - end[1].y) > 6) {
            return true;
        }
    }
    return false;
}

static void look_for_swapped_words(const struct sight *sight)
{
    static const char *const words[] = {"cat", "dog", "lion", "NYC"};
    char name[32];
    float x[4], y[4];
    for (size_t i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s in space", words[i]);
        sight_middle(sight, name, &x[i], &y[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        struct rect word;
        assert_true(canvas_find_text(sight->canvas, words[i], 0, &word));
        for (size_t j = 0; j < 4; j++) {
            const bool apart = hypotf(x[j] - x[i], y[j] - y[i]) > 3;
            if (apart && away_from(word, x[j], y[j]) < away_from(word, x[i], y[i]) &&
                !is_led(sight, word, x[i], y[i])) {
                fail_msg("“%s” stands nearer to %s's point at stage %d, %g° %g°: %g < %g", words[i],
                         words[j], sight->state.playback.stage,
                         (double)sight->state.prefs.camera.azimuth,
                         (double)sight->state.prefs.camera.elevation,
                         (double)away_from(word, x[j], y[j]), (double)away_from(word, x[i], y[i]));
            }
        }
    }
}

static void no_word_is_taken_for_that_of_another_point(void **unused)
{
    (void)unused;
    static const enum lab_stage stages[] = {LAB_EMBED, LAB_SCORE, LAB_SOFTMAX};
    struct sight sight;
    sight_open_cats(&sight);
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
        sight.state.playback.stage = stages[s];
        sight_from_everywhere(&sight, look_for_swapped_words);
    }
    sight_close(&sight);
}

static void equal_words_at_one_place_are_one_label(void **unused)
{
    (void)unused;
    static const char *const words[] = {"the", "cat", "saw", "the", "dog", "the"};
    struct sight sight;
    struct rect area;
    sight_open(&sight, SIGHT_TOY, words, 6);
    sight.state.playback.stage = LAB_EMBED;
    sight_draw(&sight);
    assert_true(canvas_find_text(sight.canvas, "the ×3", 0, &area));
    assert_false(canvas_find_text(sight.canvas, "the", 0, &area));
    assert_true(canvas_find_text(sight.canvas, "cat", 0, &area));
    sight_close(&sight);
}

static void a_text_that_there_was_no_memory_for_is_not_drawn(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    sight_draw(&sight);
    const size_t commands = canvas_count(sight.canvas);
    assert_true(view_wrapped(&sight.view, 0, 0, 90, 12, (struct colour){0}, NULL) <= 0);
    assert_true(view_wrapped_width(&sight.view, 90, 12, NULL) <= 0);
    assert_true(view_wrapped_height(&sight.view, 90, 12, NULL) <= 0);
    assert_int_equal(canvas_count(sight.canvas), commands);
    sight_close(&sight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_overlap_neither_each_other_nor_points),
        cmocka_unit_test(every_word_of_a_few_can_be_read_from_every_angle),
        cmocka_unit_test(no_word_is_taken_for_that_of_another_point),
        cmocka_unit_test(equal_words_at_one_place_are_one_label),
        cmocka_unit_test(a_text_that_there_was_no_memory_for_is_not_drawn),
    };
    return cmocka_run_group_tests_name("words in space", tests, NULL, NULL);
}
