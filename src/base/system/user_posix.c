/* base/system/user_posix.c — the person's folders where a desktop is freedesktop's. */
#include "base/system/user.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"

enum { SETTINGS_MAX = 1 << 16 };

const char *system_folder_variable(const char *name)
{
    return getenv(name);
}

const char *system_home(void)
{
    return getenv("HOME");
}

static bool is_whole(int length, size_t size)
{
    return length > 0 && (size_t)length < size;
}

bool system_state_folder(const char *program, char *path, size_t size)
{
    static const struct {
        const char *variable, *below;
    } roots[] = {{"XDG_STATE_HOME", ""}, {"HOME", "/.local/state"}};
    for (size_t r = 0; r < sizeof roots / sizeof roots[0]; r++) {
        const char *const root = getenv(roots[r].variable);
        if (root != NULL && root[0] == '/') {
            return is_whole(snprintf(path, size, "%s%s/%s", root, roots[r].below, program), size);
        }
    }
    return false;
}

/* Finds the value of XDG_PICTURES_DIR="$HOME/Pictures" or "/pictures" in the text of
 * user-dirs.dirs. (freedesktop, xdg-user-dirs) */
static bool read_user_dir(const char *settings, const char *kind, const char *home, char *path,
                          size_t size)
{
    static const char variable[] = "$HOME";
    char name[64];
    snprintf(name, sizeof name, "XDG_%s_DIR=\"", kind);
    for (const char *line = settings; line && *line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\n");
        if (strncmp(line, name, strlen(name)) != 0) {
            continue;
        }
        const char *value = line + strlen(name);
        const bool at_home = strncmp(value, variable, sizeof variable - 1) == 0;
        if (!at_home && value[0] != '/') {
            continue;
        }
        value += at_home ? sizeof variable - 1 : 0;
        const int length = (int)strcspn(value, "\"\n");
        return is_whole(snprintf(path, size, "%s%.*s", at_home ? home : "", length, value), size);
    }
    return false;
}

/* Reads a small file as text; NULL: there is none, or it is larger. To be freed. */
static char *read_settings(const char *path)
{
    struct system_facts facts;
    char *text = NULL;
    const int file = system_open(path, SYSTEM_READ);
    if (file >= 0 && system_file_facts(file, &facts) && facts.kind == SYSTEM_REGULAR &&
        facts.size < SETTINGS_MAX && (text = calloc(SETTINGS_MAX, 1)) != NULL) {
        size_t size = 0;
        ptrdiff_t step = 1;
        while (step > 0 && size + 1 < SETTINGS_MAX) {
            step = system_read(file, text + size, SETTINGS_MAX - 1 - size);
            size += step > 0 ? (size_t)step : 0;
        }
    }
    if (file >= 0) {
        (void)system_close(file);
    }
    return text;
}

static bool folder_of_desktop(const char *kind, const char *home, char *path, size_t size)
{
    const char *const config = getenv("XDG_CONFIG_HOME");
    const bool own = config != NULL && config[0] == '/';
    char file[SYSTEM_PATH_MAX];
    if (!is_whole(snprintf(file, sizeof file, "%s%s/user-dirs.dirs", own ? config : home,
                           own ? "" : "/.config"),
                  sizeof file)) {
        return false;
    }
    char *const settings = read_settings(file);
    const bool found = settings != NULL && read_user_dir(settings, kind, home, path, size) &&
                       path[0] != '\0' && system_is_folder(path);
    free(settings);
    return found;
}

bool system_user_folder(const char *kind, const char *english, char *path, size_t size)
{
    const char *const home = getenv("HOME");
    return home != NULL && home[0] == '/' &&
           (folder_of_desktop(kind, home, path, size) ||
            (is_whole(snprintf(path, size, "%s/%s", home, english), size) &&
             system_is_folder(path)));
}

const char *system_temporary_folder(void)
{
    const char *const folder = getenv("TMPDIR");
    return folder != NULL && folder[0] == '/' ? folder : "/tmp";
}
