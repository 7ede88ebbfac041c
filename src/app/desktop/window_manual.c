/* The manual, found from where the program lies, opened by the desktop. */
#include "app/desktop/window_internal.h"

#include <string.h>

#include "base/system/child.h"
#include "base/system/file.h"

enum { PATH_BYTES = 4096 };

/* Where the manual lies: so many folders above the program's own, then down this path. */
static const struct {
    size_t up;
    const char *down;
} places[] = {
    {1, "share/doc/attnscope/manual"}, /* installed as PREFIX/bin/attnscope */
    {0, "manual"},                     /* unpacked as a folder with the program in it */
    {2, "assets/manual"},              /* built as SOURCE/BUILD/src/attnscope */
};

/* False: there is no manual at that place. */
static bool find_at(size_t place, const char *folder, char path[PATH_BYTES])
{
    SDL_strlcpy(path, folder, PATH_BYTES);
    for (size_t up = 0; up <= places[place].up; up++) { /* the first is the slash at its end */
        char *const slash = strrchr(path, '/');
        if (!slash) {
            return false;
        }
        *slash = '\0';
    }
    SDL_strlcat(path, "/", PATH_BYTES);
    return SDL_strlcat(path, places[place].down, PATH_BYTES) < PATH_BYTES && system_may_read(path);
}

static bool find_manual(char path[PATH_BYTES])
{
    char *const folder = SDL_GetBasePath();
    bool found = false;
    for (size_t i = 0; folder && !found && i < SDL_arraysize(places); i++) {
        found = find_at(i, folder, path);
    }
    SDL_free(folder);
    return found;
}

void window_manual_open(struct app_state *state, double time)
{
    char path[PATH_BYTES];
    if (!find_manual(path)) {
        app_state_show_message(state, time,
                               "The manual is not installed beside this program. “attnscope "
                               "--help” in a terminal lists its calls and options; here Ctrl+K "
                               "finds everything by name.");
        return;
    }
    if (!system_open_with_desktop(path)) {
        app_state_show_message(state, time, "The manual is here: %s", path);
        return;
    }
    app_state_show_message(state, time, "Opening the manual: %s", path);
}
