/* The drawing list: what was appended can be read, found and told apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "canvas/draw/canvas.h"

static struct canvas *canvas_of(void **state)
{
    struct canvas *canvas = *state;
    canvas_begin(canvas, 400, 300);
    return canvas;
}

static const struct colour INK = {0, 0, 0, 255};

static void a_text_is_found_by_what_it_reads(void **state)
{
    struct canvas *canvas = canvas_of(state);
    struct rect area;
    canvas_text(canvas, 10, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, "Softmax");
    canvas_text(canvas, 200, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, "Softmax");
    assert_true(canvas_find_text(canvas, "Softmax", 0, &area));
    assert_true(rect_has(area, 12, 17));
    assert_true(canvas_find_text(canvas, "Softmax", 1, &area));
    assert_true(rect_has(area, 202, 17));
    assert_false(canvas_find_text(canvas, "Softmax", 2, &area));
    assert_false(canvas_find_text(canvas, "Soft", 0, &area));
}

static void a_text_cut_off_by_a_clip_covers_only_what_is_seen(void **state)
{
    struct canvas *canvas = canvas_of(state);
    struct rect area;
    canvas_clip(canvas, (struct rect){0, 0, 100, 100});
    canvas_clip(canvas, (struct rect){20, 0, 200, 100});
    canvas_text(canvas, 10, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, "clipped");
    canvas_unclip(canvas);
    canvas_text(canvas, 150, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, "outside");
    canvas_unclip(canvas);
    canvas_text(canvas, 150, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, "free");
    assert_true(canvas_find_text(canvas, "clipped", 0, &area));
    assert_float_equal(area.x, 20, 0.001);
    assert_true(canvas_find_text(canvas, "outside", 0, &area));
    assert_true(area.w == 0);
    assert_true(canvas_find_text(canvas, "free", 0, &area));
    assert_true(area.w > 10);
}

static void a_group_covers_all_that_it_holds(void **state)
{
    struct canvas *canvas = canvas_of(state);
    const struct paint paint = {.fill = INK};
    struct rect area;
    canvas_group(canvas, 7, "Scores");
    canvas_rect(canvas, (struct rect){10, 10, 20, 20}, 0, &paint);
    canvas_group(canvas, 8, "inner");
    canvas_rect(canvas, (struct rect){50, 60, 20, 20}, 0, &paint);
    canvas_ungroup(canvas);
    canvas_ungroup(canvas);
    canvas_rect(canvas, (struct rect){200, 200, 20, 20}, 0, &paint);
    assert_true(canvas_find_group(canvas, "Scores", 0, &area));
    assert_float_equal(area.x, 10, 0.001);
    assert_float_equal(area.w, 60, 0.001);
    assert_float_equal(area.h, 70, 0.001);
    assert_true(canvas_find_group(canvas, "inner", 0, &area));
    assert_float_equal(area.x, 50, 0.001);
    assert_false(canvas_find_group(canvas, "inner", 1, &area));
}

static void a_text_stands_at_its_anchor(void **state)
{
    struct canvas *canvas = canvas_of(state);
    const float width = canvas_measure(canvas, FONT_NUMBERS, 11, "0.476");
    canvas_text(canvas, 100, 20, FONT_NUMBERS, 11, INK, CANVAS_LEFT, "0.476");
    canvas_text(canvas, 100, 20, FONT_NUMBERS, 11, INK, CANVAS_CENTRE, "0.476");
    canvas_text(canvas, 100, 20, FONT_NUMBERS, 11, INK, CANVAS_RIGHT, "0.476");
    assert_float_equal(canvas_command_at(canvas, 0)->rect.x, 100, 0.001);
    assert_float_equal(canvas_command_at(canvas, 1)->rect.x, 100 - width / 2, 0.001);
    assert_float_equal(canvas_command_at(canvas, 2)->rect.x, 100 - width, 0.001);
}

static void a_long_text_is_cut_with_an_ellipsis_and_fits(void **state)
{
    struct canvas *canvas = canvas_of(state);
    const char *text = "a sentence that is too long for its line";
    assert_true(canvas_text_cut(canvas, 0, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, text, 100));
    const struct canvas_command *command = canvas_command_at(canvas, 0);
    assert_true(command->rect.w <= 100.02f);
    assert_true(command->rect.w > 80);
    assert_memory_equal(canvas_text_of(canvas, command) + command->length - 3, "\xe2\x80\xa6", 3);
    const float width = canvas_measure(canvas, FONT_WORDS, 13, text);
    assert_false(canvas_text_cut(canvas, 0, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, text, width));
    assert_true(canvas_text_cut(canvas, 0, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, text, 2));
    assert_int_equal(canvas_count(canvas), 2);
}

/* W_Q is one text to who looks for it, and is drawn as W with a small, low Q. */
static void an_index_is_small_and_low_and_part_of_its_text(void **state)
{
    struct canvas *canvas = canvas_of(state);
    static const char text[] = "x · W_Q, d_model, e^(m−m′)";
    const float wide = canvas_measure(canvas, FONT_WORDS, 20, text);
    assert_float_equal(canvas_text(canvas, 100, 50, FONT_WORDS, 20, INK, CANVAS_RIGHT, text), wide,
                       0.01);
    assert_int_equal(canvas_count(canvas), 6);
    const struct canvas_command *const letters = canvas_command_at(canvas, 0),
                                       *const index = canvas_command_at(canvas, 1),
                                       *const power = canvas_command_at(canvas, 5);
    assert_float_equal(letters->rect.x, 100 - wide, 0.01);
    assert_int_equal(index->length, 1);
    assert_true(index->rect.h < letters->rect.h && index->rect.y > letters->rect.y);
    assert_true(power->rect.h < letters->rect.h && power->rect.y < letters->rect.y);
    assert_float_equal(power->rect.x + power->rect.w, 100, 0.01);
    struct rect area;
    assert_true(canvas_find_text(canvas, text, 0, &area));
    assert_float_equal(area.w, wide, 0.01);
    assert_false(canvas_find_text(canvas, "Q", 0, &area));
    assert_false(canvas_text_cut(canvas, 0, 20, FONT_WORDS, 20, INK, CANVAS_LEFT, text, wide));
}

