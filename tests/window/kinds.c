/* Every kind of attention, driven by the words on the screen. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/open/lesson.h"
#include "base/text.h"
#include "base/translate.h"
#include "hands.h"
#include "lab/experiment/stage.h"
#include "lab/experiment/variant.h"
#include "lab/run/cache.h"
#include "lab/run/flash.h"

static struct hands *open_lesson(const char *lesson)
{
    struct hands *const hands = hands_open(lesson, 1440, 900);
    hands_show_settings(hands);
    return hands;
}

/* One switch, and Softmax is a walk over tiles with its own numbers; the last step says how far the
 * answer is from the plain one. */
static void tiles_are_walked_one_by_one_and_give_the_plain_answer(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("cats");
    hands_key(hands, "5");
    hands_expect_not(hands, "Flash: tile by tile");
    hands_click(hands, "tile by tile (flash)");
    hands_expect(hands, "Flash: tile by tile");
    assert_int_equal(hands->state->document.experiment.flash_rows, 2);
    hands_expect(hands, "tile 1 of 4");
    hands_expect(hands, "64 bytes"); /* 4 × 4 scores */
    hands_expect(hands, "56 bytes"); /* 2 × 2, and m, l and three of O for two rows */
    hands_expect_part(hands, "“cat” and “dog” meet “cat” and “dog”.");
    hands_click(hands, "The next tile");
    hands_click(hands, "The next tile");
    hands_click(hands, "The next tile");
    hands_expect(hands, "tile 4 of 4");
    /* lion and NYC with lion and NYC: what they had summed up of cats and dogs hardly counts */
    hands_expect_part(hands, "grows from");
    hands_expect(hands, "15.01");
    hands_click(hands, "The next tile");
    hands_expect(hands, "all 4 tiles");
    hands_expect_part(hands, "Largest difference to the plain result:");
    hands_key(hands, "6"); /* what is opened begins at its first tile */
    hands_expect(hands, "tile 1 of 4");
    hands_key(hands, "5");
    hands_expect(hands, "tile 1 of 4");
    hands_click(hands, "The next tile");
    hands_click(hands, "The next tile");
    hands_click(hands, "The next tile");
    hands_click(hands, "The tile before");
    hands_expect(hands, "tile 3 of 4");
    hands_expect_not(hands, "15.01");
    hands_click(hands, "tile by tile (flash)");
    hands_expect_not(hands, "Flash: tile by tile");
    hands_close(hands);
}

/* The numbers beside the tile are those that the replay found, row by row. */
static void what_stands_beside_a_tile_is_what_its_rows_have_come_to(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("flash");
    struct arena arena = {0};
    struct error error = {0};
    struct lab_flash flash;
    char text[32];
    hands_key(hands, "5");
    assert_true(lab_flash_replay(hands->state->document.trace, 0, 2, 2, &arena, &flash, &error));
    for (size_t step = 0; step < flash.tiles; step++) {
        for (size_t i = 0; i < (step / flash.col_blocks + 1) * 2; i++) {
            const size_t done = i / 2 < step / flash.col_blocks ? 2 : step % flash.col_blocks;
            const size_t place = i * flash.col_blocks + done;
            snprintf(text, sizeof text, "%.2f", (double)flash.running_max[place]);
            hands_expect(hands, text);
            snprintf(text, sizeof text, "%.2f", (double)flash.running_sum[place]);
            hands_expect(hands, text);
        }
        hands_click(hands, "The next tile");
    }
    hands_expect_part(hands, lab_small_number(&arena, flash.difference));
    arena_free(&arena);
    hands_close(hands);
}

