/* The sheet for export, driven by its words: files appear where it says, none is lost, and what
 * cannot be done is said in place. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "app/document/session.h"
#include "app/export/export.h"
#include "app/export/export_internal.h"
#include "app/open/open_model.h"
#include "base/translate.h"
#include "cli/cli.h"
#include "export_desk.h"

static int sit_down(void **state)
{
    struct desk *const desk = desk_open(1000, 700);
    hands_key(desk->hands, "Ctrl+E");
    *state = desk;
    return 0;
}

/* The file among the pictures; size 0: there is none. */
static struct bytes save_picture(struct desk *desk, const char *name)
{
    char path[2 * PATH_BYTES];
    struct bytes file = {0};
    snprintf(path, sizeof path, "%s/Pictures/%s", desk->home, name);
    if (access(path, F_OK) != 0) {
        return file;
    }
    assert_true(file_read(path, FILE_MAX, &desk->arena, &file, NULL));
    return file;
}

/* The same, once it has been drawn; the threads that draw have the processor meanwhile. */
static struct bytes save_film(struct desk *desk, const char *name)
{
    enum { FRAMES_MAX = 60000 };
    struct bytes file = save_picture(desk, name);
    for (int i = 0; i < FRAMES_MAX && file.size == 0; i++) {
        hands_step(desk->hands);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        file = save_picture(desk, name);
    }
    return file;
}

static void write_file(struct desk *desk, const char *name, const char *text)
{
    char path[2 * PATH_BYTES];
    snprintf(path, sizeof path, "%s/Pictures/%s", desk->home, name);
    assert_true(file_write(path, (struct bytes){(const uint8_t *)text, strlen(text)}, NULL));
}

/* Opens the row that shows `now` and takes `wanted` from it. */
static void choose_row(struct desk *desk, const char *now, const char *wanted)
{
    struct hands *hands = desk->hands;
    hands_click_number(hands, now, hands_count(hands, now) - 1);
    /* A list that is longer than the window is scrolled, from its present row to either end. */
    const struct point at = hands_find(hands, now, hands_count(hands, now) - 1);
    for (float notches = -50; notches <= 50 && hands_count(hands, wanted) == 0; notches += 100) {
        hands_wheel(hands, at.x, at.y, notches, 0);
        hands_frame(hands);
    }
    hands_click_number(hands, wanted, hands_count(hands, wanted) - 1);
}

static void type_name(struct desk *desk, const char *now, const char *name)
{
    hands_click(desk->hands, now);
    hands_key(desk->hands, "Ctrl+A");
    hands_type(desk->hands, name);
}

static bool starts_with(struct bytes file, const char *with)
{
    return file.size > strlen(with) && memcmp(file.at, with, strlen(with)) == 0;
}

static uint32_t number_at(struct bytes file, size_t at)
{
    return (uint32_t)file.at[at] << 24 | (uint32_t)file.at[at + 1] << 16 |
           (uint32_t)file.at[at + 2] << 8 | file.at[at + 3];
}

static void enter_saves_the_window_and_says_where(void **state)
{
    struct desk *desk = *state;
    hands_expect(desk->hands, "Picture of");
    hands_expect(desk->hands, "2000 × 1400 pixels");
    hands_key(desk->hands, "Enter");
    hands_expect_not(desk->hands, "File name");
    hands_expect_part(desk->hands, "Pictures/attnscope-cats-score.png");
    const struct bytes file = save_picture(desk, "attnscope-cats-score.png");
    assert_true(starts_with(file, "\x89PNG"));
    assert_int_equal(number_at(file, 16), 2000);
    assert_int_equal(number_at(file, 20), 1400);
}

static void sizes_are_counted_as_paper_is(void **state)
{
    struct desk *desk = *state;
    hands_expect(desk->hands, "1000");
    choose_row(desk, "PNG", "SVG");
    choose_row(desk, "Points", "Millimetres");
    hands_expect(desk->hands, "352.8"); /* 1000 / 72 inches of 25.4 mm */
    hands_expect(desk->hands, "353 × 247 mm on paper · letters of 8 points");
    hands_expect(desk->hands, "246.9");
    choose_row(desk, "Millimetres", "Inches");
    hands_expect(desk->hands, "13.89");
    hands_expect(desk->hands, "9.72");
    hands_key(desk->hands, "Enter");
    const struct bytes file = save_picture(desk, "attnscope-cats-score.svg");
    assert_non_null(strstr((const char *)file.at, "width=\"1000pt\" height=\"700pt\""));
}

