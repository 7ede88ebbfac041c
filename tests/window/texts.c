/* Two texts in Why: which part of one makes the difference to another one, asked by keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/open/lesson.h"
#include "base/translate.h"
#include "view/parts/patch.h"
#include "view/parts/why.h"
#include "with_model.h"

static const char clean[] = "the man buys a hammer . it is",
                  changed[] = "the man eats a cake . it is";

/* Why with the page of two texts, of a model that is opened or of weights that learn. */
static struct hands *hands_on_texts(bool learns)
{
    struct hands *const hands =
        learns ? hands_open("away", 1440, 900) : hands_on_path(getenv("SMALL_WORLD"), clean);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "two texts");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    return hands;
}

/* The field holds what the model reads, all of it marked. */
static void type_text(struct hands *hands, const char *text)
{
    hands_click(hands, "Changed text");
    hands_key(hands, "Ctrl+A");
    hands_type(hands, text);
    hands_key(hands, "Enter");
    hands_show_settled(hands);
}

static void assert_restored(const struct hands *hands, size_t cell, double expected)
{
    const struct view_patch *const patch = hands->state->view.patch;
    assert_non_null(patch);
    assert_int_equal(patch->done, patch->layers * patch->places);
    assert_true(patch->restored[cell] > expected - 0.006 &&
                patch->restored[cell] < expected + 0.006);
}

/* The numbers are those of attnscope patch --word heavy --rival useful. */
static void a_text_is_typed_and_its_parts_are_restored(void **state)
{
    (void)state;
    for (int learns = 0; learns < 2; learns++) {
        struct hands *const hands = hands_on_texts(learns != 0);
        hands_expect(hands, "Another text is asked for");
        hands_expect(hands, clean); /* what is read stands there to be changed */
        type_text(hands, changed);
        hands_expect_part(hands, "hammer → cake");
        assert_restored(hands, 4, 1.88);
        assert_restored(hands, 15, 0.89);
        hands_expect_part(hands, "residual 0 at “hammer → cake”: (patched − changed) ÷");
        hands_click(hands, "Heads");
        hands_show_settled(hands);
        assert_restored(hands, 2, 5.47);
        hands_expect_part(hands, "L0H2: (patched − changed) ÷ (clean − changed) =");
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

static void a_cell_leads_to_what_was_put_there_and_back(void **state)
{
    (void)state;
    for (int learns = 0; learns < 2; learns++) {
        struct hands *const hands = hands_on_texts(learns != 0);
        type_text(hands, changed);
        hands_click(hands, "Heads");
        hands_show_settled(hands);
        hands_key(hands, "Down"); /* from L0H2, which restores most */
        hands_key(hands, "Right");
        hands_show_settled(hands);
        hands_expect_part(hands, "L1H3: (patched − changed) ÷");
        hands_key(hands, "Enter");
        hands_show_settled(hands);
        assert_false(hands->state->view.why_shown);
        assert_int_equal(hands->state->document.experiment.layer, 1);
        assert_int_equal(hands->state->view.pinned.head, 3);
        assert_int_equal(hands->state->view.playback.stage, LAB_BLEND);
        hands_key(hands, "Backspace");
        hands_show_settled(hands);
        hands_expect_part(hands, "L1H3: (patched − changed) ÷");
        hands_click(hands, "Residual");
        hands_show_settled(hands);
        hands_click(hands, "residual 1 at “is”");
        hands_show_settled(hands);
        hands_expect_part(hands, "residual 1 at “is”: (patched − changed) ÷");
        hands_click(hands, "residual 1 at “is”");
        hands_show_settled(hands);
        assert_false(hands->state->view.why_shown);
        assert_int_equal(hands->state->view.extra_stage, VIEW_EXTRA_STAGE_BLOCK);
        assert_int_equal(hands->state->view.pinned.query, 7);
        hands_expect_part(hands, "x( is, 1 ) ="); /* the stream itself */
        hands_close(hands);
    }
}

/* α at Softmax, V at Project: what was put there, of the head that the cell is of. */
static void weights_and_values_lead_to_their_stages(void **state)
{
    (void)state;
    static const struct {
        const char *tab, *cell;
        enum lab_stage stage;
    } cases[] = {{"α", "L1H3 α", LAB_SOFTMAX}, {"Values", "L1H3 V", LAB_PROJECT}};
    struct hands *const hands = hands_on_texts(false);
    type_text(hands, changed);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        hands_click(hands, cases[c].tab);
        hands_show_settled(hands);
        hands_click(hands, cases[c].cell);
        hands_show_settled(hands);
        hands_click(hands, cases[c].cell);
        hands_show_settled(hands);
        assert_int_equal(hands->state->view.playback.stage, cases[c].stage);
        assert_int_equal(hands->state->view.pinned.head, 3);
        if (cases[c].stage == LAB_PROJECT) {
            hands_expect_part(hands, "v(is)[1] = ");
        }
        hands_key(hands, "Backspace");
        hands_show_settled(hands);
    }
    hands_close(hands);
}

/* Letters of a second try are no keys of commands. */
static void enter_leaves_the_field_as_it_is_for_a_second_try(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_texts(false);
    type_text(hands, "the man eats a hammer . it is");
    hands_type(hands, changed); /* over the first one, which is marked */
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    assert_string_equal(hands->state->view.why_changed, changed);
    assert_true(hands->state->view.why_shown);
    assert_restored(hands, 4, 1.88);
    hands_close(hands);
}

static void what_cannot_be_compared_is_said_in_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"the man", "The texts are of different lengths: 8 tokens and 2"},
        {"the man eats a hammer . it is", "(patched − changed)"},
        {clean, "give almost the same logit"},
        {"the man buys a cake . it is", "give almost the same logit"},
    };
    struct hands *const hands = hands_on_texts(false);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        type_text(hands, cases[c].text);
        hands_expect_part(hands, cases[c].says);
    }
    hands_close(hands);
    struct hands *const learns = hands_on_texts(true);
    type_text(learns, "the man buys a hammmer . it is");
    hands_expect_part(learns, "“hammmer” is not in the model's vocabulary");
    hands_close(learns);
}

