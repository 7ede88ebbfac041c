/* tests/ui/chips.c — the token field, driven as a person does. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "chips_desk.h"

static void a_space_makes_a_chip_of_what_was_typed(void **state)
{
    struct desk *desk = *state;
    click_into_field(desk);
    assert_true(desk->hands.ui.wants_text);
    hands_type(&desk->hands, "bird");
    expect_words(desk, "cat|dog|lion|NYC");
    assert_true(hands_see(&desk->hands, "bird"));
    hands_type(&desk->hands, " ");
    expect_words(desk, "cat|dog|lion|NYC|bird");
    hands_type(&desk->hands, "fish");
    hands_key(&desk->hands, UI_KEY_ENTER, 0);
    expect_words(desk, "cat|dog|lion|NYC|bird|fish");
}

static void letters_and_enter_of_one_record_keep_their_order(void **state)
{
    struct desk *desk = *state;
    click_into_field(desk);
    struct ui_input *input = &desk->hands.input;
    input->text = "ab";
    input->stroke[0] = (struct ui_stroke){'a', 0};
    input->stroke[1] = (struct ui_stroke){UI_KEY_ENTER, 0};
    input->stroke[2] = (struct ui_stroke){'b', 0};
    input->strokes = 3;
    hands_feed(&desk->hands);
    expect_words(desk, "cat|dog|lion|NYC|a");
    assert_true(hands_see(&desk->hands, "b"));
    input->text = "ig cat ho";
    hands_feed(&desk->hands);
    expect_words(desk, "cat|dog|lion|NYC|a|big|cat");
    assert_true(hands_see(&desk->hands, "ho"));
}

static void a_backslash_keeps_a_space_in_the_word(void **state)
{
    struct desk *desk = *state;
    click_into_field(desk);
    hands_type(&desk->hands, "New\\ York ");
    expect_words(desk, "cat|dog|lion|NYC|New York");
    const struct point at = hands_find(&desk->hands, "New York");
    hands_press(&desk->hands, at.x, at.y, 2);
    hands_release(&desk->hands);
    assert_true(hands_see(&desk->hands, "New\\ York"));
    hands_key(&desk->hands, UI_KEY_END, 0);
    hands_type(&desk->hands, "s");
    hands_key(&desk->hands, UI_KEY_ENTER, 0);
    expect_words(desk, "cat|dog|lion|NYC|New Yorks");
}

static void backspace_takes_the_chip_before_when_nothing_is_typed(void **state)
{
    struct desk *desk = *state;
    click_into_field(desk);
    hands_key(&desk->hands, UI_KEY_BACKSPACE, 0);
    expect_words(desk, "cat|dog|lion");
    hands_type(&desk->hands, "x");
    hands_key(&desk->hands, UI_KEY_BACKSPACE, 0);
    expect_words(desk, "cat|dog|lion");
    for (int i = 0; i < 5; i++) {
        hands_key(&desk->hands, UI_KEY_BACKSPACE, 0);
    }
    expect_words(desk, "");
    assert_true(hands_see(&desk->hands, "type a token…"));
}

static void arrows_walk_to_a_chip_that_delete_takes_away(void **state)
{
    struct desk *desk = *state;
    click_into_field(desk);
    hands_key(&desk->hands, UI_KEY_LEFT, 0);
    hands_key(&desk->hands, UI_KEY_LEFT, 0);
    hands_key(&desk->hands, UI_KEY_LEFT, 0);
    hands_key(&desk->hands, UI_KEY_DELETE, 0);
    expect_words(desk, "cat|lion|NYC");
    hands_key(&desk->hands, UI_KEY_HOME, 0);
    hands_key(&desk->hands, UI_KEY_RIGHT, UI_ALT);
    expect_words(desk, "lion|cat|NYC");
    hands_key(&desk->hands, 'c', UI_CTRL);
    assert_string_equal(desk->hands.clipboard, "cat");
}

static void a_click_chooses_and_a_double_click_edits(void **state)
{
    struct desk *desk = *state;
    hands_click_text(&desk->hands, "dog");
    assert_int_equal(desk->words.chosen, 1);
    const struct point at = hands_find(&desk->hands, "dog");
    hands_press(&desk->hands, at.x, at.y, 2);
    hands_release(&desk->hands);
    hands_type(&desk->hands, "wolf");
    expect_words(desk, "cat|dog|lion|NYC");
    hands_key(&desk->hands, UI_KEY_ENTER, 0);
    expect_words(desk, "cat|wolf|lion|NYC");
}

static void escape_leaves_an_edited_chip_as_it_was(void **state)
{
    struct desk *desk = *state;
    hands_click_text(&desk->hands, "lion");
    hands_key(&desk->hands, UI_KEY_F1 + 1, 0);
    hands_type(&desk->hands, "tiger");
    hands_key(&desk->hands, UI_KEY_ESCAPE, 0);
    expect_words(desk, "cat|dog|lion|NYC");
    assert_true(hands_see(&desk->hands, "lion"));
}

static void a_chip_edited_to_nothing_goes_away(void **state)
{
    struct desk *desk = *state;
    hands_click_text(&desk->hands, "lion");
    hands_key(&desk->hands, UI_KEY_ENTER, 0);
    hands_key(&desk->hands, UI_KEY_BACKSPACE, 0);
    hands_key(&desk->hands, UI_KEY_ENTER, 0);
    expect_words(desk, "cat|dog|NYC");
}

static void a_drag_puts_a_chip_elsewhere_and_chooses_nothing(void **state)
{
    struct desk *desk = *state;
    const struct point cat = hands_find(&desk->hands, "cat"),
                       lion = hands_find(&desk->hands, "lion");
    hands_drag(&desk->hands, cat.x, cat.y, lion.x + 8, lion.y);
    expect_words(desk, "dog|lion|cat|NYC");
    const struct point nyc = hands_find(&desk->hands, "NYC");
    hands_drag(&desk->hands, nyc.x, nyc.y, field.x - 60, nyc.y);
    expect_words(desk, "NYC|dog|lion|cat");
    assert_int_equal(desk->words.chosen, SIZE_MAX);
    hands_drag(&desk->hands, field.x + 30, field.y + 18, field.x + 37, field.y + 18);
    expect_words(desk, "NYC|dog|lion|cat");
}

static void hovering_tells_which_chip(void **state)
{
    struct desk *desk = *state;
    const struct point at = hands_find(&desk->hands, "lion");
    hands_move(&desk->hands, at.x, at.y);
    assert_int_equal(desk->words.hovered, 2);
    hands_move(&desk->hands, 400, 300);
    assert_int_equal(desk->words.hovered, SIZE_MAX);
}

static void what_is_typed_becomes_a_chip_when_the_field_is_left(void **state)
{
    struct desk *desk = *state;
    click_into_field(desk);
    hands_type(&desk->hands, "bird");
    hands_key(&desk->hands, UI_KEY_TAB, 0);
    expect_words(desk, "cat|dog|lion|NYC|bird");
    click_into_field(desk);
    hands_type(&desk->hands, "fish");
    hands_click_text(&desk->hands, "Next");
    expect_words(desk, "cat|dog|lion|NYC|bird|fish");
    click_into_field(desk);
    hands_type(&desk->hands, "ant");
    hands_click(&desk->hands, 400, 300);
    expect_words(desk, "cat|dog|lion|NYC|bird|fish|ant");
}

static void letters_typed_into_the_field_are_no_commands(void **state)
{
    struct desk *desk = *state;
    hands_key(&desk->hands, 't', 0);
    assert_false(desk->hands.keys_consumed);
    click_into_field(desk);
    hands_type(&desk->hands, "t");
    assert_true(desk->hands.keys_consumed);
    hands_key(&desk->hands, 'e', UI_CTRL);
    assert_false(desk->hands.keys_consumed);
    hands_key(&desk->hands, UI_KEY_F1 + 10, 0);
    assert_false(desk->hands.keys_consumed);
}

static void a_pasted_sentence_is_split(void **state)
{
    struct desk *desk = *state;
    click_into_field(desk);
    hands_key(&desk->hands, 'v', UI_CTRL);
    assert_true(desk->hands.wants_paste);
    desk->hands.input.paste = "who won\nthe\trace ?";
    hands_feed(&desk->hands);
    expect_words(desk, "cat|dog|lion|NYC|who|won|the|race|?");
    hands_type(&desk->hands, "hel");
    desk->hands.input.paste = "lo big";
    hands_feed(&desk->hands);
    expect_words(desk, "cat|dog|lion|NYC|who|won|the|race|?|hello|big");
}

static void ten_thousand_pasted_words_do_not_stop_the_class(void **state)
{
    struct desk *desk = *state;
    static char text[10000 * 8];
    size_t used = 0;
    for (int i = 0; i < 10000; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "w%d ", i % 500);
    }
    click_into_field(desk);
    hands_type(&desk->hands, "x");
    const clock_t start = clock();
    desk->hands.input.paste = text;
    hands_feed(&desk->hands);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 2);
    assert_int_equal(desk->words.count, 10004);
    assert_string_equal(desk->words.word[10003], "w499");
    assert_true(canvas_count(desk->hands.canvas) < 500); /* what cannot be seen is not drawn */
}