static void a_matrix_on_paper_is_as_small_as_its_letters(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "Window", "Matrix alone");
    const double wide = export_width(desk->hands->state);
    choose_row(desk, "Points", "Millimetres");
    assert_true(wide > 100 && fabs(export_width(desk->hands->state) - wide * 8 / 13) < 0.01);
}

static void every_format_makes_a_file_of_its_kind(void **state)
{
    static const struct {
        const char *format, *name, *begins;
    } kinds[] = {
        {"SVG", "attnscope-cats-score.svg", "<?xml"},
        {"PDF", "attnscope-cats-score.pdf", "%PDF"},
        {"CSV", "attnscope-cats-score.csv", ",\"cat\""},
        {"LaTeX matrix", "attnscope-cats-score.tex", "% for the package amsmath"},
        {"Markdown table", "attnscope-cats-score.md", "|  | cat |"},
        {"HTML page", "attnscope-cats-score.html", "<!DOCTYPE html>"},
        {"HTML table", "attnscope-cats-score-2.html", "<table>"},
        {"NumPy array", "attnscope-cats-score.py", "# S"},
        {"JSON", "attnscope-cats-score.json", "{\n"},
        {"NPY", "attnscope-cats-score.npy", "\x93NUMPY"},
        {"NPZ", "attnscope-cats-score.npz", "PK"},
    };
    struct desk *desk = *state;
    const char *now = "PNG";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        choose_row(desk, now, kinds[i].format);
        hands_click(desk->hands, "Save");
        hands_expect_not(desk->hands, "File name");
        assert_true(starts_with(save_picture(desk, kinds[i].name), kinds[i].begins));
        hands_key(desk->hands, "Ctrl+E");
        now = kinds[i].format; /* what was chosen last is remembered */
    }
}

/* Where a field of the left half of the sheet has its name; false: the format has none of it. */
static bool find_field(struct hands *hands, const char *name, struct point *at)
{
    struct rect sheet;
    assert_true(canvas_find_group(hands_canvas(hands), "Export sheet", 0, &sheet));
    const size_t count = hands_count(hands, name);
    for (size_t number = 0; number < count; number++) {
        *at = hands_find(hands, name, number);
        if (at->x > sheet.x && at->x < sheet.x + sheet.w / 2 && at->y > sheet.y &&
            at->y < sheet.y + sheet.h) {
            return true;
        }
    }
    return false;
}

static void no_field_moves_when_the_format_changes(void **state)
{
    static const char *const formats[] = {"SVG",           "PDF", "Worksheet", "WebP animation",
                                          "GIF animation", "CSV", "NPZ",       "PNG"};
    static const char *const fields[] = {"Picture of", "Format",  "Theme",    "Background",
                                         "Letters",    "Size in", "Numbers",  "Decimals",
                                         "Colours",    "Shows",   "File name"};
    enum { FIELDS = sizeof fields / sizeof *fields };
    struct desk *desk = *state;
    struct point first[FIELDS];
    size_t seen[FIELDS] = {0};
    const char *now = "PNG";
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        choose_row(desk, now, formats[i]);
        now = formats[i];
        for (size_t f = 0; f < FIELDS; f++) {
            struct point at;
            if (find_field(desk->hands, fields[f], &at)) {
                first[f] = seen[f] == 0 ? at : first[f];
                assert_float_equal(at.x, first[f].x, 0.01);
                assert_float_equal(at.y, first[f].y, 0.01);
                seen[f]++;
            }
        }
    }
    for (size_t f = 0; f < FIELDS; f++) {
        if (seen[f] == 0) {
            fail_msg("no format has %s", fields[f]);
        }
    }
}

static void a_panel_alone_has_its_own_size_and_name(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "Window", "Formula");
    hands_expect(desk->hands, "1336 × 216 pixels");
    hands_key(desk->hands, "Enter");
    assert_int_equal(number_at(save_picture(desk, "attnscope-cats-score-formula.png"), 16), 1336);
}

