/* tests/ui/field.c — a line of text: caret, marking, letters of several code points, clipboard. */
#include <stdio.h>
#include <string.h>

#include "hands.h"

struct form {
    struct hands hands;
    char name[64], other[64];
    int taken, left;
    bool begin;
    bool by_enter; /* how the last text was taken */
};

static const struct rect name_area = {20, 20, 150, 32};

static void serve(struct form *form, const char *id, struct rect area, char *text, bool begin)
{
    const struct ui_field_answer answer = ui_field(
        &form->hands.ui, id, area,
        &(struct ui_field){.label = id, .text = text, .hint = "write here", .begin = begin});
    if (answer.event == UI_FIELD_COMMITTED) {
        snprintf(text, 64, "%.63s", answer.text);
        form->taken++;
        form->by_enter = answer.by_enter;
    }
    form->left += answer.event == UI_FIELD_LEFT;
}

static void page(struct hands *hands)
{
    struct form *form = hands->state;
    serve(form, "name", name_area, form->name, form->begin);
    serve(form, "other", (struct rect){20, 70, 150, 32}, form->other, false);
    form->begin = false;
}

static int set_up(void **state)
{
    struct form *form = test_calloc(1, sizeof *form);
    hands_open(&form->hands, page, form);
    *state = form;
    return 0;
}

static int tear_down(void **state)
{
    struct form *form = *state;
    hands_close(&form->hands);
    test_free(form);
    return 0;
}

static void write_name(struct form *form, const char *text)
{
    form->begin = true;
    hands_feed(&form->hands);
    hands_type(&form->hands, text);
}

static void enter_takes_and_escape_leaves(void **state)
{
    struct form *form = *state;
    assert_true(hands_see(&form->hands, "write here"));
    write_name(form, "query");
    hands_key(&form->hands, UI_KEY_ENTER, 0);
    assert_string_equal(form->name, "query");
    write_name(form, "key");
    hands_key(&form->hands, UI_KEY_ESCAPE, 0);
    assert_string_equal(form->name, "query");
    assert_int_equal(form->left, 1);
    assert_true(hands_see(&form->hands, "query"));
}

static void what_an_input_method_composes_does_not_stand_on_the_hint(void **state)
{
    struct form *form = *state;
    snprintf(form->other, sizeof form->other, "key");
    form->begin = true;
    hands_feed(&form->hands);
    assert_true(hands_see(&form->hands, "write here"));
    form->hands.input.composing = "猫";
    hands_feed(&form->hands);
    assert_true(hands_see(&form->hands, "猫"));
    assert_false(hands_see(&form->hands, "write here"));
    hands_key(&form->hands, UI_KEY_ENTER, 0); /* the input method's */
    assert_int_equal(form->taken, 0);
    form->hands.input.composing = NULL;
    hands_feed(&form->hands);
    assert_true(hands_see(&form->hands, "write here"));
}

static void the_answer_says_whether_enter_took_it(void **state)
{
    struct form *form = *state;
    write_name(form, "query");
    hands_key(&form->hands, UI_KEY_ENTER, 0);
    assert_true(form->by_enter);
    write_name(form, "key");
    hands_key(&form->hands, UI_KEY_TAB, 0);
    assert_string_equal(form->name, "key");
    assert_false(form->by_enter);
    form->by_enter = true;
    write_name(form, "value");
    hands_click(&form->hands, 600, 400);
    assert_string_equal(form->name, "value");
    assert_false(form->by_enter);
}

static void one_backspace_takes_a_whole_letter(void **state)
{
    struct form *form = *state;
    write_name(form, "cafe");
    form->hands.input.text = "\xCC\x81"; /* the accent that joins the e */
    hands_feed(&form->hands);
    hands_type(&form->hands, "👩‍👧");
    hands_key(&form->hands, UI_KEY_BACKSPACE, 0);
    assert_string_equal(form->hands.memory.typed, "cafe\xCC\x81");
    hands_key(&form->hands, UI_KEY_BACKSPACE, 0);
    assert_string_equal(form->hands.memory.typed, "caf");
    hands_key(&form->hands, UI_KEY_HOME, 0);
    hands_key(&form->hands, UI_KEY_DELETE, 0);
    assert_string_equal(form->hands.memory.typed, "af");
}