/* A click on a tile goes there; other tile sizes are other tiles; masked tiles are skipped. */
static void tiles_have_sizes_of_their_own_and_hidden_ones_are_skipped(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("flash");
    hands_key(hands, "5");
    struct rect cells;
    assert_true(canvas_find_group(hands_canvas(hands), "Scores tile by tile", 0, &cells));
    hands_click_at(hands, cells.x + cells.w * 0.9f, cells.y + cells.h * 0.5f);
    hands_expect(hands, "tile 6 of 9");
    const struct point label = hands_find(hands, "keys B_c", 0);
    hands_drag(hands, label.x, label.y + 18, label.x + 200, label.y + 18);
    assert_int_equal(hands->state->document.experiment.flash_cols, 6);
    hands_expect_part(hands, " of 3");
    hands_click(hands, "Undo");
    assert_int_equal(hands->state->document.experiment.flash_cols, 2);
    hands_click(hands, "None");
    hands_click(hands, "Causal");
    while (hands->state->view.playback.position < 1) {
        hands_click(hands, "The next tile");
    }
    hands_expect_part(hands, "3 of 9 tiles were skipped");
    hands_close(hands);
}

/* Plain shares have no running maximum: a sentence says what to switch on. */
static void what_cannot_be_done_tile_by_tile_says_what_would_fit(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("flash");
    hands_key(hands, "5");
    hands_click(hands, "softmax");
    hands_expect(hands, "This cannot be computed");
    hands_expect_part(hands, "Tile by tile needs softmax");
    hands_click(hands, "tile by tile (flash)");
    hands_expect_not(hands, "This cannot be computed");
    hands_close(hands);
}

/* The lesson stops at the tile that its caption speaks of. */
static void the_lesson_stops_at_the_tile_it_speaks_of(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("flash");
    hands_key(hands, "PageDown");
    hands_expect(hands, "tile 4 of 9");
    hands_expect(hands, "1.27");
    hands_key(hands, "PageDown");
    hands_expect(hands, "tile 5 of 9");
    hands_expect(hands, "15.01");
    hands_expect_part(hands, "The maximum of “lion” grows from 2.89 to 15.01");
    hands_key(hands, "PageDown");
    hands_expect(hands, "tile 6 of 9");
    hands_key(hands, "PageDown");
    hands_expect(hands, "all 9 tiles");
    hands_expect(hands, "5.00");
    hands_key(hands, "PageDown");
    hands_expect_part(hands, "3 of 9 tiles were skipped");
    hands_close(hands);
}

/* Keys and values from other words: a second field, and matrices that need not be square. */
static void other_words_for_keys_and_values_have_a_field_of_their_own(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("cats");
    hands_expect_not(hands, "K, V");
    hands_click(hands, "other words");
    hands_expect(hands, "K, V");
    assert_int_equal(lab_words_count(hands->state->document.experiment.context), 4);
    /* The first chip of the second field goes away, and two words come behind it. */
    const struct point first = hands_find(hands, "cat", 1);
    hands_click_at(hands, first.x, first.y);
    assert_int_equal(hands->state->view.pinned.key, 0);
    hands_key(hands, "Delete");
    assert_int_equal(lab_words_count(hands->state->document.experiment.context), 3);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 4);
    hands_key(hands, "End");
    hands_type(hands, "milk park ");
    const struct lab_words *context = hands->state->document.experiment.context;
    assert_int_equal(lab_words_count(context), 5);
    assert_string_equal(lab_words_list(context)[3], "milk");
    assert_string_equal(lab_words_list(context)[4], "park");
    const struct lab_matrix scores = lab_trace_part(hands->state->document.trace, LAB_SCORES, 0);
    assert_int_equal(scores.rows, 4);
    assert_int_equal(scores.cols, 5);
    hands_key(hands, "Escape");
    hands_key(hands, "3");
    hands_expect(hands, "4 × 5");
    assert_int_equal(hands_collisions(hands), 0);
    /* A causal mask makes no sense between two texts: the sentence says what would. */
    hands_click(hands, "None");
    hands_click(hands, "Causal");
    hands_expect(hands, "This cannot be computed");
    hands_click(hands, "Undo");
    hands_expect(hands, "4 × 5");
    hands_click(hands, "same words");
    hands_expect(hands, "4 × 4");
    hands_expect_not(hands, "K, V");
    hands_close(hands);
}