static void a_free_name_is_offered_and_nothing_written_over(void **state)
{
    struct desk *desk = *state;
    hands_key(desk->hands, "Escape");
    write_file(desk, "attnscope-cats-score.png", "holiday");
    hands_key(desk->hands, "Ctrl+E");
    hands_expect(desk->hands, "attnscope-cats-score-2.png");
    hands_key(desk->hands, "Enter");
    assert_int_equal(save_picture(desk, "attnscope-cats-score.png").size, strlen("holiday"));
    assert_true(save_picture(desk, "attnscope-cats-score-2.png").size > 1000);
}

static void a_name_that_is_taken_is_replaced_only_when_the_button_says_so(void **state)
{
    struct desk *desk = *state;
    write_file(desk, "mine.png", "holiday");
    type_name(desk, "attnscope-cats-score.png", "mine");
    hands_expect(desk->hands, "Replace");
    hands_expect_part(desk->hands, "There is a file of that name");
    assert_int_equal(save_picture(desk, "mine.png").size, strlen("holiday"));
    hands_click(desk->hands, "Replace");
    assert_true(starts_with(save_picture(desk, "mine.png"), "\x89PNG"));
}

/* The button has another name in each. */
static void what_is_replaced_is_replaced_in_every_language(void **state)
{
    struct desk *desk = *state;
    write_file(desk, "mine.png", "holiday");
    type_name(desk, "attnscope-cats-score.png", "mine");
    language_speak(language_find("de"));
    hands_frame(desk->hands);
    hands_click(desk->hands, "Ersetzen");
    language_speak(NULL);
    assert_true(starts_with(save_picture(desk, "mine.png"), "\x89PNG"));
}

static void the_folder_is_told_in_every_language(void **state)
{
    struct desk *desk = *state;
    hands_expect(desk->hands, "in ~/Pictures");
    language_speak(language_find("zh_CN"));
    hands_frame(desk->hands);
    hands_expect(desk->hands, "保存到 ~/Pictures");
    language_speak(NULL);
}

static void a_file_that_came_meanwhile_is_left_alone(void **state)
{
    struct desk *desk = *state;
    type_name(desk, "attnscope-cats-score.png", "mine");
    hands_expect(desk->hands, "Save");
    const struct point at = hands_find(desk->hands, "Save", 0);
    hands_press(desk->hands, at.x, at.y, UI_LEFT_BUTTON, 1);
    hands_move(desk->hands, at.x + 1, at.y);
    write_file(desk, "mine.png", "holiday");
    desk->hands->input.down = 0;
    desk->hands->input.released = UI_LEFT_BUTTON;
    hands_step(desk->hands);
    hands_step(desk->hands);
    const size_t size = save_picture(desk, "mine.png").size;
    assert_true(size == strlen("holiday") || hands_count(desk->hands, "Replace") == 0);
}

static void the_end_of_a_name_chooses_the_format(void **state)
{
    struct desk *desk = *state;
    type_name(desk, "attnscope-cats-score.png", "talk.svg");
    hands_expect(desk->hands, "SVG");
    hands_key(desk->hands, "Enter");
    const struct bytes file = save_picture(desk, "talk.svg");
    assert_true(starts_with(file, "<?xml"));
    assert_int_equal(save_picture(desk, "talk.svg.png").size, 0);
}

static void what_cannot_be_saved_is_said_on_the_sheet(void **state)
{
    struct desk *desk = *state;
    type_name(desk, "attnscope-cats-score.png", "gone/away");
    hands_key(desk->hands, "Enter");
    hands_expect(desk->hands, "Picture of");
    hands_expect_part(desk->hands, "No file could be saved as");
    type_name(desk, "gone/away", "~/here");
    hands_key(desk->hands, "Enter");
    assert_true(save_picture(desk, "../here.png").size > 1000);
}

static void a_picture_carries_its_experiment_unless_told_not_to(void **state)
{
    struct desk *desk = *state;
    struct bytes text = {0};
    hands_key(desk->hands, "Enter");
    assert_true(app_session_find(save_picture(desk, "attnscope-cats-score.png"), &desk->arena,
                                 &text, NULL));
    hands_key(desk->hands, "Ctrl+E");
    hands_click(desk->hands, "experiment inside the file");
    hands_key(desk->hands, "Ctrl+Shift+E");
    assert_false(app_session_find(save_picture(desk, "attnscope-cats-score-2.png"), &desk->arena,
                                  &text, NULL));
}

