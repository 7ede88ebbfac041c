/* window_scale.c — how many pixels a point has, where the system leaves that to the program.
 *
 * On X11 a window's unit is a pixel whatever the display; desktops say what they want in GDK_SCALE,
 * QT_SCALE_FACTOR or the X resource Xft.dpi. */
#include "app/desktop/window_parts.h"

#include <string.h>

#include "base/text.h"

static float between(double value)
{
    return (float)(value < 0.5 ? 0.5 : value > 4 ? 4 : value);
}

/* 0: the variable says nothing. */
static float from_environment(const char *name)
{
    const char *text = SDL_getenv(name);
    double value = 0;
    return text && text_to_double(text, &value) && value > 0 ? between(value) : 0;
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
    const float dots = window_scale_resource(window_x11_resources(window), "Xft.dpi");
    return dots > 0 ? between(dots / 96.0) : 0;
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
