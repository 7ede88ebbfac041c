/* Lessons walked through, sessions saved and opened. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/actions/find.h"
#include "app/actions/step.h"
#include "app/learn/learn.h"
#include "app/open/lesson.h"
#include "base/file.h"
#include "desk.h"
#include "file/json.h"
#include "lab/lesson/lessons.h"
#include "learn/data.h"

/* A folder of the test's own; what it makes there it takes away. */
static void open_folder(char path[256])
{
    const char *place = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    snprintf(path, 256, "%.200s/attnscope-lesson-XXXXXX", place);
    assert_non_null(mkdtemp(path));
}

static void a_lesson_is_walked_through_and_its_guess_is_revealed(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    assert_true(state->view.steps >= 5);
    assert_true(strlen(state->view.caption) > 10);
    size_t guesses = 0;
    for (size_t i = 0; i < 4 * state->view.steps && !state->view.ended; i++) {
        const size_t at = state->view.step;
        const bool guess = state->view.guess != LAB_GUESS_NONE && !state->view.revealed;
        app_command_run(state, "step", 1, (double)i);
        if (guess) {
            guesses++;
            assert_int_equal(state->view.step, at);
            assert_true(state->view.revealed);
        }
        assert_non_null(state->document.trace);
    }
    assert_true(guesses > 0);
    assert_true(state->view.ended);
    assert_int_equal(state->view.step, state->view.steps - 1);
    app_command_run(state, "step", -1, 99);
    assert_false(state->view.ended);
    assert_int_equal(state->view.step, state->view.steps - 1);
    app_command_run(state, "step", -1, 99);
    assert_int_equal(state->view.step, state->view.steps - 2);
    closed(state);
}

static void a_change_marks_the_lesson_and_undo_takes_the_mark_away(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    assert_false(state->view.lesson_changed);
    insert(state, 4, "bird", 1);
    assert_true(state->view.lesson_changed);
    document_undo(&state->document, 0);
    assert_false(state->view.lesson_changed);
    app_command_run(state, "step", 1, 2);
    assert_false(state->view.lesson_changed);
    closed(state);
}

static void every_lesson_opens_and_every_step_computes(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    for (size_t lesson = 0; lesson < lab_lesson_count(); lesson++) {
        assert_true(app_lesson_open(state, lesson, 1));
        for (size_t step = 0; step < state->view.steps; step++) {
            app_lesson_go(state, step, 2);
            app_learn_follow(state, 2);
            assert_non_null(state->document.trace);
        }
    }
    closed(state);
}

static void what_is_saved_comes_back_to_the_bit(void **unused)
{
    (void)unused;
    char folder[256], path[300];
    open_folder(folder);
    snprintf(path, sizeof path, "%s/one.json", folder);
    struct app_state *state = opened("ten");
    app_state_close_lesson(state);
    action_number(state, (struct lab_cell){LAB_Q, 3, 4, 5}, 0.1, 1);
    app_command_run(state, "stage", LAB_BLEND, 2);
    state->view.pinned.head = 3;
    state->view.prefs.camera.azimuth = 12.5f;
    struct error error = {0};
    if (!app_lesson_save(state, path, &error)) {
        fail_msg("%s", error.text);
    }
    struct app_state *other = opened("cats");
    if (!app_lesson_read(other, path, 1, &error)) {
        fail_msg("%s", error.text);
    }
    assert_true(lab_experiment_equal(&state->document.experiment, &other->document.experiment));
    assert_int_equal(other->view.playback.stage, LAB_BLEND);
    assert_int_equal(other->view.pinned.head, 3);
    assert_true(other->view.prefs.camera.azimuth == 12.5f);
    const struct lab_matrix a = lab_trace_part(state->document.trace, LAB_OUTPUT_O, 0);
    const struct lab_matrix b = lab_trace_part(other->document.trace, LAB_OUTPUT_O, 0);
    assert_memory_equal(a.values, b.values, a.rows * a.cols * sizeof(float));
    remove(path);
    remove(folder);
    closed(state);
    closed(other);
}

