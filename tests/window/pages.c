/* Pages for browsers, saved by the sheet for export: they hold what was seen, say what was changed
 * of it, and are named after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/open/open_model.h"
#include "cli/cli.h"
#include "export_desk.h"
#include "view/sheets/export.h"

static int sit_down(void **state)
{
    struct desk *const desk = desk_open(1440, 900);
    *state = desk;
    return 0;
}

static void open_lesson(struct desk *desk, const char *name)
{
    hands_key(desk->hands, "Ctrl+K");
    hands_type(desk->hands, name);
    hands_key(desk->hands, "Enter");
    hands_show_settled(desk->hands);
    assert_string_equal(desk->hands->state->document.lesson->name, name);
}

/* Opens the sheet on a page; now: the format that it shows. */
static void choose_page(struct desk *desk, const char *now)
{
    hands_key(desk->hands, "Ctrl+E");
    hands_click_number(desk->hands, now, hands_count(desk->hands, now) - 1);
    hands_click_number(desk->hands, "HTML page", hands_count(desk->hands, "HTML page") - 1);
    hands_show_settled(desk->hands);
}

static struct bytes save_page(struct desk *desk, const char *name)
{
    char path[2 * PATH_BYTES];
    struct bytes file = {0};
    hands_key(desk->hands, "Enter");
    hands_expect_not(desk->hands, "File name");
    snprintf(path, sizeof path, "%s/Pictures/%s", desk->home, name);
    assert_true(file_read(path, FILE_MAX, &desk->arena, &file, NULL));
    return file;
}

static bool holds(struct bytes file, const char *words)
{
    return bytes_find(file, 0, words) < file.size;
}

/* The lesson of the model inside, whose weights are known, is there as the command line writes it.
 */
static void a_lesson_of_the_model_inside_is_whole(void **state)
{
    struct desk *const desk = *state;
    char path[2 * PATH_BYTES];
    char *words[] = {"attnscope", "render", "--lesson", "real-heads", "-o", path, NULL};
    struct cli_window window = {.stage = LAB_SCORE};
    struct bytes there = {0};
    open_lesson(desk, "real-heads");
    choose_page(desk, "PNG");
    hands_expect(desk->hands, "one file for any browser, no network · all 8 steps");
    const struct bytes here = save_page(desk, "attnscope-real-heads-softmax.html");
    assert_true(holds(here, "Not every head is easy to describe"));
    assert_true(holds(here, "\"L0H0\", \"L0H1\", \"L0H2\", \"L0H3\""));
    assert_true(holds(here, "\"L1H0\", \"L1H1\", \"L1H2\", \"L1H3\""));
    snprintf(path, sizeof path, "%s/called.html", desk->home);
    assert_int_equal(cli_main(6, words, &window), 0);
    assert_true(file_read(path, FILE_MAX, &desk->arena, &there, NULL));
    assert_int_equal(here.size, there.size);
    assert_memory_equal(here.at, there.at, here.size);
}

/* Steps that would have to be trained are left out, which is said before. */
static void a_lesson_that_trains_says_that_its_step_stands_alone(void **state)
{
    struct desk *const desk = *state;
    open_lesson(desk, "learned");
    choose_page(desk, "PNG");
    hands_expect(desk->hands, "one file for any browser, no network · this step alone, “attnscope "
                              "render” makes all 7");
    hands_key(desk->hands, "Escape");
    open_lesson(desk, "hammer");
    choose_page(desk, "HTML page");
    hands_expect(desk->hands, "one file for any browser, no network · all 8 steps");
}

/* What Why shows is in its page, and not a stage. */
static void a_page_of_why_holds_why(void **state)
{
    struct desk *const desk = *state;
    open_lesson(desk, "real-heads");
    hands_click(desk->hands, "Why");
    hands_show_settled(desk->hands);
    choose_page(desk, "PNG");
    const struct bytes page = save_page(desk, "attnscope-real-heads-why.html");
    assert_true(holds(page, "Who says it"));
    assert_true(holds(page, "class=\"kept\""));
    assert_true(holds(page, "The logit of “"));
    hands_key(desk->hands, "Ctrl+E"); /* another thing has another name */
    hands_click_number(desk->hands, "HTML page", hands_count(desk->hands, "HTML page") - 1);
    hands_click_number(desk->hands, "CSV", hands_count(desk->hands, "CSV") - 1);
    hands_expect(desk->hands, "attnscope-real-heads-softmax.csv");
}

/* A head that is off is said of a run and of a model; so is what else was changed. */
static void what_was_changed_is_said(void **state)
{
    struct desk *const desk = *state;
    struct hands *const hands = desk->hands;
    open_lesson(desk, "real-heads");
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "Switch L0H2 off or on");
    hands_show_settled(hands);
    hands_key(hands, "w");
    choose_page(desk, "PNG");
    const struct bytes run = save_page(desk, "attnscope-real-heads-softmax.html");
    assert_true(holds(run, "From step 1500 on, switched off: L0H2."));
    assert_true(app_open_model_open(hands->state, getenv("SMALL_WORLD"),
                                    "the man buys a hammer . it is", hands->input.time));
    hands_show_settled(hands);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "Switch L0H2 off or on");
    hands_show_settled(hands);
    hands_click(hands, "Switch MLP 1 off or on");
    hands_show_settled(hands);
    hands_click(hands, "MLP 1: mean, or zero");
    hands_show_settled(hands);
    hands_key(hands, "w");
    choose_page(desk, "HTML page");
    char name[256];
    snprintf(name, sizeof name, "%s", hands->state->view.export_dialog->name);
    assert_true(holds(save_page(desk, name), "The model is changed: L0H2 off, MLP 1 at its mean."));
}

/* What was chosen to be shown is kept when the format becomes a page. */
static void what_is_shown_stays_chosen(void **state)
{
    struct desk *const desk = *state;
    struct hands *const hands = desk->hands;
    hands_key(hands, "Ctrl+E");
    hands_click_number(hands, "Window", hands_count(hands, "Window") - 1);
    hands_click_number(hands, "Heads", hands_count(hands, "Heads") - 1);
    hands_key(hands, "Escape");
    choose_page(desk, "PNG");
    hands_expect(hands, "Picture of");
    const struct bytes page = save_page(desk, "attnscope-cats-score-heads.html");
    assert_true(holds(page, "class=\"kept\""));
}

#define a_test(f) cmocka_unit_test_setup_teardown(f, sit_down, stand_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        a_test(a_lesson_of_the_model_inside_is_whole),
        a_test(a_lesson_that_trains_says_that_its_step_stands_alone),
        a_test(a_page_of_why_holds_why),
        a_test(what_was_changed_is_said),
        a_test(what_is_shown_stays_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
