/* tests/ui/slider.c — sliders by pointer, by key and by number. */
#include <math.h>
#include <string.h>

#include "hands.h"

struct knobs {
    struct hands hands;
    double heads, temperature, low;
    int changes;
};

static const struct rect heads_area = {20, 20, 200, 38}, temperature_area = {20, 70, 200, 38};

static void page(struct hands *hands)
{
    struct knobs *knobs = hands->state;
    knobs->changes +=
        ui_slider(&hands->ui, "heads", heads_area,
                  &(struct ui_slider){
                      .label = "heads h", .value = knobs->heads, .low = 1, .high = 64, .step = 1},
                  &knobs->heads);
    knobs->changes += ui_slider(&hands->ui, "temperature", temperature_area,
                                &(struct ui_slider){.label = "temperature τ",
                                                    .value = knobs->temperature,
                                                    .low = knobs->low,
                                                    .high = 100,
                                                    .logarithmic = true,
                                                    .decimals = 2},
                                &knobs->temperature);
}

static int set_up(void **state)
{
    struct knobs *knobs = test_calloc(1, sizeof *knobs);
    knobs->heads = 8;
    knobs->temperature = 1;
    knobs->low = 0.01;
    hands_open(&knobs->hands, page, knobs);
    *state = knobs;
    return 0;
}

static int tear_down(void **state)
{
    struct knobs *knobs = *state;
    hands_close(&knobs->hands);
    test_free(knobs);
    return 0;
}

static void tab_to_heads(struct knobs *knobs)
{
    hands_key(&knobs->hands, UI_KEY_TAB, 0);
}

static void label_and_value_can_be_read(void **state)
{
    struct knobs *knobs = *state;
    assert_true(hands_see(&knobs->hands, "heads h"));
    assert_true(hands_see(&knobs->hands, "8"));
    assert_true(hands_see(&knobs->hands, "1.00"));
    const struct rect area = hands_group(&knobs->hands, "heads h");
    assert_true(area.x >= 20 && area.y >= 20 && area.x + area.w <= 220 && area.y + area.h <= 58);
}

static void dragging_reaches_both_ends_and_whole_steps(void **state)
{
    struct knobs *knobs = *state;
    hands_drag(&knobs->hands, 100, 49, 400, 49);
    assert_true(knobs->heads == 64);
    hands_drag(&knobs->hands, 213, 49, -50, 49);
    assert_true(knobs->heads == 1);
    hands_click(&knobs->hands, 120, 49);
    assert_true(knobs->heads == floor(knobs->heads));
    assert_true(fabs(knobs->heads - 32.5) < 2);
}

static void a_press_on_the_knob_moves_nothing(void **state)
{
    struct knobs *knobs = *state;
    hands_click(&knobs->hands, 20 + 7 + 186 * 7.0f / 63 + 4, 49);
    assert_true(knobs->heads == 8);
    assert_int_equal(knobs->changes, 0);
}

static void a_logarithmic_track_has_1_in_its_middle(void **state)
{
    struct knobs *knobs = *state;
    hands_click(&knobs->hands, 200, 99);
    assert_true(knobs->temperature > 10);
    hands_click(&knobs->hands, 120, 99);
    assert_true(fabs(knobs->temperature - 1) < 0.1);
    assert_true(fabs(knobs->temperature * 100 - round(knobs->temperature * 100)) < 1e-9);
}

static void arrows_home_and_end_step(void **state)
{
    struct knobs *knobs = *state;
    tab_to_heads(knobs);
    hands_key(&knobs->hands, UI_KEY_RIGHT, 0);
    hands_key(&knobs->hands, UI_KEY_UP, 0);
    assert_true(knobs->heads == 10);
    hands_key(&knobs->hands, UI_KEY_LEFT, 0);
    assert_true(knobs->heads == 9);
    hands_key(&knobs->hands, UI_KEY_RIGHT, UI_SHIFT);
    assert_true(knobs->heads == 19);
    hands_key(&knobs->hands, UI_KEY_END, 0);
    assert_true(knobs->heads == 64);
    hands_key(&knobs->hands, UI_KEY_RIGHT, 0);
    assert_true(knobs->heads == 64);
    hands_key(&knobs->hands, UI_KEY_HOME, 0);
    assert_true(knobs->heads == 1);
}

