/* Names of the curves of training and of the events on them, and the numbers beside their names. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "base/text.h"
#include "base/translate.h"
#include "hands.h"
#include "learn/task.h"
#include "learning.h"

/* The step of a lesson, from 1, before a class. */
static struct hands *open_step(const char *lesson, size_t step, float width, float height)
{
    struct hands *const hands = hands_open(lesson, width, height);
    hands_key(hands, "F5");
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = step - 1},
                    hands->input.time);
    hands_show_settled(hands);
    return hands;
}

static const struct view_learn_curve *curve_of(const struct hands *hands, const char *name)
{
    const struct view_learn *const learn = learn_of(hands);
    for (size_t c = 0; c < learn->curves; c++) {
        if (strcmp(learn->curve[c].name, name) == 0) {
            return &learn->curve[c];
        }
    }
    fail_msg("there is no curve “%s”", name);
    return NULL;
}

/* A mean over many sentences stands beside no caption that speaks of this one, unless it is called
 * so. */
static void no_mean_goes_without_its_name(void **unused)
{
    (void)unused;
    static const float rooms[][2] = {{960, 600}, {1024, 768}, {1280, 720}, {1440, 900}};
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        struct hands *const hands = hands_open_presenter("learned", rooms[r][0], rooms[r][1]);
        hands_show_step(hands, 5);
        hands_settle(hands);
        hands_wait(hands, 1);
        assert_int_equal(hands_count(hands, "71 %"), hands_count(hands, "mean:"));
        assert_true(hands_count_part(hands, "→ the noun") > 0);
        hands_close(hands);
    }
}

/* A class that is asked where a head looks does not read it from the name of its curve, nor from
 * the sentence below the title. */
static void a_guess_is_not_told_by_names(void **unused)
{
    (void)unused;
    static const struct {
        const char *lesson;
        size_t step;
        const char *names[2]; /* of scores */
    } asked[] = {
        {"learned", 5, {"“is” → the noun", NULL}},
        {"real-heads", 2, {"“is” → the noun", NULL}},
        {"induction", 5, {"→ behind the last time", "→ the one before"}},
        {"own-text", 5, {"→ behind the last time", "→ the one before"}},
        {"reverse", 4, {"looks at the answer", NULL}},
    };
    for (size_t a = 0; a < sizeof asked / sizeof *asked; a++) {
        struct hands *const hands = open_step(asked[a].lesson, asked[a].step, 1440, 900);
        const size_t scores = asked[a].names[1] != NULL ? 2 : 1;
        for (size_t n = 0; n < scores; n++) {
            assert_int_equal(hands_count_part(hands, asked[a].names[n]), 0);
        }
        assert_int_equal(hands_count_part(hands, "nobody told it"), 0);
        assert_int_equal(hands_count(hands, "→ ?"), scores);
        hands_expect(hands, "loss"); /* it does not tell */
        hands_hover(hands, "→ ?");
        hands_wait(hands, 1);
        hands_expect(hands, "Guess first: what it is called is shown with the answer.");
        hands_click(hands, "Reveal");
        for (size_t n = 0; n < scores; n++) {
            assert_true(hands_count_part(hands, asked[a].names[n]) > 0);
        }
        assert_int_equal(hands_count(hands, "→ ?"), 0);
        hands_key(hands, "F5");
        const size_t told = hands_count_part(hands, "nobody told it");
        assert_true(told > 0 || strcmp(asked[a].lesson, "own-text") == 0);
        hands_close(hands);
    }
}

static struct rect text_place(const struct hands *hands, const char *text)
{
    struct rect place = {0, 0, 0, 0};
    if (!canvas_find_text(hands_canvas(hands), text, 0, &place)) {
        fail_msg("“%s” should be on screen", text);
    }
    return place;
}

