/* ui/ui.h — the controls of a frame: which is under the pointer, which holds it, has the focus.
 *
 * Immediate: a widget is one function that places, hits, answers and draws. What must outlive a
 * frame stands in struct ui_memory, found by id. An id is a hash of names; the order of calls is
 * the order of the focus. Menus and tooltips are drawn by ui_end, over everything, and hide what is
 * below them from the pointer.
 *
 *     ui_begin(&ui, &memory, input, canvas, theme);
 *     if (ui_button(&ui, "export", area, &(struct ui_button){.label = "Export"})) {
 *         save();
 *     }
 *     ui_end(&ui); */
#ifndef UI_UI_H
#define UI_UI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "canvas/draw/canvas.h"
#include "ui/input.h"
#include "ui/theme.h"

enum ui_cursor {
    UI_CURSOR_ARROW,
    UI_CURSOR_HAND,
    UI_CURSOR_TEXT,
    UI_CURSOR_RESIZE_H, /* ↔ */
    UI_CURSOR_RESIZE_V, /* ↕ */
    UI_CURSOR_MOVE,
};

enum {
    UI_DEPTH_MAX = 16,
    UI_FOCUS_MAX = 512,
    UI_REGIONS_MAX = 16,
    UI_TYPED_MAX = 4096,
    UI_TIP_MAX = 512,
    UI_CLEAR_MAX = 4,
    UI_TOKEN_FIELDS_MAX = 2
};

/* The state that outlives a frame; all zero at the start. */
struct ui_memory {
    uint32_t active;                    /* holds the pointer since a press; 0: nobody */
    uint32_t focus;                     /* gets keys; 0: nobody */
    bool focus_visible;                 /* the focus came by keyboard: draw the ring */
    uint32_t focus_order[UI_FOCUS_MAX]; /* of the last frame */
    size_t focus_count;

    uint32_t open;         /* the menu that is open; 0: none */
    struct rect open_area; /* what it covered in the last frame */
    size_t open_row;       /* the row under the keyboard */
    float open_scroll;

    uint32_t hot; /* under the pointer in the last frame */
    double hot_since;
    bool tip_shown; /* a tooltip is up: the next comes at once */

    float grab_x, grab_y; /* where the press was, relative to what was pressed */
    double grab_value;

    uint32_t edited;                /* the field that `typed` belongs to */
    char typed[UI_TYPED_MAX];       /* text being typed, UTF-8, 0-ended */
    char typed_other[UI_TYPED_MAX]; /* what it was when typing began; after undo: what was typed */
    bool has_undone;
    size_t caret, mark;  /* bytes in typed; mark ≠ caret: a stretch is marked */
    size_t edited_chip;  /* chips: which chip is being edited; SIZE_MAX: the end */
    const char *word_of; /* the name of the chips that `typed` will be a word of; NULL: of none */
    size_t word_at;      /* the word that it is typed before */
    bool word_replaces;  /* it is typed in the place of that word */
    size_t chosen_chip;  /* chips: chosen for Backspace, drag; SIZE_MAX − none when 0 tokens */
    float field_scroll;

    struct rect hot_area; /* of hot, in the last frame */
    int press_clicks;     /* of the press that made `active` */
    bool reveal;          /* the focus came by Tab: the scroll areas around bring it into view */
    float pointer_x, pointer_y; /* in the last frame */

    bool open_armed;      /* letting go over a row of the open menu chooses it */
    float open_x, open_y; /* the pointer when the menu opened */

    uint32_t tip_id; /* whose tooltip waits or is up */
    double tip_since, tip_left;
    bool tip_hushed;          /* something was pressed: no tooltip until the pointer moves */
    float hushed_x, hushed_y; /* the pointer when it was pressed */
    float hushed_width, hushed_height; /* the window's size then */
    bool pointer_rests;                /* the pointer has not moved since a press of its buttons */
    uint32_t offered;                  /* got the focus by ui_offer_focus; 0: nobody has it so */
    uint32_t tip_struck; /* a key came while this one's waited or was up: not by keyboard again */

