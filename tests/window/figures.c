/* The window saves, byte for byte, what the command line draws of the saved session: the numbers of
 * both are those of plain C, whatever the processor can do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "app/document/session.h"
#include "app/export/export.h"
#include "export_desk.h"
#include "learning.h"
#include "view/sheets/export.h"

static int sit_down(void **state)
{
    *state = desk_open(1440, 900);
    return 0;
}

static struct bytes content_of(struct desk *desk, const char *name)
{
    struct bytes file = {0};
    const char *const path = arena_format(&desk->arena, "%s/Pictures/%s", desk->home, name);
    if (access(path, F_OK) != 0) {
        hands_report(desk->hands);
        fail_msg("%s was not written", path);
    }
    assert_true(file_read(path, FILE_MAX, &desk->arena, &file, NULL));
    return file;
}

static void choose_row(struct desk *desk, const char *now, const char *wanted)
{
    struct hands *hands = desk->hands;
    if (strcmp(now, wanted) != 0) {
        hands_click_number(hands, now, hands_count(hands, now) - 1);
        hands_click_number(hands, wanted, hands_count(hands, wanted) - 1);
    }
}

static void keep_session(struct desk *desk)
{
    struct bytes text = {0};
    struct error error = {0};
    const struct app_scene scene = app_state_scene(desk->hands->state);
    assert_true(app_session_text(&scene, &desk->arena, &text, &error));
    assert_true(
        file_write(arena_format(&desk->arena, "%s/Pictures/s.json", desk->home), text, &error));
}

static void render_figure(struct desk *desk, const char *options)
{
    const char *const line = arena_format(&desk->arena, "cd '%s/Pictures' && '%s' render s.json %s",
                                          desk->home, getenv("ATTNSCOPE_BINARY"), options);
    assert_int_equal(system(line), 0);
}

static void assert_same(struct desk *desk, const char *saved, const char *drawn)
{
    const struct bytes a = content_of(desk, saved), b = content_of(desk, drawn);
    size_t at = 0;
    while (at < a.size && at < b.size && a.at[at] == b.at[at]) {
        at++;
    }
    if (at < a.size || at < b.size) {
        const size_t from = at < 60 ? 0 : at - 60;
        const int to_a = (int)(a.size - from < 140 ? a.size - from : 140);
        const int to_b = (int)(b.size - from < 140 ? b.size - from : 140);
        fail_msg("%s differs at byte %zu:\n%.*s\n%.*s", saved, at, to_a, (const char *)a.at + from,
                 to_b, (const char *)b.at + from);
    }
}

/* Every part, as every kind of file. */
static void assert_all_alike(struct desk *desk)
{
    static const struct {
        const char *title, *tail, *view, *size; /* of a page: a figure, where size is no more */
        bool is_figure;
    } parts[] = {
        {"Window", "", "window", "--size 1440x900", false},
        {"Stage", "", "stage", "--size 668x640", true},
        {"Matrix alone", "-matrix", "matrix", "", true},
        {"3-D view", "-space", "space", "--size 480x460", true},
        {"Heads", "-heads", "heads", "--size 480x300", true},
        {"One head", "-head", "head", "--size 480x420", true},
        {"Formula", "-formula", "formula", "--size 668x108", false},
        {"Kinds", "-kinds", "kinds", "--size 720x540", true},
        {"Costs", "-costs", "costs", "--size 668x480", true},
    };
    static const struct {
        const char *title, *suffix;
        bool has_pixels;
    } formats[] = {{"PNG", "png", true}, {"SVG", "svg", false}, {"PDF", "pdf", false}};
    const char *part = "Window", *format = "PNG";
    char stem[64];
    keep_session(desk);
    app_export_name(desk->hands->state, stem, sizeof stem);
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
            const char *const saved =
                arena_format(&desk->arena, "%s%s.%s", stem, parts[p].tail, formats[f].suffix);
            unlink(arena_format(&desk->arena, "%s/Pictures/%s", desk->home, saved));
            hands_key(desk->hands, "Ctrl+E");
            choose_row(desk, part, parts[p].title);
            choose_row(desk, format, formats[f].title);
            part = parts[p].title;
            format = formats[f].title;
            hands_key(desk->hands, "Enter");
            const char *const drawn = arena_format(&desk->arena, "d.%s", formats[f].suffix);
            const bool is_figure = parts[p].is_figure && f > 0;
            render_figure(desk, arena_format(&desk->arena, "--view %s %s %s -o %s", parts[p].view,
                                             is_figure ? "--figure" : parts[p].size,
                                             formats[f].has_pixels ? "--scale 2" : "", drawn));
            assert_same(desk, saved, drawn);
        }
    }
}

static void a_lesson_at_its_first_step(void **state)
{
    assert_all_alike(*state);
}

static void eight_heads_of_random_weights_at_softmax_in_the_dark(void **state)
{
    struct desk *desk = *state;
    hands_close(desk->hands);
    desk->hands = hands_open("ten", 1440, 900);
    unsetenv("ATTNSCOPE_HOME");
    hands_key(desk->hands, "5");
    hands_key(desk->hands, "T");
    hands_key(desk->hands, "Right");
    assert_all_alike(desk);
}

static void words_that_were_typed(void **state)
{
    struct desk *desk = *state;
    hands_click(desk->hands, "type a token\u2026");
    hands_type(desk->hands, "bird <b>&amp; ");
    hands_key(desk->hands, "Escape");
    hands_key(desk->hands, "6");
    assert_all_alike(desk);
}

