/* Overlays: one at a time, and while it is there pointer and keys are its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "app/actions/commands.h"
#include "app/open/lesson.h"
#include "hands.h"
#include "lab/lesson/lessons.h"

static const char *const sheets[] = {"help", "costs", "kinds", "decode"};

enum { SHEETS = sizeof sheets / sizeof *sheets };

static void toggle_overlay(struct hands *hands, const char *command)
{
    assert_true(app_command_run(hands->state, command, 0, hands->input.time));
    hands_frame(hands);
}

/* The parts beneath an overlay that a person would see change. */
struct beneath {
    enum lab_stage stage;
    struct lab_selection pinned;
    struct lab_display display;
    unsigned hovered;
    const struct ui_theme *theme;
    bool playing, let_go, folded;
    size_t step, edits;
};

static struct beneath beneath_of(const struct app_state *state)
{
    struct beneath beneath;
    memset(&beneath, 0, sizeof beneath);
    beneath.stage = state->view.playback.stage;
    beneath.pinned = state->view.pinned;
    beneath.display = state->view.prefs.display;
    beneath.hovered = state->view.hovered_parts;
    beneath.theme = state->theme;
    beneath.playing = state->view.playback.playing;
    beneath.let_go = state->view.let_go;
    beneath.folded = state->view.prefs.settings_folded;
    beneath.step = state->document.step;
    beneath.edits = state->document.edits;
    return beneath;
}

static void expect_same(const struct hands *hands, const struct beneath *was, const char *sheet,
                        const char *after)
{
    const struct beneath is = beneath_of(hands->state);
    if (memcmp(&is, was, sizeof is) != 0) {
        fail_msg("under %s something moved: %s", sheet, after);
    }
}

static void no_key_reaches_what_lies_under_a_sheet(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "Right",  "Left",  "Up",    "Down",     "Space",  "Home",  "End", "7",
        "h",      "l",     "d",     "s",        "o",      "Enter", "[",   "Backspace",
        "Ctrl+R", "Alt+W", "Alt+A", "PageDown", "Ctrl+Z", "t"};
    for (size_t s = 0; s < SHEETS; s += test_stride()) {
        struct hands *const hands = hands_open("causal", 1440, 900);
        hands_key(hands, "3");
        hands_key(hands, "Ctrl+R"); /* there is something to take back */
        hands_wait(hands, 0.5);
        toggle_overlay(hands, sheets[s]);
        const struct beneath was = beneath_of(hands->state);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            hands_key(hands, keys[k]);
            hands_wait(hands, 0.2);
            expect_same(hands, &was, sheets[s], keys[k]);
        }
        hands_close(hands);
    }
}

/* The pointer goes over everything, and presses beside the sheet's own buttons. */
static void no_pointer_reaches_what_lies_under_a_sheet(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHEETS; s += test_stride()) {
        struct hands *const hands = hands_open("causal", 1440, 900);
        hands_key(hands, "3");
        toggle_overlay(hands, sheets[s]);
        const struct beneath was = beneath_of(hands->state);
        for (float y = 5; y < 900; y += 40) {
            for (float x = 5; x < 1440; x += 40) {
                hands_move(hands, x, y);
                expect_same(hands, &was, sheets[s], "the pointer went over it");
            }
        }
        hands_wheel(hands, 400, 300, 3, 0);
        hands_click_at(hands, 2, 2);
        expect_same(hands, &was, sheets[s], "a click beside it");
        hands_close(hands);
    }
}

static void a_sheet_takes_the_place_of_the_one_before_and_escape_closes_it(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "?");
    hands_expect(hands, "Keys");
    hands_key(hands, "k");
    hands_expect(hands, "What each kind costs here");
    hands_expect_not(hands, "Keys");
    hands_key(hands, "m");
    hands_expect_not(hands, "What each kind costs here");
    hands_key(hands, "Ctrl+K");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_FIND);
    hands_key(hands, "Escape");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_NONE);
    assert_false(hands->state->view.let_go);
    hands_key(hands, "Escape");
    assert_true(hands->state->view.let_go);
    hands_close(hands);
}

static void arrows_add_and_take_words_while_decoding(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("causal", 1440, 900);
    const enum lab_stage stage = hands->state->view.playback.stage;
    toggle_overlay(hands, "causal mask");
    hands_key(hands, "m");
    hands_expect_part(hands, "Word 1 of 4");
    hands_key(hands, "Right");
    hands_expect_part(hands, "Word 2 of 4");
    hands_key(hands, "Left");
    hands_key(hands, "Left");
    hands_expect_part(hands, "Word 1 of 4");
    assert_int_equal(hands->state->view.playback.stage, stage);
    hands_close(hands);
}