static void an_animation_shows_how_far_it_is_and_can_be_stopped(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "Window", "Formula");
    choose_row(desk, "PNG", "GIF animation");
    hands_click(desk->hands, "Save");
    hands_expect_part(desk->hands, "of 61");
    hands_key(desk->hands, "Escape");
    hands_expect(desk->hands, "File name");
    hands_wait(desk->hands, 1);
    assert_int_equal(save_picture(desk, "attnscope-cats-score-formula.gif").size, 0);
    hands_click(desk->hands, "Save");
    const struct bytes file = save_film(desk, "attnscope-cats-score-formula.gif");
    assert_true(starts_with(file, "GIF89a"));
    hands_frame(desk->hands);
    hands_expect_part(desk->hands, "attnscope-cats-score-formula.gif");
}

static void a_worksheet_is_saved_as_a_pdf_with_its_answers(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "PNG", "Worksheet");
    hands_expect(desk->hands, "2 pages of A4");
    hands_expect_part(desk->hands, "1 task on A4.");
    hands_expect_not(desk->hands, "Width");
    hands_key(desk->hands, "Enter");
    const struct bytes file = save_picture(desk, "attnscope-cats-score.pdf");
    assert_true(starts_with(file, "%PDF"));
}

static void a_worksheet_is_saved_as_a_page_that_asks(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "PNG", "Worksheet page");
    hands_expect(desk->hands, "one file for any browser, no network");
    hands_expect(desk->hands, "The page asks for the numbers one by one and checks them.");
    hands_key(desk->hands, "Enter");
    const struct bytes file = save_picture(desk, "attnscope-cats-score.html");
    assert_true(starts_with(file, "<!DOCTYPE html>"));
    assert_true(bytes_find(file, 0, "\"guess\": \"matrix\"") < file.size);
    assert_true(bytes_find(file, 0, "<td>") == file.size);
}

/* The command line writes the same page of the lesson; worksheet NULL or its option. */
static void expect_same(struct desk *desk, const char *name, char *worksheet)
{
    char path[2 * PATH_BYTES];
    char *words[] = {"attnscope", "render", "--lesson", "cats", "-o", path, worksheet, NULL};
    struct cli_window window = {.stage = LAB_SCORE};
    struct bytes there = {0};
    const struct bytes here = save_picture(desk, name);
    snprintf(path, sizeof path, "%s/called.html", desk->home);
    assert_int_equal(cli_main(worksheet == NULL ? 6 : 7, words, &window), 0);
    assert_true(file_read(path, FILE_MAX, &desk->arena, &there, NULL));
    assert_true(here.size > 0 && here.size == there.size);
    assert_memory_equal(here.at, there.at, here.size);
}

static void the_command_line_writes_the_same_pages(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "PNG", "HTML page");
    hands_key(desk->hands, "Enter");
    expect_same(desk, "attnscope-cats-score.html", NULL);
    hands_key(desk->hands, "Ctrl+E");
    choose_row(desk, "HTML page", "Worksheet page");
    choose_row(desk, "This stage", "The lesson");
    hands_key(desk->hands, "Enter");
    expect_same(desk, "attnscope-cats-score-2.html", "--worksheet");
}

static void all_stages_become_one_webp(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "Window", "Formula");
    choose_row(desk, "PNG", "WebP animation");
    choose_row(desk, "This stage", "All stages");
    hands_expect(desk->hands, "668 × 108 pixels, 28.5 seconds");
    hands_key(desk->hands, "Enter");
    const struct bytes file = save_film(desk, "attnscope-cats-score-formula.webp");
    assert_true(starts_with(file, "RIFF"));
    assert_memory_equal(file.at + 8, "WEBP", 4);
    assert_int_equal(desk->hands->state->view.playback.stage, LAB_SCORE);
}

/* The pictures are drawn one by one, a frame each: meanwhile others may be compared, or nothing. */
static void an_animation_of_two_experiments_keeps_both(void **state)
{
    struct desk *desk = *state;
    struct hands *const hands = desk->hands;
    hands_key(hands, "Escape");
    app_command_run(hands->state, "compare", 0, hands->input.time);
    app_command_run(hands->state, "causal mask", 0, hands->input.time);
    hands_key(hands, "Ctrl+E");
    choose_row(desk, "PNG", "GIF animation");
    hands_key(hands, "Enter");
    lab_trace_release(hands->state->document.baseline);
    hands->state->document.baseline = NULL;
    assert_true(starts_with(save_film(desk, "attnscope-cats-score.gif"), "GIF89a"));
}

