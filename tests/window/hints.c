/* Hints about what nobody finds alone: each is shown once, where it helps, and never after use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/startup.h"
#include "app/document/hints.h"
#include "base/file.h"
#include "hands.h"

static const char EDIT[] = "Click the number once more to change it.",
                  ASIDE[] = "This key gets more than half. Select it, and Alt+A sets it aside, so "
                            "that the others show.",
                  STRIP[] = "Shift+T puts this strip away, and brings it back.",
                  LEARN[] = "Learning replaced the words by some it can learn: Ctrl+Z brings yours "
                            "back.",
                  FIND[] = "Ctrl+K finds every lesson, setting and command by its name.";

static void begin(struct hands *hands)
{
    hands->state->host |= APP_HOST_STORES_SETTINGS;
    app_hints_begin(hands->state);
    hands_frame(hands);
}

/* The same person starts the program again. */
static void start_again(struct hands *hands)
{
    struct error error = {0};
    app_state_close(hands->state);
    memset(hands->state, 0, sizeof *hands->state);
    assert_true(app_state_open(hands->state, "cats", NULL, &error));
    begin(hands);
}

static void the_first_click_on_a_number_says_what_the_second_does(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    begin(hands);
    hands_key(hands, "1");
    hands_wait(hands, 1);
    hands_click(hands, "5.0");
    hands_expect(hands, EDIT);
    hands_click(hands, "5.0"); /* which is what it spoke of */
    hands_key(hands, "Escape");
    hands_click(hands, "1.0");
    hands_expect_not(hands, EDIT);
    start_again(hands);
    hands_key(hands, "1");
    hands_wait(hands, 1);
    hands_click(hands, "5.0");
    hands_expect_not(hands, EDIT);
    hands_close(hands);
}

static void a_hint_that_was_read_is_over_for_this_person(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    begin(hands);
    hands_expect_not(hands, FIND); /* nothing has been done so far */
    hands_key(hands, "PageDown");
    hands_wait(hands, 1);
    hands_expect(hands, FIND);
    start_again(hands);
    hands_key(hands, "PageDown");
    hands_wait(hands, 1);
    hands_expect(hands, FIND); /* a second is not enough to read it */
    hands_wait(hands, 12);
    hands_expect_not(hands, FIND);
    start_again(hands);
    hands_key(hands, "PageDown");
    hands_wait(hands, 1);
    hands_expect_not(hands, FIND);
    hands_close(hands);
}

static void words_that_learning_replaced_are_explained_then_its_strip(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    begin(hands);
    hands_click(hands, "Learn");
    hands_wait(hands, 1);
    hands_expect(hands, LEARN);
    hands_expect_not(hands, STRIP); /* one at a time */
    hands_wait(hands, 13);
    hands_expect_not(hands, LEARN);
    hands_expect(hands, STRIP);
    hands_key(hands, "Shift+T");
    hands_key(hands, "Shift+T");
    hands_wait(hands, 1);
    hands_expect_not(hands, STRIP);
    hands_close(hands);
}

static void a_key_that_takes_over_half_can_be_set_aside(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    begin(hands);
    hands_key(hands, "5");
    hands_wait(hands, 1);
    hands_expect_not(hands, ASIDE);
    char path[sizeof hands->folder + sizeof "/sink.csv"];
    snprintf(path, sizeof path, "%s/sink.csv", hands->folder);
    const char text[] = ",the,cat,sat\nthe,1,0,0\ncat,0.8,0.2,0\nsat,0.7,0.1,0.2\n";
    assert_true(file_write(path, (struct bytes){(const uint8_t *)text, strlen(text)}, NULL));
    hands_drop(hands, path);
    hands_show_settled(hands);
    hands_expect(hands, ASIDE);
    hands_key(hands, "Alt+A");
    hands_key(hands, "Alt+A");
    hands_frame(hands);
    hands_expect_not(hands, ASIDE);
    hands_close(hands);
}

/* A hint covers neither what it speaks of nor what the pointer goes to. */
static void a_hint_makes_way_for_the_pointer(void **state)
{
    (void)state;
    static const struct {
        const char *lesson, *key, *press, *hint;
    } rows[] = {{"cats", "PageDown", NULL, FIND}, {"cats", "1", "5.0", EDIT}};
    static const float rooms[][2] = {{960, 600}, {1440, 900}};
    for (size_t r = 0; r < 4; r++) {
        struct hands *const hands =
            hands_open(rows[r / 2].lesson, rooms[r % 2][0], rooms[r % 2][1]);
        begin(hands);
        hands_key(hands, rows[r / 2].key);
        hands_wait(hands, 1);
        if (rows[r / 2].press != NULL) {
            hands_click(hands, rows[r / 2].press);
        }
        struct rect card;
        for (int way = 0; way < 3; way++) {
            hands_expect(hands, rows[r / 2].hint);
            assert_true(canvas_find_text(hands_canvas(hands), rows[r / 2].hint, 0, &card));
            hands_move(hands, card.x + card.w * (0.1f + 0.4f * (float)way), card.y - 4);
            const float x = hands->input.x, y = hands->input.y;
            assert_true(canvas_find_text(hands_canvas(hands), rows[r / 2].hint, 0, &card));
            assert_false(rect_has((struct rect){card.x, card.y - card.h, card.w, card.h}, x, y));
            assert_true(card.x >= 0 && card.x + card.w <= hands->input.width);
        }
        hands_close(hands);
    }
}

static void before_a_class_and_without_settings_there_is_none(void **state)
{
    (void)state;
    struct hands *const hands = hands_open_presenter("cats", 1024, 768);
    begin(hands);
    hands_key(hands, "PageDown");
    hands_wait(hands, 1);
    hands_expect_not(hands, FIND);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_click_on_a_number_says_what_the_second_does),
        cmocka_unit_test(a_hint_that_was_read_is_over_for_this_person),
        cmocka_unit_test(words_that_learning_replaced_are_explained_then_its_strip),
        cmocka_unit_test(a_key_that_takes_over_half_can_be_set_aside),
        cmocka_unit_test(a_hint_makes_way_for_the_pointer),
        cmocka_unit_test(before_a_class_and_without_settings_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
