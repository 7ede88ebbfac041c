/* The window's ears: what SDL says becomes records in which no order is lost. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SDL_MAIN_HANDLED
#include "app/desktop/window_internal.h"

static struct window_input_state ready_input(void)
{
    return (struct window_input_state){
        .record = {.width = 800, .height = 600}, .points_x = 1, .points_y = 1};
}

static SDL_Event motion_event(int x, int y)
{
    SDL_Event event = {.type = SDL_MOUSEMOTION};
    event.motion.x = x;
    event.motion.y = y;
    return event;
}

static SDL_Event button_event(Uint32 type, Uint8 which, int x, int y, Uint8 clicks)
{
    SDL_Event event = {.type = type};
    event.button.button = which;
    event.button.x = x;
    event.button.y = y;
    event.button.clicks = clicks;
    return event;
}

static SDL_Event key_event(SDL_Keycode sym, SDL_Scancode scancode, SDL_Keymod mods, Uint8 repeat)
{
    SDL_Event event = {.type = SDL_KEYDOWN};
    event.key.keysym.sym = sym;
    event.key.keysym.scancode = scancode;
    event.key.keysym.mod = (Uint16)mods;
    event.key.repeat = repeat;
    return event;
}

static SDL_Event text_event(const char *text)
{
    SDL_Event event = {.type = SDL_TEXTINPUT};
    SDL_strlcpy(event.text.text, text, sizeof event.text.text);
    return event;
}

static bool take_event(struct window_input_state *input_state, SDL_Event event)
{
    return window_input_state_take(input_state, &event);
}

static void a_fast_click_is_a_press_and_then_a_release(void **unused)
{
    (void)unused;
    struct window_input_state input_state = ready_input();
    assert_true(take_event(&input_state, motion_event(10, 20)));
    assert_true(
        take_event(&input_state, button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 10, 20, 2)));
    assert_false(
        take_event(&input_state, button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 10, 20, 2)));
    assert_int_equal(input_state.record.pressed, UI_LEFT_BUTTON);
    assert_int_equal(input_state.record.down, UI_LEFT_BUTTON);
    assert_int_equal(input_state.record.clicks, 2);
    window_input_state_rest(&input_state);
    assert_int_equal(input_state.record.down, UI_LEFT_BUTTON);
    assert_int_equal(input_state.record.pressed, 0);
    assert_true(
        take_event(&input_state, button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 10, 20, 2)));
    assert_int_equal(input_state.record.released, UI_LEFT_BUTTON);
    assert_int_equal(input_state.record.down, 0);
}

static void a_press_keeps_its_place_when_the_pointer_moves_on(void **unused)
{
    (void)unused;
    struct window_input_state input_state = ready_input();
    assert_true(
        take_event(&input_state, button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 10, 20, 1)));
    assert_false(take_event(&input_state, motion_event(300, 20)));
    assert_true(input_state.record.x < 11);
}

static void many_motions_are_one_record(void **unused)
{
    (void)unused;
    struct window_input_state input_state = ready_input();
    for (int x = 0; x < 100; x++) {
        assert_true(take_event(&input_state, motion_event(x, 5)));
    }
    assert_true(input_state.record.inside);
    assert_true(input_state.record.x > 99 && input_state.record.x < 100);
}

static void typed_letters_and_backspace_keep_their_order(void **unused)
{
    (void)unused;
    struct window_input_state input_state = ready_input();
    assert_true(take_event(&input_state, key_event('b', SDL_SCANCODE_B, KMOD_NONE, 0)));
    assert_true(take_event(&input_state, text_event("b")));
    assert_false(
        take_event(&input_state, key_event(SDLK_BACKSPACE, SDL_SCANCODE_BACKSPACE, KMOD_NONE, 0)));
    assert_string_equal(input_state.record.text, "b");
    assert_int_equal(input_state.record.strokes, 1);
    window_input_state_rest(&input_state);
    assert_null(input_state.record.text);
    assert_true(
        take_event(&input_state, key_event(SDLK_BACKSPACE, SDL_SCANCODE_BACKSPACE, KMOD_NONE, 0)));
    assert_int_equal(input_state.record.stroke[0].key, UI_KEY_BACKSPACE);
}

static void two_different_strokes_are_two_records_a_held_key_is_one(void **unused)
{
    (void)unused;
    struct window_input_state input_state = ready_input();
    assert_true(take_event(&input_state, key_event(SDLK_TAB, SDL_SCANCODE_TAB, KMOD_NONE, 0)));
    assert_false(
        take_event(&input_state, key_event(SDLK_RETURN, SDL_SCANCODE_RETURN, KMOD_NONE, 0)));
    window_input_state_rest(&input_state);
    assert_true(take_event(&input_state, key_event(SDLK_RIGHT, SDL_SCANCODE_RIGHT, KMOD_NONE, 0)));
    assert_true(take_event(&input_state, key_event(SDLK_RIGHT, SDL_SCANCODE_RIGHT, KMOD_NONE, 1)));
    assert_int_equal(input_state.record.strokes, 2);
}

static void a_key_held_for_minutes_overflows_nothing(void **unused)
{
    (void)unused;
    struct window_input_state input_state = ready_input();
    size_t taken = 0;
    while (taken < 1000 &&
           take_event(&input_state, key_event('x', SDL_SCANCODE_X, KMOD_NONE, taken > 0))) {
        taken++;
    }
    assert_int_equal(taken, UI_STROKES_MAX);
    window_input_state_rest(&input_state);
    for (taken = 0; taken < 1000 && take_event(&input_state, text_event("0123456789")); taken++) {
    }
    assert_true(taken > 50 && taken < 1000);
    assert_int_equal(strlen(input_state.record.text), 10 * taken);
}

static SDL_Event finger_event(Uint32 type)
{
    return (SDL_Event){.tfinger = {.type = type}};
}

static SDL_Event two_fingers(float x, float y, float apart)
{
    return (SDL_Event){
        .mgesture = {.type = SDL_MULTIGESTURE, .x = x, .y = y, .dDist = apart, .numFingers = 2}};
}

static SDL_Event played_mouse(Uint32 type)
{
    SDL_Event event = {.type = type};
    event.button.which = SDL_TOUCH_MOUSEID;
    event.button.button = SDL_BUTTON_LEFT;
    event.button.clicks = 1;
    return event;
}

/* SDL plays the first finger as a mouse: its press ends far from everything, nothing is clicked. */
static void two_fingers_pinch_and_slide_and_click_nothing(void **unused)
{
    (void)unused;
    struct window_input_state input_state = ready_input();
    input_state.record.width = 1000;
    input_state.record.height = 500;
    assert_true(take_event(&input_state, finger_event(SDL_FINGERDOWN)));
    assert_true(take_event(&input_state, played_mouse(SDL_MOUSEBUTTONDOWN)));
    assert_int_equal(input_state.record.down, UI_LEFT_BUTTON);
    assert_true(take_event(&input_state, finger_event(SDL_FINGERDOWN)));
    assert_false(take_event(&input_state, two_fingers(0.5f, 0.5f, 0)));
    window_input_state_rest(&input_state);
    assert_false(take_event(&input_state, two_fingers(0.5f, 0.5f, 0)));
    assert_int_equal(input_state.record.released, UI_LEFT_BUTTON);
    assert_int_equal(input_state.record.down, 0);
    assert_true(input_state.record.x < 0);
    window_input_state_rest(&input_state);
    assert_true(take_event(&input_state, two_fingers(0.5f, 0.5f, 0.1f)));
    assert_true(take_event(&input_state, two_fingers(0.6f, 0.4f, 0.1f)));
    assert_true(input_state.record.pinch > 5);
    assert_float_equal(input_state.record.slide_x, 100, 0.01);
    assert_float_equal(input_state.record.slide_y, -50, 0.01);
    assert_float_equal(input_state.record.x, 600, 0.01);
    assert_true(take_event(&input_state, played_mouse(SDL_MOUSEBUTTONUP)));
    assert_int_equal(input_state.record.released, 0);
    window_input_state_rest(&input_state);
    assert_true(input_state.record.pinch == 0 && input_state.record.slide_x == 0);
    assert_true(take_event(&input_state, finger_event(SDL_FINGERUP)));
    assert_true(take_event(&input_state, finger_event(SDL_FINGERUP)));
    assert_true(take_event(&input_state,
                           played_mouse(SDL_MOUSEBUTTONDOWN))); /* one finger is a mouse again */
    assert_int_equal(input_state.record.pressed, UI_LEFT_BUTTON);
}

