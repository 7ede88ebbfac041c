/* view/parts/style.h — how panels look and what they may do: in the window, in presenter mode, in a
 * figure. view_style is the only function that asks which of these it is; panels ask the style.
 *
 *     static const struct view_length ROW_MIN = {.near = 16, .far = 19};
 *     const float lowest = view_length(view, ROW_MIN); */
#ifndef VIEW_PARTS_STYLE_H
#define VIEW_PARTS_STYLE_H

#include <stdbool.h>

struct view;

/* A length in points: for somebody at the screen or the page, and for the last row of a class. */
struct view_length {
    float near, far;
};

/* Font sizes of the names of rows and columns. */
struct view_name_style {
    float max, min;      /* before a name is cut or left out */
    float one_line_min;  /* in one line above columns, before names alternate between two lines */
    float cut_min;       /* before a name is cut all the same */
    float turned;        /* of names that lean or stand upright */
    float readable_min;  /* of names that shrink with their rows */
    float line_font_min; /* that rows are as high as, at least */
};

struct view_style {
    bool is_far;       /* it is read from afar: numbers and names fill the room that there is */
    bool has_controls; /* buttons, tabs and hints: there is something to press */
    bool has_cards;    /* panels stand on cards, with a border and titles */
    bool has_marks;    /* what is selected is marked */
    bool cuts_names;   /* the end of a long name may go, for a tooltip shows it; else it shrinks and
                          turns until all of it is there, as on paper */
    float small;       /* the font size of formulas and sums */
    struct view_name_style names;
};

/* The style of a view whose state, min_font_size and emphasis are known. */
struct view_style view_style(const struct view *view, bool is_figure);

float view_length(const struct view *view, struct view_length length);

/* The gap between cells of this size, 0 where they touch; and the radius of the corners of a square
 * or a rectangle of this smaller side. In a figure both are in proportion to the cell, unless the
 * figure was given others. */
float view_cell_gap(const struct view *view, float wide, float high);
float view_cell_corner(const struct view *view, float side);

/* The width of a line that is so wide by itself. */
float view_line_width(const struct view *view, float own);

#endif
