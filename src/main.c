/* main.c — decides: command line or window. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/actions/startup.h"
#include "app/actions/step.h"
#include "app/desktop/window.h"
#include "app/document/hints.h"
#include "app/document/settings_store.h"
#include "app/learn/learn.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "base/system/memory.h"
#include "base/system/process.h"
#include "base/system/terminal.h"
#include "base/system/thread.h"
#include "cli/cli.h"

static int report_error(const struct error *error)
{
    fprintf(stderr, "attnscope: %s\n", error->text);
    return error->code == ERROR_USAGE ? CLI_USAGE : CLI_FAILED;
}

/* Learns from the file; undo does not lead back before it, as the call asked for nothing else. */
static bool learn_from(struct app_state *state, const char *path, struct error *error)
{
    if (!app_learn_text_file(state, path, 0, error)) {
        return false;
    }
    app_settle_tasks(state, 0);
    app_store_file(path);
    document_begin_here(&state->document);
    document_note_saved(&state->document, &state->document.experiment);
    return true;
}

/* The state that the call asks for: its experiment, and where in it to begin. */
static bool fill_state(struct app_state *state, struct cli_window *call, struct error *error)
{
    const char *const path = call->file.path;
    if (path != NULL && !app_lesson_take(state, &call->file, 0)) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open it.");
    }
    if (path != NULL) {
        app_store_file(path);
    }
    if (path == NULL && call->experiment.lesson[0] == '\0') {
        app_state_close_lesson(state);
    }
    app_lesson_go(state, call->step, 0);
    document_change(&state->document, &call->experiment, NULL, 0); /* options lie over the step */
    app_settle_tasks(state, 0);
    document_begin_here(&state->document);
    state->view.prefs.presenter = call->presenter;
    state->view.playback.stage = call->stage;
    state->view.pinned = call->selection;
    app_state_clamp(state);
    document_note_saved(&state->document, &state->document.experiment);
    if (call->theme != NULL) {
        app_state_set_theme(state, ui_theme_find(call->theme));
    }
    if (call->own_text != NULL && !learn_from(state, call->own_text, error)) {
        return false;
    }
    if (call->model != NULL) {
        if (!(call->is_dump          ? app_open_model_open_as(state, call->model, &call->request,
                                                              DUMP_DOUBT_IS_ASKED, call->dump, 0)
              : call->opened != NULL ? app_open_model_adopt(state, call->model, call->opened,
                                                            call->run, call->text, call->chat, 0)
                                     : app_open_model_open(state, call->model, call->text, 0))) {
            return error_set(error, ERROR_MEMORY, "There is not enough memory to open a model.");
        }
        app_open_model_begin_at(state, call->side, call->layer, call->head,
                                call->staged ? call->stage : LAB_SOFTMAX);
    }
    return true;
}

static int run_window(struct cli_window *call)
{
    system_memory_give_back();
    system_ends_hold();
    struct error error = {0};
    struct app_state *state = calloc(1, sizeof *state);
    if (!state) {
        error_set(&error, ERROR_MEMORY, "There is not enough memory to begin.");
        return report_error(&error);
    }
    const bool named = call->file.path == NULL && call->experiment.lesson[0] != '\0';
    const char *lesson = named ? call->experiment.lesson : NULL;
    int status = CLI_DONE;
    if (!app_state_open(state, lesson, &call->engine, &error)) {
        free(state);
        return report_error(&error);
    }
    state->host = APP_HOST_STORES_SETTINGS;
    app_hints_begin(state);
    if (!fill_state(state, call, &error) || !app_window_run(&call->window, state, &error)) {
        status = report_error(&error);
    } else if (state->ended_by != 0) {
        status = SYSTEM_ENDED + state->ended_by;
    }
    app_state_close(state);
    free(state);
    return status;
}

static int run_call(int argc, char **argv)
{
    struct cli_window call = {0};
    int status = cli_main(argc, argv, &call);
    if (status != CLI_WINDOW) {
        return status;
    }
    status = run_window(&call);
    cli_window_release(&call);
    return status;
}

struct whole_call {
    int argc;
    char **argv;
    int status;
};

static void run_whole_call(void *subject)
{
    struct whole_call *const call = subject;
    call->status = run_call(call->argc, call->argv);
}

int main(int argc, char **argv)
{
    enum { STACK_MIN = 1 << 20, STACK_OWN = 8 << 20 };
    struct whole_call call = {.argc = argc, .argv = argv};
    system_begin(&call.argc, &call.argv);
    system_run_on_stack(STACK_MIN, STACK_OWN, run_whole_call, &call);
    return call.status;
}