static void another_text_is_undone_and_kept_in_sessions(void **state)
{
    (void)state;
    static const char session[] = "texts-session.json";
    struct error error = {ERROR_NONE, 0, ""};
    struct hands *const was = hands_on_texts(false);
    type_text(was, changed);
    hands_key(was, "Ctrl+Z");
    hands_show_settled(was);
    hands_expect(was, "Another text is asked for");
    assert_null(was->state->view.patch);
    hands_key(was, "Ctrl+Shift+Z");
    hands_show_settled(was);
    assert_restored(was, 4, 1.88);
    hands_click(was, "Heads");
    hands_show_settled(was);
    assert_true(app_lesson_save(was->state, session, &error));
    hands_close(was);
    struct hands *const is = hands_open("cats", 1440, 900);
    assert_true(app_lesson_read(is->state, session, 0, &error));
    hands_show_settled(is);
    assert_string_equal(is->state->view.why_changed, changed);
    hands_expect_part(is, "L0H2: (patched − changed) ÷");
    assert_restored(is, 2, 5.47);
    (void)remove(session);
    hands_close(is);
}

static void every_size_has_room_for_two_texts(void **state)
{
    (void)state;
    static const float sizes[][2] = {{960, 600}, {1440, 900}, {1280, 720}, {1920, 1080}};
    const char *const languages[] = {"en", "de"};
    for (size_t l = 0; l < 2; l++) {
        language_speak(language_find(languages[l]));
        struct hands *const hands = hands_on_path(getenv("SMALL_WORLD"), clean);
        hands->state->view.why_shown = true;
        hands->state->view.why_page = VIEW_WHY_TEXTS;
        (void)snprintf(hands->state->view.why_changed, sizeof hands->state->view.why_changed, "%s",
                       changed);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            hands_resize(hands, sizes[s][0], sizes[s][1]);
            hands_show_settled(hands);
            assert_restored(hands, 4, 1.88);
            hands_expect_part(hands, "hammer → cake");
            assert_int_equal(hands_collisions(hands), 0);
        }
        hands_close(hands);
    }
    language_speak(language_find("en"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_typed_and_its_parts_are_restored),
        cmocka_unit_test(a_cell_leads_to_what_was_put_there_and_back),
        cmocka_unit_test(weights_and_values_lead_to_their_stages),
        cmocka_unit_test(enter_leaves_the_field_as_it_is_for_a_second_try),
        cmocka_unit_test(what_cannot_be_compared_is_said_in_a_sentence),
        cmocka_unit_test(another_text_is_undone_and_kept_in_sessions),
        cmocka_unit_test(every_size_has_room_for_two_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
