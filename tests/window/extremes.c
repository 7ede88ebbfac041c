/* The program at its limits: sizes of the window, of words and of numbers; and hands that mean no
 * good. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "app/actions/actions.h"
#include "app/open/lesson.h"
#include "base/random.h"
#include "hands.h"
#include "lab/experiment/stage.h"
#include "lab/lesson/lessons.h"

static const char *const lessons[] = {"cats", "ten", "race"};

enum { LESSONS = sizeof lessons / sizeof lessons[0] };

static void put_words(struct hands *hands, const char *const *words, size_t count)
{
    struct error error = {0};
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    assert_true(lab_experiment_set_tokens(&next, words, count, &error));
    document_change(&hands->state->document, &next, "a change", hands->input.time);
    lab_experiment_release(&next);
    hands_frame(hands);
}

static void walk_stages(struct hands *hands)
{
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        const char key[2] = {(char)('1' + stage), '\0'};
        hands_key(hands, key);
        assert_false(canvas_failed(hands_canvas(hands)));
    }
}

static void every_stage_is_drawn_at_any_size_of_the_window(void **unused)
{
    (void)unused;
    static const float sizes[][2] = {{1, 1},     {2, 2},       {1, 900},    {1440, 1},
                                     {47, 47},   {100, 50},    {320, 200},  {480, 320},
                                     {960, 600}, {3840, 2160}, {8192, 8192}};
    for (size_t lesson = 0; lesson < LESSONS; lesson++) {
        struct hands *hands = hands_open(lessons[lesson], 1440, 900);
        for (size_t i = lesson % test_stride(); i < sizeof sizes / sizeof sizes[0];
             i += test_stride()) {
            hands_resize(hands, sizes[i][0], sizes[i][1]);
            assert_true(canvas_count(hands_canvas(hands)) > 0);
            walk_stages(hands);
        }
        hands_resize(hands, 1440, 900);
        walk_stages(hands);
        hands_expect(hands, lab_stage_row(LAB_OUTPUT)->headline);
        hands_close(hands);
    }
}

static void nothing_is_cut_and_nothing_overlaps(void **unused)
{
    (void)unused;
    static const float sizes[][2] = {{960, 600}, {1200, 700}, {1440, 900}, {2560, 1440}};
    size_t faults = 0;
    for (size_t lesson = 0; lesson < LESSONS; lesson++) {
        struct hands *hands = hands_open(lessons[lesson], 1440, 900);
        for (size_t i = lesson % test_stride(); i < sizeof sizes / sizeof sizes[0];
             i += test_stride()) {
            hands_resize(hands, sizes[i][0], sizes[i][1]);
            for (int stage = 0; stage < LAB_STAGES; stage++) {
                const char key[2] = {(char)('1' + stage), '\0'};
                hands_key(hands, key);
                size_t found = hands_collisions(hands);
                if (found > 0) {
                    fprintf(stderr, "%zu faults: %s, %s, %.0f × %.0f\n", found, lessons[lesson],
                            lab_stage_row((enum lab_stage)stage)->name, (double)sizes[i][0],
                            (double)sizes[i][1]);
                }
                faults += found;
            }
        }
        hands_close(hands);
    }
    assert_int_equal(faults, 0);
}

static void sixty_four_tokens_are_drawn_at_every_stage(void **unused)
{
    (void)unused;
    char text[64][8];
    const char *words[64];
    for (size_t i = 0; i < 64; i++) {
        snprintf(text[i], sizeof text[i], "w%zu", i);
        words[i] = text[i];
    }
    struct hands *hands = hands_open("cats", 1440, 900);
    put_words(hands, words, 64);
    hands_expect_part(hands, "most weights are small"); /* for a while, where sizes stand */
    hands_wait(hands, 10);
    hands_expect_part(hands, "64 tokens");
    walk_stages(hands);
    hands_resize(hands, 960, 600);
    walk_stages(hands);
    hands_expect_part(hands, "64 tokens");
    hands_close(hands);
}

static void a_token_of_five_hundred_letters_is_cut_with_an_ellipsis(void **unused)
{
    (void)unused;
    char letters[501];
    memset(letters, 'm', 500);
    letters[500] = '\0';
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "type a token…");
    hands_paste(hands, letters);
    hands_type(hands, " ");
    hands_expect_part(hands, "5 tokens");
    hands_expect_part(hands, "mm…");
    hands_key(hands, "Escape");
    walk_stages(hands);
    hands_expect_part(hands, "mm…");
    hands_close(hands);
}

