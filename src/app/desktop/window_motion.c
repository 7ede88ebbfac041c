/* window_motion.c — whether the person asked the desktop for less movement.
 *
 * There is no one place to ask. Toolkits read gtk-enable-animations from settings.ini, which KDE
 * and Xfce write too; GNOME keeps it in a database that only its bus answers for, so there the
 * variable has to say it. (docs.gtk.org/gtk4/class.Settings.html) */
#include "app/desktop/window_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

enum { SETTINGS_MAX = 1 << 16, PATH_BYTES = 1024 };

/* "0", "no", "off" and "false" are no. */
static bool says_no(const char *word)
{
    static const char *const noes[] = {"0", "no", "off", "false"};
    for (size_t i = 0; i < SDL_arraysize(noes); i++) {
        const size_t length = strlen(noes[i]);
        if (SDL_strncasecmp(word, noes[i], length) == 0 &&
            strchr(" \t\r\n", word[length]) != NULL) { /* the end counts too */
            return true;
        }
    }
    return false;
}

bool window_motion_settings(const char *settings)
{
    static const char name[] = "gtk-enable-animations";
    for (const char *line = settings; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += strspn(line, " \t\r\n");
        if (strncmp(line, name, sizeof name - 1) != 0) {
            continue;
        }
        const char *value = line + sizeof name - 1;
        value += strspn(value, " \t");
        if (*value == '=') {
            return says_no(value + 1 + strspn(value + 1, " \t"));
        }
    }
    return false;
}

/* The settings.ini of one toolkit. */
static bool settings_reduce(const char *folder)
{
    const char *config = SDL_getenv("XDG_CONFIG_HOME"), *home = SDL_getenv("HOME");
    const bool own = config != NULL && config[0] == '/';
    char path[PATH_BYTES];
    const char *root = own ? config : home;
    const int wrote = root == NULL ? -1
                                   : snprintf(path, sizeof path, "%s%s/%s/settings.ini", root,
                                              own ? "" : "/.config", folder);
    if (wrote < 0 || (size_t)wrote >= sizeof path) {
        return false;
    }
    struct arena arena = {0};
    struct bytes settings;
    const bool reduces = file_read(path, SETTINGS_MAX, &arena, &settings, NULL) &&
                         settings.size > 0 && window_motion_settings((const char *)settings.at);
    arena_free(&arena);
    return reduces;
}

bool window_motion_reduced(void)
{
    const char *asked = SDL_getenv("ATTNSCOPE_REDUCE_MOTION");
    if (asked != NULL && asked[0] != '\0') {
        return !says_no(asked);
    }
    const char *animations = SDL_getenv("GTK_ENABLE_ANIMATIONS");
    if (animations != NULL && animations[0] != '\0') {
        return says_no(animations);
    }
    return settings_reduce("gtk-4.0") || settings_reduce("gtk-3.0");
}
