/* Runs the only event loop: events become records, records frames, frames pixels; and requests of a
 * frame to the window are carried out. Without events and without a wake-up time nothing runs. */
#include "app/desktop/window.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/actions/step.h"
#include "app/desktop/clipboard_owner.h"
#include "app/desktop/window_internal.h"
#include "app/learn/learn.h"
#include "app/open/autosave.h"
#include "app/open/save.h"
#include "base/translate.h"
#include "lab/lesson/lessons.h"

/* --- Pictures on the clipboard --- */

static void put_picture(struct app_state *state, const struct app_request *request, double time)
{
    if (app_clipboard_owner_take(request->copy_picture, request->copy_type)) {
        app_state_show_toast(state, time, "Picture copied");
    } else if (request->copy_text != NULL) {
        app_state_show_message(state, time,
                               SDL_SetClipboardText(request->copy_text) == 0
                                   ? tr("Picture copied, as text")
                                   : tr("This desktop takes no pictures: save it."));
    } else {
        app_state_show_message(
            state, time,
            "This desktop takes no pictures without wl-copy or xclip: save it, or copy "
            "it as SVG.");
    }
}

/* The file name of the desktop entry: docks find the window's name and icon by it. */
#define WINDOW_CLASS "attnscope"

enum { TITLE_BYTES = 256, CURSORS = UI_CURSOR_MOVE + 1, CATCH_UP_MAX = 64 };

static const double frame_time = 1.0 / 60, patience = 0.03, retry_time = 0.1, settle_time = 2;

struct window {
    struct app_state *state;
    struct app_frame *frame;
    struct fonts *fonts;
    struct window_screen screen;
    struct window_input_state input_state;
    struct app_input news; /* what the next step is told beside that */
    const struct app_window *action;

    float scale;         /* pixels a point */
    float zoom;          /* Ctrl + and −, over what the desktop asks for */
    float desktop_scale; /* 0: not asked yet */

    struct app_frame_facts facts;
    uint64_t shown_hash;
    double shown_at;
    bool exposed; /* the pixels on screen are not the list */
    bool shown_badly;
    bool hidden;
    double settles_until;    /* its title bar comes about now; 0: it stands where it stays */
    bool presents, was_full; /* in presenter mode by now; full screen before it began */
    bool pastes_text;        /* a field had the focus when a text was asked for */
    bool again;              /* the last run changed what the next is fed with */
    bool quit;

    struct window_end *end;       /* NULL: signals are not watched */
    struct window_choice *choice; /* the desktop's dialog for files; NULL: none was opened */

    bool text_on;
    struct rect text_area;
    enum ui_cursor cursor;
    SDL_Cursor *cursors[CURSORS];
    char title[TITLE_BYTES];
};