static void heads_as_lines_and_the_whole_flow(void **state)
{
    struct desk *desk = *state;
    hands_key(desk->hands, "5");
    hands_key(desk->hands, "L");
    hands_key(desk->hands, "O");
    hands_expect(desk->hands, "The whole flow");
    assert_all_alike(desk);
}

/* Saves the stage as a figure, so many millimetres wide. */
static void save_wide_figure(struct desk *desk, const double millimetres[2])
{
    hands_key(desk->hands, "Ctrl+E");
    choose_row(desk, "Window", "Stage");
    choose_row(desk, "PNG", "SVG");
    choose_row(desk, "Points", "Millimetres");
    for (size_t i = 0; i < 2; i++) {
        const struct view_action set = {.kind = VIEW_ACTION_EXPORT,
                                        .export = {.act = VIEW_EXPORT_SET,
                                                   .which = VIEW_EXPORT_WIDTH + i,
                                                   .number = millimetres[i]}};
        app_export_apply(desk->hands->state, &set, desk->hands->input.time);
    }
    hands_frame(desk->hands);
    hands_key(desk->hands, "Enter");
}

/* A width that was asked for is the width of the file, there as here. */
static void a_figure_of_a_chosen_width(void **state)
{
    struct desk *desk = *state;
    keep_session(desk);
    save_wide_figure(desk, (const double[]){85, 1.25 * 85});
    render_figure(desk, "--view stage --figure --size 85mm -o d.svg");
    assert_same(desk, "attnscope-cats-score.svg", "d.svg");
}

/* Two experiments beside each other are three panels, there as here, whichever of them is seen. */
static void a_comparison_is_the_figure_of_a_against_b(void **state)
{
    struct desk *desk = *state;
    hands_key(desk->hands, "5");
    app_command_run(desk->hands->state, "compare", 0, desk->hands->input.time);
    app_command_run(desk->hands->state, "causal mask", 0, desk->hands->input.time);
    hands_frame(desk->hands);
    keep_session(desk);
    render_figure(desk, "--stage softmax --against-lesson cats --size 174mm -o d.svg");
    hands_click(desk->hands, "A | B");
    hands_key(desk->hands, "Ctrl+E");
    hands_expect_part(desk->hands, "opens without what it is compared with"); /* the window */
    hands_key(desk->hands, "Escape");
    save_wide_figure(desk, (const double[]){174, 1.25 * 174});
    assert_same(desk, "attnscope-cats-softmax.svg", "d.svg");
    hands_click(desk->hands, "A \u2212 B");
    hands_key(desk->hands, "Ctrl+E"); /* as it was chosen */
    hands_expect_part(desk->hands, "of two experiments, so none lies inside");
    hands_key(desk->hands, "Enter");
    assert_same(desk, "attnscope-cats-softmax-2.svg", "d.svg");
}

/* Decoding asks for a mask that looks back; where there is none, the sheet says so. */
static void word_by_word(void **state)
{
    struct desk *desk = *state;
    hands_key(desk->hands, "Ctrl+E");
    choose_row(desk, "Window", "Decode");
    hands_expect_part(desk->hands, "take a mask that looks back");
    hands_key(desk->hands, "Escape");
    app_command_run(desk->hands->state, "causal mask", 0, desk->hands->input.time);
    hands_frame(desk->hands);
    keep_session(desk);
    hands_key(desk->hands, "Ctrl+E");
    choose_row(desk, "PNG", "SVG");
    hands_key(desk->hands, "Enter");
    render_figure(desk, "--view decode --figure -o d.svg");
    assert_same(desk, "attnscope-cats-score-decode.svg", "d.svg");
}

/* Curves need a training: the sheet says so where there is none, or none has begun. */
static void curves_of_training(void **state)
{
    struct desk *desk = *state;
    hands_key(desk->hands, "Ctrl+E");
    choose_row(desk, "Window", "Training");
    hands_expect_part(desk->hands, "whose weights learn has curves");
    hands_key(desk->hands, "Escape");
    start_still(desk->hands, 0);
    hands_key(desk->hands, "Ctrl+E");
    hands_expect_part(desk->hands, "its first step");
    hands_key(desk->hands, "Escape");
    for (int step = 0; step < 24; step++) {
        ask_learn(desk->hands, VIEW_LEARN_ONE, 0, 0);
    }
    hands_key(desk->hands, "Ctrl+E");
    choose_row(desk, "PNG", "SVG");
    char stem[64];
    app_export_name(desk->hands->state, stem, sizeof stem);
    hands_key(desk->hands, "Enter");
    const struct bytes svg = content_of(desk, arena_format(&desk->arena, "%s-training.svg", stem));
    assert_non_null(strstr((const char *)svg.at, ">loss (nats)<"));
    assert_null(strstr((const char *)svg.at, ">Paused<"));
}

#define a_test(function) cmocka_unit_test_setup_teardown(function, sit_down, stand_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        a_test(a_lesson_at_its_first_step),
        a_test(eight_heads_of_random_weights_at_softmax_in_the_dark),
        a_test(words_that_were_typed),
        a_test(heads_as_lines_and_the_whole_flow),
        a_test(a_figure_of_a_chosen_width),
        a_test(a_comparison_is_the_figure_of_a_against_b),
        a_test(word_by_word),
        a_test(curves_of_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
