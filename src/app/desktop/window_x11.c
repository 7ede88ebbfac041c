/* window_x11.c — what is asked of Xlib itself, in the library that SDL has loaded already. */
#include "app/desktop/window_parts.h"

#include <string.h>

#include <SDL_syswm.h>

#ifdef SDL_VIDEO_DRIVER_X11

static Display *display_of(SDL_Window *window)
{
    SDL_SysWMinfo system;
    SDL_VERSION(&system.version);
    const bool known = SDL_GetWindowWMInfo(window, &system) && system.subsystem == SDL_SYSWM_X11;
    return known ? system.info.x11.display : NULL;
}

/* The function of that name at `function`: ISO C has no cast from object to function. The library
 * stays: what is set in it must last. False: there is none. */
static bool find_function(const char *name, void *function)
{
    void *const library = SDL_LoadObject("libX11.so.6");
    void *const found = library ? SDL_LoadFunction(library, name) : NULL;
    memcpy(function, &found, sizeof found);
    return found;
}

const char *window_x11_resources(SDL_Window *window)
{
    char *(*resources)(Display *) = NULL;
    Display *const display = display_of(window);
    return display && find_function("XResourceManagerString", &resources) ? resources(display)
                                                                          : NULL;
}

static int go_on(Display *display, XErrorEvent *event)
{
    (void)display;
    (void)event;
    return 0;
}

void window_x11_survive(void)
{
    XErrorHandler (*set_handler)(XErrorHandler) = NULL;
    if (find_function("XSetErrorHandler", &set_handler)) {
        set_handler(go_on);
    }
}

#else

const char *window_x11_resources(SDL_Window *window)
{
    (void)window;
    return NULL;
}

void window_x11_survive(void) {}

#endif