/* Both fields keep their own place and caret. */
static void the_two_fields_do_not_disturb_each_other(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("cats");
    hands_click(hands, "other words");
    const struct point first = hands_find(hands, "NYC", 0), other = hands_find(hands, "NYC", 1);
    hands_click_at(hands, first.x + 30, first.y);
    hands_type(hands, "lion half");
    hands_click_at(hands, other.x + 30, other.y);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens),
                     6); /* half is a word */
    hands_type(hands, "bird ");
    assert_int_equal(lab_words_count(hands->state->document.experiment.context), 5);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 6);
    hands_click(hands, "Undo");
    assert_int_equal(lab_words_count(hands->state->document.experiment.context), 4);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 6);
    hands_close(hands);
}

static bool is_visible(const struct hands *hands, size_t query, size_t key)
{
    return lab_trace_sees(hands->state->document.trace, query, key);
}

/* The button down over one cell after the other, then up. */
static void paint_cells(struct hands *hands, struct rect cells, const size_t (*cell)[2],
                        size_t count)
{
    const float w = cells.w / 4, h = cells.h / 4;
    for (size_t i = 0; i < count; i++) {
        const float x = cells.x + ((float)cell[i][1] + 0.5f) * w;
        const float y = cells.y + ((float)cell[i][0] + 0.5f) * h;
        if (i == 0) {
            hands_move(hands, x, y);
            hands_press(hands, x, y, UI_LEFT_BUTTON, 1);
        } else {
            hands_move(hands, x, y);
        }
        if (i + 1 == count) {
            hands_release(hands, x, y, UI_LEFT_BUTTON);
        }
    }
}

/* Drag hides, ⇧ drag shows, cells between are not left out, and one stroke is one step back. */
static void a_mask_is_painted_in_strokes(void **state)
{
    (void)state;
    static const size_t along[][2] = {{0, 0}, {0, 3}, {2, 3}}, back[][2] = {{0, 1}, {0, 3}};
    struct hands *hands = open_lesson("cats");
    struct rect cells;
    hands_click(hands, "None");
    hands_click(hands, "Painted by hand");
    hands_key(hands, "4");
    hands_expect_part(hands, "drag to hide, ⇧ drag to show");
    assert_true(canvas_find_group(hands_canvas(hands), "+ mask", 0, &cells));
    assert_int_equal(lab_trace_pairs(hands->state->document.trace), 16);
    paint_cells(hands, cells, along, 3);
    assert_int_equal(lab_trace_pairs(hands->state->document.trace), 10);
    assert_true(!is_visible(hands, 0, 1) && !is_visible(hands, 0, 2) && !is_visible(hands, 1, 3));
    hands->input.mods = UI_SHIFT;
    paint_cells(hands, cells, back, 2);
    hands->input.mods = 0;
    assert_int_equal(lab_trace_pairs(hands->state->document.trace), 13);
    assert_true(!is_visible(hands, 0, 0) && is_visible(hands, 0, 2));
    hands_click(hands, "Undo");
    assert_int_equal(lab_trace_pairs(hands->state->document.trace), 10);
    hands_click(hands, "Undo");
    assert_int_equal(lab_trace_pairs(hands->state->document.trace), 16);
    /* A click on one cell is a stroke too; one on a hidden cell shows it again. */
    paint_cells(hands, cells, back, 1);
    assert_int_equal(lab_trace_pairs(hands->state->document.trace), 15);
    paint_cells(hands, cells, back, 1);
    assert_int_equal(lab_trace_pairs(hands->state->document.trace), 16);
    hands_close(hands);
}

/* One sheet with every kind; a click takes one. */
static void every_kind_stands_on_one_sheet_and_a_click_takes_one(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("ten");
    hands_key(hands, "Shift+K");
    hands_expect(hands, "Every kind of attention on these words");
    for (size_t i = 0; i < lab_variant_count(); i++) {
        assert_true(hands_count(hands, lab_variant_row(i)->title) >= 1);
    }
    hands_expect(hands, "55 of 100 pairs"); /* causal, ten words */
    hands_click(hands, "Grouped-query");
    assert_int_equal(hands->state->document.experiment.kind, LAB_GROUPED);
    hands_expect_not(hands, "Every kind of attention on these words");
    hands_click(hands, "Undo");
    assert_int_equal(hands->state->document.experiment.kind, LAB_MULTI_HEAD);
    hands_close(hands);
}