static void letters_of_an_input_method_are_no_commands(void **unused)
{
    (void)unused;
    struct window_input_state input_state = ready_input();
    SDL_Event editing = {.type = SDL_TEXTEDITING};
    SDL_strlcpy(editing.edit.text, "にほ", sizeof editing.edit.text);
    assert_true(take_event(&input_state, editing));
    assert_string_equal(input_state.record.composing, "にほ");
    assert_true(take_event(&input_state, key_event(SDLK_SPACE, SDL_SCANCODE_SPACE, KMOD_NONE, 0)));
    assert_int_equal(input_state.record.strokes, 0);
    window_input_state_rest(&input_state);
    assert_string_equal(input_state.record.composing, "にほ");
    editing.edit.text[0] = '\0';
    assert_true(take_event(&input_state, editing));
    assert_null(input_state.record.composing);
    assert_true(take_event(&input_state, text_event("日本")));
    assert_string_equal(input_state.record.text, "日本");
}

static void keys_are_named_by_what_is_printed_on_them(void **unused)
{
    (void)unused;
    static const struct {
        SDL_Keycode sym;
        SDL_Scancode scancode;
        SDL_Keymod mods;
        uint32_t key;
        unsigned expected;
    } cases[] = {
        {'z', SDL_SCANCODE_Z, KMOD_LCTRL | KMOD_LSHIFT, 'z', UI_CTRL | UI_SHIFT},
        {'e', SDL_SCANCODE_E, KMOD_LGUI, 'e', UI_CTRL},
        {SDLK_F1, SDL_SCANCODE_F1, KMOD_NONE, UI_KEY_F1, 0},
        {SDLK_F12, SDL_SCANCODE_F12, KMOD_NONE, UI_KEY_F12, 0},
        {SDLK_PAGEUP, SDL_SCANCODE_PAGEUP, KMOD_NONE, UI_KEY_PAGE_UP, 0},
        {SDLK_KP_4, SDL_SCANCODE_KP_4, KMOD_NUM, '4', 0},
        {SDLK_KP_4, SDL_SCANCODE_KP_4, KMOD_NONE, UI_KEY_LEFT, 0},
        {SDLK_KP_PLUS, SDL_SCANCODE_KP_PLUS, KMOD_RCTRL, '+', UI_CTRL},
        {'3', SDL_SCANCODE_3, KMOD_NONE, '3', 0},
        {'"', SDL_SCANCODE_3, KMOD_NONE, '3', 0},        /* AZERTY */
        {'"', SDL_SCANCODE_3, KMOD_LSHIFT, '3', 0},      /* AZERTY, as people type it */
        {'-', SDL_SCANCODE_6, KMOD_LCTRL, '-', UI_CTRL}, /* AZERTY: smaller */
        {0xE4, SDL_SCANCODE_APOSTROPHE, KMOD_NONE, 0xE4, 0},
        {'q', SDL_SCANCODE_Q, KMOD_RALT, 'q', 0}, /* AltGr makes a letter */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct window_input_state input_state = ready_input();
        assert_true(
            take_event(&input_state, key_event(cases[i].sym, cases[i].scancode, cases[i].mods, 0)));
        assert_int_equal(input_state.record.strokes, 1);
        assert_int_equal(input_state.record.stroke[0].key, cases[i].key);
        assert_int_equal(input_state.record.stroke[0].mods, cases[i].expected);
    }
}

