/* tests/ui/chips_view.c — what is seen of the token field, and what scrolls. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "chips_desk.h"

static void a_token_of_500_letters_stays_in_the_field(void **state)
{
    struct desk *desk = *state;
    char word[501];
    memset(word, 'm', 500);
    word[500] = '\0';
    click_into_field(desk);
    hands_type(&desk->hands, word);
    assert_true(rect_has(field, desk->hands.ui.text_area.x, desk->hands.ui.text_area.y));
    hands_type(&desk->hands, " ");
    assert_int_equal(desk->words.count, 5);
    assert_string_equal(desk->words.word[4], word);
    const struct rect chip = hands_group(&desk->hands, word);
    assert_true(chip.w <= 230);
    hands_move(&desk->hands, chip.x + 40, chip.y + 10);
    hands_wait(&desk->hands, 0.6);
    const struct rect tip = hands_group(&desk->hands, "tooltip");
    assert_true(tip.x >= 0 && tip.x + tip.w <= 800);
}

static void the_caret_stays_in_view_when_chips_do_not_fit(void **state)
{
    struct desk *desk = *state;
    click_into_field(desk);
    for (int i = 0; i < 30; i++) {
        hands_type(&desk->hands, "another ");
    }
    hands_type(&desk->hands, "more");
    assert_true(hands_see(&desk->hands, "more"));
    assert_false(hands_see(&desk->hands, "cat"));
    const struct rect caret = desk->hands.ui.text_area;
    assert_true(caret.x > field.x && caret.x + caret.w < field.x + field.w);
    hands_key(&desk->hands, UI_KEY_ESCAPE, 0);
    hands_key(&desk->hands, UI_KEY_HOME, 0);
    assert_true(hands_see(&desk->hands, "cat"));
}

static void nothing_is_drawn_beside_the_field(void **state)
{
    struct desk *desk = *state;
    click_into_field(desk);
    hands_type(&desk->hands, "a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd ");
    const size_t count = canvas_count(desk->hands.canvas);
    bool clipped = false;
    for (size_t i = 0; i < count; i++) {
        const struct canvas_command *command = canvas_command_at(desk->hands.canvas, i);
        if (command->kind == CANVAS_CLIP) {
            assert_true(clipped || (command->rect.x >= field.x &&
                                    command->rect.x + command->rect.w <= field.x + field.w));
            clipped = true;
        }
        if (command->kind == CANVAS_TEXT && !clipped) {
            fail_msg("text outside the field's clip");
        }
        if (command->kind == CANVAS_UNGROUP && clipped && i + 1 < count &&
            canvas_command_at(desk->hands.canvas, i - 1)->kind == CANVAS_UNCLIP) {
            return; /* the field's group ends here */
        }
    }
    fail_msg("the field's group never ended");
}

static void composing_text_shows_and_its_keys_are_not_ours(void **state)
{
    struct desk *desk = *state;
    click_into_field(desk);
    desk->hands.input.composing = "にほん";
    hands_key(&desk->hands, UI_KEY_BACKSPACE, 0);
    expect_words(desk, "cat|dog|lion|NYC");
    assert_true(hands_see(&desk->hands, "にほん"));
    desk->hands.input.composing = NULL;
    hands_type(&desk->hands, "日本 ");
    expect_words(desk, "cat|dog|lion|NYC|日本");
}

static void a_field_without_width_or_words_draws(void **state)
{
    struct desk *desk = *state;
    desk->words.count = 0;
    desk->hands.input.width = desk->hands.input.height = 1;
    hands_move(&desk->hands, 0, 0);
    click_into_field(desk);
    hands_key(&desk->hands, UI_KEY_LEFT, 0);
    hands_key(&desk->hands, UI_KEY_DELETE, 0);
    hands_key(&desk->hands, UI_KEY_ENTER, 0);
    expect_words(desk, "");
}

static void assert_shown(struct desk *desk, const char *word)
{
    const struct rect chip = hands_group(&desk->hands, word);
    assert_true(chip.x >= field.x && chip.x + chip.w <= field.x + field.w);
}

