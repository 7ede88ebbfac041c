/* Worksheets: pages with empty boxes, and pages with the answers and their sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/step.h"
#include "app/draw/page.h"
#include "app/draw/worksheet.h"
#include "base/translate.h"
#include "canvas/draw/canvas.h"
#include "desk.h"
#include "lab/lesson/lessons.h"
#include "view/sheets/worksheet.h"

struct paper {
    struct fonts *fonts;
    struct arena arena;
    struct canvas **page;
    size_t pages;
};

static struct paper print_paper(const struct app_worksheet *worksheet)
{
    struct paper paper = {0};
    struct error error = {0};
    paper.fonts = fonts_open(&error);
    assert_non_null(paper.fonts);
    if (!app_worksheet_pages(worksheet, paper.fonts, &paper.arena, &paper.page, &paper.pages,
                             &error)) {
        fail_msg("%s", error.text);
    }
    return paper;
}

static void thrown_away(struct paper *paper)
{
    for (size_t p = 0; p < paper->pages; p++) {
        canvas_close(paper->page[p]);
    }
    arena_free(&paper->arena);
    fonts_close(paper->fonts);
}

static size_t count_words(const struct paper *paper, size_t page, const char *words)
{
    struct rect area;
    size_t found = 0;
    while (canvas_find_text(paper->page[page], words, found, &area)) {
        found++;
    }
    return found;
}

static void a_stage_is_a_page_of_blanks_and_a_page_of_answers(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    state->view.playback.stage = LAB_SCORE;
    struct paper paper =
        print_paper(&(struct app_worksheet){.scene = app_state_scene(state), .title = "By hand"});
    assert_int_equal(paper.pages, 2);
    assert_int_equal(count_words(&paper, 0, "Name"), 1);
    assert_int_equal(count_words(&paper, 1, "Name"), 0);
    assert_int_equal(count_words(&paper, 0, "Task 1 of 1"), 1);
    assert_int_equal(count_words(&paper, 1, "Answers to task 1 of 1"), 1);
    assert_int_equal(count_words(&paper, 0, "By hand"), 1);
    static const char *const results[] = {"7.58", "26.00", "30.00", "2.70"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        assert_int_equal(count_words(&paper, 0, results[i]), 0);
        assert_true(count_words(&paper, 1, results[i]) >= 2); /* in its box, and below its sum */
    }
    assert_int_equal(count_words(&paper, 0, "−2.7"), 2); /* given, in Q and in Kᵀ */
    assert_int_equal(count_words(&paper, 0, "score( lion → lion )"), 1);
    assert_int_equal(count_words(&paper, 1, "score( lion → lion )"), 1);
    thrown_away(&paper);
    closed(state);
}

static void a_lesson_has_a_pair_of_pages_for_every_guess(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    struct paper paper =
        print_paper(&(struct app_worksheet){.scene = app_state_scene(state),
                                            .lesson = state->document.lesson,
                                            .title = state->document.lesson->title});
    size_t guesses = 0;
    for (size_t s = 0; s < state->document.lesson->steps; s++) {
        guesses += state->document.lesson->step[s].guess != LAB_GUESS_NONE;
    }
    assert_true(guesses > 0);
    assert_int_equal(paper.pages, 2 * guesses);
    assert_int_equal(count_words(&paper, 0, "0.028"), 0);
    assert_true(count_words(&paper, 1, "0.028") >= 2);
    assert_true(count_words(&paper, 0, "0.362") > 0); /* the other rows are given */
    /* The task gives three of the shares away: they are not asked for. */
    assert_true(count_words(&paper, 0, "0.394") > 0 && count_words(&paper, 0, "0.101") > 0);
    assert_int_equal(count_words(&paper, 0, "α( dog → lion )"), 1);
    assert_int_equal(count_words(&paper, 0, "α( dog → cat )"), 0);
    thrown_away(&paper);
    closed(state);
}

static void titles_of_lessons_are_whole(void **unused)
{
    (void)unused;
    for (size_t at = 0; at < 2 * lab_lesson_count(); at++) {
        const char *const lesson = lab_lesson_name(at / 2);
        language_speak(language_at(at % 2)); /* English and German */
        struct app_state *state = opened(lesson);
        if (state->document.trace != NULL && state->document.experiment.learned == NULL) {
            const char *const title = state->document.lesson->title;
            struct paper paper = print_paper(&(struct app_worksheet){
                .scene = app_state_scene(state), .lesson = state->document.lesson, .title = title});
            for (size_t page = 0; page < 2; page++) {
                if (count_words(&paper, page, tr(title)) != 1) {
                    fail_msg("%s: its title “%s” is cut", lesson, tr(title));
                }
            }
            thrown_away(&paper);
        }
        closed(state);
    }
    language_speak(NULL);
}