static void keys_that_print_nothing_and_do_nothing_are_not_told(void **unused)
{
    (void)unused;
    static const SDL_Keycode silent[] = {SDLK_LSHIFT, SDLK_CAPSLOCK, SDLK_UNKNOWN, SDLK_VOLUMEUP};
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++) {
        struct window_input_state input_state = ready_input();
        assert_true(
            take_event(&input_state, key_event(silent[i], SDL_SCANCODE_UNKNOWN, KMOD_NONE, 0)));
        assert_int_equal(input_state.record.strokes, 0);
    }
}

static void a_lost_focus_lets_go_of_what_was_dragged(void **unused)
{
    (void)unused;
    struct window_input_state input_state = ready_input();
    assert_true(
        take_event(&input_state, button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 10, 20, 1)));
    window_input_state_rest(&input_state);
    SDL_Event lost = {.type = SDL_WINDOWEVENT};
    lost.window.event = SDL_WINDOWEVENT_FOCUS_LOST;
    assert_true(take_event(&input_state, lost));
    assert_int_equal(input_state.record.released, UI_LEFT_BUTTON);
    assert_int_equal(input_state.record.down, 0);
}

static void the_pointer_is_told_in_points_at_any_scale(void **unused)
{
    (void)unused;
    struct window_input_state input_state = ready_input();
    input_state.points_x = input_state.points_y =
        0.5f; /* scale 2 on X11: a pixel is half a point */
    input_state.record.width = 400;
    assert_true(take_event(&input_state, motion_event(799, 100)));
    assert_true(input_state.record.inside);
    assert_true(fabsf(input_state.record.x - 399.75f) < 0.01f);
    assert_true(take_event(&input_state, motion_event(801, 100)));
    assert_false(input_state.record.inside);
}

