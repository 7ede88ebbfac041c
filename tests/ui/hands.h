/* tests/ui/hands.h — synthetic hands: they feed records to a page of widgets and read what was
 * drawn. */
#ifndef TESTS_UI_HANDS_H
#define TESTS_UI_HANDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "canvas/draw/canvas.h"
#include "ui/widgets.h"

struct hands {
    struct fonts *fonts;
    struct canvas *canvas;
    const struct ui_theme *theme;
    struct ui_memory memory;
    struct ui_input input;
    struct ui ui;
    void (*page)(struct hands *hands); /* calls widgets */
    void *state;                       /* of the page */
    bool copied;                       /* ui.copied was set in the last record … */
    char clipboard[UI_TYPED_MAX];      /* … to this */
    bool keys_consumed, wants_paste;   /* in the first frame of the last record */
};

void hands_open(struct hands *hands, void (*page)(struct hands *), void *state);
void hands_close(struct hands *hands);

/* One record as it stands in hands->input, then quiet frames until nothing changes. */
void hands_feed(struct hands *hands);

void hands_move(struct hands *hands, float x, float y);
void hands_press(struct hands *hands, float x, float y, int clicks);
void hands_release(struct hands *hands);
void hands_click(struct hands *hands, float x, float y);
void hands_drag(struct hands *hands, float x0, float y0, float x1, float y1);
void hands_wheel(struct hands *hands, float x, float y, float notches);
void hands_key(struct hands *hands, uint32_t key, unsigned mods);
void hands_type(struct hands *hands,
                const char *text); /* a record for each letter, as a keyboard does */
void hands_wait(struct hands *hands, double seconds);

/* The middle of a text on screen; fails when it is not there. */
struct point hands_find(struct hands *hands, const char *text);
void hands_click_text(struct hands *hands, const char *text);
bool hands_see(struct hands *hands, const char *text);
struct rect hands_group(struct hands *hands, const char *label);

#endif