/* A slope of it keeps the index. */
static void a_slope_has_the_index_of_its_symbol(void **state)
{
    struct canvas *canvas = canvas_of(state);
    canvas_text(canvas, 0, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, "dL/dW_Q");
    assert_int_equal(canvas_count(canvas), 2);
}

/* Underlines of words, and what somebody types, are letters. */
static void other_underlines_are_letters(void **state)
{
    static const char *const words[] = {"snake_case", "_Q", "W_Quark", "aW_Q", "W_", "2^(3)"};
    struct canvas *canvas = canvas_of(state);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        canvas_text(canvas, 0, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, words[w]);
        assert_int_equal(canvas_count(canvas), w + 1);
    }
    canvas_begin(canvas, 400, 300);
    canvas_text_plain(canvas, 0, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, "W_Q", 3);
    assert_int_equal(canvas_count(canvas), 1);
}

static uint64_t hash_with(struct canvas *canvas, float x, const char *text, struct colour pixel)
{
    canvas_begin(canvas, 400, 300);
    canvas_rect(canvas, (struct rect){x, 0, 10, 10}, 0, &(struct paint){.fill = INK});
    canvas_text(canvas, 0, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, text);
    canvas_image(canvas, (struct rect){0, 0, 10, 10}, 1, 1, &pixel);
    return canvas_hash(canvas);
}

static void equal_lists_have_equal_hashes_and_others_do_not(void **state)
{
    struct canvas *canvas = canvas_of(state);
    const uint64_t hash = hash_with(canvas, 1, "cat", INK);
    assert_true(hash == hash_with(canvas, 1, "cat", INK));
    assert_true(hash != hash_with(canvas, 2, "cat", INK));
    assert_true(hash != hash_with(canvas, 1, "bat", INK));
    assert_true(hash != hash_with(canvas, 1, "cat", (struct colour){1, 0, 0, 255}));
}

static void what_is_no_number_or_endless_is_tamed(void **state)
{
    struct canvas *canvas = canvas_of(state);
    const struct point points[2] = {{NAN, -INFINITY}, {INFINITY, 1e30f}};
    canvas_rect(canvas, (struct rect){NAN, INFINITY, -5, 1e38f}, NAN, &(struct paint){.fill = INK});
    canvas_path(canvas, points, 2, false, &(struct paint){.stroke = INK, .width = INFINITY});
    canvas_text(canvas, NAN, 0, FONT_WORDS, 13, INK, CANVAS_LEFT, "x");
    canvas_text(canvas, 0, 0, FONT_WORDS, NAN, INK, CANVAS_LEFT, "x");
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *command = canvas_command_at(canvas, i);
        assert_true(fabsf(command->rect.x) <= 4e6f && fabsf(command->rect.y) <= 4e6f);
        assert_true(command->rect.w >= 0 && command->rect.h >= 0 && command->rect.w <= 8e6f);
    }
    assert_false(canvas_failed(canvas));
}

static void more_unclips_than_clips_do_no_harm(void **state)
{
    struct canvas *canvas = canvas_of(state);
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
    struct rect area;
    canvas_text(canvas, 10, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, "still here");
    assert_true(canvas_find_text(canvas, "still here", 0, &area));
    assert_true(area.w > 0);
}

static int open_canvas(void **state)
{
    *state = canvas_open(fonts_open(NULL));
    return *state == NULL || canvas_fonts(*state) == NULL;
}

static int close_canvas(void **state)
{
    struct fonts *fonts = canvas_fonts(*state);
    canvas_close(*state);
    fonts_close(fonts);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_found_by_what_it_reads),
        cmocka_unit_test(a_text_cut_off_by_a_clip_covers_only_what_is_seen),
        cmocka_unit_test(a_group_covers_all_that_it_holds),
        cmocka_unit_test(a_text_stands_at_its_anchor),
        cmocka_unit_test(an_index_is_small_and_low_and_part_of_its_text),
        cmocka_unit_test(a_slope_has_the_index_of_its_symbol),
        cmocka_unit_test(other_underlines_are_letters),
        cmocka_unit_test(a_long_text_is_cut_with_an_ellipsis_and_fits),
        cmocka_unit_test(equal_lists_have_equal_hashes_and_others_do_not),
        cmocka_unit_test(what_is_no_number_or_endless_is_tamed),
        cmocka_unit_test(more_unclips_than_clips_do_no_harm),
    };
    return cmocka_run_group_tests(tests, open_canvas, close_canvas);
}
