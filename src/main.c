/* main.c — decides: command line or window. */
#include <SDL_main.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/actions/startup.h"
#include "app/actions/step.h"
#include "app/desktop/window.h"
#include "app/document/settings_store.h"
#include "app/learn/learn.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "cli/cli.h"

enum { STATUS_OF_SIGNALS = 128 }; /* as shells have it */

static int tell(const struct error *error)
{
    fprintf(stderr, "attnscope: %s\n", error->text);
    return error->code == ERROR_USAGE ? CLI_USAGE : CLI_FAILED;
}

/* What was there before it is not what the call asked for: nothing leads back to it. */
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
static bool begin(struct app_state *state, struct cli_window *call, struct error *error)
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
        if (!(call->is_dump
                  ? app_open_model_open_as(state, call->model, &call->request, false, call->dump, 0)
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

/* A layer of a large model is hundreds of megabytes, which others may have once it is left. The
 * allocator would by itself keep more of what is freed the larger it has been. */
static void give_back_freed_memory(void)
{
#ifdef __GLIBC__
    enum { LARGEST_KEPT = 4 << 20, KEPT_MAX = 8 << 20 }; /* bytes */
    mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT);
    mallopt(M_TRIM_THRESHOLD, KEPT_MAX);
#endif
}

static int run_window(struct cli_window *call)
{
    give_back_freed_memory();
    app_window_hold_signals();
    struct error error = {0};
    struct app_state *state = calloc(1, sizeof *state);
    if (!state) {
        error_set(&error, ERROR_MEMORY, "There is not enough memory to begin.");
        return tell(&error);
    }
    const bool named = call->file.path == NULL && call->experiment.lesson[0] != '\0';
    const char *lesson = named ? call->experiment.lesson : NULL;
    int status = CLI_DONE;
    if (!app_state_open(state, lesson, &call->engine, &error)) {
        free(state);
        return tell(&error);
    }
    state->host = APP_HOST_STORES_SETTINGS;
    if (!begin(state, call, &error) || !app_window_run(&call->window, state, &error)) {
        status = tell(&error);
    } else if (state->ended_by != 0) {
        status = STATUS_OF_SIGNALS + state->ended_by;
    }
    app_state_close(state);
    free(state);
    return status;
}

static int run(int argc, char **argv)
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

/* --- A shell may leave the program very little stack (ulimit -s): it takes its own then --- */

enum { STACK_MIN = 1 << 20, STACK_OWN = 8 << 20 };

struct whole_call {
    int argc;
    char **argv;
    sigset_t signals; /* that were blocked when the program began */
    int status;
};

static bool stack_is_small(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK_MIN;
}

static void *run_whole_call(void *subject)
{
    struct whole_call *const call = subject;
    (void)pthread_sigmask(SIG_SETMASK, &call->signals, NULL);
    call->status = run(call->argc, call->argv);
    return NULL;
}

/* False: there is no room for such a stack either. */
static bool run_on_own_stack(struct whole_call *call)
{
    sigset_t all;
    pthread_attr_t attributes;
    pthread_t thread;
    sigfillset(&all); /* signals are heard by the thread that does the work */
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    (void)pthread_sigmask(SIG_SETMASK, &all, &call->signals);
    const bool begun = pthread_attr_setstacksize(&attributes, STACK_OWN) == 0 &&
                       pthread_create(&thread, &attributes, run_whole_call, call) == 0;
    (void)pthread_attr_destroy(&attributes);
    if (begun) {
        (void)pthread_join(thread, NULL);
    } else {
        (void)pthread_sigmask(SIG_SETMASK, &call->signals, NULL);
    }
    return begun;
}

int main(int argc, char **argv)
{
    struct whole_call call = {.argc = argc, .argv = argv};
    return stack_is_small() && run_on_own_stack(&call) ? call.status : run(argc, argv);
}