static void a_marked_word_says_why(void **state)
{
    struct desk *desk = *state;
    desk->words.marked = true;
    hands_feed(&desk->hands);
    const struct point at = hands_find(&desk->hands, "lion");
    hands_move(&desk->hands, at.x, at.y);
    hands_wait(&desk->hands, 0.6);
    assert_true(hands_see(&desk->hands, "its position comes from its letters"));
}

static void letters_typed_on_a_chosen_chip_go_in_before_it(void **state)
{
    struct desk *desk = *state;
    click_into_field(desk);
    hands_key(&desk->hands, UI_KEY_HOME, 0);
    assert_true(desk->hands.ui.wants_text); /* a window sends no letters otherwise */
    hands_type(&desk->hands, "wolf");
    const struct rect cat = hands_group(&desk->hands, "cat");
    const struct point wolf = hands_find(&desk->hands, "wolf");
    assert_true(wolf.x > field.x && wolf.x < cat.x);
    hands_type(&desk->hands, " ");
    expect_words(desk, "wolf|cat|dog|lion|NYC");
    hands_type(&desk->hands, "fox");
    hands_key(&desk->hands, UI_KEY_ENTER, 0);
    expect_words(desk, "wolf|fox|cat|dog|lion|NYC");
    hands_key(&desk->hands, UI_KEY_BACKSPACE, 0);
    hands_key(&desk->hands, UI_KEY_DELETE, 0);
    expect_words(desk, "wolf|dog|lion|NYC");
    hands_key(&desk->hands, UI_KEY_RIGHT, 0);
    hands_key(&desk->hands, UI_KEY_RIGHT, 0);
    desk->hands.input.paste = "big bad";
    hands_feed(&desk->hands);
    expect_words(desk, "wolf|dog|big|bad|lion|NYC");
    hands_key(&desk->hands, UI_KEY_END, 0);
    hands_type(&desk->hands, "ant ");
    expect_words(desk, "wolf|dog|big|bad|lion|NYC|ant");
}