static void arrows_words_and_marks(void **state)
{
    struct form *form = *state;
    write_name(form, "one two three");
    hands_key(&form->hands, UI_KEY_LEFT, UI_CTRL);
    hands_type(&form->hands, "x");
    assert_string_equal(form->hands.memory.typed, "one two xthree");
    hands_key(&form->hands, UI_KEY_LEFT, UI_CTRL | UI_SHIFT);
    hands_key(&form->hands, UI_KEY_LEFT, UI_CTRL | UI_SHIFT);
    hands_key(&form->hands, 'x', UI_CTRL);
    assert_string_equal(form->hands.clipboard, "two x");
    assert_string_equal(form->hands.memory.typed, "one three");
    hands_key(&form->hands, 'v', UI_CTRL);
    assert_true(form->hands.wants_paste);
    form->hands.input.paste = "two\n";
    hands_feed(&form->hands);
    assert_string_equal(form->hands.memory.typed, "one two three");
    hands_key(&form->hands, 'a', UI_CTRL);
    hands_key(&form->hands, 'c', UI_CTRL);
    assert_string_equal(form->hands.clipboard, "one two three");
    hands_type(&form->hands, "z");
    assert_string_equal(form->hands.memory.typed, "z");
    hands_key(&form->hands, UI_KEY_BACKSPACE, UI_CTRL);
    assert_string_equal(form->hands.memory.typed, "");
}

static void ctrl_c_without_a_mark_is_left_to_others(void **state)
{
    struct form *form = *state;
    write_name(form, "abc");
    hands_key(&form->hands, 'c', UI_CTRL);
    assert_false(form->hands.copied);
    assert_false(form->hands.keys_consumed);
}

static void the_pointer_places_the_caret_and_marks(void **state)
{
    struct form *form = *state;
    write_name(form, "attention");
    hands_click(&form->hands, name_area.x + 8, 36);
    hands_type(&form->hands, "self");
    assert_string_equal(form->hands.memory.typed, "selfattention");
    hands_drag(&form->hands, name_area.x + 8, 36, name_area.x + 300, 36);
    hands_type(&form->hands, "q");
    assert_string_equal(form->hands.memory.typed, "q");
    hands_type(&form->hands, " key value");
    hands_press(&form->hands, name_area.x + 30, 36, 2);
    hands_release(&form->hands);
    hands_key(&form->hands, 'c', UI_CTRL);
    assert_string_equal(form->hands.clipboard, "key");
}

static void a_click_into_another_field_takes_the_first(void **state)
{
    struct form *form = *state;
    write_name(form, "first");
    hands_click(&form->hands, 60, 86);
    assert_string_equal(form->name, "first");
    hands_type(&form->hands, "second");
    hands_click(&form->hands, 60, 36); /* back, to a field that comes earlier in the frame */
    assert_string_equal(form->other, "second");
    hands_key(&form->hands, UI_KEY_TAB, 0);
    assert_string_equal(form->name, "first");
    assert_int_equal(form->hands.memory.focus, ui_id(&form->hands.ui, "other"));
}

static void long_text_scrolls_inside_the_field(void **state)
{
    struct form *form = *state;
    write_name(form, "a very long sentence that does not fit into a field of 150 points");
    const struct rect caret = form->hands.ui.text_area;
    assert_true(caret.x > name_area.x && caret.x + caret.w <= name_area.x + name_area.w);
    hands_key(&form->hands, UI_KEY_HOME, 0);
    assert_true(form->hands.ui.text_area.x < name_area.x + 12);
}

static void a_text_that_is_too_long_is_cut_at_a_letter(void **state)
{
    struct form *form = *state;
    static char much[3 * UI_TYPED_MAX];
    for (size_t i = 0; i + 3 < sizeof much; i += 2) {
        memcpy(much + i, "é", 2);
    }
    write_name(form, "a");
    form->hands.input.paste = much;
    hands_feed(&form->hands);
    const size_t length = strlen(form->hands.memory.typed);
    assert_true(length > UI_TYPED_MAX - 8 && length < UI_TYPED_MAX);
    assert_int_equal(length % 2, 1); /* a, then whole letters of two bytes */
}

static void broken_bytes_and_control_characters_do_no_harm(void **state)
{
    struct form *form = *state;
    form->begin = true;
    hands_feed(&form->hands);
    form->hands.input.paste = "a\x01\xFF\tb";
    hands_feed(&form->hands);
    assert_string_equal(form->hands.memory.typed, "a\xEF\xBF\xBD b");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(enter_takes_and_escape_leaves),
        CASE(what_an_input_method_composes_does_not_stand_on_the_hint),
        CASE(the_answer_says_whether_enter_took_it),
        CASE(one_backspace_takes_a_whole_letter),
        CASE(arrows_words_and_marks),
        CASE(ctrl_c_without_a_mark_is_left_to_others),
        CASE(the_pointer_places_the_caret_and_marks),
        CASE(a_click_into_another_field_takes_the_first),
        CASE(long_text_scrolls_inside_the_field),
        CASE(a_text_that_is_too_long_is_cut_at_a_letter),
        CASE(broken_bytes_and_control_characters_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