static void an_animation_of_a_model_ends_with_the_model(void **state)
{
    struct desk *desk = *state;
    struct hands *const hands = desk->hands;
    hands_key(hands, "Escape");
    assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), "the cat", 0));
    hands_settle(hands);
    hands_key(hands, "Ctrl+E");
    choose_row(desk, "PNG", "GIF animation");
    hands_key(hands, "Enter");
    hands_step(hands);
    assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), "the dog", 0));
    hands_settle(hands);
    hands_frame(hands);
    hands_expect(hands, "What the animation shows was changed meanwhile: begin it anew.");
}

static void copy_puts_the_text_on_the_clipboard(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "PNG", "CSV");
    hands_click(desk->hands, "Copy");
    assert_int_equal(strncmp(desk->hands->clipboard, ",\"cat\"", 6), 0);
}

static void a_picture_is_handed_to_the_window_to_be_copied(void **state)
{
    struct desk *desk = *state;
    hands_click(desk->hands, "Copy");
    assert_true(starts_with(desk->hands->state->request.copy_picture, "\x89PNG"));
    assert_string_equal(desk->hands->state->request.copy_type, "image/png");
    hands_key(desk->hands, "Ctrl+E");
    choose_row(desk, "PNG", "SVG");
    hands_click(desk->hands, "Copy");
    assert_true(starts_with(desk->hands->state->request.copy_picture, "<?xml"));
    assert_string_equal(desk->hands->state->request.copy_type, "image/svg+xml");
    assert_non_null(strstr(desk->hands->state->request.copy_text, "</svg>"));
}

/* Another run of the program begins as the last one ended. */
static void the_last_choice_is_remembered_over_restarts(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "PNG", "SVG");
    choose_row(desk, "Window", "Matrix alone");
    choose_row(desk, "As needed", "3");
    hands_click(desk->hands, "caption");
    hands_key(desk->hands, "Enter");
    hands_close(desk->hands);
    desk->hands = hands_open("cats", 1000, 700);
    unsetenv("ATTNSCOPE_HOME"); /* as at the first start */
    hands_key(desk->hands, "Ctrl+E");
    hands_expect(desk->hands, "SVG");
    hands_expect(desk->hands, "Matrix alone");
    hands_expect(desk->hands, "3");
    hands_key(desk->hands, "Enter");
    const struct bytes file = save_picture(desk, "attnscope-cats-score-matrix-2.svg");
    assert_non_null(strstr((const char *)file.at, ">7.250<"));
    assert_null(strstr((const char *)file.at, "every query with every key</text>"));
}

/* SVG and PDF begin as papers print them, a PNG as it is shown; the fields stay where they are. */
static void a_page_begins_as_a_figure(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "Window", "Stage");
    struct rect theme, next;
    hands_expect(desk->hands, "As shown");
    assert_true(canvas_find_text(hands_canvas(desk->hands), "Theme", 0, &theme));
    choose_row(desk, "PNG", "SVG");
    hands_expect(desk->hands, "Figure");
    assert_true(canvas_find_text(hands_canvas(desk->hands), "Theme", 0, &next));
    assert_true(theme.x == next.x && theme.y == next.y);
    choose_row(desk, "SVG", "WebP animation");
    assert_true(canvas_find_text(hands_canvas(desk->hands), "Theme", 0, &next));
    assert_true(theme.x == next.x && theme.y == next.y);
    choose_row(desk, "WebP animation", "SVG");
    hands_key(desk->hands, "Enter");
    const char *const text = (const char *)save_picture(desk, "attnscope-cats-score.svg").at;
    assert_null(strstr(text, ">Score: every query meets every key</text>"));
    assert_non_null(strstr(text, ">7.25</text>"));
}

/* The same choices are options of the command line. */
static void title_numbers_and_marks_are_chosen(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "PNG", "SVG");
    choose_row(desk, "Window", "Stage");
    choose_row(desk, "Figure", "As shown");
    hands_click(desk->hands, "title");
    hands_click(desk->hands, "selection marks");
    choose_row(desk, "If they fit", "None");
    hands_key(desk->hands, "Enter");
    const char *text = (const char *)save_picture(desk, "attnscope-cats-score.svg").at;
    assert_null(strstr(text, ">Score: every query meets every key</text>"));
    assert_null(strstr(text, ">7.25</text>"));
    hands_key(desk->hands, "Ctrl+E");
    hands_click(desk->hands, "title");
    choose_row(desk, "None", "In all cells");
    hands_key(desk->hands, "Enter");
    text = (const char *)save_picture(desk, "attnscope-cats-score-2.svg").at;
    assert_non_null(strstr(text, ">Score: every query meets every key</text>"));
    assert_non_null(strstr(text, ">7.25</text>"));
}