    size_t chip_grabbed; /* chips: which one the press was on; SIZE_MAX: none */
    bool chip_dragged;
    uint32_t chips_resting; /* the token field one of whose chips was clicked: letters are no text
                               until it is typed into; 0: none */
    float chips_scroll;
    float chips_width;   /* in the last frame: in another the chosen chip scrolls into view */
    size_t chips_count;  /* in the last frame: a new chip scrolls into view */
    size_t chips_chosen; /* in the last frame, counted from 1: another one scrolls into view */
    uint32_t chips_of;   /* the token field whose these four are; those of others wait: */
    struct ui_chips_left {
        uint32_t id;
        float scroll, width;
        size_t count, chosen;
    } chips_left[UI_TOKEN_FIELDS_MAX];
    uint32_t chips_all;  /* the token field all of whose chips are marked (Ctrl+A); 0: none */
    size_t chips_behind; /* chips: how many stand behind the caret; 0: it is at the end */

    uint32_t typed_stroke; /* sliders: the digit typed by its stroke; 0: none */
    uint32_t refused;      /* the slider whose typed number was not taken; 0: none */
    double refused_until;  /* its sentence stands until then; 0: while it is typed into */
    uint32_t left;         /* a field that lost the focus to another before it could answer */
    char left_text[UI_TYPED_MAX]; /* what was typed there */
    size_t left_chip, left_behind;

    char given[UI_TYPED_MAX];  /* what an answer of this frame points to */
    char copied[UI_TYPED_MAX]; /* what ui.copied points to */
};

struct ui_scroll {
    uint32_t id;
    struct rect area;
    float content;
    float *offset;
};

struct ui {
    struct ui_memory *memory;
    const struct ui_input *input;
    struct canvas *canvas;
    const struct ui_theme *theme;
    bool is_figure; /* a figure: what could only be pressed is left out */
    bool beneath;   /* what is drawn now lies under an overlay that has the keyboard: nothing in it
                       takes   the focus */

    uint32_t scope[UI_DEPTH_MAX]; /* ids of the scopes around */
    size_t depth;
    uint32_t focus_order[UI_FOCUS_MAX];
    size_t focus_count;
    size_t region[UI_REGIONS_MAX]; /* where each part of the window begins in focus_order */
    size_t regions;

    uint32_t hot;          /* found in this frame, the last that claims wins */
    bool keys_consumed;    /* strokes of this frame went to a widget: commands must not see them */
    bool pointer_consumed; /* the pointer is over or held by a widget */
    bool wheel_consumed;
    enum ui_cursor cursor; /* wished for */
    bool wants_text;       /* a field has the focus: text input is to be on */
    struct rect text_area; /* the caret of that field */
    bool wants_paste;      /* Ctrl+V was pressed in a field: feed input.paste in the next record */
    bool paste_passed;     /* input.paste is more than the number's field it came to can hold, which
                              was left: it is for what lies beneath */
    const char *copied;    /* Ctrl+C, Ctrl+X in a field: goes to the clipboard; stands in memory */
    double wake;           /* when something changes by itself: at input->time, run a frame at once;
                              0: never */

    char tip[UI_TIP_MAX]; /* tooltip of the hot widget */
    struct rect tip_area;
    struct rect clear[UI_CLEAR_MAX]; /* no tooltip of anything else covers these */
    size_t clears;                   /* how many of them there are */

    /* the open menu, recorded by ui_menu and drawn by ui_end */
    struct ui_popup {
        const char *const *rows, *const *heads, *const *notes; /* heads, notes: NULL or [count] */
        bool content;                                          /* as in struct ui_menu */
        size_t count, current;
        struct rect anchor;
        uint32_t id;
    } popup;

