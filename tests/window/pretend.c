#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define SDL_MAIN_HANDLED
#include "app/actions/startup.h"
#include "folder.h"
#include "pretend.h"

enum { TICKS = 1000000, REST_TICKS = 3 * TICKS, TURNS_MAX = 1000000 };

static struct {
    struct pretend pretend;
    const pretend_act *act;
    size_t count, at;
    Uint64 clock, acted_at;
    size_t turns;
} play;

/* --- the clock, and who waits --- */

SDL_Window *__real_SDL_CreateWindow(const char *title, int x, int y, int w, int h, Uint32 flags);
void __real_SDL_DestroyWindow(SDL_Window *window);
SDL_Renderer *__real_SDL_CreateRenderer(SDL_Window *window, int index, Uint32 flags);
void __real_SDL_DestroyRenderer(SDL_Renderer *renderer);
SDL_Texture *__real_SDL_CreateTexture(SDL_Renderer *renderer, Uint32 format, int access, int w,
                                      int h);
void __real_SDL_DestroyTexture(SDL_Texture *texture);
SDL_Surface *__real_SDL_GetWindowSurface(SDL_Window *window);
int __real_SDL_UpdateWindowSurfaceRects(SDL_Window *window, const SDL_Rect *part, int parts);
void __real_SDL_RenderPresent(SDL_Renderer *renderer);
char *__real_SDL_GetClipboardText(void);

SDL_Window *__wrap_SDL_CreateWindow(const char *title, int x, int y, int w, int h, Uint32 flags);
void __wrap_SDL_DestroyWindow(SDL_Window *window);
SDL_Renderer *__wrap_SDL_CreateRenderer(SDL_Window *window, int index, Uint32 flags);
void __wrap_SDL_DestroyRenderer(SDL_Renderer *renderer);
SDL_Texture *__wrap_SDL_CreateTexture(SDL_Renderer *renderer, Uint32 format, int access, int w,
                                      int h);
void __wrap_SDL_DestroyTexture(SDL_Texture *texture);
SDL_Surface *__wrap_SDL_GetWindowSurface(SDL_Window *window);
int __wrap_SDL_UpdateWindowSurfaceRects(SDL_Window *window, const SDL_Rect *part, int parts);
void __wrap_SDL_RenderPresent(SDL_Renderer *renderer);
char *__wrap_SDL_GetClipboardText(void);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
Uint64 __wrap_SDL_GetPerformanceCounter(void);
Uint64 __wrap_SDL_GetPerformanceFrequency(void);
int __wrap_SDL_WaitEvent(SDL_Event *event);
int __wrap_SDL_WaitEventTimeout(SDL_Event *event, int milliseconds);

/* How long a run took is on the screen. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    *time = (struct timespec){.tv_sec = (time_t)(play.clock / TICKS)};
    return 0;
}

Uint64 __wrap_SDL_GetPerformanceCounter(void)
{
    return play.clock;
}

Uint64 __wrap_SDL_GetPerformanceFrequency(void)
{
    return TICKS;
}

static void play_next(void)
{
    play.acted_at = play.clock;
    if (play.at < play.count) {
        play.act[play.at++](&play.pretend);
    } else {
        pretend_event(SDL_QUIT);
    }
}

static int wait_for(Uint64 ticks)
{
    if (play.turns++ > TURNS_MAX) {
        fail_msg("after act %zu the window comes to no rest", play.at);
    }
    if (SDL_PollEvent(NULL)) {
        return 1;
    }
    const Uint64 rest = play.acted_at + REST_TICKS;
    const bool rests = play.clock + ticks >= rest;
    play.clock = rests ? (rest > play.clock ? rest : play.clock) : play.clock + ticks;
    if (rests) {
        play_next();
    }
    return SDL_PollEvent(NULL);
}

int __wrap_SDL_WaitEvent(SDL_Event *event)
{
    assert_null(event);
    return wait_for(REST_TICKS);
}

int __wrap_SDL_WaitEventTimeout(SDL_Event *event, int milliseconds)
{
    assert_null(event);
    return wait_for((Uint64)milliseconds * (TICKS / 1000) + 1);
}

/* --- calls that fail --- */

