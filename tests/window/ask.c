/* A file whose arrays nobody knows is asked about in one panel, and shown as it was said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../npy_header.h"
#include "app/actions/commands.h"
#include "app/open/drop.h"
#include "app/open/import_dialog.h"
#include "app/open/open_model.h"
#include "hands.h"
#include "view/parts/head_overview.h"
#include "view/sheets/import_dialog.h"

static void settle_twice(struct hands *hands)
{
    hands_settle(hands);
    hands_settle(hands);
    hands_frame(hands);
}

static struct hands *hands_on_file(const char *name, float width, float height)
{
    char path[1024];
    const char *const dropped = path;
    struct hands *const hands = hands_open("cats", width, height);
    snprintf(path, sizeof path, "%s/%s", getenv("DUMPS"), name);
    hands_drop(hands, dropped);
    settle_twice(hands);
    return hands;
}

/* Opens the menu that says the one word, and takes the other from it. */
static void choose_row(struct hands *hands, const char *title, const char *word)
{
    const struct view_import *const sheet = hands->state->view.import;
    assert_non_null(sheet);
    for (size_t r = 0; r < sheet->rows; r++) {
        if (strcmp(sheet->row[r].title, title) == 0) {
            const struct point at = hands_find(hands, title, 0);
            hands_click_at(hands, at.x + 160, at.y);
            hands_click_number(hands, word, hands_count(hands, word) - 1); /* the open menu's */
            return;
        }
    }
    fail_msg("no row %s", title);
}

static void choose(struct hands *hands, const char *title, const char *word)
{
    choose_row(hands, title, word);
    settle_twice(hands);
}

static void what_no_name_tells_is_asked_and_shown_as_it_was_said(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_file("foreign.npz", 1440, 900);
    const struct lab_words *const cats = hands->state->document.experiment.tokens;
    hands_expect(hands, "What is in foreign.npz?");
    assert_null(hands->state->view.head_overview); /* nothing is shown that nobody said */
    hands_expect_part(hands, "4 layers \u00d7 2 heads, 4 queries \u00d7 3 keys");
    choose(hands, "Axis 1: 4", "query");
    choose(hands, "Axis 2: 2", "layer");
    choose(hands, "Axis 3: 4", "key");
    choose(hands, "Axis 4: 3", "head");
    choose(hands, "Tokens", "the array wordlist");
    hands_expect_part(hands, "used: heads_of_mine, wordlist; not used: other (4)");
    hands_expect_part(hands, "2 layers \u00d7 3 heads, 4 queries \u00d7 4 keys");
    hands_expect_part(hands, "s\u00e4t");
    assert_ptr_equal(hands->state->document.experiment.tokens, cats);
    hands_click(hands, "Open");
    settle_twice(hands);
    assert_int_not_equal(hands->state->view.overlay, VIEW_OVERLAY_IMPORT);
    assert_non_null(hands->state->view.head_overview);
    const struct lab_thumbnails_sizes sizes =
        lab_thumbnails_sizes(hands->state->view.head_overview->thumbnails);
    assert_int_equal(sizes.layers, 2);
    assert_int_equal(sizes.heads, 3);
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 1);
    for (size_t i = 0; i < 4; i++) {
        double sum = 0;
        for (size_t j = 0; j < 4; j++) {
            sum += (double)lab_matrix_at(&alpha, i, j);
        }
        assert_true(sum > 0.999 && sum < 1.001);
    }
    hands_close(hands);
}

static void queries_and_keys_are_put_together(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_file("rows.npz", 1440, 900);
    hands_expect_part(hands, "there is no attention in it");
    choose(hands, "It holds", "queries, to go with keys");
    hands_expect_part(hands, "2 layers \u00d7 3 heads, 4 queries \u00d7 4 keys");
    choose(hands, "A word sees", "itself and the words before it");
    hands_key(hands, "Enter");
    settle_twice(hands);
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 2);
    assert_true(lab_matrix_at(&alpha, 0, 0) > 0.9999f);
    assert_false(lab_trace_sees(hands->state->document.trace, 0, 1));
    hands_close(hands);
}

