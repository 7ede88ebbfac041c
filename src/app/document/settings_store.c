/* Small files of lines in the folder where the program keeps its state. */
#include "app/document/settings_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/state.h"
#include "base/file.h"
#include "base/system/folder.h"
#include "base/system/user.h"

enum { PATH_MAX_BYTES = 4096, KEPT_BYTES_MAX = 1 << 16, LINES_MAX = 32 };

/* The folder is made where it is missing; only the person may look into it. */
static bool find_place(const char *name, char path[PATH_MAX_BYTES])
{
    const char *const own = system_folder_variable("ATTNSCOPE_HOME");
    const bool is_own = own != NULL && system_path_is_whole(own);
    if (!is_own && !system_state_folder("attnscope", path, PATH_MAX_BYTES)) {
        return false;
    }
    const int length = is_own ? snprintf(path, PATH_MAX_BYTES, "%s", own) : (int)strlen(path);
    if (length <= 0 || (size_t)length + strlen(name) + 2 > PATH_MAX_BYTES ||
        !system_make_private_folders(path)) {
        return false;
    }
    snprintf(path + length, PATH_MAX_BYTES - (size_t)length, "/%s", name);
    return true;
}

/* The lines of a kept file, without their ends. */
static size_t read_lines(const char *name, struct arena *arena, char *lines[LINES_MAX])
{
    char path[PATH_MAX_BYTES];
    struct bytes text = {0};
    struct error error = {0};
    if (!find_place(name, path) || !file_read(path, KEPT_BYTES_MAX, arena, &text, &error)) {
        return 0;
    }
    size_t count = 0;
    const char *at = (const char *)text.at, *const end = at + text.size;
    while (at < end && count < LINES_MAX) {
        const char *const stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((stop != NULL ? stop : end) - at);
        char *const line = length > 0 ? arena_text(arena, at, length) : NULL;
        if (line != NULL) {
            lines[count++] = line;
        }
        at += length + 1;
    }
    return count;
}

static void write_lines(const char *name, struct arena *arena, const char *const *lines,
                        size_t count)
{
    char path[PATH_MAX_BYTES];
    const char *text = "";
    for (size_t i = 0; i < count && text != NULL; i++) {
        text = arena_format(arena, "%s%s\n", text, lines[i]);
    }
    if (text != NULL && find_place(name, path)) {
        (void)file_write(path, (struct bytes){(const uint8_t *)text, strlen(text)}, NULL);
    }
}

void app_store_lines(const char *name, const char *const *lines, size_t count)
{
    struct arena arena = {0};
    bool whole = true;
    for (size_t i = 0; i < count; i++) {
        whole = whole && lines[i] != NULL;
    }
    if (whole) {
        write_lines(name, &arena, lines, count);
    }
    arena_free(&arena);
}

size_t app_stored_lines(const char *name, struct arena *arena, const char **lines, size_t max_count)
{
    char *read[LINES_MAX];
    const size_t count = read_lines(name, arena, read);
    size_t kept = 0;
    for (; kept < count && kept < max_count; kept++) {
        lines[kept] = read[kept];
    }
    return kept;
}

void app_store_file(const char *path)
{
    struct arena arena = {0};
    char folder[PATH_MAX_BYTES];
    if (!system_path_is_whole(path)) {
        path = system_working_folder(folder, sizeof folder)
                   ? arena_format(&arena, "%s/%s", folder, path)
                   : NULL;
    }
    if (path != NULL && strchr(path, '\n') == NULL) {
        char *lines[LINES_MAX];
        const size_t count = read_lines("recent", &arena, lines);
        const char *kept[APP_RECENT_MAX] = {path};
        size_t keeps = 1;
        for (size_t i = 0; i < count && keeps < APP_RECENT_MAX; i++) {
            if (strcmp(lines[i], path) != 0) {
                kept[keeps++] = lines[i];
            }
        }
        write_lines("recent", &arena, kept, keeps);
    }
    arena_free(&arena);
}

void app_state_store_file(const struct app_state *state, const char *path)
{
    if ((state->host & APP_HOST_STORES_SETTINGS) != 0) {
        app_store_file(path);
    }
}

size_t app_stored_files(struct arena *arena, const char *paths[APP_RECENT_MAX])
{
    char *lines[LINES_MAX];
    const size_t count = read_lines("recent", arena, lines);
    size_t files = 0;
    for (size_t i = 0; i < count && files < APP_RECENT_MAX; i++) {
        if (system_path_is_whole(lines[i])) {
            paths[files++] = lines[i];
        }
    }
    return files;
}

/* A line of the file: "WIDTHxHEIGHT+X+Y SCREEN". The name of its screen; NULL: it is no such line.
 */
static const char *read_place(const char *line, struct app_spot *place)
{
    int name = 0;
    const int read = sscanf(line, "%6dx%6d%7d%7d %n", &place->width, &place->height, &place->x,
                            &place->y, &name);
    return read == 4 && name > 0 && place->width > 0 && place->height > 0 ? line + name : NULL;
}

void app_store_place(const char *screen, struct app_spot place)
{
    struct arena arena = {0};
    char *lines[LINES_MAX];
    const char *kept[LINES_MAX] = {arena_format(&arena, "%dx%d%+d%+d %s", place.width, place.height,
                                                place.x, place.y, screen)};
    const size_t count = read_lines("window", &arena, lines);
    size_t keeps = 1;
    for (size_t i = 0; i < count && keeps < LINES_MAX; i++) {
        struct app_spot former;
        const char *const name = read_place(lines[i], &former);
        if (name != NULL && strcmp(name, screen) != 0) {
            kept[keeps++] = lines[i];
        }
    }
    if (kept[0] != NULL && strchr(screen, '\n') == NULL) {
        write_lines("window", &arena, kept, keeps);
    }
    arena_free(&arena);
}

size_t app_stored_place(const char *const *screens, size_t count, struct app_spot *place)
{
    struct arena arena = {0};
    char *lines[LINES_MAX];
    const size_t known = read_lines("window", &arena, lines);
    size_t found = count;
    for (size_t i = 0; i < known && found == count; i++) {
        const char *const name = read_place(lines[i], place);
        for (size_t s = 0; name != NULL && s < count && found == count; s++) {
            found = strcmp(name, screens[s]) == 0 ? s : count;
        }
    }
    arena_free(&arena);
    return found;
}

static void fit_side(int *from, int *length, int low, int room)
{
    *length = *length < room ? *length : room;
    *length = *length < 1 ? 1 : *length;
    *from = *from > low + room - *length ? low + room - *length : *from;
    *from = *from < low ? low : *from;
}

struct app_spot app_spot_inside(struct app_spot place, struct app_spot visible)
{
    fit_side(&place.x, &place.width, visible.x, visible.width);
    fit_side(&place.y, &place.height, visible.y, visible.height);
    return place;
}