static bool is_failing(enum pretend_call call)
{
    struct pretend *const pretend = &play.pretend;
    const size_t number = ++pretend->calls[call], from = pretend->fails_from[call];
    const size_t most = pretend->fails_most[call];
    if (from == 0 || number < from || (most > 0 && number >= from + most)) {
        return false;
    }
    SDL_SetError("it was told to fail");
    return true;
}

SDL_Window *__wrap_SDL_CreateWindow(const char *title, int x, int y, int w, int h, Uint32 flags)
{
    SDL_Window *const window =
        is_failing(PRETEND_WINDOW) ? NULL : __real_SDL_CreateWindow(title, x, y, w, h, flags);
    play.pretend.window = window ? window : play.pretend.window;
    return window;
}

SDL_Renderer *__wrap_SDL_CreateRenderer(SDL_Window *window, int index, Uint32 flags)
{
    (void)index;
    (void)flags;
    play.pretend.renderer = is_failing(PRETEND_RENDERER)
                                ? NULL
                                : __real_SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
    return play.pretend.renderer;
}

void __wrap_SDL_DestroyRenderer(SDL_Renderer *renderer)
{
    play.pretend.renderer = NULL;
    __real_SDL_DestroyRenderer(renderer);
}

SDL_Texture *__wrap_SDL_CreateTexture(SDL_Renderer *renderer, Uint32 format, int access, int w,
                                      int h)
{
    struct pretend *const pretend = &play.pretend;
    SDL_Texture *const texture = is_failing(PRETEND_TEXTURE)
                                     ? NULL
                                     : __real_SDL_CreateTexture(renderer, format, access, w, h);
    if (texture != NULL) {
        assert_true(pretend->textures < PRETEND_TEXTURES_MAX);
        pretend->texture[pretend->textures++] = texture;
    }
    return texture;
}

void __wrap_SDL_DestroyTexture(SDL_Texture *texture)
{
    struct pretend *const pretend = &play.pretend;
    for (size_t t = 0; t < pretend->textures; t++) {
        if (pretend->texture[t] == texture) {
            pretend->texture[t] = pretend->texture[--pretend->textures];
        }
    }
    __real_SDL_DestroyTexture(texture);
}

SDL_Surface *__wrap_SDL_GetWindowSurface(SDL_Window *window)
{
    return is_failing(PRETEND_SURFACE) ? NULL : __real_SDL_GetWindowSurface(window);
}

int __wrap_SDL_UpdateWindowSurfaceRects(SDL_Window *window, const SDL_Rect *part, int parts)
{
    play.pretend.frames++;
    return __real_SDL_UpdateWindowSurfaceRects(window, part, parts);
}

void __wrap_SDL_RenderPresent(SDL_Renderer *renderer)
{
    play.pretend.frames++;
    __real_SDL_RenderPresent(renderer);
}

char *__wrap_SDL_GetClipboardText(void)
{
    if (is_failing(PRETEND_CLIPBOARD)) {
        SDL_SetError("Clipboard timeout"); /* as SDL says it on X11 */
        return SDL_strdup("");
    }
    if (is_failing(PRETEND_PIECES)) {
        return SDL_strdup("");
    }
    return __real_SDL_GetClipboardText();
}

void pretend_fail(struct pretend *pretend, enum pretend_call call, size_t most)
{
    pretend->fails_from[call] = pretend->calls[call] + 1;
    pretend->fails_most[call] = most;
}

void pretend_mend(struct pretend *pretend, enum pretend_call call)
{
    pretend->fails_from[call] = 0;
}

/* --- hands --- */

static void push_event(SDL_Event event)
{
    assert_int_equal(SDL_PushEvent(&event), 1);
}