static void a_pasted_page_becomes_its_words(void **unused)
{
    (void)unused;
    static const char line[] =
        "It is a truth that a page of text has many words in it, and tabs\t\n";
    char page[40 * sizeof line] = "";
    for (int i = 0; i < 30; i++) {
        strcat(page, line);
    }
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "type a token…");
    hands_paste(hands, page);
    hands_expect_part(hands, "most weights are small"); /* and in the status line, for a while */
    hands_wait(hands, 10);
    hands_expect_part(hands, "484 tokens");
    hands_key(hands, "Escape");
    hands_key(hands, "5");
    hands_expect(hands, lab_stage_row(LAB_SOFTMAX)->headline);
    hands_key(hands, "Ctrl+Z");
    hands_expect_part(hands, "4 tokens");
    hands_close(hands);
}

static void every_script_can_be_typed_and_is_shown(void **unused)
{
    (void)unused;
    static const char *const words[] = {"Straße",
                                        "猫",
                                        "にほん",
                                        "кот",
                                        "γάτα",
                                        "قطة",
                                        "חתול",
                                        "🦁",
                                        "👩‍👩‍👧",
                                        "é",
                                        "कुत्ता",
                                        "🇩🇪",
                                        "\xff\xfe",
                                        "a\u0301\u0323",
                                        "\u200d",
                                        "−∞"};
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "type a token…");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        hands->input.text = words[i];
        hands_frame(hands);
        hands_type(hands, " ");
    }
    assert_true(lab_words_count(hands->state->document.experiment.tokens) >= 18);
    hands_expect(hands, "Straße");
    hands_expect(hands, "кот");
    hands_key(hands, "Escape");
    walk_stages(hands);
    hands_close(hands);
}

static void sizes_of_keys_from_1_to_256_are_computed_and_drawn(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {1, 2, 3, 5, 16, 64, 255, 256};
    struct hands *hands = hands_open("ten", 1440, 900);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += test_stride()) {
        const struct view_action actions[] = {
            {.kind = VIEW_ACTION_FIELD,
             .setting = {.field = LAB_PARAM_D_K, .number = (double)sizes[i]}},
            {.kind = VIEW_ACTION_FIELD,
             .setting = {.field = LAB_PARAM_D_V, .number = (double)sizes[i]}},
        };
        app_state_apply(hands->state, &actions[0], hands->input.time);
        app_state_apply(hands->state, &actions[1], hands->input.time);
        hands_frame(hands);
        char expected[48];
        snprintf(expected, sizeof expected, "dₖ %zu · dᵥ %zu", sizes[i], sizes[i]);
        hands_expect_part(hands, expected);
        walk_stages(hands);
    }
    hands_close(hands);
}

/* --- hands that do anything --- */

struct monkey {
    struct hands *hands;
    struct random random;
};

static size_t pick_below(struct monkey *monkey, size_t count)
{
    return (size_t)(random_bits(&monkey->random) % count);
}

static void any_motion(struct monkey *monkey)
{
    struct ui_input *input = &monkey->hands->input;
    input->x = (float)random_uniform(&monkey->random) * (input->width + 40) - 20;
    input->y = (float)random_uniform(&monkey->random) * (input->height + 40) - 20;
    input->inside =
        input->x >= 0 && input->y >= 0 && input->x < input->width && input->y < input->height;
}

static void any_button(struct monkey *monkey)
{
    static const unsigned buttons[] = {UI_LEFT_BUTTON, UI_LEFT_BUTTON, UI_RIGHT_BUTTON,
                                       UI_MIDDLE_BUTTON};
    struct ui_input *input = &monkey->hands->input;
    unsigned button = buttons[pick_below(monkey, 4)];
    if (input->down & button) {
        input->down &= ~button;
        input->released = button;
    } else {
        input->down |= button;
        input->pressed = button;
        input->clicks = (int)pick_below(monkey, 3) + 1;
    }
}

