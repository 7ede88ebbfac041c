/* Saves a session: opens the overlay that asks for name and folder (view/sheets/save.c), does what
 * it asks, and asks before anything is lost. */
#include "app/open/save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/user_dirs.h"
#include "app/learn/learn.h"
#include "app/open/autosave.h"
#include "app/open/lesson.h"
#include "base/file.h"
#include "base/system/file.h"
#include "base/system/folder.h"
#include "base/system/user.h"
#include "base/translate.h"
#include "view/sheets/save.h"

enum { NAME_BYTES = 256, PATH_BYTES = 4096 };

static const char SUFFIX[] = ".json";

struct app_save {
    char name[NAME_BYTES], folder[PATH_BYTES]; /* as they are typed */
    char note[256];
    bool refused;
    struct view_save overlay;
};

/* --- names --- */

static bool ends_in_suffix(const char *name)
{
    const size_t length = strlen(name), tail = sizeof SUFFIX - 1;
    return length > tail && strcmp(name + length - tail, SUFFIX) == 0;
}

/* The path that name and folder mean. False: there is no name, or it is too long. */
static bool path_of(const struct app_save *save, char path[PATH_BYTES])
{
    char folder[PATH_BYTES], name[PATH_BYTES];
    if (save->name[0] == '\0' || !app_typed_path(save->folder, folder, sizeof folder) ||
        !app_typed_path(save->name, name, sizeof name)) {
        return false;
    }
    const bool alone = system_path_is_whole(name) || folder[0] == '\0';
    const int length = snprintf(path, PATH_BYTES, "%s%s%s%s", alone ? "" : folder, alone ? "" : "/",
                                name, ends_in_suffix(name) ? "" : SUFFIX);
    return length > 0 && length < PATH_BYTES;
}

/* The person's own folder as people write it. */
static void write_folder(struct app_save *save, const char *path, size_t length)
{
    const char *const home = system_home();
    const size_t own = home == NULL ? 0 : strlen(home);
    const bool inside = own > 1 && length >= own && strncmp(path, home, own) == 0 &&
                        (path[own] == '/' || length == own);
    snprintf(save->folder, sizeof save->folder, "%s%.*s", inside ? "~" : "",
             (int)(inside ? length - own : length), inside ? path + own : path);
}

/* --- the overlay --- */

/* path: what stands in it at first. */
static void open_sheet(struct app_state *state, const char *path, double time)
{
    struct app_save *const save = calloc(1, sizeof *save);
    if (save == NULL) {
        app_state_show_message(state, time, "There is not enough memory to save.");
        return;
    }
    app_save_close(state);
    const char *const name = file_name(path);
    snprintf(save->name, sizeof save->name, "%s", name);
    write_folder(save, path, (size_t)(name - path) - (name - path > 1 ? 1 : 0));
    save->overlay.begins = true;
    save->overlay.offers_weights = app_learn_is_long(state);
    save->overlay.with_weights = save->overlay.offers_weights && app_learn_was_saved(state);
    state->save = save;
    state->view.save = &save->overlay;
    state->view.overlay = VIEW_OVERLAY_SAVE;
}

void app_save_open(struct app_state *state, double time)
{
    char path[PATH_BYTES];
    open_sheet(state, app_lesson_free_path(state, path, sizeof path) ? path : "", time);
}

/* Over the document's own file, which is asked for once more, with what went wrong. */
static void open_over(struct app_state *state, const struct error *error, double time)
{
    const bool closing = state->closing;
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s", state->document.work->path);
    open_sheet(state, path, time);
    state->closing = closing;
    if (state->save != NULL && error->text[0] != '\0') {
        state->save->refused = true;
        snprintf(state->save->note, sizeof state->save->note, "%s", error->text);
    }
}

void app_save_close(struct app_state *state)
{
    if (state->save != NULL) {
        free(state->save);
        state->save = NULL;
        state->view.save = NULL;
        state->closing = false;
    }
    if (state->view.overlay == VIEW_OVERLAY_SAVE) {
        state->view.overlay = VIEW_OVERLAY_NONE;
    }
}

/* Returns what would be written over; NULL: nothing. */
static const char *name_replaced(const struct app_save *save)
{
    char path[PATH_BYTES], folder[PATH_BYTES];
    if (!path_of(save, path)) {
        return NULL;
    }
    if (system_exists(path)) {
        return tr("There is a file of that name: Replace writes over it.");
    }
    return save->overlay.with_weights && app_learn_weights_folder(path, folder, sizeof folder) &&
                   system_exists(folder)
               ? tr("There are weights of that name: Replace writes over them.")
               : NULL;
}

