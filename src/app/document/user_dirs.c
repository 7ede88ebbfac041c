#include "app/document/user_dirs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum { PATH_BYTES = 4096, SETTINGS_MAX = 1 << 16 };

static bool is_folder(const char *path)
{
    struct stat facts;
    return path[0] != '\0' && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* The value of XDG_PICTURES_DIR="$HOME/…" or "/…" in the text of user-dirs.dirs, into path.
 * (freedesktop, xdg-user-dirs) */
static bool take_line(const char *settings, const char *kind, const char *home, char *path,
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
        bool at_home = strncmp(value, variable, sizeof variable - 1) == 0;
        if (!at_home && value[0] != '/') {
            continue;
        }
        value += at_home ? sizeof variable - 1 : 0;
        int length = (int)strcspn(value, "\"\n");
        int wrote = snprintf(path, size, "%s%.*s", at_home ? home : "", length, value);
        return wrote > 0 && (size_t)wrote < size;
    }
    return false;
}

static bool folder_of_desktop(const char *kind, const char *home, char *path, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    bool own = config && config[0] == '/';
    char file[PATH_BYTES];
    int wrote = snprintf(file, sizeof file, "%s%s/user-dirs.dirs", own ? config : home,
                         own ? "" : "/.config");
    if (wrote < 0 || (size_t)wrote >= sizeof file) {
        return false;
    }
    struct arena arena = {0};
    struct bytes settings;
    bool found = file_read(file, SETTINGS_MAX, &arena, &settings, NULL) && settings.size > 0 &&
                 take_line((const char *)settings.at, kind, home, path, size) && is_folder(path);
    arena_free(&arena);
    return found;
}

void app_user_dir(const char *kind, const char *english, char *path, size_t size)
{
    const char *own = getenv("ATTNSCOPE_HOME");
    if (own && own[0] == '/' && strlen(own) < size && is_folder(own)) {
        snprintf(path, size, "%s", own);
        return;
    }
    const char *home = getenv("HOME");
    if (home && home[0] == '/') {
        if (folder_of_desktop(kind, home, path, size)) {
            return;
        }
        int wrote = snprintf(path, size, "%s/%s", home, english);
        if (wrote > 0 && (size_t)wrote < size && is_folder(path)) {
            return;
        }
    }
    if (!getcwd(path, size)) {
        snprintf(path, size, ".");
    }
}
