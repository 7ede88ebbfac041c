/* cli/register.c — tells the person's desktop of this program, and takes it back: its place in
 * menus, its icon, the files that it opens. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/system/file.h"
#include "base/system/register.h"
#include "cli/calls.h"
#include "file/growing.h"

/* --- a desktop of freedesktop: files ---------------------------------------------------------- */

static const struct {
    const char *asset, *path;
} entries[] = {{"assets/desktop/io.github.attnscope.attnscope.desktop",
                "applications/io.github.attnscope.attnscope.desktop"},
               {"assets/desktop/attnscope.xml", "mime/packages/attnscope.xml"}};

enum { ENTRIES = sizeof entries / sizeof entries[0] };

/* Appends a program's path as "Exec" takes it: quoted, what a shell would read marked, and that
 * mark marked again, as in every text of such a file; a percent sign begins a field. */
static void put_program(struct growing *out, const char *program)
{
    growing_put_byte(out, '"');
    for (const char *at = program; *at != '\0'; at++) {
        growing_put_text(out, strchr("\"`$", *at) != NULL ? "\\\\"
                              : *at == '\\'               ? "\\\\\\"
                              : *at == '%'                ? "%"
                                                          : "");
        growing_put_byte(out, *at);
    }
    growing_put_byte(out, '"');
}

/* The text with this program's path behind each "Exec=" instead of its name. */
static bool name_program(const char *text, const char *program, struct arena *arena,
                         struct bytes *out, struct error *error)
{
    static const char exec[] = "\nExec=attnscope";
    struct growing named = growing_start(arena);
    for (const char *next = NULL; (next = strstr(text, exec)) != NULL;
         text = next + sizeof exec - 1) {
        growing_put(&named, text, (size_t)(next - text));
        growing_put_text(&named, "\nExec=");
        put_program(&named, program);
    }
    growing_put_text(&named, text);
    return growing_finish(&named, out, error);
}

/* Where an entry belongs; icons follow the others. False: behind the last, or it is too long. */
static bool find_path(const char *folder, size_t index, char path[SYSTEM_PATH_MAX])
{
    if (index < ENTRIES) {
        return snprintf(path, SYSTEM_PATH_MAX, "%s/%s", folder, entries[index].path) <
               SYSTEM_PATH_MAX;
    }
    char theme[SYSTEM_PATH_MAX];
    return snprintf(theme, sizeof theme, "%s/icons/hicolor", folder) < SYSTEM_PATH_MAX &&
           cli_icon_path(theme, index - ENTRIES, path, SYSTEM_PATH_MAX);
}

static bool write_entries(const char *folder, const char *program, struct error *error)
{
    struct arena arena = {0};
    char path[SYSTEM_PATH_MAX];
    bool written = true;
    for (size_t e = 0; written && e < ENTRIES; e++) {
        const struct embedded *const asset = embedded_find(entries[e].asset);
        struct bytes content;
        written =
            find_path(folder, e, path)
                ? name_program((const char *)asset->bytes, program, &arena, &content, error) &&
                      cli_make_folder_of(path, error) && file_write(path, content, error)
                : error_set(error, ERROR_FILE, "The path of the home folder is too long.");
    }
    arena_free(&arena);
    return written && snprintf(path, sizeof path, "%s/icons/hicolor", folder) < SYSTEM_PATH_MAX &&
           cli_write_icons(path, error);
}

static bool remove_entries(const char *folder, struct error *error)
{
    char path[SYSTEM_PATH_MAX];
    bool removed = true;
    for (size_t e = 0; find_path(folder, e, path); e++) {
        if (!system_remove(path) && errno != ENOENT) {
            removed = error_set(error, ERROR_FILE, "%.400s: %s.", path, strerror(errno));
        }
    }
    return removed;
}

static bool change_files(const char *program, struct error *error)
{
    char folder[SYSTEM_PATH_MAX];
    if (!system_data_folder(folder, sizeof folder)) {
        return error_set(error, ERROR_FILE,
                         "There is no home folder: neither XDG_DATA_HOME nor HOME is set.");
    }
    return program != NULL ? write_entries(folder, program, error) : remove_entries(folder, error);
}