static void put_64_words(struct desk *desk)
{
    char text[16];
    desk->words.count = 0;
    for (size_t i = 0; i < 64; i++) {
        snprintf(text, sizeof text, "word%zu", i);
        put_words(&desk->words, i, text);
    }
    hands_feed(&desk->hands);
}

static void a_chip_chosen_elsewhere_comes_into_view(void **state)
{
    struct desk *desk = *state;
    put_64_words(desk);
    static const size_t chosen[] = {0, 20, 21, 22, 63, 62, 5};
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        desk->words.chosen = chosen[i];
        hands_feed(&desk->hands);
        assert_shown(desk, desk->words.word[chosen[i]]);
    }
    hands_wheel(&desk->hands, field.x + 200, field.y + 18, -20); /* looking elsewhere is allowed */
    assert_false(hands_see(&desk->hands, "word5"));
}

static void a_preview_scrolls_nothing(void **state)
{
    struct desk *desk = *state;
    put_64_words(desk);
    desk->words.previews = true;
    desk->words.chosen = 0;
    hands_feed(&desk->hands);
    hands_wheel(&desk->hands, field.x + 200, field.y + 18, -20);
    const struct rect before = hands_group(&desk->hands, "word18");
    hands_move(&desk->hands, before.x + 8, before.y + 10);
    assert_int_equal(desk->words.hovered, 18);
    hands_move(&desk->hands, 400, 300);
    assert_true(hands_group(&desk->hands, "word18").x == before.x);
    desk->words.chosen = 1;
    hands_feed(&desk->hands);
    assert_shown(desk, "word1");
}

static void the_ends_say_how_many_chips_are_hidden(void **state)
{
    struct desk *desk = *state;
    assert_false(hands_see(&desk->hands, "+1"));
    put_64_words(desk);
    desk->words.chosen = 0;
    hands_feed(&desk->hands);
    char sign[16];
    size_t shown = 0;
    for (size_t i = 0; i < 64; i++) {
        struct rect chip = {0};
        shown += canvas_find_group(desk->hands.canvas, desk->words.word[i], 0, &chip) &&
                 chip.x + chip.w < field.x + field.w - 72; /* 30 of it are kept free to type */
    }
    snprintf(sign, sizeof sign, "+%zu", 64 - shown);
    const struct point right = hands_find(&desk->hands, sign);
    assert_true(right.x > field.x + field.w - 70);
    hands_click(&desk->hands, right.x, right.y);
    assert_false(hands_see(&desk->hands, "word0"));
    assert_true(hands_see(&desk->hands, "word9"));
    assert_int_equal(desk->words.chosen, 0); /* it was no chip that was clicked */
    hands_wheel(&desk->hands, field.x + 200, field.y + 18, -200);
    assert_true(hands_see(&desk->hands, "word63"));
    assert_false(hands_see(&desk->hands, sign));
}

static void a_click_does_not_move_the_chip_from_under_the_pointer(void **state)
{
    struct desk *desk = *state;
    put_64_words(desk);
    for (size_t i = 0; i < 64; i++) {
        struct rect chip = {0};
        canvas_find_group(desk->hands.canvas, desk->words.word[i], 0, &chip);
        if (chip.x < field.x + field.w - 72 && chip.x + chip.w >= field.x + field.w - 72) {
            hands_click(&desk->hands, chip.x + 8, chip.y + 10);
            assert_int_equal(desk->words.chosen, i);
            assert_true(hands_group(&desk->hands, desk->words.word[i]).x == chip.x);
            return;
        }
    }
    fail_msg("no chip reaches the end of the field");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_token_of_500_letters_stays_in_the_field),
        CASE(the_caret_stays_in_view_when_chips_do_not_fit),
        CASE(nothing_is_drawn_beside_the_field),
        CASE(composing_text_shows_and_its_keys_are_not_ours),
        CASE(a_chip_chosen_elsewhere_comes_into_view),
        CASE(a_preview_scrolls_nothing),
        CASE(the_ends_say_how_many_chips_are_hidden),
        CASE(a_click_does_not_move_the_chip_from_under_the_pointer),
        CASE(a_field_without_width_or_words_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
