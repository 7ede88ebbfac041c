/* view/sheets/export.h — the content of the export dialog, and the actions that it asks for. */
#ifndef VIEW_SHEETS_EXPORT_H
#define VIEW_SHEETS_EXPORT_H

#include "view/parts/view.h"

/* The rows with a menu of choices. */
enum view_export_row {
    VIEW_EXPORT_CONTENT,
    VIEW_EXPORT_FORMAT,
    VIEW_EXPORT_SPAN,  /* range of an animation */
    VIEW_EXPORT_STYLE, /* style of a picture, at the same place */
    VIEW_EXPORT_THEME,
    VIEW_EXPORT_GROUND,
    VIEW_EXPORT_LETTERS,
    VIEW_EXPORT_UNIT,     /* unit of width and height */
    VIEW_EXPORT_VALUES,   /* numbers in the cells */
    VIEW_EXPORT_DECIMALS, /* decimals of those numbers */
    VIEW_EXPORT_RANGE,    /* range of the colours */
    VIEW_EXPORT_ROWS
};

/* The switches for what is in or around the picture. */
enum view_export_switch {
    VIEW_EXPORT_TITLE,
    VIEW_EXPORT_CAPTION,
    VIEW_EXPORT_BAR,
    VIEW_EXPORT_MARKS,
    VIEW_EXPORT_WORDS, /* the experiment and its description, inside the file */
    VIEW_EXPORT_SWITCHES
};

/* The numbers. */
enum view_export_number {
    VIEW_EXPORT_WIDTH,
    VIEW_EXPORT_HEIGHT,
    VIEW_EXPORT_SCALE,
    VIEW_EXPORT_NUMBERS
};

struct view_export_choice {
    const char *title, *tip;
    const char *const *rows;
    size_t count, current; /* count 0: it does not apply now and is not shown */
};

struct view_export_quantity {
    const char *title, *tip;
    double value, low, high, step;
    int decimals;
    bool shown;
};

struct view_export {
    struct view_export_choice choice[VIEW_EXPORT_ROWS];
    struct view_export_quantity number[VIEW_EXPORT_NUMBERS];
    bool has_switches, on[VIEW_EXPORT_SWITCHES];
    const char *facts; /* "1336 × 1136 pixels" */
    const char *name, *folder;
    const char *note; /* a sentence at the bottom; NULL: none */
    bool refused;     /* the note says why nothing was saved */
    const char *save; /* "Save", "Replace" */
    bool can_copy;
    const char *copy_tip;
    bool busy; /* an animation is being drawn */
    float progress;
    const char *progress_text;
    /* The preview: pixels or lines of text; neither: it is empty. */
    const struct colour *pixels;
    uint32_t columns, rows;
    float wide, high; /* in points */
    const char *text;
};

/* VIEW_ACTION_EXPORT: the values of action.export.act, and the members that each uses. */
enum view_export_act {
    VIEW_EXPORT_CHOOSE, /* which: enum view_export_row; number: the choice */
    VIEW_EXPORT_SET,    /* which: enum view_export_number; number */
    VIEW_EXPORT_TURN,   /* which: enum view_export_switch, to be turned */
    VIEW_EXPORT_NAME,   /* text: the file's name so far */
    VIEW_EXPORT_SAVE,
    VIEW_EXPORT_COPY,
    VIEW_EXPORT_CLOSE, /* also cancels an animation */
};

/* The largest size of the preview, in points. */
struct point view_export_preview_room(void);

#endif
