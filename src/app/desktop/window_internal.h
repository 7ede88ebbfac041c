/* app/desktop/window_internal.h — what the files of the window share: input (events → record),
 * screen (list → pixels), scale, motion, pictures on the clipboard. */
#ifndef APP_DESKTOP_WINDOW_INTERNAL_H
#define APP_DESKTOP_WINDOW_INTERNAL_H

#include <SDL.h>

#include "app/desktop/clipboard_owner.h"
#include "app/desktop/window.h"
#include "app/draw/frame.h"
#include "base/translate.h"
#include "canvas/draw/changes.h"
#include "canvas/render/render.h"
#include "file/pasted.h"

/* --- window_input.c: SDL events → one ui_input record at a time --- */

/* One byte more than anything takes, so that what is too much is known to be. */
enum { WINDOW_TEXT_MAX = 1024, WINDOW_PASTE_MAX = PASTED_BYTES_MAX + 1 };

/* The kinds of content that a record already holds. A record says where the pointer is and what was
 * done there, but not in which order; so it ends where the order would be lost, and the event that
 * did not fit waits. */
enum window_content {
    WINDOW_NOTHING,
    WINDOW_MOVED,
    WINDOW_WHEELED,
    WINDOW_STRUCK,
    WINDOW_TYPED,
    WINDOW_CLICKED,
};

struct window_input_state {
    struct ui_input record;
    enum window_content content;
    float points_x, points_y; /* points of one unit of SDL's window coordinates */
    char text[WINDOW_TEXT_MAX];
    char composing[WINDOW_TEXT_MAX];
    char *paste;  /* SDL's; NULL: none */
    char *coming; /* a text that was asked for and is on its way, SDL's; NULL: none */
    struct app_clipboard_request asked; /* of coming */
    int fingers;                        /* on the screen */
    bool gesture; /* of two fingers: what SDL makes of the first as a mouse is ignored */
    float gesture_x, gesture_y; /* between them */
    SDL_Event waiting;          /* type 0: none */
};

/* Events of the window itself, a bit each. */
enum window_news_bit {
    NEWS_QUIT = 1,
    NEWS_EXPOSED = 2, /* its pixels are gone */
    NEWS_RESIZED = 4, /* size or display may have changed */
    NEWS_MOVED = 8,   /* onto another display, which may have another scale */
    NEWS_TEXTURES_LOST = 16,
    NEWS_HIDDEN = 32, /* never with the next one: the later of them holds */
    NEWS_SHOWN = 64,
    NEWS_TEXT_DROPPED = 128
};

/* News of the window itself. */
struct window_news {
    unsigned came;  /* enum window_news_bit */
    char **dropped; /* paths, SDL's; of any number */
    size_t drops, room;
};

/* Gives the paths back. */
void window_news_free(struct window_news *news);

/* Forgets what was done, keeps where the hands are. */
void window_input_state_rest(struct window_input_state *input);

/* True when the event was taken, or is none of ours; false: the record is full, it takes the event
 * after window_input_state_rest. */
bool window_input_state_take(struct window_input_state *input, const SDL_Event *event);

/* Collects what is pending; true when something is left for a further record. */
bool window_input_state_collect(struct window_input_state *input, struct window_news *news);

/* Asks for the clipboard's text, which stands in the record then, or as soon as it has come
 * (window_input_state_await): `coming` tells. NULL; or, where none came, a sentence that says why.
 */
const char *window_input_state_paste(struct window_input_state *input);

/* Where a text is on its way: waits so long for it at most; likewise. */
const char *window_input_state_await(struct window_input_state *input, int milliseconds);

/* Nothing is waited for any more. */
void window_input_state_close(struct window_input_state *input);

/* --- window_screen.c: the window's pixels and the player that fills them --- */

struct window_screen {
    SDL_Window *window;
    SDL_Renderer *renderer;      /* NULL: Cairo draws into the window's surface */
    struct render_sdl *geometry; /* of renderer */
    struct render_cairo *cairo;  /* always there: the surface and the icon */
    struct changes *changes;     /* what of the surface is to be drawn again */
    const void *pixels;          /* of the surface that holds the former picture */
    SDL_Surface
        *beside; /* what Cairo draws on where the surface has not 32 bits a pixel; else NULL */
    struct fonts *fonts;
    int failures; /* frames in a row that the renderer could not draw */
    SDL_Rect own; /* where the window stood before it filled the screen; w 0: it never did */
};

/* Fills the screen, or stands again where it stood before. Not every SDL gives the size back by
 * itself (sdl2-compat does not on X11). */
bool window_screen_is_full(const struct window_screen *screen);
void window_screen_fill(struct window_screen *screen, bool full);

bool window_screen_open(struct window_screen *screen, const struct app_window *action,
                        struct fonts *fonts, struct error *error);
void window_screen_close(struct window_screen *screen);

/* Size in pixels, at least 1 × 1. */
void window_screen_size(const struct window_screen *screen, int *width, int *height);

/* Plays the list; anew: the pixels on screen are not the former picture. False: the system had no
 * pixels to give; worth another try at the next event. A renderer that fails again and again is
 * left for Cairo, in another window at the same place. */