/* Nobody moves anything: the window draws as long as work is under way, then waits. */
static void what_is_read_is_told_without_another_move(void **state)
{
    (void)state;
    char path[1024];
    const char *const dropped = path;
    struct hands *const hands = hands_open("cats", 1440, 900);
    snprintf(path, sizeof path, "%s/rows.npz", getenv("DUMPS"));
    hands_drop(hands, dropped);
    do {
        hands_step(hands);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    } while (hands->state->tasks.latest != NULL || hands->state->view.import == NULL);
    hands_expect(hands, "What is in rows.npz?");
    hands_expect_part(hands, "there is no attention in it");
    hands_expect_not(hands, "Looking …");
    choose_row(hands, "It holds", "queries, to go with keys");
    do {
        hands_step(hands);
        assert_true(hands_count(hands, "Looking …") == 0 ||
                    hands_count_part(hands, "no weight") == 0); /* of the choice before */
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    } while (hands->state->tasks.latest != NULL);
    hands_expect_not(hands, "Looking …");
    hands_expect_part(hands, "2 layers \u00d7 3 heads, 4 queries \u00d7 4 keys");
    hands_close(hands);
}

static void given_up_it_leaves_what_was_there(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_file("foreign.npz", 1440, 900);
    const struct lab_words *const cats = hands->state->document.experiment.tokens;
    const size_t past = hands->state->document.at;
    hands_key(hands, "Right"); /* goes to no other stage while the panel is up */
    assert_int_equal(hands->state->view.playback.stage, LAB_SCORE);
    hands_key(hands, "Escape");
    settle_twice(hands);
    assert_int_not_equal(hands->state->view.overlay, VIEW_OVERLAY_IMPORT);
    hands_expect_not(hands, "What is in foreign.npz?");
    assert_ptr_equal(hands->state->document.experiment.tokens, cats);
    assert_int_equal(hands->state->document.at, past);
    hands_close(hands);
}

static void what_is_open_can_be_said_anew(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_file("half.npz", 1440, 900);
    assert_int_not_equal(hands->state->view.overlay,
                         VIEW_OVERLAY_IMPORT); /* its names tell it all */
    assert_true(app_open_model_ask(hands->state));
    settle_twice(hands);
    hands_expect(hands, "What is in half.npz?");
    choose(hands, "Axis 1: 2", "text");
    hands_expect_part(hands, "1 layer \u00d7 3 heads");
    choose(hands, "Text", "2 of 2");
    hands_click(hands, "Open");
    settle_twice(hands);
    assert_int_equal(hands->state->document.experiment.layers, 1);
    hands_close(hands);
}

static void nothing_lies_over_anything_in_any_window(void **state)
{
    static const float sizes[][2] = {{960, 600}, {1440, 900}, {700, 620}};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct hands *const hands = hands_on_file("rows.npz", sizes[s][0], sizes[s][1]);
        choose(hands, "It holds", "queries, to go with keys");
        const struct rect sheet = {0, 0, sizes[s][0], sizes[s][1]};
        const char *const words[] = {"Open", "Cancel", "Tokens", "A word sees"};
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
            const struct point at = hands_find(hands, words[w], 0);
            assert_true(at.x > sheet.x && at.x < sheet.w && at.y > sheet.y && at.y < sheet.h);
        }
        assert_true(hands_find(hands, "Tokens", 0).y < hands_find(hands, "Open", 0).y);
        hands_close(hands);
    }
}

/* A table of so many rows and columns. Rows that sum to 1, or numbers that no weights are. */
static void drop_table(struct hands *hands, size_t rows, size_t cols, bool are_weights)
{
    char path[512], shape[64];
    const char *const dropped = path;
    snprintf(path, sizeof path, "%s/table.npy", hands->folder);
    snprintf(shape, sizeof shape, "(%zu, %zu)", rows, cols);
    FILE *const file = npy_create(path, "<f4", shape);
    assert_non_null(file);
    for (size_t c = 0; c < rows * cols; c++) {
        const float value = are_weights ? 1 / (float)cols : (float)(c % 7) - 3;
        fwrite(&value, sizeof value, 1, file);
    }
    assert_int_equal(fclose(file), 0);
    hands_drop(hands, dropped);
    settle_twice(hands);
}