static void any_stroke(struct monkey *monkey)
{
    static const uint32_t keys[] = {UI_KEY_BACKSPACE,
                                    UI_KEY_TAB,
                                    UI_KEY_ENTER,
                                    UI_KEY_ESCAPE,
                                    UI_KEY_SPACE,
                                    UI_KEY_DELETE,
                                    UI_KEY_LEFT,
                                    UI_KEY_RIGHT,
                                    UI_KEY_UP,
                                    UI_KEY_DOWN,
                                    UI_KEY_HOME,
                                    UI_KEY_END,
                                    UI_KEY_PAGE_UP,
                                    UI_KEY_PAGE_DOWN,
                                    UI_KEY_F1,
                                    UI_KEY_F1 + 1,
                                    '0',
                                    '1',
                                    '2',
                                    '3',
                                    '4',
                                    '5',
                                    '6',
                                    '7',
                                    '.',
                                    'a',
                                    'c',
                                    'e',
                                    'g',
                                    'h',
                                    'l',
                                    'o',
                                    'r',
                                    's',
                                    't',
                                    'v',
                                    'x',
                                    'y',
                                    'z',
                                    '[',
                                    ']',
                                    '?'};
    static const unsigned mods[] = {0, 0, 0, UI_SHIFT, UI_CTRL, UI_CTRL | UI_SHIFT, UI_ALT};
    struct ui_input *input = &monkey->hands->input;
    input->stroke[0] = (struct ui_stroke){keys[pick_below(monkey, sizeof keys / sizeof keys[0])],
                                          mods[pick_below(monkey, sizeof mods / sizeof mods[0])]};
    input->strokes = 1;
}

static void any_text(struct monkey *monkey)
{
    static const char *const texts[] = {"a",    " ",  "cat",  "  dog lion ", "é", "猫",
                                        "🦁", "\n", "\xff", "7",           "-", "."};
    monkey->hands->input.text = texts[pick_below(monkey, sizeof texts / sizeof texts[0])];
}

static void any_wheel(struct monkey *monkey)
{
    monkey->hands->input.wheel_y = (float)random_uniform(&monkey->random) * 6 - 3;
    monkey->hands->input.mods = pick_below(monkey, 4) == 0 ? UI_CTRL : 0;
}

static void any_size(struct monkey *monkey)
{
    static const float sizes[][2] = {{1, 1},      {100, 50},   {960, 600}, {1440, 900},
                                     {1150, 700}, {1440, 900}, {700, 1200}};
    size_t size = pick_below(monkey, sizeof sizes / sizeof sizes[0]);
    monkey->hands->input.width = sizes[size][0];
    monkey->hands->input.height = sizes[size][1];
}

static void twenty_thousand_random_events_do_no_harm(void **unused)
{
    (void)unused;
    static void (*const acts[])(struct monkey *) = {
        any_motion, any_motion, any_motion, any_button, any_button,
        any_button, any_stroke, any_stroke, any_text,   any_wheel,
    };
    const size_t count = test_rounds(20000);
    struct monkey monkey = {.hands = hands_open("cats", 1440, 900)};
    random_start(&monkey.random, 7, "monkey");
    struct hands *hands = monkey.hands;
    for (size_t i = 0; i < count; i++) {
        acts[pick_below(&monkey, sizeof acts / sizeof acts[0])](&monkey);
        if (pick_below(&monkey, 200) == 0) {
            any_size(&monkey);
        }
        if (lab_words_count(hands->state->document.experiment.tokens) > 12 ||
            pick_below(&monkey, 300) == 0) {
            app_lesson_open(hands->state, pick_below(&monkey, lab_lesson_count()),
                            hands->input.time);
        }
        hands_step(hands);
        memset(&hands->state->request, 0, sizeof hands->state->request);
        assert_false(canvas_failed(hands_canvas(hands)));
    }
    hands->input.down = 0;
    hands->state->view.blank = false; /* a full stop may have been the last word */
    hands_resize(hands, 1440, 900);
    assert_true(canvas_count(hands_canvas(hands)) > 50);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stage_is_drawn_at_any_size_of_the_window),
        cmocka_unit_test(nothing_is_cut_and_nothing_overlaps),
        cmocka_unit_test(sixty_four_tokens_are_drawn_at_every_stage),
        cmocka_unit_test(a_token_of_five_hundred_letters_is_cut_with_an_ellipsis),
        cmocka_unit_test(a_pasted_page_becomes_its_words),
        cmocka_unit_test(every_script_can_be_typed_and_is_shown),
        cmocka_unit_test(sizes_of_keys_from_1_to_256_are_computed_and_drawn),
        cmocka_unit_test(twenty_thousand_random_events_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
