/* tests/ui/chips.c — the token field, driven as a person does. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/text.h"
#include "hands.h"

enum { WORDS_MAX = 16000, WORD_MAX = 600 };

static const struct rect field = {100, 20, 500, 36};

struct words {
    struct arena arena;
    const char **word;
    size_t count, chosen, hovered;
    bool marked;
    bool previews; /* the chip under the pointer is shown as if it were chosen */
};

static void put_words(struct words *words, size_t at, const char *text)
{
    const char *const *added = NULL;
    const size_t count = text_split(&words->arena, text, strlen(text), &added);
    assert_true(words->count + count <= WORDS_MAX);
    memmove(words->word + at + count, words->word + at, (words->count - at) * sizeof *words->word);
    for (size_t i = 0; i < count; i++) {
        words->word[at + i] = added[i];
    }
    words->count += count;
}

static void drop_word(struct words *words, size_t at)
{
    memmove(words->word + at, words->word + at + 1, (words->count - at - 1) * sizeof *words->word);
    words->count--;
}

static void answer(struct words *words, const struct ui_chips_answer *answer)
{
    words->hovered = SIZE_MAX;
    switch (answer->event) {
    case UI_CHIPS_CHOOSE:
        words->chosen = answer->index;
        break;
    case UI_CHIPS_HOVER:
        words->hovered = answer->index;
        break;
    case UI_CHIPS_INSERT:
        put_words(words, answer->index, answer->text);
        break;
    case UI_CHIPS_REPLACE:
        drop_word(words, answer->index);
        put_words(words, answer->index, answer->text);
        break;
    case UI_CHIPS_REMOVE:
        drop_word(words, answer->index);
        break;
    case UI_CHIPS_MOVE: {
        const char *moved = words->word[answer->index];
        drop_word(words, answer->index);
        const size_t to = answer->other > answer->index ? answer->other - 1 : answer->other;
        memmove(words->word + to + 1, words->word + to, (words->count - to) * sizeof *words->word);
        words->word[to] = moved;
        words->count++;
        break;
    }
    default:
        break;
    }
}

static void page(struct hands *hands)
{
    static struct ui_chip chip[WORDS_MAX];
    struct words *words = hands->state;
    const bool previews = words->previews && words->hovered != SIZE_MAX;
    for (size_t i = 0; i < words->count; i++) {
        chip[i] =
            (struct ui_chip){.word = words->word[i],
                             .chosen = previews ? words->hovered == i : words->chosen == i,
                             .hovered = previews && words->hovered == i,
                             .marked = words->marked,
                             .tip = words->marked ? "its position comes from its letters" : NULL};
    }
    const struct ui_chips_answer what = ui_chips(
        &hands->ui, "tokens", field, &(struct ui_chips){chip, words->count, "type a token…"});
    answer(words, &what);
    ui_button(&hands->ui, "next", (struct rect){620, 20, 100, 36},
              &(struct ui_button){.label = "Next"});
}

struct desk {
    struct hands hands;
    struct words words;
};

static int set_up(void **state)
{
    static const char *room[WORDS_MAX];
    struct desk *desk = test_calloc(1, sizeof *desk);
    desk->words.word = room;
    desk->words.chosen = desk->words.hovered = SIZE_MAX;
    put_words(&desk->words, 0, "cat dog lion NYC");
    hands_open(&desk->hands, page, &desk->words);
    *state = desk;
    return 0;
}

static int tear_down(void **state)
{
    struct desk *desk = *state;
    hands_close(&desk->hands);
    arena_free(&desk->words.arena);
    test_free(desk);
    return 0;
}

static void expect_words(const struct desk *desk, const char *expected)
{
    char all[WORD_MAX] = "";
    for (size_t i = 0; i < desk->words.count; i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? "|" : "", desk->words.word[i]);
    }
    assert_string_equal(all, expected);
}

static void click_into_field(struct desk *desk)
{
    hands_click(&desk->hands, field.x + field.w - 20, field.y + 18);
}

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
    assert_false(desk->hands.keys_taken);
    click_into_field(desk);
    hands_type(&desk->hands, "t");
    assert_true(desk->hands.keys_taken);
    hands_key(&desk->hands, 'e', UI_CTRL);
    assert_false(desk->hands.keys_taken);
    hands_key(&desk->hands, UI_KEY_F1 + 10, 0);
    assert_false(desk->hands.keys_taken);
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
    hands_click_text(&desk->hands, "lion");
    hands_type(&desk->hands, "wolf");
    hands_key(&desk->hands, UI_KEY_TAB, 0);
    expect_words(desk, "cat|dog|wolf|lion|NYC");
    hands_click_text(&desk->hands, "lion");
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
    hands_move(&desk->hands, before.x + 5, before.y + 10);
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
                 chip.x + chip.w < field.x + field.w - 37;
    }
    snprintf(sign, sizeof sign, "+%zu", 64 - shown);
    const struct point right = hands_find(&desk->hands, sign);
    assert_true(right.x > field.x + field.w - 40);
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
        if (chip.x < field.x + field.w - 42 && chip.x + chip.w >= field.x + field.w - 42) {
            hands_click(&desk->hands, chip.x + 2, chip.y + 10);
            assert_int_equal(desk->words.chosen, i);
            assert_true(hands_group(&desk->hands, desk->words.word[i]).x == chip.x);
            return;
        }
    }
    fail_msg("no chip reaches the end of the field");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

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
        CASE(a_token_of_500_letters_stays_in_the_field),
        CASE(the_caret_stays_in_view_when_chips_do_not_fit),
        CASE(nothing_is_drawn_beside_the_field),
        CASE(composing_text_shows_and_its_keys_are_not_ours),
        CASE(a_marked_word_says_why),
        CASE(letters_typed_on_a_chosen_chip_go_in_before_it),
        CASE(words_left_in_the_middle_stay_in_the_middle),
        CASE(a_click_between_two_chips_puts_the_caret_there),
        CASE(a_chip_chosen_elsewhere_comes_into_view),
        CASE(a_preview_scrolls_nothing),
        CASE(the_ends_say_how_many_chips_are_hidden),
        CASE(a_click_does_not_move_the_chip_from_under_the_pointer),
        CASE(a_field_without_width_or_words_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
