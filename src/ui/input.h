/* ui/input.h — the input of a frame: where the pointer is, and what was pressed, typed and turned
 * since the last one. */
#ifndef UI_INPUT_H
#define UI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keys that are no letters; letters, digits and signs are their own code point, lower case. */
enum ui_key {
    UI_KEY_BACKSPACE = 8,
    UI_KEY_TAB = 9,
    UI_KEY_ENTER = 13,
    UI_KEY_ESCAPE = 27,
    UI_KEY_SPACE = 32,
    UI_KEY_DELETE = 127,
    UI_KEY_LEFT = 0x110000, /* above every code point */
    UI_KEY_RIGHT,
    UI_KEY_UP,
    UI_KEY_DOWN,
    UI_KEY_HOME,
    UI_KEY_END,
    UI_KEY_PAGE_UP,
    UI_KEY_PAGE_DOWN,
    UI_KEY_F1, /* F2 to F12 follow */
    UI_KEY_F12 = UI_KEY_F1 + 11,
};

enum { UI_SHIFT = 1, UI_CTRL = 2, UI_ALT = 4 }; /* bits of mods; ⌘ counts as Ctrl */
enum { UI_LEFT_BUTTON = 1, UI_RIGHT_BUTTON = 2, UI_MIDDLE_BUTTON = 4 }; /* bits of buttons */
enum { UI_STROKES_MAX = 32 };

struct ui_stroke {
    uint32_t key;
    unsigned mods;
};

struct ui_input {
    float width, height; /* of the window, points */
    float scale;         /* pixels a point */
    double time;         /* seconds, rising */
    bool reduce_motion;

    bool inside;                      /* the pointer is over the window */
    float x, y;                       /* the pointer, points */
    unsigned down, pressed, released; /* buttons held; gone down, come up in this record */
    int clicks;                       /* 1 single, 2 double, of the press in this record */
    float wheel_x, wheel_y;           /* notches; y away from the person is positive */
    float pinch; /* two fingers moved apart (> 0) or together about x, y: in notches of the wheel */
    float slide_x, slide_y; /* two fingers moved side by side, points */
    unsigned mods;

    struct ui_stroke stroke[UI_STROKES_MAX];
    size_t strokes;
    const char *text;      /* typed letters, UTF-8, 0-ended; NULL: none */
    const char *paste;     /* clipboard text, when it was asked for and came; NULL: none */
    const char *composing; /* what an input method shows while composing; NULL: none */
};

#endif