bool window_screen_show(struct window_screen *screen, const struct canvas *canvas, float scale,
                        struct colour ground, bool anew);

/* Textures were lost: makes them again. */
void window_screen_renew(struct window_screen *screen);

void window_screen_icon(struct window_screen *screen);

/* --- window_desktop.c --- */

/* Returns what the desktop asks for: pixels a point where the system itself does not scale; 1 when
 * it says nothing. */
float window_scale_wished(SDL_Window *window);

/* The next larger (steps > 0) or smaller interface scale from present. */
float window_scale_step(float present, float steps);

/* Returns whether so many points are enough for every part of the window: at 300 % those of an
 * ordinary screen are. */
bool window_scale_fits(float width, float height);

/* The number of a line "name: value" of X resources; 0: there is none. */
float window_scale_resource(const char *resources, const char *name);

/* From now on an X error is a request that came to nothing, and no end of the program: a window
 * that asks for the clipboard may die before it is answered, and our own before SDL's last message
 * to it arrives. Before SDL begins: it has a handler of its own, and in the end sets back the one
 * it found. */
void window_x11_survive(void);

/* Returns whether nothing should move by itself: ATTNSCOPE_REDUCE_MOTION says so, or
 * GTK_ENABLE_ANIMATIONS, or the settings of the desktop. */
bool window_motion_reduced(void);

/* The same as the text of a settings.ini has it. */
bool window_motion_settings(const char *settings);

/* --- window_end.c --- */

/* From now on a signal closes the window (state->ended_by says which) and a vanished display keeps
 * the work. NULL: no memory. */
struct window_end *window_end_watch(struct app_state *state);

/* Returns whether a signal asks for the end: then nobody can be asked anything. */
bool window_end_is_near(const struct window_end *end);

/* The work is kept aside; where nobody could be asked about what cannot be, stderr tells. */
void window_end_close(struct window_end *end, struct app_state *state);

/* --- window_settings.c: where the window stood, on every screen --- */

/* Finds the part of a screen that a window may take without its title bar. False: unknown. */
bool window_place_usable(int display, SDL_Rect *usable);

/* Puts the window where it stood last, inside what can be seen. False: it is not known. */
bool window_place_restore(SDL_Window *window);

/* A window that is shown has a title bar by now: what of it is below the screen for that moves up.
 * False: nothing is. */
bool window_place_settle(SDL_Window *window);
void window_place_keep(SDL_Window *window);

/* The language that is spoken from one run to the next. */

/* Speaks the language of that code, or the one chosen last, or the one the system asks for; English
 * where the fonts cannot draw it, and *mute is that language then, else NULL. Returns what is
 * spoken. */
const struct language *window_language_begin(const char *code, struct fonts *fonts,
                                             const struct language **mute);

/* Remembers the language if another one was chosen since. */
void window_language_keep(const struct language *begun);

/* --- window_choose.c: the desktop's own dialog for files --- */

#define WINDOW_CHOICE_TITLE "Open a lesson, a session, a picture or numbers"
#define WINDOW_CHOICE_FILTER "Files that attnscope opens"
struct window_choice;

/* Returns whether there is such a dialog. */
bool window_choice_is_there(void);

/* Opens it; the file that is chosen arrives as if it were dropped.
 * NULL: it could not be opened. */
struct window_choice *window_choice_open(void);

/* True while the dialog is open. */
bool window_choice_waits(struct window_choice *choice);

/* True when no dialog came to be; an event tells it to the window. NULL is fine. */
bool window_choice_failed(struct window_choice *choice);

/* Closes the dialog where it is still open. NULL is fine. */
void window_choice_close(struct window_choice *choice);

/* --- window_dialog.c: the portal's, zenity or kdialog; window_dialog_windows.c: that of Windows
 * --- */

enum window_portal_answer {
    WINDOW_PORTAL_NONE, /* there is none, or it cannot open a dialog */
    WINDOW_PORTAL_CANCELLED,
    WINDOW_PORTAL_CHOSEN
};

enum { WINDOW_DIALOG_PATH_BYTES = 4096 };

struct window_dialog {
    SDL_atomic_t child; /* the number of the program that shows it; 0: none was started */
    SDL_atomic_t cancelled;
};

bool window_dialog_is_there(void);

/* Opens the first that there is and waits for its end: not for the window's own thread. */
enum window_portal_answer window_dialog_choose(struct window_dialog *dialog,
                                               char path[WINDOW_DIALOG_PATH_BYTES]);

/* Asks it to end, from another thread; and lets go of it when it has ended. */
void window_dialog_cancel(struct window_dialog *dialog);
void window_dialog_close(struct window_dialog *dialog);

/* --- window_portal.c: the one that a desktop's portal opens --- */

/* Returns whether the desktop says that it has one. */
bool window_portal_is_there(void);

/* Opens the dialog and waits for its end, or until `cancelled` is no longer 0: not for the window's
 * own thread. CHOSEN: the path is in `path`. */
enum window_portal_answer window_portal_choose(SDL_atomic_t *cancelled, char *path, size_t size);

/* --- window_manual.c --- */

/* Opens the folder of the manual with the desktop's own program, and says on the status line where
 * it is. */
void window_manual_open(struct app_state *state, double time);

#endif