void pretend_event(Uint32 type)
{
    push_event((SDL_Event){.type = type});
}

void pretend_window_event(struct pretend *pretend, Uint8 what)
{
    SDL_Event event = {.type = SDL_WINDOWEVENT};
    event.window.windowID = SDL_GetWindowID(pretend->window);
    event.window.event = what;
    push_event(event);
}

void pretend_key(SDL_Keycode key, SDL_Keymod mods)
{
    SDL_Event event = {.type = SDL_KEYDOWN};
    event.key.keysym.sym = key;
    event.key.keysym.mod = (Uint16)mods;
    push_event(event);
}

void pretend_click(int x, int y)
{
    SDL_Event event = {.type = SDL_MOUSEBUTTONDOWN};
    event.button.button = SDL_BUTTON_LEFT;
    event.button.clicks = 1;
    event.button.x = x;
    event.button.y = y;
    push_event(event);
    event.type = SDL_MOUSEBUTTONUP;
    push_event(event);
}

/* --- eyes --- */

struct picture pretend_look(struct pretend *pretend)
{
    struct picture picture = {0};
    if (pretend->renderer != NULL) {
        SDL_GetRendererOutputSize(pretend->renderer, &picture.width, &picture.height);
        const size_t row = (size_t)picture.width * 4;
        picture.pixels = malloc(row * (size_t)picture.height);
        assert_non_null(picture.pixels);
        assert_int_equal(SDL_RenderReadPixels(pretend->renderer, NULL, SDL_PIXELFORMAT_RGB888,
                                              picture.pixels, (int)row),
                         0);
        return picture;
    }
    const SDL_Surface *const surface = __real_SDL_GetWindowSurface(pretend->window);
    assert_non_null(surface);
    const size_t row = (size_t)surface->w * 4;
    picture = (struct picture){malloc(row * (size_t)surface->h), surface->w, surface->h};
    assert_non_null(picture.pixels);
    for (int y = 0; y < picture.height; y++) {
        memcpy((uint8_t *)picture.pixels + row * (size_t)y,
               (const uint8_t *)surface->pixels + (size_t)surface->pitch * (size_t)y, row);
    }
    return picture;
}

bool picture_equal(const struct picture *a, const struct picture *b)
{
    if (a->width != b->width || a->height != b->height) {
        return false;
    }
    for (size_t i = 0; i < (size_t)a->width * (size_t)a->height; i++) {
        if (((a->pixels[i] ^ b->pixels[i]) & 0xffffff) != 0) {
            return false;
        }
    }
    return true;
}

void pretend_expect(struct pretend *pretend, const struct picture *expected, const char *what)
{
    struct picture present = pretend_look(pretend);
    const bool same = picture_equal(&present, expected);
    const int width = present.width, height = present.height;
    free(present.pixels);
    if (!same) {
        fail_msg("%s: the picture of %d x %d is another (expected %d x %d)", what, width, height,
                 expected->width, expected->height);
    }
}

/* --- the run --- */

static void forget_kept_work(void)
{
    const char *const home = getenv("ATTNSCOPE_HOME");
    char kept[512];
    assert_non_null(home);
    assert_in_range(snprintf(kept, sizeof kept, "%s/unsaved", home), 1, sizeof kept - 1);
    folder_empty(kept);
}

void pretend_run(const struct app_window *action, const char *lesson, const pretend_act *acts,
                 size_t count, const struct pretend *before)
{
    struct error error = {0};
    struct app_state *const state = calloc(1, sizeof *state);
    assert_non_null(state);
    forget_kept_work();
    memset(&play, 0, sizeof play);
    if (before != NULL) {
        play.pretend = *before;
    }
    play.pretend.state = state;
    play.act = acts;
    play.count = count;
    play.clock = play.acted_at = 100 * (Uint64)TICKS;
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    if (!app_state_open(state, lesson, NULL, &error) || !app_window_run(action, state, &error)) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(play.at, count);
    app_state_close(state);
    free(state);
}