    struct rect clip[UI_DEPTH_MAX]; /* of the scroll areas around: nothing outside is hit */
    size_t clips;
    struct ui_scroll scroll[UI_DEPTH_MAX];
    size_t scrolls;
    uint32_t strokes_consumed; /* a bit for each stroke */
    bool covered;              /* a menu was open when the frame began: the pointer is its alone */
    bool press_claimed;        /* a press of this frame found its widget */
    bool press_focused;        /* that widget took the focus */
    struct rect hot_area;
    uint32_t tip_id;
    bool tip_by_keys;   /* it is there for the focus, not for the pointer */
    bool tip_is_answer; /* an answer to what was typed: stands at once, whatever else has a tip */
};

void ui_begin(struct ui *ui, struct ui_memory *memory, const struct ui_input *input,
              struct canvas *canvas, const struct ui_theme *theme);

/* Draws what floats above (menu, tooltip), moves the focus on Tab, lets go of what was released. */
void ui_end(struct ui *ui);

/* The id of a name in the scopes around; never 0. */
uint32_t ui_id(const struct ui *ui, const char *name);
uint32_t ui_id_number(const struct ui *ui, const char *name, size_t number);
void ui_push(struct ui *ui, const char *name);
void ui_pop(struct ui *ui);

/* Asks for another frame at that time (seconds, as input->time), or earlier. */
void ui_wake(struct ui *ui, double time);

/* How a widget stands to the pointer in this frame. */
struct ui_touch {
    bool hover;   /* the pointer is over it and nothing covers it */
    bool held;    /* it holds the pointer */
    bool pressed; /* the left button went down on it now */
    bool clicked; /* pressed and released over it, or Enter or Space while it has the focus visibly
                     (after a click the keys stay with the commands) */
    int clicks;   /* of the press: 2 = double */
};

/* Claims area for id: hover, press, click, hand cursor. focusable: takes part in Tab. */
struct ui_touch ui_touch(struct ui *ui, uint32_t id, struct rect area, bool focusable);

/* Returns whether the pointer is over area, nothing covers it and nobody else holds it (no
 * claim). */
bool ui_over(const struct ui *ui, struct rect area);

/* Begins another part of the window: F6 goes from one to the next. */
void ui_region(struct ui *ui);

/* Returns whether the keys go to id. */
bool ui_has_focus(const struct ui *ui, uint32_t id);
void ui_take_focus(struct ui *ui, uint32_t id);
void ui_drop_focus(struct ui *ui);

/* Gives it the focus with its ring, without a tooltip until the keyboard goes there again. */
void ui_offer_focus(struct ui *ui, uint32_t id);

/* True when this stroke came in this frame and id has the focus (id 0: whoever); takes it. With id
 * 0 it is false for what a menu or a text field that has the focus will want, and for Enter and
 * Space while a control has the focus visibly; other keys of widgets are known only after these
 * ran: ask last. */
bool ui_stroke_consumed(struct ui *ui, uint32_t id, uint32_t key, unsigned mods);

/* The ring around what has the keyboard's focus. */
void ui_draw_focus(struct ui *ui, uint32_t id, struct rect area, float corner);

/* text shows after 500 ms of the pointer over area (at once while moving along), and on keyboard
 * focus. Any press, key or notch of the wheel takes it away until the pointer moves or the focus
 * goes on. */
void ui_tip(struct ui *ui, uint32_t id, struct rect area, const char *text);

/* No tooltip stands until the pointer moves from where it is. */
void ui_hush_tips(struct ui_memory *memory, const struct ui_input *input);

/* Returns whether a button of the pointer was pressed, and it has not moved since: what shows on
 * hover gives way to what the press brought. */
bool ui_pointer_rests(const struct ui *ui);

/* In this frame tooltips of what lies outside the area stay off it, where there is any other place;
 * of UI_CLEAR_MAX areas. */
void ui_keep_clear(struct ui *ui, struct rect area);

#endif
