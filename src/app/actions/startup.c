/* The state begins with a lesson, and ends. */
#include "app/actions/startup.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/document/work.h"
#include "app/export/export.h"
#include "app/learn/learn.h"
#include "app/open/autosave.h"
#include "app/open/import_dialog.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "app/open/save.h"
#include "app/results/results.h"
#include "app/why/why.h"
#include "lab/lesson/lessons.h"

bool app_state_open(struct app_state *state, const char *lesson, const struct lab_engine *engine,
                    struct error *error)
{
    *state = (struct app_state){0};
    struct document *const document = &state->document;
    struct lab_experiment experiment;
    size_t index = 0;
    const char *name = lesson != NULL ? lesson : "cats";
    if (!lab_lesson_find(name, &index)) {
        return error_set(error, ERROR_USAGE, "There is no lesson called %s.", name);
    }
    document->engine = engine != NULL ? *engine : (struct lab_engine){.pool = NULL};
    state->view = (struct view_state){.playback.position = 1,
                                      .playback.glide = 1,
                                      .playback.arrival = 1,
                                      .scale_step = SIZE_MAX,
                                      .prefs.split_column = 0.576f,
                                      .prefs.split_right = 0.628f,
                                      .prefs.camera = view_camera_home()};
    state->view.playback.speed = 1;
    app_state_set_theme(state, ui_theme_find("light"));
    if (!lab_lesson_open(index, &experiment, &state->view.playback.stage, &state->view.pinned,
                         error)) {
        return false;
    }
    state->results = results_open(2, RESULTS_BYTES_MAX);
    if (state->results == NULL) {
        lab_experiment_release(&experiment);
        return error_set(error, ERROR_MEMORY, "There is not enough memory.");
    }
    app_learn_set_kinds(state);
    document->follow = app_state_follow;
    document->refuse = app_state_refuse;
    document->look = app_state_look;
    document->owner = state;
    const bool opened = document_open(document, &experiment, state->results);
    lab_experiment_release(&experiment);
    if (!opened || !app_lesson_open(state, index, 0)) {
        app_state_close(state);
        return error_set(error, ERROR_MEMORY, "There is not enough memory.");
    }
    return true;
}

void app_state_close(struct app_state *state)
{
    app_autosave_end(state);
    free(state->drag_row);
    state->drag_row = NULL;
    app_learn_close(state);
    app_why_close(state);
    app_open_model_close(state);
    app_import_close(state);
    app_save_close(state);
    app_export_free(state);
    tasks_close(&state->tasks);
    results_close(state->results);
    state->results = NULL;
    state->view.work = NULL;
    document_close(&state->document);
    arena_free(&state->copied);
    arena_free(&state->found);
}