/* A session keeps what a later version wrote into it, also when it is changed and saved. */
static void what_is_unknown_survives_a_change(void **unused)
{
    (void)unused;
    static const char text[] =
        "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"session\", "
        "\"x-lesson\": 7, \"steps\": [{\"x-step\": [1, 2], \"experiment\": {\"x-own\": {}}}]}";
    char folder[256], path[300];
    struct error error = {0};
    struct arena arena = {0};
    struct bytes written;
    open_folder(folder);
    snprintf(path, sizeof path, "%s/later.json", folder);
    assert_true(file_write(path, (struct bytes){(const uint8_t *)text, sizeof text - 1}, &error));
    struct app_state *state = opened("cats");
    assert_true(app_lesson_read(state, path, 1, &error));
    assert_non_null(strstr(state->message, "x-lesson"));
    insert(state, 3, "bird", 2);
    app_command_run(state, "stage", LAB_BLEND, 3);
    assert_true(app_lesson_save(state, path, &error));
    assert_true(file_read(path, 1 << 20, &arena, &written, &error));
    struct json *const tree = json_parse(written, &error);
    const struct json *const step = json_element(json_member(tree, "steps"), 0);
    const struct json *const experiment = json_member(step, "experiment");
    assert_non_null(json_member(tree, "x-lesson"));
    assert_int_equal(json_count(json_member(step, "x-step")), 2);
    assert_non_null(json_member(experiment, "x-own"));
    assert_int_equal(json_count(json_member(experiment, "tokens")), 4);
    json_release(tree);
    arena_free(&arena);
    remove(path);
    remove(folder);
    closed(state);
}

/* Opened again it stands at the same step, in the same colours, seen from the same side. */
static void what_a_teacher_chose_comes_back(void **unused)
{
    (void)unused;
    char folder[256], path[300];
    open_folder(folder);
    snprintf(path, sizeof path, "%s/mine.json", folder);
    struct app_state *state = opened("cats");
    struct view_state *const view = &state->view;
    app_lesson_go(state, 3, 1);
    app_command_run(state, "theme", 0, 2);
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_COLOURMAP, .text = "magma"},
                    3);
    app_command_run(state, "range", 0, 4);
    app_command_run(state, "whole alpha", 0, 5);
    app_state_apply(
        state,
        &(struct view_action){.kind = VIEW_ACTION_AXES, .axes = {.raw = true, .of = {2, 0, 1}}}, 6);
    view->prefs.camera = (struct view_camera){33, 12, 1.5f, 40, -25};
    view->prefs.display.discs = true;
    view->pinned.key = 1;
    struct error error = {0};
    assert_true(app_lesson_save(state, path, &error));
    struct app_state *other = opened("race");
    if (!app_lesson_read(other, path, 1, &error)) {
        fail_msg("%s", error.text);
    }
    const struct view_state *const back = &other->view;
    assert_int_equal(other->document.step, 3);
    assert_int_equal(back->steps, 8);
    assert_int_equal(back->playback.stage, view->playback.stage);
    assert_int_equal(back->pinned.key, 1);
    assert_int_equal(back->guess, LAB_GUESS_BAR);
    assert_true(other->theme->dark);
    assert_string_equal(back->prefs.weights_map->name, "magma");
    assert_true(back->prefs.range_by_content && back->prefs.whole_alpha &&
                back->prefs.display.discs);
    assert_true(back->prefs.space_raw && back->prefs.space_axes[0] == 2 &&
                back->prefs.space_axes[1] == 0);
    assert_true(back->prefs.camera.azimuth == 33 && back->prefs.camera.zoom == 1.5f);
    assert_true(back->prefs.camera.pan_x == 40 && back->prefs.camera.pan_y == -25);
    remove(path);
    remove(folder);
    closed(state);
    closed(other);
}

static void a_file_that_is_no_lesson_is_answered_and_changes_nothing(void **unused)
{
    (void)unused;
    char folder[256], path[300];
    open_folder(folder);
    snprintf(path, sizeof path, "%s/odd.json", folder);
    const struct bytes odd = {(const uint8_t *)"{\"format\": 7}\n", 14};
    assert_true(file_write(path, odd, NULL));
    struct app_state *state = opened("cats");
    struct error error = {0};
    assert_false(app_lesson_read(state, path, 1, &error));
    assert_true(strlen(error.text) > 10);
    assert_false(app_lesson_read(state, "/nowhere/at/all.json", 1, &error));
    expect_words(state, "cat dog lion NYC");
    assert_false(state->view.can_undo);
    remove(path);
    remove(folder);
    closed(state);
}

/* 67 megabytes of words, a little more than is opened. What could not be opened again is not taken
 * for saved, neither by hand nor aside. */
