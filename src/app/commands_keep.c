/* app/commands_keep.c — files and the clipboard. */
#include "app/commands_parts.h"

#include <stdio.h>

#include "app/autosave.h"
#include "app/copy.h"
#include "app/export.h"
#include "app/find.h"
#include "app/lesson.h"

static void export_sheet(struct app_state *state, int argument, double time)
{
    (void)argument;
    if (state->view.export_sheet == NULL) {
        app_export_open(state, time);
    } else {
        app_export_close(state);
    }
}

static void export_now(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_export_now(state, time);
}

static void open_session(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    app_find_open_files(state);
}

static void save_as(struct app_state *state, int argument, double time)
{
    (void)argument;
    char path[sizeof state->document.path];
    if (app_lesson_free_path(state, path, sizeof path)) {
        app_lesson_save_said(state, path, time);
    } else {
        app_state_show_message(state, time,
                               "There is no free name for the session in the documents.");
    }
}

static void save(struct app_state *state, int argument, double time)
{
    const struct file_mark mark = file_mark(state->document.path);
    if (state->document.path[0] != 0 && mark.exists &&
        !file_mark_equal(&mark, &state->document.path_mark)) {
        state->document.conflict = true; /* the person decides whose work stays */
        app_autosave_ask(state);
    } else if (state->document.path[0] != 0) {
        app_lesson_save_said(state, state->document.path, time);
    } else {
        save_as(state, argument, time);
    }
}

static void overwrite(struct app_state *state, int argument, double time)
{
    if (state->document.path[0] == 0) {
        save(state, argument, time);
    } else {
        app_lesson_save_said(state, state->document.path, time);
    }
}

static void reload(struct app_state *state, int argument, double time)
{
    struct error error = {0};
    char path[sizeof state->document.path];
    (void)argument;
    snprintf(path, sizeof path, "%s", state->document.path);
    if (path[0] == 0) {
        app_state_show_message(state, time, "This work is in no file yet.");
    } else if (!app_lesson_open_file(state, path, time, &error)) {
        app_state_show_message(state, time, "%s", error.text);
    }
}

static void restore(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_autosave_restore(state, time);
}

static void discard(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_autosave_discard(state, time);
}

static void copy_tabs(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_copy_matrix(state, "Tabs", "separated by tabs", time);
}

static void copy_numpy(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_copy_matrix(state, "NumPy", "as a NumPy array", time);
}

static void copy_latex(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_copy_matrix(state, "LaTeX", "as a bmatrix for LaTeX", time);
}

static void copy_tikz(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_copy_matrix(state, "TikZ", "as a heatmap for LaTeX with TikZ", time);
}

static void copy_csv(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_copy_matrix(state, "CSV", "as CSV with their words", time);
}

static void paste(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->request.paste = true;
}

const struct app_command app_commands_keep[] = {
    {"export", "Save a picture, an animation or numbers", export_sheet, true},
    {"export now", "Save at once as last time", export_now, true},
    {"open", "Open a lesson or session", open_session, true},
    {"save", "Save the session", save, true},
    {"save as", "Save the session under a new name", save_as, true},
    {"overwrite", "Save the session over whatever the file holds", overwrite, true},
    {"reload", "Open the session's file again", reload, true},
    {"restore", "Restore the work that was kept", restore, true},
    {"discard", "Discard the work that was kept", discard, true},
    {"paste", "Paste a matrix", paste, true},
    {"copy", "Copy the clicked matrix, or the stage's result", copy_tabs, true},
    {"copy numpy", "Copy the clicked matrix as NumPy", copy_numpy, true},
    {"copy latex", "Copy the clicked matrix as LaTeX", copy_latex, true},
    {"copy tikz", "Copy the clicked matrix as a TikZ heatmap", copy_tikz, true},
    {"copy csv", "Copy the clicked matrix as CSV", copy_csv, true},
};

const size_t app_commands_keep_count = sizeof app_commands_keep / sizeof *app_commands_keep;