static void a_number_can_be_typed_with_the_keyboard(void **state)
{
    struct knobs *knobs = *state;
    tab_to_heads(knobs);
    hands_type(&knobs->hands, "12");
    assert_true(knobs->hands.keys_consumed);
    assert_true(knobs->heads == 8); /* not before Enter */
    hands_key(&knobs->hands, UI_KEY_ENTER, 0);
    assert_true(knobs->heads == 12);
    hands_type(&knobs->hands, "500");
    hands_key(&knobs->hands, UI_KEY_TAB, 0);
    assert_true(knobs->heads == 12); /* it stays open … */
    assert_true(hands_see(&knobs->hands, "1 to 64"));
    hands_key(&knobs->hands, UI_KEY_END, 0);
    hands_key(&knobs->hands, UI_KEY_BACKSPACE, 0);
    assert_false(hands_see(&knobs->hands, "1 to 64")); /* … until the number can be taken */
    hands_key(&knobs->hands, UI_KEY_TAB, 0);
    assert_true(knobs->heads == 50);
    hands_type(&knobs->hands, "0,5");
    hands_key(&knobs->hands, UI_KEY_ENTER, 0);
    assert_true(knobs->temperature == 0.5);
}

static void digits_that_come_as_strokes_count_once(void **state)
{
    struct knobs *knobs = *state;
    tab_to_heads(knobs);
    hands_key(&knobs->hands, '1', 0); /* text input was not on yet … */
    hands_key(&knobs->hands, '2', 0);
    knobs->hands.input.text = "2"; /* … or it was, and the text follows its stroke */
    hands_feed(&knobs->hands);
    hands_key(&knobs->hands, UI_KEY_ENTER, 0);
    assert_true(knobs->heads == 12);
    hands_key(&knobs->hands, '3', 0);
    knobs->hands.input.text = "3";
    hands_feed(&knobs->hands);
    hands_key(&knobs->hands, '3', 0);
    knobs->hands.input.text = "3";
    hands_feed(&knobs->hands);
    hands_key(&knobs->hands, UI_KEY_ENTER, 0);
    assert_true(knobs->heads == 33);
}

static void a_click_on_the_number_types_a_value(void **state)
{
    struct knobs *knobs = *state;
    hands_click(&knobs->hands, 214, 30);
    assert_true(knobs->hands.ui.wants_text);
    hands_type(&knobs->hands, "3");
    hands_click(&knobs->hands, 600, 500);
    assert_true(knobs->heads == 3);
    hands_click(&knobs->hands, 214, 30);
    hands_type(&knobs->hands, "9");
    hands_key(&knobs->hands, UI_KEY_ESCAPE, 0);
    assert_true(knobs->heads == 3);
    hands_click(&knobs->hands, 214, 30);
    hands_type(&knobs->hands, "nine");
    hands_key(&knobs->hands, UI_KEY_ENTER, 0);
    assert_true(knobs->heads == 3);
    hands_key(&knobs->hands, UI_KEY_ESCAPE, 0);
}

static bool has_red_border(struct knobs *knobs)
{
    const struct colour red = knobs->hands.theme->refused;
    for (size_t i = 0; i < canvas_count(knobs->hands.canvas); i++) {
        const struct canvas_command *command = canvas_command_at(knobs->hands.canvas, i);
        if (command->kind == CANVAS_RECT && memcmp(&command->paint.stroke, &red, sizeof red) == 0) {
            return true;
        }
    }
    return false;
}

/* A rate of 0.00001 is the least: "0.00" could be typed, and would be refused. */
static void a_small_bound_does_not_read_zero(void **state)
{
    struct knobs *knobs = *state;
    knobs->low = 1e-5;
    hands_click(&knobs->hands, 214, 80);
    hands_type(&knobs->hands, "0");
    hands_key(&knobs->hands, UI_KEY_ENTER, 0);
    assert_true(hands_see(&knobs->hands, "0.00001 to 100.00"));
    hands_key(&knobs->hands, UI_KEY_ESCAPE, 0);
}