static void the_interface_scale_climbs_and_ends(void **unused)
{
    (void)unused;
    float scale = 1;
    for (int i = 0; i < 50; i++) {
        scale = window_scale_step(scale, 1);
    }
    assert_true(scale > 3.9f && scale < 4.1f);
    for (int i = 0; i < 50; i++) {
        scale = window_scale_step(scale, -1);
    }
    assert_true(scale > 0.4f && scale < 0.6f);
    assert_true(window_scale_fits(1440 / 3.0f, 900 / 3.0f)); /* 300 % of an ordinary screen */
    assert_false(window_scale_fits(1440 / 4.0f, 900 / 4.0f));
    assert_true(window_scale_step(1, 1) > 1 && window_scale_step(1, -1) < 1);
    assert_true(fabsf(window_scale_step(window_scale_step(1, 1), -1) - 1) < 1e-6f);
}

static void xft_dpi_is_read_from_the_resources(void **unused)
{
    (void)unused;
    const char *resources = "*customization:\t-color\nXft.dpi:\t144\nXft.antialias:\t1\n";
    assert_true(fabsf(window_scale_resource(resources, "Xft.dpi") - 144) < 1e-6f);
    assert_true(fabsf(window_scale_resource("Xft.dpi: 96", "Xft.dpi") - 96) < 1e-6f);
    assert_true(window_scale_resource("Xft.dpi: many\n", "Xft.dpi") < 1e-6f);
    assert_true(window_scale_resource("Xft.dpis: 3\n\n", "Xft.dpi") < 1e-6f);
    assert_true(window_scale_resource("", "Xft.dpi") < 1e-6f);
    assert_true(window_scale_resource(NULL, "Xft.dpi") < 1e-6f);
}

static void less_motion_is_heard_from_the_person_first_then_from_the_desktop(void **unused)
{
    (void)unused;
    assert_true(window_motion_settings("[Settings]\ngtk-enable-animations=0\n"));
    assert_true(window_motion_settings("gtk-enable-animations = false"));
    assert_false(window_motion_settings("[Settings]\ngtk-enable-animations=1\n"));
    assert_false(window_motion_settings("gtk-enable-animations-not=0\n"));
    assert_false(window_motion_settings("gtk-enable-animations=0.5\n"));
    assert_false(window_motion_settings(NULL));
    SDL_setenv("GTK_ENABLE_ANIMATIONS", "0", 1);
    SDL_setenv("ATTNSCOPE_REDUCE_MOTION", "", 1);
    assert_true(window_motion_reduced());
    SDL_setenv("ATTNSCOPE_REDUCE_MOTION", "0", 1);
    assert_false(window_motion_reduced());
    SDL_setenv("GTK_ENABLE_ANIMATIONS", "1", 1);
    SDL_setenv("ATTNSCOPE_REDUCE_MOTION", "1", 1);
    assert_true(window_motion_reduced());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_click_is_a_press_and_then_a_release),
        cmocka_unit_test(a_press_keeps_its_place_when_the_pointer_moves_on),
        cmocka_unit_test(many_motions_are_one_record),
        cmocka_unit_test(typed_letters_and_backspace_keep_their_order),
        cmocka_unit_test(two_different_strokes_are_two_records_a_held_key_is_one),
        cmocka_unit_test(a_key_held_for_minutes_overflows_nothing),
        cmocka_unit_test(two_fingers_pinch_and_slide_and_click_nothing),
        cmocka_unit_test(letters_of_an_input_method_are_no_commands),
        cmocka_unit_test(keys_are_named_by_what_is_printed_on_them),
        cmocka_unit_test(keys_that_print_nothing_and_do_nothing_are_not_told),
        cmocka_unit_test(a_lost_focus_lets_go_of_what_was_dragged),
        cmocka_unit_test(the_pointer_is_told_in_points_at_any_scale),
        cmocka_unit_test(the_interface_scale_climbs_and_ends),
        cmocka_unit_test(xft_dpi_is_read_from_the_resources),
        cmocka_unit_test(less_motion_is_heard_from_the_person_first_then_from_the_desktop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