/* A number that is open is closed by what opens over it: all keys go there. */
static void an_open_number_leaves_the_keys_to_what_opens_over_it(void **state)
{
    (void)state;
    static const struct {
        const char *key, *typed;
        enum view_overlay overlay;
    } cases[] = {{"Ctrl+K", "temperature", VIEW_OVERLAY_FIND},
                 {"Ctrl+O", "km.json", VIEW_OVERLAY_FIND},
                 {"Ctrl+S", "zed", VIEW_OVERLAY_SAVE}};
    for (size_t c = 0; c < 2 * sizeof cases / sizeof *cases; c++) {
        const size_t at = c / 2;
        struct hands *const hands = hands_open("cats", 1440, 900);
        hands_key(hands, "1");
        hands_wait(hands, 1);
        hands_double_click(hands, "−2.7"); /* dog, petness */
        assert_true(hands->state->view.edit_open);
        if (c % 2 == 1) {
            hands_key(hands, "Tab"); /* and the next number is open */
            assert_true(hands->state->view.edit_open);
        }
        hands_key(hands, cases[at].key);
        assert_int_equal(hands->state->view.overlay, cases[at].overlay);
        assert_false(hands->state->view.edit_open);
        hands_type(hands, cases[at].typed);
        assert_int_equal(hands->state->view.overlay, cases[at].overlay);
        hands_expect(hands, cases[at].typed);
        assert_int_equal(hands->state->document.edits, 0);
        hands_close(hands);
    }
}

/* A typed number stays, as after a click elsewhere; no sheet lets a letter through. */
static void a_number_typed_before_a_sheet_opens_stays(void **state)
{
    (void)state;
    static const char *const keys[] = {"Ctrl+K", "Ctrl+E", "Ctrl+S", "F1"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        struct hands *const hands = hands_open("cats", 1440, 900);
        hands_key(hands, "1");
        hands_wait(hands, 1);
        hands_double_click(hands, "−2.7");
        hands_type(hands, "3");
        hands_key(hands, keys[k]);
        assert_int_not_equal(hands->state->view.overlay, VIEW_OVERLAY_NONE);
        assert_false(hands->state->view.edit_open);
        hands_type(hands, "45");
        const struct lab_matrix rows =
            lab_trace_part(hands->state->document.trace, LAB_EMBEDDINGS_X, 0);
        assert_true(lab_matrix_at(&rows, 1, 0) == 3.0f);
        hands_close(hands);
    }
}

/* Whoever types where no field is must not change what is computed. */
static void no_bare_letter_changes_the_experiment(void **state)
{
    (void)state;
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        struct hands *const hands = hands_open("cats", 1440, 900);
        assert_true(app_lesson_open(hands->state, l, hands->input.time));
        hands_frame(hands);
        const size_t edits = hands->state->document.edits;
        for (char letter = 'a'; letter <= 'z'; letter++) {
            const char bare[] = {letter, 0};
            const char shifted[] = {'S', 'h', 'i', 'f', 't', '+', letter, 0};
            hands_key(hands, bare);
            hands_key(hands, shifted);
            hands_key(hands, "Escape"); /* whatever opened */
        }
        assert_int_equal(hands->state->document.edits, edits);
        assert_int_equal(hands->state->view.prefs.display.aside.count, 0);
        hands_close(hands);
    }
}

static void the_sheet_of_keys_is_grouped(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 1000);
    hands_key(hands, "?");
    static const char *const read[] = {"Walk",
                                       "Look",
                                       "Change",
                                       "Class",
                                       "Model",
                                       "Files",
                                       "Ctrl+R",
                                       "Alt+W   Alt+⇧ W",
                                       "1 … 7",
                                       "Go to a stage; in models 8: Block, 9: Loss",
                                       "Ctrl+Y   Ctrl+⇧ Z"};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        hands_expect(hands, read[i]);
    }
    hands_close(hands);
}