/* Any two kinds on the two sides, and their difference. */
static void any_two_kinds_can_be_compared(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("cats");
    hands_key(hands, "5");
    hands_click(hands, "Compare");
    assert_int_equal(hands_count(hands, "Plain"), 1); /* two that say so would not be understood */
    hands_click(hands, "choose another kind");
    hands_click(hands, "Causal");
    assert_int_equal(lab_trace_experiment(hands->state->document.baseline)->mask, LAB_MASK_CAUSAL);
    hands_click(hands, "Plain");
    hands_click(hands, "Window");
    assert_int_equal(hands->state->document.experiment.mask, LAB_MASK_WINDOW);
    hands_expect(hands, "A, now");
    hands_click(hands, "A − B");
    const struct lab_matrix a = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 0);
    const struct lab_matrix b = lab_trace_part(hands->state->document.baseline, LAB_ALPHA, 0);
    char text[TEXT_NUMBER_MAX];
    text_number(text, (double)(lab_matrix_at(&a, 1, 0) - lab_matrix_at(&b, 1, 0)), 3);
    hands_expect(hands, text);
    assert_true(text[0] != '0' || text[2] != '0' || text[3] != '0');
    hands_expect(hands, "(mask: Window, W 1) − (mask: Causal); blue: less, red: more");
    hands_close(hands);
}

/* At Project one of queries, keys and values is compared, and the others are a click away. */
static void projections_of_a_comparison_have_tabs(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("ten");
    hands_key(hands, "2");
    hands_click(hands, "Compare");
    hands_click(hands, "K");
    assert_int_equal(hands->state->view.pinned.projected, LAB_K);
    hands_click(hands, "A − B");
    hands_click(hands, "V");
    assert_int_equal(hands->state->view.pinned.projected, LAB_V);
    hands_close(hands);
}

/* Where a cell of the difference tells its number; the last of those that read so. */
static struct point difference_at(struct hands *hands, const struct lab_matrix *a,
                                  const struct lab_matrix *b, size_t row, size_t column)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, (double)(lab_matrix_at(a, row, column) - lab_matrix_at(b, row, column)), 3);
    const float left = 250, right = 880, top = 300; /* of the stage's cells, in 1440 points */
    struct rect place = {0};
    struct point at = {0, 0};
    for (size_t n = 0; canvas_find_text(hands_canvas(hands), text, n, &place); n++) {
        if (place.x > left && place.x < right && place.y > top) {
            at = (struct point){place.x + place.w / 2, place.y + place.h / 2};
        }
    }
    assert_true(at.x > 0);
    return at;
}

/* A cell of the difference is hatched where neither side sees it, and there alone. */
static void what_neither_side_sees_has_no_difference(void **state)
{
    (void)state;
    static const size_t none[][2] = {{0, 2}, {0, 3}, {1, 3}}, some[][2] = {{0, 1}, {1, 2}};
    struct hands *hands = open_lesson("cats");
    hands_key(hands, "5");
    hands_click(hands, "Compare");
    hands_click(hands, "choose another kind");
    hands_click(hands, "Causal");
    hands_click(hands, "Plain");
    hands_click(hands, "Window");
    hands_click(hands, "A − B");
    const struct lab_matrix a = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 0);
    const struct lab_matrix b = lab_trace_part(hands->state->document.baseline, LAB_ALPHA, 0);
    const struct point first = difference_at(hands, &a, &b, 0, 0);
    const struct point last = difference_at(hands, &a, &b, 3, 3);
    const float across = (last.x - first.x) / 3, down = (last.y - first.y) / 3;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const struct point cell = {first.x + across * (float)none[i][1],
                                   first.y + down * (float)none[i][0]};
        struct rect zero;
        assert_false(lab_trace_sees(hands->state->document.trace, none[i][0], none[i][1]));
        assert_false(lab_trace_sees(hands->state->document.baseline, none[i][0], none[i][1]));
        for (size_t n = 0; canvas_find_text(hands_canvas(hands), "0.000", n, &zero); n++) {
            assert_false(rect_has(rect_inset(zero, -8), cell.x, cell.y));
        }
    }
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) { /* one of them sees it */
        const struct point cell = difference_at(hands, &a, &b, some[i][0], some[i][1]);
        assert_true(fabsf(cell.x - first.x - across * (float)some[i][1]) < across / 2);
    }
    hands_close(hands);
}

