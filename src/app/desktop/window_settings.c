/* Remembers from one run to the next the language, and where the window stood. */
#include <stdio.h>
#include <string.h>

#include "app/desktop/window_internal.h"
#include "app/document/settings_store.h"

/* --- Which language the window speaks, remembered from run to run --- */

const struct language *window_language_begin(const char *code, struct fonts *fonts,
                                             const struct language **mute)
{
    struct arena arena = {0};
    const char *chosen = code;
    if (code == NULL && app_stored_lines("language", &arena, &chosen, 1) == 0) {
        chosen = NULL;
    }
    const struct language *language = chosen != NULL ? language_find(chosen) : language_wished();
    arena_free(&arena);
    *mute = language == NULL || fonts_speak(fonts, language) ? NULL : language;
    language_speak(*mute == NULL ? language : NULL);
    return language_current();
}

void window_language_keep(const struct language *begun)
{
    if (language_current() != begun) {
        app_store_lines("language", &language_current()->code, 1);
    }
}

/* Where the window stood, on every screen: a laptop's own and the projector's each
 * have their place. */

enum { SCREENS_MAX = 8, NAME_BYTES = 160 };

/* A screen is known again by its name and its size. */
static bool name_screen(int display, char name[NAME_BYTES])
{
    SDL_Rect bounds;
    if (display < 0 || SDL_GetDisplayBounds(display, &bounds) != 0) {
        return false;
    }
    const char *const called = SDL_GetDisplayName(display);
    snprintf(name, NAME_BYTES, "%s %dx%d", called ? called : "screen", bounds.w, bounds.h);
    return true;
}

/* Where X11 puts a window that is not shown yet its title bar begins; a shown one, and elsewhere
 * every one, begins below its title bar. */
static bool is_placed_by_bar(void)
{
    const char *const driver = SDL_GetCurrentVideoDriver();
    return driver != NULL && strcmp(driver, "x11") == 0;
}

enum { TITLE_BAR = 40 };

/* The desktop tells how high a title bar is only once the window is shown. */
bool window_place_usable(int display, SDL_Rect *usable)
{
    if (display < 0 || SDL_GetDisplayUsableBounds(display, usable) != 0) {
        return false;
    }
    usable->y += TITLE_BAR;
    usable->h -= TITLE_BAR;
    return true;
}

bool window_place_restore(SDL_Window *window)
{
    char name[SCREENS_MAX][NAME_BYTES];
    const char *names[SCREENS_MAX];
    const int there = SDL_GetNumVideoDisplays();
    int count = 0;
    while (count < there && count < SCREENS_MAX && name_screen(count, name[count])) {
        names[count] = name[count];
        count++;
    }
    struct app_spot place;
    SDL_Rect bounds, usable;
    const size_t screen = app_stored_place(names, (size_t)count, &place);
    if (screen == (size_t)count || SDL_GetDisplayBounds((int)screen, &bounds) != 0 ||
        !window_place_usable((int)screen, &usable)) {
        return false;
    }
    if (is_placed_by_bar()) {
        usable.y -= TITLE_BAR;
    }
    place.x += bounds.x;
    place.y += bounds.y;
    place = app_spot_inside(place, (struct app_spot){usable.x, usable.y, usable.w, usable.h});
    SDL_SetWindowSize(window, place.width, place.height);
    SDL_SetWindowPosition(window, place.x, place.y);
    return true;
}

static const Uint32 not_its_own =
    SDL_WINDOW_FULLSCREEN_DESKTOP | SDL_WINDOW_MAXIMIZED | SDL_WINDOW_MINIMIZED;

bool window_place_settle(SDL_Window *window)
{
    int x, y, height, top = 0, bottom = 0;
    SDL_Rect usable;
    if (!is_placed_by_bar() || (SDL_GetWindowFlags(window) & not_its_own) != 0 ||
        SDL_GetWindowBordersSize(window, &top, NULL, &bottom, NULL) != 0 || top == 0 ||
        SDL_GetDisplayUsableBounds(SDL_GetWindowDisplayIndex(window), &usable) != 0) {
        return false;
    }
    SDL_GetWindowPosition(window, &x, &y);
    SDL_GetWindowSize(window, NULL, &height);
    const int below = y + height + bottom - (usable.y + usable.h);
    const int room = y - top - usable.y;
    if (below <= 0 || room <= 0) {
        return false;
    }
    SDL_SetWindowPosition(window, x, y - (below < room ? below : room));
    return true;
}

void window_place_keep(SDL_Window *window)
{
    const int display = SDL_GetWindowDisplayIndex(window);
    char name[NAME_BYTES];
    SDL_Rect bounds;
    if ((SDL_GetWindowFlags(window) & not_its_own) != 0 || !name_screen(display, name) ||
        SDL_GetDisplayBounds(display, &bounds) != 0) {
        return;
    }
    struct app_spot place;
    int top = 0, left = 0;
    if (is_placed_by_bar() && SDL_GetWindowBordersSize(window, &top, &left, NULL, NULL) != 0) {
        top = left = 0;
    }
    SDL_GetWindowPosition(window, &place.x, &place.y);
    SDL_GetWindowSize(window, &place.width, &place.height);
    place.x -= bounds.x + left;
    place.y -= bounds.y + top;
    app_store_place(name, place);
}
