/* The row of words: words are chosen, written between others, taken away; and that of other words
 * for keys and values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "hands.h"
#include "lab/experiment/stage.h"

static int open_cats(void **state)
{
    *state = hands_open("cats", 1440, 900);
    return 0;
}

static int close_cats(void **state)
{
    hands_close(*state);
    return 0;
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, open_cats, close_cats)

/* Whoever clicks a word to look at it goes on with the keys of the window; whoever takes it away
 * writes another. */
static void a_clicked_word_takes_no_letters(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_click(hands, "NYC");
    assert_int_equal(hands->state->view.pinned.query, 3);
    hands_key(hands, "5");
    assert_int_equal(hands->state->view.playback.stage, LAB_SOFTMAX);
    hands_key(hands, "Right");
    assert_int_equal(hands->state->view.playback.stage, LAB_BLEND);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 4);
    hands_key(hands, "Backspace");
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 3);
    hands_type(hands, "bird 5 ");
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 5);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[3], "bird");
    assert_int_equal(hands->state->view.playback.stage, LAB_BLEND);
    hands_close(hands);
}

/* "Who won?" and "Who stumbled?" are not both "Who…". */
static void chips_that_begin_alike_are_told_apart_where_they_are_cut(void **state)
{
    (void)state;
    struct hands *const narrow = hands_open("race", 1100, 700);
    hands_expect(narrow, "won?"); /* in two lines of one chip */
    hands_expect(narrow, "stumbled?");
    hands_expect_not(narrow, "Who…");
    hands_close(narrow);
    struct hands *const wide = hands_open("race", 1920, 1080);
    hands_expect(wide, "Who stumbled?");
    hands_expect_not(wide, "won?");
    hands_close(wide);
}

static size_t count_words(const struct hands *hands)
{
    return lab_words_count(hands->state->document.experiment.tokens);
}

static const char *word_at(const struct hands *hands, size_t at)
{
    return lab_words_list(hands->state->document.experiment.tokens)[at];
}

static void ctrl_a_marks_all_words_and_typing_replaces_them(void **state)
{
    struct hands *hands = *state;
    hands_click(hands, "type a token…");
    hands_key(hands, "Ctrl+A");
    hands_key(hands, "Ctrl+C");
    assert_string_equal(hands->clipboard, "cat dog lion NYC");
    hands_type(hands, "the red city ");
    assert_int_equal(count_words(hands), 3);
    assert_string_equal(word_at(hands, 2), "city");
    hands_click(hands, "Undo");
    hands_click(hands, "Undo");
    hands_click(hands, "Undo");
    assert_int_equal(count_words(hands), 4);
    hands_click(hands, "dog"); /* from a word that was clicked, too */
    hands_key(hands, "Ctrl+A");
    hands_key(hands, "Backspace");
    assert_int_equal(count_words(hands), 0);
    hands_type(hands, "bird ");
    assert_string_equal(word_at(hands, 0), "bird");
}

static void all_words_are_replaced_by_a_paste(void **state)
{
    struct hands *hands = *state;
    hands_click(hands, "type a token…");
    hands_key(hands, "Ctrl+A");
    hands_paste(hands, "one two");
    assert_int_equal(count_words(hands), 2);
    assert_string_equal(word_at(hands, 0), "one");
}

/* Onto a word that was clicked: they go in before it, and nothing is said of matrices. */
static void words_are_pasted_onto_a_word(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "7");
    hands_click(hands, "dog");
    hands_paste(hands, "one two");
    assert_int_equal(count_words(hands), 6);
    assert_string_equal(word_at(hands, 1), "one");
    assert_string_equal(word_at(hands, 3), "dog");
    assert_int_equal(hands_count_part(hands, "is computed from"), 0);
}