/* In the smallest window, below a lesson's caption that the experiment has left. */
static void both_sides_have_numbers_in_a_small_window(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 960, 600);
    hands_key(hands, "2");
    hands_key(hands, "b");
    hands_expect(hands, "Kept. Change anything, and see it beside what was.");
    hands_key(hands, "Ctrl+R");
    hands_wait(hands, 1);
    hands_expect(hands, "The caption is about the lesson; changed since: random weights, seed 42");
    hands_expect_not(hands, "Kept. Change anything, and see it beside what was."); /* it was done */
    for (size_t side = 0; side < 2; side++) {
        const struct lab_trace *const trace =
            side == 0 ? hands->state->document.trace : hands->state->document.baseline;
        const struct lab_matrix q = lab_trace_part(trace, LAB_Q, 0);
        char text[TEXT_NUMBER_MAX];
        text_number(text, (double)lab_matrix_at(&q, 2, 1), side == 0 ? 2 : 1);
        hands_expect(hands, text);
    }
    hands_expect(hands, "random weights, seed 42");
    hands_close(hands);
}

static void two_sides_say_what_differs(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("cats");
    hands_key(hands, "5");
    hands_key(hands, "b");
    assert_int_equal(hands_count(hands, "nothing is changed yet"), 2);
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    next.temperature = 0.5F;
    document_change(&hands->state->document, &next, "temperature", hands->input.time);
    hands_frame(hands);
    hands_expect(hands, "temperature 0.50");
    hands_expect(hands, "temperature 1.00");
    next.mask = LAB_MASK_CAUSAL;
    next.weights = LAB_WEIGHTS_RANDOM;
    document_change(&hands->state->document, &next, "more", hands->input.time);
    lab_experiment_release(&next);
    hands_frame(hands);
    hands_expect(hands, "random weights, seed 42 · temperature 0.50 and 1 more");
    hands_expect(hands, "identity weights · temperature 1.00 and 1 more");
    hands_close(hands);
}

/* A word more is one row more; without a cache all rows are made again, in counted numbers. */
static void decoding_computes_one_row_for_each_word(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("cats");
    hands_key(hands, "m");
    /* Where later words are seen there is nothing to decode: the sentence says what would fit. */
    hands_expect_part(hands, "take a mask that looks back");
    hands_click(hands, "Look back only");
    assert_int_equal(hands->state->document.experiment.mask, LAB_MASK_CAUSAL);
    hands_expect(hands, "Word by word, with a cache");
    hands_expect(hands, "one row is computed");
    hands_expect_part(hands, "Largest difference to all at once:");
    assert_int_equal(hands->state->view.decode_tokens, 1); /* the others are still to come */
    for (int word = 0; word < 3; word++) {
        hands_click(hands, "Add a word");
    }
    hands_click(hands, "A word less");
    const size_t tokens = hands->state->view.decode_tokens;
    assert_int_equal(tokens, lab_trace_sizes(hands->state->document.trace).n - 1);
    const struct lab_graph *const graph = lab_trace_graph(hands->state->document.trace);
    const struct lab_mask_rule mask = lab_experiment_mask(&hands->state->document.experiment);
    const struct lab_cache_step step = lab_cache_step(graph, &mask, tokens);
    char text[64];
    snprintf(text, sizeof text, "%zu", step.with_cache);
    hands_expect(hands, text);
    snprintf(text, sizeof text, "%zu", step.without);
    hands_expect(hands, text);
    snprintf(text, sizeof text, "holds %zu bytes", step.cache_bytes);
    hands_expect_part(hands, text);
    hands_click(hands, "cache off");
    hands_expect(hands, "every row is computed again");
    hands_click(hands, "Add a word");
    assert_int_equal(hands->state->view.decode_tokens, tokens + 1);
    hands_key(hands, "Escape");
    hands_expect_not(hands, "Word by word, with a cache");
    hands_close(hands);
}

