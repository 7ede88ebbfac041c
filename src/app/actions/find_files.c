/* Finds the files that can be opened: sessions, and folders with a model in them. */
#include <stdlib.h>
#include <string.h>

#include "app/actions/find_internal.h"
#include "app/document/settings_store.h"
#include "app/open/lesson.h"
#include "app/open/models_here.h"
#include "app/open/open_model.h"
#include "base/system/file.h"
#include "base/system/folder.h"
#include "base/system/user.h"
#include "base/translate.h"
#include "file/kinds.h"
#include "lab/lesson/lessons.h"

static bool is_lesson_name(const char *name)
{
    return name[0] != '.' && file_kind_has_suffix(FILE_LESSON, name);
}

/* A folder is a model's, a file has attention of one. */
static const char *kind_name(const char *path)
{
    return file_kind_opens(file_kind_of_path(path), FILE_AS_ATTENTION) ? "Attention: %s"
                                                                       : "Model: %s";
}

/* Those opened lately, by their names and where they lie. */
struct recent {
    const char *path[APP_RECENT_MAX];
    size_t count;
};

static void suggest_recent(struct app_state *state, struct recent *recent)
{
    recent->count = app_stored_files(&state->found, recent->path);
    for (size_t i = 0; i < recent->count; i++) {
        const char *const path = recent->path[i], *const slash = strrchr(path, '/');
        const bool is_model = app_open_model_probe(path);
        char name[256];
        if (is_model) {
            app_model_name(path, name, sizeof name);
        }
        const char *const title = arena_format(&state->found, is_model ? kind_name(path) : "%s",
                                               is_model ? name : slash + 1);
        const char *const folder =
            arena_text(&state->found, path, slash > path ? (size_t)(slash - path) : 1);
        if (title != NULL && folder != NULL && app_find_is_called(state, title)) {
            app_find_add(state,
                         (struct app_find_action){APP_FIND_FILE, .index = 0, .command = path},
                         title, system_may_read(path) ? folder : tr("no longer there"));
        }
    }
}

static bool is_recent(const struct recent *recent, const char *path)
{
    for (size_t i = 0; i < recent->count; i++) {
        if (strcmp(recent->path[i], path) == 0) {
            return true;
        }
    }
    return false;
}

/* start: how its name begins; NULL: what is typed stands anywhere in it. */
static void suggest_entry(struct app_state *state, const char *folder, const char *name,
                          const char *start, const struct recent *recent)
{
    const char *const path =
        arena_format(&state->found, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
    const bool is_model = path != NULL && name[0] != '.' && app_open_model_probe(path);
    const char *const title = arena_format(&state->found, is_model ? kind_name(path) : "%s", name);
    const bool fits =
        start != NULL ? strncmp(name, start, strlen(start)) == 0 : app_find_is_called(state, title);
    if (path != NULL && fits && !is_recent(recent, path) && (is_model || is_lesson_name(name))) {
        app_find_add(state, (struct app_find_action){APP_FIND_FILE, .index = 0, .command = path},
                     title, is_model ? folder : "");
    }
}

static void suggest_folder(struct app_state *state, const char *folder, const char *start,
                           const struct recent *recent)
{
    struct system_names *const files = system_names_open(folder);
    const char *file = NULL;
    while (files != NULL && (file = system_names_next(files)) != NULL) {
        suggest_entry(state, folder, file, start, recent);
    }
    system_names_close(files);
}

/* A path as far as it is typed, and what it may go on to; "~" is the home folder. */
static void suggest_typed(struct app_state *state)
{
    const char *const text = state->find_text, *const home = system_home();
    const bool of_home = text[0] == '~' && home != NULL;
    const char *const path =
        arena_format(&state->found, "%s%s", of_home ? home : "", of_home ? text + 1 : text);
    const char *const end = path == NULL ? NULL : strrchr(path, '/');
    if (path == NULL) {
        return;
    }
    app_find_add(state, (struct app_find_action){APP_FIND_FILE, .index = 1, .command = path},
                 arena_format(&state->found, "Open %s", text),
                 app_open_model_probe(path) ? tr("a model") : "");
    const char *const folder =
        end == NULL ? NULL : arena_text(&state->found, path, (size_t)(end - path));
    if (folder != NULL) {
        const struct recent none = {.count = 0};
        suggest_folder(state, folder[0] == '\0' ? "/" : folder, end + 1, &none);
    }
}

/* A file of this folder whose whole name is typed, whatever it is. */
static void suggest_here(struct app_state *state)
{
    const char *const name = state->find_text;
    const bool listed = is_lesson_name(name) || app_open_model_probe(name);
    if (name[0] != '\0' && !listed && system_is_regular(name)) {
        app_find_add(state, (struct app_find_action){APP_FIND_FILE, .index = 1, .command = name},
                     arena_format(&state->found, "Open %s", name), "");
    }
}

/* Models on this machine, with what is known of them without opening them. */
static void suggest_models(struct app_state *state, const struct recent *recent)
{
    size_t count = 0;
    const struct app_model_here *const model = app_models_listed(&state->found, &count);
    for (size_t m = 0; m < count; m++) {
        const char *const both =
            arena_format(&state->found, "%s %s", model[m].title, model[m].facts);
        if (both != NULL && !is_recent(recent, model[m].path) && app_find_is_called(state, both)) {
            app_find_add(
                state,
                (struct app_find_action){APP_FIND_FILE, .index = 1, .command = model[m].path},
                model[m].title, model[m].facts);
        }
    }
}

/* The model that comes with the program is in no file: a lesson shows it. */
static void suggest_model_inside(struct app_state *state)
{
    static const char title[] = "Model: the one inside";
    size_t lesson = 0;
    if (lab_lesson_find("real-heads", &lesson) && app_find_is_called(state, tr(title))) {
        app_find_add(state, (struct app_find_action){APP_FIND_LESSON, .index = lesson}, title,
                     arena_words(&state->found, "Lesson: %s", tr(lab_lesson_title(lesson))));
    }
}

void app_find_suggest_files(struct app_state *state)
{
    char folder[4000], here[4000];
    if (strchr("/.~", state->find_text[0]) != NULL && state->find_text[0] != '\0') {
        suggest_typed(state);
        return;
    }
    struct recent recent;
    suggest_recent(state, &recent);
    if ((state->host & APP_HOST_CHOOSES_FILES) != 0 && app_find_is_called(state, "Choose…")) {
        app_find_add(state, (struct app_find_action){APP_FIND_CHOOSE, .index = 0}, "Choose…",
                     "in a dialog of the desktop");
    }
    suggest_models(state, &recent);
    suggest_model_inside(state);
    app_lesson_folder(folder, sizeof folder);
    suggest_here(state);
    suggest_folder(state, folder, NULL, &recent);
    if (system_working_folder(here, sizeof here) && strcmp(here, folder) != 0) {
        suggest_folder(state, here, NULL, &recent);
    }
}