static void a_table_whose_rows_sum_to_1_is_attention_to_other_words(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    drop_table(hands, 4, 6, true); /* as many rows as there are cats, dogs … */
    assert_int_not_equal(hands->state->view.overlay, VIEW_OVERLAY_IMPORT);
    assert_non_null(hands->state->view.head_overview);
    const struct lab_sizes sizes = lab_trace_sizes(hands->state->document.trace);
    assert_true(sizes.n == 4 && sizes.m == 6 && sizes.cross);
    hands_close(hands);
}

/* Its name says what it is; its numbers say otherwise. */
static void what_is_doubtful_is_asked_for_that_reason(void **state)
{
    (void)state;
    char path[512];
    const char *const dropped = path;
    struct hands *const hands = hands_open("cats", 1440, 900);
    snprintf(path, sizeof path, "%s/half.json", hands->folder);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"attentions\": [[[0.5, 0], [0.2, 0.3]], [[0.5, 0], [0.1, 0.1]]]}", file);
    assert_int_equal(fclose(file), 0);
    hands_drop(hands, dropped);
    settle_twice(hands);
    hands_expect(hands, "What is in half.json?");
    hands_expect_part(hands, "Its rows do not sum to 1, as weights do.");
    assert_int_equal(hands_count_part(hands, "Its names do not tell"), 0);
    hands_close(hands);
}

static void another_table_is_for_the_words_or_asked_about(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    drop_table(hands, 4, 6, false);
    assert_int_not_equal(hands->state->view.overlay, VIEW_OVERLAY_IMPORT);
    assert_null(hands->state->view.head_overview);
    assert_string_equal(hands->state->view.undo_name, "embeddings from a file");
    app_command_run(hands->state, "ask", 0, hands->input.time); /* no: it is attention */
    settle_twice(hands);
    hands_expect(hands, "What is in table.npy?");
    hands_key(hands, "Escape");
    assert_int_not_equal(hands->state->view.overlay, VIEW_OVERLAY_IMPORT);
    const size_t at = hands->state->document.at;
    drop_table(hands, 7, 11, false); /* rows for nobody */
    hands_expect(hands, "What is in table.npy?");
    hands_expect_part(hands, "4 words need 4 rows");
    assert_int_equal(hands->state->document.at, at);
    choose(hands, "It holds", "scores, before the softmax");
    hands_key(hands, "Enter");
    settle_twice(hands);
    const struct lab_sizes sizes = lab_trace_sizes(hands->state->document.trace);
    assert_true(sizes.n == 7 && sizes.m == 11);
    assert_int_equal(hands->state->document.at, at + 1);
    hands_close(hands);
}

/* It stands where weights do, and nothing is said or can be done that is for weights alone. */
static void a_matrix_that_is_no_attention_is_shown_as_it_is(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    drop_table(hands, 7, 7, false);
    hands_expect(hands, "What is in table.npy?");
    choose(hands, "It holds", "any numbers, as they are");
    hands_key(hands, "Enter");
    settle_twice(hands);
    hands_expect(hands, "L0H0 \u00b7 Matrix");
    hands_expect_part(hands, "the numbers as they were given");
    hands_expect_not(hands, "row sum");
    hands_expect_not(hands, "entropy");
    hands_expect_not(hands, "log");
    const size_t at = hands->state->document.at;
    app_command_run(hands->state, "equal shares", 0, hands->input.time);
    settle_twice(hands);
    hands_expect_part(hands, "shown as it was given");
    assert_int_equal(hands->state->document.at, at);
    hands_key(hands, "Ctrl+Z");
    settle_twice(hands);
    hands_expect(hands, "cat");
    hands_key(hands, "Ctrl+Shift+Z");
    settle_twice(hands);
    hands_expect(hands, "L0H0 \u00b7 Matrix");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_name_tells_is_asked_and_shown_as_it_was_said),
        cmocka_unit_test(queries_and_keys_are_put_together),
        cmocka_unit_test(what_is_read_is_told_without_another_move),
        cmocka_unit_test(given_up_it_leaves_what_was_there),
        cmocka_unit_test(what_is_open_can_be_said_anew),
        cmocka_unit_test(nothing_lies_over_anything_in_any_window),
        cmocka_unit_test(a_table_whose_rows_sum_to_1_is_attention_to_other_words),
        cmocka_unit_test(what_is_doubtful_is_asked_for_that_reason),
        cmocka_unit_test(another_table_is_for_the_words_or_asked_about),
        cmocka_unit_test(a_matrix_that_is_no_attention_is_shown_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