/* Q, K and V that a lesson gives belong to its words: other words say that they leave them. */
static void given_numbers_do_not_vanish_without_a_word(void **state)
{
    (void)state;
    struct hands *hands = hands_open("race", 1440, 900);
    struct rect row;
    assert_non_null(hands->state->document.experiment.q);
    assert_true(canvas_find_group(hands_canvas(hands), "tokens", 0, &row));
    hands_click_at(hands, row.x + row.w - 14, row.y + row.h / 2);
    hands_type(hands, "bird ");
    assert_null(hands->state->document.experiment.q);
    hands_expect_part(hands, "belonged to the former words");
    hands_close(hands);
}

/* The number of a word in the embeddings that are given. */
static float given(const struct hands *hands, size_t word, size_t column)
{
    const struct lab_numbers *const rows = hands->state->document.experiment.embeddings;
    assert_non_null(rows);
    return lab_numbers_values(rows)[word * lab_numbers_shape(rows)[1] + column];
}

static void type_behind_the_words(struct hands *hands, const char *text)
{
    struct rect row;
    assert_true(canvas_find_group(hands_canvas(hands), "tokens", 0, &row));
    hands_click_at(hands, row.x + row.w - 14, row.y + row.h / 2);
    hands_type(hands, text);
    hands_settle(hands);
    hands_frame(hands);
}

/* A lesson whose words have rows of their own goes on with others: the rows follow their words, and
 * a new word has random numbers of the same length. */
static void given_rows_follow_their_words(void **state)
{
    (void)state;
    struct hands *hands = hands_open("hammer", 1440, 900);
    const size_t words = count_words(hands);
    assert_true(given(hands, 3, 1) == 1 && given(hands, 8, 2) == 1); /* hammer, tool */
    type_behind_the_words(hands, "red ");
    assert_int_equal(count_words(hands), words + 1);
    hands_expect_part(hands, "No numbers are given for “red”");
    hands_expect_not(hands, "This cannot be computed");
    assert_true(given(hands, 3, 1) == 1 && given(hands, 8, 2) == 1);
    assert_true(given(hands, 9, 0) < 0 || given(hands, 9, 0) > 0);
    hands_click(hands, "hammer");
    hands_key(hands, "Delete");
    hands_settle(hands);
    assert_int_equal(count_words(hands), words);
    assert_true(given(hands, 7, 2) == 1); /* tool */
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_MOVE, .token = {.at = 7}},
                    hands->input.time);
    hands_settle(hands);
    assert_string_equal(word_at(hands, 0), "tool");
    assert_true(given(hands, 0, 2) == 1 && given(hands, 1, 3) == 1); /* and Peter behind it */
    hands_key(hands, "Ctrl+Z");
    hands_key(hands, "Ctrl+Z");
    hands_key(hands, "Ctrl+Z");
    hands_settle(hands);
    assert_int_equal(count_words(hands), words);
    assert_true(given(hands, 3, 1) == 1);
    hands_close(hands);
}

/* Every word may go, and others come. */
static void given_weights_take_a_new_text(void **state)
{
    (void)state;
    struct hands *hands = hands_open("hammer", 1440, 900);
    while (count_words(hands) > 0) {
        app_state_apply(hands->state,
                        &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 0}},
                        hands->input.time);
    }
    hands_settle(hands);
    type_behind_the_words(hands, "a red fox ");
    assert_int_equal(count_words(hands), 3);
    hands_expect_not(hands, "This cannot be computed");
    assert_non_null(hands->state->document.trace);
    assert_int_equal(lab_trace_sizes(hands->state->document.trace).d_model, 4);
    hands_close(hands);
}

/* The rows of a layer are what its model made of these words. */
static void words_of_a_layer_without_its_model_stay(void **state)
{
    (void)state;
    struct hands *hands = hands_open("hammer", 1440, 900);
    const size_t words = count_words(hands);
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    next.layers = 2;
    document_change(&hands->state->document, &next, "a layer", hands->input.time);
    lab_experiment_release(&next);
    hands_settle(hands);
    type_behind_the_words(hands, "red ");
    assert_int_equal(count_words(hands), words);
    hands_expect_part(hands, "open its model to read others");
    hands_expect_not(hands, "This cannot be computed");
    hands_close(hands);
}

