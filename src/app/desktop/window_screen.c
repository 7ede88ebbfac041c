/* The window, its pixels, and the player that fills them.
 *
 * Without a GPU Cairo draws into the window's own surface: a software OpenGL is three to thirty
 * times slower at the same list. A surface and a renderer never share a window. */
#include "app/desktop/window_internal.h"

#include <math.h>
#include <string.h>

#include "base/system/file.h"
#include "canvas/draw/logo.h"

enum {
    START_WIDTH = 1440,
    START_HEIGHT = 900,
    WIDTH_MIN = 320,
    HEIGHT_MIN = 200,
    ICON = 64,
    FAILURES_MAX = 3
};

/* Making an OpenGL context only to learn that it is a slow one takes longer than the first picture.
 */
static bool gpu_is_likely(void)
{
#ifdef __linux__
    static const char *const devices[] = {"/dev/dri", "/dev/nvidiactl", "/dev/dxg"};
    for (size_t i = 0; i < SDL_arraysize(devices); i++) {
        if (system_exists(devices[i])) {
            return true;
        }
    }
    return false;
#else
    return true;
#endif
}

static bool make_window(struct window_screen *screen, struct error *error)
{
    screen->window = SDL_CreateWindow(
        "attnscope", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, START_WIDTH, START_HEIGHT,
        SDL_WINDOW_HIDDEN | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!screen->window) {
        return error_set(error, ERROR_DISPLAY, "The window could not be opened: %s.",
                         SDL_GetError());
    }
    SDL_SetWindowMinimumSize(screen->window, WIDTH_MIN, HEIGHT_MIN);
    return true;
}

static void drop_geometry(struct window_screen *screen)
{
    render_sdl_close(screen->geometry);
    screen->geometry = NULL;
}

static void drop_renderer(struct window_screen *screen)
{
    drop_geometry(screen);
    if (screen->renderer) {
        SDL_DestroyRenderer(screen->renderer);
        screen->renderer = NULL;
    }
}

/* The renderer made the window fit for OpenGL; Cairo gets a fresh one. */
static bool leave_renderer(struct window_screen *screen, struct error *error)
{
    drop_renderer(screen);
    SDL_DestroyWindow(screen->window);
    screen->window = NULL;
    return make_window(screen, error);
}

static bool take_renderer(struct window_screen *screen, bool forced)
{
    screen->renderer = SDL_CreateRenderer(screen->window, -1,
                                          SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC);
    if (!screen->renderer || (!forced && !render_sdl_is_accelerated(screen->renderer))) {
        return false;
    }
    screen->geometry = render_sdl_open(screen->fonts, screen->renderer, NULL);
    return screen->geometry != NULL;
}

/* A palette has no colours for most of what is drawn; SDL may not even know its format. */
static bool has_colours(const struct window_screen *screen, struct error *error)
{
    const Uint32 format = SDL_GetWindowPixelFormat(screen->window);
    const bool known = format != SDL_PIXELFORMAT_UNKNOWN || SDL_GetWindowSurface(screen->window);
    return (known && !SDL_ISPIXELFORMAT_INDEXED(format)) ||
           error_set(error, ERROR_DISPLAY,
                     "This display shows too few colours, 256 or less: attnscope needs 15 bits a "
                     "pixel. \"attnscope render\" draws pictures without a display.");
}

bool window_screen_open(struct window_screen *screen, const struct app_window *action,
                        struct fonts *fonts, struct error *error)
{
    screen->fonts = fonts;
    screen->cairo = render_cairo_open(fonts, error);
    screen->changes = changes_open();
    if (screen->cairo && !screen->changes) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for a window.");
    }
    if (!screen->cairo || !screen->changes || !make_window(screen, error) ||
        !has_colours(screen, error)) {
        window_screen_close(screen);
        return false;
    }
    bool forced = action->renderer == APP_RENDERER_GPU;
    bool tries = forced || (action->renderer == APP_RENDERER_AUTO && gpu_is_likely());
    if (!tries || take_renderer(screen, forced)) {
        return true;
    }
    if (!leave_renderer(screen, error)) {
        window_screen_close(screen);
        return false;
    }
    return true;
}