/* Lines run in the plot, and names stand beside it, however far the run has come. */
static void names_stand_beside_the_plot(void **unused)
{
    (void)unused;
    static const struct {
        const char *lesson;
        size_t step;
        const char *names[4];
    } shown[] = {
        {"learned", 6, {"Arten getrennt", "„is“ → das Nomen", "richtig", "Verlust"}},
        {"induction", 6, {"→ der Vorgänger", "→ hinter dem letzten Mal", "richtig", "Verlust"}},
        {"learned", 7, {"Arten getrennt", "„is“ → das Nomen", "richtig", "Verlust"}},
    };
    for (size_t s = 0; s < sizeof shown / sizeof *shown; s++) {
        struct hands *const hands = open_step(shown[s].lesson, shown[s].step, 1024, 768);
        struct rect track;
        language_speak(language_find("de"));
        hands_frame(hands);
        app_learn_tell(hands->state);
        hands_frame(hands);
        assert_int_equal(hands_collisions(hands), 0);
        assert_true(canvas_find_group(hands_canvas(hands), "Steps of training", 0, &track));
        for (size_t n = 0; n < 4; n++) {
            assert_true(text_place(hands, shown[s].names[n]).x > track.x + track.w);
        }
        language_speak(NULL);
        hands_close(hands);
    }
}

/* Checks the text behind a curve's name: its number, and that it is a mean. */
static void expect_beside(struct hands *hands, const char *name, const char *number)
{
    struct rect place;
    const struct rect at = text_place(hands, name);
    for (size_t i = 0; canvas_find_text(hands_canvas(hands), number, i, &place); i++) {
        if (fabsf(place.y + place.h / 2 - at.y - at.h / 2) < 3 && place.x > at.x) {
            return;
        }
    }
    hands_report(hands);
    fail_msg("“%s” should stand beside “%s”", number, name);
}

/* A number with a sign is wider than a share. */
static void a_number_below_none_stands_beside_its_name(void **unused)
{
    (void)unused;
    static const float sizes[][2] = {{960, 600}, {1024, 768}, {1280, 720}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct hands *const hands = open_step("learned", 5, sizes[s][0], sizes[s][1]);
        ask_learn(hands, VIEW_LEARN_SEEK, 1, 0);
        assert_true(curve_of(hands, "kinds apart")->now < 0);
        expect_beside(hands, "kinds apart", "−0.0059");
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

/* Loss and test that captions tell stand on the strip, at that very step: also where training has
 * no point of its curve. */
static void the_present_moment_is_told_in_numbers(void **unused)
{
    (void)unused;
    struct hands *const hands = open_step("grokking", 3, 1024, 768); /* "9 %" */
    assert_int_equal(learn_of(hands)->step, 120);
    expect_beside(hands, "right", "100 %");
    expect_beside(hands, "right in the test", "9 %");
    ask_learn(hands, VIEW_LEARN_SEEK, 240, 0); /* "15 %" */
    expect_beside(hands, "right in the test", "15 %");
    char loss[TEXT_NUMBER_MAX];
    expect_beside(hands, "loss", text_small_number(loss, learn_of(hands)->loss, 3));
    ask_learn(hands, VIEW_LEARN_SEEK, 120, 0); /* back: it is of that step, the line goes on */
    expect_beside(hands, "right in the test", "9 %");
    hands_close(hands);
}

/* A score of attention is the best head's at the step that is shown; how far kinds stand apart is
 * no share. */
static void scores_are_told_in_numbers(void **unused)
{
    (void)unused;
    struct hands *const hands = open_step("learned", 6, 1440, 900);
    char text[TEXT_NUMBER_MAX + 4];
    const float noun = curve_of(hands, "“is” → the noun, L0H1")->now;
    assert_true(noun > 0.5f && noun < 0.95f);
    text_number(text, (double)noun * 100, 0);
    expect_beside(hands, "“is” → the noun, L0H1", strcat(text, " %"));
    expect_beside(hands, "“is” → the noun, L0H1", "mean:");
    assert_int_equal(hands_count(hands, "mean:"), 1); /* how far kinds stand apart is not */
    expect_beside(hands, "kinds apart",
                  text_number(text, (double)curve_of(hands, "kinds apart")->now, 3));
    ask_learn(hands, VIEW_LEARN_SEEK, 0, 0);
    assert_true(curve_of(hands, "“is” → the noun, L0H1")->now < noun - 0.2f);
    hands_hover(hands, "kinds apart");
    hands_wait(hands, 1);
    hands_expect_part(hands, "kinds apart: the mean cosine");
    hands_close(hands);
}

/* The step stands there, and nothing else was waited for. */
static void seek_at_once(struct hands *hands, size_t step)
{
    (void)app_learn_apply(hands->state,
                          &(struct view_action){.kind = VIEW_ACTION_LEARN,
                                                .learn = {.act = VIEW_LEARN_SEEK, .which = step}},
                          hands->input.time);
    while (learn_of(hands)->step != step || learn_of(hands)->replays) {
        hands_step(hands);
    }
}

/* The loss of a step that has no point of a curve is computed beside the window, not in a frame,
 * where that takes long; until then no number of another step stands there. */
static void no_frame_waits_for_the_batch(void **unused)
{
    (void)unused;
    struct hands *const hands = open_step("grokking", 3, 1024, 768);
    seek_at_once(hands, 150);
    assert_true(isnan(learn_of(hands)->loss));
    hands_expect(hands, "loss —");
    hands_show_settled(hands);
    assert_true(isfinite(learn_of(hands)->loss));
    assert_true(isfinite(curve_of(hands, "right in the test")->now));
    hands_close(hands);
}

/* The rows of a batch come as they are computed, while frames go on; of a step that was looked at
 * before they are there at once. */
static void no_frame_waits_for_the_rows_of_a_batch(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    start_still(hands, LEARN_TASK_INDUCTION);
    ask_learn(hands, VIEW_LEARN_SEEK, 2, 0);
    app_learn_look_closely(hands->state, VIEW_OVERLAY_BATCH, hands->input.time);
    hands_step(hands);
    assert_true(learn_of(hands)->rows < 32);
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->rows, 32);
    const float mean = learn_of(hands)->row[31].mean;
    ask_learn(hands, VIEW_LEARN_SEEK, 4, 0);
    assert_int_equal(learn_of(hands)->rows, 32);
    assert_true(learn_of(hands)->row[31].mean != mean);
    seek_at_once(hands, 2);
    assert_int_equal(learn_of(hands)->rows, 32);
    assert_true(learn_of(hands)->row[31].mean == mean);
    hands_close(hands);
}

/* The keys that the track names work behind a click on it, too: arrows belong to the stages. */
static void the_track_says_which_keys_go_on(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 400, 0);
    hands_hover(hands, "Steps of training");
    hands_wait(hands, 1);
    hands_expect_part(hands, "Ctrl+→");
    hands_click(hands, "Steps of training");
    hands_show_settled(hands);
    const size_t step = learn_of(hands)->step;
    assert_true(step > 0 && step < 400);
    hands_key(hands, "Ctrl+Right");
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->step, step + 1);
    hands_close(hands);
}