static void a_click_between_two_words_puts_the_caret_there(void **state)
{
    struct hands *hands = *state;
    struct rect dog;
    assert_true(canvas_find_group(hands_canvas(hands), "dog", 0, &dog));
    hands_click_at(hands, dog.x + 1.5f, dog.y + dog.h / 2); /* its very edge */
    hands_type(hands, "red ");
    assert_int_equal(count_words(hands), 5);
    assert_string_equal(word_at(hands, 1), "red");
    assert_string_equal(word_at(hands, 2), "dog");
}

/* Wherever in the gap the click is, at the edges of both words too, and whatever was clicked
 * before. */
static void every_place_between_two_words_takes_the_caret(void **state)
{
    (void)state;
    static const char *const before[] = {NULL, "dog", "lion", "NYC", "type a token…"};
    static const float behind[] = {-5, -2, 3, 8, 11}; /* the end of "lion" */
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        for (size_t b = 0; b < sizeof before / sizeof *before; b++) {
            struct hands *const hands = hands_open("cats", 1440, 900);
            struct rect lion;
            if (before[b] != NULL) {
                hands_click(hands, before[b]);
            }
            hands_wait(hands, 1);
            assert_true(canvas_find_group(hands_canvas(hands), "lion", 0, &lion));
            hands_click_at(hands, lion.x + lion.w + behind[i], lion.y + lion.h / 2);
            hands_type(hands, "bird ");
            assert_int_equal(count_words(hands), 5);
            assert_string_equal(word_at(hands, 3), "bird");
            assert_string_equal(word_at(hands, 4), "NYC");
            hands_close(hands);
        }
    }
}

static struct colour row_frame(const struct hands *hands)
{
    const struct canvas *const canvas = hands_canvas(hands);
    struct rect row;
    assert_true(canvas_find_group(canvas, "tokens", 0, &row));
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_RECT && command->paint.stroke.alpha > 0 &&
            memcmp(&command->rect, &row, sizeof row) == 0) {
            return command->paint.stroke;
        }
    }
    fail_msg("the row of words has no frame");
    return (struct colour){0};
}

static bool same_colour(struct colour a, struct colour b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* The row of words is framed while what is typed goes there, and only then. */
static void a_row_that_takes_no_letters_is_not_framed(void **state)
{
    struct hands *hands = *state;
    const struct colour rests = row_frame(hands);
    hands_click(hands, "NYC");
    hands_move(hands, 700, 500);
    hands_frame(hands);
    assert_true(same_colour(row_frame(hands), rests));
    hands_click(hands, "type a token…");
    hands_move(hands, 700, 500);
    hands_frame(hands);
    assert_true(same_colour(row_frame(hands), hands->state->theme->accent));
    hands_click(hands, "dog");
    hands_click(hands, "NYC"); /* the second word that is clicked can be taken away, too */
    hands_key(hands, "Backspace");
    assert_int_equal(count_words(hands), 3);
    assert_string_equal(word_at(hands, 2), "lion");
}

/* A word that was chosen stays chosen where it is dragged to, and where Undo brings it back to. */
static void what_is_chosen_goes_back_with_its_word(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_expect_part(hands, "how far keys go along “dog”");
    const struct point cat = hands_find(hands, "cat", 0), dog = hands_find(hands, "dog", 0);
    hands_drag(hands, dog.x, dog.y, cat.x - 20, cat.y);
    hands_wait(hands, 1);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[0], "dog");
    hands_expect_part(hands, "how far keys go along “dog”");
    hands_key(hands, "Ctrl+Z");
    hands_wait(hands, 1);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[0], "cat");
    hands_expect_part(hands, "how far keys go along “dog”");
    assert_int_equal(hands->state->view.pinned.key, 0); /* and the key is cat again */
    hands_close(hands);
}