/* Where it is narrow, too, the weights of the new row and the rows that are kept have numbers. */
static void what_is_decoded_has_its_numbers(void **state)
{
    (void)state;
    struct hands *hands = hands_open("ten", 960, 600);
    hands_key(hands, "m");
    hands_click(hands, "Look back only");
    const struct lab_trace *const trace = hands->state->document.trace;
    const size_t n = lab_trace_sizes(trace).n, head = hands->state->view.pinned.head;
    for (size_t word = 1; word < n; word++) {
        hands_click(hands, "Add a word");
    }
    const struct lab_matrix shown[] = {lab_trace_part(trace, LAB_ALPHA, head),
                                       lab_trace_part(trace, LAB_K, head),
                                       lab_trace_part(trace, LAB_V, head)};
    for (size_t matrix = 0; matrix < sizeof shown / sizeof *shown; matrix++) {
        for (size_t j = 0; j < shown[matrix].cols; j++) {
            char text[TEXT_NUMBER_MAX];
            text_number(text, (double)lab_matrix_at(&shown[matrix], n - 1, j), matrix == 0 ? 2 : 1);
            hands_expect(hands, text);
        }
    }
    hands_close(hands);
}

/* Heads of which each has its own keys are no groups. */
static void decoding_counts_heads_or_groups(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("ten");
    app_command_run(hands->state, "causal mask", 0, hands->input.time);
    hands_key(hands, "m");
    hands_expect_part(hands, "a key and a value for each of 8 heads");
    hands_close(hands);
    hands = open_lesson("fewer");
    for (int step = 0; step < 2; step++) {
        hands_key(hands, "PageDown");
    }
    app_command_run(hands->state, "causal mask", 0, hands->input.time);
    hands_key(hands, "m");
    hands_expect_part(hands, "groups");
    hands_close(hands);
}

/* The latent has a tab of its own, and the absorbed form is measured beside it. */
static void the_latent_and_its_weights_are_drawn(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("latent");
    hands_key(hands, "PageDown");
    hands_key(hands, "PageDown");
    assert_int_equal(hands->state->document.experiment.kind, LAB_LATENT);
    hands_key(hands, "2");
    hands_expect_part(hands, "same scores, ±");
    hands_click(hands, "C");
    hands_expect(hands, "W_DKV");
    hands_expect_not(hands, "W_UK");
    hands_click(hands, "V");
    hands_expect(hands, "W_UV");
    hands_close(hands);
}

/* Sinusoids are a matrix of their own between what was and what is projected. */
static void sinusoids_are_drawn_as_the_matrix_that_is_added(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("cats");
    hands_key(hands, "1");
    hands_expect_not(hands, "waves of their places");
    hands_click(hands, "No positions");
    hands_click(hands, "Sinusoidal positions");
    hands_expect(hands, "waves of their places");
    hands_expect(hands, "0.84"); /* sin 1 */
    hands_expect(hands, "0.54"); /* cos 1 */
    hands_close(hands);
}

/* Turned keys cannot be made of the latent alone: the costs say why the cache is as large as that
 * of all heads. */
