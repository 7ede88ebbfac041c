/* What can be opened: sessions, and folders with a model in them. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/find_parts.h"
#include "app/lesson.h"
#include "app/source.h"

static bool is_lesson_name(const char *name)
{
    const size_t length = strlen(name), tail = strlen(".json");
    return name[0] != '.' && length > tail && strcmp(name + length - tail, ".json") == 0;
}

/* start: how its name begins; NULL: what is typed stands anywhere in it. */
static void offer_entry(struct app_state *state, const char *folder, const char *name,
                        const char *start)
{
    const char *const path =
        arena_format(&state->found, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
    const bool is_model = path != NULL && name[0] != '.' && app_source_probe(path);
    const char *const title = arena_format(&state->found, is_model ? "Model: %s" : "%s", name);
    const bool fits =
        start != NULL ? strncmp(name, start, strlen(start)) == 0 : app_find_is_called(state, title);
    if (path != NULL && fits && (is_model || is_lesson_name(name))) {
        app_find_add(state, (struct app_find_action){APP_FIND_FILE, 0, path}, title,
                     is_model ? folder : "");
    }
}

static void offer_folder(struct app_state *state, const char *folder, const char *start)
{
    DIR *const files = opendir(folder);
    const struct dirent *file = NULL;
    while (files != NULL && (file = readdir(files)) != NULL) {
        offer_entry(state, folder, file->d_name, start);
    }
    if (files != NULL) {
        closedir(files);
    }
}

/* A path as far as it is typed, and what it may go on to; "~" is the home folder. */
static void offer_typed(struct app_state *state)
{
    const char *const text = state->find_text, *const home = getenv("HOME");
    const bool of_home = text[0] == '~' && home != NULL;
    const char *const path =
        arena_format(&state->found, "%s%s", of_home ? home : "", of_home ? text + 1 : text);
    const char *const end = path == NULL ? NULL : strrchr(path, '/');
    if (path == NULL) {
        return;
    }
    app_find_add(state, (struct app_find_action){APP_FIND_FILE, 1, path},
                 arena_format(&state->found, "Open %s", text),
                 app_source_probe(path) ? "a model" : "");
    const char *const folder =
        end == NULL ? NULL : arena_text(&state->found, path, (size_t)(end - path));
    if (folder != NULL) {
        offer_folder(state, folder[0] == '\0' ? "/" : folder, end + 1);
    }
}

void app_find_offer_files(struct app_state *state)
{
    char folder[4000], here[4000];
    if (strchr("/.~", state->find_text[0]) != NULL && state->find_text[0] != '\0') {
        offer_typed(state);
        return;
    }
    app_lesson_folder(folder, sizeof folder);
    offer_folder(state, folder, NULL);
    if (getcwd(here, sizeof here) != NULL && strcmp(here, folder) != 0) {
        offer_folder(state, here, NULL);
    }
}