void app_save_prepare(struct app_state *state)
{
    struct app_save *const save = state->save;
    if (save == NULL) {
        return;
    }
    const char *const replaced = name_replaced(save);
    struct view_save *const overlay = &save->overlay;
    overlay->name = save->name;
    overlay->folder = save->folder;
    overlay->replaces = replaced != NULL;
    overlay->refused = save->refused;
    overlay->note = save->refused ? save->note : replaced;
}

/* Weights first: a session without them is learned again, as is one with others. */
static bool save_weights(struct app_state *state, const char *path, const struct view_save *overlay,
                         struct error *error)
{
    if (overlay->with_weights) {
        return app_learn_save_weights(state, path, error);
    }
    if (overlay->offers_weights) { /* they are not wanted any more */
        app_learn_use_saved(state, NULL, &(struct lab_step_weights){.folder = NULL});
    }
    return true;
}

static void save_now(struct app_state *state, double time)
{
    struct app_save *const save = state->save;
    struct error error = {0};
    char path[PATH_BYTES];
    const bool closing = state->closing;
    if (!path_of(save, path)) {
        error_set(&error, ERROR_INPUT, "A session needs a name to be saved under.");
    } else if (save_weights(state, path, &save->overlay, &error) &&
               app_lesson_save_report(state, path, time, &error)) {
        app_save_close(state);
        state->closing =
            closing && document_is_unsaved(&state->document); /* it is still being written */
        return;
    }
    save->refused = true;
    snprintf(save->note, sizeof save->note, "%s", error.text);
}

void app_save_apply(struct app_state *state, const struct view_action *action, double time)
{
    struct app_save *const save = state->save;
    const char *const text = action->save.text;
    if (save == NULL) {
        return;
    }
    save->overlay.begins = false;
    switch ((enum view_save_act)action->save.act) {
    case VIEW_SAVE_NAME:
        save->refused = save->refused && strcmp(save->name, text) == 0;
        snprintf(save->name, sizeof save->name, "%s", text);
        break;
    case VIEW_SAVE_FOLDER:
        save->refused = save->refused && strcmp(save->folder, text) == 0;
        snprintf(save->folder, sizeof save->folder, "%s", text);
        break;
    case VIEW_SAVE_WEIGHTS:
        save->refused = false;
        save->overlay.with_weights = !save->overlay.with_weights;
        break;
    case VIEW_SAVE_NOW:
        save_now(state, time);
        break;
    }
}

/* --- saving --- */

/* A session that was saved with its weights is saved with those of the present step. False and a
 * sentence, or (its text is empty) the folder for them is there and holds others: it is asked. */
static bool save_weights_again(struct app_state *state, const char *path, struct error *error)
{
    char folder[PATH_BYTES];
    const struct lab_step_weights named = app_learn_saved(state);
    if (!app_learn_was_saved(state) || !app_learn_is_long(state) ||
        !app_learn_weights_folder(path, folder, sizeof folder)) {
        return true;
    }
    if (named.folder != NULL && strcmp(named.folder, folder) != 0) {
        return true; /* these are, elsewhere */
    }
    return (app_learn_saves_to(state, folder) || !system_exists(folder)) &&
           app_learn_save_weights(state, path, error);
}

void app_save_over(struct app_state *state, double time)
{
    const char *const path = state->document.work->path;
    struct error error = {0};
    if (path[0] == 0) {
        app_save_open(state, time);
    } else if (!save_weights_again(state, path, &error)) {
        open_over(state, &error, time);
    } else if (!app_lesson_save_report(state, path, time, &error)) {
        state->closing = false;
        app_state_show_toast(state, time, "%s", error.text);
    }
}

/* A lesson that somebody wrote, with captions; a session is one without. */
static bool is_lesson(const struct lab_lesson *lesson)
{
    return lesson->steps > 1 || (lesson->steps == 1 && lesson->step[0].caption[0] != 0);
}

void app_save(struct app_state *state, double time)
{
    struct document *const document = &state->document;
    if (state->save != NULL) {
        return; /* it is being asked already */
    }
    const struct file_mark mark = file_mark(document->work->path);
    const bool there = document->work->path[0] != 0 && mark.exists;
    if (there && !file_mark_equal(&mark, &document->work->mark)) {
        document->asks = DOCUMENT_ASKS_CHANGED_FILE; /* the person decides whose work stays */
        app_autosave_ask(state);
    } else if (there && !document->work->is_written && is_lesson(document->lesson)) {
        document->asks = DOCUMENT_ASKS_LESSON;
        app_autosave_ask(state);
    } else {
        app_save_over(state, time);
    }
}

bool app_save_may_close(struct app_state *state)
{
    if (app_autosave_flush(state)) {
        return true;
    }
    state->view.blank = false;
    state->document.asks = DOCUMENT_ASKS_CLOSE;
    app_autosave_ask(state);
    return false;
}
