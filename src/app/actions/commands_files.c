/* The commands of files and of the clipboard. */
#include "app/actions/commands.h"

#include <stdio.h>

#include "app/actions/find.h"
#include "app/document/paste.h"
#include "app/export/copy.h"
#include "app/export/export.h"
#include "app/open/autosave.h"
#include "app/open/lesson.h"
#include "app/open/save.h"

static void save_and_close(struct app_state *state, double time)
{
    state->closing = true;
    app_save(state, time);
}

static void close_anyway(struct app_state *state)
{
    state->request.asks |= APP_ASKS_QUIT_ANYWAY;
}

/* Closes the question without an answer. */
static void dismiss_question(struct app_state *state)
{
    state->document.asks = DOCUMENT_ASKS_NOTHING;
    app_autosave_ask(state);
}

static void reload_file(struct app_state *state, double time)
{
    struct error error = {0};
    if (state->document.work->path[0] == 0) {
        app_state_show_message(state, time, "This work is in no file yet.");
        return;
    }
    struct file_handle *const file = file_handle_open(state->document.work->path);
    if (file == NULL) {
        app_state_show_message(state, time, "There is not enough memory to open it.");
    } else if (!app_lesson_open_file(state, file, time, &error)) {
        app_state_show_message(state, time, "%s", error.text);
    }
    file_handle_release(file);
}

/* The formats in which a matrix is copied. */
enum { TABS, NUMPY, LATEX, TIKZ, CSV };

static void copy_matrix(struct app_state *state, int format, double time)
{
    static const struct {
        const char *name, *how;
    } formats[] = {
        [TABS] = {"Tabs", "separated by tabs"},
        [NUMPY] = {"NumPy", "as a NumPy array"},
        [LATEX] = {"LaTeX", "as a bmatrix for LaTeX"},
        [TIKZ] = {"TikZ", "as a heatmap for LaTeX with TikZ"},
        [CSV] = {"CSV", "as CSV with their words"},
    };
    app_copy_matrix(state, formats[format].name, formats[format].how, time);
}

static void paste_transposed(struct app_state *state)
{
    state->request.asks |= APP_ASKS_PASTE;
    state->take_paste = app_paste_transposed;
}

static const struct app_command rows[] = {
    {"open", .title = "Open a lesson or session", .words = "load file model gpt folder npz import",
     .run = app_find_open_files, .help = "Open a session, or the folder of a model",
     .stroke = {{'o', UI_CTRL}}, .traits = APP_COMMAND_COVERS},
    {"save", .title = "Save the session", .run_at = app_save,
     .help = "Save the session; under a new name", .stroke = {{'s', UI_CTRL}},
     .traits = APP_COMMAND_COVERS},
    {"save as", .title = "Save the session under a new name", .words = "save as",
     .help = APP_SAME_LINE, .stroke = {{'s', UI_CTRL | UI_SHIFT}}, .overlay = VIEW_OVERLAY_SAVE},
    {"overwrite", .title = "Save the session over whatever the file holds",
     .run_at = app_save_over},
    {"save and close", .run_at = save_and_close},
    {"close anyway", .run = close_anyway},
    {"stay", .run = dismiss_question},
    {"reload", .title = "Open the session's file again", .run_at = reload_file},
    {"restore", .title = "Restore the work that was kept", .run_at = app_autosave_restore},
    {"discard", .title = "Discard the work that was kept", .run_at = app_autosave_discard},
    {"export", .title = "Save a picture, an animation or numbers",
     .words = "export print paper worksheet figure image screenshot film video png pdf svg csv",
     .help = "Save a picture, an animation or numbers; at once as last time",
     .stroke = {{'e', UI_CTRL}}, .overlay = VIEW_OVERLAY_EXPORT},
    {"export now", .title = "Save at once as last time", .run_at = app_export_now,
     .help = APP_SAME_LINE, .stroke = {{'e', UI_CTRL | UI_SHIFT}}, .traits = APP_COMMAND_COVERS},
    {"copy", TABS, .title = "Copy the clicked matrix, or the stage's result",
     .words = "clipboard excel table", .turn = copy_matrix,
     .help = "Copy the clicked matrix, else the stage's result; as NumPy",
     .stroke = {{'c', UI_CTRL}}},
    {"copy numpy", NUMPY, .title = "Copy the clicked matrix as NumPy", .turn = copy_matrix,
     .help = APP_SAME_LINE, .stroke = {{'c', UI_CTRL | UI_SHIFT}}},
    {"copy latex", LATEX, .title = "Copy the clicked matrix as LaTeX", .turn = copy_matrix,
     .stroke = {{'c', UI_CTRL | UI_ALT}}},
    {"copy tikz", TIKZ, .title = "Copy the clicked matrix as a TikZ heatmap", .turn = copy_matrix},
    {"copy csv", CSV, .title = "Copy the clicked matrix as CSV", .turn = copy_matrix},
    {"paste", .title = "Paste a matrix",
     .help = "Paste a matrix over the one that was clicked, or from that number on",
     .stroke = {{'v', UI_CTRL}}, .asks = APP_ASKS_PASTE},
    {"paste transposed", .title = "Paste a matrix transposed", .run = paste_transposed,
     .help = "The same with its rows as columns", .stroke = {{'v', UI_CTRL | UI_SHIFT}}},
};

const struct app_command_group app_commands_files = {"Files", rows, sizeof rows / sizeof *rows};
