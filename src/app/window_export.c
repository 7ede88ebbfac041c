/* window_export.c — pictures on the clipboard. SDL 2 puts only text there; what the desktops bring
 * along for scripts takes pictures too. */
#include "app/window_parts.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Programs that keep what they read on the clipboard, and the variable that names their desktop. */
static const struct {
    const char *display, *find, *run;
} keepers[] = {
    {"WAYLAND_DISPLAY", "command -v wl-copy > /dev/null 2>&1",
     "wl-copy --type image/png > /dev/null 2>&1"},
    {"DISPLAY", "command -v xclip > /dev/null 2>&1",
     "xclip -selection clipboard -t image/png > /dev/null 2>&1"},
};

static bool feed(const char *command, struct bytes png)
{
    FILE *const pipe = popen(command, "w");
    if (pipe == NULL) {
        return false;
    }
    const bool fed = fwrite(png.at, 1, png.size, pipe) == png.size;
    return pclose(pipe) == 0 && fed;
}

static bool keep(struct bytes png)
{
    for (size_t i = 0; i < SDL_arraysize(keepers); i++) {
        const char *const display = SDL_getenv(keepers[i].display);
        if (display && display[0] != '\0' && system(keepers[i].find) == 0 &&
            feed(keepers[i].run, png)) {
            return true;
        }
    }
    return false;
}

void window_export_copy(struct app_state *state, struct bytes png, double time)
{
    /* A keeper that ends early must not take this program along. */
    void (*const former)(int) = signal(SIGPIPE, SIG_IGN);
    const bool kept = keep(png);
    signal(SIGPIPE, former);
    if (kept) {
        app_state_say(state, time, "Picture copied");
    } else {
        app_state_say(state, time,
                      "This desktop takes no pictures without wl-copy or xclip: save "
                      "it, or copy it as SVG.");
    }
}