/* Where words fill the row there is still a place to type; letters become no commands. */
static void a_full_row_can_be_typed_into(void **state)
{
    struct hands *hands = *state;
    hands_click(hands, "type a token…");
    hands_paste(hands, "one two three four five six seven eight nine ten eleven twelve thirteen "
                       "fourteen fifteen sixteen seventeen eighteen nineteen twenty more and more");
    hands_key(hands, "Escape");
    hands_key(hands, "Escape");
    struct rect row;
    assert_true(canvas_find_group(hands_canvas(hands), "tokens", 0, &row));
    const size_t before = count_words(hands);
    const enum lab_stage stage = hands->state->view.playback.stage;
    hands_click_at(hands, row.x + row.w - 14, row.y + row.h / 2);
    hands_type(hands, "the red city ");
    assert_int_equal(count_words(hands), before + 3);
    assert_string_equal(word_at(hands, before + 2), "city");
    assert_int_equal(hands->state->view.playback.stage, stage);
    assert_false(hands->state->view.prefs.captions_closed);
}

static void other_words_are_opened_with_the_focus(void **state)
{
    struct hands *hands = *state;
    hands_show_settings(hands);
    hands_click(hands, "other words");
    hands_type(hands, "the red city ");
    const struct lab_words *const context = hands->state->document.experiment.context;
    const size_t count = lab_words_count(context);
    assert_string_equal(lab_words_list(context)[count - 1], "city");
    assert_int_equal(count_words(hands), 4);
}

static const struct lab_words *keys_from(const struct hands *hands)
{
    return hands->state->document.experiment.context;
}

static void other_words_by_their_name_have_the_focus(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "other words on");
    hands_key(hands, "Enter");
    hands_type(hands, "the red city ");
    const size_t count = lab_words_count(keys_from(hands));
    assert_true(count >= 3);
    assert_string_equal(lab_words_list(keys_from(hands))[count - 1], "city");
    assert_int_equal(count_words(hands), 4);
}

/* Until the focus leaves it, the row that has no words waits for others. */
static void other_words_are_all_replaced(void **state)
{
    struct hands *hands = *state;
    hands_show_settings(hands);
    hands_click(hands, "other words");
    hands_key(hands, "Ctrl+A");
    hands_key(hands, "Backspace");
    hands_expect(hands, "K, V");
    hands_type(hands, "sea ");
    assert_int_equal(count_words(hands), 4);
    assert_int_equal(lab_words_count(keys_from(hands)), 1);
    assert_string_equal(lab_words_list(keys_from(hands))[0], "sea");
    hands_key(hands, "Backspace"); /* one by one, too */
    hands_expect(hands, "K, V");
    hands_type(hands, "tree");
    hands_click(hands, "Softmax"); /* what was typed becomes a word, as everywhere */
    assert_string_equal(lab_words_list(keys_from(hands))[0], "tree");
    hands_click(hands, "tree");
    hands_key(hands, "Backspace");
    hands_expect(hands, "K, V");
    hands_key(hands, "Escape");
    hands_expect_not(hands, "K, V"); /* the same words again */
    assert_null(keys_from(hands));
    hands_key(hands, "Ctrl+Z");
    assert_string_equal(lab_words_list(keys_from(hands))[0], "tree");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clicked_word_takes_no_letters),
        cmocka_unit_test(chips_that_begin_alike_are_told_apart_where_they_are_cut),
        a_test(ctrl_a_marks_all_words_and_typing_replaces_them),
        a_test(all_words_are_replaced_by_a_paste),
        a_test(words_are_pasted_onto_a_word),
        cmocka_unit_test(given_numbers_do_not_vanish_without_a_word),
        cmocka_unit_test(given_rows_follow_their_words),
        cmocka_unit_test(given_weights_take_a_new_text),
        cmocka_unit_test(words_of_a_layer_without_its_model_stay),
        a_test(a_click_between_two_words_puts_the_caret_there),
        cmocka_unit_test(every_place_between_two_words_takes_the_caret),
        cmocka_unit_test(what_is_chosen_goes_back_with_its_word),
        a_test(a_row_that_takes_no_letters_is_not_framed),
        a_test(a_full_row_can_be_typed_into),
        a_test(other_words_are_opened_with_the_focus),
        a_test(other_words_by_their_name_have_the_focus),
        a_test(other_words_are_all_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