static void words_left_in_the_middle_stay_in_the_middle(void **state)
{
    struct desk *desk = *state;
    struct rect lion = hands_group(&desk->hands, "lion");
    hands_click(&desk->hands, lion.x - 3, lion.y + 10);
    hands_type(&desk->hands, "wolf");
    hands_key(&desk->hands, UI_KEY_TAB, 0);
    expect_words(desk, "cat|dog|wolf|lion|NYC");
    lion = hands_group(&desk->hands, "lion");
    hands_click(&desk->hands, lion.x - 3, lion.y + 10);
    hands_type(&desk->hands, "fox");
    hands_click_text(&desk->hands, "Next");
    expect_words(desk, "cat|dog|wolf|fox|lion|NYC");
}

static void a_click_between_two_chips_puts_the_caret_there(void **state)
{
    struct desk *desk = *state;
    const struct rect dog = hands_group(&desk->hands, "dog");
    hands_click(&desk->hands, dog.x - 3, dog.y + 10);
    const struct rect caret = desk->hands.ui.text_area;
    assert_true(caret.x >= dog.x - 6 && caret.x + caret.w < hands_group(&desk->hands, "dog").x);
    hands_type(&desk->hands, "wolf ");
    expect_words(desk, "cat|wolf|dog|lion|NYC");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_space_makes_a_chip_of_what_was_typed),
        CASE(letters_and_enter_of_one_record_keep_their_order),
        CASE(a_backslash_keeps_a_space_in_the_word),
        CASE(backspace_takes_the_chip_before_when_nothing_is_typed),
        CASE(arrows_walk_to_a_chip_that_delete_takes_away),
        CASE(a_click_chooses_and_a_double_click_edits),
        CASE(escape_leaves_an_edited_chip_as_it_was),
        CASE(a_chip_edited_to_nothing_goes_away),
        CASE(a_drag_puts_a_chip_elsewhere_and_chooses_nothing),
        CASE(hovering_tells_which_chip),
        CASE(what_is_typed_becomes_a_chip_when_the_field_is_left),
        CASE(letters_typed_into_the_field_are_no_commands),
        CASE(a_pasted_sentence_is_split),
        CASE(ten_thousand_pasted_words_do_not_stop_the_class),
        CASE(a_marked_word_says_why),
        CASE(letters_typed_on_a_chosen_chip_go_in_before_it),
        CASE(words_left_in_the_middle_stay_in_the_middle),
        CASE(a_click_between_two_chips_puts_the_caret_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