static void what_lies_below_feels_nothing(void **state)
{
    struct desk *desk = *state;
    const uint64_t before = hands_reading(desk->hands);
    for (int step = 1; step < 20; step++) {
        hands_move(desk->hands, 50 * (float)step, 350);
        hands_click_at(desk->hands, 50 * (float)step, 120);
    }
    hands_move(desk->hands, 999, 1);
    assert_true(hands_reading(desk->hands) == before);
    hands_expect(desk->hands, "Picture of");
}

static void letters_are_no_commands_while_the_sheet_is_up(void **state)
{
    struct desk *desk = *state;
    hands_type(desk->hands, "t5");
    assert_false(desk->hands->state->theme->dark);
    assert_int_equal(desk->hands->state->view.playback.stage, LAB_SCORE);
    hands_key(desk->hands, "Escape");
    hands_expect_not(desk->hands, "File name");
    hands_type(desk->hands, "5");
    assert_int_equal(desk->hands->state->view.playback.stage, LAB_SOFTMAX);
}

static void a_white_ground_under_the_dark_theme_is_refused_in_place(void **state)
{
    struct desk *desk = *state;
    choose_row(desk, "As shown", "Dark");
    choose_row(desk, "As the theme", "White");
    hands_expect_part(desk->hands, "takes the light theme");
    hands_expect(desk->hands, "Nothing to see");
}