static void what_could_not_be_opened_again_is_not_saved(void **unused)
{
    (void)unused;
    static char word[LAB_WORD_BYTES_MAX + 1];
    static const char *list[LAB_TOKENS_MAX];
    struct app_state *state = opened("cats");
    struct error error = {0};
    char folder[256], path[300];
    memset(word, '"', LAB_WORD_BYTES_MAX); /* two bytes each, where they are written */
    for (size_t w = 0; w < LAB_TOKENS_MAX; w++) {
        list[w] = word;
    }
    struct lab_words *const words = lab_words_make(list, LAB_TOKENS_MAX, &error);
    assert_non_null(words);
    lab_words_release(state->document.experiment.tokens);
    lab_words_release(state->document.experiment.context);
    state->document.experiment.tokens = words;
    state->document.experiment.context = lab_words_keep(words);
    app_state_close_lesson(state); /* of its steps nothing is written */
    open_folder(folder);
    snprintf(path, sizeof path, "%s/large.json", folder);
    assert_false(app_lesson_save(state, path, &error));
    assert_non_null(strstr(error.text, "a session of more than 64 MB"));
    assert_int_equal(access(path, F_OK), -1);
    rmdir(folder);
    closed(state);
}

static void open_named(struct app_state *state, const char *name, size_t step, double time)
{
    size_t index = 0;
    assert_true(lab_lesson_find(name, &index));
    assert_true(app_lesson_open(state, index, time));
    app_lesson_go(state, step, time);
}

static void expect_step(const struct app_state *state, const char *lesson, size_t step)
{
    const struct document *const document = &state->document;
    assert_string_equal(document->lesson->name, lesson);
    assert_int_equal(state->view.step, step);
    assert_string_equal(state->view.caption, document->lesson->step[step].caption);
    assert_int_equal(state->view.playback.stage, document->lesson->step[step].stage);
    assert_false(state->view.lesson_changed);
}

/* However a lesson is left, undo comes back to its caption and redo leaves it again. */
static void undo_returns_to_the_lesson_that_was_left(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    open_named(state, "ten", 3, 1);
    open_named(state, "hammer", 2, 2);
    assert_true(app_learn_start(state, LEARN_TASK_ADDITION, false, 3));
    app_settle(state, 3);
    assert_null(state->view.caption);
    app_command_run(state, "undo", 0, 4);
    app_settle(state, 4);
    expect_step(state, "hammer", 2);
    app_command_run(state, "redo", 0, 5);
    app_settle(state, 5);
    assert_null(state->view.caption);
    assert_int_equal(state->view.steps, 0);
    for (int back = 0; back < 20 && strcmp(state->document.lesson->name, "ten") != 0; back++) {
        app_command_run(state, "undo", 0, 6 + back);
        app_settle(state, 6 + back);
    }
    expect_step(state, "ten", 3);
    app_command_run(state, "empty", 0, 30);
    assert_null(state->view.caption);
    app_command_run(state, "undo", 0, 31);
    expect_step(state, "ten", 3);
    while (state->view.can_undo) {
        app_command_run(state, "undo", 0, 32);
    }
    expect_step(state, "cats", 0);
    closed(state);
}

/* However many were opened since. */
static void a_lesson_of_long_ago_comes_back_with_its_captions(void **unused)
{
    (void)unused;
    enum { OPENED = 40 };
    struct app_state *state = opened("cats");
    for (int i = 0; i < OPENED; i++) {
        open_named(state, i % 2 == 0 ? "ten" : "cats", 0, i);
    }
    while (state->view.can_undo) {
        app_command_run(state, "undo", 0, 99);
    }
    expect_words(state, "cat dog lion NYC");
    expect_step(state, "cats", 0);
    closed(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lesson_is_walked_through_and_its_guess_is_revealed),
        cmocka_unit_test(a_change_marks_the_lesson_and_undo_takes_the_mark_away),
        cmocka_unit_test(undo_returns_to_the_lesson_that_was_left),
        cmocka_unit_test(a_lesson_of_long_ago_comes_back_with_its_captions),
        cmocka_unit_test(every_lesson_opens_and_every_step_computes),
        cmocka_unit_test(what_is_saved_comes_back_to_the_bit),
        cmocka_unit_test(what_is_unknown_survives_a_change),
        cmocka_unit_test(what_a_teacher_chose_comes_back),
        cmocka_unit_test(what_could_not_be_opened_again_is_not_saved),
        cmocka_unit_test(a_file_that_is_no_lesson_is_answered_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