static double now_seconds(void)
{
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

/* --- the start --- */

static void set_hints(void)
{
    static const char *const hints[][2] = {
        {SDL_HINT_APP_NAME, "attnscope"},
        {SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"},
        {SDL_HINT_NO_SIGNAL_HANDLERS, "1"}, /* window_end.c hears them */
        {SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1"},
        {SDL_HINT_RENDER_BATCHING, "1"},
        {SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1"},
        /* else some desktops switch their effects off as for a full-screen game */
        {SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0"},
        {SDL_HINT_WINDOWS_DPI_AWARENESS, "permonitorv2"},
        {SDL_HINT_IME_SHOW_UI, "1"},
        {SDL_HINT_IME_SUPPORT_EXTENDED_TEXT, "1"},
    };
    for (size_t i = 0; i < SDL_arraysize(hints); i++) {
        SDL_SetHint(hints[i][0], hints[i][1]);
    }
    SDL_setenv("SDL_VIDEO_X11_WMCLASS", WINDOW_CLASS, 0);
    SDL_setenv("SDL_VIDEO_WAYLAND_WMCLASS", WINDOW_CLASS, 0);
}

/* Where it finds no display SDL takes a driver that shows nothing, and does not say so. */
static bool driver_shows(void)
{
    static const char *const blind[] = {"offscreen", "dummy", "evdev"};
    const char *driver = SDL_GetCurrentVideoDriver(), *requested = SDL_getenv("SDL_VIDEODRIVER");
    if (!driver) {
        return false;
    }
    for (size_t i = 0; i < SDL_arraysize(blind); i++) {
        if (strcmp(driver, blind[i]) == 0) {
            return requested && strstr(requested, driver);
        }
    }
    return true;
}

static bool is_set(const char *variable)
{
    const char *value = SDL_getenv(variable);
    return value && value[0] != '\0';
}

/* Returns whether there is anything to ask for a window. Without DISPLAY and WAYLAND_DISPLAY SDL
 * would go on to take the whole console of a machine that has one. */
static bool display_is_named(void)
{
#if defined(_WIN32) || defined(__APPLE__) || defined(__HAIKU__)
    return true;
#else
    static const char *const names[] = {"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET",
                                        "SDL_VIDEODRIVER"};
    for (size_t i = 0; i < SDL_arraysize(names); i++) {
        if (is_set(names[i])) {
            return true;
        }
    }
    return false;
#endif
}

/* SDL asks for the desktop's bus. Where it has no address, libdbus would start one, which goes on
 * when the window is gone: it may only be where desktops have it by themselves. */
static void name_bus(void)
{
    static const char variable[] = "DBUS_SESSION_BUS_ADDRESS";
    char address[1024];
    const char *const folder = is_set("XDG_RUNTIME_DIR") ? SDL_getenv("XDG_RUNTIME_DIR") : "/run";
    const int length = snprintf(address, sizeof address, "unix:path=%s/bus", folder);
    if (!is_set(variable) && length > 0 && (size_t)length < sizeof address) {
        SDL_setenv(variable, address, 1);
    }
}

/* Xlib puts the title of a window into the letters of the locale, and leaves the former title where
 * it cannot: in plain C there is no dash. What the program reads and writes stays as it is, for
 * beyond ASCII no byte is a letter there either. */
static void speak_utf8(void)
{
    (void)setlocale(LC_CTYPE, "C.UTF-8");
}

/* SDL_Quit forgets the hints too, so that every try sets its own. */
static bool try_video(const char *randr)
{
    set_hints();
    name_bus();
#ifdef SDL_VIDEO_DRIVER_X11 /* elsewhere DISPLAY may be set for other programs */
    if (is_set("DISPLAY") && !is_set("XDG_RUNTIME_DIR")) {
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11"); /* Wayland cannot be, and complains on stderr */
    }
#endif
    SDL_SetHint(SDL_HINT_VIDEO_X11_XRANDR, randr);
    speak_utf8();
    SDL_SetMainReady(); /* main.c begins by itself, not through SDL */
    if (SDL_Init(SDL_INIT_VIDEO) == 0 && driver_shows()) {
        return true;
    }
    SDL_Quit();
    return false;
}

static bool start_video(struct error *error)
{
    if (is_set("DISPLAY")) {
        window_x11_survive();
    }
    if (display_is_named() && try_video("1")) {
        return true;
    }
    /* An X server without the RandR extension is refused unless it is not asked for it. */
    if (is_set("DISPLAY") && try_video("0")) {
        return true;
    }
    return error_set(error, ERROR_DISPLAY,
                     "There is no display to open a window on; \"attnscope render\" draws pictures "
                     "without one.");
}

/* --- size and scale --- */

/* Where the system scales by itself a window has more pixels than units, and nothing is left to
 * ask. */
static void measure_scale(struct window *window)
{
    int pixels_x, pixels_y, units_x = 1, units_y = 1;
    window_screen_size(&window->screen, &pixels_x, &pixels_y);
    SDL_GetWindowSize(window->screen.window, &units_x, &units_y);
    float ratio_x = (float)pixels_x / (float)(units_x < 1 ? 1 : units_x);
    float ratio_y = (float)pixels_y / (float)(units_y < 1 ? 1 : units_y);
    if (window->desktop_scale <= 0) {
        window->desktop_scale = window_scale_wished(window->screen.window);
    }
    float base = ratio_x > 1.01f ? ratio_x : window->desktop_scale;
    if (window->action->ui_scale > 0) {
        base = window->action->ui_scale * (ratio_x > 1.01f ? ratio_x : 1.0f);
    }
    window->scale = base * window->zoom;
    window->input_state.points_x = ratio_x / window->scale;
    window->input_state.points_y = ratio_y / window->scale;
    window->input_state.record.width = (float)pixels_x / window->scale;
    window->input_state.record.height = (float)pixels_y / window->scale;
    window->input_state.record.scale = window->scale;
}

static bool asks_no_size(const struct app_window *action)
{
    return action->width <= 0 && action->height <= 0;
}

/* The size that was asked for in points; or where it stood last; or the usual one, as much of it as
 * the display has room for. */
static void fit_window(struct window *window)
{
    const struct app_window *action = window->action;
    float units_x = 1 / window->input_state.points_x, units_y = 1 / window->input_state.points_y;
    int width = (int)lroundf((action->width > 0 ? (float)action->width : 1440) * units_x);
    int height = (int)lroundf((action->height > 0 ? (float)action->height : 900) * units_y);
    int x = SDL_WINDOWPOS_CENTERED, y = SDL_WINDOWPOS_CENTERED;
    SDL_Rect usable;
    if (asks_no_size(action) && window_place_restore(window->screen.window)) {
        measure_scale(window);
        return;
    }
    if (asks_no_size(action) &&
        window_place_usable(SDL_GetWindowDisplayIndex(window->screen.window), &usable)) {
        width = width > usable.w ? usable.w : width;
        height = height > usable.h ? usable.h : height;
        x = usable.x + (usable.w - width) / 2;
        y = usable.y + (usable.h - height) / 2;
    }
    SDL_SetWindowSize(window->screen.window, width < 1 ? 1 : width, height < 1 ? 1 : height);
    SDL_SetWindowPosition(window->screen.window, x, y);
    measure_scale(window);
}

/* --- what a frame asks for --- */

static void serve_cursor(struct window *window, enum ui_cursor cursor)
{
    static const SDL_SystemCursor shapes[CURSORS] = {
        [UI_CURSOR_ARROW] = SDL_SYSTEM_CURSOR_ARROW,
        [UI_CURSOR_HAND] = SDL_SYSTEM_CURSOR_HAND,
        [UI_CURSOR_TEXT] = SDL_SYSTEM_CURSOR_IBEAM,
        [UI_CURSOR_RESIZE_H] = SDL_SYSTEM_CURSOR_SIZEWE,
        [UI_CURSOR_RESIZE_V] = SDL_SYSTEM_CURSOR_SIZENS,
        [UI_CURSOR_MOVE] = SDL_SYSTEM_CURSOR_SIZEALL,
    };
    if (cursor == window->cursor || (size_t)cursor >= CURSORS) {
        return;
    }
    if (!window->cursors[cursor]) {
        window->cursors[cursor] = SDL_CreateSystemCursor(shapes[cursor]);
    }
    if (window->cursors[cursor]) {
        SDL_SetCursor(window->cursors[cursor]);
    }
    window->cursor = cursor;
}

/* Text input is on only while a field has the focus: an input method would keep the letters that
 * are commands. */
static void serve_text(struct window *window)
{
    const struct app_frame_facts *facts = &window->facts;
    if (facts->wants_text != window->text_on) {
        window->text_on = facts->wants_text;
        if (window->text_on) {
            SDL_StartTextInput();
        } else {
            SDL_StopTextInput();
            window->input_state.composing[0] = '\0';
            window->input_state.record.composing = NULL;
        }
    }
    struct rect area = facts->text_area;
    if (!window->text_on || memcmp(&area, &window->text_area, sizeof area) == 0) {
        return;
    }
    window->text_area = area;
    float units_x = 1 / window->input_state.points_x, units_y = 1 / window->input_state.points_y;
    SDL_Rect units = {(int)(area.x * units_x), (int)(area.y * units_y),
                      (int)ceilf(area.w * units_x), (int)ceilf(area.h * units_y)};
    SDL_SetTextInputRect(&units);
}

static void serve_title(struct window *window)
{
    char title[TITLE_BYTES] = "attnscope";
    size_t lesson;
    const char *name = window->state->document.experiment.lesson;
    if (name[0] != '\0' && lab_lesson_find(name, &lesson)) {
        snprintf(title, sizeof title, "attnscope — %s", tr(lab_lesson_title(lesson)));
    }
    if (window->state->document.work->path[0] != '\0') {
        const char *const slash = strrchr(window->state->document.work->path, '/');
        snprintf(title, sizeof title, "attnscope — %.180s",
                 slash ? slash + 1 : window->state->document.work->path);
    }
    if (window->state->view.unsaved) {
        const size_t length = strlen(title);
        snprintf(title + length, sizeof title - length, tr(" · not saved"));
    }
    if (strcmp(title, window->title) != 0) {
        memcpy(window->title, title, sizeof title);
        SDL_SetWindowTitle(window->screen.window, title);
    }
}

static void serve_scale(struct window *window, const struct app_request *request)
{
    float zoom = (request->asks & APP_ASKS_FIRST_SCALE) != 0
                     ? 1
                     : window_scale_step(window->zoom, request->ui_scale_step);
    const float less = window->zoom / zoom;
    struct app_state *const state = window->state;
    if (zoom > window->zoom && !window_scale_fits(state->width * less, state->height * less)) {
        app_state_show_message(state, now_seconds(), "The window has no room for anything larger.");
        window->again = true;
    } else if (zoom < window->zoom || zoom > window->zoom) {
        window->zoom = zoom;
        window->exposed = true;
        window->again = true;
        measure_scale(window);
    }
}

/* A presentation has the whole screen that the window is on, and gives it back. */
static void serve_presenter(struct window *window)
{
    const bool presents = window->state->view.prefs.presenter;
    if (presents == window->presents) {
        return;
    }
    window->presents = presents;
    if (presents) {
        window->was_full = window_screen_is_full(&window->screen);
    }
    if (!window->was_full) {
        window_screen_fill(&window->screen, presents);
    }
}

/* The person's wish to close is granted where nothing is lost by it; a signal's always. */
static void ask_to_quit(struct window *window, bool wished, bool anyway)
{
    if (wished && !window->quit && !anyway && !window_end_is_near(window->end) &&
        !app_save_may_close(window->state)) {
        window->again = true; /* to show the question */
        return;
    }
    window->quit = window->quit || wished || anyway;
}

static void serve_request(struct window *window)
{
    struct app_request request = window->state->request;
    memset(&window->state->request, 0, sizeof window->state->request);
    ask_to_quit(window, (request.asks & APP_ASKS_QUIT) != 0,
                (request.asks & APP_ASKS_QUIT_ANYWAY) != 0);
    if (request.copy) {
        SDL_SetClipboardText(request.copy);
    }
    if ((request.asks & APP_ASKS_FULLSCREEN) != 0) {
        window_screen_fill(&window->screen, !window_screen_is_full(&window->screen));
    }
    if (request.copy_picture.at) {
        put_picture(window->state, &request, now_seconds());
        window->again = true; /* to say how it went */
    }
    if ((request.asks & APP_ASKS_FILE) != 0 && !window_choice_waits(window->choice)) {
        window_choice_close(window->choice);
        window->choice = window_choice_open();
    }
    if ((request.asks & APP_ASKS_MANUAL) != 0) {
        window_manual_open(window->state, now_seconds());
        window->again = true; /* to say where it is */
    }
    serve_scale(window, &request);
    serve_presenter(window);
}

/* --- frames --- */

/* A file that was promised and did not open is promised no more. */
static void heed_choice(struct window *window)
{
    if (window_choice_failed(window->choice)) {
        window_choice_close(window->choice);
        window->choice = NULL;
        window->state->host &= ~(unsigned)APP_HOST_CHOOSES_FILES;
        app_state_show_message(window->state, now_seconds(),
                               "The desktop opened no dialog for files.");
    }
}

static void show_sentence(struct window *window, const char *sentence)
{
    if (sentence) {
        app_state_show_message(window->state, now_seconds(), "%s", sentence);
    }
}

static void run_once(struct window *window)
{
    struct window_input_state *input_state = &window->input_state;
    input_state->record.time = now_seconds();
    heed_choice(window);
    window->news.ui = input_state->record;
    app_step(window->frame, window->state, &window->news);
    window->news = (struct app_input){.is_hidden = window->hidden}; /* files are dropped once */
    window->facts = app_frame_facts(window->frame);
    window_input_state_rest(input_state);
    if (window->facts.copied) {
        SDL_SetClipboardText(window->facts.copied);
    }
    serve_cursor(window, window->facts.cursor);
    serve_text(window);
    serve_request(window);
    serve_title(window);
    if (window->facts.wants_paste) {
        window->pastes_text = window->facts.wants_text;
        show_sentence(window, window_input_state_paste(input_state));
        window->again = true;
    }
}

/* A text that comes late belongs where it was asked for: in a field, or in none. */
static void heed_paste(struct window *window)
{
    struct window_input_state *input = &window->input_state;
    if (!input->coming) {
        return;
    }
    show_sentence(window, window_input_state_await(input, 0));
    if (input->record.paste && window->pastes_text != window->facts.wants_text) {
        input->record.paste = NULL;
        show_sentence(window,
                      tr("The clipboard’s text came late, and you are elsewhere: paste again."));
    }
}

/* Runs until nothing is left to feed back; a frame that always wants one more gets it at the next
 * turn. */
static void run_frames(struct window *window)
{
    for (int i = 0; i < 4; i++) {
        window->again = false;
        run_once(window);
        if (!window->again) {
            return;
        }
    }
}

static void show_frame(struct window *window)
{
    bool changed = window->facts.hash != window->shown_hash;
    if (window->hidden || !(changed || window->exposed || window->shown_badly)) {
        return;
    }
    window->shown_badly =
        !window_screen_show(&window->screen, app_frame_canvas(window->frame), window->scale,
                            window->state->theme->ground, window->exposed || window->shown_badly);
    window->shown_at = now_seconds();
    if (!window->shown_badly) {
        window->shown_hash = window->facts.hash;
        window->exposed = false;
    }
    fonts_trim(window->fonts);
}

/* Sleeps until an event comes, or the time to run without one. */
static void wait_for_event(struct window *window)
{
    if (window->input_state.waiting.type != 0) {
        return;
    }
    double wake = window->hidden ? 0 : window->facts.wake;
    if (window->shown_badly && !window->hidden) {
        wake = window->shown_at + retry_time;
    }
    if (window->input_state.coming && (wake <= 0 || wake > now_seconds() + frame_time)) {
        wake = now_seconds() + frame_time;
    }
    if (wake <= 0) {
        SDL_WaitEvent(NULL);
        return;
    }
    double soonest = window->shown_at + frame_time, present = now_seconds();
    double wait = (wake > soonest ? wake : soonest) - present;
    if (wait > 0) {
        double max_wait = 60.0;
        SDL_WaitEventTimeout(NULL, (int)ceil((wait < max_wait ? wait : max_wait) * 1000));
    }
}

static void apply_news(struct window *window, const struct window_news *news)
{
    const unsigned came = news->came;
    ask_to_quit(window, (came & NEWS_QUIT) != 0, false);
    window->exposed = window->exposed || (came & NEWS_EXPOSED) != 0;
    window->hidden = (window->hidden || (came & NEWS_HIDDEN) != 0) && (came & NEWS_SHOWN) == 0;
    window->news = (struct app_input){.dropped = (const char *const *)news->dropped,
                                      .drops = news->drops,
                                      .drops_text = (came & NEWS_TEXT_DROPPED) != 0,
                                      .is_hidden = window->hidden};
    if ((came & NEWS_MOVED) != 0) {
        window->desktop_scale = 0; /* another screen may ask for another */
    }
    if ((came & NEWS_RESIZED) != 0) {
        measure_scale(window);
    }
    if (window->settles_until > 0 &&
        (window_place_settle(window->screen.window) || now_seconds() > window->settles_until)) {
        window->settles_until = 0;
    }
    if ((came & NEWS_TEXTURES_LOST) != 0) {
        window_screen_renew(&window->screen);
    }
}

static void run_loop(struct window *window)
{
    while (!window->quit) {
        wait_for_event(window);
        double began = now_seconds();
        bool more = true;
        for (int i = 0;
             more && !window->quit && i < CATCH_UP_MAX && now_seconds() < began + patience; i++) {
            struct window_news news = {0};
            more = window_input_state_collect(&window->input_state, &news);
            apply_news(window, &news);
            heed_paste(window);
            run_frames(window);
            window_news_free(&news);
        }
        show_frame(window);
    }
}

static bool open_parts(struct window *window, struct error *error)
{
    window->fonts = fonts_open(error);
    if (!window->fonts) {
        return false;
    }
    window->frame = app_frame_open(window->fonts, error);
    return window->frame &&
           window_screen_open(&window->screen, window->action, window->fonts, error);
}

static void close_parts(struct window *window)
{
    window_input_state_close(&window->input_state);
    window_choice_close(window->choice);
    for (size_t i = 0; i < CURSORS; i++) {
        SDL_FreeCursor(window->cursors[i]);
    }
    window_screen_close(&window->screen);
    if (window->frame) {
        app_frame_close(window->frame);
    }
    if (window->fonts) {
        fonts_close(window->fonts);
    }
}

bool app_window_run(const struct app_window *action, struct app_state *state, struct error *error)
{
    struct window *window = SDL_calloc(1, sizeof *window);
    if (!window) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for a window.");
    }
    *window = (struct window){.state = state, .action = action, .zoom = 1, .exposed = true};
    bool started = start_video(error);
    bool opened = started && open_parts(window, error);
    if (opened) {
        SDL_StopTextInput(); /* SDL starts with it switched on */
        SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
        SDL_EventState(SDL_DROPTEXT, SDL_ENABLE);
        window_screen_icon(&window->screen);
        state->host |= window_choice_is_there() ? APP_HOST_CHOOSES_FILES : 0U;
        const struct language *mute = NULL;
        const struct language *const begun =
            window_language_begin(action->language, window->fonts, &mute);
        if (mute != NULL) {
            app_state_show_message(state, now_seconds(),
                                   "No font on this machine has the letters of %s: install %s.",
                                   mute->english, mute->fonts);
        }
        window->input_state.record.reduce_motion = window_motion_reduced();
        window->end = window_end_watch(state);
        app_autosave_begin(state, now_seconds());
        app_learn_greet(state, now_seconds());
        measure_scale(window);
        fit_window(window);
        run_frames(window);
        SDL_ShowWindow(window->screen.window);
        window->settles_until = asks_no_size(action) ? now_seconds() + settle_time : 0;
        show_frame(window);
        run_loop(window);
        window_end_close(window->end, state);
        window_language_keep(begun);
        if (asks_no_size(action)) {
            window_place_keep(window->screen.window);
        }
    }
    close_parts(window);
    SDL_free(window);
    if (started) {
        SDL_Quit();
    }
    return opened;
}
