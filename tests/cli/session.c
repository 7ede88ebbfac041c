/* The window opens the state of a file that was drawn, and never saves over it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/actions/startup.h"
#include "app/document/session.h"
#include "app/draw/figure.h"
#include "app/open/lesson.h"
#include "base/file.h"
#include "file/kinds.h"

static struct app_state *open_state(const char *lesson)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct app_state *const state = calloc(1, sizeof *state);
    assert_non_null(state);
    assert_true(app_state_open(state, lesson, NULL, &error));
    return state;
}

static void close_state(struct app_state *state)
{
    app_state_close(state);
    free(state);
}

static void a_picture_opens_the_state_that_made_it(void **unused)
{
    (void)unused;
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct bytes text, content;
    char path[] = "attnscope-session-XXXXXX";
    struct app_state *const before = open_state("ten"), *const after = open_state("race");
    before->view.playback.stage = LAB_BLEND;
    before->view.pinned.head = 3;
    before->view.prefs.camera.azimuth = 77;
    app_state_set_theme(before, ui_theme_find("dark"));
    const struct app_scene scene = app_state_scene(before);
    assert_true(app_session_text(&scene, &arena, &text, &error));
    const struct app_figure picture = {.scene = scene,
                                       .width = 300,
                                       .height = 200,
                                       .scale = 1,
                                       .experiment = (const char *)text.at};
    assert_true(app_picture_print(&picture, &arena, &content, &error));
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_true(file_write(path, content, &error));
    const bool read = app_lesson_read(after, path, 0, &error);
    assert_int_equal(unlink(path), 0);
    if (!read) {
        fail_msg("%s", error.text);
    }
    assert_true(lab_experiment_equal(&before->document.experiment, &after->document.experiment));
    assert_int_equal(after->view.playback.stage, LAB_BLEND);
    assert_int_equal(after->view.pinned.head, 3);
    assert_true(after->view.prefs.camera.azimuth == 77);
    assert_true(after->theme->dark);
    assert_string_equal(after->document.work->path, ""); /* saving asks for a name */
    arena_free(&arena);
    close_state(before);
    close_state(after);
}

static void a_session_stands_in_one_line(void **unused)
{
    (void)unused;
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct bytes text;
    struct app_state *const state = open_state("race");
    const struct app_scene scene = app_state_scene(state);
    assert_true(app_session_text(&scene, &arena, &text, &error));
    assert_null(memchr(text.at, '\n', text.size));
    assert_int_equal(strlen((const char *)text.at), text.size);
    assert_non_null(strstr((const char *)text.at, "\"Who won?\""));
    assert_int_equal(file_kind_of(text), FILE_LESSON);
    arena_free(&arena);
    close_state(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_opens_the_state_that_made_it),
        cmocka_unit_test(a_session_stands_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
