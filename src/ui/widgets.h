/* ui/widgets.h — the controls, each in a file of its name: place, hit, answer, draw in one call. */
#ifndef UI_WIDGETS_H
#define UI_WIDGETS_H

#include "ui/ui.h"

/* --- button.c --- */

enum ui_icon {
    UI_ICON_NONE,
    UI_ICON_TO_START, /* |< */
    UI_ICON_BACK,     /* < */
    UI_ICON_PLAY,
    UI_ICON_PAUSE,
    UI_ICON_FORWARD, /* > */
    UI_ICON_DICE,
    UI_ICON_THEME, /* half-filled disc */
    UI_ICON_HELP,  /* ? */
    UI_ICON_SETTINGS,
    UI_ICON_CLOSE,
    UI_ICON_CHEVRON, /* v */
    UI_ICON_PLUS,
    UI_ICON_UNDO, /* an arrow turning back */
    UI_ICON_REDO,
    UI_ICON_SAVE, /* an arrow down to a line */
    UI_ICONS
};

enum ui_button_style {
    UI_BUTTON_PLAIN,   /* panel ground, a border */
    UI_BUTTON_STRONG,  /* ink ground, panel letters: Export, Play */
    UI_BUTTON_BARE,    /* no border until hovered */
    UI_BUTTON_CURRENT, /* accent ground: the chosen one of several */
};

struct ui_button {
    const char *label; /* NULL: icon only */
    enum ui_icon icon;
    enum ui_button_style style;
    const char *tip; /* NULL: none; names the key too: "Export as PNG (Ctrl+E)" */
    bool disabled;
    bool left; /* label at the left end, not centred */
};

/* True when it was clicked. The group around it is labelled label (or tip). */
bool ui_button(struct ui *ui, const char *name, struct rect area, const struct ui_button *button);

/* How wide a button must be for its label, in the language that is spoken. */
float ui_button_width(const struct ui *ui, const char *label);

void ui_draw_icon(struct ui *ui, enum ui_icon icon, struct rect area, struct colour colour);

/* A switch with its label at the left end of area. True when it was turned; the caller turns it. */
bool ui_toggle(struct ui *ui, const char *name, struct rect area, const char *label, bool on,
               const char *tip);

/* A switch that cannot be turned just now; the tip says why. True when somebody tries. */
bool ui_toggle_disabled(struct ui *ui, const char *name, struct rect area, const char *label,
                        const char *why);

/* One of several words side by side ("Q  K  V"). Returns the index chosen now, or count. */
size_t ui_tabs(struct ui *ui, const char *name, struct rect area, const char *const *labels,
               size_t count, size_t current);

/* Shows what each of them means, for a row of words that was drawn with the same name, area and
 * count. */
void ui_tab_tips(struct ui *ui, const char *name, struct rect area, const char *const *tips,
                 size_t count);

/* --- slider.c --- */

struct ui_slider {
    const char *label; /* left of the number, above the track; NULL: a track only */
    double value, low, high;
    double step; /* what an arrow key moves, and what dragging rounds to; 0: none */
    bool logarithmic;
    int decimals;
    const char *number; /* what is shown instead of the value ("auto"); NULL: the value */
    const char *tip;
};

/* 38 points high when labelled. Drag, click, wheel over it with Ctrl, arrows, Home, End, and typing
 * a number while it has the focus (Enter or leaving takes it). True when *value became another one.
 * A text that is no number, not whole where steps are whole, or outside low to high is not
 * clamped: on Enter and Tab the field stays open with a red border and says "0.10 to 10.00" until
 * the number can be taken or Esc; when the focus goes elsewhere by a press, the old value stays and
 * the range stands beside it for 2 s. Nothing typed: the old value stays. */
bool ui_slider(struct ui *ui, const char *name, struct rect area, const struct ui_slider *slider,
               double *value);

/* --- menu.c --- */

struct ui_menu {
    const char *const *rows; /* must live until ui_end */
    size_t count, current;   /* current ≥ count: none is */
    const char *label; /* shown instead of the current row; NULL: the row; must live until ui_end */
    const char *tip;
    bool on_panel; /* panel ground instead of control ground */
    bool content;  /* rows are words of the document, which no language changes */
    /* For long menus, [count] each, NULL: none; they live as long as rows. */
    const char *const *heads; /* of the group that begins with that row; NULL inside it: goes on */
    const char *const *notes; /* what a row is about, behind it */
};

/* A dropdown: opens on click, Enter, Space or ↓; arrows and letters move; Enter takes, Esc closes.
 * Returns the row chosen now, or count. The open rows are drawn by ui_end and hide everything from
 * the pointer; ui.wake asks for one more frame when something was chosen. */
size_t ui_menu(struct ui *ui, const char *name, struct rect area, const struct ui_menu *menu);

/* --- field.c --- */

struct ui_field {
    const char *label; /* what it is for; of the group, not drawn */
    const char *text;  /* what stands in it while nobody types */
    const char *hint;  /* shown when it is empty */
    const char *tip;
    enum font_face face; /* FONT_NUMBERS for numbers */
    float size;          /* 0: UI_TEXT_BODY */
    bool borderless;     /* no border and ground of its own: a cell of a matrix being typed into */
    bool begin;          /* takes the focus now, everything marked */
    const char *typed;   /* was typed over what is marked already; NULL: nothing was */
    bool one_number;     /* a paste of several passes by: ui.paste_passed */
    bool keeps_undo;     /* Ctrl+Z stays here where nothing is typed: of an overlay, not of what is
                            beneath it. Else it leaves the field, and goes on */
};

