/* app/desktop/window.h — the only event loop: SDL events → input, list → screen. */
#ifndef APP_DESKTOP_WINDOW_H
#define APP_DESKTOP_WINDOW_H

#include "app/document/state.h"
#include "base/error.h"

enum app_renderer { APP_RENDERER_AUTO, APP_RENDERER_GPU, APP_RENDERER_CPU };

struct app_window {
    int width, height; /* points; 0: 1440 × 900 or what fits the display */
    float ui_scale;    /* 0: found from the environment and the display */
    enum app_renderer renderer;
    const char *language; /* its code; NULL: as chosen last, else as the system says */
};

/* Opens the window on the state and returns when the person closes it. False: there is no display
 * (ERROR_DISPLAY) or no memory. */
bool app_window_run(const struct app_window *window, struct app_state *state, struct error *error);

#endif