void window_screen_close(struct window_screen *screen)
{
    drop_renderer(screen);
    if (screen->cairo) {
        render_cairo_close(screen->cairo);
    }
    changes_close(screen->changes);
    SDL_FreeSurface(screen->beside);
    if (screen->window) {
        SDL_DestroyWindow(screen->window);
    }
    memset(screen, 0, sizeof *screen);
}

void window_screen_size(const struct window_screen *screen, int *width, int *height)
{
    *width = 0;
    *height = 0;
    if (screen->renderer) {
        SDL_GetRendererOutputSize(screen->renderer, width, height);
    } else {
#if SDL_VERSION_ATLEAST(2, 26, 0)
        SDL_GetWindowSizeInPixels(screen->window, width, height);
#else
        SDL_GetWindowSize(screen->window, width, height);
#endif
    }
    *width = *width < 1 ? 1 : *width;
    *height = *height < 1 ? 1 : *height;
}

/* The whole pixels of a part. */
static SDL_Rect pixels_of(struct rect area, float scale, const SDL_Surface *surface)
{
    const SDL_Rect all = {0, 0, surface->w, surface->h};
    const int left = (int)floorf(area.x * scale), top = (int)floorf(area.y * scale);
    const SDL_Rect part = {left, top, (int)ceilf((area.x + area.w) * scale) - left,
                           (int)ceilf((area.y + area.h) * scale) - top};
    SDL_Rect cut = {0, 0, 0, 0};
    SDL_IntersectRect(&all, &part, &cut);
    return cut;
}

static bool draw_areas(struct window_screen *screen, const struct canvas *canvas, float scale,
                       SDL_Surface *surface, const struct rect *area, size_t areas)
{
    if (SDL_MUSTLOCK(surface) && SDL_LockSurface(surface) != 0) {
        return false;
    }
    bool drawn = true;
    for (size_t i = 0; i < areas && drawn; i++) {
        drawn = render_cairo_pixels(screen->cairo, canvas, scale, &area[i],
                                    (struct render_pixels){.at = surface->pixels,
                                                           .width = surface->w,
                                                           .height = surface->h,
                                                           .pitch = surface->pitch},
                                    NULL);
    }
    if (SDL_MUSTLOCK(surface)) {
        SDL_UnlockSurface(surface);
    }
    return drawn;
}

/* Where the display has 15 or 16 bits a pixel Cairo draws beside it, and SDL converts. */
static SDL_Surface *drawn_surface(struct window_screen *screen, SDL_Surface *surface)
{
    if (surface->format->BytesPerPixel == 4) {
        return surface;
    }
    SDL_Surface *const beside = screen->beside;
    if (beside && beside->w == surface->w && beside->h == surface->h) {
        return beside;
    }
    SDL_FreeSurface(beside);
    screen->pixels = NULL;
    screen->beside =
        SDL_CreateRGBSurfaceWithFormat(0, surface->w, surface->h, 32, SDL_PIXELFORMAT_RGB888);
    return screen->beside;
}

static bool convert_areas(SDL_Surface *from, SDL_Surface *to, const SDL_Rect *part, size_t parts)
{
    for (size_t i = 0; i < parts; i++) {
        SDL_Rect there = part[i];
        if (SDL_BlitSurface(from, &part[i], to, &there) != 0) {
            return false;
        }
    }
    return true;
}

static bool show_surface(struct window_screen *screen, const struct canvas *canvas, float scale,
                         bool anew)
{
    SDL_Surface *const shown = SDL_GetWindowSurface(screen->window);
    SDL_Surface *const surface = shown && shown->pixels ? drawn_surface(screen, shown) : NULL;
    if (!surface) {
        return false;
    }
    if (anew || shown->pixels != screen->pixels) {
        changes_forget(screen->changes);
    }
    screen->pixels = NULL; /* until the picture stands there */
    struct rect area[CHANGES_MAX];
    SDL_Rect part[CHANGES_MAX];
    size_t areas = changes_find(screen->changes, canvas, scale, surface->w, surface->h, area);
    for (size_t i = 0; i < areas; i++) {
        part[i] = pixels_of(area[i], scale, surface);
    }
    if (!draw_areas(screen, canvas, scale, surface, area, areas)) {
        return false;
    }
    if ((surface != shown && !convert_areas(surface, shown, part, areas)) ||
        (areas > 0 && SDL_UpdateWindowSurfaceRects(screen->window, part, (int)areas) != 0)) {
        return false;
    }
    screen->pixels = shown->pixels;
    return true;
}

