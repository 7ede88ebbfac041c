/* Answers what the desktop decides for every window: how many pixels a point has, whether things
 * move; and what is asked of Xlib itself. */
#include <stdio.h>
#include <string.h>

#include "app/desktop/window_internal.h"
#include "base/file.h"
#include "base/text.h"

/* --- What is asked of Xlib itself, in the library that SDL has loaded already --- */

#ifdef SDL_VIDEO_DRIVER_X11

#include <SDL_syswm.h>

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

/* The X resources of the display; NULL: there are none, or it is no X display. */
static const char *x11_resources(SDL_Window *window)
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

static const char *x11_resources(SDL_Window *window)
{
    (void)window;
    return NULL;
}

void window_x11_survive(void) {}

#endif

/* How many pixels a point has, where the system leaves that to the program.
 *
 * On X11 a window's unit is a pixel whatever the display; desktops say what they want in GDK_SCALE,
 * QT_SCALE_FACTOR or the X resource Xft.dpi. */

static float clamp_scale(double value)
{
    return (float)(value < 0.5 ? 0.5 : value > 4 ? 4 : value);
}

/* 0: the variable says nothing. */
static float from_environment(const char *name)
{
    const char *text = SDL_getenv(name);
    double value = 0;
    return text && text_to_double(text, &value) && value > 0 ? clamp_scale(value) : 0;
}

float window_scale_resource(const char *resources, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = resources; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) != 0 || line[length] != ':') {
            continue;
        }
        char word[TEXT_NUMBER_MAX];
        size_t size = strcspn(line + length + 1, "\n") + 1;
        SDL_strlcpy(word, line + length + 1, size < sizeof word ? size : sizeof word);
        double value = 0;
        return text_to_double(word, &value) && value > 0 ? (float)value : 0;
    }
    return 0;
}

static float from_resources(SDL_Window *window)
{
    const float dots = window_scale_resource(x11_resources(window), "Xft.dpi");
    return dots > 0 ? clamp_scale(dots / 96.0) : 0;
}

float window_scale_wished(SDL_Window *window)
{
    static const char *const variables[] = {"GDK_SCALE", "QT_SCALE_FACTOR"};
    for (size_t i = 0; i < SDL_arraysize(variables); i++) {
        float scale = from_environment(variables[i]);
        if (scale > 0) {
            return scale;
        }
    }
    float scale = from_resources(window);
    if (scale > 0) {
        return scale;
    }
    SDL_DisplayMode mode;
    int display = SDL_GetWindowDisplayIndex(window);
    bool tall = display >= 0 && SDL_GetDesktopDisplayMode(display, &mode) == 0 && mode.h > 1600;
    return tall ? 1.25f : 1.0f;
}

bool window_scale_fits(float width, float height)
{
    const float least_wide = 480, least_high = 300;
    return width >= least_wide && height >= least_high;
}

float window_scale_step(float present, float steps)
{
    static const float stairs[] = {0.5f, 0.67f, 0.75f, 0.9f, 1.0f, 1.1f, 1.25f,
                                   1.5f, 1.75f, 2.0f,  2.5f, 3.0f, 4.0f};
    const float near = 0.01f;
    if (steps > 0) {
        for (size_t i = 0; i < SDL_arraysize(stairs); i++) {
            if (stairs[i] > present + near) {
                return stairs[i];
            }
        }
    } else if (steps < 0) {
        for (size_t i = SDL_arraysize(stairs); i-- > 0;) {
            if (stairs[i] < present - near) {
                return stairs[i];
            }
        }
    }
    return present;
}

/* Whether the person asked the desktop for less movement.
 *
 * There is no one place to ask. Toolkits read gtk-enable-animations from settings.ini, which KDE
 * and Xfce write too; GNOME keeps it in a database that only its bus answers for, so there the
 * variable has to say it. (docs.gtk.org/gtk4/class.Settings.html) */

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
    const char *requested = SDL_getenv("ATTNSCOPE_REDUCE_MOTION");
    if (requested != NULL && requested[0] != '\0') {
        return !says_no(requested);
    }
    const char *animations = SDL_getenv("GTK_ENABLE_ANIMATIONS");
    if (animations != NULL && animations[0] != '\0') {
        return says_no(animations);
    }
    return settings_reduce("gtk-4.0") || settings_reduce("gtk-3.0");
}
