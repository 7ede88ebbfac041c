/* hands.h — drives the whole program by what is written on its screen, without a display.
 *
 *     struct hands *hands = hands_open("cats", 1440, 900);
 *     hands_click(hands, "Softmax");
 *     hands_type(hands, "bird ");
 *     hands_expect(hands, "bird");
 *     hands_close(hands);
 *
 * A failing test prints the screen. Include behind cmocka.h. */
#ifndef WINDOW_HANDS_H
#define WINDOW_HANDS_H

#include "app/document/state.h"
#include "app/draw/frame.h"

struct hands {
    struct app_frame *frame;
    struct app_state *state;
    struct ui_input input;
    struct fonts *fonts;
    const char *dropped; /* a file, in the next frame; NULL: none */
    bool is_hidden;
    char clipboard[1 << 16];
    char folder[256]; /* of its own, for what is saved; gone when the hands rest */
};

struct hands *hands_open(const char *lesson, float width, float height);
void hands_close(struct hands *hands);

const struct canvas *hands_canvas(const struct hands *hands);

/* The same before a class: in presenter mode. */
struct hands *hands_open_presenter(const char *lesson, float width, float height);

/* To that step of the lesson, from 0, a second later. */
void hands_show_step(struct hands *hands, size_t step);

/* One frame of what the record holds. */
void hands_step(struct hands *hands);

/* Frames of what the record holds until nothing that was asked for is missing. The time stands
 * still. */
void hands_settle(struct hands *hands);

/* Settles, and draws one frame of what came. */
void hands_show_settled(struct hands *hands);

/* Settles only until no task is under way, while weights may go on learning. */
void hands_wait_for_tasks(struct hands *hands);

/* Drops one file on the window. */
void hands_drop(struct hands *hands, const char *path);

/* The window cannot be seen, or can be again. */
void hands_hide(struct hands *hands, bool is_hidden);

/* One frame, then up to a second until anything comes, a step of training too: so a machine however
 * slow shows what it computes after as few frames. */
void hands_step_for_result(struct hands *hands);

/* One frame, then one of nothing, so that the screen shows what came of it. */
void hands_frame(struct hands *hands);

/* Lets the time pass, a frame every 50 ms. */
void hands_wait(struct hands *hands, double seconds);

void hands_resize(struct hands *hands, float width, float height);

void hands_move(struct hands *hands, float x, float y);
void hands_press(struct hands *hands, float x, float y, unsigned button, int clicks);
void hands_release(struct hands *hands, float x, float y, unsigned button);
void hands_click_at(struct hands *hands, float x, float y);
void hands_drag(struct hands *hands, float x0, float y0, float x1, float y1);
/* Two fingers about (x, y) that move apart by so many notches, and side by side. */
void hands_pinch(struct hands *hands, float x, float y, float notches, float dx, float dy);
void hands_wheel(struct hands *hands, float x, float y, float notches, unsigned mods);

/* The middle of what reads exactly `words`, or of the group with that label; fails when neither is
 * to be seen. number counts from 0 the visible ones. */
struct point hands_find(struct hands *hands, const char *words, size_t number);

/* The fill of the topmost rectangle there, such as a cell's under its number. */
struct colour hands_fill_at(struct hands *hands, struct point at);
void hands_click(struct hands *hands, const char *words);
void hands_click_number(struct hands *hands, const char *words, size_t number);
void hands_double_click(struct hands *hands, const char *words);
void hands_hover(struct hands *hands, const char *words);

/* Letter by letter, as a keyboard does. */
void hands_type(struct hands *hands, const char *text);

/* A stroke: "Ctrl+Shift+Z", "Left", "Space", "7", "Ctrl++". */
void hands_key(struct hands *hands, const char *stroke);

/* Every group of the settings shows all it has, whatever the stage uses. */
void hands_show_settings(struct hands *hands);

/* Ctrl+S; where that asks for a name and a folder, what it offers is taken. */
void hands_save(struct hands *hands);

/* Ctrl+V with text on the clipboard. */
void hands_paste(struct hands *hands, const char *text);

/* How many visible texts read exactly so; contain so. */
size_t hands_count(struct hands *hands, const char *words);
size_t hands_count_part(struct hands *hands, const char *words);

#define hands_expect(hands, words) hands_must_show(hands, words, true, __FILE__, __LINE__)
#define hands_expect_not(hands, words) hands_must_show(hands, words, false, __FILE__, __LINE__)
#define hands_expect_part(hands, words) hands_must_hold(hands, words, __FILE__, __LINE__)
void hands_must_show(struct hands *hands, const char *words, bool shown, const char *file,
                     int line);
void hands_must_hold(struct hands *hands, const char *words, const char *file, int line);

/* Says whether a font of this system has the letters of a language, which the program offers only
 * then. */
struct language;
bool hands_can_read(const struct language *language);

/* All texts of the screen on stderr. */
void hands_report(struct hands *hands);

/* The texts of the screen hashed, but the time of the run: equal when the same words and numbers
 * are shown. */
uint64_t hands_reading(struct hands *hands);

/* Visible texts that lie over each other, or beyond the screen's edge, are printed; how many there
 * are. */
size_t hands_collisions(struct hands *hands);

#endif