static void nothing_lies_over_another_at_any_size(void **state)
{
    struct desk *desk = *state;
    static const float sizes[][2] = {{1440, 900}, {960, 600}, {480, 320}, {60, 60}, {1, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        hands_resize(desk->hands, sizes[i][0], sizes[i][1]);
        struct rect area;
        if (sizes[i][0] >= 480) {
            assert_true(canvas_find_group(hands_canvas(desk->hands), "Export sheet", 0, &area));
            assert_true(area.x >= 0 && area.x + area.w <= sizes[i][0]);
        }
    }
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, sit_down, stand_up)

static void send_action(struct desk *desk, enum view_export_act act, size_t other, double number)
{
    const struct view_action action = {.kind = VIEW_ACTION_EXPORT,
                                       .export = {.act = act, .which = other, .number = number}};
    app_export_apply(desk->hands->state, &action, desk->hands->input.time);
}

static void wait_for_file(struct desk *desk)
{
    while (desk->hands->state->export->make != NULL) {
        hands_wait(desk->hands, 0.05);
    }
    hands_frame(desk->hands);
}

/* How many names there are among the pictures. */
static size_t count_pictures(const struct desk *desk)
{
    char path[PATH_BYTES + 16];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/Pictures", desk->home);
    DIR *const folder = opendir(path);
    assert_non_null(folder);
    while (readdir(folder) != NULL) {
        count++;
    }
    closedir(folder);
    return count - 2; /* . and .. */
}

/* A figure is as wide as was asked, and the sheet says and shows the size that the file has. */
static void a_figure_is_as_wide_as_was_asked(void **state)
{
    struct desk *desk = *state;
    const struct app_export *const export = desk->hands->state->export;
    choose_row(desk, "PNG", "SVG");
    choose_row(desk, "Window", "Stage");
    choose_row(desk, "Points", "Millimetres");
    send_action(desk, VIEW_EXPORT_SET, VIEW_EXPORT_WIDTH, 85);
    hands_frame(desk->hands);
    hands_frame(desk->hands);
    char said[sizeof export->facts];
    snprintf(said, sizeof said, "%s", export->facts);
    hands_expect(desk->hands, said);
    const double shape = (double)(export->overlay.high / export->overlay.wide);
    hands_key(desk->hands, "Enter");
    const struct bytes file = save_picture(desk, "attnscope-cats-score.svg");
    const char *const size = strstr((const char *)file.at, "width=\"");
    double wide = 0, high = 0;
    assert_non_null(size);
    assert_int_equal(sscanf(size, "width=\"%lfpt\" height=\"%lfpt\"", &wide, &high), 2);
    assert_true(fabs(wide * 25.4 / 72 - 85) < 0.05);
    assert_true(high < 96 * 72 / 25.4); /* cropped above and below */
    assert_true(fabs(shape - high / wide) < 0.02);
    char saved[sizeof export->facts];
    snprintf(saved, sizeof saved, "%.0f × %.0f mm on paper · letters of 8 points", wide * 25.4 / 72,
             high * 25.4 / 72);
    assert_string_equal(said, saved);
}

/* The same where a thread makes the file. */
static void a_large_figure_is_cropped_as_a_small_one(void **state)
{
    struct desk *desk = *state;
    const struct app_export *const export = desk->hands->state->export;
    choose_row(desk, "Window", "Stage");
    send_action(desk, VIEW_EXPORT_CHOOSE, VIEW_EXPORT_STYLE, EXPORT_FIGURE);
    send_action(desk, VIEW_EXPORT_SET, VIEW_EXPORT_WIDTH, 400);
    send_action(desk, VIEW_EXPORT_SET, VIEW_EXPORT_HEIGHT, 1000);
    send_action(desk, VIEW_EXPORT_SET, VIEW_EXPORT_SCALE, 5);
    hands_frame(desk->hands);
    hands_frame(desk->hands);
    assert_true(export_takes_long(desk->hands->state));
    char said[sizeof export->facts];
    snprintf(said, sizeof said, "%s", export->facts);
    send_action(desk, VIEW_EXPORT_SAVE, 0, 0);
    wait_for_file(desk);
    const struct bytes file = save_picture(desk, "attnscope-cats-score.png");
    assert_true(starts_with(file, "\x89PNG"));
    assert_int_equal(number_at(file, 16), 2000);
    assert_true(number_at(file, 20) < 5000);
    char saved[sizeof export->facts];
    snprintf(saved, sizeof saved, "%u × %u pixels", number_at(file, 16), number_at(file, 20));
    assert_string_equal(said, saved);
}

static void a_large_picture_is_made_while_the_window_answers(void **state)
{
    struct desk *desk = *state;
    struct app_state *const window = desk->hands->state;
    const struct ui_theme *const theme = window->theme;
    send_action(desk, VIEW_EXPORT_SET, VIEW_EXPORT_SCALE, 4);
    hands_frame(desk->hands);
    hands_expect(desk->hands, "4000 × 2800 pixels");
    send_action(desk, VIEW_EXPORT_SAVE, 0, 0);
    assert_int_equal(window->view.overlay, VIEW_OVERLAY_EXPORT); /* it is not there yet, … */
    app_command_run(window, "theme", 0, desk->hands->input.time);
    assert_ptr_not_equal(window->theme, theme); /* … and the window answers */
    wait_for_file(desk);
    hands_expect_not(desk->hands, "File name");
    hands_expect_part(desk->hands, "Pictures/attnscope-cats-score.png");
    const struct bytes file = save_picture(desk, "attnscope-cats-score.png");
    assert_true(starts_with(file, "\x89PNG"));
    assert_int_equal(number_at(file, 16), 4000);
    assert_int_equal(number_at(file, 20), 2800);
    assert_int_equal(count_pictures(desk), 1);
}

static void a_large_picture_that_is_given_up_leaves_nothing_behind(void **state)
{
    struct desk *desk = *state;
    struct app_state *const window = desk->hands->state;
    send_action(desk, VIEW_EXPORT_SET, VIEW_EXPORT_SCALE, 4);
    send_action(desk, VIEW_EXPORT_SAVE, 0, 0);
    send_action(desk, VIEW_EXPORT_CLOSE, 0, 0);
    assert_int_equal(window->view.overlay, VIEW_OVERLAY_NONE);
    wait_for_file(desk);
    assert_int_equal(count_pictures(desk), 0);
    hands_key(desk->hands, "Ctrl+E"); /* and the next one is made */
    send_action(desk, VIEW_EXPORT_SAVE, 0, 0);
    wait_for_file(desk);
    assert_int_equal(count_pictures(desk), 1);
}

/* The sheet is opened for the first time while a file is under way that was asked for without it.
 */
static void the_sheet_opens_beside_a_file_that_is_being_made(void **state)
{
    struct desk *desk = *state;
    struct app_state *const window = desk->hands->state;
    send_action(desk, VIEW_EXPORT_SET, VIEW_EXPORT_SCALE, 4);
    hands_key(desk->hands, "Escape");
    app_export_free(window);
    hands_key(desk->hands, "Ctrl+Shift+E");
    hands_key(desk->hands, "Ctrl+E");
    hands_expect(desk->hands, "Cancel");
    hands_expect(desk->hands, "Save");
    assert_null(
        window->export->overlay.pixels); /* no preview is drawn into the picture under way */
    wait_for_file(desk);
    assert_int_equal(count_pictures(desk), 1);
}

static void many_numbers_are_written_beside_the_window(void **state)
{
    enum { WORDS = 400, CSV = 8 };
    static char text[WORDS][8];
    static const char *words[WORDS];
    struct desk *desk = *state;
    struct app_state *const window = desk->hands->state;
    struct lab_experiment next;
    for (size_t w = 0; w < WORDS; w++) {
        snprintf(text[w], sizeof text[w], "w%zu", w);
        words[w] = text[w];
    }
    lab_experiment_copy(&next, &window->document.experiment);
    assert_true(lab_experiment_set_tokens(&next, words, WORDS, NULL));
    document_change(&window->document, &next, "many words", desk->hands->input.time);
    lab_experiment_release(&next);
    send_action(desk, VIEW_EXPORT_CHOOSE, VIEW_EXPORT_FORMAT, CSV);
    hands_frame(desk->hands);
    hands_expect_part(desk->hands, "400 × 400 numbers");
    send_action(desk, VIEW_EXPORT_SAVE, 0, 0);
    assert_int_equal(window->view.overlay, VIEW_OVERLAY_EXPORT);
    wait_for_file(desk);
    const struct bytes file = save_picture(desk, "attnscope-cats-score.csv");
    size_t lines = 0;
    for (size_t at = 0; at < file.size; at++) {
        lines += file.at[at] == '\n';
    }
    assert_int_equal(lines, WORDS + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        a_test(enter_saves_the_window_and_says_where),
        a_test(sizes_are_counted_as_paper_is),
        a_test(a_matrix_on_paper_is_as_small_as_its_letters),
        a_test(every_format_makes_a_file_of_its_kind),
        a_test(no_field_moves_when_the_format_changes),
        a_test(a_panel_alone_has_its_own_size_and_name),
        a_test(a_free_name_is_offered_and_nothing_written_over),
        a_test(a_name_that_is_taken_is_replaced_only_when_the_button_says_so),
        a_test(the_folder_is_told_in_every_language),
        a_test(a_file_that_came_meanwhile_is_left_alone),
        a_test(the_end_of_a_name_chooses_the_format),
        a_test(what_cannot_be_saved_is_said_on_the_sheet),
        a_test(a_picture_carries_its_experiment_unless_told_not_to),
        a_test(an_animation_shows_how_far_it_is_and_can_be_stopped),
        a_test(a_worksheet_is_saved_as_a_pdf_with_its_answers),
        a_test(a_worksheet_is_saved_as_a_page_that_asks),
        a_test(the_command_line_writes_the_same_pages),
        a_test(all_stages_become_one_webp),
        a_test(an_animation_of_two_experiments_keeps_both),
        a_test(an_animation_of_a_model_ends_with_the_model),
        a_test(copy_puts_the_text_on_the_clipboard),
        a_test(a_picture_is_handed_to_the_window_to_be_copied),
        a_test(the_last_choice_is_remembered_over_restarts),
        a_test(a_page_begins_as_a_figure),
        a_test(title_numbers_and_marks_are_chosen),
        a_test(what_lies_below_feels_nothing),
        a_test(letters_are_no_commands_while_the_sheet_is_up),
        a_test(a_white_ground_under_the_dark_theme_is_refused_in_place),
        a_test(nothing_lies_over_another_at_any_size),
        a_test(a_figure_is_as_wide_as_was_asked),
        a_test(a_large_figure_is_cropped_as_a_small_one),
        a_test(a_large_picture_is_made_while_the_window_answers),
        a_test(a_large_picture_that_is_given_up_leaves_nothing_behind),
        a_test(the_sheet_opens_beside_a_file_that_is_being_made),
        a_test(what_is_replaced_is_replaced_in_every_language),
        a_test(many_numbers_are_written_beside_the_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