static void what_cannot_be_taken_stays_open_and_says_the_range(void **state)
{
    struct knobs *knobs = *state;
    static const struct {
        const char *typed, *says;
    } cases[] = {{"-5", "0.01 to 100.00"},
                 {"100.5", "0.01 to 100.00"},
                 {"nan", "a number, 0.01 to 100.00"},
                 {"warm", "a number, 0.01 to 100.00"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hands_click(&knobs->hands, 214, 80);
        hands_type(&knobs->hands, cases[i].typed);
        assert_false(has_red_border(knobs)); /* nobody is scolded while typing */
        hands_key(&knobs->hands, UI_KEY_ENTER, 0);
        assert_true(has_red_border(knobs));
        assert_true(hands_see(&knobs->hands, cases[i].says));
        assert_true(hands_see(&knobs->hands, cases[i].typed));
        hands_wait(&knobs->hands, 5);
        assert_true(hands_see(&knobs->hands, cases[i].says));
        hands_key(&knobs->hands, UI_KEY_ESCAPE, 0);
        assert_false(hands_see(&knobs->hands, cases[i].says));
        assert_true(knobs->temperature == 1);
    }
    hands_click(&knobs->hands, 214, 30);
    hands_type(&knobs->hands, "2.5");
    hands_key(&knobs->hands, UI_KEY_ENTER, 0);
    assert_true(hands_see(&knobs->hands, "a whole number, 1 to 64"));
    assert_int_equal(knobs->changes, 0);
}

static void a_refused_number_can_be_typed_over(void **state)
{
    struct knobs *knobs = *state;
    hands_click(&knobs->hands, 214, 30);
    hands_type(&knobs->hands, "999");
    hands_key(&knobs->hands, UI_KEY_ENTER, 0);
    hands_type(&knobs->hands, "16");
    hands_key(&knobs->hands, UI_KEY_ENTER, 0);
    assert_true(knobs->heads == 16);
    assert_false(has_red_border(knobs));
}

static void a_refused_number_that_is_left_says_the_range_for_two_seconds(void **state)
{
    struct knobs *knobs = *state;
    hands_click(&knobs->hands, 214, 30);
    hands_type(&knobs->hands, "999");
    hands_click(&knobs->hands, 600, 500);
    assert_true(knobs->heads == 8);
    assert_true(hands_see(&knobs->hands, "1 to 64"));
    assert_true(knobs->hands.ui.wake > knobs->hands.input.time);
    hands_wait(&knobs->hands, 2.1);
    assert_false(hands_see(&knobs->hands, "1 to 64"));
    assert_true(knobs->hands.ui.wake == 0); /* then the window sleeps */
}

static void a_digit_after_a_drag_stays_a_command(void **state)
{
    struct knobs *knobs = *state;
    hands_drag(&knobs->hands, 100, 49, 150, 49);
    const double heads = knobs->heads;
    hands_key(&knobs->hands, '5', 0);
    assert_false(knobs->hands.keys_consumed);
    assert_true(knobs->heads == heads);
}

static void the_wheel_steps_with_ctrl_only(void **state)
{
    struct knobs *knobs = *state;
    hands_wheel(&knobs->hands, 100, 49, 1);
    assert_true(knobs->heads == 8);
    knobs->hands.input.mods = UI_CTRL;
    hands_wheel(&knobs->hands, 100, 49, 1);
    assert_true(knobs->heads == 9);
}

static void a_number_out_of_range_does_not_leave_the_track(void **state)
{
    struct knobs *knobs = *state;
    static const double values[] = {-1e30, 1e30, 0};
    for (size_t i = 0; i < 3; i++) {
        knobs->heads = i < 2 ? values[i] : (double)NAN;
        hands_feed(&knobs->hands);
        const struct rect area = hands_group(&knobs->hands, "heads h");
        assert_true(area.x >= 20 && area.x + area.w <= 220);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(label_and_value_can_be_read),
        CASE(dragging_reaches_both_ends_and_whole_steps),
        CASE(a_press_on_the_knob_moves_nothing),
        CASE(a_logarithmic_track_has_1_in_its_middle),
        CASE(arrows_home_and_end_step),
        CASE(a_number_can_be_typed_with_the_keyboard),
        CASE(digits_that_come_as_strokes_count_once),
        CASE(a_click_on_the_number_types_a_value),
        CASE(what_cannot_be_taken_stays_open_and_says_the_range),
        CASE(a_small_bound_does_not_read_zero),
        CASE(a_refused_number_can_be_typed_over),
        CASE(a_refused_number_that_is_left_says_the_range_for_two_seconds),
        CASE(a_digit_after_a_drag_stays_a_command),
        CASE(the_wheel_steps_with_ctrl_only),
        CASE(a_number_out_of_range_does_not_leave_the_track),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