bool window_screen_is_full(const struct window_screen *screen)
{
    return (SDL_GetWindowFlags(screen->window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
}

void window_screen_fill(struct window_screen *screen, bool full)
{
    SDL_Rect *const own = &screen->own;
    if (full == window_screen_is_full(screen)) {
        return;
    }
    if (full) {
        SDL_GetWindowPosition(screen->window, &own->x, &own->y);
        SDL_GetWindowSize(screen->window, &own->w, &own->h);
    }
    SDL_SetWindowFullscreen(screen->window, full ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    if (!full && own->w > 0) {
        SDL_SetWindowSize(screen->window, own->w, own->h);
        SDL_SetWindowPosition(screen->window, own->x, own->y);
    }
}

/* Another window as the present one stands, for Cairo. False: there can be none, and the present
 * one stays. */
static bool replace_window(struct window_screen *screen)
{
    SDL_Window *const former = screen->window;
    const Uint32 flags = SDL_GetWindowFlags(former);
    int x, y, width, height;
    SDL_GetWindowPosition(former, &x, &y);
    SDL_GetWindowSize(former, &width, &height);
    if (!make_window(screen, NULL)) {
        screen->window = former;
        return false;
    }
    SDL_SetWindowTitle(screen->window, SDL_GetWindowTitle(former));
    SDL_SetWindowSize(screen->window, width, height);
    SDL_SetWindowPosition(screen->window, x, y);
    drop_renderer(screen);
    SDL_DestroyWindow(former);
    window_screen_icon(screen);
    if (flags & SDL_WINDOW_MAXIMIZED) {
        SDL_MaximizeWindow(screen->window);
    }
    SDL_SetWindowFullscreen(screen->window, flags & SDL_WINDOW_FULLSCREEN_DESKTOP);
    SDL_ShowWindow(screen->window);
    return true;
}

/* A player that failed is made anew for the next try: its textures may be what failed. */
static bool show_geometry(struct window_screen *screen, const struct canvas *canvas, float scale,
                          struct colour ground)
{
    if (!screen->geometry) {
        window_screen_renew(screen);
    }
    if (screen->geometry && render_sdl_play(screen->geometry, canvas, scale, ground, NULL)) {
        SDL_RenderPresent(screen->renderer);
        screen->failures = 0;
        return true;
    }
    screen->failures++;
    drop_geometry(screen);
    return false;
}

bool window_screen_show(struct window_screen *screen, const struct canvas *canvas, float scale,
                        struct colour ground, bool anew)
{
    if (screen->renderer && show_geometry(screen, canvas, scale, ground)) {
        return true;
    }
    if (screen->renderer && (screen->failures < FAILURES_MAX || !replace_window(screen))) {
        return false;
    }
    return show_surface(screen, canvas, scale, anew);
}

void window_screen_renew(struct window_screen *screen)
{
    if (!screen->renderer) {
        return;
    }
    drop_geometry(screen);
    screen->geometry = render_sdl_open(screen->fonts, screen->renderer, NULL);
}

void window_screen_icon(struct window_screen *screen)
{
    struct canvas *canvas = canvas_open(screen->fonts);
    SDL_Surface *icon = SDL_CreateRGBSurfaceWithFormat(0, ICON, ICON, 32, SDL_PIXELFORMAT_ARGB8888);
    if (canvas && icon) {
        canvas_logo(canvas, ICON);
        SDL_memset(icon->pixels, 0, (size_t)icon->pitch * (size_t)icon->h);
        struct render_pixels pixels = {icon->pixels, icon->w, icon->h, icon->pitch, true};
        if (render_cairo_pixels(screen->cairo, canvas, 1, NULL, pixels, NULL)) {
            SDL_SetWindowIcon(screen->window, icon);
        }
    }
    SDL_FreeSurface(icon);
    if (canvas) {
        canvas_close(canvas);
    }
}