static void a_lesson_without_guesses_has_a_pair_for_every_stage(void **unused)
{
    (void)unused;
    static const struct {
        const char *lesson;
        size_t stages;
    } rows[] = {{"temperature", LAB_STAGES - 1}, {"sparse", LAB_STAGES - 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct app_state *state = opened(rows[i].lesson);
        struct paper paper = print_paper(&(struct app_worksheet){
            .scene = app_state_scene(state), .lesson = state->document.lesson, .title = "All"});
        assert_int_equal(paper.pages, 2 * rows[i].stages);
        thrown_away(&paper);
        closed(state);
    }
}

/* The numbers to calculate with are printed, and everything that is written stays on the page. */
static void of_ten_words_every_number_is_printed_and_every_sum_ends_on_the_page(void **unused)
{
    (void)unused;
    static const struct {
        const char *lesson;
        enum lab_stage stage;
        const char *number;
    } sheets[] = {{"ten", LAB_SCORE, "1.06"},
                  {"ten", LAB_SOFTMAX, "0.290"},
                  {"hammer", LAB_SOFTMAX, "0.940"},
                  {"hammer", LAB_BLEND, "0.94"},
                  {"ten", LAB_SCORE, "1.71"}};
    for (size_t s = 0; s < sizeof sheets / sizeof *sheets; s++) {
        struct app_state *state = opened(sheets[s].lesson);
        state->view.playback.stage = sheets[s].stage;
        state->view.pinned.query = strcmp(sheets[s].lesson, "ten") == 0 ? 3 : 4; /* chases; It */
        struct paper paper =
            print_paper(&(struct app_worksheet){.scene = app_state_scene(state), .title = "Ten"});
        if (count_words(&paper, 1, sheets[s].number) == 0) {
            fail_msg("%s: %s is not printed", sheets[s].lesson, sheets[s].number);
        }
        if (sheets[s].stage == LAB_SOFTMAX) { /* who is asked can be read beside the boxes */
            const char *const asked = strcmp(sheets[s].lesson, "ten") == 0 ? "chases" : "It";
            assert_true(count_words(&paper, 0, asked) >= 4); /* a row and a column, twice */
        }
        const struct canvas *page = paper.page[1];
        for (size_t i = 0; i < canvas_count(page); i++) {
            const struct canvas_command *command = canvas_command_at(page, i);
            struct rect area;
            char text[512] = "";
            if (command->kind == CANVAS_TEXT && command->length < sizeof text) {
                memcpy(text, canvas_text_of(page, command), command->length);
            }
            for (size_t n = 0; text[0] != '\0' && canvas_find_text(page, text, n, &area); n++) {
                assert_true(area.x + area.w <= VIEW_PAGE_WIDE - 40);
            }
        }
        thrown_away(&paper);
        closed(state);
    }
}

/* A share that the mask hides has no box, so no line asks for it. */
static void no_share_is_asked_for_that_the_mask_hides(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct lab_mask_rule rule = {.kind = LAB_MASK_CAUSAL};
    struct lab_experiment causal;
    lab_experiment_copy(&causal, &state->document.experiment);
    lab_experiment_set_mask(&causal, &rule);
    document_change(&state->document, &causal, "mask", 1);
    lab_experiment_release(&causal);
    app_settle_tasks(state, 1);
    state->view.playback.stage = LAB_SOFTMAX;
    struct paper paper =
        print_paper(&(struct app_worksheet){.scene = app_state_scene(state), .title = "Mask"});
    assert_int_equal(count_words(&paper, 0, "α( NYC → cat )"), 1);
    assert_int_equal(count_words(&paper, 0, "α( cat → cat )"), 1);
    assert_int_equal(count_words(&paper, 0, "α( cat → dog )"), 0);
    assert_int_equal(count_words(&paper, 0, "α( lion → NYC )"), 0);
    thrown_away(&paper);
    closed(state);
}

static void what_has_nothing_to_work_out_says_so(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    state->view.playback.stage = LAB_EMBED;
    struct arena arena = {0};
    struct bytes pdf = {0};
    struct error error = {0};
    const struct app_worksheet worksheet = {.scene = app_state_scene(state), .title = "None"};
    assert_false(app_worksheet_print(&worksheet, &arena, &pdf, &error));
    assert_non_null(strstr(error.text, "nothing to work out"));
    state->view.playback.stage = LAB_BLEND;
    assert_true(app_worksheet_print(&worksheet, &arena, &pdf, &error));
    assert_true(pdf.size > 1000);
    assert_memory_equal(pdf.at, "%PDF", 4);
    arena_free(&arena);
    closed(state);
}

/* An experiment that has no numbers: the tasks of its lesson have their own. */
static void tasks_of_a_lesson_are_a_page_though_nothing_is_shown(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    struct arena arena = {0};
    struct bytes html = {0};
    struct error error = {0};
    const struct lab_lesson *const lesson = state->document.lesson;
    struct app_worksheet worksheet = {
        .scene = app_state_scene(state), .lesson = lesson, .title = "By hand"};
    worksheet.scene.trace = NULL;
    assert_true(app_page_worksheet(&worksheet, &arena, &html, &error));
    assert_non_null(strstr((const char *)html.at, "By hand"));
    worksheet.lesson = NULL;
    assert_false(app_page_worksheet(&worksheet, &arena, &html, &error));
    assert_true(error.text[0] != '\0');
    arena_free(&arena);
    closed(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stage_is_a_page_of_blanks_and_a_page_of_answers),
        cmocka_unit_test(a_lesson_has_a_pair_of_pages_for_every_guess),
        cmocka_unit_test(titles_of_lessons_are_whole),
        cmocka_unit_test(a_lesson_without_guesses_has_a_pair_for_every_stage),
        cmocka_unit_test(of_ten_words_every_number_is_printed_and_every_sum_ends_on_the_page),
        cmocka_unit_test(no_share_is_asked_for_that_the_mask_hides),
        cmocka_unit_test(what_has_nothing_to_work_out_says_so),
        cmocka_unit_test(tasks_of_a_lesson_are_a_page_though_nothing_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
