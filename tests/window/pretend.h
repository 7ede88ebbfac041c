/* pretend.h — the whole window, loop and all, on a screen that SDL pretends to have: the test's own
 * clock, textures and surfaces that fail when it wants them to (-Wl,--wrap), and acts that are
 * played one after another, each when the program has come to rest.
 *
 *     static const pretend_act acts[] = {look_first, lose_textures, look_again};
 *     pretend_run(&action, "cats", acts, 3, &subject);
 *
 * SDL's software renderer stands for a GPU. Include behind cmocka.h. */
#ifndef WINDOW_PRETEND_H
#define WINDOW_PRETEND_H

#include <SDL.h>

#include "app/desktop/window.h"
#include "app/document/state.h"

enum pretend_call {
    PRETEND_RENDERER,  /* SDL_CreateRenderer */
    PRETEND_TEXTURE,   /* SDL_CreateTexture */
    PRETEND_SURFACE,   /* SDL_GetWindowSurface */
    PRETEND_WINDOW,    /* SDL_CreateWindow */
    PRETEND_CLIPBOARD, /* SDL_GetClipboardText: its owner does not answer */
    PRETEND_PIECES,    /* SDL_GetClipboardText: its owner has more than X11 gives at once */
    PRETEND_CALLS
};

enum { PRETEND_TEXTURES_MAX = 256 };

struct pretend {
    struct app_state *state;
    void *subject; /* the test's own */
    SDL_Window *window;
    SDL_Renderer *renderer; /* NULL: Cairo draws */
    SDL_Texture *texture[PRETEND_TEXTURES_MAX];
    size_t textures;
    size_t calls[PRETEND_CALLS];      /* so far */
    size_t fails_from[PRETEND_CALLS]; /* from this call on, counted from 1; 0: never */
    size_t fails_most[PRETEND_CALLS]; /* so many of them; 0: all */
    size_t frames;                    /* that reached the screen */
};

typedef void (*pretend_act)(struct pretend *pretend);

/* Runs the window on the lesson, with the acts; then it is closed. The calls of `before` (NULL:
 * none) fail as it says from the start. What an earlier window kept in the test's own folder
 * ($ATTNSCOPE_HOME) is forgotten: the next would tell at which minute that was. */
void pretend_run(const struct app_window *action, const char *lesson, const pretend_act *acts,
                 size_t count, const struct pretend *before);

/* --- for the acts --- */

/* The pixels on the screen. */
struct picture {
    uint32_t *pixels; /* the caller frees them */
    int width, height;
};
struct picture pretend_look(struct pretend *pretend);
bool picture_equal(const struct picture *a, const struct picture *b);

/* Fails the test when the screen does not show that. */
void pretend_expect(struct pretend *pretend, const struct picture *expected, const char *what);

void pretend_window_event(struct pretend *pretend, Uint8 what);
void pretend_event(Uint32 type);
void pretend_key(SDL_Keycode key, SDL_Keymod mods);
void pretend_click(int x, int y);

/* From the next call on so many of this kind fail; 0: all. */
void pretend_fail(struct pretend *pretend, enum pretend_call call, size_t most);
void pretend_mend(struct pretend *pretend, enum pretend_call call);

#endif