/* --- Windows: values in the registry ---------------------------------------------------------- */

#define OWN_KIND "attnscope.session"
#define OWN_PROGRAM "Applications\\attnscope-window.exe"

/* The program that a double click starts: the one beside this that has no console, where it is. */
static bool find_window(const char *program, char window[SYSTEM_PATH_MAX])
{
    const int folder = (int)(file_name(program) - program);
    return snprintf(window, SYSTEM_PATH_MAX, "%.*sattnscope-window.exe", folder, program) <
               SYSTEM_PATH_MAX &&
           (system_exists(window) || snprintf(window, SYSTEM_PATH_MAX, "%s", program) > 0);
}

static void turn_slashes(char *path)
{
    for (; *path != '\0'; path++) {
        *path = *path == '/' ? '\\' : *path;
    }
}

/* A file that ends in .json may be anything: this program is offered for it, and takes it from no
 * other. */
static bool put_values(const char *program, struct error *error)
{
    char window[SYSTEM_PATH_MAX], icon[SYSTEM_PATH_MAX + 8], opens[SYSTEM_PATH_MAX + 16];
    if (!find_window(program, window)) {
        return error_set(error, ERROR_FILE, "The path of this program is too long.");
    }
    turn_slashes(window);
    (void)snprintf(icon, sizeof icon, "\"%s\",0", window);
    (void)snprintf(opens, sizeof opens, "\"%s\" \"%%1\"", window);
    const struct {
        const char *key, *name, *value;
    } values[] = {
        {OWN_KIND, "", "attnscope lesson or session"},     {OWN_KIND "\\DefaultIcon", "", icon},
        {OWN_KIND "\\shell\\open\\command", "", opens},    {".json\\OpenWithProgids", OWN_KIND, ""},
        {OWN_PROGRAM, "FriendlyAppName", "attnscope"},     {OWN_PROGRAM "\\DefaultIcon", "", icon},
        {OWN_PROGRAM "\\shell\\open\\command", "", opens},
    };
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
        if (!system_registry_put(values[v].key, values[v].name, values[v].value)) {
            return error_set(error, ERROR_FILE, "The registry does not take it: %s.",
                             strerror(errno));
        }
    }
    return true;
}

static bool remove_values(struct error *error)
{
    return (system_registry_remove(OWN_KIND, NULL) && system_registry_remove(OWN_PROGRAM, NULL) &&
            system_registry_remove(".json\\OpenWithProgids", OWN_KIND)) ||
           error_set(error, ERROR_FILE, "The registry keeps it: %s.", strerror(errno));
}

/* --- either ----------------------------------------------------------------------------------- */

/* Registers the program, or with NULL removes all of it. */
static int change_desktop(const char *program, const char *done)
{
    struct error error = {ERROR_NONE, 0, ""};
    const bool changed = !system_has_registry() ? change_files(program, &error)
                         : program != NULL      ? put_values(program, &error)
                                                : remove_values(&error);
    system_desktop_refresh();
    return changed ? cli_write_file("-", (struct bytes){(const uint8_t *)done, strlen(done)}, false)
                   : cli_fail(&error);
}

int cli_register(const struct cli_options *options)
{
    char program[SYSTEM_PATH_MAX];
    struct error error = {ERROR_NONE, 0, ""};
    (void)options;
    if (!system_program(program, sizeof program)) {
        error_set(&error, ERROR_FILE, "It is not known where this program lies: %s.",
                  strerror(errno));
        return cli_fail(&error);
    }
    return change_desktop(program, system_has_registry()
                                       ? "attnscope is offered for lessons and sessions, under "
                                         "\"Open with\".\n"
                                       : "attnscope stands in the menu of programs, and opens its "
                                         "lessons and sessions.\n");
}

int cli_unregister(const struct cli_options *options)
{
    (void)options;
    return change_desktop(NULL, "The desktop no longer knows attnscope.\n");
}