static void the_cache_of_a_turned_latent_is_explained(void **state)
{
    (void)state;
    for (size_t l = 0; language_at(l) != NULL; l++) {
        language_speak(language_at(l));
        struct hands *hands = hands_open("latent", 1280, 720);
        hands_key(hands, "F5");
        app_lesson_go(hands->state, 1, hands->input.time);
        hands_wait(hands, 1);
        const char *const why = tr("keys change after C·W_UK: K and V are kept");
        hands_expect_not(hands, why);
        struct lab_experiment turned;
        lab_experiment_copy(&turned, &hands->state->document.experiment);
        turned.positions = LAB_POSITIONS_ROPE;
        document_change(&hands->state->document, &turned, "positions", hands->input.time);
        lab_experiment_release(&turned);
        hands_wait(hands, 1);
        hands_expect(hands, why);
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
    language_speak(NULL);
}

/* The product makes Q₀; what is turned stands beside it, and only the distance counts. */
static void rotary_queries_are_shown_before_and_after_their_turn(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("cats");
    hands_key(hands, "2");
    hands_click(hands, "No positions");
    hands_click(hands, "Rotary positions");
    hands_expect(hands, "Q₀");
    hands_expect(hands, "turned by their places");
    hands_expect_part(hands, "Only the distance counts");
    const struct lab_matrix q = lab_trace_part(hands->state->document.trace, LAB_Q, 0);
    char text[TEXT_NUMBER_MAX];
    text_number(text, (double)lab_matrix_at(&q, 1, 0), 2);
    hands_expect(hands, text);
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* numbers.md: translate. */
static void the_translation_shows_its_numbers_in_a_matrix_of_one_row(void **state)
{
    (void)state;
    struct hands *hands = open_lesson("translate");
    hands_expect(hands, "K, V");
    hands_expect(hands, "The");
    hands_key(hands, "5");
    hands_key(hands, "PageDown");
    hands_key(hands, "PageDown");
    hands_key(hands, "PageDown"); /* the guess is revealed */
    hands_key(hands, "5");
    hands_expect(hands, "0.422");
    hands_expect(hands, "0.155");
    hands_key(hands, "6");
    hands_expect(hands, "63.35");
    hands_expect(hands, "36.65");
    hands_close(hands);
}

/* Every kind at every stage, in a small window and a usual one: no text lies over another. */
static void the_pictures_of_every_kind_keep_apart(void **state)
{
    (void)state;
    static const float sizes[][2] = {{960, 600}, {1440, 900}};
    for (size_t s = 0; s < 2; s++) {
        struct hands *hands = hands_open("cats", sizes[s][0], sizes[s][1]);
        for (size_t v = 0; v < lab_variant_count(); v++) {
            app_state_apply(hands->state,
                            &(struct view_action){.kind = VIEW_ACTION_VARIANT, .variant = v}, 0);
            for (int stage = 0; stage < LAB_STAGES; stage++) {
                const char key[2] = {(char)('1' + stage), '\0'};
                hands_key(hands, key);
                if (hands_collisions(hands) > 0) {
                    fail_msg("%s at stage %d, %.0f points wide", lab_variant_row(v)->name,
                             stage + 1, (double)sizes[s][0]);
                }
            }
        }
        hands_close(hands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_walked_one_by_one_and_give_the_plain_answer),
        cmocka_unit_test(what_stands_beside_a_tile_is_what_its_rows_have_come_to),
        cmocka_unit_test(tiles_have_sizes_of_their_own_and_hidden_ones_are_skipped),
        cmocka_unit_test(the_lesson_stops_at_the_tile_it_speaks_of),
        cmocka_unit_test(other_words_for_keys_and_values_have_a_field_of_their_own),
        cmocka_unit_test(the_two_fields_do_not_disturb_each_other),
        cmocka_unit_test(the_translation_shows_its_numbers_in_a_matrix_of_one_row),
        cmocka_unit_test(a_mask_is_painted_in_strokes),
        cmocka_unit_test(every_kind_stands_on_one_sheet_and_a_click_takes_one),
        cmocka_unit_test(the_cache_of_a_turned_latent_is_explained),
        cmocka_unit_test(any_two_kinds_can_be_compared),
        cmocka_unit_test(what_neither_side_sees_has_no_difference),
        cmocka_unit_test(both_sides_have_numbers_in_a_small_window),
        cmocka_unit_test(two_sides_say_what_differs),
        cmocka_unit_test(decoding_computes_one_row_for_each_word),
        cmocka_unit_test(what_is_decoded_has_its_numbers),
        cmocka_unit_test(the_latent_and_its_weights_are_drawn),
        cmocka_unit_test(sinusoids_are_drawn_as_the_matrix_that_is_added),
        cmocka_unit_test(decoding_counts_heads_or_groups),
        cmocka_unit_test(projections_of_a_comparison_have_tabs),
        cmocka_unit_test(rotary_queries_are_shown_before_and_after_their_turn),
        cmocka_unit_test(the_pictures_of_every_kind_keep_apart),
        cmocka_unit_test(what_cannot_be_done_tile_by_tile_says_what_would_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