enum ui_field_event {
    UI_FIELD_NOTHING,
    UI_FIELD_CHANGED,   /* `text` is what stands there now, still being typed */
    UI_FIELD_COMMITTED, /* Enter, Tab or a click elsewhere: `text` is the new text */
    UI_FIELD_LEFT,      /* Esc: the old text stays */
};

struct ui_field_answer {
    enum ui_field_event event;
    const char *text; /* in memory: use it before the next frame */
    bool by_enter;    /* TAKEN by Enter; not by Tab, nor by the focus going elsewhere */
};

/* One line of text: click or Tab into it, type. ↑ ↓ and function keys pass by. */
struct ui_field_answer ui_field(struct ui *ui, const char *name, struct rect area,
                                const struct ui_field *field);

/* --- chips.c --- the token field: words as chips, and a place to type --- */

struct ui_chip {
    const char *word;
    const char *tag;           /* a letter or two before it, in the same chip; NULL: none */
    const char *tip;           /* NULL: none */
    bool marked;               /* a dotted underline: its position was guessed from its letters */
    struct colour chosen_fill; /* ground of a chosen chip */
    bool chosen, hovered;      /* selected as query; previewed */
    bool faded;                /* another one shines alone */
};

enum ui_chips_event {
    UI_CHIPS_NOTHING,
    UI_CHIPS_CHOOSE,  /* chip `index` was clicked */
    UI_CHIPS_HOVER,   /* the pointer is over chip `index` */
    UI_CHIPS_INSERT,  /* words of `text` (split at white space) go in before chip `index` */
    UI_CHIPS_REPLACE, /* chip `index` becomes the words of `text` (none: it goes away) */
    UI_CHIPS_REMOVE,  /* chip `index` goes away */
    UI_CHIPS_MOVE,    /* chip `index` goes before chip `other` (counted before the move) */
    UI_CHIPS_ALL,     /* all `other` chips become the words of `text` (none: they go away) */
};

struct ui_chips_answer {
    enum ui_chips_event event;
    size_t index, other;
    const char *text; /* in memory or input: use it before the next frame */
};

struct ui_chips {
    const struct ui_chip *chip;
    size_t count;
    const char *hint;  /* where one types, when nothing is typed: "type a token…" */
    const char *brief; /* where there is no room for it: "token…", or nothing; NULL: it is cut */
    size_t closing;    /* so many chips at the end are its end: nothing is typed behind them */
    bool begin;        /* it was just opened: it takes the focus now */
};

/* One line with chips and a caret; scrolls sideways when it must. Typing appends; space or Enter
 * makes a chip; a paste is split; Backspace at the start removes the chip before; double-click (or
 * F2, Enter on a chosen chip) edits a chip; drag (or Alt with ← →) reorders; ← → walk through chips
 * when nothing is typed; letters typed while one is chosen go in before it, and a click between two
 * puts the caret there. A chip whose `chosen` comes from elsewhere scrolls into view (not while any
 * is `hovered`: a preview scrolls nothing). Where chips fill the field a place to type stays free
 * at its end. While nothing is typed Ctrl+A marks all chips: what is typed or pasted then replaces
 * them, Backspace takes them away, Ctrl+C and X copy them. Signs at the ends count what is out of
 * sight, a click on one turns the page; Ctrl+A, C, X, V, Home, End, Delete, ⇧ with arrows inside
 * the text being typed; composing text is underlined. A backslash before a space keeps the space in
 * the word, as in text_split. At most UI_TOKEN_FIELDS_MAX token fields in a window. */
struct ui_chips_answer ui_chips(struct ui *ui, const char *name, struct rect area,
                                const struct ui_chips *chips);

/* The width of a chip that has all of its word, in two lines where it is a sentence. */
float ui_chip_min_width(const struct ui *ui, const char *word);

/* --- grid.c --- keys for cells that somebody else draws --- */

struct ui_grid_answer {
    bool moved;     /* *row or *column became another one */
    bool activated; /* Enter or Space: what a click on the cell does */
    bool
        focused; /* by keyboard: the caller draws the ring, around the cell or with ui_draw_focus */
};

/* Lets a matrix of rows × columns cells take part in Tab; draws nothing. While it has the focus
 * visibly, arrows move *row and *column by 1 (they stop at the edges), Home and End go to the ends
 * of the row, with Ctrl to the corners, Page Up and Page Down to the ends of the column; places
 * that do not exist are brought inside at the first key. After a click the arrows stay with the
 * commands, as for all controls, but Tab goes on from here. A matrix without cells takes no part.
 * For the pointer: ui_touch with the same id, not focusable, before this.
 *
 *     const struct ui_touch touch = ui_touch(ui, id, area, false);
 *     const struct ui_grid_answer keys = ui_grid(ui, id, area, rows, columns, &row, &column);
 *     keys.moved: the cell under the keyboard changed, as if it were hovered or selected
 *     keys.activated: as if it were clicked */
struct ui_grid_answer ui_grid(struct ui *ui, uint32_t id, struct rect area, size_t rows,
                              size_t columns, size_t *row, size_t *column);

/* --- splitter.c --- */

/* A bar between two panels; upright: it divides left from right. True when it is dragged elsewhere,
 * *position then is where its middle wants to be (x or y, points), within low to high.
 * Double-click: *position = home. Arrow keys move it by 16 while it has the focus. */
bool ui_splitter(struct ui *ui, const char *name, struct rect area, bool upright, float low,
                 float high, float home, float *position);

/* --- scroll.c --- */

/* Begins a clipped area whose content is `content` points high; the wheel and a thin bar move
 * *offset (kept by the caller). Returns the offset to draw at. End with ui_scroll_end. */
float ui_scroll_begin(struct ui *ui, const char *name, struct rect area, float content,
                      float *offset);
void ui_scroll_end(struct ui *ui);

#endif
