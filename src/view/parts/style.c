/* view/parts/style.c — the differences between the window, the presenter view and a figure. Only
 * this file asks which of them it is. */
#include "view/parts/style.h"

#include <math.h>

#include "view/parts/matrix.h"
#include "view/parts/view.h"

static const float CELL_GAP = 2; /* between cells that are large enough for a gap */
static const float GAP_FROM = 9; /* smaller cells touch each other */
static const float CORNER = 3;   /* radius */
static const float GAP_SHARE = 0.12f, CORNER_SHARE = 0.1f; /* of a cell in a figure, at most */

enum { MEDIA = 2 }; /* near and far */

static const struct view_name_style names[MEDIA] = {
    {.max = UI_TEXT_BODY,
     .min = UI_TEXT_TINY,
     .one_line_min = UI_TEXT_TINY,
     .cut_min = 9,
     .turned = UI_TEXT_TINY},
    {.max = 14.4f, .min = 8, .one_line_min = 12.8f, .cut_min = 8, .turned = 12.8f},
};

struct view_style view_style(const struct view *view, bool is_figure)
{
    const bool is_far = view->state->prefs.presenter;
    struct view_style style = {
        .is_far = is_far,
        .has_controls = !is_figure,
        .has_cards = !view->state->frame.borderless,
        .has_marks = view->emphasis || !is_figure,
        .cuts_names = !is_figure,
        .small = is_far ? VIEW_PRESENTER_FONT_READABLE : UI_TEXT_SMALL,
        .names = names[is_far],
    };
    style.names.readable_min = is_figure ? view->min_font_size : style.names.min;
    style.names.line_font_min = is_figure ? view->min_font_size : style.names.cut_min;
    return style;
}

float view_cell_gap(const struct view *view, float wide, float high)
{
    const struct view_look *const look = &view->state->frame.look;
    const float side = fminf(wide, high);
    if (side < GAP_FROM) {
        return 0;
    }
    return view->style.has_controls ? CELL_GAP
           : look->has_gap          ? fminf(look->gap / view->zoom, side / 2)
                                    : fminf(CELL_GAP, GAP_SHARE * side);
}

float view_cell_corner(const struct view *view, float side)
{
    const struct view_look *const look = &view->state->frame.look;
    if (view->style.has_controls) {
        return CORNER;
    }
    return look->has_gap && look->gap <= 0 ? 0 /* cells that touch leave no holes */
           : look->has_corner              ? fminf(look->corner / view->zoom, side / 2)
                                           : fminf(CORNER, CORNER_SHARE * side);
}

float view_line_width(const struct view *view, float own)
{
    const float asked = view->style.has_controls ? 0 : view->state->frame.look.lines;
    return asked > 0 ? asked / view->zoom : own;
}

float view_length(const struct view *view, struct view_length length)
{
    return view->style.is_far ? length.far : length.near;
}