/* A key that is two things says of each when it is. */
static void a_key_on_two_lines_says_when_each_holds(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 1000);
    hands_key(hands, "?");
    hands_expect(hands, "Without a model: heads as matrices or as lines");
    hands_expect(hands, "Without a model: 3-D view or heads");
    size_t alone = 0;
    for (size_t i = 0; i < hands->state->view.key_count; i++) {
        const struct view_key_row *const one = &hands->state->view.key_rows[i];
        for (size_t j = 0; one->keys != NULL && j < i; j++) {
            const struct view_key_row *const former = &hands->state->view.key_rows[j];
            const char *const end = strstr(one->keys, "   "); /* behind its first key */
            const size_t length = end == NULL ? strlen(one->keys) : (size_t)(end - one->keys);
            const bool is_same = former->keys != NULL &&
                                 strncmp(one->keys, former->keys, length) == 0 &&
                                 (former->keys[length] == '\0' || former->keys[length] == ' ');
            if (is_same &&
                (strchr(one->title, ':') == NULL || strchr(former->title, ':') == NULL)) {
                print_message("%s: “%s” and “%s”\n", one->keys, former->title, one->title);
                alone++;
            }
        }
    }
    assert_int_equal(alone, 0);
    hands_close(hands);
}

/* What is answered while a sheet is up is read over it. */
static void an_answer_is_read_over_the_sheet_that_asked(void **state)
{
    (void)state;
    static const float sizes[][2] = {{1440, 900}, {1280, 720}, {640, 480}};
    struct hands *const hands = hands_open("cats", 1440, 900);
    struct rect message;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        hands_resize(hands, sizes[s][0], sizes[s][1]);
        hands_key(hands, "?");
        app_state_show_message(hands->state, hands->input.time, "There is no such thing.");
        hands_frame(hands);
        assert_true(canvas_find_group(hands_canvas(hands), "Message", 0, &message));
        hands_expect(hands, "There is no such thing.");
        assert_int_equal(hands_count(hands, "There is no such thing."), 1);
        hands_key(hands, "Escape");
    }
    hands_close(hands);
}

/* A full stop is what follows the 0 of a number that somebody types after a click. */
static void a_blank_screen_comes_back_with_whatever_is_pressed(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1280, 720);
    hands_key(hands, ".");
    hands_expect_part(hands, "presenter mode (F5)");
    assert_true(canvas_count(hands_canvas(hands)) > 50);
    hands_key(hands, "F5");
    for (int way = 0; way < 3; way++) {
        const enum lab_stage stage = hands->state->view.playback.stage;
        hands_key(hands, ".");
        hands_step(hands);
        assert_true(canvas_count(hands_canvas(hands)) < 5);
        if (way == 0) {
            hands_press(hands, 640, 40, 1, 1);
        } else {
            hands_key(hands, way == 1 ? "7" : ".");
        }
        hands_step(hands);
        hands_step(hands);
        assert_true(canvas_count(hands_canvas(hands)) > 50);
        assert_int_equal(hands->state->view.playback.stage, stage);
        assert_true(hands->state->view.prefs.presenter);
    }
    hands_close(hands);
}

/* The view over the stages hides none that a key asks for: each shows its stage in place of it. */
static void the_key_of_a_stage_leaves_why(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("real-heads", 1440, 900);
    for (char key = '1'; key <= '9'; key++) {
        hands_click(hands, "Why");
        hands_show_settled(hands);
        hands_expect(hands, "Who says it");
        hands_key(hands, (const char[]){key, '\0'});
        hands_show_settled(hands);
        hands_expect_not(hands, "Who says it");
        const enum view_extra_stage behind = hands->state->view.extra_stage;
        assert_int_equal(behind, key == '8'   ? VIEW_EXTRA_STAGE_BLOCK
                                 : key == '9' ? VIEW_EXTRA_STAGE_LOSS
                                              : VIEW_EXTRA_STAGE_NONE);
        if (key >= '8') { /* once more from there: it is not closed unseen */
            hands_click(hands, "Why");
            hands_key(hands, (const char[]){key, '\0'});
            assert_int_equal(hands->state->view.extra_stage, behind);
        }
    }
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_key_reaches_what_lies_under_a_sheet),
        cmocka_unit_test(no_pointer_reaches_what_lies_under_a_sheet),
        cmocka_unit_test(a_sheet_takes_the_place_of_the_one_before_and_escape_closes_it),
        cmocka_unit_test(arrows_add_and_take_words_while_decoding),
        cmocka_unit_test(an_open_number_leaves_the_keys_to_what_opens_over_it),
        cmocka_unit_test(a_number_typed_before_a_sheet_opens_stays),
        cmocka_unit_test(no_bare_letter_changes_the_experiment),
        cmocka_unit_test(the_sheet_of_keys_is_grouped),
        cmocka_unit_test(a_key_on_two_lines_says_when_each_holds),
        cmocka_unit_test(an_answer_is_read_over_the_sheet_that_asked),
        cmocka_unit_test(a_blank_screen_comes_back_with_whatever_is_pressed),
        cmocka_unit_test(the_key_of_a_stage_leaves_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