/* Not every mark on the track has room for its words: a click on it says what happened there, of as
 * many texts as the sentence below the title has. */
static void an_event_that_is_gone_to_says_what_happened(void **unused)
{
    (void)unused;
    for (size_t way = 0; way < 2; way++) {
        struct hands *const hands = hands_open("learned", 1280, 720);
        if (way == 1) { /* before a class */
            hands_key(hands, "F5");
        }
        ask_learn(hands, VIEW_LEARN_SEEK, 600, 0);
        struct rect mark = {0};
        assert_true(canvas_find_group(hands_canvas(hands),
                                      "attention finds the noun, on average: L0H1", 0, &mark));
        hands_click_at(hands, mark.x + mark.w / 2, mark.y + mark.h / 2);
        hands_show_settled(hands);
        hands_move(hands, 2, 2);
        hands_frame(hands);
        hands_expect_part(hands, "attention finds the noun, on average: L0H1, over 20 texts, at");
        if (way == 0) {
            hands_expect_part(hands, "over 20 texts it gives the noun");
        }
        hands_close(hands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_mean_goes_without_its_name),
        cmocka_unit_test(a_guess_is_not_told_by_names),
        cmocka_unit_test(names_stand_beside_the_plot),
        cmocka_unit_test(a_number_below_none_stands_beside_its_name),
        cmocka_unit_test(the_present_moment_is_told_in_numbers),
        cmocka_unit_test(scores_are_told_in_numbers),
        cmocka_unit_test(no_frame_waits_for_the_batch),
        cmocka_unit_test(no_frame_waits_for_the_rows_of_a_batch),
        cmocka_unit_test(the_track_says_which_keys_go_on),
        cmocka_unit_test(an_event_that_is_gone_to_says_what_happened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
